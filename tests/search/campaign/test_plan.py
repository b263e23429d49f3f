"""The list of shards is fixed by the claims and the seed."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.claims.library import Library
from pbverify.errors import InputError
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.search_spaces.adversaries import aims_for
from pbverify.paper.search_spaces.settings import RUN_SETTINGS
from pbverify.search.campaign.plan import Plan, Scope, make_plan
from pbverify.search.campaign.worker import perform

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"


def test_shards_are_dealt_in_turn(plan: Plan) -> None:
    """Shard n belongs to task n mod L; a task's enumeration has neither gap nor overlap."""
    for number in range(9):
        shard = plan.shard(number)
        assert shard.task is plan.tasks[number % 3]
        following = plan.shard(number + 3)
        assert (following.index, following.first) == (shard.index + 1, shard.first + shard.cases)


def test_every_shard_has_its_own_seed(plan: Plan) -> None:
    """Claim, engine, index and the campaign's seed all matter."""
    seeds = {plan.shard(number).seed for number in range(300)}
    other = Plan(plan.seed + 1, plan.tasks)
    assert len(seeds | {other.shard(number).seed for number in range(300)}) == 600


def test_a_budget_is_a_number_of_whole_shards(plan: Plan) -> None:
    """The planned cases reach the budget, and one shard fewer would not."""
    for cases in (1, 15, 16, 2_700):
        shards = plan.shards_for(cases)
        sizes = [plan.shard(number).cases for number in range(shards)]
        assert sum(sizes) >= cases > sum(sizes[:-1])


def test_a_plan_survives_its_file(plan: Plan) -> None:
    """What is read back is what was written."""
    assert Plan.from_json(plan.to_json()) == plan


def test_scopes_are_checked(small_lemmas: pathlib.Path) -> None:
    """Unknown claims and engines are named; stronger forms are planned like their claim."""
    library = Library.load(small_lemmas)
    with pytest.raises(InputError, match="claim=large"):
        make_plan(library, Scope(claims=("large",)), seed=0)
    with pytest.raises(InputError, match="engine=luck"):
        make_plan(library, Scope(engines=("luck",)), seed=0)
    found, left_out = make_plan(library, Scope(claims=("small@repaired!stronger",)), seed=0)
    assert {task.engine for task in found.tasks} == {"exhaustive", "generated", "climbing"}
    assert left_out == {}


@pytest.fixture(scope="module")
def everything() -> tuple[Plan, dict[str, list[str]]]:
    return make_plan(Library.load(LEMMAS), Scope(), seed=0)


def test_the_first_shards_aim_at_every_setting(
    everything: tuple[Plan, dict[str, list[str]]],
) -> None:
    """Under each reading the optimiser's short looks at claims about runs cover all aims."""
    plan, _ = everything
    runs = {"doubling-estimate", "banker-pathwise", "missing-feedback"}
    for reading in ("appendix", "main", "repaired"):
        first = [
            plan.shard(number)
            for number, task in enumerate(plan.tasks)
            if (task.reading, task.engine, task.cases) == (reading, "climbing", 200)
        ]
        assert runs <= {shard.task.claim for shard in first}
        aims = aims_for(preset(reading))
        assert {aims[shard.turn % len(aims)] for shard in first} == set(aims)


@pytest.mark.parametrize("against", ["appendix", "repaired"])
def test_a_short_look_reaches_the_setting_that_it_aims_at(against: str) -> None:
    """Soft restarts under the paper's own budget, in the first ten cases of a claim about runs."""
    scope = Scope(["extinction-phase/floor@repaired"], [against], ["climbing"])
    plan, _ = make_plan(Library.load(LEMMAS), scope, seed=0)
    result = perform(plan.shard(0))
    assert result.cases <= 10
    assert result.reached[RUN_SETTINGS.with_condition("soft restart")] > 0


def test_what_is_left_out_has_a_reason(everything: tuple[Plan, dict[str, list[str]]]) -> None:
    """Limits, experiments, single long runs, fixed lists; nothing is both planned and left out."""
    plan, left_out = everything
    assert "global/rate" in left_out["decided by limits"]
    assert "global/safety (appendix)" in left_out["decided by one long run"]
    planned_ = {(task.claim, task.reading) for task in plan.tasks}
    shown = {id if reading == "any" else f"{id} ({reading})" for id, reading in planned_}
    assert not shown & {name for names in left_out.values() for name in names}
