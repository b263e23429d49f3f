"""Proofs about Prudent-EXP3 close, and not for statements that are too strong."""

from __future__ import annotations

from typing import Any

import pytest
import z3

from pbverify.paper.theories.prudent_exp3 import account, clock, draws, overshoot, regret_account
from pbverify.paper.theories.prudent_exp3 import exponential_weights as weights
from pbverify.paper.theories.sums import pairs
from pbverify.prover.induction.facts import LN
from pbverify.prover.induction.theory import NotProvedError, Theorem


def is_proved(theorem: Theorem, claim: Any = None, given: Any = None) -> bool:
    """Whether the proof closes, for the theorem or for another claim and other hypotheses."""
    assert theorem.again is not None
    asked = theorem.hypotheses if given is None else given
    try:
        theorem.again(theorem.claim if claim is None else claim, asked).prove()
    except NotProvedError:
        return False
    return True


RATE = z3.ToReal(regret_account.levels(account.n)) * regret_account.SQRT(
    LN(z3.ToReal(regret_account.arms)) * regret_account.w / regret_account.margin
)
STRONGER = {
    "half of the missing items": (
        clock.MISSING,
        2 * clock.MISSING.claim.arg(0) <= clock.MISSING.claim.arg(1),
    ),
    "a third of a stage's share": (
        account.STAGE,
        account.STAGE.claim.arg(0) <= account.STAGE.claim.arg(1) / 3,
    ),
    "a constant of 31": (regret_account.TOTAL, regret_account.costs(account.n) <= 31 * RATE),
    "two times xi": (
        overshoot.STATEMENT,
        overshoot.STATEMENT.claim.arg(0) <= 2 * overshoot.R + 2 * overshoot.xi,
    ),
    "no second-order term": (
        weights.STATEMENT,
        weights.STATEMENT.claim.arg(0) <= LN(z3.ToReal(weights.A)) / weights.gamma,
    ),
    "a pair less its other order": (
        draws.SHARED,
        draws.met_by(draws.a, draws.u, draws.t) - draws.met_by(draws.a, draws.t, draws.u)
        == draws.SHARED.claim.arg(1),
    ),
    "each pair twice": (pairs.PAIRS, pairs.PAIRS.claim.arg(0) == 2 * pairs.PAIRS.claim.arg(1)),
    "draws that subtract what moves": (
        draws.BALANCE,
        draws.D.added(draws.N) == draws.D.leads(draws.N) - draws.P.alpha * draws.P.drift,
    ),
}


@pytest.mark.parametrize("name", STRONGER)
def test_stronger_statements_are_not_proved(name: str) -> None:
    """The same proof does not close for them."""
    theorem, claim = STRONGER[name]
    assert not is_proved(theorem, claim)


def test_the_statements_are_proved() -> None:
    """The same proofs close for what is said."""
    whole = (clock.MISSING, account.STAGE, regret_account.TOTAL, overshoot.STATEMENT)
    for theorem in (*whole, pairs.PAIRS, draws.SHARED, draws.BALANCE):
        assert is_proved(theorem)


def test_draws_have_an_order() -> None:
    """The sum over draws assumes that of two rounds exactly one is drawn first, and their v."""
    assert {draws.D.before, draws.D.v} <= draws.BALANCE.assumes


def test_an_exit_without_a_test_overshoots() -> None:
    """Without the bound on what has arrived nothing follows."""
    assert overshoot.STATEMENT.hypotheses is not None
    weaker = z3.And(*overshoot.STATEMENT.hypotheses.children()[:-1])
    assert not is_proved(overshoot.STATEMENT, given=weaker)
