"""The store: whole shards or nothing, once, and one line when the disk or the file fails."""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from pbverify.errors import FileError, InputError
from pbverify.search.campaign import store as module
from pbverify.search.campaign.plan import Plan
from pbverify.search.campaign.store import FILE, Store, running
from pbverify.search.campaign.worker import perform

BUDGET = {"cases": 100}


@pytest.fixture
def store(plan: Plan, tmp_path: pathlib.Path) -> Iterator[Store]:
    with Store.create(tmp_path / "store", plan, BUDGET) as made:
        yield made


def test_a_shard_counts_once(store: Store, plan: Plan) -> None:
    """The second record of a shard changes nothing."""
    shard = plan.shard(0)
    result = perform(shard)
    assert store.record(shard, result)
    before = store.digest()
    assert not store.record(shard, result)
    assert (store.done(), store.digest()) == ({0}, before)
    assert len(store.findings()) == len(result.findings)


def test_the_order_of_arrival_does_not_matter(
    plan: Plan, tmp_path: pathlib.Path, undisturbed: Callable[[], Store]
) -> None:
    """Shards recorded backwards give the same store, also where scores tie."""
    forwards = undisturbed()
    with Store.create(tmp_path / "backwards", plan, BUDGET) as backwards:
        for number in sorted(forwards.done(), reverse=True):
            backwards.record(plan.shard(number), perform(plan.shard(number)))
        assert backwards.digest() == forwards.digest()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_equal_scores_the_first_shard_stays(
    store: Store, plan: Plan, order: tuple[int, int]
) -> None:
    """Whichever is recorded first; so the best case does not depend on the workers."""
    task = plan.shard(0).task
    for number in order:
        shard = dataclasses.replace(plan.shard(0), number=number, task=task)
        result = perform(plan.shard(0))
        store.record(shard, dataclasses.replace(result, score=0.5, best=f'"shard {number}"'))
    [best] = [row for row in store.best() if row["claim"] == task.claim]
    assert best["shard"] == 0


def test_a_store_opens_again(store: Store, plan: Plan) -> None:
    """Plan and budget are kept, in WAL mode with full synchronisation."""
    store.set_budget({"seconds": 3.0})
    with Store.opened(store.folder) as again:
        assert (again.plan, again.budget) == (plan, {"seconds": 3.0})
        assert again.rows("PRAGMA journal_mode") == [{"journal_mode": "wal"}]
        assert again.rows("PRAGMA synchronous") == [{"synchronous": 2}]
    with pytest.raises(FileError, match="closed"):
        again.done()


def test_a_campaign_is_not_overwritten(store: Store, plan: Plan) -> None:
    """A second start on the same folder is refused."""
    with pytest.raises(FileError, match="campaign resume"):
        Store.create(store.folder, plan, BUDGET)


def test_a_start_that_failed_can_be_tried_again(
    plan: Plan, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a full disk left of a store is no campaign, neither to resume nor in the way."""
    folder = tmp_path / "store"
    with monkeypatch.context() as patched:
        patched.setattr(module, "SCHEMA", f"{module.SCHEMA} no statement")
        with pytest.raises(FileError, match="Cannot use the store"):
            Store.create(folder, plan, BUDGET)
    assert (folder / FILE).exists()
    with pytest.raises(FileError, match="No campaign in"):
        Store.opened(folder)
    with Store.create(folder, plan, BUDGET) as store:
        assert store.plan == plan


def test_only_one_campaign_runs_on_a_store(store: Store) -> None:
    """The lock is held until the block ends."""
    with (
        running(store.folder),
        pytest.raises(FileError, match="Another campaign"),
        running(store.folder),
    ):
        pass
    with running(store.folder):
        pass


@pytest.mark.parametrize("key", ["version", "paper_sha256", "format"])
def test_a_store_of_another_paper_or_version_is_refused(
    store: Store, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the field; the store is left as it is."""
    folder = store.folder
    with contextlib.closing(sqlite3.connect(folder / FILE)) as other, other:
        other.execute("UPDATE meta SET value = '\"other\"' WHERE key = ?", [key])
    with pytest.raises(InputError, match=key):
        Store.opened(folder)


def test_a_broken_file_is_one_line(store: Store) -> None:
    """What is no database is named as such."""
    folder = store.folder
    store.close()
    (folder / FILE).write_bytes(b"no database" * 1000)
    with pytest.raises(FileError, match="not a database"):
        Store.opened(folder)


def test_missing_and_forbidden_places(plan: Plan, tmp_path: pathlib.Path) -> None:
    """No store, or a place where none can be made."""
    with pytest.raises(FileError, match="No campaign in"):
        Store.opened(tmp_path / "nothing")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="Cannot write"):
        Store.create(tmp_path / "file" / "store", plan, BUDGET)


def test_a_read_only_store_keeps_what_it_has(
    store: Store, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing fails with one line, and everything recorded is still there."""
    store.record(plan.shard(0), perform(plan.shard(0)))
    before = store.digest()
    only_read = f"file:{store.folder / FILE}?mode=ro"
    with (
        Store(sqlite3.connect(only_read, uri=True), store.folder) as forbidding,
        pytest.raises(FileError, match="readonly"),
    ):
        forbidding.record(plan.shard(1), perform(plan.shard(1)))
    with Store.opened(store.folder) as again:
        assert again.digest() == before


FILL = """
import pathlib, resource, sys
from pbverify.search.campaign.store import Store
from pbverify.search.campaign.worker import perform
from pbverify.errors import FileError
store = Store.opened(pathlib.Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
try:
    for number in range(1, 1000):
        store.record(store.plan.shard(number), perform(store.plan.shard(number % 3)))
except FileError as error:
    print(error)
"""


def test_a_full_disk_loses_nothing(store: Store, plan: Plan) -> None:
    """Shards recorded before the disk is full are there, and the next one can be added later."""
    store.record(plan.shard(0), perform(plan.shard(0)))
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(store.folder)], capture_output=True, text=True, check=True
    )
    assert "Cannot use the store" in done.stdout
    assert done.stdout.count("\n") == 1
    kept = store.done()
    assert kept == set(range(len(kept)))
    assert len(kept) > 1
    assert store.rows("PRAGMA integrity_check") == [{"integrity_check": "ok"}]
    assert store.record(plan.shard(len(kept)), perform(plan.shard(0)))


def test_an_interrupted_write_is_rolled_back(
    store: Store, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shard whose findings cannot be written is not there at all."""

    def broken(text: str) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "packed", broken)
    with pytest.raises(KeyboardInterrupt):
        store.record(plan.shard(0), perform(plan.shard(0)))
    assert store.done() == set()
