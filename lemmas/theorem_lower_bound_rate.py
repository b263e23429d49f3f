r"""The rate of the lower bound (thm:delay-side-safety-lb-informal and the paragraph after it).

The main text claims a delay-side bound of order sqrt(D/delta), and combined with the horizon

    R_T >= Omega(sqrt(T/delta) + sqrt(D/delta)) - O(delta^(-3/4) (T^(1/4) + D^(1/4))).

What the construction gives is governed by V_j/L_j. Since no later block is longer,

    V_j = sum of L_m^2 <= L_j sum of L_m = L_j (T + 1 - b_j),

so its leading term never exceeds 3/256 sqrt(T/delta), whatever the delays: it supports the order
sqrt(T/delta), which needs no delay, and sqrt(D/delta) only when D is of order T (q = 1: D = T).
Along q -> infinity, where D/T -> infinity, it is of smaller order than sqrt(D/delta). Nor can the
combined bound be true for all T, D and delta: no regret exceeds T, and sqrt(D/delta) does once
D > delta T^2. And the theorem's condition delta >= L_j/(64 V_j) lets in margins at which the bound
is negative; what makes it positive is delta V_j/L_j of order (log D)^2: that delta V_j/L_j grows
beyond bounds is not enough (delta = log(D)/D with q = 1).

The paper prints both bounds for some delay sequences ("there exist", "we obtain delay and loss
sequences"). So read they are supported, by q = 1 (`/unit-delays`); what is refuted here is read for
all delays (`/rate`, `/combined`) and all margins (`/margin`), which "optimal ... in the delayed
regime" needs, and which is printed nowhere.

What holds instead, with another construction, is in `theorem_block_lower_bound.py`.

Kind: rate; the bound on V_j/L_j combinatorial, formulas closed-form.
Uses: delayed-lower-bound, corollary/linear-total-delay.

Erratum: "optimal ... both in the delayed and non-delayed regimes" goes beyond the construction
unless D is of order T.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import pytest
import sympy

from pbverify.claims.best_constants import Constant, c, with_constants
from pbverify.claims.bounds import Bound
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.closed_form import closed_form, proved, with_lhs
from pbverify.claims.judging import survive, visit
from pbverify.claims.limits import along_delays
from pbverify.claims.profile import Profile
from pbverify.paper.formulas import lower as f
from pbverify.paper.kernels.walks import PROPERTIES, counted, exhausted, horizon_of, unordered
from pbverify.paper.lower_bound.buckets import Bucketing, all_admissible, delays_never_increase
from pbverify.paper.lower_bound.families import bucketings
from pbverify.paper.lower_bound.growth import Path
from pbverify.paper.sorts import BUCKETINGS
from pbverify.paper.sorts import PATHS as GROWTH_PATHS
from pbverify.pytest_plugin import Judge

INFORMAL, SECTION = "thm:delay-side-safety-lb-informal", "sec:lower-bound"
LOG_D = {f.Lambda: sympy.log(f.D)}
DELAY, TIME = f.DELAY_RATE.expression, f.TIME_RATE.expression


def construction_reaches_delay_rate(path: Path) -> Iterator[Pair]:
    most = sympy.Rational(3, 256) * TIME  # what V_j/L_j <= T leaves of the leading term
    yield from path.at_least_of_order(most, DELAY, name="sqrt(T/delta) against sqrt(D/delta)")


def horizon_reaches_combined_rate(path: Path) -> Iterator[Pair]:
    combined = TIME + DELAY - f.LOWER_ORDER.expression
    yield from path.at_least_of_order(f.T, combined, name="T against the combined bound")


def construction_reaches_time_rate(path: Path) -> Iterator[Pair]:
    bound = f.B_LAMBDA.expression.subs(LOG_D)
    yield from path.at_least_of_order(bound, TIME, name="B_{log D} against sqrt(T/delta)")


def squares_le_horizon(cut: Bucketing) -> Iterator[Pair]:
    for j, bucket in enumerate(cut.buckets, start=1):
        rest = cut.horizon + 1 - bucket.first
        yield Pair(cut.squares(j), bucket.length * rest, where={"j": j})


PATHS: dict[str, Callable[[Path], bool]] = {
    "D of order T": lambda path: path.q == 0,
    "D/T unbounded": lambda path: path.q > 0,
    "a margin that shrinks": lambda path: path.margin > 0,
}


def about_rates(id: str, statement: str, then: Callable[[Path], Iterator[Pair]]) -> Claim[Path]:
    return Claim(
        id,
        kind=Kind.RATE,
        statement=statement,
        then=(then,),
        must_meet=PATHS,
        label=SECTION,
        about=GROWTH_PATHS,
    )


STATEMENT = about_rates(
    "lower-bound/rate",
    "whatever D >= T, the construction's leading term is of order sqrt(D/delta)",
    construction_reaches_delay_rate,
)
COMBINED = about_rates(
    "lower-bound/rate/combined",
    "for all T, D and delta a regret of the order of the combined bound is possible",
    horizon_reaches_combined_rate,
)
SUPPORTED = about_rates(
    "lower-bound/rate/supported",
    "if delta T/(log D)^2 grows beyond bounds, B_{log D} is of order sqrt(T/delta)",
    construction_reaches_time_rate,
)
AT_MOST_HORIZON = Claim(
    "lower-bound/rate/at-most-horizon",
    kind=Kind.COMBINATORIAL,
    statement="V_j/L_j <= T + 1 - b_j",
    then=(squares_le_horizon,),
    given=(delays_never_increase,),
    must_meet={"D > T": lambda cut: cut.total > cut.horizon},
    label=SECTION,
    about=BUCKETINGS,
)
_q1 = {f.q: 1}
UNIT_DELAYS = closed_form(
    "lower-bound/rate/unit-delays",
    "for q = 1, D = T and the leading term is 3/256 sqrt(D/delta)",
    Bound(
        "D = T",
        f.TOTAL_DELAY.expression.subs(_q1),
        f.HORIZON.expression.subs(_q1),
        relation=Relation.EQUAL,
    ),
    Bound(
        "leading term",
        f.LEADING.expression.subs(f.V, f.SQUARES.expression).subs(f.L, f.q).subs(_q1),
        (sympy.Rational(3, 256) * DELAY).subs(f.D, f.TOTAL_DELAY.expression).subs(_q1),
        relation=Relation.EQUAL,
    ),
    label=INFORMAL,
)
# At the least margin 1/(64 D) of q = 1; the claim is 0 <= B, as -B <= 0.
_at_least = f.UNIT_BOUND.expression.subs(f.delta, 1 / (64 * f.D))
MARGIN = closed_form(
    "lower-bound/rate/margin",
    "the displayed bound is nonnegative at every margin that the theorem admits (q = 1, least)",
    Bound("0 <= bound", -_at_least, sympy.Integer(0), ("D >= 2",)),
    label=SECTION,
)
# delta = s (16384/81) Lambda^2 L/V with s >= 1: the second term is at most half the leading one.
_s = sympy.Symbol("s", positive=True)
_wide = {f.delta: _s * sympy.Rational(16384, 81) * f.Lambda**2 * f.L / f.V}
_positive = {f.Lambda: sympy.Symbol("Lambda", positive=True)}
_shares = sympy.simplify((f.SECOND.expression / f.LEADING.expression).subs(_wide).subs(_positive))
MARGIN_REPAIRED = closed_form(
    "lower-bound/rate/margin@repaired",
    "if delta V/L >= (16384/81) Lambda^2 then B_Lambda >= half the leading term - Lambda",
    Bound("second <= half of leading", _shares, sympy.Rational(1, 2), ("s >= 1",)),
    label=SECTION,
)
# delta = s^4 Lambda^2 L/V, so s^4 = 16384/81 is the repair's factor.
_share = (f.SECOND.expression / f.LEADING.expression).subs(f.delta, _s**4 * f.Lambda**2 * f.L / f.V)
_root = sympy.root(sympy.Rational(16384, 81), 4)
BEST = {
    MARGIN_REPAIRED.id: (
        Constant(
            Bound(
                "fourth root c of the factor", sympy.simplify(_share.subs(_positive)) * _s, c / 2
            ),
            printed=_root,
            best=_root,
            attained="equality",
        ),
    ),
}
CLAIMS = (STATEMENT, COMBINED, SUPPORTED, AT_MOST_HORIZON, UNIT_DELAYS, MARGIN, MARGIN_REPAIRED)

ABLATIONS = (unordered(AT_MOST_HORIZON, horizon=5),)

# Known false: the supported rate is not that of D; one more than V_j/L_j; D = T for q = 2; no half,
# nor a half where delta V/L only exceeds (16384/81) Lambda.
SUPPORTED_MORE = dataclasses.replace(
    SUPPORTED, id=f"{SUPPORTED.id}!stronger", then=(construction_reaches_delay_rate,)
)
HORIZON_MORE = AT_MOST_HORIZON.sharpened(squares_le_horizon, by=1)
UNIT_MORE = with_lhs(UNIT_DELAYS, "D = T", f.TOTAL_DELAY.expression.subs(f.q, 2))
MARGIN_MORE = with_lhs(MARGIN_REPAIRED, "second <= half of leading", 2 * _shares)
MARGIN_WIDER = with_lhs(
    MARGIN_REPAIRED, "second <= half of leading", _shares * sympy.root(f.Lambda, 4)
)


@pytest.mark.closed_form
def test_rates_that_go_too_far(judge: Judge, profile: Profile) -> None:
    """Neither the delay-side rate nor the combined one is reached along every path."""
    for claim in (STATEMENT, COMBINED):
        judge(along_delays(claim, profile), of=claim)


@pytest.mark.closed_form
def test_the_rate_that_is_supported(judge: Judge, profile: Profile) -> None:
    """The construction gives sqrt(T/delta), lower-order terms included."""
    judge(along_delays(SUPPORTED, profile))


def test_the_horizon_bounds_the_construction(judge: Judge, profile: Profile) -> None:
    """No admissible sequence gives V_j/L_j more than the rounds from b_j on."""
    judge(exhausted(AT_MOST_HORIZON, horizon=profile.exhaustive_size + 2))
    judge(counted(AT_MOST_HORIZON, PROPERTIES[AT_MOST_HORIZON.id], horizon=horizon_of(profile)))
    judge(survive(AT_MOST_HORIZON, bucketings(), examples=profile.examples // 3))


@pytest.mark.closed_form
def test_formulas(judge: Judge) -> None:
    """q = 1 gives the rate in D; the least margin gives nothing; a wider one gives half."""
    judge(proved(UNIT_DELAYS))
    judge(proved(MARGIN))
    judge(with_constants(proved(MARGIN_REPAIRED), BEST[MARGIN_REPAIRED.id]))


def test_assumptions(judge: Judge) -> None:
    """The order of the delays is dropped."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_stronger_versions_are_refuted(judge: Judge, profile: Profile) -> None:
    """Each claim sharpened falls, and its witness replays."""
    judge.teeth(along_delays(SUPPORTED_MORE, profile), of=SUPPORTED_MORE)
    judge.teeth(exhausted(HORIZON_MORE, horizon=2), of=HORIZON_MORE)
    judge.teeth(proved(UNIT_MORE), of=UNIT_MORE)
    for claim in (MARGIN_MORE, MARGIN_WIDER):
        judge.teeth(proved(claim), of=claim)


def test_a_wrong_sum_is_caught() -> None:
    """Squares with one block counted twice exceed the bound."""

    class Twice(Bucketing):
        def squares(self, j: int = 1) -> int:
            return Bucketing.squares(self, j) + self.lengths[j - 1] ** 2

    wrong = [Twice(cut.delays) for cut in all_admissible(horizon=3)]
    assert visit(AT_MOST_HORIZON, wrong, scope="").witness is not None
