"""Who does the work: local processes, or a Dask cluster. Both redo what a lost worker had.

Workers are given shards and asked for results as they come, in any order.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from pbverify.search.campaign.plan import Shard
from pbverify.search.campaign.worker import Result, perform
from pbverify.search.cluster import REACH_WITHIN, WorkersError, connect, distributed

MOST_LOSSES = 8
"""Workers lost in a row, with nothing done in between, before the work is given up."""


class Workers(Protocol):
    """Workers that take shards and bring results."""

    @property
    def capacity(self) -> int:
        """Shards that can be worked on at once."""

    def submit(self, shard: Shard) -> None: ...
    def collect(self, *, timeout: float) -> list[tuple[Shard, Result]]:
        """What has been finished since, waiting for something at most that many seconds."""

    @property
    def waiting(self) -> int:
        """Shards submitted and not yet collected."""

    def drop_pending(self) -> None:
        """Forget what nobody has begun."""


class LocalWorkers:
    """Processes on this machine; a killed one is replaced and its shard run again."""

    def __init__(self, jobs: int) -> None:
        self.capacity = jobs
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["pbverify.search.campaign.worker"])
        self._pool = self._new_pool()
        self._futures: dict[Future[Result], Shard] = {}
        self._losses = 0

    @property
    def waiting(self) -> int:
        return len(self._futures)

    def submit(self, shard: Shard) -> None:
        try:
            self._futures[self._pool.submit(perform, shard)] = shard
        except BrokenProcessPool:
            self._replace_workers([shard])

    def collect(self, *, timeout: float) -> list[tuple[Shard, Result]]:
        if not self._futures:
            return []
        done, _ = concurrent.futures.wait(self._futures, timeout, return_when=FIRST_COMPLETED)
        finished, lost = [], []
        for future in done:
            shard = self._futures.pop(future)
            try:
                finished.append((shard, future.result()))
            except (BrokenProcessPool, concurrent.futures.CancelledError):
                lost.append(shard)
        if finished:
            self._losses = 0
        if lost:
            self._replace_workers(lost)
        return sorted(finished, key=lambda pair: pair[0].number)

    def drop_pending(self) -> None:
        self._futures = {f: shard for f, shard in self._futures.items() if not f.cancel()}

    def close(self) -> None:
        """Stop at once: a shard that is not finished is as good as not begun."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.kill()

    def _replace_workers(self, lost: list[Shard]) -> None:
        """Start new processes, and give them everything that the old ones had."""
        self._losses += 1
        if self._losses > MOST_LOSSES:
            raise WorkersError(
                f"{self._losses} workers died in a row, the last on {_named(lost[0])}."
            )
        again = [*lost, *self._futures.values()]
        self._futures = {}
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._new_pool()
        for shard in sorted(again, key=lambda shard: shard.number):
            self.submit(shard)

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.capacity, mp_context=self._context, initializer=_begin_worker
        )


def _named(shard: Shard) -> str:
    return f"shard {shard.number} ({shard.task.claim}, {shard.task.engine})"


def _begin_worker() -> None:
    """Leave Ctrl-C to the coordinator, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


class ClusterWorkers:
    """The workers of a Dask scheduler, which itself repeats what a lost worker had."""

    def __init__(self, address: str) -> None:
        self._distributed, self._client = distributed(), connect(address)
        self._futures: dict[Any, Shard] = {}
        self._losses = 0

    @property
    def capacity(self) -> int:
        return max(1, len(self._client.scheduler_info(n_workers=-1)["workers"]))

    @property
    def waiting(self) -> int:
        return len(self._futures)

    def submit(self, shard: Shard) -> None:
        self._futures[self._client.submit(perform, shard, pure=False)] = shard

    def collect(self, *, timeout: float) -> list[tuple[Shard, Result]]:
        if not self._futures:
            return []
        with contextlib.suppress(TimeoutError, self._distributed.CancelledError):
            self._distributed.wait(list(self._futures), timeout, return_when=FIRST_COMPLETED)
        if self._client.status != "running":
            raise WorkersError("The scheduler is gone; `campaign resume` continues what is stored.")
        finished = []
        for future in [future for future in self._futures if future.done()]:
            shard = self._futures.pop(future)
            result = self._result(future, shard)
            if result is not None:
                finished.append((shard, result))
        return sorted(finished, key=lambda pair: pair[0].number)

    def drop_pending(self) -> None:
        self._client.cancel(list(self._futures))
        self._futures = {}

    def close(self) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone already
            self._client.cancel(list(self._futures))
        self._client.close(timeout=REACH_WITHIN)

    def _result(self, future: Any, shard: Shard) -> Result | None:
        try:
            result: Result = future.result(timeout=REACH_WITHIN)
        except (self._distributed.KilledWorker, self._distributed.CancelledError) as error:
            self._losses += 1
            if self._losses > MOST_LOSSES:
                raise WorkersError(f"Workers keep dying on {_named(shard)}.") from error
            self.submit(shard)
            return None
        self._losses = 0
        return result


@contextlib.contextmanager
def start_workers(*, jobs: int, scheduler: str | None) -> Iterator[LocalWorkers | ClusterWorkers]:
    """Workers that are gone when the block ends, however it ends."""
    workers = LocalWorkers(jobs) if scheduler is None else ClusterWorkers(scheduler)
    try:
        yield workers
    finally:
        workers.close()
