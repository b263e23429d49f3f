"""Routes of evidence: which of their verdicts count, and how many cases they generate."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import Profile
from pbverify.claims.routes import Asked, Route, chosen, generated
from pbverify.claims.verdict import Outcome

ASKED = Asked("any", Profile("few", examples=10, exhaustive_size=1))


@dataclasses.dataclass(frozen=True)
class Number:
    n: int

    def witness_fields(self) -> dict[str, Any]:
        return {"parameters": {"n": self.n}}


def is_at_most_two(number: Number) -> Iterator[Pair]:
    yield Pair(number.n, 2)


CLAIM = Claim("small", Kind.COMBINATORIAL, "n <= 2", (is_at_most_two,), must_meet={"none": bool})


def numbers(*values: int, **options: Any) -> Route:
    return chosen(lambda: map(Number, values), **options)


def test_a_route_that_only_refutes_leaves_no_other_trace() -> None:
    """Cases without a violation do not count; a violation does."""
    assert list(numbers(1, 2, only_refutes=True).found(CLAIM, ASKED)) == []
    [verdict] = numbers(1, 3, only_refutes=True).found(CLAIM, ASKED)
    assert (verdict.outcome, verdict.cases) == (Outcome.REFUTED, 2)


def test_a_route_may_look_for_violations_of_one_sort() -> None:
    """The first even violation is reported, and situations to be met are not asked for."""
    [verdict] = numbers(3, 5, 6, such_that=lambda number: number.n % 2 == 0).found(CLAIM, ASKED)
    assert verdict.witness is not None
    assert verdict.witness.subject == {"parameters": {"n": 6}}
    assert verdict.reached == {}


@pytest.mark.parametrize(("share", "least", "cases"), [(2, 0, 5), (5, 3, 3), (1, 3, 10)])
def test_a_share_of_the_cases_is_generated_but_not_too_few(
    share: int, least: int, cases: int
) -> None:
    """The profile's number over the share, or the least number if that is more."""
    strategy = st.integers(-(10**9), 0).map(Number)
    [verdict] = generated(strategy, share=share, least=least).found(CLAIM, ASKED)
    assert verdict.cases == cases
