r"""A delay sequence with linear dependence on total delay (linear-total-delay).

For q, N >= 1 and T = (N + 1) q, the delays d_t = min(q, T + 1 - t) have N + 1 greedy buckets of
length q, total delay D = N q^2 + q (q + 1)/2, and

    V_1 = (N + 1) q^2,   V_1/L_1 = (N + 1) q = D/q + (q - 1)/2,   (delay outside S_1)/L_1 = D/q - q,

so that the least margin is 1/(64 (D/q + (q - 1)/2)). For q = 1 the theorem's bound reads

    3/256 delta^(-1/2) D^(1/2) - (log D)^(1/2)/(32 sqrt 2) delta^(-3/4) D^(1/4) - log D.

Kind: closed-form; the buckets combinatorial. Uses: delayed-lower-bound.

Erratum: all identities are right, but the bound is printed for q = 1 only, where D = T; for q > 1
the leading term is that of V_1/L_1 = T, not of D. And under the convention that the simulation
announces (feedback of round u is delivered before the action of round u + d_u), q = 1 is the game
without delay: no action is ever chosen while feedback is missing (`/delayed`, which is our reading
of the title, not a printed statement). Under the protocol's own convention (feedback at the end of
round u + d_u) one item is outstanding in every round but the first.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator

import pytest
import sympy

from pbverify.bandits.delays import Delays
from pbverify.claims.bounds import Bound, Point
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.closed_form import closed_form, proved, with_lhs
from pbverify.claims.judging import exhaust, visit
from pbverify.claims.profile import Profile
from pbverify.claims.verdict import Verdict
from pbverify.numerics import BallArithmetic, Number, to_fmpq
from pbverify.numerics.formula import Formula
from pbverify.paper.formulas import lower as f
from pbverify.paper.lower_bound.buckets import Bucketing, constant_delays
from pbverify.paper.lower_bound.simulation import Convention
from pbverify.paper.sorts import BUCKETINGS
from pbverify.pytest_plugin import Judge

LABEL = "linear-total-delay"
_D = {f.D: f.TOTAL_DELAY.expression}


def identity(name: str, lhs: sympy.Expr, rhs: sympy.Expr) -> Bound:
    return Bound(name, lhs, rhs, relation=Relation.EQUAL)


STATEMENT = closed_form(
    "corollary/linear-total-delay",
    "V_1/L_1 = D/q + (q-1)/2, H/L_1 = D/q - q, the least margin; for q = 1 the bound in D",
    identity("V_1/L_1 = (N + 1) q", f.SQUARES.expression / f.q, f.HORIZON.expression),
    identity("V_1/L_1", f.HORIZON.expression, f.SQUARES_OVER_LENGTH.expression.subs(_D)),
    identity(
        "H/L_1",
        (f.TOTAL_DELAY.expression - f.q**2) / f.q,
        f.HIDDEN_OVER_LENGTH.expression.subs(_D),
    ),
    identity(
        "least margin",
        f.LEAST_MARGIN.expression.subs(f.L, f.q).subs(f.V, f.SQUARES.expression),
        f.MARGIN_OF_COROLLARY.expression.subs(_D),
    ),
    identity("q = 1: V_1/L_1 = D", f.HORIZON.expression.subs(f.q, 1), _D[f.D].subs(f.q, 1)),
    identity(
        "q = 1: the bound",
        f.UNIT_BOUND.expression,
        f.B_LAMBDA.expression.subs(f.L, 1).subs(f.V, f.D).subs(f.Lambda, sympy.log(f.D)),
    ),
    label=LABEL,
)


def length(cut: Bucketing) -> int:
    """q: the first delay of a sequence of the corollary."""
    return cut.delays[0]


def at(formula: Formula, cut: Bucketing) -> Number:
    """A formula in q and N at a sequence of the corollary."""
    q, T = length(cut), cut.horizon
    known = {"q": to_fmpq(q), "N": to_fmpq(T // q - 1), "D": to_fmpq(cut.total)}
    return formula(BallArithmetic(), **{name: known[name] for name in formula.variables})


def sequence_is_admissible(cut: Bucketing) -> Iterator[Pair]:
    for t, (delay, after) in enumerate(itertools.pairwise(cut.delays), start=1):
        yield Pair(after, delay, where={"order": t})


def buckets_have_length_q(cut: Bucketing) -> Iterator[Pair]:
    for m, found in enumerate(cut.lengths, start=1):
        yield Pair(found, length(cut), Relation.EQUAL, where={"L": m})


def sums_are_as_printed(cut: Bucketing) -> Iterator[Pair]:
    ratio = at(f.SQUARES_OVER_LENGTH, cut)
    pairs: dict[str, tuple[Number, Number]] = {
        "T": (cut.horizon, at(f.HORIZON, cut)),
        "D": (cut.total, at(f.TOTAL_DELAY, cut)),
        "V_1": (cut.squares(), at(f.SQUARES, cut)),
        "V_1/L_1": (to_fmpq(cut.squares()) / length(cut), ratio),
        "H/L_1": (to_fmpq(cut.hidden_delay(1)) / length(cut), at(f.HIDDEN_OVER_LENGTH, cut)),
    }
    for name, (found, printed) in pairs.items():
        yield Pair(found, printed, Relation.EQUAL, where={"quantity": name})


def most_outstanding(cut: Bucketing, convention: Convention) -> int:
    """The most items that are missing when an action is chosen."""
    waits = [convention.arrival(t, d) - t for t, d in enumerate(cut.delays, start=1)]
    return int(Delays(waits).outstanding().max())


def something_is_outstanding(cut: Bucketing) -> Iterator[Pair]:
    """Under the announced convention, some action is chosen while feedback is missing."""
    yield Pair(1, most_outstanding(cut, Convention.BEFORE), where={"outstanding": "most"})


def is_of_the_corollary(cut: Bucketing) -> bool:
    q, T = length(cut), cut.horizon
    return T % q == 0 and q < T and cut == constant_delays(q=q, N=T // q - 1)


def has_unit_delays(cut: Bucketing) -> bool:
    return length(cut) == 1


REGIMES: dict[str, Callable[[Bucketing], bool]] = {
    "q = 1": has_unit_delays,
    "q > 1": lambda cut: length(cut) > 1,
}
BUCKETS = Claim(
    "corollary/linear-total-delay/buckets",
    kind=Kind.COMBINATORIAL,
    statement="d_t = min(q, T+1-t) is non-increasing, has N + 1 buckets of length q, and D, V_1, H",
    given=(is_of_the_corollary,),
    then=(sequence_is_admissible, buckets_have_length_q, sums_are_as_printed),
    must_meet=REGIMES,
    label=LABEL,
    about=BUCKETINGS,
)
DELAYED = Claim(
    "corollary/linear-total-delay/delayed",
    kind=Kind.COMBINATORIAL,
    statement="under the convention announced in the simulation proof, in the game of the q = 1 "
    "bound, feedback is missing when some action is chosen",
    then=(something_is_outstanding,),
    given=(is_of_the_corollary, has_unit_delays),
    label=LABEL,
    about=BUCKETINGS,
)
CLAIMS = (STATEMENT, BUCKETS, DELAYED)

# Known false: the identity of q = 1 for other q, and sums that are off by one.
FOR_ALL_Q = with_lhs(STATEMENT, "V_1/L_1", f.TOTAL_DELAY.expression)
BUCKETS_MORE = BUCKETS.sharpened(buckets_have_length_q, by=1)
SUMS_MORE = BUCKETS.sharpened(sums_are_as_printed, by=1)


def sequences(size: int) -> Iterator[Bucketing]:
    for q, N in itertools.product(range(1, size + 1), repeat=2):
        yield constant_delays(q=q, N=N)


def exhausted(claim: Claim[Bucketing], profile: Profile) -> Verdict:
    size = 2 * profile.exhaustive_size
    return exhaust(claim, sequences(size), count=size**2, scope=f"all q, N <= {size}")


@pytest.mark.closed_form
def test_identities(judge: Judge) -> None:
    """Every identity of the corollary holds for all q and N, and its bound is the theorem's."""
    judge(proved(STATEMENT))


