r"""Negative regret in an extinction phase (lem:extinction).

Given that phase k of a stage ends by a soft restart, printed as

    E[sum_t <l^_t, x_t - x^c>] <= -2^(k-1).

Kind: expectation. Uses: banker-regret, missing-feedback. Readings: all, with their own budgets. The
appendix's and the repaired one are sampled on an instance whose horizon was chosen, on other seeds,
so that its first phase practically always ends softly (`confidence`, fresh seeds). Then the true
losses, which are what is added up, have the mean of the estimates; `HOLDS` speaks of that instance.

Erratum: with the appendix's update (the mirror step starts at the played mixture) the learner
hardly moves while alpha is small, and the phase earns far less than 2^(k-1). In the proof, the
optimiser x* is random and the end of the phase is a stopping time, while the Banker lemma bounds a
fixed comparator. What survives is in `lemma_extinction_repair.py`.

Two more ways in which the printed lemma fails. For the main text's algorithm it is false because
feedback that never arrives is never noticed: an adversary hides the rounds in which the learner
does badly, and on every path the phase earns less than 2^(k-1) (`pbverify.certificates`; the
instance was found by hand). Read with true instead of estimated losses (`true-losses`), which is
what a pseudo-regret needs, it is false for every reading: if the arms lose the same, no phase earns
anything, and still each ends softly with positive probability.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from pbverify.adversarial_runs import NEVER
from pbverify.algorithms.readings import Reading, preset
from pbverify.certificates import evidence_of, least_safety_regret, losses, true_safety_regret
from pbverify.check import sampled, visit
from pbverify.claims import Claim, Kind, Pair, Standing
from pbverify.inference import mean_interval
from pbverify.instance import Instance
from pbverify.kernels import run_compiled
from pbverify.pytest_plugin import Judge
from pbverify.run_families import EVEN, lopsided_instance, restarting_horizon
from pbverify.runs import PaperPhase, Run
from pbverify.samples import FRESH_SEED, PhaseSums, Sample
from pbverify.trace import Phase

DRAWS = 20
"""Runs that are drawn to see whether a phase ends softly as a rule."""

HORIZONS = {"appendix": 600, "repaired": 1200}
"""Horizons at which the first phase of an undelayed lopsided run practically always ends softly."""


def ends_softly(phase: PhaseSums | PaperPhase | Phase) -> bool:
    return phase.stage == 1 and phase.number == 1 and phase.ended == "soft restart"


def phase_earns_its_aggression(subject: Run | Sample) -> Iterator[Pair]:
    """A run bounds what phase 1 earns on every path; a sample estimates it.

    The sum of a phase lies within alpha T of 0, because x_t - x^c = alpha (x^_t - x^c).
    """
    where: dict[str, int | str] = {"stage": 1, "phase": 1}
    if isinstance(subject, Run):
        for run_phase in filter(ends_softly, subject.phases):
            least = least_safety_regret(subject, run_phase)
            yield Pair(least, -1, where=where, lhs_is=Standing.BELOW)
    else:
        phases = list(subject.phases(ends_softly))
        reach = phases[0].alpha * subject.instance.rounds if phases else 1.0
        earned = np.array([phase.played_to_comparator for phase in phases])
        yield Pair(mean_interval(earned, low=-reach, high=reach), -1, where=where)


def exit_is_the_rule(subject: Run | Sample) -> bool:
    """Whether phase 1 ends softly in every run drawn.

    The printed sum has estimates. Where practically all paths exit, its mean is that of the true
    losses; given an exit that is rarer it is not.
    """
    if isinstance(subject, Sample):
        return all(any(map(ends_softly, run.phases)) for run in subject.runs)
    free, reading = dataclasses.replace(subject.instance, actions=None), subject.trace.reading
    seeded = (dataclasses.replace(free, seed=FRESH_SEED + draw) for draw in range(DRAWS))
    traces = (run_compiled(instance, reading, iterates=False) for instance in seeded)
    return all(any(map(ends_softly, trace.phases)) for trace in traces)


STATEMENT = Claim(
    "extinction-phase",
    kind=Kind.EXPECTATION,
    statement="E[sum <l^_t, x_t - x^c> over phase k | soft restart] <= -2^(k-1)",
    given=(exit_is_the_rule,),
    then=(phase_earns_its_aggression,),
    label="lem:extinction",
    rebuild=evidence_of,
)


def arms_lose_the_same(run: Run) -> bool:
    """Then sum <l_t, x_t - x^c> is the same on every path: it is 0."""
    return all(len(set(losses(run, t))) == 1 for t in range(1, run.instance.rounds + 1))


def true_sum_le_minus_aggression(run: Run) -> Iterator[Pair]:
    for phase in filter(ends_softly, run.phases):
        yield Pair(true_safety_regret(run, phase), -1, where={"stage": 1, "phase": 1})


TRUE_LOSSES = Claim(
    "extinction-phase/true-losses",
    kind=Kind.EXPECTATION,
    statement="E[sum <l_t, x_t - x^c> over phase k | soft restart] <= -2^(k-1), true losses l_t",
    given=(arms_lose_the_same,),
    then=(true_sum_le_minus_aggression,),
    label="lem:extinction",
    rebuild=Run.rebuild,
)


CLAIMS = (STATEMENT, TRUE_LOSSES)

# Known false: no phase earns four times its aggression.
TOO_STRONG = STATEMENT.sharpened(phase_earns_its_aggression, by=3)


def test_statement(reading: str, judge: Judge) -> None:
    """The printed lemma, on the chosen instance with fresh seeds, or on every path."""
    if reading == "main":
        judge(visit(STATEMENT, [hiding_run()], scope="", reading=reading))
    else:
        judge(sampled(STATEMENT, sample_for(reading), reading=reading))


def hiding_run() -> Run:
    """Rounds in which x_0 does badly are hidden; then arm 1 is good, and phase 1 ends softly."""
    hidden, shown = 15_800, 8_200
    instance = Instance.build(
        losses=[[0, 1]] * hidden + [[1, 0]] * shown,
        delays=[NEVER] * hidden + [0] * shown,
        comparator=[Fraction(4, 5), Fraction(1, 5)],
        actions=[0] * (hidden + shown),
    )
    return Run.of(instance, preset("main"))


def test_true_losses(reading: str, judge: Judge) -> None:
    """Arms that lose the same, and actions that make one of them look bad."""
    judge(visit(TRUE_LOSSES, equal_arms(preset(reading)), scope="", reading=reading))


def equal_arms(reading: Reading) -> Iterator[Run]:
    T = restarting_horizon(reading)
    instance = Instance.build(
        losses=[[1, 1]] * T, delays=[0] * T, comparator=list(EVEN), actions=[0] * T
    )
    yield Run.of(instance, reading)


def sample_for(reading: str) -> Sample:
    return Sample(lopsided_instance([0] * HORIZONS[reading], seed=FRESH_SEED), preset(reading))


def test_a_stronger_version_is_refuted(judge: Judge) -> None:
    """The lemma strengthened falls also where it survives."""
    judge.teeth(sampled(TOO_STRONG, sample_for("repaired"), reading="repaired"))
