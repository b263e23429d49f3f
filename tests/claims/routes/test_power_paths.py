"""Rates on all paths of powers: proved in every cell, or refuted by a path and its limits."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import sympy

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import PROFILES
from pbverify.claims.routes import Asked
from pbverify.claims.routes.power_paths import on_all_paths
from pbverify.claims.sort import Sort
from pbverify.claims.verdict import VACUOUS, Evidence, Outcome, Verdict
from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.prover.powers import order_of

x, y = sympy.symbols("x y", positive=True)


@dataclasses.dataclass(frozen=True)
class Powers(Record):
    """The case: x = n^a and y = n^b, with a and b not negative."""

    a: Fraction = Fraction(0)
    b: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.a < 0 or self.b < 0:
            raise InputError("exponents >= 0", "(a, b)", self)

    def is_at_least(self, larger: sympy.Expr, smaller: sympy.Expr) -> Iterator[Pair]:
        one = sympy.Integer(1)
        at = {x: (one, self.a), y: (one, self.b)}
        yield Pair(1, int(order_of(larger, at).is_at_least(order_of(smaller, at))))


def rate(larger: sympy.Expr, smaller: sympy.Expr, **options: Any) -> Claim[Powers]:
    def conclusion(path: Powers) -> Iterator[Pair]:
        yield from path.is_at_least(larger, smaller)

    return Claim("r", Kind.RATE, "rate", then=(conclusion,), about=Sort.of(Powers), **options)


def judged(claim: Claim[Powers]) -> Verdict:
    route = on_all_paths(Powers, scope="x = n^a, y = n^b")
    [verdict] = route.found(claim, Asked("any", PROFILES["quick"]))
    return verdict


def is_ordered(path: Powers) -> bool:
    return path.a <= path.b


def test_a_rate_is_proved_on_all_paths_with_its_condition() -> None:
    """x + y log y is O(y log y) if a <= b, with equality; every situation is met by some cell."""
    met: dict[str, Callable[[Powers], bool]] = {
        "equal": lambda path: path.a == path.b,
        "apart": lambda path: 2 * path.a < path.b,
    }
    claim = rate(y * sympy.log(2 + y), x + y, given=(is_ordered,), must_meet=met)
    verdict = judged(claim)
    assert (verdict.outcome, verdict.evidence) == (Outcome.HOLDS, Evidence.PROVED)
    assert min(verdict.reached.values()) > 0
    assert verdict.cases == verdict.applicable > 1
    assert verdict.scope.startswith("all power paths x = n^a, y = n^b, ")
    assert verdict.obligations > 0


def test_a_planted_error_is_refuted_by_a_path() -> None:
    """Without the condition, with a power too much, or with a logarithm too much."""
    ordered = {"given": (is_ordered,)}
    for claim in (rate(y, x), rate(y, x**2, **ordered), rate(y, x * sympy.log(2 + x), **ordered)):
        verdict = judged(claim)
        assert verdict.outcome is Outcome.REFUTED
        assert verdict.witness is not None
        path = Powers.rebuild(verdict.witness.subject)
        assert [pair.rhs for pair in claim.pairs(path)] == [0]


def test_the_logarithm_too_much_is_refuted_on_the_boundary() -> None:
    """y is of smaller order than x log x only where a = b > 0."""
    witness = judged(rate(y, x * sympy.log(2 + x), given=(is_ordered,))).witness
    assert witness is not None
    path = Powers.rebuild(witness.subject)
    assert path.a == path.b > 0


def test_a_difference_must_be_positive() -> None:
    """y - x is of the order of y where a < b, negative where a > b, and 0 where a = b."""
    apart = rate(y - x, y, given=(lambda path: path.a < path.b,))
    assert judged(apart).evidence is Evidence.PROVED
    assert judged(rate(y - x, y, given=(lambda path: path.a > path.b,))).outcome is Outcome.REFUTED


def test_what_stays_open_is_undecided() -> None:
    """Terms that cancel, no path, a cell that the limits do not confirm, and no inequality."""

    def only_on_cells(path: Powers) -> Iterator[Pair]:
        yield Pair(1, int(isinstance(path.a, Fraction)))

    def cancels(path: Powers) -> Iterator[Pair]:
        yield from () if isinstance(path.a, Fraction) else path.is_at_least(2 * y - 2 * x, y)

    equal = rate(y, x, given=(lambda path: path.a == path.b,))
    for claim, reason in (
        (dataclasses.replace(equal, then=(cancels,)), "not proved: the sign of 0"),
        (rate(y, x, given=(lambda path: path.a < path.b < path.a,)), VACUOUS),
        (dataclasses.replace(equal, then=(only_on_cells,)), "not proved"),
        (dataclasses.replace(equal, then=()), "not proved: empty"),
    ):
        verdict = judged(claim)
        assert verdict.outcome is Outcome.UNDECIDED
        assert verdict.reason.startswith(reason)
