"""Outlines and undelayed stages: the phases of a run without its losses, and their families."""

from __future__ import annotations

from fractions import Fraction

import hypothesis
import numpy as np
import pytest
from flint import arb

from pbverify.bandits.delays import Delays
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import PROFILES
from pbverify.claims.routes import Asked, Route
from pbverify.claims.verdict import Outcome
from pbverify.errors import InputError
from pbverify.numerics import BallArithmetic, to_arb
from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.cases import theorem_families as families
from pbverify.paper.cases.run_families import quickened, restarting_runs
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.cases.undelayed_stage import (
    UndelayedStage,
    inverse_roots,
    relays,
    undelayed_stages,
)
from pbverify.paper.proofs.bounds_in_expectation import regret, safety_certificate
from pbverify.paper.proofs.phase_costs import Accounted, balance

HALF, REPAIRED = Fraction(1, 2), preset("repaired")


def outline(delays: list[int], exits: tuple[int, ...], reading: str = "repaired") -> RunOutline:
    return RunOutline(Delays(delays), exits, 2, HALF, preset(reading))


@pytest.mark.parametrize("name", PRESETS)
def test_outline_of_a_run_has_its_phases(name: str) -> None:
    """With a run's own soft restarts, stages, phases, scales and borrowing are the run's."""
    for run in restarting_runs(preset(name), step=7):
        trace, instance = run.trace, run.instance
        exits = tuple((np.flatnonzero(trace["soft_restart"]) + 1).tolist())
        found = RunOutline(instance.delays, exits, 2, Fraction(instance.delta), trace.reading)
        phases = [(p.start, p.last_played, p.number) for p in run.phases]
        assert [(a.start, a.end, a.number) for a in found.accounts] == phases
        T, delta = instance.rounds, found.delta
        schedule = Schedule(BallArithmetic(), found.reading, horizon=T, arms=2, delta=delta)
        C1, C2 = map(to_arb, schedule.constants)
        for phase, account in zip(run.phases, found.accounts, strict=True):
            steps = [run.step(t) for t in phase.played]
            borrowed = sum((to_arb(step.borrowed) for step in steps), to_arb(0))
            inverses = sum((1 / to_arb(step.scale) for step in steps), to_arb(0))
            assert (C1 * borrowed + C2 * inverses).overlaps(to_arb(account.cost))
            missing = sum(run.is_missing(u, at=phase.last_played) for u in phase.played)
            assert account.missing == missing


def test_oracle_is_asked_only_while_alpha_is_below_one() -> None:
    """Restarting in every round, phases end until alpha = 1, and then no more."""
    accounts = outline([0] * 30, tuple(range(1, 31))).accounts
    assert [a.exits for a in accounts] == [True] * (len(accounts) - 1) + [False]
    assert accounts[-1].is_full
    assert accounts[-1].end == 30
    assert accounts[-1].number == int(accounts[0].stage.budget).bit_length()


def test_hard_restarts_separate_phases() -> None:
    """The round of a restart belongs to neither side; a stage without rounds still counts."""
    found = outline([0, 0, 7, 0, 0], (), "appendix")
    assert [(a.start, a.end, a.stage.estimate) for a in found.accounts] == [(1, 2, 1), (4, 5, 8)]
    empty = outline([2, 5, 11, 0], (), "appendix")
    assert empty.stages == 4
    assert [[a.start for a in accounts] for accounts in empty.of_stages()] == [[4]]
    quick = RunOutline(Delays([0] * 6), (2, 4), 2, HALF, quickened(preset("appendix")))
    assert [a.end for a in quick.accounts] == [2, 6]


def test_last_arrivals_are_the_phases_own() -> None:
    """An item of an earlier phase that arrives in the last round does not count."""
    [first, second] = outline([1, 0, 0], (1, 2)).accounts[:2]
    assert (first.missing, first.last_arrivals) == (1, 0)
    assert (second.missing, second.last_arrivals) == (0, 1)


EXACT = ("number", "start", "end", "is_full", "exits", "missing", "last_arrivals")


def undelayed(*lengths: int, last_delay: int = 0, reading: str = "repaired") -> UndelayedStage:
    return UndelayedStage(lengths, last_delay, 2, HALF, preset(reading))


def check_accounts(found: UndelayedStage, walked: RunOutline) -> None:
    """Played round by round, the same phases cost what the closed form says."""
    assert (found.rounds, found.total_delay) == (walked.rounds, walked.total_delay)
    assert (found.stages, found.restarts) == (walked.stages, walked.restarts)
    for closed, played in zip(found.accounts, walked.accounts, strict=True):
        assert to_arb(closed.cost).overlaps(to_arb(played.cost))
        assert to_arb(closed.alpha).overlaps(to_arb(played.alpha))
        assert closed.stage.estimate == played.stage.estimate
        assert all(getattr(closed, name) == getattr(played, name) for name in EXACT)


@pytest.mark.parametrize("last_delay", [0, 1])
@pytest.mark.parametrize("name", PRESETS)
def test_accounts_are_those_of_an_outline(name: str, last_delay: int) -> None:
    """A stage without delay, of any length, has the phases and costs of an outline."""
    found = undelayed(3, 1, 20, last_delay=last_delay, reading=name)
    check_accounts(found, outline([0] * 23 + [last_delay], (3, 4), name))
    assert (found.rounds, found.total_delay) == (24, last_delay)


@pytest.mark.parametrize("name", PRESETS)
def test_heads_are_played(name: str) -> None:
    """The accounts of a relay are those of its delays, exits and rounds as an outline."""
    head = [0, *[5] * 5, *[0] * 8]
    cut = tuple(head[: outline(head, (1,), name).restarts[-1]])
    found = UndelayedStage((3, 9), 1, 2, HALF, preset(name), head=cut, exits=(1,))
    check_accounts(found, outline([*cut, *[0] * 11, 1], (1, len(cut) + 3), name))
    assert found.restarts != ()


