"""The second-order step is proved for every step, by the inequality prover."""

from __future__ import annotations

import pytest
import sympy

from pbverify.claims.closed_forms.bound import Bound
from pbverify.paper.formulas import geometry as f
from pbverify.prover.inequalities import Outcome

# One coordinate of a step by -u: p (u - 1 + exp(-u)), or u^2/(t^2 (t + u)) with t = 1/sqrt p.
SECOND_ORDER = (
    Bound("negative entropy", f.u - 1 + sympy.exp(-f.u), f.u**2 / 2, ("u >= 0",)),
    Bound(
        "1/2-Tsallis",
        f.u**2 / (f.t**2 * (f.t + f.u)),
        f.u**2 / f.t**3,
        ("t >= 1", "u >= 0"),
    ),
)


@pytest.mark.parametrize("bound", SECOND_ORDER, ids=lambda bound: bound.name)
def test_second_order_holds_for_every_step(bound: Bound) -> None:
    """The second-order step, which `lemma_regularity.py` tries on steps, is true of all of them."""
    assert bound.proof().outcome is Outcome.PROVED
