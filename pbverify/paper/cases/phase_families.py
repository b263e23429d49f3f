"""Families of runs on which the steps of the two phase lemmas are judged.

Each takes the name of a reading, and its runs are computed once for all steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction

from pbverify.claims.judging import Profile
from pbverify.claims.routes import shared
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import (
    SHORT_BUDGET,
    SKEWED,
    by_reading,
    kept_restarting_runs,
    kept_short_runs,
    lopsided,
    restarting_horizon,
    restarting_runs,
    three_armed_run,
)
from pbverify.paper.cases.run_families.adversarial import (
    NEVER,
    adversarial_runs,
    bold_exit,
    bold_phases,
    late_favourites,
    long_bold_run,
    swinging_run,
    threshold_met,
    waiting_runs,
)
from pbverify.paper.cases.run_families.near_equality import (
    crowded_exit,
    crowded_phase,
    faded_exits,
    faded_runs,
)

adversarial = by_reading(adversarial_runs)
waiting = by_reading(waiting_runs)
late_favourite = by_reading(late_favourites)
at_threshold = by_reading(threshold_met)
faded = by_reading(faded_runs)


@by_reading
def restarting(reading: Reading) -> Iterator[Run]:
    """Every third of the restarting runs."""
    return itertools.islice(kept_restarting_runs(reading), 0, None, 3)


@by_reading
def late_restarting(reading: Reading) -> Iterator[Run]:
    """Restarting runs, and longer ones whose delay sum leaves room for several missing items."""
    patient = reading.with_options(estimate="twice")
    return itertools.chain(kept_restarting_runs(reading), kept_restarting_runs(patient, rounds=60))


@by_reading
def assorted(reading: Reading) -> Iterator[Run]:
    """Short runs of each kind, in which the theorems about phases are read.

    Own budgets, restarts of both kinds, hidden rounds, soft exits while rounds are missing, and
    three arms with losses other than 0 and 1.
    """
    yield from itertools.islice(kept_short_runs(reading, rounds=3, delay=2), 0, None, 37)
    yield lopsided(reading, [3] + [0] * 7, comparator=SKEWED)
    yield from restarting_runs(reading, rounds=16, step=17)
    yield from itertools.islice(adversarial_runs(reading, rounds=14), 0, None, 7)
    yield from itertools.islice(waiting_runs(reading), 2)
    for slack in (Fraction(0), Fraction(1)):
        yield three_armed_run(reading.with_options(budget=SHORT_BUDGET, slack=slack))


@by_reading
def crowd(reading: Reading) -> Iterator[Run]:
    """A phase that misses many items of a faded arm."""
    yield crowded_phase(reading)


@by_reading
def own_budget(reading: Reading) -> Iterator[Run]:
    """Own budgets: tiny runs, a first delay, and the first horizon that restarts softly."""
    yield from kept_short_runs(reading, rounds=3, delay=2)
    yield lopsided(reading, [3] + [0] * 7)
    yield lopsided(reading, [3] + [0] * 7, comparator=SKEWED)
    yield lopsided(reading, [0] * restarting_horizon(reading))


@by_reading
def own_budget_exits(reading: Reading) -> Iterator[Run]:
    """Own budgets: undelayed, with ten hidden rounds, and with a learner that swings."""
    T = restarting_horizon(reading)
    yield lopsided(reading, [0] * T)
    yield lopsided(reading, [NEVER] * 10 + [0] * T)
    yield swinging_run(reading, rounds=2000, swing=40, quiet=1000)


@shared
def bold(reading: str, profile: Profile) -> Iterator[Run]:
    """Phases with 1/2 < alpha < 1; the main text's own budget needs a long run for one."""
    return bold_phases(preset(reading), is_long=profile.name == "thorough")


@shared
def bold_exits(reading: str, profile: Profile) -> Iterator[Run]:
    """Own budgets, in horizons with a phase of 1/2 < alpha < 1 that ends softly.

    The main text's budget needs 64,000 rounds for it.
    """
    if reading == "main" and profile.name == "thorough":
        yield long_bold_run(preset(reading))
    if reading == "appendix":
        yield bold_exit(preset(reading), rounds=4900)


@shared
def faded_exit(reading: str) -> Iterable[Run]:
    """Soft exits after an arm has faded, for the repaired reading."""
    return faded_exits(preset(reading)) if reading == "repaired" else ()


@shared
def crowded(reading: str) -> Iterator[Run]:
    """Not where only arrivals count, for which no slack covers what is missing."""
    if preset(reading).delay_sum != "arrived":
        yield crowded_exit(preset(reading))
