"""The coordinator: what is done is not done again, and what is interrupted is kept."""

from __future__ import annotations

import pathlib
from collections import deque
from collections.abc import Iterator

import pytest

from pbverify.search.campaign.coordinator import Budget, Ending, conduct
from pbverify.search.campaign.plan import Plan, Shard
from pbverify.search.campaign.store import Store
from pbverify.search.campaign.worker import Result, perform


class InProcess:
    """One worker that works when it is asked for results; it may be interrupted once."""

    capacity = 1

    def __init__(self, *, interrupted_after: int | None = None) -> None:
        self._queue: deque[Shard] = deque()
        self.performed: list[int] = []
        self._left = interrupted_after

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def submit(self, shard: Shard) -> None:
        self._queue.append(shard)

    def collect(self, *, timeout: float) -> list[tuple[Shard, Result]]:
        if self._left == len(self.performed):
            self._left = None
            raise KeyboardInterrupt
        shard = self._queue.popleft()
        self.performed.append(shard.number)
        return [(shard, perform(shard))]

    def drop_pending(self) -> None:
        while len(self._queue) > 1:  # the first one is in work
            self._queue.pop()


@pytest.fixture
def store(plan: Plan, tmp_path: pathlib.Path) -> Iterator[Store]:
    with Store.create(tmp_path / "store", plan, {}) as made:
        yield made


def test_a_budget_of_cases_is_done_in_order(store: Store) -> None:
    """Every shard of the budget once, and each seen by the watcher."""
    workers, seen = InProcess(), []
    ending = conduct(
        store, workers, Budget(cases=40), lambda shard, result: seen.append(shard.number)
    )
    assert (ending, workers.performed, seen) == (Ending.DONE, [0, 1, 2], [0, 1, 2])


def test_a_larger_budget_goes_on_where_the_last_one_ended(store: Store, plan: Plan) -> None:
    """Stored shards are not run again; gaps are filled first."""
    store.record(plan.shard(1), perform(plan.shard(1)))
    workers = InProcess()
    conduct(store, workers, Budget(cases=40), lambda shard, result: None)
    assert workers.performed == [0, 2]
    assert store.done() == {0, 1, 2}


def test_an_interruption_keeps_what_is_in_work(store: Store) -> None:
    """Ctrl-C drops what nobody has begun, and stores the rest."""
    workers = InProcess(interrupted_after=1)
    ending = conduct(store, workers, Budget(cases=2000), lambda shard, result: None)
    assert (ending, store.done()) == (Ending.INTERRUPTED, {0, 1})


def test_time_that_is_up_ends_a_session(store: Store) -> None:
    """No shard is handed out after the time."""
    workers = InProcess()
    assert conduct(store, workers, Budget(seconds=0), lambda shard, result: None) is Ending.TIME
    assert workers.performed == []
