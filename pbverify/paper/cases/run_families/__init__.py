"""Families of runs on which pathwise claims are judged.

Pathwise claims speak about every action sequence of positive probability, so runs are given their
actions. A constant budget makes phases end within a few rounds. `lopsided` runs always play the bad
one of two arms, which drives the gap fastest and so reaches soft restarts under the paper's own
budgets at the smallest horizons.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

import hypothesis
import numpy as np
from hypothesis import strategies as st

from pbverify.bandits.instance import Instance
from pbverify.bandits.strategies import instances, loss_rows
from pbverify.claims.routes import Route, chosen, generated, shared
from pbverify.errors import ImprobableActionError
from pbverify.numerics import FloatArithmetic
from pbverify.paper.algorithm import engine
from pbverify.paper.algorithm.prudent_banker import Round
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.run import Run
from pbverify.paper.kernels import run_compiled

EVEN = (Fraction(1, 2), Fraction(1, 2))
SKEWED = (Fraction(3, 4), Fraction(1, 4))
SHORT_BUDGET = Fraction(5, 4)
"""R^ for which a phase ends softly after two or three rounds."""


def quickened(reading: Reading, *, budget: Fraction = SHORT_BUDGET) -> Reading:
    """The reading with a constant budget and no slack."""
    return reading.with_options(budget=budget, slack=Fraction(0))


def by_reading(family: Callable[[Reading], Iterable[Run]]) -> Callable[..., Iterable[Run]]:
    """The family under a reading that is given by its name; its runs are computed once."""

    def of_preset(reading: str) -> Iterable[Run]:
        return family(preset(reading))

    return shared(of_preset)


def every_short_run(reading: Reading, *, rounds: int, delay: int) -> Iterator[Run]:
    """All delays up to `delay` and all actions, on two arms of which the first is bad."""
    for T in range(1, rounds + 1):
        for delays in itertools.product(range(delay + 1), repeat=T):
            for actions in itertools.product(range(2), repeat=T):
                yield lopsided(reading, delays, actions=actions, comparator=SKEWED)


def number_of_short_runs(*, rounds: int, delay: int) -> int:
    """How many runs `every_short_run` yields."""
    base = 2 * (delay + 1)
    total: int = (base ** (rounds + 1) - base) // (base - 1)
    return total


def lopsided(
    reading: Reading,
    delays: Sequence[int],
    *,
    actions: Sequence[int] | None = None,
    comparator: Sequence[Fraction] = EVEN,
) -> Run:
    """Arm 0 always loses 1 and arm 1 nothing; by default arm 0 is played throughout."""
    return Run.of(lopsided_instance(delays, actions=actions, comparator=comparator), reading)


def lopsided_instance(
    delays: Sequence[int],
    *,
    actions: Sequence[int] | None = None,
    comparator: Sequence[Fraction] = EVEN,
    seed: int | None = None,
) -> Instance:
    """The instance of a lopsided run; a seed instead of actions leaves them to be drawn."""
    T = len(delays)
    bad = [0] * T if seed is None else None
    return Instance.build(
        losses=[[1, 0]] * T,
        delays=list(delays),
        comparator=list(comparator),
        actions=list(actions) if actions is not None else bad,
        seed=seed,
    )


def three_armed_run(reading: Reading) -> Run:
    """Sixteen rounds: three arms lose from 0 to 1, and every fourth feedback is late by 3."""
    T, comparator = range(16), [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    instance = Instance.build(
        losses=[[Fraction((2 * t + 3 * a) % 5, 4) for a in range(3)] for t in T],
        delays=[3 * (t % 4 == 3) for t in T],
        comparator=comparator,
        actions=[t * t % 3 for t in T],
    )
    return Run.of(instance, reading)


def faint_run(reading: Reading) -> Run:
    """One round that loses 1/100: the sides differ by sigma D(z, z~), of second order in the loss.

    By the three-point identity and the theorem of Pythagoras, lhs = rhs - sigma D(z, z~) in a first
    round; lhs is l x^_a/x_a, and the rest about half the square of that over sigma.
    """
    loss = [[Fraction(1, 100), 0]]
    instance = Instance.build(losses=loss, delays=[0], comparator=SKEWED, actions=[0])
    return Run.of(instance, reading)


def first_soft_restart(reading: Reading, T: int) -> int | None:
    """The round in which an undelayed lopsided run first restarts softly, found in doubles."""
    instance = lopsided_instance([0] * T)
    found = np.flatnonzero(run_compiled(instance, reading, iterates=False)["soft_restart"])
    return int(found[0]) + 1 if len(found) else None


def restarting_horizon(reading: Reading) -> int:
    """The first horizon, in steps of 50, at which an undelayed lopsided run restarts softly."""
    return next(T for T in range(100, 2000, 50) if first_soft_restart(reading, T) is not None)


def bold_phase_cut_short(reading: Reading, T: int) -> Run | None:
    """A lopsided run in which a phase with alpha in (9/10, 1) ends while feedback is missing.

    The first round's delay of 2 makes room for later ones (D^ = 2). Six rounds into the bold phase
    a feedback is delayed by 2, and two rounds later a delay of 1 restarts hard. From then on the
    good arm is played. None if the horizon has no such phase.
    """
    first = _first_bold_round(reading, [2] + [0] * (T - 1))
    if first is None or first + 8 > T:
        return None
    delays, late = [2] + [0] * (T - 1), first + 4
    delays[late], delays[late + 2] = 2, 1
    return lopsided(reading, delays, actions=[0] * (late + 2) + [1] * (T - late - 2))


def _first_bold_round(reading: Reading, delays: Sequence[int]) -> int | None:
    """The first round with alpha in (9/10, 1) of a lopsided run, found in doubles."""
    found = first_round(lopsided_instance(delays), reading, lambda t, row: row.alpha > 0.9)
    return found[0] if found is not None and found[1].alpha < 1 else None


def first_round(
    instance: Instance, reading: Reading, wanted: Callable[[int, Round], bool]
) -> tuple[int, Round] | None:
    """The first wanted round of a run with given actions, in doubles; no later one is played."""
    assert instance.actions is not None
    rounds = enumerate(engine.rounds(FloatArithmetic(), instance, reading), start=1)
    return next(((t, row) for t, row in rounds if wanted(t, row)), None)


def restarting_runs(reading: Reading, *, rounds: int = 36, step: int = 1) -> Iterator[Run]:
    """Runs of a quickened reading in which soft restarts, delays and hard restarts alternate.

    Actions are drawn from the played law: with alpha = 1 a given arm's probability may vanish.
    With a `step` only the first run of every so many is computed.
    """
    for instance, quick in itertools.islice(_restarting_games(reading, rounds), 0, None, step):
        yield drawn_run(instance, quick)


def _restarting_games(reading: Reading, rounds: int) -> Iterator[tuple[Instance, Reading]]:
    for budget, comparator in itertools.product((SHORT_BUDGET, Fraction(5, 2)), (SKEWED, EVEN)):
        quick = quickened(reading, budget=budget)
        for every, delay in itertools.product(range(3, 14), (2, 3, 7)):
            late = [delay if t % every == every - 1 else 0 for t in range(rounds)]
            yield lopsided_instance(late, comparator=comparator, seed=every), quick


def drawn_run(instance: Instance, reading: Reading) -> Run:
    """The run with actions drawn in doubles and then fixed."""
    drawn = run_compiled(instance, reading, iterates=False)
    return Run.of(instance.with_actions(drawn["action"]), reading)


BUDGETS = st.sampled_from([Fraction(1), SHORT_BUDGET, Fraction(5, 2), Fraction(4)])


@st.composite
def runs(draw: st.DrawFn, reading: Reading, *, rounds: int = 12) -> Run:
    """Short runs of a reading with a constant budget: any losses, delays and actions."""
    instance = draw(instances(max_rounds=rounds))
    try:
        return Run.of(instance, quickened(reading, budget=draw(BUDGETS)))
    except ImprobableActionError:
        return hypothesis.reject()


def generated_runs(reading: str) -> st.SearchStrategy[Run]:
    """Short runs of a reading that is given by its name."""
    return runs(preset(reading))


kept_short_runs, kept_restarting_runs = shared(every_short_run), shared(restarting_runs)
"""The same families, whose runs are computed once for all families that are made of them."""

_RESTARTING_RUNS = by_reading(kept_restarting_runs)


def restarting_and_generated(*, share: int) -> tuple[Route, Route]:
    """The routes over `restarting_runs` and over generated `runs` of a reading."""
    return (
        chosen(_RESTARTING_RUNS, scope="restarting runs"),
        generated(lambda reading: runs(preset(reading)), share=share),
    )


@st.composite
def small_games(draw: st.DrawFn, reading: Reading, *, rounds: int = 6) -> AllPaths:
    """All paths of a tiny game with a constant budget; delays may hide rounds at the exit.

    With the arrived delay sum of a whole stage, short games are not cut by hard restarts.
    """
    T = draw(st.integers(2, rounds))
    budget = draw(st.sampled_from([Fraction(1), Fraction(9, 8), Fraction(13, 8)]))
    options: dict[str, object] = {"budget": budget, "slack": Fraction(0)}
    if draw(st.booleans()):
        options |= {"delay_sum": "arrived", "delay_scope": "stage", "estimate": "twice"}
    instance = Instance.build(
        losses=draw(st.one_of(st.just([[1, 0]] * T), loss_rows(T, 2))),
        delays=draw(st.lists(st.integers(0, 3), min_size=T, max_size=T)),
        comparator=list(draw(st.sampled_from([EVEN, SKEWED]))),
        seed=0,
    )
    return AllPaths(instance, reading.with_options(**options, rounding="none"))
