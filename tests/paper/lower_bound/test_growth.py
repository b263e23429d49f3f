"""Rates as exact limits along paths of parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
import sympy
from flint import fmpq

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import PROFILES, replay
from pbverify.claims.routes import Asked, in_the_limit
from pbverify.claims.verdict import Outcome, Verdict
from pbverify.errors import InputError
from pbverify.numerics import Truth, to_arb, working_precision
from pbverify.numerics.formula import Formula, compiled
from pbverify.paper.formulas import lower as f
from pbverify.paper.formulas import theorem
from pbverify.paper.formulas.algorithm import A
from pbverify.paper.lower_bound.growth import ALONG_DELAYS, Growth, Limits, LongDelays, Path, paths
from pbverify.paper.sorts import GROWTHS, PATHS

ONE, TWO, HALF = Fraction(1), Fraction(2), Fraction(1, 2)


def test_limits_by_hand() -> None:
    """T against D vanishes as q grows; q^2 against D; sqrt(T/delta) with delta = 1/2, enclosed."""
    assert Path(N=ONE).share(f.T, f.D) == fmpq(1, 2)
    assert Path(q=ONE, N=ONE).share(f.T, f.D) == 0
    assert Path(q=ONE).share(f.q**2, f.D) == fmpq(2, 5)
    share, root = Path(N=ONE).share(f.TIME_RATE.expression, f.T**HALF), to_arb(2).sqrt()
    assert to_arb(share).overlaps(root / (1 + root))


def test_order_is_two_pairs() -> None:
    """Of at least the order means a positive share; a negative quantity is refused by the other."""
    path = Path(N=ONE)
    assert [pair.truth for pair in path.at_least_of_order(f.T, f.D, name="x")] == [Truth.YES] * 2
    smaller = path.at_least_of_order(f.T**HALF, f.T, name="x")
    assert next(smaller).truth is Truth.NO
    negative = list(path.at_least_of_order(-2 * f.T, f.T, name="x"))
    assert Truth.NO in [pair.truth for pair in negative]


def test_what_is_negative_is_of_no_order() -> None:
    """A negative quantity that outgrows a positive one is refused, by limits and by orders."""
    path = Growth(T=ONE, D=TWO)
    assert path.share(f.T - f.D, f.T) == -1
    assert path.share(f.D - f.T, f.T) == 1
    assert not path.order(f.T - f.D).is_at_least(path.order(f.T))
    assert next(path.at_least_of_order(f.T - f.D, f.T, name="x")).truth is Truth.NO


@pytest.mark.parametrize(
    ("path", "x", "y"),
    [
        (Growth(T=ONE, D=TWO), f.D - f.T, f.T * sympy.log(f.D)),
        (Growth(T=ONE, D=TWO), f.T - f.D, f.T**2),
        (Growth(T=TWO, D=ONE), sympy.log(f.T), 1 + sympy.log(f.D)),
        (Growth(T=ONE), f.T - f.T / (1 + 1 / f.T), 1 + f.D),
        (LongDelays(T=ONE, log_delay=TWO), sympy.log(1 + f.D), f.T**2),
    ],
)
def test_limits_are_those_of_sympy(path: Limits, x: sympy.Expr, y: sympy.Expr) -> None:
    """The limit of y/x and the sign of x, also where terms cancel or a parameter is no power."""
    assert path.ratio(x, y) == path.ratio_by_sympy(x, y)


def test_a_limit_that_refutes_is_computed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """If sympy finds another limit than the orders, nothing is refuted."""
    path = Growth(T=ONE, D=TWO)
    assert path.share(f.T, f.D) == 0
    monkeypatch.setattr(Limits, "ratio_by_sympy", lambda path, x, y: (sympy.Integer(1), 1))
    with pytest.raises(AssertionError, match="sympy 1"):
        path.share(f.T, f.D)
    assert path.share(f.D, f.T) == 1


def test_paths_keep_the_margin_above_the_horizon() -> None:
    """Along every path delta T exceeds every bound, and margins are numbers >= 0."""
    found = list(paths(Fraction(0), ONE, margins=[Fraction(0), HALF, ONE]))
    assert all(path.margin < path.q + path.N for path in found)
    assert Path(N=ONE, margin=HALF) in found
    assert Path(q=ONE, N=ONE, margin=ONE) in found
    for bad in ({}, {"q": "1", "N": "1", "margin": "x"}, {"q": "1", "N": "1", "margin": "-1"}):
        with pytest.raises(InputError):
            Path.rebuild({"parameters": bad})


def test_long_blocks() -> None:
    """If q outgrows 1/delta, q delta grows and the bound is sqrt(V) without delta."""
    assert Path(q=ONE, margin=HALF).has_long_blocks
    assert not Path(q=ONE, N=ONE, margin=ONE).has_long_blocks
    assert f.delta not in Path(q=ONE, N=ONE).block_bound.free_symbols
    assert f.delta in Path(N=ONE).block_bound.free_symbols


def test_free_growth_by_hand() -> None:
    """T = n^2, D = n, A = 2 n, delta = 1/(2 n): shares of known limits."""
    path = Growth(T=Fraction(2), D=ONE, A=ONE, margin=ONE)
    assert path.share(f.T, f.D) == 1
    assert path.share(1 / f.delta, f.D) == fmpq(2, 3)
    assert path.share(A, f.D) == fmpq(2, 3)
    assert path.share(f.D, f.T) == 0


def test_up_to_logs_hides_logarithms_and_nothing_else() -> None:
    """D ln(D)^2 is O~(D), D^(3/2) is not; a logarithm of 1/delta alone is not hidden."""
    path = Growth(T=ONE, D=ONE)
    logs = f.D * sympy.log(f.D + 1) ** 2
    assert all(p.truth is Truth.YES for p in path.at_most_up_to_logs(logs, f.D, name="x"))
    more = f.D ** sympy.Rational(3, 2)
    assert next(path.at_most_up_to_logs(more, f.D, name="x")).truth is Truth.NO
    margin, one = Growth(margin=ONE), sympy.Integer(1)
    hidden = margin.at_most_up_to_logs(sympy.log(1 / f.delta), one, name="x")
    assert next(hidden).truth is Truth.NO


def test_growth_keeps_the_margin_below_the_arms() -> None:
    """delta <= 1/A along every path; whether delta T vanishes is told."""
    with pytest.raises(InputError, match="margin >= A"):
        Growth(A=ONE)
    assert Growth(T=ONE, margin=ONE).says_something
    assert not Growth(margin=ONE).says_something


@pytest.mark.parametrize(
    ("total", "grows"), [(theorem.TOTAL, True), (theorem.TOTAL_REPAIRED, False)]
)
def test_limits_agree_with_values_far_out(total: Formula, *, grows: bool) -> None:
    """The limits of the theorem's sums have the direction that enclosures show at huge n."""
    path = Growth(T=Fraction(4), D=Fraction(4), margin=ONE)
    counts = {
        theorem.S: theorem.STAGES_LEAST.expression,
        theorem.K: theorem.PHASES_LEAST.expression,
    }
    sum_ = theorem.with_entropy(total.expression.subs(counts))
    rate = theorem.with_entropy(theorem.RATE.expression) * theorem.POLYLOG.expression**3
    assert path.share(rate, sum_) == (0 if grows else 1)
    ratio = compiled(path.along(sum_ / rate))
    with working_precision(256) as balls:
        near, far = (to_arb(ratio(balls, {"n": fmpq(10) ** digits})) for digits in (100, 200))
        assert (far > near) if grows else (far < near)


