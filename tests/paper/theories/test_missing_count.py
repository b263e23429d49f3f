"""The theory of missing items: what is not provable, and faults that its anchors see."""

from __future__ import annotations

import pathlib

import pytest
import z3

from pbverify import Delays
from pbverify.claims.library import find_claims
from pbverify.claims.routes.theorems import disagreement
from pbverify.paper.cases.doubling_update import Update
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.theories.delays import missing_count as theory
from pbverify.paper.theories.delays import powers_of_two as powers
from pbverify.paper.theories.delays.missing_count import D, T, a, m, n, t, total
from pbverify.prover.induction.solver import Answer
from pbverify.prover.induction.theory import Theorem

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"
PHASE = DelayedPhase(Delays((5, 3, 2, 1)), 2, 4)
MISSING = m(n, a, t)


def answers(theorem: Theorem) -> list[Answer]:
    return [query.reply.answer for query in theorem.obligations]


def scan(claim: z3.BoolRef) -> Theorem:
    given = z3.And(a >= 1, n <= t)
    return T.theorem("sharper", [n, a, t], z3.And(MISSING >= 0, claim), given=given, induct=n)


def test_the_count_is_sharp() -> None:
    """With m (m + 2) in the place of m (m + 1), the step has a countermodel."""
    bound = 2 * MISSING * (t - n) + MISSING * (MISSING + 2)
    assert answers(scan(bound <= 2 * total(n, a)))[1] is Answer.REFUTED


def test_rounds_before_the_phase_do_not_count() -> None:
    """The items of all rounds exceed the delays of the phase: the phase's start is needed."""
    whole = T.theorem(
        "whole",
        [t, a],
        m(t, 1, t) * (m(t, 1, t) + 1) <= 2 * (D(t) - D(a - 1)),
        given=z3.And(a >= 1, a <= t + 1),
        use=[theory.SCAN(t, 1, t)],
    )
    assert answers(whole) == [Answer.REFUTED]


def test_a_wrong_total_delay_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phase whose total leaves its last delay out."""
    claim = find_claims((LEMMAS,), "missing-feedback/count")[0][0]
    assert disagreement(claim, PHASE, theory.statement(PHASE)) == ""
    short = property(lambda phase: sum(phase.local_delays[:-1]))
    monkeypatch.setattr(DelayedPhase, "total_delay", short)
    assert "the proof says" in disagreement(claim, PHASE, theory.statement(PHASE))


def test_a_wrong_power_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """An update that prints the power of two above D even if D is one itself."""
    claim = find_claims((LEMMAS,), "doubling-estimate/least-power")[0][0]
    update = Update(1, 8)
    assert disagreement(claim, update, powers.least_power(update)) == ""
    monkeypatch.setattr(Update, "printed", property(lambda self: 1 << self.D.bit_length()))
    assert "hypotheses" in disagreement(claim, update, powers.least_power(update))
