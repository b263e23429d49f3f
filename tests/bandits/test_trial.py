"""A learner of one's own: played along actions, averaged over all of them, held to the protocol."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Self

import pytest
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.bandits.learners.exp3 import exp3
from pbverify.bandits.protocol import Feedback, Learner
from pbverify.bandits.strategies import instances
from pbverify.bandits.trial import Play, Trial
from pbverify.claims.claim import Claim, Kind
from pbverify.claims.judging import replay, survive
from pbverify.claims.verdict import Outcome
from pbverify.errors import InputError
from pbverify.numerics import Arithmetic, Number, Truth, leq

EXP3 = Trial(lambda arithmetic, game: exp3(arithmetic, arms=game.arms, horizon=game.rounds))


class Follower(Learner):
    """Plays the arm of the last arrived feedback's parity; its state is a list that forks share."""

    def __init__(self, arithmetic: Arithmetic, *, shares: bool, mass: int = 1) -> None:
        self._arithmetic, self._shares, self._mass = arithmetic, shares, mass
        self._seen: list[int] = []

    def play(self, *, delay: int | None = None) -> Sequence[Number]:
        favourite = len(self._seen) % 2
        return [self._arithmetic.exact(self._mass * (arm == favourite)) for arm in range(2)]

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._seen += [item.round for item in arrived]

    def fork(self) -> Self:
        twin = copy.copy(self)
        if not self._shares:
            twin._seen = list(self._seen)
        return twin


def follower(*, shares: bool, mass: int = 1) -> Trial:
    return Trial(lambda arithmetic, game: Follower(arithmetic, shares=shares, mass=mass))


def game(**changes: Any) -> Instance:
    fields = {"losses": [[1, 0], [0, 1], [1, 1]], "delays": [1, 0, 0], "actions": [0, 1, 0]}
    return Instance.build(**{**fields, "comparator": [Fraction(1, 2)] * 2, **changes})


def protocol_claim(trial: Trial) -> Claim[Play]:
    statement, then = "the learner keeps the protocol", (trial.keeps_the_protocol,)
    return Claim("own", Kind.PATHWISE, statement, then, about=trial.sort)


def test_a_play_shows_laws_actions_losses_and_arrivals() -> None:
    """Feedback of rounds 1 and 2 arrives after round 2; until then the law is uniform."""
    play = EXP3.play(game())
    assert [play.arrivals(t) for t in play.rounds] == [[], [1, 2], [3]]
    assert list(play.law(1)) == list(play.law(2)) == [fmpq(1, 2)] * 2
    assert [play.loss(t, play.action(t)) for t in play.rounds] == [1, 1, 1]
    assert leq(play.law(3)[0], Fraction(1, 2)) is not Truth.NO  # both arms have lost the same
    assert list(play.arms) == [0, 1]
    with pytest.raises(InputError, match="an instance with given actions"):
        EXP3.play(game(actions=None, seed=1))


def test_laws_and_losses_mix_with_fractions() -> None:
    """A conclusion may write `Fraction(1, 2) * play.law(t)[arm]`."""
    play = EXP3.play(game())
    half = Fraction(1, 2)
    assert half * play.law(1)[0] == play.law(1)[0] * half == fmpq(1, 4)
    assert leq(half * play.law(3)[0] + half * play.loss(1, 0), 1) is Truth.YES


def test_expectations_weigh_all_action_sequences() -> None:
    """The laws of all paths sum to one, and a symmetric learner plays each arm half the time."""
    seeded = game(actions=None, seed=1, losses=[[1, 1]] * 3)
    total = EXP3.expectation(seeded, lambda play: fmpq(1))
    assert leq(abs(total - 1), Fraction(1, 10**30)) is Truth.YES
    first = EXP3.expectation(seeded, lambda play: fmpq(play.action(3)))
    assert leq(abs(first - fmpq(1, 2)), Fraction(1, 10**30)) is Truth.YES


def test_impossible_actions_have_no_weight() -> None:
    """A deterministic learner has one path."""
    paths: list[tuple[int, ...] | None] = []

    def count(play: Play) -> Number:
        paths.append(play.instance.actions)
        return fmpq(1)

    assert follower(shares=False).expectation(game(actions=None, seed=1), count) == 1
    assert paths == [(0, 0, 0)]


def test_tiny_probabilities_are_not_dropped_in_silence() -> None:
    """What the enumeration would have to cut is an error."""

    class Sure(Follower):
        def play(self, *, delay: int | None = None) -> Sequence[Number]:
            tiny = self._arithmetic.exact(Fraction(1, 2**1001))
            return [tiny, 1 - tiny]

    trial = Trial(lambda arithmetic, game: Sure(arithmetic, shares=False))
    with pytest.raises(InputError, match="tiny but positive"):
        trial.expectation(game(), lambda play: fmpq(1))


@pytest.mark.parametrize(("trial", "arms"), [(EXP3, 3), (follower(shares=False), 2)])
def test_sound_learners_keep_the_protocol(trial: Trial, arms: int) -> None:
    """Laws that are laws and forks that are independent hold."""
    plays = instances(max_arms=arms).map(trial.play)
    verdict = survive(protocol_claim(trial), plays, examples=20)
    assert verdict.outcome is Outcome.HOLDS


@pytest.mark.parametrize("trial", [follower(shares=True), follower(shares=False, mass=2)])
def test_broken_learners_are_caught(trial: Trial) -> None:
    """A fork that shares its state, or a law that does not sum to one, is refuted and replays."""
    claim = protocol_claim(trial)
    verdict = survive(claim, instances(max_arms=2).map(trial.play), examples=50)
    assert verdict.witness is not None
    assert replay(claim, verdict.witness) is Truth.YES
