"""The theories of the rounds of a phase: what is not provable, and faults that anchors see."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable
from typing import Any

import pytest
import z3

from pbverify.claims.claim import Claim
from pbverify.claims.library import find_claims
from pbverify.claims.routes.theorems import InductionProof, disagreement
from pbverify.numerics import to_fmpq
from pbverify.paper.algorithm.prudent_banker import PrudentBanker
from pbverify.paper.algorithm.schedule import Schedule, Stage
from pbverify.paper.cases.phase_families import assorted
from pbverify.paper.cases.run import Run
from pbverify.paper.theories.phase import (
    last_round,
    missing_items,
    phase_items,
    phase_split,
    restart_test,
)
from pbverify.paper.theories.phase.phase_items import (
    CAUTIOUS,
    LOWEST,
    WEIGHT,
    R,
    is_rounded,
    item,
    r,
)
from pbverify.paper.theories.phase.phase_rounds import ARRIVED, LATE, A, T, alpha, at, k, n, t
from pbverify.prover.induction.solver import Answer
from pbverify.prover.induction.theory import Result

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"
PROOFS = {
    "missing-feedback": missing_items.BOUNDED,
    "missing-feedback@repaired": missing_items.COUNTED,
    "missing-feedback/per-item": phase_items.AT_MOST_TWO,
    "missing-feedback/per-item@repaired": phase_items.AT_MOST_INVERSE,
    "normal-phase/arrived": restart_test.ARRIVED_GAP,
    "normal-phase/decomposition@repaired": phase_split.SPLIT,
    "normal-phase/missing": missing_items.BOUNDED_BEFORE_THE_END,
    "normal-phase/last-round": last_round.AT_MOST_TWO,
    "normal-phase/last-round@repaired": last_round.AT_MOST_INVERSE,
    "extinction-phase/mixture": phase_split.MIXTURE_OF_LAWS,
    "extinction-phase/exit": restart_test.EXIT_GAP,
    "extinction-phase/three-terms": phase_split.IN_THREE_TERMS,
    "extinction-phase/floor": phase_items.HAS_HALF_FLOOR,
    "extinction-phase/floor@repaired": phase_items.HAS_FLOOR,
    "extinction-phase/missing-item": phase_items.AT_MOST_TWICE_OVER_MARGIN,
}
ROUNDED = [
    "missing-feedback",
    "missing-feedback/per-item",
    "normal-phase/missing",
    "extinction-phase/floor",
    "extinction-phase/missing-item",
]
MIXED = [
    "missing-feedback@repaired",
    "missing-feedback/per-item@repaired",
    "normal-phase/last-round@repaired",
    "extinction-phase/floor@repaired",
]
SPLIT = [
    "normal-phase/decomposition@repaired",
    "extinction-phase/mixture",
    "extinction-phase/three-terms",
]
TESTED = ["normal-phase/arrived", "extinction-phase/exit"]


@functools.cache
def claim_of(name: str) -> Claim[Any]:
    return find_claims((LEMMAS,), name)[0][0]


def said(name: str, run: Run) -> str:
    """How the proof and the lemma file disagree about a run."""
    proof: InductionProof = PROOFS[name]
    return disagreement(claim_of(name), run, proof.anchors(run))


def exiting(rules: str) -> Run:
    """A run in which a phase ends softly while feedback is missing, and one by a hard restart."""
    found = [r for r in assorted(rules) if r.phases[-2:][0].ended == "soft restart"]
    return next(r for r in found if any(p.ended == "hard restart" for p in r.phases))


def again(run: Run) -> Run:
    """The same instance and reading, played by the engine as it is now."""
    return Run.of(run.instance, run.trace.reading)


def answers(result: Result) -> set[Answer]:
    return {query.reply.answer for query in result.obligations}


@pytest.mark.parametrize("name", PROOFS)
def test_the_theory_says_what_the_lemma_says(name: str) -> None:
    """Of a run with a soft and a hard restart, with the same numbers."""
    assert said(name, exiting("repaired")) == ""


def test_an_item_may_come_near_two() -> None:
    """With 19/10 in the place of 2 there is a countermodel: alpha = 1/2 and a faded arm."""
    sharper = T.theorem(
        "sharper",
        [t, k, R, r],
        z3.Implies(alpha < 1, item <= z3.Q(19, 10)),
        given=is_rounded(k, R, r),
        use=[WEIGHT(t), LOWEST(A, t), CAUTIOUS(k, R, r)],
    )
    assert answers(sharper) == {Answer.REFUTED}


def test_missing_items_are_not_bounded_by_one_fewer() -> None:
    """(m - 1)/(1 - alpha) has a countermodel."""
    m = missing_items.m
    sharper = T.theorem(
        "sharper",
        [n, at],
        z3.Implies(missing_items.misses, LATE.gap(n, at) <= z3.ToReal(m - 1) / phase_items.caution),
        given=n >= 0,
        use=[missing_items.WEIGHTS(n, at), missing_items.LEAST(A, n, at)],
    )
    assert answers(sharper) == {Answer.REFUTED}


def test_the_gap_may_reach_the_threshold() -> None:
    """A gap equal to the threshold does not end the phase."""
    i, B = restart_test.i, restart_test.B
    sharper = restart_test.test.invariant(
        "sharper",
        claim=z3.Implies(z3.Not(restart_test.ended), ARRIVED.gap(i, i) < B),
        known=[restart_test.GAP],
    )
    assert answers(sharper) == {Answer.REFUTED}


def too_bold(monkeypatch: pytest.MonkeyPatch) -> None:
    """alpha = 2^k/R^ in the place of 2^(k-1)/R^."""
    right = Schedule.aggression

    def aggression(self: Schedule, stage: Stage, phase: int, *, round: int) -> Any:
        return right(self, stage, phase + 1, round=round)

    monkeypatch.setattr(Schedule, "aggression", aggression)


def unmixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every round plays the base iterate."""
    monkeypatch.setattr(PrudentBanker, "_mixture", lambda self, base: base)


