"""Workers that are lost, schedulers that are not there, and one result whoever works.

`PBVERIFY_KILLS="c w c w c w ..." pytest tests/search/campaign/test_workers.py -k killing` kills the
coordinator (c) or a worker (w) at random moments, as often as one likes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable

import psutil  # type: ignore[import-untyped]
import pytest

from pbverify.errors import InputError
from pbverify.search.campaign.coordinator import Budget, conduct
from pbverify.search.campaign.plan import Plan
from pbverify.search.campaign.store import Store
from pbverify.search.campaign.worker import perform
from pbverify.search.campaign.workers import LocalWorkers, start_workers
from pbverify.search.cluster import WorkersError

CASES = 2_700

KILLS = os.environ.get("PBVERIFY_KILLS", "w w c w w").split()
"""Whom to kill, one after the other."""


def digest_of(plan: Plan, folder: pathlib.Path, *, jobs: int, scheduler: str | None = None) -> str:
    with (
        Store.create(folder, plan, {"cases": CASES}) as store,
        start_workers(jobs=jobs, scheduler=scheduler) as workers,
    ):
        conduct(store, workers, Budget(cases=CASES), lambda shard, result: None)
        return store.digest()


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_the_number_of_workers_does_not_matter(
    plan: Plan, tmp_path: pathlib.Path, undisturbed: Callable[[], Store], cluster: str
) -> None:
    """One, two and four processes, and two Dask workers, leave the same store as none."""
    expected = undisturbed().digest()
    for jobs in (1, 2, 4):
        assert digest_of(plan, tmp_path / str(jobs), jobs=jobs) == expected
    assert digest_of(plan, tmp_path / "cluster", jobs=1, scheduler=cluster) == expected


def test_an_unreachable_scheduler_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens, or the address is none: an error within seconds, and no workers."""
    monkeypatch.setattr("pbverify.search.cluster.REACH_WITHIN", 1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        with (
            pytest.raises(WorkersError, match="Cannot reach the scheduler"),
            start_workers(jobs=1, scheduler=address),
        ):
            pass
    with (
        pytest.raises(InputError, match="tcp://host:8786"),
        start_workers(jobs=1, scheduler="nowhere"),
    ):
        pass


def test_workers_that_keep_dying_end_the_work(plan: Plan) -> None:
    """A shard that kills every worker is named, instead of being tried for ever."""
    workers = LocalWorkers(1)
    workers._losses = 8
    with pytest.raises(WorkersError, match=r"9 workers died in a row, the last on shard 0 \(small"):
        workers._replace_workers([plan.shard(0)])
    workers.close()


RESUME = [sys.executable, "-m", "pbverify", "campaign", "resume", "--quiet", "--jobs", "2"]


def test_killing_loses_nothing(
    plan: Plan, tmp_path: pathlib.Path, stores: contextlib.ExitStack
) -> None:
    """After kill -9 of coordinators and workers, `resume` ends with the undisturbed totals."""
    longer = Plan(plan.seed, tuple(dataclasses.replace(task, cases=1500) for task in plan.tasks))
    shards = 3 * len(KILLS)
    cases = sum(longer.shard(number).cases for number in range(shards))
    store = stores.enter_context(Store.create(tmp_path / "killed", longer, {"cases": cases}))
    chance = random.Random(1)
    session, kept = None, 0
    for victim in KILLS:
        session = session or started(store)
        kept = wait_for_more(store, kept, session)
        time.sleep(chance.uniform(0, 0.4))
        if victim == "c":
            kill(session)
            session = None
        else:
            for worker in workers_of(session)[:1]:
                worker.kill()
    assert (session or started(store)).wait(timeout=120) == 0
    assert store.done() == set(range(shards))
    whole = stores.enter_context(Store.create(tmp_path / "whole", longer, {"cases": cases}))
    for number in range(shards):
        whole.record(longer.shard(number), perform(longer.shard(number)))
    assert store.digest() == whole.digest()


def started(store: Store) -> subprocess.Popen[bytes]:
    lemmas = pathlib.Path(store.plan.tasks[0].file).parent
    return subprocess.Popen([*RESUME, "--store", str(store.folder), "--lemmas", str(lemmas)])


def kill(session: subprocess.Popen[bytes]) -> None:
    """Kill the coordinator; its workers must not outlive it."""
    family = psutil.Process(session.pid).children(recursive=True) if session.poll() is None else []
    session.send_signal(signal.SIGKILL)
    session.wait()
    _, alive = psutil.wait_procs(family, timeout=30)
    assert alive == []


def workers_of(session: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The processes that the session's fork server made."""
    with contextlib.suppress(psutil.NoSuchProcess):
        family = psutil.Process(session.pid).children(recursive=True)
        return [process for process in family if process.ppid() != session.pid]
    return []


def wait_for_more(store: Store, kept: int, session: subprocess.Popen[bytes]) -> int:
    """Wait until the session has stored another shard, or has ended."""
    while len(store.done()) <= kept and session.poll() is None:
        time.sleep(0.02)
    return len(store.done())
