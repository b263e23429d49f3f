"""The comparison of rates: settings, means and fitted exponents."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from pbverify.cli import execute
from pbverify.paper.benchmarks import rate


def test_settings_keep_the_margin() -> None:
    """delta <= 1/A everywhere, and four delays each."""
    found = list(rate.settings(1000))
    assert len(found) == 4 * (4 + 3 + 2)
    assert all(setting.delta * setting.arms <= 1 for setting in found)


def test_known_exponents_are_found() -> None:
    """A regret of delta^-0.5 d^0.25 is fitted exactly; settings at T are left out."""
    rows = [
        rate.Row(
            rate.Setting(10**9, arms, delta, delay),
            learner,
            float(arms * (1 / delta) ** 0.5 * (delay or 1) ** 0.25),
            0.0,
        )
        for learner, arms, delta, delay in itertools.product(
            ("a", "b"), (2, 3), (Fraction(1, 4), Fraction(1, 9)), (0, 1, 10, 100)
        )
    ]
    full = rate.Row(rate.Setting(100, 2, Fraction(1, 4), 1), "a", 99.0, 0.0)
    for fit in rate.exponents([*rows, full]):
        expected = {"1/delta": 0.5, "D": 0.25}[fit.against]
        assert fit.slope == pytest.approx(expected)
        assert fit.error == pytest.approx(0, abs=1e-9)


def test_the_command_prints_a_row_per_setting(capsys: pytest.CaptureFixture[str]) -> None:
    """Six columns of figures, and exponents for each learner."""
    assert execute(["bench", "rate", "--horizon", "200", "--seeds", "1"]) == 0
    out = capsys.readouterr().out
    assert (
        sum(
            line.split()[1:2] in (["1/4"], ["1/10"], ["1/20"], ["1/50"])
            for line in out.splitlines()
        )
        == 36
    )
    assert out.count("exponent in D") == len(rate.LEARNERS)
