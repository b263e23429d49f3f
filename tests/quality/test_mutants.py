"""Engine faults: each is caught by at least one claim, and the sound engine by none.

A claim catches a fault if it is refuted, or cannot even be evaluated, on the runs of a small
family. Reports show who catches whom, from a recorded table that is computed again here.
"""

from __future__ import annotations

import itertools
import json
import pathlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from pbverify.bandits.delays import Delays
from pbverify.bandits.simulate import World
from pbverify.claims.claim import Claim
from pbverify.claims.judging import visit
from pbverify.claims.library import Library
from pbverify.claims.verdict import Outcome
from pbverify.numerics import BallArithmetic
from pbverify.paper import FAULTS, PAPER
from pbverify.paper.algorithm import banker, delay_sum, ledger, schedule
from pbverify.paper.algorithm import prudent_banker as prudent
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.run_families import every_short_run, quickened, restarting_runs
from pbverify.paper.formulas import algorithm as formulas
from pbverify.report.site.engine_faults import EngineFaults

Patch = pytest.MonkeyPatch
LIBRARY = Library.load(pathlib.Path(__file__).parents[2] / "lemmas")
RECORDED = EngineFaults.of(PAPER)
ON_RUNS = (
    "schedule/scales",
    "schedule/aggression@repaired",
    "banker-ledger",
    "banker-ledger/spent-once",
    "banker-pathwise",
    "doubling-estimate",
    "doubling-estimate@repaired",
    "missing-feedback/per-item@repaired",
)


def shift_feedback(patch: Patch, by: int) -> None:
    original = World.__init__

    def shifted(self: World, arithmetic: Any, instance: Any) -> None:
        original(self, arithmetic, instance)
        late = Delays([max(d + by, 0) for d in instance.delays.to_json()])
        order, begin = late.arrivals()
        self._order, self._begin = order.tolist(), begin.tolist()

    patch.setattr(World, "__init__", shifted)


def credits_are_spent_twice(patch: Patch) -> None:
    original = BallArithmetic.split

    def twice(self: BallArithmetic, credit: Any, need: Any, *, round: int) -> Any:
        amount, left, rest = original(self, credit, need, round=round)
        return (amount, credit, rest) if left == 0 else (amount, left, rest)

    patch.setattr(BallArithmetic, "split", twice)


def half_a_credit_is_lost(patch: Patch) -> None:
    def deposit(self: ledger.Ledger, round: int, scale: Any) -> None:
        self.credits[round] = scale / 2

    patch.setattr(ledger.Ledger, "deposit", deposit)


def borrowing_ignores_credit(patch: Patch) -> None:
    patch.setattr(ledger.Ledger, "release", lambda self, round: None)


def estimator_divides_by_the_base(patch: Patch) -> None:
    def absorb(self: Any, item: Any, played: Any) -> None:
        wrong = prudent._Played(played.action, played.base_probability, played.base_probability)
        original(self, item, wrong)

    original = prudent.PrudentBanker._absorb
    patch.setattr(prudent.PrudentBanker, "_absorb", absorb)


def scale_without_delay_term(patch: Patch) -> None:
    patch.setattr(formulas, "DELAY_TERM", lambda arithmetic, d, D: fmpq(0))


def scale_counts_one_too_many(patch: Patch) -> None:
    def begin(self: delay_sum.Outstanding) -> None:
        self.cumulative += self.count + 1

    patch.setattr(delay_sum.Outstanding, "begin_round", begin)


def mirror_step_goes_up(patch: Patch) -> None:
    original = banker.Banker.learn
    patch.setattr(
        banker.Banker,
        "learn",
        lambda self, round, arm, estimate: original(self, round, arm, -estimate),
    )


def mirror_step_is_doubled(patch: Patch) -> None:
    original = banker.Banker.learn
    patch.setattr(
        banker.Banker,
        "learn",
        lambda self, round, arm, estimate: original(self, round, arm, 2 * estimate),
    )


def mirror_step_in_the_wrong_arm(patch: Patch) -> None:
    original = banker.Banker.learn
    patch.setattr(
        banker.Banker,
        "learn",
        lambda self, round, arm, estimate: original(self, round, 1 - arm, estimate),
    )


def iterate_forgets_the_borrowed_part(patch: Patch) -> None:
    original = banker.Banker._average

    def average(self: banker.Banker, scale: Any, shares: Any) -> Any:
        covered = sum((amount for _, amount in shares), fmpq(0))
        return original(self, covered if shares else scale, shares)

    patch.setattr(banker.Banker, "_average", average)


def stage_test_with_equality(patch: Patch) -> None:
    original = delay_sum.DelaySum.at
    patch.setattr(
        delay_sum.DelaySum,
        "at",
        lambda self, delay: original(self, delay) + Fraction(1, 2),
    )
    patch.setattr(schedule.Schedule, "next_estimate", _estimate_of_floor)


