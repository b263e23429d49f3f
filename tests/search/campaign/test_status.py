"""What a store says about a campaign."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable, Iterator

import pytest

from pbverify.claims.library import Library
from pbverify.files.documents import dumps
from pbverify.paper.search_spaces.settings import RUN_SETTINGS
from pbverify.search.campaign.plan import Plan, Scope, make_plan
from pbverify.search.campaign.status import status_of, to_json
from pbverify.search.campaign.store import Store
from pbverify.search.campaign.worker import Result, perform


def test_totals_add_up(undisturbed: Callable[[], Store]) -> None:
    """Cases, violations and findings per claim; the false claim alone has any."""
    store = undisturbed()
    status = status_of(store)
    assert status.planned is not None
    assert status.shards >= status.planned
    assert status.cases == sum(row["cases"] for row in store.shards())
    found = {line.claim: line for line in status.lines}
    assert found["small"].violations >= found["small"].findings > 0
    assert found["small"].rigorous == found["small"].findings
    assert found["theorem"].findings == 0
    assert found["theorem"].score == 0
    assert '"digest": "abc"' in dumps(to_json(status, digest="abc"))


def test_only_a_gapless_enumeration_covers(
    small_lemmas: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """A later shard without the ones before it covers nothing; the first 400 cases cover n <= 4."""
    scope = Scope(claims=("theorem",), engines=("exhaustive",))
    plan, _ = make_plan(Library.load(small_lemmas), scope, seed=0)
    with Store.create(tmp_path / "store", plan, {"cases": 1}) as store:
        empty = Result(1, 8000, 8000, 0, {}, None, None, None, ())
        store.record(plan.shard(1), empty)
        assert status_of(store).coverage == ()
        store.record(plan.shard(0), perform(plan.shard(0)))
        [text] = status_of(store).coverage
    assert text.startswith("theorem (any): 8,400 enumerated, all n <= 6 rounds")


@pytest.fixture
def store(plan: Plan, tmp_path: pathlib.Path) -> Iterator[Store]:
    with Store.create(tmp_path / "store", plan, {"seconds": 1}) as made:
        yield made


def test_warnings_name_what_says_little(store: Store, plan: Plan) -> None:
    """Claims that were not searched, never applied, missed a situation, or failed."""
    shown = Result(0, 5, 0, 0, {}, None, None, None, ())
    store.record(plan.shard(0), shown)
    missed = dataclasses.replace(shown, number=1, applicable=3, reached={"late": 0, "early": 2})
    store.record(plan.shard(1), missed)
    store.record(plan.shard(4), dataclasses.replace(missed, error="a shard failed: x"))
    warnings = status_of(store).warnings
    assert warnings == (
        "small (any): in 5 cases its hypotheses were never met",
        "small@repaired (any): never reached: late",
        "small@repaired (any): a shard failed: x",
        "theorem (any): not searched yet",
    )


def test_settings_are_counted_with_and_without_the_own_budget(store: Store, plan: Plan) -> None:
    """The two columns of the table of settings; a file has them in each line, as `regimes`."""
    reached = {"alpha = 1": 7, RUN_SETTINGS.with_condition("alpha = 1"): 2}
    store.record(plan.shard(0), Result(0, 9, 9, 0, reached, None, None, None, ()))
    status = status_of(store)
    [table] = status.settings
    assert (table.title, table.under) == ("regime of runs", "own budget")
    assert tuple(table.counts) == RUN_SETTINGS.names
    assert table.counts["alpha = 1"] == (7, 2)
    document = to_json(status, digest="")
    assert document["lines"][0]["regimes"] == {"alpha = 1": 7, "alpha = 1 (own budget)": 2}
    assert list(document)[2:] == [
        *("lines", "planned", "shards", "seconds", "coverage", "warnings"),
    ]
    assert status.planned is None


def test_a_reading_is_warned_about_its_own_budget(store: Store, plan: Plan) -> None:
    """A setting that only constant budgets reached is missed under the paper's own."""
    task = dataclasses.replace(plan.tasks[0], reading="main")
    shard = dataclasses.replace(Plan(0, (task,)).shard(0))
    with Store.create(store.folder / "other", Plan(0, (task,)), {"cases": 1}) as other:
        other.record(shard, Result(0, 9, 9, 0, {"alpha = 1": 7}, None, None, None, ()))
        [warning] = status_of(other).warnings
    assert warning.startswith("main: own budget never reached: soft restart")
    assert "alpha = 1" in warning
