"""The theory of stages: what is not provable, and faults of the engine that its anchors see."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable
from typing import Any

import pytest
import z3

from pbverify import preset
from pbverify.claims.claim import Claim
from pbverify.claims.library import find_claims
from pbverify.claims.routes.theorems import InductionProof, disagreement
from pbverify.paper.algorithm.delay_sum import DelaySum, Outstanding
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.cases.phase_families import waiting
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided, quickened
from pbverify.paper.theories.delays import doubling as theory
from pbverify.paper.theories.delays.doubling import STAGES, D, E, L, S, hard, kind, p, pow2, t
from pbverify.paper.theories.delays.powers_of_two import is_log_down
from pbverify.paper.theories.delays.slack import SLACK_COVERS
from pbverify.prover.induction.machine import Invariant
from pbverify.prover.induction.solver import Answer

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"
PROOFS = {
    "doubling-estimate": theory.ESTIMATE,
    "doubling-estimate@repaired": theory.REPAIRED_ESTIMATE,
    "doubling-estimate/number-of-stages": theory.NUMBER_OF_STAGES,
    "doubling-estimate/number-of-stages/floor": theory.NUMBER_OF_STAGES_FLOOR,
    "normal-phase/delay-covered@repaired": theory.DELAY_COVERED_REPAIRED,
}
DELAYS = [0, 2, 0, 0, 3, 1, 0, 4, 0, 0, 2, 0, 9, 0, 0, 0, 0, 0]


@functools.cache
def claim_of(name: str) -> Claim[Any]:
    return find_claims((LEMMAS,), name)[0][0]


def said(name: str, proof: InductionProof, run: Run) -> str:
    """How the proof and the lemma file disagree about a run."""
    return disagreement(claim_of(name), run, proof.anchors(run))


def answers(invariant: Invariant) -> set[Answer]:
    return {query.reply.answer for query in invariant.obligations}


@pytest.mark.parametrize("name", PROOFS)
@pytest.mark.parametrize("rules", ["appendix", "repaired"])
def test_the_theory_says_what_the_lemma_says(name: str, rules: str) -> None:
    """Of a run with several stages, with the same numbers."""
    run = lopsided(quickened(preset(rules)), DELAYS)
    assert len(run.stage_changes) > 1
    assert said(name, PROOFS[name], run) == ""


def test_one_stage_fewer_is_not_provable() -> None:
    """S <= floor(log2 D) has a countermodel, and a run: a delay of 2 is enough for two stages."""
    sharper = STAGES.invariant(
        "sharper",
        claim=z3.Implies(z3.And(D(t - 1) >= 1, is_log_down(L, D(t - 1), pow2)), S <= L),
        known=[theory.COUNT],
        use=[theory.MONOTONE(S - 1, L + 1)],
    )
    assert answers(sharper) == {Answer.REFUTED}
    assert len(lopsided(preset("appendix"), [2, 0]).stage_changes) == 1


def test_the_doubling_update_is_needed() -> None:
    """If the update may be 2 X, the strict bound by the last phase has a countermodel."""
    bound = z3.Implies(hard, 2 * (D(t - 1) - D(p - 1)) > E)
    known = [theory.ORDER, theory.TRUE_DELAYS, theory.LEAST]
    sharper = STAGES.invariant(
        "sharper", bound, known=known, use=[theory.DOUBLE(STAGES.after(theory.e) - 1)]
    )
    assert Answer.REFUTED in answers(sharper)


def test_an_arrived_sum_covers_nothing() -> None:
    """Only a clairvoyant sum bounds the delays of the phase."""
    bound = z3.Implies(z3.And(z3.Not(hard), kind != 0), D(t - 1) - D(p - 1) <= E)
    sharper = STAGES.invariant("sharper", bound, known=[theory.ORDER, theory.LEAST])
    assert Answer.REFUTED in answers(sharper)


def one_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    right = DelaySum.at
    monkeypatch.setattr(DelaySum, "at", lambda self, delay: right(self, delay) + 1)


def power_above(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Schedule, "next_estimate", lambda self, delay_sum, estimate: 1 << delay_sum.bit_length()
    )


def counted_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    def begin_round(self: Outstanding) -> None:
        self.cumulative += self.count + bool(self.count)

    monkeypatch.setattr(Outstanding, "begin_round", begin_round)


@pytest.mark.parametrize("name", PROOFS)
@pytest.mark.parametrize(
    ("rules", "fault"),
    [
        ("appendix", one_too_much),
        ("repaired", one_too_much),
        ("appendix", power_above),
        ("repaired", power_above),
        ("repaired", counted_twice),
    ],
)
def test_faults_of_the_engine_are_seen(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    rules: str,
    fault: Callable[[pytest.MonkeyPatch], None],
) -> None:
    """A wrong delay sum, a wrong update: the engine's run is no run of the machine."""
    fault(monkeypatch)
    run = lopsided(quickened(preset(rules)), DELAYS)
    assert "stages does not make the recorded step" in said(name, PROOFS[name], run)


def test_another_slack_is_seen() -> None:
    """The theory's slack is the printed one: (sqrt(65) - 1)/delta, not 14."""
    run = next(iter(waiting("appendix")))
    name, proof = "extinction-phase/slack-covers", SLACK_COVERS
    assert said(name, proof, run) == ""
    other = Run.of(run.instance, run.trace.reading.with_options(slack=14))
    assert "the claim" in said(name, proof, other)
