r"""One mirror step as the subject of the regularity claims: a law, a loss vector, a scale.

The step of round t starts at the point p (the played law x_t, or the base iterate x^_t), where

    z~ = unconstrained end of the step by l_a/(x_a sigma) in coordinate a,

if action a is drawn from x_t. Local norm stability asks for E[sigma D(p, z~)] <= C2/sigma.
"""

from __future__ import annotations

import dataclasses
import functools
from fractions import Fraction

from flint import fmpq
from hypothesis import strategies as st

from pbverify.bandits.mirror_maps import Vector, regularizer
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, Number, to_fmpq


@dataclasses.dataclass(frozen=True)
class MirrorStep(Record):
    """x_t = alpha base + (1 - alpha) comparator, with losses and a scale, all exact."""

    psi: str
    base: tuple[Fraction, ...]
    comparator: tuple[Fraction, ...]
    losses: tuple[Fraction, ...]
    alpha: Fraction
    sigma: Fraction
    from_base: bool
    """Whether the step starts at the base iterate, not at the played law."""

    @property
    def delta(self) -> Fraction:
        return min(self.comparator)

    @property
    def law(self) -> tuple[Fraction, ...]:
        """x_t."""
        pairs = zip(self.base, self.comparator, strict=True)
        return tuple(self.alpha * b + (1 - self.alpha) * c for b, c in pairs)

    @property
    def start(self) -> tuple[Fraction, ...]:
        return self.base if self.from_base else self.law

    def constants(self, *, delta: Fraction | None = None) -> tuple[Number, Number]:
        """(C1, C2), for the step's own margin unless another is given."""
        A, margin = fmpq(len(self.base)), to_fmpq(self.delta if delta is None else delta)
        return regularizer(self.psi).constants(BallArithmetic(), A=A, delta=margin)

    def end(self, arm: int) -> Vector:
        """z~ if the arm is drawn."""
        balls, psi = BallArithmetic(), regularizer(self.psi)
        dual = psi.gradient(balls, [to_fmpq(p) for p in self.start])
        dual[arm] = dual[arm] - to_fmpq(self.losses[arm] / (self.law[arm] * self.sigma))
        return psi.inverse(balls, dual)

    def cost(self, arm: int) -> Number:
        """sigma D(p, z~) if the arm is drawn; exactly 0 without a loss, since then z~ = p."""
        if self.losses[arm] == 0:
            return fmpq(0)
        start = [to_fmpq(p) for p in self.start]
        divergence = regularizer(self.psi).divergence(BallArithmetic(), start, self.end(arm))
        return to_fmpq(self.sigma) * divergence

    def expected_cost(self) -> Number:
        """E[sigma D(p, z~)] over the action."""
        return sum((to_fmpq(x) * self.cost(arm) for arm, x in enumerate(self.law)), fmpq(0))


_UNIT = st.one_of(st.just(Fraction(1)), st.fractions(0, 1, max_denominator=8))
_WEIGHTS = st.one_of(st.just(1), st.integers(1, 200))
_MARGINS = st.one_of(st.just(1), st.integers(1, 30), st.just(9_999))
_ALPHAS = st.one_of(st.just(Fraction(1)), st.fractions(Fraction(1, 100), 1, max_denominator=100))
_SCALES = st.fractions(Fraction(1, 4), 50, max_denominator=4)


@functools.cache
def _entries(number: st.SearchStrategy[Number], arms: int) -> st.SearchStrategy[list[Number]]:
    return st.lists(number, min_size=arms, max_size=arms)


@functools.cache
@st.composite
def mirror_steps(draw: st.DrawFn, psi: str, *, from_base: bool) -> MirrorStep:
    """Steps of two to four arms, margins down to 1/30,000; all aggressions, many scales."""
    A = draw(st.integers(2, 4))
    return MirrorStep(
        psi=psi,
        base=_normalised(draw(_entries(_WEIGHTS, A))),
        comparator=_normalised(draw(_entries(_MARGINS, A))),
        losses=tuple(draw(_entries(_UNIT, A))),
        alpha=draw(_ALPHAS),
        sigma=draw(_SCALES),
        from_base=from_base,
    )


def _normalised(weights: list[int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(weight, sum(weights)) for weight in weights)
