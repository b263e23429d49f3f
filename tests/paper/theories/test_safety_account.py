"""The account of a whole run: what is not provable, and outlines that are refused."""

import dataclasses
from fractions import Fraction
from typing import Any

import pytest
import z3

from pbverify import preset
from pbverify.bandits.delays import Delays
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.theories.delays import doubling
from pbverify.paper.theories.expectation import safety_account
from pbverify.prover.induction.solver import Answer


def outline(**options: Any) -> Any:
    """Four rounds with a hard restart."""
    own = RunOutline(Delays([3, 3, 0, 0]), (1,), 2, Fraction(1, 2), preset("repaired"))
    return dataclasses.replace(own, **options)


def test_an_outline_is_accepted() -> None:
    """Account and number of stages of an outline are the theory's."""
    assert [anchor.complaint for anchor in safety_account.whole_run(outline())] == ["", ""]


def test_there_may_be_a_second_stage() -> None:
    """That there is one stage whatever the delays has a countermodel."""
    wrong = doubling.STAGES.invariant("one stage", doubling.S <= 1, known=[doubling.ORDER])
    assert Answer.REFUTED in [query.reply.answer for query in wrong.obligations]


def test_an_account_of_one_stage_may_be_positive() -> None:
    """That a stage adds at most 0 is not provable."""
    stage = safety_account.stage_account
    n = z3.Int("n")
    wrong = safety_account.T.theorem(
        "a stage adds nothing",
        [n],
        stage.balance(stage.phases(n), n) <= 0,
        use=[safety_account.EACH(n)],
        fuel=0,
    )
    assert wrong.obligations[0].reply.answer is not Answer.PROVED


def test_another_estimate_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage whose estimate is not the power of two above the delay sum is refused."""
    estimates = safety_account._estimates
    monkeypatch.setattr(safety_account, "_estimates", lambda it: (2 * e for e in estimates(it)))
    case = outline(delays=Delays([3, 3, 3]), exits=())
    assert len(case.restarts) == 1
    assert case.restarts[0] == 3
    assert any(anchor.complaint for anchor in safety_account.whole_run(case))
