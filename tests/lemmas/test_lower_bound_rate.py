"""The claims about the rate of the lower bound notice a wrong sum and a wider margin."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import sympy

from pbverify.claims.claim import Claim
from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.judging import visit
from pbverify.paper.formulas import lower as f
from pbverify.paper.lower_bound.buckets import Bucketing, all_admissible
from pbverify.prover.inequalities import Outcome


class Twice(Bucketing):
    """Squares with one block counted twice."""

    def squares(self, j: int = 1) -> int:
        return Bucketing.squares(self, j) + self.lengths[j - 1] ** 2


def test_a_wrong_sum_is_caught(claim: Callable[[str], Claim[Any]]) -> None:
    """Squares with one block counted twice exceed the bound."""
    wrong = [Twice(cut.delays) for cut in all_admissible(horizon=3)]
    horizon = claim("lower-bound/rate/at-most-horizon")
    assert visit(horizon, wrong, scope="").witness is not None


def test_a_margin_in_lambda_alone_leaves_no_half(claim: Callable[[str], Claim[Any]]) -> None:
    """If delta V/L only exceeds (16384/81) Lambda, the second term may be larger than a half."""
    [bound] = claim("lower-bound/rate/margin@repaired").then
    assert isinstance(bound, Bound)
    wider = dataclasses.replace(bound, lhs=bound.lhs * sympy.root(f.Lambda, 4))
    assert wider.proof().outcome is Outcome.REFUTED
