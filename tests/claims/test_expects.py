"""Routes that ask inequalities of their own, about sorts of case of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pbverify import Lemma, Pair, Side, Sort, chosen, every, exactly, expects, leq, sharpened
from pbverify.claims.claim import Kind
from pbverify.claims.judging import PROFILES
from pbverify.claims.lemma import Check
from pbverify.claims.register import Register, Row
from pbverify.claims.routes import Route
from pbverify.claims.sort import either
from pbverify.claims.verdict import Evidence, Outcome

QUICK = PROFILES["quick"]


@dataclasses.dataclass(frozen=True)
class Small:
    n: int

    def witness_fields(self) -> dict[str, Any]:
        return {"parameters": {"n": self.n}}


class Large(Small):
    """A second sort."""


class Larger(Small):
    """A third one."""


SMALL = Sort("small", lambda fields: Small(fields["parameters"]["n"]), Small)
LARGE = Sort("large", lambda fields: Large(fields["parameters"]["n"]), Large)
LARGER = Sort("larger", lambda fields: Larger(fields["parameters"]["n"]), Larger)


def large_le_ten(case: Large) -> Iterator[Pair]:
    yield leq(case.n, 10)


def small_le_two(case: Small) -> Iterator[Pair]:
    yield leq(case.n, 2)


ROUTES = (
    exactly([Large(9)], about=either(LARGE, LARGER), then=large_le_ten, side=Side.AT_MOST),
    exactly([Small(1)], about=SMALL, then=small_le_two, must_meet={"1": lambda case: case.n == 1}),
)


def checks(*routes: Route, name: str = "", **options: Any) -> list[Check]:
    known = {"any": Outcome.HOLDS}
    row = Row("x", "", "", Kind.EXPECTATION, "stated", (), known, "")
    lemma = Lemma("x", expects("words", *routes, name=name, **options), about=SMALL)
    return list(lemma.checks(Register({"x": row})))


def test_each_case_is_asked_by_the_first_route_about_it() -> None:
    """A sort that is one of several covers the cases of each; a bound is marked as one."""
    [check] = checks(*ROUTES, name="le_most")
    [conclusion] = check.claim.then
    assert conclusion.__name__ == "le_most"
    found = [(pair.rhs, pair.side) for n in (Large, Larger, Small) for pair in conclusion(n(1))]
    assert found == [(10, Side.AT_MOST), (10, Side.AT_MOST), (2, Side.EXACT)]


def test_without_a_common_name_each_function_is_a_conclusion() -> None:
    """It asks its own cases and no others, and can be sharpened alone."""
    [check, stronger] = checks(*ROUTES, stronger=sharpened(large_le_ten, by=2))
    assert [each.__name__ for each in check.claim.then] == ["large_le_ten", "small_le_two"]
    assert [pair.rhs for pair in check.claim.pairs(Small(1))] == [2]
    assert [pair.lhs for pair in stronger.claim.pairs(Large(9))] == [11]
    assert [pair.lhs for pair in stronger.claim.pairs(Small(1))] == [1]


def test_routes_are_tried_in_order_until_one_refutes() -> None:
    """A refutation is the verdict, and later routes are not tried; else all count together."""
    tried = []

    def cases(*sizes: int) -> Iterator[Small]:
        tried.append(sizes)
        return map(Small, sizes)

    def routes(*families: tuple[int, ...]) -> Iterator[Route]:
        for sizes in families:
            yield chosen(lambda sizes=sizes: cases(*sizes), scope=f"{sizes}", then=small_le_two)

    [falls] = checks(*routes((0, 1), (2, 3), (1,)))
    verdict = falls.judged(QUICK)
    assert (verdict.outcome, verdict.cases, verdict.scope) == (Outcome.REFUTED, 2, "(2, 3)")
    assert tried == [(0, 1), (2, 3)]
    [holds] = checks(*routes((0, 1), (2,)))
    verdict = holds.judged(QUICK)
    assert (verdict.outcome, verdict.cases) == (Outcome.HOLDS, 3)
    assert verdict.scope == "(0, 1); survived: (2,)"


def test_one_route_may_ask_inequalities_by_sort() -> None:
    """Its cases of all sorts are counted together, in one verdict."""
    asked = {LARGE: large_le_ten, SMALL: small_le_two}
    [check] = checks(exactly([Small(2), Large(9), Large(11)], then=asked), name="le_most")
    verdict = check.judged(QUICK)
    assert (verdict.outcome, verdict.cases) == (Outcome.REFUTED, 3)


def test_a_stronger_form_may_have_a_route_of_its_own() -> None:
    """Its cases are asked what that route asks, and the claim is not judged on them."""
    own = exactly([Small(2)], about=SMALL, then=small_le_two)
    [check, stronger] = checks(ROUTES[0], stronger=sharpened(by=Fraction(1, 2), on=own))
    assert check.judged(QUICK).cases == 1
    assert stronger.judged(QUICK).outcome is Outcome.REFUTED


def test_situations_may_belong_to_one_route() -> None:
    """Only its own cases are asked for them."""
    [check] = checks(*ROUTES, name="le_most")
    assert check.judged(QUICK).reached == {"1": 1}


def test_all_cases_of_a_bound_need_not_exhaust_a_claim() -> None:
    """Then the evidence is what the route says; a refutation stays one."""
    options = {"count": 1, "scope": "one", "evidence": Evidence.SURVIVED, "then": small_le_two}
    [holds] = checks(every([Small(1)], **options))
    [falls] = checks(every([Small(3)], **options))
    assert holds.judged(QUICK).evidence is Evidence.SURVIVED
    assert falls.judged(QUICK).evidence is Evidence.WITNESS
