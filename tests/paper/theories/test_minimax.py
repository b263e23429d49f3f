"""Proofs of the lower bounds for every learner close, and not for larger constants."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import z3

from pbverify.paper.lower_bound.even_studies import LateStudy, SafeStudy
from pbverify.paper.lower_bound.learners import contender
from pbverify.paper.lower_bound.simulation import Convention
from pbverify.paper.theories.minimax import blocks, both_sides, proofs
from pbverify.prover.induction.theory import NotProvedError, Theorem

x, r = both_sides.x, both_sides.r
STRONGER: dict[str, tuple[Theorem, Any]] = {
    "1/14 in place of 1/15": (
        both_sides.SAFE,
        z3.And(both_sides.y <= z3.RealVal("9/16"), r <= z3.RealVal("7/16") - z3.RealVal("1/14")),
    ),
    "1/16 in place of 1/17": (both_sides.LATE, 16 * both_sides.a * (1 - r) >= 2 * x),
    "half of the room": (both_sides.ROOM, 32 * x <= both_sides.e * both_sides.h * both_sides.h),
    "1/64 in place of 3/256": (
        blocks.HALF_EACH,
        blocks.a * (1 - blocks.r) >= 2 * z3.RealVal("1/64") * blocks.t,
    ),
}


def is_proved(theorem: Theorem, claim: Any, given: Any = None) -> bool:
    """Whether the proof closes for another claim and other hypotheses."""
    assert theorem.again is not None
    asked = theorem.hypotheses if given is None else given
    try:
        theorem.again(claim, asked).prove()
    except NotProvedError:
        return False
    return True


@pytest.mark.parametrize("name", STRONGER)
def test_larger_constants_are_not_proved(name: str) -> None:
    """The algebra closes for the stated constant, and not for a larger one."""
    theorem, claim = STRONGER[name]
    assert is_proved(theorem, theorem.claim)
    assert not is_proved(theorem, claim)


def test_the_limit_on_safety_is_used() -> None:
    """With Lambda <= sqrt(T)/45 in place of sqrt(T)/91 there is no room for it."""
    e, d, h = both_sides.e, both_sides.d, both_sides.h
    loose = z3.And(
        *(h >= 1, x >= 0, e > 0, d > 0, 2 * d <= 1, 45 * x <= h),
        *(64 * (e * e) * d * (h * h) <= 1, 64 * e * x <= 1),
        z3.Or(4 * e == 1, 64 * (e * e) * d * (h * h) == 1, 64 * e * x == 1),
    )
    assert not is_proved(both_sides.ROOM, both_sides.ROOM.claim, loose)


def test_feedback_that_comes_too_early_is_noticed() -> None:
    """A block that is seen inside itself breaks the assumption on delays."""

    class Early(LateStudy):
        @property
        def bucketing(self) -> Any:
            return SafeStudy((0, 0), Fraction(1, 2), self.contender).bucketing

    [anchor] = proofs.delays(Early(1, 2, Convention.AFTER, contender("steady-1")))
    assert "delay" in anchor.complaint


def test_a_wrong_signal_is_noticed() -> None:
    """The theorem is about one eps: with Lambda > sqrt(T)/91 its hypotheses do not hold."""
    study = SafeStudy((0,), Fraction(1, 4), contender("steady-1/4"), Fraction(1))
    [anchor] = proofs.safety(study)
    assert "hypotheses" in anchor.complaint