def _estimate_of_floor(self: Any, *, delay_sum: Any, estimate: int) -> int:
    return 1 << (max(int(delay_sum), 1) - 1).bit_length()


def estimate_is_not_raised(patch: Patch) -> None:
    patch.setattr(schedule.Schedule, "next_estimate", lambda self, *, delay_sum, estimate: estimate)


def estimate_is_doubled_once_more(patch: Patch) -> None:
    original = schedule.Schedule.next_estimate
    patch.setattr(
        schedule.Schedule,
        "next_estimate",
        lambda self, *, delay_sum, estimate: (
            2 * original(self, delay_sum=delay_sum, estimate=estimate)
        ),
    )


def alpha_is_not_capped(patch: Patch) -> None:
    def aggression(self: Any, stage: Any, phase: int, *, round: int) -> Any:
        alpha = fmpq(2 ** (phase - 1)) / stage.budget
        return (alpha, False) if alpha < 2 else (fmpq(1), True)

    patch.setattr(schedule.Schedule, "aggression", aggression)


def alpha_is_not_doubled(patch: Patch) -> None:
    original = schedule.Schedule.aggression
    patch.setattr(
        schedule.Schedule,
        "aggression",
        lambda self, stage, phase, *, round: original(self, stage, 1, round=round),
    )


def restart_keeps_the_start(patch: Patch) -> None:
    original = banker.Banker.__init__

    def early(self: banker.Banker, *args: Any, start: int, **kwargs: Any) -> None:
        original(self, *args, start=max(start - 1, 1), **kwargs)

    patch.setattr(banker.Banker, "__init__", early)


PLANTED: dict[str, Callable[[Patch], None]] = {
    "feedback one round early": lambda patch: shift_feedback(patch, -1),
    "feedback one round late": lambda patch: shift_feedback(patch, 1),
    "credits spent twice": credits_are_spent_twice,
    "half a credit lost": half_a_credit_is_lost,
    "borrowing ignores credit": borrowing_ignores_credit,
    "estimator divides by the base": estimator_divides_by_the_base,
    "scale without its delay term": scale_without_delay_term,
    "outstanding counted one too many": scale_counts_one_too_many,
    "mirror step with the wrong sign": mirror_step_goes_up,
    "mirror step doubled": mirror_step_is_doubled,
    "mirror step in the wrong arm": mirror_step_in_the_wrong_arm,
    "iterate without its borrowed part": iterate_forgets_the_borrowed_part,
    "stage test with >=": stage_test_with_equality,
    "estimate not raised": estimate_is_not_raised,
    "estimate doubled once more": estimate_is_doubled_once_more,
    "alpha not capped": alpha_is_not_capped,
    "alpha not doubled": alpha_is_not_doubled,
    "restart keeps the old start": restart_keeps_the_start,
}


def family(reading: Reading) -> Iterator[Any]:
    yield from itertools.islice(restarting_runs(reading), 40, 52)
    yield from itertools.islice(every_short_run(quickened(reading), rounds=3, delay=3), 80)


BREAKDOWNS = (KeyError, ValueError, ArithmeticError, AssertionError, TypeError)


def catchers() -> list[str]:
    """The claims that the current engine does not satisfy, under the repaired reading."""
    try:
        subjects = list(family(preset("repaired").with_options(rounding="none")))
    except BREAKDOWNS:
        return list(ON_RUNS)
    return [id for id in ON_RUNS if _is_caught(LIBRARY.named(id)[0], subjects)]


def _is_caught(claim: Claim[Any], subjects: list[Any]) -> bool:
    try:
        return visit(claim, subjects, scope="").outcome is not Outcome.HOLDS
    except BREAKDOWNS:
        return True


def test_the_engine_itself_is_caught_by_none() -> None:
    """Without a fault every claim of the list holds on the family."""
    assert catchers() == []


def test_the_recorded_table_is_of_these_faults_and_claims() -> None:
    """The table that reports show has a row per fault and a column per claim, all in order."""
    assert RECORDED.claims == ON_RUNS
    assert list(RECORDED.caught) == list(PLANTED)
    assert set(itertools.chain(*RECORDED.caught.values())) == set(ON_RUNS)


@pytest.mark.parametrize("name", PLANTED)
def test_every_fault_is_caught(name: str, monkeypatch: Patch) -> None:
    """At least one claim notices the fault, and those that do are the recorded ones."""
    PLANTED[name](monkeypatch)
    found = catchers()
    assert found
    assert list(RECORDED.caught[name]) == found, "write the table again: see RECORD"


if __name__ == "__main__":  # RECORD: python -m tests.quality.test_mutants writes the table again
    table = {}
    for name, plant in PLANTED.items():
        with pytest.MonkeyPatch.context() as patch:
            plant(patch)
            table[name] = catchers()
    document = EngineFaults(claims=ON_RUNS, caught=table).to_json()
    FAULTS.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
