"""Runs whose delays are chosen against the algorithm, and runs of long horizons.

A huge first delay; delays that hide exactly the rounds in which the learner's favourite loses;
bursts whose feedback arrives together in the round of a restart; comparators with a margin down to
1/10,000. Constant budgets make phases end within these short runs, so that one run has several.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from pbverify.bandits.instance import Instance
from pbverify.bandits.loss_patterns import alternating
from pbverify.errors import ImprobableActionError
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import (
    EVEN,
    SHORT_BUDGET,
    SKEWED,
    bold_phase_cut_short,
    drawn_run,
    first_round,
    lopsided,
    lopsided_instance,
    quickened,
)
from pbverify.paper.kernels import run_compiled

NEVER = 10**9
"""A delay beyond every horizon."""

NARROW = (Fraction(9_999, 10_000), Fraction(1, 10_000))
"""A comparator with margin 1/10,000."""

BUDGETS = (SHORT_BUDGET, Fraction(5, 2))


def adversarial_delays(rounds: int) -> dict[str, list[int]]:
    """Delays by name; a hidden round is one whose feedback never arrives."""
    return {
        "huge first delay": [NEVER] + [0] * (rounds - 1),
        "hidden": [NEVER if t % 3 == 2 else 0 for t in range(rounds)],
        "bursts": [5 - t % 6 for t in range(rounds)],
        "late burst": [0] * (rounds // 2) + [rounds - t for t in range(rounds // 2, rounds)],
    }


def adversarial_runs(reading: Reading, *, rounds: int = 30) -> Iterator[Run]:
    """Every pattern with every comparator, on losses that turn against hidden rounds.

    Budgets are constant; the slack is 0 or the reading's own.
    """
    slacks = (Fraction(0), reading.slack)
    menu = itertools.product(adversarial_delays(rounds).values(), (EVEN, SKEWED, NARROW), BUDGETS)
    for delays, comparator, budget in menu:
        for slack in slacks if comparator is not NARROW else slacks[:1]:
            quick = reading.with_options(budget=budget, slack=slack)
            yield drawn_run(_turning(delays, comparator), quick)


def _turning(delays: Sequence[int], comparator: Sequence[Fraction]) -> Instance:
    """Arm 0 loses where feedback will arrive, arm 1 where it never does."""
    losses = [[0, 1] if d == NEVER else [1, 0] for d in delays]
    return Instance.build(
        losses=losses, delays=list(delays), comparator=list(comparator), seed=len(delays)
    )


def waiting_runs(reading: Reading) -> Iterator[Run]:
    """Lopsided runs with the reading's own slack; a phase ends softly while rounds are missing.

    A prefix of delays makes room for `late` late rounds, which come just before the exit.
    """
    quick = reading.with_options(budget=SHORT_BUDGET)
    for prefix, comparator in itertools.product(([8], [40], [12] * 12), (EVEN, SKEWED)):
        exit = _exit_after(prefix, comparator, quick)
        for late in range(1, 9):
            quiet = [0] * (exit - 1 - len(prefix))
            delays = [*prefix, *quiet, *range(late + 3, 3, -1), 0, 0, 0]
            yield lopsided(quick, delays, comparator=comparator)


def _exit_after(prefix: Sequence[int], comparator: Sequence[Fraction], reading: Reading) -> int:
    """The first soft restart after the prefix, if no further delay follows it."""
    instance = lopsided_instance([*prefix, *[0] * 400], comparator=comparator)
    found = first_round(instance, reading, lambda t, row: t > len(prefix) and row.soft_restart)
    assert found is not None
    return found[0]


def threshold_met(reading: Reading) -> Iterator[Run]:
    """A run whose gap is exactly 2 R^ + xi^ = 4 in its last round but one, and does not exceed it.

    Earlier rounds raise D^ (not where only arrivals count: then there is no such run). Four rounds
    return together, so that all were played by the even law x_0 = x^c, and each adds exactly 1 to
    the gap; the last round loses nothing.
    """
    quick = quickened(reading, budget=Fraction(2))
    if reading.delay_sum != "arrived":
        room = raising_delays(quick, 8)
        yield lopsided(quick, [*room, 3, 2, 1, 0, 0], actions=[0] * (len(room) + 4) + [1])


def raising_delays(reading: Reading, estimate: int) -> list[int]:
    """Delays of first rounds that raise D^ to a power of two: one long delay where it is foreseen,
    rounds that never return where age counts. Where only arrivals count, there are none such."""
    if reading.delay_sum == "clairvoyant":
        return [estimate]
    hidden = [NEVER] * (8 * math.isqrt(estimate) + 16)
    found = first_round(
        lopsided_instance(hidden), reading, lambda t, row: row.delay_estimate >= estimate
    )
    assert found is not None
    return hidden[: found[0]]


def late_favourites(reading: Reading) -> Iterator[Run]:
    """Runs whose best response at the exit was played, at a loss, when it was most improbable.

    Arm 1 loses for some rounds, the last of which is late, then arm 0 does. With alpha = 20/21
    the late round's estimate is large, and at the exit arm 1 is best on what has arrived.
    """
    quick = reading.with_options(budget=Fraction(21, 20), slack=Fraction(20))
    for losing in (5, 6):
        delays = [64] + [0] * (losing - 2) + [64] + [0] * 60
        instance = Instance.build(
            losses=[[0, 1]] * losing + [[1, 0]] * 60,
            delays=delays,
            comparator=list(SKEWED),
            actions=[1] * losing + [0] * 60,
        )
        with contextlib.suppress(ImprobableActionError):  # a reading may restart too early
            yield until_exit(instance, quick, after=losing)


def until_exit(instance: Instance, reading: Reading, *, after: int) -> Run:
    """The run up to its first soft restart after a round."""
    found = first_round(instance, reading, lambda t, row: t > after and row.soft_restart)
    assert found is not None
    T, document = found[0], instance.to_json()
    cut = {name: document[name][:T] for name in ("losses", "delays", "actions")}  # type: ignore[index]
    return Run.of(Instance.from_json({**document, **cut}), reading)


def long_runs(reading: Reading, *, rounds: int) -> Iterator[Run]:
    """Compiled runs: their integers are exact; their real columns are doubles, for no comparison.

    Restart rounds were decided in doubles, which an integer claim about every run need not mind.
    """
    for name, delays in adversarial_delays(rounds).items():
        growing = delays if name != "bursts" else np.geomspace(1, rounds, rounds).astype(int)
        instance = Instance.build(
            losses=alternating(rounds, 2, period=100),
            delays=list(map(int, growing)),
            comparator=list(EVEN),
            seed=1,
        )
        yield Run(run_compiled(instance, reading, iterates=False))


def bold_phases(reading: Reading, *, is_long: bool) -> Iterator[Run]:
    """Runs with 1/2 < alpha < 1 and feedback missing, at horizons with R^ just above a power of 2.

    The main text's budget takes a long run for that; the short one has a constant budget.
    """
    if reading.budget == "main":
        yield (long_bold_run if is_long else short_bold_run)(reading)
    else:
        found = (bold_phase_cut_short(reading, T) for T in (4569, 4600))
        yield from (run for run in found if run is not None)


def bold_exit(reading: Reading, *, rounds: int) -> Run:
    """An undelayed lopsided run whose phase with alpha in (1/2, 1) ends softly."""
    found = first_round(
        lopsided_instance([0] * rounds),
        reading,
        lambda t, row: row.soft_restart and row.alpha > 0.5,
    )
    assert found is not None
    end = found[0]
    return lopsided(reading, [0] * rounds, actions=[0] * end + [1] * (rounds - end))


def short_bold_run(reading: Reading) -> Run:
    """A lopsided run of six rounds with alpha = 20/21; round 4 is still missing before the end."""
    quick = reading.with_options(budget=Fraction(21, 20), slack=Fraction(20))
    return lopsided(quick, [0, 0, 0, 2, 0, 0])


@functools.lru_cache(maxsize=1)
def long_bold_run(reading: Reading) -> Run:
    """A lopsided run of 64,000 rounds whose phase with 1/2 < alpha < 1 ends softly.

    It is for the main text's budget, which needs 60,000 rounds to come to such a phase, too many
    for a check that is run often. It exits in round 63,625, after the feedback of round 63,623 came
    two rounds late. Then the good arm is played: with alpha = 1 the bad one is too improbable.
    """
    rounds, end = 64_000, 63_625
    delays = [0] * rounds
    delays[end - 3] = 2
    return lopsided(reading, delays, actions=[0] * end + [1] * (rounds - end))


def swinging_run(reading: Reading, *, rounds: int, swing: int, quiet: int) -> Run:
    """Three arms of which the first is bad; the learner swings to arm 1, and late back to both.

    Along it the learner beats every fixed arm, so its own gap exceeds that of the best response.
    """
    actions = [2] * swing + [0] * quiet + [1] * swing
    actions += [0] * (rounds - len(actions))
    instance = Instance.build(
        losses=[[int(arm == action) for arm in range(3)] for action in actions],
        delays=[0] * rounds,
        comparator=[Fraction(1, 3)] * 3,
        actions=actions,
    )
    return Run.of(instance, reading)
