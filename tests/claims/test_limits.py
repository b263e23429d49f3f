"""Claims about rates with their paths."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pbverify.claims.claim import Kind, Pair
from pbverify.claims.judging import replay
from pbverify.claims.limits import rate
from pbverify.claims.verdict import Outcome
from pbverify.numerics import Truth
from pbverify.paper.formulas.algorithm import D, T
from pbverify.paper.lower_bound.growth import Growth

ONE, TWO = Fraction(1), Fraction(2)


def delay_is_of_the_horizon(path: Growth) -> Iterator[Pair]:
    yield from path.at_most_up_to_logs(D, T, name="D against T")


def delay_is_of_its_root(path: Growth) -> Iterator[Pair]:
    yield from path.at_most_up_to_logs(D**2, T, name="D^2 against T")


SMALL = rate(
    "r",
    "D is O~(T)",
    delay_is_of_the_horizon,
    (Growth(T=TWO, D=ONE), Growth(T=ONE, D=ONE)),
    must_meet={"equal": lambda path: path.T == path.D},
    label="l",
)


def test_rates_are_judged_along_their_paths() -> None:
    """A rate that is reached on all paths holds, with its cases counted."""
    verdict = SMALL.verdict()
    assert SMALL.claim.kind is Kind.RATE
    assert (verdict.outcome, verdict.cases) == (Outcome.HOLDS, 2)
    assert verdict.regimes == {"equal": 1}
    assert verdict.scope == "2 paths of powers of n"


def test_stronger_rates_fall_on_a_path_that_replays() -> None:
    """Another conclusion, on the same or on other paths, is a known-false form."""
    for stronger in (
        SMALL.stronger(delay_is_of_its_root),
        SMALL.stronger(delay_is_of_the_horizon, Growth(T=ONE, D=TWO)),
    ):
        verdict = stronger.verdict()
        assert stronger.claim.id == "r!stronger"
        assert verdict.witness is not None
        assert replay(stronger.claim, verdict.witness) is Truth.YES
