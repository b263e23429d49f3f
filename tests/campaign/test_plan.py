"""The list of shards is fixed by the claims and the seed."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.campaign.plan import Plan, Scope, planned
from pbverify.errors import InputError
from pbverify.library import Library


def test_shards_are_dealt_in_turn(plan: Plan) -> None:
    """Shard n belongs to lane n mod L; a lane's enumeration has neither gap nor overlap."""
    for number in range(9):
        shard = plan.shard(number)
        assert shard.lane is plan.lanes[number % 3]
        following = plan.shard(number + 3)
        assert (following.index, following.first) == (shard.index + 1, shard.first + shard.cases)


def test_every_shard_has_its_own_seed(plan: Plan) -> None:
    """Claim, engine, index and the campaign's seed all matter."""
    seeds = {plan.shard(number).seed for number in range(300)}
    other = Plan(plan.seed + 1, plan.lanes)
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
        planned(library, Scope(claims=("large",)), seed=0)
    with pytest.raises(InputError, match="engine=luck"):
        planned(library, Scope(engines=("luck",)), seed=0)
    found, unsearched = planned(library, Scope(claims=("small@repaired!stronger",)), seed=0)
    assert {lane.engine for lane in found.lanes} == {"exhaustive", "generated", "climbing"}
    assert unsearched == []
