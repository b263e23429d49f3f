"""Rates on all paths: orders agree with limits, and each condition of a rate is needed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy
import z3

from pbverify.claims.claim import Claim
from pbverify.claims.judging import PROFILES
from pbverify.claims.routes import Asked
from pbverify.claims.routes.power_paths import on_all_paths
from pbverify.claims.verdict import Outcome
from pbverify.numerics import Truth
from pbverify.paper.lower_bound.growth import Growth, Limits, Path, margin_is_wide, paths_of_delays
from pbverify.prover.powers import Cell, Exponent

QUICK = Asked("any", PROFILES["quick"])


def growth(T: int, D: int, *, A: int = 0, margin: int = 0) -> Growth:
    return Growth(Fraction(T), Fraction(D), Fraction(A), Fraction(margin))


FREE = [growth(4, 4, margin=1), growth(1, 0)]
FIXED = [growth(1, 0), growth(1, 2)]
UNDELAYED = [growth(1, 0), growth(2, 0, A=1, margin=1)]
MATCHING = [Path(N=Fraction(1)), Path(q=Fraction(1), N=Fraction(1))]
BEATEN = [*MATCHING, Path(q=Fraction(2), N=Fraction(1), margin=Fraction(1))]
DELAYS = list(paths_of_delays(QUICK.profile))

PATHS: dict[str, list[Any]] = {
    "global/rate": FREE,
    "global/rate/final-line": FREE,
    "global/rate/fixed-margin": FIXED,
    "global/rate@repaired": FREE,
    "global/rate/polylogarithms": [growth(0, 0, margin=1)],
    "global/rate/polylogarithms@repaired": FREE,
    "global/rate/slack-remark": [growth(1, 1), growth(1, 1, margin=1)],
    "global/rate/regret": [growth(4, 4, margin=1)],
    "global/rate/regret/arrived": [growth(4, 4, margin=1)],
    "global/rate/arms": [growth(2, 2, A=1, margin=1)],
    "global/rate/arms/arrived": [growth(2, 2, A=1, margin=1)],
    "global/rate/arms/price-of-safety": [growth(2, 4, A=1, margin=1)],
    "global/rate/lost-logarithm@repaired": FIXED,
    "global/safety-order/hidden@repaired": FIXED,
    "global/final-phases": [growth(1, 1)],
    "regularity/negative-entropy/open-domain": [growth(0, 0, margin=1)],
    "regularity/tsallis/open-domain": [growth(0, 0, margin=1)],
    "global/rate/optimality": MATCHING,
    "global/rate/optimality@repaired": MATCHING,
    "global/rate/optimality/every-learner": BEATEN,
    "global/rate/optimality@settled": BEATEN,
    "corollary/no-delay/rate": UNDELAYED,
    "corollary/no-delay/optimality": UNDELAYED,
    "lower-bound/rate": DELAYS,
    "lower-bound/rate/informal": [Path(N=Fraction(1)), Path(N=Fraction(1), margin=Fraction(2))],
    "lower-bound/rate/combined": DELAYS,
    "lower-bound/rate/lower-order": [Path(N=Fraction(1))],
    "lower-bound/rate/supported": DELAYS,
    "lower-bound/rate@repaired": DELAYS,
}
"""The paths along which the claims are judged by limits."""


@pytest.fixture(autouse=True)
def _limits_are_those_of_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every limit that a test asks for is computed by sympy as well, and must be the same."""
    by_orders = Limits.ratio

    def both(path: Limits, x: sympy.Expr, y: sympy.Expr) -> tuple[sympy.Expr, int]:
        (limit, sign), (expected, its_sign) = by_orders(path, x, y), path.ratio_by_sympy(x, y)
        assert limit == expected or sympy.simplify(limit - expected) == 0
        assert sign == its_sign
        return expected, its_sign

    monkeypatch.setattr(Limits, "ratio", both)


def in_its_cell(path: Limits) -> Any:
    """The path as a cell that holds nothing else, judged by orders and not by limits."""
    cell = Cell(())
    values = {field.name: getattr(path, field.name) for field in dataclasses.fields(path)}
    terms = {name: z3.Q(value.numerator, value.denominator) for name, value in values.items()}
    return type(path)(**{name: Exponent(term, cell) for name, term in terms.items()})


def is_violated(claim: Claim[Any], path: Any) -> bool:
    """Whether a pair fails, also one that is only a bound on what the claim speaks of."""
    return any(p.relation.between(p.lhs, p.rhs) is Truth.NO for p in claim.pairs(path))


@pytest.mark.parametrize("id", PATHS)
def test_orders_and_limits_agree(id: str, claim: Callable[[str], Claim[Any]]) -> None:
    """On each path along which a rate is judged, both say that it holds, or both that it fails."""
    for path in PATHS[id]:
        assert is_violated(claim(id), in_its_cell(path)) == is_violated(claim(id), path), path


REFUTED = {
    "global/rate": Growth,
    "global/rate/final-line": Growth,
    "global/rate/polylogarithms": Growth,
    "global/rate/slack-remark": Growth,
    "global/rate/arms/price-of-safety": Growth,
    "global/final-phases": Growth,
    "regularity/negative-entropy/open-domain": Growth,
    "regularity/tsallis/open-domain": Growth,
    "global/rate/optimality": Path,
    "global/rate/optimality/every-learner": Path,
    "lower-bound/rate": Path,
    "lower-bound/rate/combined": Path,
    "lower-bound/rate/lower-order": Path,
}
NEEDED = {
    "global/rate/fixed-margin": Growth,
    "global/rate@repaired": Growth,
    "global/rate/polylogarithms@repaired": Growth,
    "global/rate/lost-logarithm@repaired": Growth,
    "global/safety-order/hidden@repaired": Growth,
    "global/rate/optimality@repaired": Path,
    "global/rate/optimality@settled": Path,
    "corollary/no-delay/rate": Growth,
    "corollary/no-delay/optimality": Growth,
    "lower-bound/rate/supported": Path,
    "lower-bound/rate@repaired": Path,
}


@pytest.mark.parametrize(("id", "kind"), REFUTED.items(), ids=list(REFUTED))
def test_refuted_rates_are_refuted_on_all_paths(
    id: str, kind: type[Limits], claim: Callable[[str], Claim[Any]]
) -> None:
    """Some cell fails where T grows and delta T too, and the limit at one of its points says so."""
    wide = dataclasses.replace(claim(id), given=(margin_is_wide,), must_meet={})
    if id == "global/rate/polylogarithms":
        wide = dataclasses.replace(wide, given=())
    [verdict] = on_all_paths(kind, scope="").found(wide, QUICK)
    assert verdict.outcome is Outcome.REFUTED


@pytest.mark.parametrize(("id", "kind"), NEEDED.items(), ids=list(NEEDED))
def test_the_conditions_of_proved_rates_are_needed(
    id: str, kind: type[Limits], claim: Callable[[str], Claim[Any]]
) -> None:
    """Without its conditions each proved rate is refuted by a path outside of them."""
    freed = dataclasses.replace(claim(id), given=(), must_meet={})
    [verdict] = on_all_paths(kind, scope="").found(freed, QUICK)
    assert verdict.witness is not None
    assert not claim(id).applies(kind.rebuild(verdict.witness.subject))
