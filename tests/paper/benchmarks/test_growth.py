"""What judging costs against the number of claims."""

from __future__ import annotations

import cProfile
import math

import pytest

from pbverify.claims import judge
from pbverify.paper.benchmarks.growth import ratio, write_paper
from pbverify.pytest_plugin import session
from pbverify.report import gather

IMPORTED = (judge, session, gather)
"""A session in this process forgets what it imports itself, and numpy cannot be imported twice."""


def calls(pytester: pytest.Pytester, claims: int) -> int:
    """How many functions a session on a toy paper calls."""
    folder = pytester.path / f"paper-of-{claims}" / "lemmas"
    write_paper(folder, claims)
    profile = cProfile.Profile()
    profile.enable()
    result = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", "-n", "0", str(folder))
    profile.disable()
    result.assert_outcomes(passed=2 * claims)
    return sum(entry.callcount for entry in profile.getstats())


def test_a_claim_costs_no_more_in_a_larger_paper(pytester: pytest.Pytester) -> None:
    """One more claim takes as many function calls in a paper of 160 as in one of 80."""
    calls(pytester, 30)  # pays for what is imported and remembered once
    found = {claims: float(calls(pytester, claims)) for claims in (40, 80, 160)}
    assert ratio(found) <= 1.05


def test_the_start_drops_out_of_the_ratio() -> None:
    """A linear cost has the ratio 1 whatever the start takes; a quadratic one exceeds it."""
    assert ratio({n: 5.0 + 2.0 * n for n in (10, 100, 1000)}) == pytest.approx(1)
    assert ratio({n: 5.0 + n * n for n in (10, 100, 1000)}) == pytest.approx(10)


def test_noise_meets_no_goal() -> None:
    """Seconds that do not grow from the first size to the second say nothing of the third."""
    assert ratio({10: 2.8, 100: 2.7, 1000: 5.4}) == math.inf
