"""Families without an assumption: they break what they should, and only by what is dropped."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pbverify.bandits.simpler import case_sort
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.verdict import Outcome
from pbverify.numerics import Truth, leq, to_fraction
from pbverify.paper.cases.run import Run
from pbverify.paper.sorts import RUNS
from pbverify.paper.without.bounded_losses_and_margin import (
    HIGH,
    LOW,
    bold,
    every_run,
    free_banker_games,
    free_games,
    losing,
    misled,
    neglected_arms,
    quick,
    restated,
    signed,
    two_arms,
    unbounded,
    unbounded_banker,
    unbounded_games,
    uneven_start,
    unsupported,
)
from pbverify.paper.without.unchecked_cases import SignedPhase
from pbverify.prover.inequalities import Outcome as Proved
from pbverify.prover.inequalities import prove_text


def items_are_small(run: Run):  # type: ignore[no-untyped-def]
    """The loss of each round is at most 1, and at least 0."""
    for t in range(1, run.instance.rounds + 1):
        loss = run.instance.losses.exact(t - 1, run.action(t))
        yield Pair(loss, 1, where={"t": t})
        yield Pair(0, loss, where={"t": t, "side": "below"})


ON_RUNS = Claim("small", Kind.PATHWISE, "0 <= l <= 1", then=(items_are_small,), about=RUNS)


def anything(subject: Any):  # type: ignore[no-untyped-def]
    yield Pair(0, 1, where={"rounds": getattr(subject, "rounds", 1)})


SURE: Claim[Any] = Claim("sure", Kind.PATHWISE, "0 <= 1", then=(anything,))


@pytest.mark.parametrize(("number", "name"), [(0, HIGH), (1, LOW)])
def test_each_bound_on_losses_is_dropped_alone(number: int, name: str) -> None:
    """Losses above 1 break what says so, losses below 0 the other bound."""
    row = unbounded(ON_RUNS, high=True, low=True)[number]
    verdict = row.verdict()
    assert (row.assumption, verdict.outcome) == (name, Outcome.REFUTED)
    assert verdict.witness is not None
    assert ("side" in verdict.witness.where) == (name == LOW)
    assert row.claim.rebuild is not None
    assert row.claim.rebuild({**verdict.witness.subject, "reading": verdict.witness.reading})


def test_other_families_are_those_they_say() -> None:
    """Rows for expectations and for the Banker alone count the games of their family."""
    assert [row.verdict().cases for row in unbounded_games(SURE, high=False, low=False)] == [6, 6]
    assert [row.verdict().cases for row in unbounded_banker(SURE, tuned=True)] == [3, 3]
    [row, _] = losing(SURE, free_games, "games", (2, 0), (0, -2), needed=(False, False))
    assert row.scope == "games, losses (2, 0)"
    assert [game.tuned for game in free_banker_games((1, 0), tuned=False)] == [False] * 3
    assert two_arms([(1, 0)], [0]).delta == Fraction(1, 2)


def test_short_runs_keep_the_other_assumptions() -> None:
    """All 32 action sequences, and alpha = 1/2 in every first phase."""
    runs = list(every_run((1, 0)))
    assert len({tuple(run.trace["action"]) for run in runs}) == 32
    assert {to_fraction(run.alpha(run.phases[0])) for run in runs} == {Fraction(1, 2)}
    assert quick().budget == 2


def test_bold_runs_and_neglected_arms() -> None:
    """One family has alpha = 20/21, the other plays arm 1 with a probability below delta/2."""
    row = bold(ON_RUNS)
    assert {to_fraction(run.alpha(run.phases[0])) for run in row.cases()} == {Fraction(20, 21)}
    assert unsupported(ON_RUNS, needed=False).verdict().outcome is Outcome.HOLDS
    first = next(neglected_arms())
    assert leq(first.law(2)[1], Fraction(1, 4)) is Truth.YES
    assert first.phases[0].ended == "soft restart"


def test_signed_delays_and_other_starts_and_horizons() -> None:
    """Each row looks where it says; a claim that is restated keeps its words, not its subject."""
    assert signed(SURE).verdict().cases == 9
    assert misled(SURE, rounds=3).verdict().cases == 1
    for psi in ("negative-entropy", "tsallis"):
        assert uneven_start(SURE, psi).verdict().outcome is Outcome.REFUTED
    other: Claim[Any] = restated(ON_RUNS, anything, about=case_sort(SignedPhase))
    assert (other.id, other.statement, other.given) == (ON_RUNS.id, ON_RUNS.statement, ())


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("(sqrt(8*D + 1) + 1)/2 <= 2*sqrt(D)", ["D >= 1"]),
        ("2 <= (7*sqrt(2) - 5)*sqrt(2*ln(2))*sqrt(ln(D + 1))", ["D >= 1"]),
    ],
)
def test_the_budget_has_room_for_what_is_missing(statement: str, where: list[str]) -> None:
    """m <= 2 sqrt D^ <= (7 sqrt 2 - 5) sqrt(C1 C2 D^ ln(D^ + 1)), as C1 C2 >= 2 ln 2."""
    assert prove_text(statement, where).outcome is Proved.PROVED
