"""Mistakes planted in the engine, by name; each is a function that patches it.

`PLANTED` are noticed by claims, as the recorded table says; `UNNOTICED` have the reason why no
claim of the paper can notice them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from pbverify.bandits.delays import Delays
from pbverify.bandits.simulate import World
from pbverify.numerics import BallArithmetic
from pbverify.paper.algorithm import banker, delay_sum, ledger, schedule
from pbverify.paper.algorithm import prudent_banker as prudent
from pbverify.paper.formulas import algorithm as formulas
from pbverify.paper.lower_bound.buckets import Bucket, Bucketing

Patch = pytest.MonkeyPatch
Learner = prudent.PrudentBanker


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


def exit_test(patch: Patch, factor: Fraction | None, *, at_one: bool = False) -> None:
    """The gap is compared with a multiple of the threshold, or with nothing."""

    def restarts(self: Learner) -> bool:
        if factor is None or (self._is_full and not at_one):
            return False
        threshold = self._arithmetic.exact(factor) * self._stage.threshold
        is_above = self._arithmetic.less(threshold, self._gap)
        return self._arithmetic.decide(is_above, "the restart test", round=self._t)

    patch.setattr(Learner, "_must_restart_softly", restarts)


def gap_to_nobody(patch: Patch) -> None:
    def gap(self: Learner) -> Any:
        return sum(g * c for g, c in zip(self._g, self._comparator, strict=True))

    patch.setattr(Learner, "_best_response_gap", gap)


def new_phases_keep(patch: Patch, name: str) -> None:
    """A soft restart leaves an attribute as it was."""
    original = Learner._begin_phase

    def begin(self: Learner, k: int, *, start: int) -> None:
        kept = getattr(self, name, None)
        original(self, k, start=start)
        if k > 1:
            setattr(self, name, kept)

    patch.setattr(Learner, "_begin_phase", begin)


def gap_one_round_late(patch: Patch) -> None:
    original = Learner._absorb

    def absorb(self: Learner, item: Any, played: Any) -> None:
        before = list(self._g)
        original(self, item, played)
        if item.round == self._t:
            self._g = before

    patch.setattr(Learner, "_absorb", absorb)


def mixture_weights(patch: Patch, swap: Callable[[Any], tuple[Any, Any]]) -> None:
    """Other weights of the base iterate and of the comparator."""

    def mixture(self: Learner, base: Any) -> Any:
        learner, safe = swap(self._alpha)
        return [learner * x + safe * c for x, c in zip(base, self._comparator, strict=True)]

    patch.setattr(Learner, "_mixture", mixture)


def new_stages(patch: Patch, change: Callable[[Learner, int], None]) -> None:
    """After a stage has begun, something of the learner is changed."""
    original = Learner._begin_stage

    def begin(self: Learner, *, estimate: int, start: int) -> None:
        original(self, estimate=estimate, start=start)
        change(self, start)

    patch.setattr(Learner, "_begin_stage", begin)


def keep_the_first_budget(learner: Learner, start: int) -> None:
    first = learner._schedule.stage(1, round=1)
    learner._stage = dataclasses.replace(first, estimate=learner._stage.estimate)
    learner._begin_phase(1, start=start)


def start_with_the_second_phase(learner: Learner, start: int) -> None:
    if start > 1:
        learner._begin_phase(2, start=start)


def stay_in_the_first_stage(learner: Learner, start: int) -> None:
    learner._s = 1


def begin_with_two(learner: Learner, start: int) -> None:
    if start == 1:
        learner._stage = learner._schedule.stage(2, round=1)


def estimator_without_weights(patch: Patch) -> None:
    original = Learner._absorb

    def absorb(self: Learner, item: Any, played: Any) -> None:
        one = self._arithmetic.exact(1)
        original(self, item, prudent._Played(played.action, one, played.base_probability))

    patch.setattr(Learner, "_absorb", absorb)


def actions_from_the_base(patch: Patch) -> None:
    original = Learner.play

    def play(self: Learner, *, delay: int | None = None) -> Any:
        original(self, delay=delay)
        return self._base

    patch.setattr(Learner, "play", play)


def buckets_one_round_late(patch: Patch) -> None:
    original = Bucketing.bucket_from

    def bucket(self: Bucketing, first: int) -> Bucket:
        found = original(self, first)
        return dataclasses.replace(found, end=min(found.end + 1, self.horizon + 1))

    patch.setattr(Bucketing, "bucket_from", bucket)


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
    "exit test at half the threshold": lambda patch: exit_test(patch, Fraction(1, 2)),
    "no exit test": lambda patch: exit_test(patch, None),
    "exit test at alpha = 1 too": lambda patch: exit_test(patch, Fraction(1), at_one=True),
    "gap to nobody": gap_to_nobody,
    "gap of an earlier phase kept": lambda patch: new_phases_keep(patch, "_g"),
    "gap one round late": gap_one_round_late,
    "learner not reset by a soft restart": lambda patch: new_phases_keep(patch, "_banker"),
    "delay sum not reset by a soft restart": lambda patch: new_phases_keep(patch, "_delay_sum"),
    "delay sum forgets what is missing": lambda patch: patch.setattr(
        delay_sum.DelaySum, "played", lambda self: None
    ),
    "mixture weights swapped": lambda patch: mixture_weights(patch, lambda a: (1 - a, a)),
    "comparator not mixed in": lambda patch: mixture_weights(patch, lambda a: (1, 0)),
    "budget not renewed by a hard restart": lambda patch: new_stages(patch, keep_the_first_budget),
    "phases not counted anew": lambda patch: new_stages(patch, start_with_the_second_phase),
    "stages not counted": lambda patch: new_stages(patch, stay_in_the_first_stage),
    "first estimate 2": lambda patch: new_stages(patch, begin_with_two),
    "estimator without weights": estimator_without_weights,
    "actions drawn from the base": actions_from_the_base,
    "buckets one round late": buckets_one_round_late,
}


def threshold_without_slack(patch: Patch) -> None:
    patch.setattr(schedule.Schedule, "_slack", lambda self, estimate: self._arithmetic.exact(0))


UNNOTICED: dict[str, tuple[Callable[[Patch], None], str]] = {
    "threshold without its slack": (
        threshold_without_slack,
        "claims take 2 R^ + xi^ from the engine's schedule, and no safety claim needs the slack: "
        "the constants of R^ leave room for it; the second program has formulas of its own",
    ),
    "uniform law in the round of a hard restart": (
        lambda patch: patch.setattr(Learner, "_restart_law", lambda self: self._uniform),
        "the paper does not say what that round plays; it costs at most 1, which each stage has",
    ),
}
