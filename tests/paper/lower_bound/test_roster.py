"""Learners by name."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbverify.errors import InputError
from pbverify.numerics import BallArithmetic, FloatArithmetic
from pbverify.paper.lower_bound.learners import DELAYED, contender, steady


def test_the_paper_s_learners_are_on_it() -> None:
    """Prudent-Banker in its presets, Banker-OMD, EXP3 and both baselines."""
    wanted = {"prudent-appendix", "prudent-main", "prudent-repaired", "banker-omd", "exp3"}
    assert wanted | {"exp3-ix", "conservative-ucb", "safe-exp3-ix"} <= DELAYED.keys()


@pytest.mark.parametrize("name", [*DELAYED, "steady-1/4"])
def test_every_learner_starts_afresh_in_both_arithmetics(name: str) -> None:
    """Each plays a law on the arms asked for, and two of a kind share no state."""
    for arithmetic in (FloatArithmetic(), BallArithmetic()):
        first, second = (contender(name).make(arithmetic, 3, 10) for _ in range(2))
        assert first is not second
        delay = 1 if first.clairvoyant else None
        law = list(first.play(delay=delay))
        assert len(law) == 3
        assert abs(float(sum(arithmetic.to_float(p) for p in law)) - 1) < 1e-12


def test_names_are_read_back() -> None:
    """A witness's learner is found again; an unknown one is an input error."""
    assert contender("exp3") is DELAYED["exp3"]
    assert contender(steady(Fraction(1, 7)).name).name == "steady-1/7"
    with pytest.raises(InputError, match="learner=nobody"):
        contender("nobody")