def test_impossible_stages_are_refused() -> None:
    """A head ends in a hard restart, and no phase follows one with alpha = 1."""
    open_head = UndelayedStage((3,), 0, 2, HALF, preset("appendix"), head=(1, 0))
    with pytest.raises(InputError, match="head"):
        _ = open_head.accounts
    with pytest.raises(InputError):
        _ = undelayed(*[1] * 40).accounts


@pytest.mark.parametrize("name", PRESETS)
def test_relays_have_several_stages(name: str) -> None:
    """All but the last of them ended by delays, at several margins."""
    found = list(relays(preset(name)))
    assert {s.stages > 1 for s in found} == {True}
    assert len({(s.arms, s.delta) for s in found}) == 3
    assert {s.accounts[-1].is_full for s in found} == {False, True}


@pytest.mark.parametrize("n", [1, 2, 3, 10, 500])
def test_inverse_roots_are_enclosed(n: int) -> None:
    """The enclosure contains the sum, term by term."""
    assert inverse_roots(n).contains(sum((1 / arb(t).sqrt() for t in range(1, n + 1)), arb(0)))


@pytest.mark.parametrize("name", PRESETS)
def test_phases_are_long_enough_for_their_thresholds(name: str) -> None:
    """A phase of n rounds that ends can have reached a gap of n/(1 - alpha), but in the last."""
    *chosen, last = undelayed_stages(preset(name), last_delay=1)
    assert set(last.lengths[:-1]) == {1}
    for found in chosen:
        for account in found.accounts[:-1]:
            length = account.end - account.start + 1
            assert length / to_arb(1 - account.alpha) > to_arb(account.stage.threshold)


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_a_long_phase_alone_nearly_adds_one(name: str) -> None:
    """The bound of the cancellation is approached."""
    first = next(undelayed_stages(preset(name), last_delay=0))
    assert arb("0.999") < to_arb(balance(first.accounts)) < 1


@pytest.mark.parametrize(("rounds", "delay"), [(1, 0), (2, 2), (3, 1)])
def test_every_outline_is_counted(rounds: int, delay: int) -> None:
    """As many as the closed form says, all different."""
    found = list(families.every_outline(REPAIRED, rounds=rounds, delay=delay))
    texts = {str(s.witness_fields()["parameters"]) for s in found}
    assert len(found) == len(texts) == families.number_of_outlines(rounds=rounds, delay=delay)


def test_long_outlines_reach_every_setting() -> None:
    """Both cases of the proof, several stages, exits with feedback missing; or no delay at all."""
    found = list(families.long_outlines(REPAIRED))
    for name, holds in families.OUTLINE_SITUATIONS.items():
        assert any(holds(outline) for outline in found), name
    assert all(not s.total_delay for s in families.long_outlines(REPAIRED, is_delayed=False))


def test_games_reach_every_setting() -> None:
    """Soft restarts, hard restarts and alpha = 1, with two constant budgets."""
    found = list(families.games(REPAIRED.with_options(rounding="none"), 5))
    for name, holds in families.GAME_SITUATIONS.items():
        assert any(holds(game) for game in found), name
    budgets = {game.reading.budget for game in families.games(REPAIRED, 2)}
    assert budgets == {Fraction(9, 8), Fraction(21, 8)}


@hypothesis.given(families.outlines(REPAIRED))
@hypothesis.settings(max_examples=25, deadline=None)
def test_generated_outlines_are_sound(outline: RunOutline) -> None:
    """Exits lie within the horizon, and every round is in a phase or restarts hard."""
    T = len(outline.delays.to_json())
    assert all(1 <= t <= T for t in outline.exits)
    played = sum(a.end - a.start + 1 for a in outline.accounts)
    assert played + outline.stages - 1 == T


@pytest.mark.parametrize(
    ("routes", "first"),
    [(families.on_outlines(), "exhausted"), (families.by_accounts(), "survived")],
)
def test_on_outlines_judges_each_family(routes: tuple[Route, ...], first: str) -> None:
    """All small outlines, long ones, undelayed stages, generated ones; none exhausts a mean."""
    claim: Claim[Accounted] = Claim(
        "short",
        kind=Kind.PATHWISE,
        statement="no phase is longer than its run",
        then=(lambda s: iter([Pair(max(a.end for a in s.accounts), s.rounds)]),),
        given=(lambda s: bool(s.accounts),),
    )
    asked = Asked("repaired", PROFILES["quick"])
    verdicts = [verdict for route in routes for verdict in route.found(claim, asked)]
    assert [v.outcome for v in verdicts] == [Outcome.HOLDS] * 4
    assert [v.evidence.value for v in verdicts if v.evidence] == [first, *["survived"] * 3]
    assert verdicts[0].scope.startswith("accounts of all outlines") == (first == "survived")


@pytest.mark.parametrize("name", PRESETS)
def test_endless_accounts_reach_every_setting(name: str) -> None:
    """With delay; without, one stage and nothing missing."""
    found = list(families.endless(preset(name)))
    for setting, holds in families.OUTLINE_SITUATIONS.items():
        assert any(holds(stage) for stage in found), setting
    assert all(not s.total_delay for s in families.endless(preset(name), is_delayed=False))


def test_tight_games_are_tight() -> None:
    """Nothing lost is nothing certified, exactly; and a lossy restart round is nearly all."""
    nothing, restart = families.tight_games(preset("main"))
    assert regret(nothing, nothing.comparator()) == safety_certificate(nothing) == 0
    pair = Pair(regret(restart, restart.comparator()), safety_certificate(restart))
    assert 0.99 < (pair.ratio or 0) < 1
