r"""The doubling update on integers (lem:delay-estimator, eq:doubling_bounds).

The proof sets D^_(s+1) = 2^m D^_s with the least m >= 1 such that 2^m D^_s >= D, where D > D^_s is
the delay that ends the stage, and concludes

    2^(m-1) D^_s < D <= 2^m D^_s = D^_(s+1) < 2 D.

The algorithm prints D^_(s+1) = 2^ceil(log2 D) instead. Since D^_1 = 1, all estimates are powers of
two, and the two updates are the same.

Kind: combinatorial. Uses: nothing. Readings: those with the power-of-two update.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbverify.bandits.simpler import case_sort
from pbverify.claims.assumptions import without
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.judging import exhaust
from pbverify.claims.profile import Profile
from pbverify.claims.verdict import Verdict
from pbverify.paper.cases.doubling_update import Update
from pbverify.paper.sorts import UPDATES
from pbverify.paper.without.unchecked_cases import AnyUpdate
from pbverify.pytest_plugin import Judge


def updates_agree(update: Update) -> Iterator[Pair]:
    proof = update.before << update.doublings
    yield Pair(update.printed, proof, Relation.EQUAL, where={"update": "printed"})


def delay_lies_between(update: Update) -> Iterator[Pair]:
    m, before, D = update.doublings, update.before, update.D
    yield Pair(before << (m - 1), D, Relation.LESS, where={"side": "below"})
    yield Pair(D, before << m, where={"side": "above"})
    yield Pair(before << m, 2 * D, Relation.LESS, where={"side": "twice"})


def delay_exceeds_the_estimate(update: Update) -> bool:
    return update.before < update.D


STATEMENT = Claim(
    "doubling-estimate/least-power",
    kind=Kind.COMBINATORIAL,
    statement="2^(m-1) D^_s < D <= 2^m D^_s = 2^ceil(log2 D) < 2 D for the least m >= 1",
    then=(updates_agree, delay_lies_between),
    given=(delay_exceeds_the_estimate,),
    must_meet={
        "one doubling": lambda update: update.doublings == 1,
        "several doublings": lambda update: update.doublings > 1,
        "D a power of two": lambda update: update.D & (update.D - 1) == 0,
    },
    label="lem:delay-estimator",
    about=UPDATES,
)
CLAIMS = (STATEMENT,)
ABLATIONS = (
    without(
        STATEMENT,
        "D > D^_s",
        cases=lambda: (Update(power, D) for power in range(3) for D in range(1, 9)),
        scope="all estimates up to 4 and delays up to 8",
    ),
    without(
        STATEMENT,
        "D^_1 is a power of two",
        cases=lambda: (AnyUpdate(before, D) for before in range(1, 4) for D in range(4, 9)),
        scope="all estimates up to 3 and delays from 4 to 8",
        given=STATEMENT.given,
        about=case_sort(AnyUpdate),
    ),
)
# Known false: D = 2^m + 1 leaves no room below twice itself minus two.
TOO_STRONG = STATEMENT.sharpened(delay_lies_between, by=3)


def exhausted(claim: Claim[Update], powers: int) -> Verdict:
    most = 1 << powers
    updates = (
        Update(power, D) for power in range(powers) for D in range((1 << power) + 1, most + 1)
    )
    count = sum(most - (1 << power) for power in range(powers))
    return exhaust(claim, updates, count=count, scope=f"all estimates and delays up to {most:,}")


def test_every_update(judge: Judge, profile: Profile) -> None:
    """All powers of two and all delays above them, up to a bound."""
    judge(exhausted(STATEMENT, 6 + profile.exhaustive_size // 2))


def test_assumptions(judge: Judge) -> None:
    """The estimate covers the delay already, or is no power of two."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_a_stronger_version_is_refuted(judge: Judge) -> None:
    """Three more is too much, and the witness replays."""
    judge.teeth(exhausted(TOO_STRONG, 4), of=TOO_STRONG)
