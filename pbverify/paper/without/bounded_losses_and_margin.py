r"""Families in which one assumption of the paper is dropped, and the rows that try claims there.

    losses in [0, 1]        all action sequences of five rounds, on losses of 3, of 0 and -10
    x^c >= delta            the same and longer runs, for a comparator that hardly plays arm 1

The aggression is 1/2 throughout and the delay sum counts arrivals, so that short runs keep the
other assumptions and are not cut by hard restarts.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.bandits.mirror_maps import regularizer
from pbverify.bandits.simpler import case_sort, read_sort
from pbverify.claims.claim import Claim, Conclusion, Pair, S, Side
from pbverify.claims.closed_forms.bound import Point
from pbverify.claims.sort import Sort
from pbverify.claims.strengthenings.assumptions import Ablation, without
from pbverify.numerics import BallArithmetic, Number, to_fmpq
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.banker_game import BankerGame
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import EVEN
from pbverify.paper.proofs.bounds_on_every_path import is_certain
from pbverify.paper.without.unchecked_cases import (
    MisledOutline,
    SignedPhase,
    chance_of,
    free_banker_game,
    free_game,
    free_instance,
    free_run,
)

HIGH, LOW = "losses <= 1", "losses >= 0"
MARGIN = "entries of x^c >= delta"

UNSUPPORTED = (
    "x^c(a)/x_t(a) <= 1/(1 - alpha) for every x^c(a) > 0, an item is at most 0 for x^c(a) = 0, and "
    "alpha = 1/2 here"
)
"""Why items of about 2 do not need the margin."""

UNEVEN = (Fraction(99, 100), Fraction(1, 100))
"""A comparator that hardly plays arm 1."""

Row = Sequence[int]
LATE = (0, 4, 0, 0, 0)
"""Delays of five rounds of which the second is missing until the end."""


def quick(*, budget: Fraction = Fraction(2)) -> Reading:
    """The repaired reading with a constant budget and an arrived delay sum."""
    return preset("repaired").with_options(
        budget=budget,
        slack=Fraction(0),
        rounding="none",
        delay_sum="arrived",
        delay_scope="stage",
        estimate="twice",
    )


def every_run(
    row: Row,
    *,
    comparator: Sequence[Fraction] = EVEN,
    budget: Fraction = Fraction(2),
) -> Iterator[Run]:
    """All action sequences of five rounds with the same losses, and delta = 1/2."""
    for actions in itertools.product(range(2), repeat=len(LATE)):
        instance = two_arms([row] * len(LATE), LATE, comparator=comparator, actions=actions)
        yield Run.of(instance, quick(budget=budget))


def two_arms(
    losses: Sequence[Row],
    delays: Sequence[int],
    *,
    comparator: Sequence[Fraction] = EVEN,
    actions: Sequence[int] | None = None,
) -> Instance:
    """An instance with delta = 1/2, whatever its losses and its comparator are."""
    return free_instance(
        losses=[list(row) for row in losses],
        delays=list(delays),
        comparator=list(comparator),
        delta=EVEN[0],
        actions=None if actions is None else list(actions),
    )


def free_games(row: Row) -> Iterator[AllPaths]:
    """All paths of up to three rounds with the same losses, without delay and with it."""
    for T, delay in itertools.product((1, 2, 3), (0, 2)):
        yield AllPaths(two_arms([row] * T, [delay] * T), quick(budget=Fraction(9, 8)))


def turning_games(row: Row) -> Iterator[AllPaths]:
    """All paths of two rounds without delay; the arms change places after the first."""
    turned = [list(row), list(reversed(row))]
    yield AllPaths(two_arms(turned, [0, 0]), quick(budget=Fraction(100)))


def free_banker_games(row: Row, *, tuned: bool) -> Iterator[BankerGame]:
    """Banker-OMD alone on up to three rounds with the same losses."""
    for T in (1, 2, 3):
        yield BankerGame(two_arms([row] * T, [0] * T), Fraction(1), tuned)


FREE_RUN = read_sort("run beyond the assumptions", free_run)
FREE_GAME = read_sort("game beyond the assumptions", free_game)
FREE_BANKER_GAME = read_sort("game of Banker-OMD beyond the assumptions", free_banker_game)


def restated(claim: Claim[Any], *then: Conclusion[Any], about: Sort[Any]) -> Claim[S]:
    """The claim about another kind of subject, without its hypotheses."""
    words = (claim.id, claim.kind, claim.statement)
    return Claim(*words, then=then, label=claim.label, about=about)


def unbounded(
    claim: Claim[Run], *, high: bool, low: bool, why: str = ""
) -> tuple[Ablation[Any], ...]:
    """The claim on runs without either bound on losses; the flags say which one is needed."""
    kept, scope = (
        dataclasses.replace(claim, about=FREE_RUN),
        "all action sequences of 5 rounds",
    )
    return losing(kept, every_run, scope, (3, 3), (0, -10), needed=(high, low), why=why)


def unbounded_games(
    claim: Claim[AllPaths], *, high: bool, low: bool, why: str = ""
) -> tuple[Ablation[Any], ...]:
    """The same for expectations."""
    kept, scope = (
        dataclasses.replace(claim, given=(), about=FREE_GAME),
        "all paths, T <= 3",
    )
    return losing(kept, free_games, scope, (10, 0), (0, -10), needed=(high, low), why=why)


def unbounded_turns(
    claim: Claim[AllPaths], then: Conclusion[AllPaths]
) -> tuple[Ablation[Any], ...]:
    """A conclusion of the claim in games whose arms change places, which need both bounds."""
    kept = dataclasses.replace(claim, given=(), then=(then,), about=FREE_GAME)
    return losing(kept, turning_games, "all paths, T = 2", (100, 0), (0, -100), needed=(True, True))


def unbounded_banker(claim: Claim[BankerGame], *, tuned: bool) -> tuple[Ablation[Any], ...]:
    """The same for Banker-OMD alone, which needs both bounds."""
    kept, scope = (
        dataclasses.replace(claim, about=FREE_BANKER_GAME),
        "all paths, T <= 3",
    )
    games = functools.partial(free_banker_games, tuned=tuned)
    return losing(kept, games, scope, (10, 0), (0, -10), needed=(True, True))


def losing(
    claim: Claim[S],
    family: Callable[[Row], Iterable[S]],
    scope: str,
    *rows: Row,
    needed: tuple[bool, bool],
    why: str = "",
) -> tuple[Ablation[Any], ...]:
    """The claim on losses above 1, and on losses below 0, in a family."""
    return tuple(
        without(
            claim,
            bound,
            cases=functools.partial(family, row),
            scope=f"{scope}, losses ({', '.join(map(str, row))})",
            needed=is_needed,
            why=why,
            given=claim.given,
        )
        for bound, row, is_needed in zip((HIGH, LOW), rows, needed, strict=True)
    )


def unsupported(claim: Claim[Run], *, needed: bool, why: str = "") -> Ablation[Any]:
    """The claim for a comparator with entries 99/100 and 1/100, or 1 and 0, and delta = 1/2."""
    return without(
        claim,
        MARGIN,
        cases=neglected_arms,
        scope="x^c = (99/100, 1/100) and (1, 0) with delta = 1/2, runs of 5 and 12 rounds",
        needed=needed,
        why=why,
        given=claim.given,
        about=FREE_RUN,
    )


def bold(claim: Claim[Run]) -> Ablation[Any]:
    """The claim with alpha = 20/21."""
    return without(
        claim,
        "alpha <= 1/2",
        cases=lambda: every_run((1, 0), budget=Fraction(21, 20)),
        scope="all action sequences of 5 rounds with alpha = 20/21",
        about=FREE_RUN,
    )


def signed(claim: Claim[Any]) -> Ablation[Any]:
    """The claim on phases whose delays may be negative."""
    return without(
        restated(claim, *claim.then, about=case_sort(SignedPhase)),
        "delays >= 0",
        cases=lambda: map(SignedPhase, itertools.product(range(-1, 2), repeat=2)),
        scope="two rounds, delays -1, 0 and 1",
    )


def uneven_start(claim: Claim[Any], psi: str) -> Ablation[Any]:
    """The diameter C1 from a point x_0 = (x, 1 - x) to the first vertex."""

    def distance_le_diameter(point: Point) -> Iterator[Pair]:
        [(_, x)], balls, A = point.values, BallArithmetic(), fmpq(2)
        C1, _ = regularizer(psi).constants(balls, A=A, delta=1 / A)
        start = [to_fmpq(x), to_fmpq(1 - x)]
        yield Pair(regularizer(psi).divergence(balls, [fmpq(1), fmpq(0)], start), C1)

    return without(
        restated(claim, distance_le_diameter, about=Sort.of(Point)),
        "x_0 is uniform",
        cases=lambda: [Point.of(x=Fraction(1, 4))],
        scope="x_0 = (1/4, 3/4)",
    )


def misled(claim: Claim[Any], *, rounds: int, exits: Sequence[int] = ()) -> Ablation[Any]:
    """The claim for a learner that is told T = 1."""

    def outline() -> Iterator[MisledOutline]:
        delays, restarts = Delays([0] * rounds), tuple(exits)
        yield MisledOutline(delays, restarts, 2, EVEN[0], preset("repaired"), told=1)

    return without(
        restated(claim, *claim.then, about=case_sort(MisledOutline)),
        "T is known",
        cases=outline,
        scope=f"{rounds:,} rounds of a learner that is told T = 1",
    )


def neglected_arms() -> Iterator[Run]:
    """Arm 1 is given up after one loss, played again while its feedback is late, then wanted."""
    T = 12
    for comparator in (UNEVEN, (Fraction(1), Fraction(0))):
        instance = two_arms(
            [(0, 1)] * 2 + [(1, 0)] * (T - 2),
            [0, T] + [0] * (T - 2),
            comparator=comparator,
            actions=[1, 1] + [0] * (T - 2),
        )
        yield Run.of(instance, quick())
        yield from every_run((1, 1), comparator=comparator)


RARE = Fraction(1, 10**6)
"""Aggression, and share of arm 1 in x^c, where that arm is to stay hidden."""


def hidden(claim: Claim[Any], then: Conclusion[Run]) -> Ablation[Any]:
    """The claim where x^c hides an arm, by what one path pays that is nearly certain."""
    return without(
        restated(claim, then, about=FREE_RUN),
        MARGIN,
        cases=lambda: [hidden_arm(rounds=52)],
        scope="52 rounds, x^c(1) = alpha = 10^-6 with delta = 1/2, the path without arm 1",
        given=(is_certain,),
    )


def hidden_arm(*, rounds: int) -> Run:
    """Arm 1 loses, and is played with probability 10^-6: on nearly every path, never."""
    instance = two_arms(
        [(0, 1)] * rounds, [0] * rounds, comparator=(1 - RARE, RARE), actions=[0] * rounds
    )
    return Run.of(instance, quick(budget=1 / RARE))


def likely_regret_le_paid(run: Run) -> Iterator[Pair]:
    """Arm 0 never loses, so no path has regret below 0 to it: one path bounds the expectation."""
    least = chance_of(run) * _regret_to_arm_0(run)
    yield Pair(least, _paid(run), where={"x": 0}, side=Side.AT_LEAST)


def likely_safety_le_account(run: Run) -> Iterator[Pair]:
    """A path pays alpha sum (x^_t(1) - x^c(1)) to x^c, so none less than -alpha T x^c(1)."""
    alpha, least = run.alpha(run.phases[0]), run.instance.rounds * to_fmpq(RARE)
    paid = alpha * (chance_of(run) * _regret_to_arm_0(run) - least)
    yield Pair(paid, alpha * _paid(run), where={"bound": "coarse"}, side=Side.AT_LEAST)


def _regret_to_arm_0(run: Run) -> Number:
    [phase] = run.phases
    return sum((run.base(t)[1] for t in phase.played), fmpq(0))


def _paid(run: Run) -> Number:
    """Q = C1 B + C2 sum 1/sigma_t of the only phase, by the margin that was claimed."""
    [phase] = run.phases
    psi, delta = regularizer(run.trace.reading.regularizer), to_fmpq(run.instance.delta)
    C1, C2 = psi.constants(BallArithmetic(), A=fmpq(run.instance.arms), delta=delta)
    steps = [run.step(t) for t in phase.played]
    borrowed = sum((step.borrowed for step in steps), fmpq(0))
    return C1 * borrowed + C2 * sum((1 / step.scale for step in steps), fmpq(0))
