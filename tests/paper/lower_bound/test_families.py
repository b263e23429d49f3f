"""The chosen and generated games cover what claims ask for, with and without an assumption."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import hypothesis
import pytest
from hypothesis import given

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import PROFILES
from pbverify.claims.routes import Asked
from pbverify.claims.verdict import Outcome
from pbverify.numerics import Truth, to_arb
from pbverify.paper.lower_bound import proof_steps as chain
from pbverify.paper.lower_bound import without_assumptions as without
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.families import (
    ALLOWED,
    LEARNERS,
    LONG,
    bucketings,
    chosen_delayed,
    chosen_studies,
    hard_games,
    in_games,
    long_study,
    on_delays,
    simulations,
    studies,
    weak_study,
)
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learner_in_game import DelayedStudy, Study
from pbverify.paper.lower_bound.learners import DELAYED, contender
from pbverify.paper.lower_bound.simulation import Convention, Simulation
from pbverify.paper.sorts import SIMULATIONS, STUDIES


def test_every_learner_meets_every_game() -> None:
    """The full product, smallest games first, margins to the edge; one long game ends it."""
    *studies, last = chosen_studies(slots=3)
    assert last == long_study(constant=False)
    games = list(dict.fromkeys(study.game for study in studies))
    assert len(studies) == len(games) * len(LEARNERS) * len(ALLOWED)
    slots = [game.slots for game in games]
    assert slots == sorted(slots)
    assert min(game.delta * 64 * game.V / game.lengths[0] for game in games) == 1
    assert any(game.delta * game.arms == 1 for game in games)


def test_delayed_studies_cover_buckets_and_conventions() -> None:
    """Every bucket of every sequence appears as j, under both conventions."""
    studies = chosen_delayed(horizon=2)
    found = {(s.bucketing.delays, s.j, s.convention) for s in studies}
    cuts = {(1,): 1, (1, 1): 2, (2, 1): 1}
    expected = {(d, j, c) for d, M in cuts.items() for j in range(1, M + 1) for c in Convention}
    assert found == expected


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


GENERATE = [hypothesis.Phase.generate]
SEARCH = hypothesis.settings(max_examples=2000, derandomize=True, database=None, phases=GENERATE)


@given(bucketings(max_length=9), hard_games(), simulations(max_length=8), studies(constant=True))
def test_generated_cases_satisfy_the_lemma(
    cut: Bucketing, game: HardGame, both: Simulation, study: Study
) -> None:
    """Delays never increase, margins are within bounds, losses cover the suffix in [0, 1]."""
    assert cut.is_admissible
    assert 1 <= cut.horizon <= 9
    assert game.slots <= 5
    assert game.delta * 64 * game.V >= game.lengths[0]
    assert len(both.delayed_losses) == both.bucketing.horizon <= 8
    assert all(0 <= loss <= 1 for row in both.losses for loss in row)
    assert study.game.constant


@pytest.mark.parametrize(
    "condition",
    [
        lambda cut: cut.horizon > 30 and len(cut.buckets) > 5,
        lambda cut: len(cut.buckets) == 1 and cut.horizon > 5,
        lambda cut: len(set(cut.lengths)) > 3,
        lambda cut: max(cut.delays) == 1 and cut.horizon > 3,
    ],
    ids=["many buckets", "one bucket", "many lengths", "unit delays"],
)
def test_delays_reach_every_setting(condition: Callable[[Bucketing], bool]) -> None:
    """Many and few buckets, equal and falling lengths are all generated."""
    assert condition(hypothesis.find(bucketings(), condition, settings=SEARCH))


@pytest.mark.parametrize("convention", Convention)
def test_simulations_reach_every_setting(convention: Convention) -> None:
    """Both conventions occur with a prefix and with blocks of several slots."""

    def condition(both: Simulation) -> bool:
        long = both.bucketing.lengths[both.j - 1] > 1
        return both.convention is convention and both.j > 1 and long

    hypothesis.find(simulations(), condition, settings=SEARCH)


HALF = Fraction(1, 2)


def regrets_agree(both: Simulation):  # type: ignore[no-untyped-def]
    yield Pair(len(both.delayed.actions), len(both.batched.actions))


def share_is_one(study: Study):  # type: ignore[no-untyped-def]
    yield Pair(study.found.share(1), 1)


ON_STUDIES = Claim("share", Kind.EXPECTATION, "E[W] <= 1", (share_is_one,), about=STUDIES)
ON_DELAYED: Claim[DelayedStudy] = Claim("d", Kind.EXPECTATION, "", (without.bound_le_slots,))
ON_BOTH = Claim("both", Kind.PATHWISE, "", (regrets_agree,), about=SIMULATIONS)


def test_with_single_slots_nobody_is_early() -> None:
    """Blocks of one slot reveal a loss at once anyway: both studies agree; longer ones do not."""
    learner = contender("committer")
    for lengths, same in (((1, 1, 1), True), ((3,), False)):
        game = HardGame(lengths, Fraction(1, 4))
        shares = [kind(game, learner).found.share(-1) for kind in (Study, without.EagerStudy)]
        assert to_arb(shares[0]).overlaps(to_arb(shares[1])) is same
    assert without.eager(ON_STUDIES, slots=2).verdict().outcome is Outcome.HOLDS


def test_bounds_that_no_learner_meets() -> None:
    """Far below the least margin B_Lambda exceeds the slots; with n = 400, what EXP3 guarantees."""
    for row in (
        without.thin(ON_STUDIES),
        without.thin_delayed(ON_DELAYED),
        without.careless(ON_STUDIES),
    ):
        assert row.verdict().outcome is Outcome.REFUTED
    few = Study(HardGame((1,) * 100, Fraction(1, 6400)), contender("exp3"))
    assert next(without.bound_le_exp3(few)).truth is Truth.YES
    assert next(without.bound_le_slots(few)).truth is Truth.YES


def test_a_loud_prefix_is_heard() -> None:
    """Only rounds before b_j change; the batched game does not know."""
    rows = ((HALF, HALF),)
    both = without.LoudSimulation(
        Bucketing((1, 1)), 2, Convention.BEFORE, rows, DELAYED["committer"], 0
    )
    assert both.delayed_losses == ((0, 1), (HALF, HALF))
    plain = dataclasses.replace(both, j=1, losses=rows * 2)
    assert plain.delayed_losses == plain.losses
    short = dataclasses.replace(ON_BOTH, then=(lambda both: iter([Pair(1, 0)]),))
    assert without.loud(short).verdict().outcome is Outcome.REFUTED
