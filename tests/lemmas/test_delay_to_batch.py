"""The simulation of delayed learners: each learner by name, and simulators that cheat."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from pbverify.claims.claim import Claim
from pbverify.claims.judging import Profile, survive, visit
from pbverify.paper.lower_bound.batched_game import Transcript
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.families import committed_simulations, simulations
from pbverify.paper.lower_bound.learners import DELAYED, Contender
from pbverify.paper.lower_bound.simulation import Convention, Simulation


@pytest.mark.parametrize("contender", DELAYED.values(), ids=lambda contender: contender.name)
def test_every_learner_is_met(
    contender: Contender, claim: Callable[[str], Claim[Any]], profile: Profile
) -> None:
    """Each learner by name, under both conventions, on longer games."""
    generated = simulations(max_length=30, contenders=(contender,))
    examples = max(20, profile.examples // 30)
    assert survive(claim("delay-to-batch"), generated, examples=examples).witness is None


def test_situations_count_buckets(claim: Callable[[str], Claim[Any]]) -> None:
    """Delays of 1 make a bucket of each round."""
    several_buckets = claim("delay-to-batch/available").must_meet["several buckets"]
    assert not several_buckets(Bucketing((1,)))
    assert several_buckets(Bucketing((1, 1)))


def test_the_printed_simulator_errs_within_two_rounds(claim: Callable[[str], Claim[Any]]) -> None:
    """The simulator with the proof's own arrival times plays another game on unit delays."""
    cases = committed_simulations(horizon=3)
    verdict = visit(claim("delay-to-batch/printed-arrival"), cases, scope="")
    assert verdict.witness is not None
    assert verdict.witness.subject["parameters"]["delays"] == [1, 1]


class Cheat(Simulation):
    """Feedback is handed over `shift` rounds late."""

    shift = 0

    @property
    def batched(self) -> Transcript:
        return self.batched_with(lambda u, d: self.convention.arrival(u, d) + self.shift)


class Early(Cheat):
    shift = -1


class Late(Cheat):
    shift = 1


@pytest.mark.parametrize("convention", Convention)
@pytest.mark.parametrize("cheat", [Early, Late])
def test_a_simulator_that_cheats_is_caught(
    cheat: type[Cheat], convention: Convention, claim: Callable[[str], Claim[Any]]
) -> None:
    """Feedback handed over one round early or late changes what some learner plays."""
    honest = [
        dataclasses.replace(each, convention=convention)
        for each in committed_simulations(horizon=4)
    ]
    fields = [field.name for field in dataclasses.fields(Simulation)]
    wrong = [cheat(**{name: getattr(each, name) for name in fields}) for each in honest]
    assert visit(claim("delay-to-batch"), wrong, scope="").witness is not None