def horizon_grows_with_the_delay(path: Path) -> Iterator[Pair]:
    yield from path.at_least_of_order(f.T, f.D, name="T against D")


def test_the_delays_of_the_corollary_have_paths_of_their_own() -> None:
    """T is of the order of D along those with q = 1 only, and a harder look takes more of them."""
    always: Claim[Any] = Claim("c", Kind.RATE, "", (lambda path: iter([Pair(0, 1)]),), about=PATHS)
    asked = [Asked("any", PROFILES[name]) for name in ("default", "thorough")]
    cases = [verdict.cases for each in asked for verdict in ALONG_DELAYS.verdicts(always, each)]
    assert cases == sorted(set(cases))
    claim: Claim[Any] = Claim("c", Kind.RATE, "", (horizon_grows_with_the_delay,), about=PATHS)
    [verdict] = ALONG_DELAYS.verdicts(claim, Asked("any", PROFILES["quick"]))
    assert verdict.witness is not None
    assert verdict.witness.subject["parameters"]["q"] == "1"


def delay_is_of_the_horizon(path: Growth) -> Iterator[Pair]:
    yield from path.at_most_up_to_logs(f.D, f.T, name="D against T")


def delay_is_of_its_root(path: Growth) -> Iterator[Pair]:
    yield from path.at_most_up_to_logs(f.D**2, f.T, name="D^2 against T")


SMALL: Claim[Any] = Claim(
    *("r", Kind.RATE, "D is O~(T)"),
    then=(delay_is_of_the_horizon,),
    must_meet={"equal": lambda path: path.T == path.D},
    about=GROWTHS,
)
ALONG = (Growth(T=TWO, D=ONE), Growth(T=ONE, D=ONE))


def judged(claim: Claim[Any], *along: Growth) -> Verdict:
    [verdict] = in_the_limit(along).verdicts(claim, Asked("any", PROFILES["quick"]))
    return verdict


def test_rates_are_judged_along_their_paths() -> None:
    """A rate that is reached on all paths holds, with its cases counted."""
    verdict = judged(SMALL, *ALONG)
    assert (verdict.outcome, verdict.cases) == (Outcome.HOLDS, 2)
    assert verdict.reached == {"equal": 1}
    assert verdict.scope == "2 paths of powers of n"


def test_stronger_rates_fall_on_a_path_that_replays() -> None:
    """Another conclusion, on the same or on other paths, is a known-false form."""
    root = dataclasses.replace(SMALL, then=(delay_is_of_its_root,))
    for claim, along in ((root, ALONG), (SMALL, (Growth(T=ONE, D=TWO),))):
        verdict = judged(claim, *along)
        assert verdict.witness is not None
        assert replay(claim, verdict.witness) is Truth.YES
