"""Progress for the eye, and what is left of a budget."""

from __future__ import annotations

import io
import pathlib

import pytest
from rich.console import Console

from pbverify.cli.campaign import SHOWN, Progress, left_of, print_status
from pbverify.search.campaign.plan import Plan, Task
from pbverify.search.campaign.status import Line, Status
from pbverify.search.campaign.store import Store
from pbverify.search.campaign.worker import Result

TASK = Task("lemma", 0, "any", "climbing", "file", "digest", 100)
PLAN = Plan(0, (TASK,))


def result(number: int, *, score: float, seconds: float = 6.0) -> Result:
    ratio = 1 + score
    return Result(number, 10, 5, 1, {}, score, ratio, "{}", (), seconds=seconds)


def test_progress_keeps_the_tightest_case() -> None:
    """Cases and violations add up; the best ratio of each claim stays."""
    progress = Progress(begin=0.0)
    for number, score in enumerate((-0.5, -0.1, -0.3)):
        progress.see(PLAN.shard(number), result(number, score=score))
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(progress)
    shown = console.export_text()
    assert "3 shards, 30 cases" in shown
    assert "50.0% applicable" in shown
    assert "0.9" in shown


def test_a_time_budget_is_used_up_by_work(tmp_path: pathlib.Path) -> None:
    """Seconds of work count per worker; a budget of cases stays as it is."""
    with Store.create(tmp_path / "store", PLAN, {"seconds": 10.0}) as store:
        store.record(PLAN.shard(0), result(0, score=0.0))
        assert left_of(store, jobs=1) == {"seconds": 4.0}
        assert left_of(store, jobs=2) == {"seconds": 7.0}
        store.set_budget({"cases": 8})
        assert left_of(store, jobs=1) == {"cases": 8}


def test_a_status_is_short_unless_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """Violated claims first, then the tightest; --table has every claim and every warning."""
    lines = [
        Line(f"c{n}", 0, "any", 9, 9, int(n == 70), n / 100 - 1, n / 100, 0, 0, 0, (), {})
        for n in range(100)
    ]
    warnings = tuple(f"w{n}" for n in range(40))
    status = Status(tuple(lines), None, 1, 1.0, (), (), warnings)
    print_status(status)
    short = capsys.readouterr().out.splitlines()
    assert len(short) < 2 * SHOWN
    assert [line.split()[0] for line in short[2:5]] == ["c70", "c99", "c98"]
    assert short[-1] == "20 of 100 claims and readings; --table has all"
    print_status(status, table=True)
    long = capsys.readouterr().out
    assert all(f"c{n} " in long for n in range(100))
    assert "w39" in long
