"""Cells computed, kept and resumed."""

from __future__ import annotations

import pathlib
from fractions import Fraction

import pytest

from pbverify.paper.experiment import plan as runner
from pbverify.paper.experiment.cells import Cell, measure
from pbverify.paper.experiment.environment import Settings
from pbverify.paper.experiment.learners import Contender

SIZES = Settings(horizon=40, arms=3, blocks=2, delta=Fraction(1, 10))
CELLS = [
    Cell(SIZES, seed, regime, Contender(name))
    for seed in (0, 1)
    for regime in ("fixed", "no-delay")
    for name in ("comparator", "exp3-ix")
]


def contents(folder: pathlib.Path) -> dict[str, bytes]:
    return {cell.path: (folder / cell.path).read_bytes() for cell in CELLS}


def test_only_what_is_missing_is_computed(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupted run goes on: cells that are there are not run again, damaged ones are."""
    reports: list[int] = []
    first = runner.results(CELLS, tmp_path, jobs=1, report=reports.append)
    assert reports == list(range(9))
    before = contents(tmp_path)
    (tmp_path / CELLS[2].path).unlink()
    (tmp_path / CELLS[5].path).write_text("{")
    run: list[Cell] = []

    def noted(cells: list[Cell]) -> object:
        run.extend(cells)
        return measure(cells)

    monkeypatch.setattr(runner, "measure", noted)
    assert runner.results(CELLS, tmp_path, jobs=1, report=lambda done: None) == first
    assert run == [CELLS[2], CELLS[5]]
    assert contents(tmp_path) == before


def test_processes_change_nothing(tmp_path: pathlib.Path) -> None:
    """Two processes write the same bytes as one."""
    for jobs in (1, 2):
        runner.results(CELLS, tmp_path / str(jobs), jobs=jobs, report=lambda done: None)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
