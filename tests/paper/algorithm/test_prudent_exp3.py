"""Prudent-EXP3: stages, phases, clock and exit test, on runs that can be followed by hand."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest

from pbverify.bandits.instance import Instance
from pbverify.bandits.trial import Trial
from pbverify.errors import ImprobableActionError, InputError
from pbverify.numerics import BallArithmetic, Truth, equal, to_fmpq
from pbverify.paper.algorithm.exp3_stages import Exp3Settings, stage
from pbverify.paper.algorithm.exp3_trace import Exp3Trace, run, run_rigorously
from pbverify.paper.algorithm.prudent_exp3 import learner_of

QUARTER = Fraction(1, 4)
SAFE = [Fraction(3, 4), QUARTER]


def instance(delays: list[int], *, actions: Any = None, losses: Any = (1, 0)) -> Instance:
    T = len(delays)
    given = [0] * T if actions is None else actions
    return Instance.build(losses=[losses] * T, delays=delays, comparator=SAFE, actions=given)


def exact(delays: list[int], settings: Exp3Settings, **options: Any) -> Exp3Trace:
    return run_rigorously(instance(delays, **options), settings)


def test_stages_double_their_clock() -> None:
    """R_s grows by sqrt 2, gamma_s falls by it, and 2^(1 - K_s) R_s s (s + 1) is at most Lambda."""
    arithmetic, told = BallArithmetic(128), Exp3Settings(safety=Fraction(1, 3))
    stages = [stage(arithmetic, told, s, arms=2, delta=QUARTER) for s in range(1, 6)]
    for one, two in itertools.pairwise(stages):
        assert two.largest_clock == 2 * one.largest_clock
        assert abs(float(two.budget / one.budget) ** 2 - 2) < 1e-12
        assert abs(float(one.rate / two.rate) ** 2 - 2) < 1e-12
    for each in stages:
        share = each.budget * each.number * (each.number + 1) * 3
        assert share <= 2 ** (each.phases - 1)
        assert not share <= 2 ** (each.phases - 2)
        assert each.alpha(each.phases) == 1
        assert each.alpha(each.phases - 1) == Fraction(1, 2)


def test_a_budget_within_the_safety_target_needs_one_phase() -> None:
    """K_s is never below 1, and at a power of two it is exact."""
    arithmetic = BallArithmetic()
    for budget, phases in ((Fraction(1, 100), 1), (Fraction(1, 2), 1), (Fraction(4), 4)):
        found = stage(arithmetic, Exp3Settings(budget=budget), 1, arms=2, delta=QUARTER)
        assert found.phases == phases


def test_the_clock_counts_rounds_and_missing_items() -> None:
    """n_t adds 1 + 2 delta d_t; the round that would exceed N_s opens the next stage at clock 1."""
    trace = exact([2, 0, 0, 0, 0, 0], Exp3Settings(first_clock=Fraction(4)))
    assert trace["clock"].tolist() == [1, Fraction(5, 2), 4, 1, 2, 3]
    assert trace["stage"].tolist() == [1, 1, 1, 2, 2, 2]
    assert trace["start"].tolist() == [1, 1, 1, 4, 4, 4]
    assert [phase.ended for phase in trace.phases] == ["clock", "horizon"]


def test_a_new_phase_forgets_what_is_missing() -> None:
    """Feedback of rounds before the start is ignored, and not counted as missing."""
    trace = exact([3, 0, 0, 0], Exp3Settings(first_clock=Fraction(2)))
    assert trace["start"].tolist() == [1, 2, 2, 2]
    assert trace["missing"].tolist() == [1, 0, 0, 0]
    assert trace.played is not None
    assert equal(trace["gap"][1], to_fmpq(SAFE[0]) / trace.played[1][0]) is Truth.YES


def test_an_exit_needs_a_gap_above_twice_the_budget_and_what_is_missing() -> None:
    """One missing item raises the threshold by one."""
    told = Exp3Settings(budget=Fraction(1, 2), first_clock=Fraction(100), safety=QUARTER)
    on_time = exact([0, 0, 0], told)
    assert on_time["alpha"][0] == QUARTER
    assert on_time["soft_restart"].tolist()[:1] == [True]
    late = exact([0, 0, 0], told, actions=[1, 0, 0])
    assert late["soft_restart"].tolist()[:2] == [False, True]
    missing = exact([1, 0, 0], told)
    assert missing["soft_restart"].tolist()[:2] == [False, True]
    kept = exact([9, 0, 9], told)
    assert kept["soft_restart"].tolist()[:2] == [False, False]


def test_no_phase_ends_softly_at_alpha_one() -> None:
    """The last phase of a stage lasts until its clock runs out."""
    trace = exact([0] * 12, Exp3Settings(budget=Fraction(1, 8), first_clock=Fraction(50)))
    assert set(trace["alpha"].tolist()) == {1}
    assert not trace["soft_restart"].any()
    assert float(trace["gap"][-1]) > 1


def test_it_keeps_the_protocol() -> None:
    """Laws are probability vectors, and a fork that lives on changes nothing."""
    told = Exp3Settings(budget=QUARTER)
    trial = Trial(lambda arithmetic, some: learner_of(arithmetic, told, some))
    play = trial.play(instance([1, 0, 2, 0, 0, 1], actions=[0, 1, 0, 0, 1, 0]))
    pairs = list(trial.keeps_the_protocol(play))
    assert any("fork" in pair.where for pair in pairs)
    assert all(pair.truth is Truth.YES for pair in pairs)


def test_bad_settings_and_actions_are_input_errors() -> None:
    """A message names the field; a clock below 1 would never start."""
    for wrong in ({"safety": Fraction(0)}, {"first_clock": Fraction(1, 2)}, {"budget": -QUARTER}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            Exp3Settings(**wrong)
    with pytest.raises(InputError, match="an option among"):
        Exp3Settings().with_options(slack="1")
    with pytest.raises(InputError, match="learner"):
        Exp3Settings.from_json({"name": "exp3"})
    assert Exp3Settings.from_json(Exp3Settings(budget=QUARTER).to_json()).budget == QUARTER
    told = Exp3Settings(budget=Fraction(1, 8), first_clock=Fraction(10**6))
    with pytest.raises(ImprobableActionError):
        run(instance([0] * 1500), told)
