r"""Delayed safety lower bound (pbthm:delayed-safe-lb).

Admissible delays with total D, greedy buckets, a bucket j, V_j = sum of L_m^2 over m >= j, and a
margin delta in [L_j/(64 V_j), 1/A]. For x^c of the batched lemma and every delayed learner there
are losses such that

    R_T(x^c) <= log D   implies   max_x R_T(x) >= B_{log D} with V_j / L_j,
    V_j >= (delay outside S_j) =: H,

and the same with H in place of V_j in the leading term. The theorem is the batched bound on the
suffix, carried over by the simulation; here the learner plays on its delays, zero prefix included,
in both conventions, and all transcripts are enumerated.

Kind: expectation; V_j >= H combinatorial; the second bound closed-form.
Uses: greedy-buckets/lengths, greedy-buckets/delay-mass, batched-lower-bound, delay-to-batch.

Erratum: true as stated, but weak: V_j / L_j <= T + 1 - b_j whatever the delays (see
lower-bound/rate), and at the least margin that the theorem admits the bound is negative for every
D >= 2. H is not D: already V_1 >= D is false, for (4, 1, 1, 1). Even V_j >= H + L_M^2 holds.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import pytest
import sympy

from pbverify.claims.bounds import Bound
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.closed_form import closed_form, proved, with_lhs
from pbverify.claims.judging import survive, visit
from pbverify.claims.profile import Profile
from pbverify.numerics import Truth, less
from pbverify.paper.formulas import lower as f
from pbverify.paper.kernels.walks import PROPERTIES, counted, exhausted, horizon_of, unordered
from pbverify.paper.lower_bound import proof_steps as chain
from pbverify.paper.lower_bound.buckets import Bucketing, all_admissible, delays_never_increase
from pbverify.paper.lower_bound.families import bucketings, on_delays
from pbverify.paper.lower_bound.learner_in_game import DelayedStudy
from pbverify.paper.lower_bound.without_assumptions import thin_delayed
from pbverify.paper.sorts import BUCKETINGS, DELAYED_STUDIES
from pbverify.pytest_plugin import Judge

LABEL = "pbthm:delayed-safe-lb"


def hidden_delay_le_squares(cut: Bucketing) -> Iterator[Pair]:
    for j in range(1, len(cut.buckets) + 1):
        yield Pair(cut.hidden_delay(j), cut.squares(j), where={"j": j})


def total_delay_le_squares(cut: Bucketing) -> Iterator[Pair]:
    yield Pair(cut.total, cut.squares(), where={"V_1": "against D"})


REGIMES: dict[str, Callable[[DelayedStudy], bool]] = {
    "a zero prefix": lambda study: study.j > 1,
    "a safe learner": chain.is_safe,
    "a positive bound": lambda study: less(0, chain.bound_of(study)) is Truth.YES,
    "the least margin": lambda s: s.delta * 64 * s.game.V == s.game.lengths[0],
}

STATEMENT = Claim(
    "delayed-lower-bound",
    kind=Kind.EXPECTATION,
    statement="some losses: R_T(x^c) > log D or max_x R_T(x) >= B_{log D} with V_j / L_j",
    then=(chain.some_table_is_hard,),
    given=(chain.case_is_decided, chain.margin_is_admissible),
    must_meet=REGIMES,
    label=LABEL,
    about=DELAYED_STUDIES,
)
HIDDEN = Claim(
    "delayed-lower-bound/hidden-delay",
    kind=Kind.COMBINATORIAL,
    statement="the delay outside S_j is at most V_j",
    then=(hidden_delay_le_squares,),
    given=(delays_never_increase,),
    must_meet={"several buckets": lambda cut: len(cut.buckets) > 1},
    label=LABEL,
    about=BUCKETINGS,
)
_share = sympy.Symbol("h", nonnegative=True)
_ratio = sympy.simplify(f.LEADING.expression.subs(f.V, _share * f.V) / f.LEADING.expression)
SECOND_BOUND = closed_form(
    "delayed-lower-bound/second-bound",
    "with H = h V_j, h <= 1, in place of V_j the leading term does not grow",
    Bound("H <= V_j", _ratio, sympy.Integer(1), ("h >= 0", "h <= 1")),
    label=LABEL,
)
CLAIMS = (STATEMENT, HIDDEN, SECOND_BOUND)

ABLATIONS = (unordered(HIDDEN, horizon=6), thin_delayed(STATEMENT))

# Known false: no regret exceeds T; two unit delays leave a gap of one; twice the leading term.
STATEMENT_MORE = STATEMENT.sharpened(chain.some_table_is_hard, by=10)
HIDDEN_MORE = HIDDEN.sharpened(hidden_delay_le_squares, by=2)
# Known false: V_1 covers the delay outside the first bucket, but not all of D: (4, 1, 1, 1).
ALL_DELAY = dataclasses.replace(HIDDEN, id=f"{HIDDEN.id}!all", then=(total_delay_le_squares,))
SECOND_MORE = with_lhs(SECOND_BOUND, "H <= V_j", 2 * _ratio)


def test_chosen_learners(judge: Judge, profile: Profile) -> None:
    """No learner of the list escapes the theorem on short delay sequences."""
    judge(on_delays(STATEMENT, profile))


def test_hidden_delay(judge: Judge, profile: Profile) -> None:
    """No admissible sequence hides more delay than V_j."""
    judge(exhausted(HIDDEN, horizon=profile.exhaustive_size + 2))
    judge(counted(HIDDEN, PROPERTIES[HIDDEN.id], horizon=horizon_of(profile)))
    judge(survive(HIDDEN, bucketings(), examples=profile.examples // 3))
    judge(visit(HIDDEN, [Bucketing((1,) * 200)], scope="unit delays, T = 200"))


@pytest.mark.closed_form
def test_second_bound(judge: Judge) -> None:
    """The second displayed bound follows from the first."""
    judge(proved(SECOND_BOUND))


def test_assumptions(judge: Judge) -> None:
    """The order of the delays is dropped, and the least margin."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_stronger_versions_are_refuted(judge: Judge, profile: Profile) -> None:
    """Each claim sharpened falls, and its witness replays."""
    judge.teeth(on_delays(STATEMENT_MORE, profile), of=STATEMENT_MORE)
    judge.teeth(exhausted(HIDDEN_MORE, horizon=2), of=HIDDEN_MORE)
    judge.teeth(exhausted(ALL_DELAY, horizon=4), of=ALL_DELAY)
    judge.teeth(proved(SECOND_MORE), of=SECOND_MORE)


def test_a_wrong_sum_is_caught() -> None:
    """Squares that leave out the first block no longer cover the hidden delay."""

    class Short(Bucketing):
        def squares(self, j: int = 1) -> int:
            return Bucketing.squares(self, j + 1)

    wrong = [Short(cut.delays) for cut in all_admissible(horizon=8)]
    assert visit(HIDDEN, wrong, scope="").witness is not None
