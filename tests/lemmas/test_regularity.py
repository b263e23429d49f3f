"""Where the bound on the cost of a mirror step on every path begins to fail."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pbverify.claims.claim import Claim
from pbverify.claims.judging import visit
from pbverify.claims.verdict import Outcome
from pbverify.paper.cases.mirror_step import MirrorStep

# The first arm where a step costs most, and the alphas on either side of where the bound on every
# path begins to fail: regularizer, start of the step, alpha within, alpha beyond, x^, x^c.
HARDEST = (
    ("negative-entropy", "x_t", "1/2", "51/100", "1/1000000", "1/2"),
    ("negative-entropy", "x^_t", "3/20", "7/50", "61/100", "1/10"),
    ("negative-entropy", "x^_t", "17/20", "43/50", "2/25", "1/2"),
    ("tsallis", "x_t", "87/100", "22/25", "1/1000000", "1/2"),
    ("tsallis", "x^_t", "3/20", "7/50", "99/100", "4/25"),
    ("tsallis", "x^_t", "493/500", "987/1000", "1/50", "1/2"),
)


def hard_step(psi: str, start: str, alpha: str, base: str, comparator: str) -> MirrorStep:
    first, safe = Fraction(base), Fraction(comparator)
    return MirrorStep(
        psi=psi,
        base=(first, 1 - first),
        comparator=(safe, 1 - safe),
        losses=(Fraction(1), Fraction(0)),
        alpha=Fraction(alpha),
        sigma=Fraction(10**6),
        from_base=start == "x^_t",
    )


@pytest.mark.parametrize(("psi", "start", "within", "beyond", "base", "comparator"), HARDEST)
def test_where_the_bound_on_every_path_begins_to_fail(
    psi: str,
    start: str,
    within: str,
    beyond: str,
    base: str,
    comparator: str,
    claim: Callable[[str], Claim[Any]],
) -> None:
    """The same step keeps the bound at one alpha, and breaks it at the next."""
    anywhere = dataclasses.replace(claim(f"regularity/{psi}/per-path"), must_meet={})
    cases = (hard_step(psi, start, alpha, base, comparator) for alpha in (within, beyond))
    found = [visit(anywhere, [case], scope="").outcome for case in cases]
    assert found == [Outcome.HOLDS, Outcome.REFUTED]
