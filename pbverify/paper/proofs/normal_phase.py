r"""The bounds of the normal-phase lemma on one phase with alpha < 1, and what they bound in a game.

In a game a phase is named by its stage's estimate and its number. The expectations are over all
actions: a path that does not reach the phase adds nothing to either side.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from flint import fmpq

from pbverify.claims.claim import Pair, leq
from pbverify.numerics import Arithmetic, BallArithmetic, Number
from pbverify.paper.algorithm.schedule import Stage
from pbverify.paper.cases.all_paths import AllPaths, PathPhase
from pbverify.paper.formulas.algorithm import BANKER_REGRET, MISSING_TOTAL, NORMAL_PHASE_REGRET
from pbverify.paper.proofs import bounds_in_expectation as expected
from pbverify.paper.proofs.mirror_descent import vertex


class Size(NamedTuple):
    """What a bound on a phase depends on."""

    stage: Stage
    alpha: Any
    delay: int
    """d_start + ... + d_end."""
    delta: Fraction


def combined(arithmetic: Arithmetic, size: Size) -> Any:
    """a (R^ + 1) + (1 - a) (theta + 2 sqrt(2 D + 1/4) + 1)."""
    late = MISSING_TOTAL(arithmetic, D=arithmetic.exact(size.delay))
    stage, alpha = size.stage, size.alpha
    return alpha * (stage.budget + 1) + (1 - alpha) * (stage.threshold + late + 2)


def with_estimate(arithmetic: Arithmetic, size: Size) -> Any:
    """The lemma's bound with the stage's estimate for D."""
    D, margin = arithmetic.exact(size.stage.estimate), arithmetic.exact(size.delta)
    return NORMAL_PHASE_REGRET(arithmetic, R=size.stage.budget, D=D, delta=margin)


class Name(NamedTuple):
    """Which phase of a game."""

    estimate: int
    number: int

    def names(self, phase: PathPhase) -> bool:
        row = phase.rows[0][1]
        return (row.delay_estimate, row.phase) == self


def cautious(game: AllPaths) -> list[Name]:
    """The phases with alpha < 1 that some path reaches, in order."""
    found = (phase for path in game.paths.paths for phase in expected.phases(path))
    rows = (phase.rows[0][1] for phase in found if not expected.is_full(phase))
    return sorted({Name(row.delay_estimate, row.phase) for row in rows})


def mean(game: AllPaths, name: Name, value: Callable[[PathPhase], Number]) -> Number:
    """The expectation of a value of the phase."""

    def along(path: Any) -> Number:
        counted = filter(name.names, expected.phases(path))
        return sum((value(phase) for phase in counted), fmpq(0))

    return game.paths.expectation(along)


def size_of(game: AllPaths, phase: PathPhase) -> Size:
    delays = game.instance.delays.to_json()
    return Size(
        game.stage_at(phase.rows[0][1].delay_estimate),
        expected.alpha_of(phase),
        sum(delays[t - 1] for t, _ in phase.rows),
        game.instance.delta,
    )


def bound_of(
    game: AllPaths, bound: Callable[[Arithmetic, Size], Any]
) -> Callable[[PathPhase], Number]:
    """A bound as a value of a phase of the game."""
    return lambda phase: bound(BallArithmetic(), size_of(game, phase))


def share_of(game: AllPaths, phase: PathPhase) -> Number:
    """2^(k-1)."""
    return fmpq(2 ** (phase.rows[0][1].phase - 1))


def own_budget(game: AllPaths, phase: PathPhase) -> Number:
    """R^(D) with the delays of the phase."""
    return game.stage_at(size_of(game, phase).delay).budget


def banker_bound(game: AllPaths, phase: PathPhase) -> Number:
    """The Banker lemma's bound for the length and the delays of the phase."""
    C1, C2 = game.constants
    N, D = fmpq(len(phase.rows)), fmpq(size_of(game, phase).delay)
    return BANKER_REGRET(BallArithmetic(), T=N, D=D, C1=C1, C2=C2)


def played_paid(game: AllPaths, phase: PathPhase, to: Any) -> Number:
    """sum_t <l_t, x_t - to> over the phase."""
    return expected.paid(game, phase.rows, to)


def iterates_paid(game: AllPaths, phase: PathPhase, to: Any) -> Number:
    """sum_t <l_t, x^_t - to> over the phase."""
    loss = game.expected_loss
    return sum((loss(t, row.base) - loss(t, to) for t, row in phase.rows), fmpq(0))


def pairs(
    game: AllPaths,
    paid: Callable[..., Number],
    bound: Callable[[PathPhase], Number],
) -> Iterator[Pair]:
    """Mean regret against mean bound, for each phase with alpha < 1 and each arm."""
    arms = game.instance.arms
    for name in cautious(game):
        for arm in range(arms):
            regret = mean(game, name, functools.partial(paid, game, to=vertex(arm, arms)))
            allowed, which = mean(game, name, bound), name._asdict()
            yield leq(regret, allowed, most=game.rounds, x=arm, **which)


def base_pairs(game: AllPaths, bound: Callable[[AllPaths, PathPhase], Number]) -> Iterator[Pair]:
    """The same for the base iterates."""
    return pairs(game, iterates_paid, functools.partial(bound, game))
