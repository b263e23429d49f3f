r"""Exponential weights on delayed feedback, along any vectors: the subject of a pathwise claim.

In round t the law is proportional to exp(-gamma O_t), where O_t adds up the vectors of the rounds u
with u + d_u < t, and M_t those of the other rounds before t.
"""

from __future__ import annotations

import dataclasses
import functools
from fractions import Fraction

from flint import arb, fmpq
from hypothesis import strategies as st

from pbverify.bandits.strategies import short_delays
from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.numerics import Number, to_arb, to_fmpq

MOST = 10_000
"""Entries of the table of vectors."""


@dataclasses.dataclass(frozen=True)
class WeightedPath(Record):
    """The rate gamma, the vectors, and the delays."""

    rate: Fraction
    estimates: tuple[tuple[Fraction, ...], ...]
    delays: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.rate <= 0:
            raise InputError("a rate > 0", "rate", str(self.rate))
        widths = {len(row) for row in self.estimates}
        if len(self.estimates) != len(self.delays) or len(widths) != 1 or 0 in widths:
            raise InputError("as many vectors as delays, of one length", "estimates", len(widths))
        if len(self.delays) * self.arms > MOST:
            raise InputError(f"at most {MOST} numbers", "estimates", len(self.delays))
        if min(x for row in self.estimates for x in row) < 0 or min(self.delays) < 0:
            raise InputError("numbers >= 0", "estimates and delays", "a negative one")

    @property
    def rounds(self) -> int:
        return len(self.delays)

    @property
    def arms(self) -> int:
        return len(self.estimates[0])

    def estimate(self, t: int, arm: int) -> fmpq:
        """l_t(arm)."""
        return to_fmpq(self.estimates[t - 1][arm])

    @functools.cached_property
    def _sums(self) -> list[tuple[list[fmpq], list[fmpq]]]:
        """O_t and M_t of each round."""
        found = []
        for t in range(1, self.rounds + 1):
            sums = [[fmpq(0)] * self.arms, [fmpq(0)] * self.arms]
            for u in range(1, t):
                is_missing = u + self.delays[u - 1] >= t
                for arm in range(self.arms):
                    sums[is_missing][arm] += self.estimate(u, arm)
            found.append((sums[0], sums[1]))
        return found

    def missing(self, t: int, arm: int) -> fmpq:
        """M_t(arm)."""
        return self._sums[t - 1][1][arm]

    def total(self, arm: int) -> fmpq:
        """L_n(arm)."""
        return sum((self.estimate(t, arm) for t in range(1, self.rounds + 1)), fmpq(0))

    def law(self, t: int) -> list[Number]:
        """x_t."""
        weights = [self._weight(total) for total in self._sums[t - 1][0]]
        return [weight / sum(weights) for weight in weights]

    def _weight(self, total: fmpq) -> arb:
        return to_arb(-to_fmpq(self.rate) * total).exp()


_NUMBERS = st.fractions(0, 4, max_denominator=6)
_RATES = st.fractions(Fraction(1, 20), 2, max_denominator=20)


@functools.cache
def _vectors(arms: int, rounds: int) -> st.SearchStrategy[list[tuple[Fraction, ...]]]:
    return st.lists(_vector(arms), min_size=rounds, max_size=rounds)


@functools.cache
def _vector(arms: int) -> st.SearchStrategy[tuple[Fraction, ...]]:
    vector = st.lists(_NUMBERS, min_size=arms, max_size=arms).map(tuple)
    single = st.tuples(st.integers(0, arms - 1), _NUMBERS).map(
        lambda it: tuple(it[1] if arm == it[0] else Fraction(0) for arm in range(arms))
    )
    return st.one_of(vector, single)


@st.composite
def weighted_paths(draw: st.DrawFn) -> WeightedPath:
    """Up to four arms and eight rounds; vectors of any kind, or with one entry, as estimates."""
    arms, rounds = draw(st.integers(1, 4)), draw(st.integers(1, 8))
    return WeightedPath(
        draw(_RATES),
        tuple(draw(_vectors(arms, rounds))),
        tuple(draw(short_delays(rounds, 3))),
    )
