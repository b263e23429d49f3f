"""Simulation of a delayed learner for all sizes: what fails without blocks, and other engines."""

from __future__ import annotations

import pathlib
from fractions import Fraction

import pytest
import z3

from pbverify.claims.library import claims_of
from pbverify.claims.routes.theorems import disagreement
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.learners import contender
from pbverify.paper.lower_bound.simulation import Convention, Simulated, Simulation
from pbverify.paper.theories.batches import simulation as theory
from pbverify.prover.induction.solver import Answer

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"


def steady() -> Simulation:
    """A learner that plays one law whatever it hears: only its histories can differ."""
    losses = ((Fraction(1), Fraction(0)),) * 4
    cut = Bucketing((2, 2, 2, 2, 1))
    return Simulation(cut, 1, Convention.BEFORE, (*losses, losses[0]), contender("steady-1/4"), 0)


def disagreements() -> str:
    claims = claims_of(LEMMAS / "lemma_delay_to_batch.py")
    claim = next(each for each in claims if each.id == "delay-to-batch")
    return disagreement(claim, steady(), theory.SAME_GAME.anchors(steady()))


def test_blocks_cannot_end_one_round_later() -> None:
    """Feedback that is shown a round later may come too late: there is a countermodel."""
    t = theory.t
    late = theory.T.theorem(
        "shown before the round of arrival",
        [t],
        theory.shown(t) < theory.arrival(t),
        given=theory.is_round(t),
        use=[theory.BUCKET(t), theory.AVAILABLE(theory.bucket(t), t, theory.c)],
    )
    assert [query.reply.answer for query in late.obligations] == [Answer.REFUTED]


def test_feedback_would_be_lost_if_blocks_were_longer() -> None:
    """That it is shown before it arrives is what makes the same arrive in both games."""
    k, t, n = theory.k, theory.t, theory.n
    lost = theory.T.theorem(
        "the same arrives, whenever it is shown",
        [k, t, n],
        theory.known(k, t) == theory.items(k, t),
        given=z3.And(k <= n, n <= theory.H, theory.differ(n) == 0),
        induct=k,
        use=[theory.SAME_ACTION(k, n)],
        fuel=1,
    )
    assert [query.reply.answer for query in lost.obligations] == [Answer.PROVED, Answer.REFUTED]


def test_the_engine_is_accepted() -> None:
    """Also for a learner that hears and does not care."""
    assert disagreements() == ""


def test_a_simulator_that_hears_one_round_late_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the learner plays the same whatever it hears."""
    reveal = Simulated.reveal

    def late(self: Simulated, losses: list[float]) -> None:
        right = self._arrival
        self._arrival = lambda u, delay: right(u, delay) + 1
        reveal(self, losses)
        self._arrival = right

    monkeypatch.setattr(Simulated, "reveal", late)
    assert "assumption on simulation.inside" in disagreements()


def test_a_simulator_that_tells_other_delays_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clairvoyant learner would notice: it is told d_t in the place of its waiting time."""

    def play(self: Simulated) -> object:
        self._hear()
        return self._learner.play(delay=self._bucketing.delay(self._t))

    monkeypatch.setattr(Simulated, "play", play)
    assert "assumption on simulation.inside" in disagreements()
