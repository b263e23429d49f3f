"""The chosen games and learners cover the regimes that the claims ask for."""

from __future__ import annotations

from pbverify.batched.simulated import Convention
from pbverify.study_families import ALLOWED, LEARNERS, chosen_delayed, chosen_studies


def test_every_learner_meets_every_game() -> None:
    """The list is the full product, smallest games first."""
    studies = chosen_studies(slots=2)
    games = list(dict.fromkeys(study.game for study in studies))
    assert len(studies) == len(games) * len(LEARNERS) * len(ALLOWED)
    slots = [game.slots for game in games]
    assert slots == sorted(slots)


def test_margins_satisfy_the_lemma_up_to_its_edge() -> None:
    """Both ends of the allowed margins occur."""
    games = {study.game for study in chosen_studies(slots=3)}
    shares = {game.delta * 64 * game.V / game.lengths[0] for game in games}
    assert min(shares) == 1
    assert any(game.delta * game.arms == 1 for game in games)


def test_delayed_studies_cover_buckets_and_conventions() -> None:
    """Every bucket of every sequence appears as j, under both conventions."""
    studies = chosen_delayed(horizon=2)
    found = {(s.bucketing.delays, s.j, s.convention) for s in studies}
    cuts = {(1,): 1, (1, 1): 2, (2, 1): 1}
    expected = {(d, j, c) for d, M in cuts.items() for j in range(1, M + 1) for c in Convention}
    assert found == expected


def test_families_are_remembered() -> None:
    """One enumeration serves all claims of a session."""
    assert chosen_studies(slots=2) is chosen_studies(slots=2)
