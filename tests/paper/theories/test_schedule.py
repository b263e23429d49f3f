"""The theories of scales and aggression: what is not provable, and faults that anchors see."""

from __future__ import annotations

import functools
import pathlib
from fractions import Fraction
from typing import Any

import pytest
import z3
from flint import fmpq

from pbverify import Delays, preset
from pbverify.claims.claim import Claim
from pbverify.claims.library import find_claims
from pbverify.claims.routes.theorems import disagreement
from pbverify.paper.algorithm.banker import Banker
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided, quickened
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.theories.delays import aggression, schedule
from pbverify.paper.theories.delays.aggression import PHASES, L, R, c, power
from pbverify.paper.theories.delays.powers_of_two import is_log_up
from pbverify.prover.induction.solver import Answer

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"


@functools.cache
def claim_of(name: str) -> Claim[Any]:
    return find_claims((LEMMAS,), name)[0][0]


def run() -> Run:
    """Several phases and stages."""
    return lopsided(quickened(preset("repaired")), [0, 1, 0, 2, 0, 3, 0, 0, 0, 0])


def outline() -> RunOutline:
    """An undelayed stage in which alpha reaches 1."""
    exits = tuple(range(1, 21))
    return RunOutline(Delays([0] * 20), exits, 2, Fraction(1, 2), preset("appendix"))


def test_one_phase_fewer_is_not_provable() -> None:
    """c < ceil(log2 R) has a countermodel."""
    sharper = PHASES.invariant(
        "sharper",
        claim=z3.Implies(is_log_up(L, R, power), c < L),
        known=[aggression.COUNT],
        use=[aggression.MONOTONE(c - 1, L)],
    )
    assert [query.reply.answer for query in sharper.obligations] == [Answer.REFUTED]


def test_a_round_late_by_one_is_not_provable() -> None:
    """The count when a round is played is not that after it."""
    wrong = schedule.ROUNDS.invariant(
        "wrong", schedule.count == schedule.late(schedule.t, schedule.t)
    )
    assert Answer.REFUTED in {query.reply.answer for query in wrong.obligations}


def test_wrong_scales_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Banker whose rounds are one older."""
    claim, right = claim_of("schedule/scales"), Banker._scale
    assert disagreement(claim, run(), schedule.scales(run())) == ""
    monkeypatch.setattr(Banker, "_scale", lambda self, age: right(self, age + 1))
    assert "does not make the recorded step" in disagreement(claim, run(), schedule.scales(run()))


def test_wrong_aggression_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A schedule that begins with alpha = 2/R^."""
    right = Schedule.aggression
    cases = (
        (claim_of("schedule/aggression@repaired"), run, aggression.aggression),
        (claim_of("global/number-of-phases"), outline, aggression.number_of_phases),
    )
    for claim, case, anchors in cases:
        found: Any = case()
        assert disagreement(claim, found, anchors(found)) == ""
    monkeypatch.setattr(
        Schedule,
        "aggression",
        lambda self, stage, phase, round: right(self, stage, phase + 1, round=round),
    )
    for claim, case, anchors in cases:
        found = case()
        assert "phases does not" in disagreement(claim, found, anchors(found))


def test_a_phase_after_alpha_one_is_seen() -> None:
    """No step leads from alpha = 1 to another phase of the stage."""
    budget = fmpq(3, 2)
    recorded = [(1, budget, fmpq(2, 3), True), (2, budget, 1, False), (3, budget, 1, False)]
    states = aggression.states(recorded)
    model = aggression.Model(aggression.T, {})
    assert not PHASES.rejects(model, states[:2], [{}], {L: 1})
    assert "recorded step 2" in PHASES.rejects(model, states, [{}, {}], {L: 1})