def test_buckets(judge: Judge, profile: Profile) -> None:
    """The greedy buckets and all sums are as printed."""
    judge(exhausted(BUCKETS, profile))


def test_unit_delays_are_no_delay(judge: Judge) -> None:
    """With q = 1 nothing is ever outstanding, under the convention that the proof announces."""
    verdict = visit(DELAYED, (constant_delays(q=1, N=N) for N in (1, 2)), scope="q = 1")
    judge(verdict, of=DELAYED)


@pytest.mark.parametrize("N", [1, 2, 10])
def test_unit_delays_are_a_delay_of_the_protocol(N: int) -> None:
    """With q = 1 one item is outstanding if feedback comes at the end of round u + d_u."""
    assert most_outstanding(constant_delays(q=1, N=N), Convention.AFTER) == 1


@pytest.mark.parametrize("claim", [BUCKETS_MORE, SUMS_MORE], ids=["lengths", "sums"])
def test_stronger_versions_are_refuted(
    claim: Claim[Bucketing], judge: Judge, profile: Profile
) -> None:
    """Sums that are off by one fall at once."""
    judge.teeth(exhausted(claim, profile), of=claim)


@pytest.mark.closed_form
def test_linear_for_every_q_is_refuted(judge: Judge) -> None:
    """V_1/L_1 = D does not hold for every q."""
    claim: Claim[Point] = FOR_ALL_Q
    judge.teeth(proved(claim), of=claim)


def test_a_wrong_sequence_is_caught() -> None:
    """A sequence that is one round longer, taken for one of the corollary's, has other sums."""
    anything = dataclasses.replace(BUCKETS, given=())
    longer = [Bucketing((cut.delays[0], *cut.delays)) for cut in sequences(3) if length(cut) > 1]
    assert visit(anything, longer, scope="").witness is not None
