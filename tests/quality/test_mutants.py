"""Engine faults: each is caught by at least one claim, and the sound engine by none.

A claim catches a fault if it is refuted, or cannot even be evaluated, on a small family of runs, of
games with all their paths, or of buckets. Reports show who catches whom, from a recorded table that
is computed again here. Faults that no claim can catch are recorded with the reason.
"""

from __future__ import annotations

import itertools
import json
import pathlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Claim
from pbverify.claims.judging import visit
from pbverify.claims.library import Library
from pbverify.claims.verdict import Outcome
from pbverify.paper import FAULTS, PAPER
from pbverify.paper.algorithm import engine
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import (
    SKEWED,
    every_short_run,
    lopsided,
    lopsided_instance,
    quickened,
)
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.report.site.engine_faults import EngineFaults
from tests.quality.engine_faults import PLANTED, UNNOTICED, Patch

LIBRARY = Library.load(pathlib.Path(__file__).parents[2] / "lemmas")
RECORDED = EngineFaults.of(PAPER)
READING = preset("repaired").with_options(rounding="none")


def runs(reading: Reading) -> Iterator[Any]:
    yield from itertools.islice(every_short_run(quickened(reading), rounds=3, delay=3), 8, 72)
    for budget, delay in itertools.product((Fraction(5, 4), Fraction(5, 2)), (2, 3, 7)):
        late = lopsided_instance([0, 0, delay, 0] * 5, comparator=SKEWED, seed=0)
        yield _drawn(late, quickened(reading, budget=budget))
    yield _drawn(_both_lose(), quickened(reading, budget=Fraction(5, 2)))
    yield lopsided(quickened(reading, budget=Fraction(1)), [0] * 3)
    yield lopsided(reading, [3] * 6)


def _drawn(instance: Instance, reading: Reading) -> Run:
    """Actions are drawn from the played law: with alpha = 1 an arm's probability may vanish."""
    return Run.of(instance.with_actions(engine.run(instance, reading)["action"]), reading)


def _both_lose() -> Instance:
    """Both arms lose, so that the best response is not the arm without losses."""
    losses, delays = [[1, Fraction(1, 8)]] * 28, [0] * 28
    return Instance.build(losses=losses, delays=delays, comparator=SKEWED, seed=0)


def games(reading: Reading) -> Iterator[Any]:
    yield AllPaths(lopsided_instance([0, 1, 0], comparator=SKEWED, seed=0), quickened(reading))


def bucketings(reading: Reading) -> Iterator[Any]:
    yield from (Bucketing(delays) for delays in ((1, 1, 1), (2, 2, 2, 1), (3, 2, 2, 2, 1)))


Family = Callable[[Reading], Iterator[Any]]
FAMILIES: tuple[Family, ...] = (runs, games, bucketings)
CLAIMS: dict[str, Family] = {
    "schedule/scales": runs,
    "schedule/aggression@repaired": runs,
    "schedule/restarts": runs,
    "schedule/counters": runs,
    "banker-ledger": runs,
    "banker-ledger/spent-once": runs,
    "banker-pathwise": runs,
    "doubling-estimate": runs,
    "doubling-estimate@repaired": runs,
    "missing-feedback/per-item@repaired": runs,
    "normal-phase/arrived": runs,
    "normal-phase/decomposition@repaired": runs,
    "normal-phase/delay-covered@repaired": runs,
    "extinction-phase/exit": runs,
    "extinction-phase/mixture": runs,
    "banker-regret/unbiased": games,
    "greedy-buckets/exist": bucketings,
}
"""Each claim, and the cases on which it is asked."""

BREAKDOWNS = (KeyError, ValueError, ArithmeticError, AssertionError, TypeError)


def catchers() -> list[str]:
    """The claims that the current engine does not satisfy."""
    cases = {family: _cases(family) for family in FAMILIES}
    return [id for id, of in CLAIMS.items() if _is_caught(LIBRARY.named(id)[0], cases[of])]


def _cases(family: Family) -> list[Any] | None:
    """The cases of a family; none if the engine breaks down on them."""
    try:
        return list(family(READING))
    except BREAKDOWNS:
        return None


def _is_caught(claim: Claim[Any], subjects: list[Any] | None) -> bool:
    if subjects is None:
        return True
    try:
        return visit(claim, subjects, scope="").outcome is not Outcome.HOLDS
    except BREAKDOWNS:
        return True


def test_the_engine_itself_is_caught_by_none() -> None:
    """Without a fault every claim of the list holds on the family."""
    assert catchers() == []


def test_the_recorded_table_is_of_these_faults_and_claims() -> None:
    """The table that reports show has a row per fault and a column per claim, all in order."""
    assert RECORDED.claims == tuple(CLAIMS)
    assert list(RECORDED.caught) == list(PLANTED)
    assert set(itertools.chain(*RECORDED.caught.values())) == set(CLAIMS)
    assert RECORDED.unnoticed == {name: why for name, (_, why) in UNNOTICED.items()}


@pytest.mark.parametrize("name", PLANTED)
def test_every_fault_is_caught(name: str, monkeypatch: Patch) -> None:
    """At least one claim notices the fault, and those that do are the recorded ones."""
    PLANTED[name](monkeypatch)
    found = catchers()
    assert found
    assert list(RECORDED.caught[name]) == found, "write the table again: see RECORD"


@pytest.mark.parametrize("name", UNNOTICED)
def test_faults_without_a_claim_are_noticed_by_none(name: str, monkeypatch: Patch) -> None:
    """Else they belong to the table."""
    UNNOTICED[name][0](monkeypatch)
    assert catchers() == []


if __name__ == "__main__":  # RECORD: python -m tests.quality.test_mutants writes the table again
    table = {}
    for name, plant in PLANTED.items():
        with pytest.MonkeyPatch.context() as patch:
            plant(patch)
            table[name] = catchers()
    reasons = {name: why for name, (_, why) in UNNOTICED.items()}
    document = EngineFaults(tuple(CLAIMS), table, reasons).to_json()
    FAULTS.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
