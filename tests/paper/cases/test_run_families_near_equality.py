"""Tight runs: arms fade, crowds are missing, and the readings' own slack is nearly used up."""

from __future__ import annotations

import pytest

from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.cases.run_families_near_equality import (
    CROWD,
    ROOM,
    crowded_exit,
    crowded_phase,
    faded_exits,
    faded_runs,
)
from pbverify.paper.proofs.phase_sums import estimates, gap, missing

REPAIRED = preset("repaired")


def item(run: Run, u: int) -> float:
    """The largest <l_u, x^c - x> over x."""
    return float(gap(run, estimates(run, [u])))


def exit_of(run: Run) -> PaperPhase:
    [phase] = (phase for phase in run.phases if phase.ended == "soft restart")
    return phase


def test_an_arm_fades_until_its_item_is_nearly_two() -> None:
    """In round 21 with alpha = 1/2, whether its feedback comes at once or late."""
    family = list(faded_runs(REPAIRED))
    assert [run.delays[20] for run in family] == [0, 1, 2]
    assert all(run.alpha(run.phases[0]) * 2 == 1 for run in family)
    assert all(1.999 < item(run, 21) < 2 for run in family)


def test_a_late_favourite_has_faded_before_the_exit() -> None:
    """Arm 1, with x^c(1) = 1/150, was played with a probability of nearly delta/2."""
    plain, late = faded_exits(REPAIRED)
    assert exit_of(plain).end == plain.instance.rounds
    [u] = missing(late, exit_of(late), at=exit_of(late).end)
    delta = float(late.instance.delta)
    assert late.action(u) == 1
    assert delta / 2 < late.law(u)[1] < delta / 2 * 1.001


def test_a_crowd_has_faded_but_for_its_first() -> None:
    """Its items are 1, and then nearly 2; all are missing in the last round but one."""
    run = crowded_phase(REPAIRED)
    phase = run.phases[-1]
    late = missing(run, phase, at=phase.end - 1)
    assert (len(late), phase.ended) == (CROWD, "horizon")
    assert item(run, late[0]) == pytest.approx(1)
    assert all(1.999 < item(run, u) <= 2 for u in late[1:])


@pytest.mark.parametrize(("name", "m"), [("appendix", 179), ("repaired", 180)])
def test_a_crowd_is_missing_at_an_exit(name: str, m: int) -> None:
    """One more missing round would exceed the delay estimate."""
    run = crowded_exit(preset(name))
    phase = exit_of(run)
    assert phase.end == run.instance.rounds
    assert run.stage_of(phase).estimate == ROOM
    assert len(missing(run, phase, at=phase.end)) == m
    more = 3 if name == "appendix" else 1
    assert m * (m + more) // 2 <= ROOM < (m + 1) * (m + 1 + more) // 2
