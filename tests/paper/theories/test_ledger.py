"""The theory of the ledger: what is not provable, and ledgers that it refuses."""

import pathlib
from typing import Any

import pytest
import z3

from pbverify import preset
from pbverify.bandits.simulate import World
from pbverify.claims.library import find_claims
from pbverify.claims.routes.theorems import disagreement
from pbverify.paper.algorithm.ledger import Ledger
from pbverify.paper.cases.run_families import lopsided, quickened
from pbverify.paper.theories.banker import ledger
from pbverify.paper.theories.banker.ledger import B, T, b, n, owed, s, t, u, v
from pbverify.prover.induction.solver import Answer

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"


@pytest.fixture(scope="module")
def claim() -> Any:
    return find_claims((LEMMAS,), "banker-ledger")[0][0]


def run() -> Any:
    """Ten rounds of which the later ones draw on several credits."""
    return lopsided(quickened(preset("main")), [0, 1, 0, 2, 0, 0, 1, 0, 0, 0])


def answers(theorem: Any) -> Any:
    return [query.reply.answer for query in theorem.obligations]


def test_borrowing_exceeds_what_is_outstanding() -> None:
    """Without the round's own scale the equation has a countermodel."""
    less = T.theorem(
        "less",
        [n],
        B(n) == owed(n - 1, n),
        given=z3.And(n >= 1, b(n) > 0),
        use=[ledger.BALANCE(n), ledger.EMPTY(n - 1, n)],
    )
    assert answers(less) == [Answer.REFUTED]


def test_borrowing_may_be_nothing() -> None:
    """A round that borrows nothing may leave arrived credit: the equation has a countermodel."""
    always = T.theorem(
        "always",
        [n],
        B(n) == s(n) + owed(n - 1, n),
        given=n >= 1,
        use=[ledger.BALANCE(n), ledger.EMPTY(n - 1, n)],
    )
    assert answers(always) == [Answer.REFUTED]


def test_credit_may_be_spent() -> None:
    """Credits are >= 0 and may be 0."""
    left = T.theorem("left", [t, u], v(t, u) > 0, given=z3.And(u >= 1, u <= t), induct=t)
    assert Answer.REFUTED in answers(left)


def test_the_engine_agrees(claim: Any) -> None:
    """A run of the engine is read without complaint."""
    assert disagreement(claim, run(), ledger.borrowing(run())) == ""


def test_a_ledger_that_pays_from_the_newest_credit_is_refused(
    claim: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of the loop is part of the rules."""
    oldest_first = Ledger.draw

    def newest_first(self: Any, round: Any, scale: Any) -> Any:
        self.spendable.reverse()
        drawn = oldest_first(self, round, scale)
        self.spendable.sort()
        return drawn

    monkeypatch.setattr(Ledger, "draw", newest_first)
    found = disagreement(claim, run(), ledger.borrowing(run()))
    assert "the assumption on ledger.v" in found


def test_delays_off_by_one_are_refused(claim: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Feedback of delay d that could be drawn upon a round earlier or later is another ledger."""
    case = run()
    monkeypatch.setitem(case.__dict__, "delays", [d + 1 for d in case.delays])
    assert disagreement(claim, case, ledger.borrowing(case))


_tell, _release = World.tell, Ledger.release


def _tell_late(self: Any, learner: Any, t: Any, actions: Any) -> None:
    """At the end of round t, the feedback that arrived at the end of round t - 1."""
    own = self._begin
    self._begin = [0, *own]
    _tell(self, learner, t, actions)
    self._begin = own


def _release_late(self: Any, round: Any) -> None:
    """The credit of the arrival before."""
    before = self.__dict__.get("before")
    self.__dict__["before"] = round
    if before is not None:
        _release(self, before)


@pytest.mark.parametrize(
    ("owner", "name", "fault"),
    [(World, "tell", _tell_late), (Ledger, "release", _release_late)],
    ids=["arrivals", "ledger"],
)
def test_an_engine_that_is_off_by_one_is_refused(
    claim: Any, owner: Any, name: Any, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Feedback that the engine reveals a round late, or credit that waits for the next arrival."""
    monkeypatch.setattr(owner, name, fault)
    assert disagreement(claim, run(), ledger.borrowing(run()))
