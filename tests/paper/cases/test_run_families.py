"""Families of runs: complete where they say so, and in the regimes that they promise."""

from __future__ import annotations

import collections
from collections.abc import Iterator

import hypothesis
import pytest
from hypothesis import given

from pbverify.claims.claim import Kind, Pair
from pbverify.claims.profile import Profile
from pbverify.claims.routes import Asked
from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import (
    along_runs,
    bold_phase_cut_short,
    every_short_run,
    first_round,
    first_soft_restart,
    lopsided_instance,
    number_of_short_runs,
    quickened,
    restarting_and_generated,
    restarting_horizon,
    restarting_runs,
    runs,
)

EACH = pytest.mark.parametrize("name", sorted(PRESETS))


def test_every_short_run_is_there_once() -> None:
    """All delays and actions of at most T rounds appear, and their number is the closed form."""
    family = list(every_short_run(quickened(preset("appendix")), rounds=3, delay=1))
    keys = {(tuple(r.delays), r.instance.actions) for r in family}
    assert len(keys) == len(family) == number_of_short_runs(rounds=3, delay=1) == 84


@EACH
def test_restarting_runs_restart(name: str) -> None:
    """Under every preset the family has soft and hard restarts within one run, and alpha = 1."""
    seen: collections.Counter[str] = collections.Counter()
    for run in restarting_runs(preset(name)):
        endings = {phase.ended for phase in run.phases}
        seen["both"] += {"soft restart", "hard restart"} <= endings
        seen["full"] += any(alpha == 1 for alpha in run.trace["alpha"])
    assert seen["both"] >= 3
    assert seen["full"] >= 3


def test_first_soft_restart_is_found() -> None:
    """An undelayed lopsided run of 100 rounds restarts softly in round 94; one of 60 does not."""
    assert first_soft_restart(preset("appendix"), 100) == 94
    assert first_soft_restart(preset("appendix"), 60) is None


def test_the_restarting_horizon_is_the_first() -> None:
    """In steps of 50: the appendix's run restarts at T = 100, the repaired one not before."""
    assert restarting_horizon(preset("appendix")) == 100
    T = restarting_horizon(preset("repaired"))
    assert first_soft_restart(preset("repaired"), T) is not None
    assert first_soft_restart(preset("repaired"), T - 50) is None


def test_a_bold_phase_misses_feedback() -> None:
    """The phase has alpha in (9/10, 1) and ends by a hard restart with one item missing."""
    run = bold_phase_cut_short(preset("appendix"), 4600)
    assert run is not None
    [bold] = [p for p in run.phases if 0.9 < float(run.alpha(p)) < 1]
    assert bold.ended == "hard restart"
    missing = [u for u in bold.played if run.is_missing(u, at=bold.end - 1)]
    assert len(missing) == 1
    assert bold_phase_cut_short(preset("appendix"), 300) is None


@EACH
def test_generated_runs_are_runs_of_the_reading(name: str) -> None:
    """Generated runs keep every option of the reading but the budget and the slack."""

    @hypothesis.settings(max_examples=20)
    @given(runs(preset(name)))
    def look(run: Run) -> None:
        plain = run.trace.reading.with_options(budget=preset(name).budget, slack=preset(name).slack)
        assert plain == preset(name)
        assert run.trace.precision is not None

    look()


def test_the_first_wanted_round_is_found() -> None:
    """Searching ends at the round; without one there is none."""
    instance = lopsided_instance([0] * 100)
    found = first_round(instance, preset("appendix"), lambda t, row: row.soft_restart)
    assert found is not None
    assert found[0] == 94
    assert first_round(instance, preset("appendix"), lambda t, row: t > 100) is None


def lasts_a_round(run: Run) -> Iterator[Pair]:
    yield Pair(1, run.instance.rounds)


def test_both_families_are_judged() -> None:
    """Restarting runs and generated ones, each with a verdict under the name that is given."""
    claim = along_runs(
        "lasts", "every run lasts a round", lasts_a_round, label="none", must_meet={}
    )
    asked = Asked("main", Profile("few", examples=10, exhaustive_size=1))
    [visited], [generated] = (
        list(route.verdicts(claim, asked)) for route in restarting_and_generated(share=2)
    )
    assert (visited.cases, visited.scope) == (132, "restarting runs")
    assert 0 < generated.cases <= 5
    assert {verdict.reading for verdict in (visited, generated)} == {"main"}
    assert claim.kind is Kind.PATHWISE
