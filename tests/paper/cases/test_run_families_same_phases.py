"""Certain runs: no path of them restarts, and each is as near to a bound as its name promises."""

from __future__ import annotations

import pytest

from pbverify.numerics import Truth, less
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided
from pbverify.paper.cases.run_families_same_phases import (
    brink_run,
    flattered_run,
    hidden_run,
    late_stage,
    unseen_run,
)
from pbverify.paper.proofs.bounds_on_every_path import is_certain, is_decisive, least_regret


def own(run: Run) -> tuple[Truth, Truth]:
    """Whether the least regret to arm 1 exceeds 99% of the threshold, and all of it."""
    [phase] = run.phases
    paid, threshold = least_regret(run, phase, 1), run.stage_of(phase).threshold
    return less(99 * threshold, 100 * paid), less(threshold, paid)


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_late_stages_end_without_delay(name: str) -> None:
    """The last phase has no delay, although its stage's estimate is large."""
    run = lopsided(preset(name), late_stage(name))
    *_, phase = run.phases
    assert is_certain(run)
    assert run.delay_between(phase.start, phase.end) == 0
    assert run.stage_of(phase).estimate > 100


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_the_brink_is_within_a_hundredth_of_the_threshold(name: str) -> None:
    """The regret is nearly the threshold on every path, and one round more would be too many."""
    run = brink_run(name)
    [phase] = run.phases
    assert is_decisive(run)
    assert own(run) == (Truth.YES, Truth.NO)
    reach = (run.instance.rounds + 2) / (1 - run.alpha(phase))
    assert less(run.stage_of(phase).threshold, reach) is Truth.YES


def test_a_flattering_gap_hides_a_regret_above_the_threshold() -> None:
    """Against the learner's own iterates the comparator is forgiven more than the threshold."""
    run = flattered_run()
    assert is_decisive(run)
    assert own(run) == (Truth.YES, Truth.YES)


def test_what_is_hidden_is_never_noticed() -> None:
    """No feedback arrives, and nothing restarts."""
    for run in (hidden_run(), unseen_run()):
        assert is_decisive(run)
        assert not run.trace["hard_restart"].any()
        assert all(run.is_missing(u, at=run.instance.rounds) for u in (1, run.instance.rounds))
