"""Families for the global theorem: complete, and reaching what they are for."""

from __future__ import annotations

from fractions import Fraction

import hypothesis
import pytest

from pbverify.claims.claim import Claim, Kind, Pair, Side
from pbverify.claims.profile import PROFILES
from pbverify.claims.verdict import Outcome
from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.cases.theorem_families import (
    GAME_REGIMES,
    OUTLINE_REGIMES,
    brief_game,
    endless,
    every_outline,
    games,
    long_outlines,
    number_of_outlines,
    on_outlines,
    outlines,
    safety_pair,
    tight_games,
)
from pbverify.paper.proofs.bounds_in_expectation import regret, safety_certificate
from pbverify.paper.proofs.phase_costs import Accounted

REPAIRED = preset("repaired")


@pytest.mark.parametrize(("rounds", "delay"), [(1, 0), (2, 2), (3, 1)])
def test_every_outline_is_counted(rounds: int, delay: int) -> None:
    """As many as the closed form says, all different."""
    found = list(every_outline(REPAIRED, rounds=rounds, delay=delay))
    texts = {str(s.witness_fields()["parameters"]) for s in found}
    assert len(found) == len(texts) == number_of_outlines(rounds=rounds, delay=delay)


def test_accounts_bound_what_games_pay() -> None:
    """A game's own regret is exact; an account's balance only bounds one from above."""
    pair = safety_pair(brief_game("repaired"), 1)
    assert (pair.side, pair.rhs, pair.where) == (Side.EXACT, 1, {"D": 0, "T": 4})
    assert 0.01 < float(pair.lhs) < 0.1
    outline = next(every_outline(REPAIRED, rounds=1, delay=0))
    assert safety_pair(outline, 1).side is Side.AT_MOST


def test_long_outlines_reach_every_regime() -> None:
    """Both cases of the proof, several stages, and exits with feedback missing."""
    found = list(long_outlines(REPAIRED))
    for name, holds in OUTLINE_REGIMES.items():
        assert any(holds(outline) for outline in found), name


def test_undelayed_outlines_have_no_delay() -> None:
    """What the corollary needs."""
    assert all(not s.total_delay for s in long_outlines(REPAIRED, is_delayed=False))


def test_games_reach_every_regime() -> None:
    """Soft restarts, hard restarts and alpha = 1, with budgets that are constant."""
    found = list(games(REPAIRED.with_options(rounding="none"), 5))
    for name, holds in GAME_REGIMES.items():
        assert any(holds(game) for game in found), name


@hypothesis.given(outlines(REPAIRED))
@hypothesis.settings(max_examples=25, deadline=None)
def test_generated_outlines_are_sound(outline: RunOutline) -> None:
    """Exits lie within the horizon, and every round is in a phase or restarts hard."""
    T = len(outline.delays.to_json())
    assert all(1 <= t <= T for t in outline.exits)
    played = sum(a.end - a.start + 1 for a in outline.accounts)
    assert played + outline.stages - 1 == T


def test_on_outlines_judges_each_family() -> None:
    """Four verdicts per claim: all small ones, long ones, undelayed_stages, generated ones."""
    claim: Claim[Accounted] = Claim(
        "short",
        kind=Kind.PATHWISE,
        statement="no phase is longer than its run",
        then=(lambda s: iter([Pair(max(a.end for a in s.accounts), s.rounds)]),),
        given=(lambda s: bool(s.accounts),),
    )
    [verdicts] = zip(*on_outlines([claim], "repaired", PROFILES["quick"]), strict=True)
    assert [v.outcome for v in verdicts] == [Outcome.HOLDS] * 4
    assert [v.evidence.value for v in verdicts if v.evidence] == ["exhausted", *["survived"] * 3]


def test_accounts_exhaust_no_expectation() -> None:
    """What they say of one rests on its certificate, so that the claim survives at best."""
    claim: Claim[Accounted] = Claim(
        "long",
        kind=Kind.EXPECTATION,
        statement="a run has a round",
        then=(lambda s: iter([Pair(1, s.rounds)]),),
    )
    [verdicts] = zip(*on_outlines([claim], "repaired", PROFILES["quick"]), strict=True)
    assert [v.evidence.value for v in verdicts if v.evidence] == ["survived"] * 4
    assert verdicts[0].scope.startswith("accounts of all outlines")


@pytest.mark.parametrize("name", PRESETS)
def test_endless_accounts_reach_every_regime(name: str) -> None:
    """With delay; without, one stage and nothing missing."""
    found = list(endless(preset(name)))
    for regime, holds in OUTLINE_REGIMES.items():
        assert any(holds(undelayed) for undelayed in found), regime
    assert all(not s.total_delay for s in endless(preset(name), is_delayed=False))


def test_budgets_of_games_are_constant() -> None:
    """Two budgets, of which the smaller one ends phases within a few rounds."""
    budgets = {game.reading.budget for game in games(REPAIRED, 2)}
    assert budgets == {Fraction(9, 8), Fraction(21, 8)}


def test_tight_games_are_tight() -> None:
    """Nothing lost is nothing certified, exactly; and a lossy restart round is nearly all."""
    nothing, restart = tight_games(preset("main"))
    assert regret(nothing, nothing.comparator()) == safety_certificate(nothing) == 0
    pair = Pair(regret(restart, restart.comparator()), safety_certificate(restart))
    assert 0.99 < (pair.ratio or 0) < 1
