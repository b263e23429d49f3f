"""CSV files."""

from __future__ import annotations

import csv
import io

import pytest

from pbverify.paper.experiment.findings import judged
from pbverify.paper.experiment.page import tables
from pbverify.paper.experiment.plan import Experiment


@pytest.fixture(scope="module")
def rows(small_experiment: Experiment) -> dict[str, list[dict[str, str]]]:
    files = tables(small_experiment, judged(small_experiment))
    return {
        name: list(csv.DictReader(io.StringIO(content.decode()))) for name, content in files.items()
    }


def test_runs_have_a_row_per_cell(
    rows: dict[str, list[dict[str, str]]], small_experiment: Experiment
) -> None:
    """Every cell with its figures; what a learner does not have is empty."""
    assert len(rows["runs.csv"]) == len(small_experiment.plan.cells)
    comparator = next(row for row in rows["runs.csv"] if row["algorithm"] == "comparator")
    assert float(comparator["over_comparator"]) == 0
    assert comparator["alpha_most"] == ""


def test_curves_have_a_row_per_grid_round(rows: dict[str, list[dict[str, str]]]) -> None:
    """The last round of a curve is the run's figure."""
    key = ("seed", "regime", "algorithm", "reading", "threshold_scale")
    last = {tuple(row[k] for k in key): row["regret"] for row in rows["curves.csv"]}
    ends = {tuple(row[k] for k in key): row["regret"] for row in rows["runs.csv"]}
    assert last
    assert all(ends[cell] == regret for cell, regret in last.items())


def test_findings_have_verdicts(rows: dict[str, list[dict[str, str]]]) -> None:
    """Each row states what is printed, what was measured and the verdict."""
    assert {row["verdict"] for row in rows["findings.csv"]} <= {"HOLDS", "REFUTED", "UNDECIDED"}
    assert all(row["printed"] and row["median"] for row in rows["findings.csv"])
