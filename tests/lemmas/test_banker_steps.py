"""Where the printed untuned step of the Banker-OMD regret proof holds, and where not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy

from pbverify.claims.claim import Claim
from pbverify.claims.closed_forms.bound import Bound
from pbverify.paper.formulas.algorithm import C1, C2, D
from pbverify.paper.formulas.upper import u
from pbverify.prover.inequalities import Outcome


@pytest.fixture(scope="module")
def printed(claim: Callable[[str], Claim[Any]]) -> Bound:
    """The step as the paper has it."""
    [bound] = claim("banker-regret/untuned").then
    assert isinstance(bound, Bound)
    return bound


def test_the_untuned_step_holds_for_equal_constants(printed: Bound) -> None:
    """It holds if C1 = C2, and more C2 only adds slack (both regularizers have C1 < C2)."""
    even = {C1: 1, C2: 1}
    lhs, rhs = printed.lhs.subs(even), printed.rhs.subs(even)
    covered = Bound("C1 = C2", lhs, rhs, ("D >= 1",), integers=("D",))
    assert covered.proof().outcome is Outcome.PROVED


def test_the_untuned_step_fails_for_a_larger_first_constant(printed: Bound) -> None:
    """At D = 1 its sides are reversed from C1 = 5/4 C2 on."""
    lopsided = {C1: sympy.Rational(5, 4) + u, C2: 1, D: 1}
    lhs, rhs = printed.lhs.subs(lopsided), printed.rhs.subs(lopsided)
    assert Bound("D = 1", rhs, lhs, ("u >= 0",)).proof().outcome is Outcome.PROVED
