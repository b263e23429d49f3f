"""The coordinator: hand out the shards that are not done, record each result as it comes."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import time
from collections.abc import Callable, Iterator

from pbverify.search.campaign.plan import Plan, Shard
from pbverify.search.campaign.store import Store
from pbverify.search.campaign.worker import Result
from pbverify.search.campaign.workers import Workers

AHEAD = 2
"""Shards per worker that are handed out, so that none has to wait."""
PATIENCE = 0.25
"""Seconds between looks at the clock."""

Watch = Callable[[Shard, Result], None]


class Ending(enum.Enum):
    """Why a session ended."""

    DONE = "done"
    TIME = "time is up"
    INTERRUPTED = "interrupted"


@dataclasses.dataclass(frozen=True)
class Budget:
    """How much to do in a session: planned cases in all, or seconds from now on."""

    cases: int | None = None
    seconds: float | None = None


def conduct(store: Store, workers: Workers, budget: Budget, watch: Watch) -> Ending:
    """Work until the budget is used up or somebody interrupts; what is finished is stored."""
    plan, done = store.plan, store.done()
    todo = _todo(plan, done, None if budget.cases is None else plan.shards_for(budget.cases))
    end = None if budget.seconds is None else time.monotonic() + budget.seconds
    ending = Ending.DONE
    try:
        while True:
            if end is not None and time.monotonic() >= end:
                ending = Ending.TIME
                workers.drop_pending()
                break
            _hand_out(workers, todo)
            if not workers.waiting:
                break
            _store(store, workers.collect(timeout=PATIENCE), watch)
    except KeyboardInterrupt:
        ending = Ending.INTERRUPTED
        workers.drop_pending()
    while workers.waiting:  # a second interruption gives these up too
        _store(store, workers.collect(timeout=PATIENCE), watch)
    return ending


def _todo(plan: Plan, done: set[int], end: int | None) -> Iterator[Shard]:
    numbers = itertools.count() if end is None else range(end)
    return (plan.shard(number) for number in numbers if number not in done)


def _hand_out(workers: Workers, todo: Iterator[Shard]) -> None:
    for shard in itertools.islice(todo, max(0, AHEAD * workers.capacity - workers.waiting)):
        workers.submit(shard)


def _store(store: Store, finished: list[tuple[Shard, Result]], watch: Watch) -> None:
    for shard, result in finished:
        if store.record(shard, result):
            watch(shard, result)
