"""Adversarial families: each reaches what its name promises."""

from __future__ import annotations

import pytest

from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided
from pbverify.paper.cases.run_families_adversarial import (
    NEVER,
    adversarial_delays,
    adversarial_runs,
    bold_exit,
    bold_phases,
    late_favourites,
    long_runs,
    raising_delays,
    short_bold_run,
    swinging_run,
    threshold_met,
    waiting_runs,
)
from pbverify.paper.proofs.phase_sums import gaps, missing

EACH = pytest.mark.parametrize("name", sorted(PRESETS))


def exits_while_missing(run: Run) -> int:
    """The most rounds that are missing when a phase ends softly."""
    soft = [phase for phase in run.phases if phase.ended == "soft restart"]
    return max((len(missing(run, phase, at=phase.end)) for phase in soft), default=0)


@EACH
def test_adversarial_runs_have_restarts_and_narrow_margins(name: str) -> None:
    """Soft and hard restarts, hidden rounds and a margin of 1/10,000 all occur."""
    family = list(adversarial_runs(preset(name)))
    endings = {phase.ended for run in family for phase in run.phases}
    assert endings == {"soft restart", "hard restart", "horizon"}
    assert min(run.instance.delta for run in family) * 10_000 == 1
    assert any(NEVER in run.delays[1:] for run in family)


def test_bursts_arrive_together() -> None:
    """Six rounds in a row arrive in one round."""
    delays = adversarial_delays(12)["bursts"]
    assert {t + d for t, d in enumerate(delays[:6])} == {5}


@EACH
def test_waiting_runs_exit_while_rounds_are_missing(name: str) -> None:
    """With the reading's own slack a phase ends softly while several rounds are missing."""
    family = list(waiting_runs(preset(name)))
    assert all(run.trace.reading.slack == preset(name).slack for run in family)
    assert max(map(exits_while_missing, family)) >= 4


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_a_gap_meets_its_threshold_exactly(name: str) -> None:
    """In exact rationals, one round before the end of a phase that goes on to the horizon."""
    [run] = threshold_met(preset(name))
    phase = run.phases[-1]
    met, value = next(gaps(run, phase))
    assert (phase.ended, met) == ("horizon", phase.end - 1)
    assert value == run.stage_of(phase).threshold == 4


@pytest.mark.parametrize(("name", "rounds"), [("appendix", 1), ("repaired", 57)])
def test_delays_raise_the_estimate(name: str, rounds: int) -> None:
    """To a power of two, in the last of them and not before."""
    delays = raising_delays(preset(name), 256)
    estimates = lopsided(preset(name), delays).trace["delay_estimate"]
    assert len(delays) == rounds
    assert estimates[-1] == 256
    assert all(estimate < 256 for estimate in estimates[:-1])


@pytest.mark.parametrize("name", ["appendix", "main"])
def test_bold_phases_miss_feedback(name: str) -> None:
    """In some run a phase with 9/10 < alpha < 1 misses a round one round before its end."""
    family = bold_phases(preset(name), is_long=False)
    bold = [(r, p) for r in family for p in r.phases if 0.9 < float(r.alpha(p)) < 1]
    assert any(missing(run, phase, at=phase.end - 1) for run, phase in bold)


def test_late_favourites_miss_a_round_of_the_best_arm() -> None:
    """At the exit one late round is missing."""
    assert [exits_while_missing(run) for run in late_favourites(preset("appendix"))] == [1, 1]


def test_a_swinging_learner_exits_in_time() -> None:
    """Under the main text's budget the first phase ends softly before the horizon."""
    run = swinging_run(preset("main"), rounds=2000, swing=40, quiet=1000)
    assert run.phases[0].ended == "soft restart"


def test_a_bold_phase_ends_softly() -> None:
    """Its alpha lies between 1/2 and 1."""
    run = bold_exit(preset("appendix"), rounds=4900)
    bold = [float(run.alpha(p)) for p in run.phases if p.ended == "soft restart"]
    assert 0.5 < max(bold) < 1


@EACH
def test_long_runs_change_stages(name: str) -> None:
    """Some of them have many stages; all have the rounds that were asked for."""
    family = list(long_runs(preset(name), rounds=5000))
    assert {run.instance.rounds for run in family} == {5000}
    assert max(len(run.stage_changes) for run in family) >= 10


def test_a_short_bold_run_misses_feedback_at_its_end() -> None:
    """Its phase has alpha = 20/21 and lasts to the horizon, with one round missing before it."""
    [phase] = (run := short_bold_run(preset("main"))).phases
    assert run.alpha(phase) * 21 == 20
    assert missing(run, phase, at=phase.end - 1) == [4]
