"""Cases without an assumption: where they keep it they are the usual ones, and they break it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.bandits.simpler import case_sort
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.verdict import Outcome
from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json
from pbverify.numerics import Truth, leq, to_arb, to_fraction
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.banker_game import BankerGame
from pbverify.paper.cases.doubling_update import Update
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.proofs.bounds_on_every_path import is_certain
from pbverify.paper.proofs.phase_costs import balance
from pbverify.paper.sorts import RUNS
from pbverify.paper.without import bounded_losses_and_margin as without
from pbverify.paper.without import unchecked_cases as unchecked
from pbverify.prover.inequalities import Outcome as Proved
from pbverify.prover.inequalities import prove_text

HALF = Fraction(1, 2)


def free(losses: Any = ((3, -1), (0, 1)), **more: Any) -> Instance:
    given = {"delays": [1, 0], "comparator": [HALF] * 2, "delta": HALF, **more}
    return unchecked.free_instance(losses=[list(row) for row in losses], **given)


def test_losses_and_margins_are_taken_as_they_are() -> None:
    """Losses of 3 and -1, and delta = 1/2 for x^c = (1, 0), pass; their sizes must still fit."""
    assert free().losses.exact(0, 1) == -1
    assert free(comparator=[1, 0]).delta == HALF
    with pytest.raises(InputError, match="comparator"):
        free(comparator=[1])


@pytest.mark.parametrize(
    ("case", "rebuild"),
    [
        (Run.of(free(actions=[0, 1]), without.quick()), unchecked.free_run),
        (AllPaths(free(), without.quick()), unchecked.free_game),
        (BankerGame(free(), HALF, tuned=True), unchecked.free_banker_game),
    ],
)
def test_unchecked_instances_are_rebuilt(case: Any, rebuild: Callable[..., Any]) -> None:
    """What a file says of a case with any losses makes the same case again."""
    text = dumps(case.witness_fields())
    assert dumps(rebuild(parse_json(text.encode(), source="")).witness_fields()) == text


def test_cases_that_keep_the_assumption_are_the_usual_ones() -> None:
    """Delays >= 0 have the mass of a phase, powers of two the usual update; others are let in."""
    for delays in ([0, 2, 1], [3, 0, 0], [1, 1, 1]):
        any_sign, phase = unchecked.SignedPhase(tuple(delays)), DelayedPhase(Delays(delays), 1, 3)
        assert (any_sign.mass, any_sign.total_delay) == (phase.mass, phase.total_delay)
    assert (
        unchecked.SignedPhase((-1, 0)).mass[-1],
        unchecked.SignedPhase((-1, 0)).total_delay,
    ) == (0, -1)
    for bad in ((), (-2,)):
        with pytest.raises(InputError):
            unchecked.SignedPhase(bad)
    for power, D in ((0, 5), (2, 9)):
        plain, any_estimate = Update(power, D), unchecked.AnyUpdate(1 << power, D)
        assert (plain.doublings, plain.printed) == (any_estimate.doublings, any_estimate.printed)
    other = unchecked.AnyUpdate(3, 4)
    assert (other.before << other.doublings, other.printed) == (6, 4)


def test_an_outline_that_is_told_the_truth_is_the_usual_one() -> None:
    """Its accounts agree; told less, it is bolder."""
    delays, reading = Delays([0, 2, 0, 0]), preset("repaired")
    plain = RunOutline(delays, (), 2, HALF, reading)
    told = unchecked.MisledOutline(delays, (), 2, HALF, reading, told=4)
    assert to_arb(balance(told.accounts)).overlaps(to_arb(balance(plain.accounts)))
    short = unchecked.MisledOutline(delays, (), 2, HALF, reading, told=1)
    assert (short.stage_at(1).budget, plain.stage_at(1).budget) == (16, 32)


def test_the_chance_of_a_run_is_that_of_its_path() -> None:
    """The product of the played probabilities is what the enumeration says."""
    run = Run.of(free(actions=[0, 1]), without.quick())
    paths = AllPaths(free(), without.quick()).paths.paths
    [path] = [path for path in paths if path.actions == (0, 1)]
    assert to_arb(unchecked.chance_of(run)).overlaps(to_arb(path.probability))


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


@pytest.mark.parametrize(("number", "name"), [(0, without.HIGH), (1, without.LOW)])
def test_each_bound_on_losses_is_dropped_alone(number: int, name: str) -> None:
    """Losses above 1 break what says so, losses below 0 the other bound."""
    row = without.unbounded(ON_RUNS, high=True, low=True)[number]
    verdict = row.verdict()
    assert (row.assumption, verdict.outcome) == (name, Outcome.REFUTED)
    assert verdict.witness is not None
    assert ("side" in verdict.witness.where) == (name == without.LOW)
    assert row.claim.rebuild is not None
    assert row.claim.rebuild({**verdict.witness.subject, "reading": verdict.witness.reading})


def test_other_families_are_those_they_say() -> None:
    """Rows for expectations and for the Banker alone count the games of their family."""
    assert [
        row.verdict().cases for row in without.unbounded_games(SURE, high=False, low=False)
    ] == [6, 6]
    assert [row.verdict().cases for row in without.unbounded_banker(SURE, tuned=True)] == [3, 3]
    [row, _] = without.losing(
        SURE, without.free_games, "games", (2, 0), (0, -2), needed=(False, False)
    )
    assert row.scope == "games, losses (2, 0)"
    assert [game.tuned for game in without.free_banker_games((1, 0), tuned=False)] == [False] * 3
    assert without.two_arms([(1, 0)], [0]).delta == Fraction(1, 2)


def test_short_runs_keep_the_other_assumptions() -> None:
    """All 32 action sequences, and alpha = 1/2 in every first phase."""
    runs = list(without.every_run((1, 0)))
    assert len({tuple(run.trace["action"]) for run in runs}) == 32
    assert {to_fraction(run.alpha(run.phases[0])) for run in runs} == {Fraction(1, 2)}
    assert without.quick().budget == 2


def test_bold_runs_and_neglected_arms() -> None:
    """One family has alpha = 20/21, the other plays arm 1 with a probability below delta/2."""
    row = without.bold(ON_RUNS)
    assert {to_fraction(run.alpha(run.phases[0])) for run in row.cases()} == {Fraction(20, 21)}
    assert without.unsupported(ON_RUNS, needed=False).verdict().outcome is Outcome.HOLDS
    first = next(without.neglected_arms())
    assert leq(first.law(2)[1], Fraction(1, 4)) is Truth.YES
    assert first.phases[0].ended == "soft restart"


def test_signed_delays_and_other_starts_and_horizons() -> None:
    """Each row looks where it says; a claim that is restated keeps its words, not its subject."""
    assert without.signed(SURE).verdict().cases == 9
    assert without.misled(SURE, rounds=3).verdict().cases == 1
    for psi in ("negative-entropy", "tsallis"):
        assert without.uneven_start(SURE, psi).verdict().outcome is Outcome.REFUTED
    other: Claim[Any] = without.restated(ON_RUNS, anything, about=case_sort(unchecked.SignedPhase))
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


def test_one_path_bounds_an_expectation() -> None:
    """The path without arm 1 pays more than the account from 52 rounds on, and not after 40."""
    assert is_certain(without.hidden_arm(rounds=52))
    for conclusion in (without.likely_regret_le_paid, without.likely_safety_le_account):
        pairs = (next(conclusion(without.hidden_arm(rounds=rounds))) for rounds in (52, 40))
        assert [pair.truth is Truth.NO for pair in pairs] == [True, False]
    claim: Claim[Any] = Claim("sure", Kind.PATHWISE, "0 <= 1", then=())
    assert without.hidden(claim, without.likely_regret_le_paid).verdict().outcome is Outcome.REFUTED
