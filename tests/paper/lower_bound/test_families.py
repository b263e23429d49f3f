"""The chosen games and learners cover the regimes that the claims ask for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.profile import PROFILES
from pbverify.claims.routes import Asked
from pbverify.claims.verdict import Outcome
from pbverify.paper.lower_bound import proof_steps as chain
from pbverify.paper.lower_bound.families import (
    ALLOWED,
    LEARNERS,
    LONG,
    chosen_delayed,
    chosen_studies,
    in_games,
    long_study,
    on_delays,
    weak_study,
)
from pbverify.paper.lower_bound.simulation import Convention


def test_every_learner_meets_every_game() -> None:
    """The list is the full product, smallest games first; one long game ends it."""
    *studies, last = chosen_studies(slots=2)
    assert last == long_study(constant=False)
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


def test_the_long_game_is_tight_but_for_one_slot() -> None:
    """E-[W] - E+[W] is TV less one part in n, exactly."""
    [pair] = chain.share_moves_le_variation(long_study(constant=True))
    assert pair.lhs == pair.rhs * (LONG - 1) / LONG
    assert Fraction(LONG - 1, LONG) > Fraction(99, 100)


def test_a_weak_signal_is_not_the_proof_s() -> None:
    """Its regret in E- falls below B_Lambda, which is claimed for the chosen signal only."""
    [pair] = chain.safe_learner_regrets(weak_study())
    assert not chain.has_chosen_signal(weak_study())
    assert pair.ratio is not None
    assert pair.ratio > 1


def slots_le_three(study: chain.Statistical) -> Iterator[Pair]:
    yield Pair(study.game.slots, 3)


def test_verdicts_say_how_far_they_looked() -> None:
    """Delays with T <= 2 give games of at most two slots; the batched ones end with a long game."""
    claim: Claim[Any] = Claim("c", Kind.EXPECTATION, "", (slots_le_three,))
    asked = Asked("any", PROFILES["quick"])
    [delayed] = on_delays().verdicts(claim, asked)
    assert (delayed.outcome, delayed.cases) == (Outcome.HOLDS, len(chosen_delayed(horizon=2)))
    assert "T <= 2" in delayed.scope
    [batched] = in_games(slots={"quick": 1}).verdicts(claim, asked)
    assert (batched.outcome, batched.cases) == (Outcome.REFUTED, len(chosen_studies(slots=1)))
