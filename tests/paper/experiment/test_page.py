"""The findings page and the files of an experiment."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from pbverify.paper.experiment.observations import OBSERVATIONS
from pbverify.paper.experiment.page import files, number
from pbverify.paper.experiment.plan import Experiment


@pytest.fixture(scope="module")
def written(small_experiment: Experiment) -> dict[str, bytes]:
    return files(small_experiment)


def test_every_file_is_there(written: dict[str, bytes]) -> None:
    """A page, a figure per reading, three tables."""
    assert {"findings.html", "figure-appendix.png", "figure-repaired.png"} <= written.keys()
    assert {"runs.csv", "curves.csv", "findings.csv"} <= written.keys()


def test_the_page_states_claim_measure_and_verdict(written: dict[str, bytes]) -> None:
    """Every printed observation is on it, with verdicts, and the certificate comes first."""
    page = written["findings.html"].decode()
    assert all(observation.printed in page for observation in OBSERVATIONS)
    assert "α never rises, on any path" in page  # noqa: RUF001
    assert page.index("never rises") < page.index("Printed observations")
    assert len(re.findall(r'class="badge (?:holds|refuted|undecided)"', page)) >= 20
    assert "so 28 blocks occur here, not B = 30" in page


def test_the_page_needs_nothing_else(written: dict[str, bytes]) -> None:
    """No script, no address, no path; images are inside."""
    page = written["findings.html"].decode()
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!data:)', page)
    assert "/tmp" not in page


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (1234.5, "1,234"), (-0.00123456, "-0.00123"), (Fraction(1, 512), "1/512")],
)
def test_numbers_are_short(value: float | Fraction, text: str) -> None:
    """Three digits, thousands apart, fractions as they are."""
    assert number(value) == text
