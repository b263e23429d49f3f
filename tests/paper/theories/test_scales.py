"""Scales and accounts: what is not provable, and engines whose counters are refused."""

import pathlib
from fractions import Fraction
from typing import Any

import pytest
import z3

from pbverify import Delays, preset
from pbverify.claims.library import find_claims
from pbverify.claims.routes.theorems import disagreement
from pbverify.paper.algorithm.delay_sum import Outstanding
from pbverify.paper.algorithm.ledger import Ledger
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.theories.expectation import regret_account, stage_account
from pbverify.paper.theories.sums import banker_sums, borrowing, harmonic
from pbverify.paper.theories.sums.borrowing import BY_RANK, COUNT, EARLIER, SHARES, H, late
from pbverify.prover.induction.solver import Answer

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"


def claim(id: Any) -> Any:
    return find_claims((LEMMAS,), id)[0][0]


def answers(theorem: Any) -> Any:
    return [query.reply.answer for query in theorem.obligations]


def phase() -> Any:
    """Seven rounds, of which up to three are missing at once."""
    return DelayedPhase(Delays([3, 0, 2, 1, 0, 2, 1]), start=1, end=7)


def outline() -> Any:
    """Eight rounds with two soft restarts while feedback is missing, and a hard one."""
    reading = preset("repaired")
    return RunOutline(Delays([2, 0, 1, 4, 3, 0, 1, 0]), (1, 3), 2, Fraction(1, 2), reading)


def test_the_rank_of_a_missing_round_is_needed() -> None:
    """With H_(m-2) in the place of H_(m-1) the step has a countermodel."""
    n, t, k = borrowing.n, borrowing.t, borrowing.k
    fewer = borrowing.T.theorem(
        "fewer",
        [n, t, k],
        SHARES(n, t, k) <= z3.If(late(n, t, k) >= 1, H(late(n, t, k) - 2), z3.RealVal(0)),
        given=n < t,
        induct=n,
        use=[EARLIER(n - 1, n, t, k), COUNT(n - 1, t, k)],
    )
    assert answers(BY_RANK) == [Answer.PROVED, Answer.PROVED]
    assert Answer.REFUTED in answers(fewer)


def test_a_stage_may_cost_all_of_its_first_budget() -> None:
    """A stage adds at most 1, and not at most 1/2: the last phase costs up to its budget."""
    T, s = stage_account.T, stage_account.s
    last = stage_account.phases(s)
    half = T.theorem(
        "half",
        [s],
        stage_account.balance(last, s) <= z3.RealVal("1/2"),
        given=last >= 1,
        use=[stage_account.BEFORE(last - 1, s), stage_account.ANY(last, s)],
        fuel=1,
    )
    assert answers(half) == [Answer.REFUTED]


def test_euler_s_constant_is_needed() -> None:
    """Below it the base of the decreasing bound is false."""
    less = harmonic.T.fact("7381/2520 - ln(10) - 1/20 + 1/1200 <= 577/1000")
    assert answers(less) == [Answer.REFUTED]


PHASES = {
    "banker-regret/borrowing": banker_sums.borrowing_bound,
    "banker-regret/inverse-scale-sum@repaired": banker_sums.cost,
    "banker-regret/borrowing-lines": banker_sums.lines,
    "banker-regret/untuned-sum": banker_sums.untuned,
    "banker-regret/tuned-sum": banker_sums.tuned,
}


@pytest.mark.parametrize("id", PHASES)
def test_the_counters_of_a_phase_agree(id: Any) -> None:
    """The theory computes from the delays what the lemma file reads off the phase."""
    assert disagreement(claim(id), phase(), PHASES[id](phase())) == ""


@pytest.mark.parametrize("id", PHASES)
def test_a_round_counted_too_few_is_noticed(id: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that forgets the oldest missing round says something else."""
    forgetful = property(lambda self: tuple(rounds[1:] for rounds in _missing(self)))
    monkeypatch.setattr(DelayedPhase, "missing", forgetful)
    counted = Delays.outstanding
    monkeypatch.setattr(
        Delays, "outstanding", lambda *args: (counted(*args) - 1).clip(min=0), raising=True
    )
    assert disagreement(claim(id), phase(), PHASES[id](phase()))


def _missing(self: Any) -> Any:
    return [
        tuple(u for u in range(t) if u + self.local_delays[u] >= t)
        for t in range(len(self.local_delays))
    ]


ACCOUNTS = {
    "global/safety/cancellation": stage_account.cancellation,
    "global/regret@repaired": regret_account.regret,
}


@pytest.mark.parametrize("id", ACCOUNTS)
def test_the_accounts_of_an_outline_agree(id: Any) -> None:
    """The theory computes the engine's accounts from the delays and the soft restarts."""
    assert disagreement(claim(id), outline(), ACCOUNTS[id](outline())) == ""


def counts_itself(outstanding: Any) -> Any:
    outstanding.cumulative += outstanding.count + 1


@pytest.mark.parametrize(
    ("owner", "name", "fault"),
    [
        (Outstanding, "begin_round", counts_itself),
        (Ledger, "release", lambda self, round: None),
    ],
    ids=["mass", "credit"],
)
@pytest.mark.parametrize("id", ACCOUNTS)
def test_a_faulty_engine_is_noticed(
    id: Any, owner: Any, name: Any, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mass that counts the round itself, or credit that never arrives, gives other accounts."""
    monkeypatch.setattr(owner, name, fault)
    assert disagreement(claim(id), outline(), ACCOUNTS[id](outline()))
