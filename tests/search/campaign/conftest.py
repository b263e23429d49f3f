"""A small campaign: the small lemma files, the optimiser, a dozen short shards."""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
from collections.abc import Callable, Iterator

import pytest

from pbverify.claims.library import Library
from pbverify.search.campaign.plan import Plan, Scope, make_plan
from pbverify.search.campaign.store import Store
from pbverify.search.campaign.worker import perform

CASES = 2_700
"""Twelve shards: a short look at each of three claims, and nine more."""


@pytest.fixture
def plan(small_lemmas: pathlib.Path) -> Plan:
    scope = Scope(engines=("climbing",))
    full, _ = make_plan(Library.load(small_lemmas), scope, seed=7)
    return Plan(full.seed, tuple(dataclasses.replace(task, cases=300) for task in full.tasks))


@pytest.fixture(autouse=True)
def _close_what_is_opened(closed_stores: None) -> None:
    """No test of a campaign leaves a store open."""


@pytest.fixture
def stores() -> Iterator[contextlib.ExitStack]:
    """Stores entered here are closed when the test ends."""
    with contextlib.ExitStack() as stack:
        yield stack


@pytest.fixture
def undisturbed(
    plan: Plan, tmp_path: pathlib.Path, stores: contextlib.ExitStack
) -> Callable[[], Store]:
    """A store of the whole campaign, made shard by shard in this process."""

    def made() -> Store:
        store = stores.enter_context(Store.create(tmp_path / "undisturbed", plan, {"cases": CASES}))
        for number in range(plan.shards_for(CASES)):
            shard = plan.shard(number)
            store.record(shard, perform(shard))
        return store

    return made