def unweighted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Losses are divided by the base iterate's probability."""

    def estimate(self: Run, t: int) -> Any:
        loss = self.instance.losses.exact(t - 1, self.action(t))
        return to_fmpq(loss) / self.base(t)[self.action(t)]

    monkeypatch.setattr(Run, "estimate", estimate)


def late_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test reads the gap of the round before."""
    right = PrudentBanker._must_restart_softly

    def must_restart(self: Any) -> bool:
        now, self._gap = self._gap, self.__dict__.get("_stale", self._gap)
        outcome = right(self)
        self._gap = self._stale = now
        return outcome

    monkeypatch.setattr(PrudentBanker, "_must_restart_softly", must_restart)


@pytest.mark.parametrize(
    ("fault", "name", "complaint"),
    [
        *((too_bold, name, "hypotheses") for name in ROUNDED),
        *((unmixed, name, "assumption on phase.") for name in MIXED),
        *((unweighted, name, "assumption on phase.estimate") for name in SPLIT),
        *((late_test, name, "restart test does not make the recorded step") for name in TESTED),
    ],
)
def test_faults_of_the_engine_are_seen(
    monkeypatch: pytest.MonkeyPatch,
    fault: Callable[[pytest.MonkeyPatch], None],
    name: str,
    complaint: str,
) -> None:
    """A wrong alpha, mixture or estimate, and a test that comes late."""
    runs = [exiting("repaired"), *assorted("repaired")]
    fault(monkeypatch)
    assert any(complaint in said(name, again(run)) for run in runs)


def test_a_bold_restart_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next stage's mixture has alpha = 2/R^ in the place of 1/R^, under the printed budget."""
    run = next(r for r in assorted("appendix") if r.phases[0].ended == "hard restart")
    assert said("normal-phase/last-round@repaired", run) == ""
    too_bold(monkeypatch)
    assert "hypotheses" in said("normal-phase/last-round@repaired", again(run))
