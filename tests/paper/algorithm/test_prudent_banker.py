"""Prudent-Banker against the pseudocode, by hand and by properties, and its traces."""

from __future__ import annotations

import json
import math
import pathlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from pbverify.bandits.instance import Instance
from pbverify.errors import ImprobableActionError, UndecidedError
from pbverify.numerics import PRECISION_LIMIT
from pbverify.paper.algorithm.engine import run, run_rigorously
from pbverify.paper.algorithm.readings import PRESETS, Reading
from pbverify.paper.algorithm.trace import COLUMNS, Trace

HALVES = [Fraction(1, 2)] * 2
SMALL = Reading(budget=Fraction(2), slack=Fraction(0))


def bad_first_arm(
    delays: list[int], actions: list[int] | None = None, *, seed: int | None = None
) -> Instance:
    """Arm 0 loses 1, arm 1 nothing, and the comparator is uniform."""
    losses = [[1, 0]] * len(delays)
    return Instance.build(
        losses=losses, delays=delays, comparator=HALVES, actions=actions, seed=seed
    )


def test_first_rounds_by_hand() -> None:
    """Budget 2, no delay, arm 0 twice: the gap and the soft restart are as computed by hand."""
    trace = run(bad_first_arm([0] * 4, [0, 0, 1, 1]), SMALL)
    # Round 1 plays 1/2 each; the estimate 2 on arm 0 gives the gap <(2, 0), x^c> - 0 = 1.
    assert trace["gap"][0] == 1
    # sigma_1 = sqrt(C2/C1) with C1 = ln 2, C2 = 2; the step is 2/sigma_1 from x_1 = x_0.
    c = math.sqrt(2 / math.log(2))
    assert trace["sigma"][0] == pytest.approx(c)
    assert trace["borrowed"][:2] == pytest.approx([c, c * (math.sqrt(2) - 1)])
    odds = math.exp(-(2 / c) / math.sqrt(2))  # z_1's dual, weighted sigma_1/sigma_2
    base = odds / (1 + odds)
    assert trace.base is not None
    assert trace.base[1][0] == pytest.approx(base)
    played = base / 2 + 0.25
    assert trace["gap"][1] == pytest.approx(1 + 0.5 / played)
    assert trace["gap"][1] < 4
    assert not trace["soft_restart"].any()


def test_soft_restart_doubles_alpha_until_one() -> None:
    """Phases have alpha 1/3, 2/3, 1; a phase with alpha = 1 never restarts softly."""
    trace = run(bad_first_arm([0] * 200, seed=4), SMALL.with_options(budget=Fraction(3)))
    alphas = [trace.alpha_of(phase) for phase in trace.phases]
    assert alphas == pytest.approx([1 / 3, 2 / 3, 1])
    assert [phase.ended for phase in trace.phases] == ["soft restart", "soft restart", "horizon"]
    threshold = 2 * 3
    for phase in trace.phases[:2]:
        assert trace["gap"][phase.last - 1] > threshold
        assert (trace["gap"][phase.first - 1 : phase.last - 1] <= threshold).all()
        assert trace["gap"][phase.last] <= 2 / 0.25  # a fresh start: one estimate at most


def test_clairvoyant_hard_restart_by_hand() -> None:
    """Delays 1, 2 exceed the estimate 1 in round 2, which doubles past the sum 3 to 4."""
    trace = run(bad_first_arm([1, 2, 0, 0, 9, 0], [0] * 6), SMALL)
    assert trace["hard_restart"].tolist() == [False, True, False, False, True, False]
    assert trace["delay_estimate"].tolist() == [1, 4, 4, 4, 16, 16]
    assert trace["stage"].tolist() == [1, 2, 2, 2, 3, 3]
    assert trace["start"].tolist() == [1, 3, 3, 3, 6, 6]
    assert math.isnan(trace["sigma"][1])
    assert trace["borrowed"][1] == trace["gap"][1] == 0


@pytest.mark.parametrize(
    ("delay_sum", "hard"), [("clairvoyant", [2]), ("arrived", [6]), ("elapsed", [4])]
)
def test_delay_sums_by_hand(delay_sum: str, hard: list[int]) -> None:
    """One delay of 3 in round 2 restarts at once, when its age is 2, or after it has arrived."""
    reading = SMALL.with_options(delay_sum=delay_sum)
    trace = run(bad_first_arm([0, 3, 0, 0, 0, 0, 0], [1] * 7), reading)
    assert (np.flatnonzero(trace["hard_restart"]) + 1).tolist() == hard


@pytest.mark.parametrize(
    ("estimate", "expected"), [("power-of-two", 4), ("twice", 6), ("double", 2)]
)
def test_estimates_by_hand(estimate: str, expected: int) -> None:
    """A sum of 3 over the estimate 1 leads to 4, to 6 or to 2."""
    trace = run(bad_first_arm([3, 0, 0], [1, 1, 1]), SMALL.with_options(estimate=estimate))
    assert trace["delay_estimate"].tolist() == [expected] * 3


def test_scope_stage_remembers_earlier_phases() -> None:
    """After a soft restart the phase's sum starts anew while the stage's goes on."""
    instance, eager = bad_first_arm([1, 0, 0, 0, 1, 0], [0] * 6), SMALL.with_options(budget="5/4")
    by_phase, by_stage = (
        run(instance, eager.with_options(delay_scope=scope)) for scope in ("phase", "stage")
    )
    assert by_phase["soft_restart"][:4].any()
    assert not by_phase["hard_restart"].any()
    assert by_stage["hard_restart"].tolist() == [False] * 4 + [True, False]


@pytest.mark.parametrize(
    ("restart_round", "law"), [("mixture", [0.375, 0.625]), ("comparator", [0.25, 0.75])]
)
def test_restart_round_plays_mixture_or_comparator(restart_round: str, law: list[float]) -> None:
    """In a hard-restart round x_0 is mixed with the new alpha, or x^c is played."""
    quarter = [Fraction(1, 4), Fraction(3, 4)]
    instance = Instance.build(
        losses=[[1, 0]] * 2, delays=[2, 0], comparator=quarter, actions=[0, 0]
    )
    trace = run(instance, SMALL.with_options(restart_round=restart_round))
    assert trace.played is not None
    assert trace.played[0] == pytest.approx(law)
    assert trace.base is not None
    assert trace.base[0] == [0.5, 0.5]


def test_feedback_of_earlier_phases_is_ignored() -> None:
    """Feedback of a hard-restart round, or of a round before the start, changes nothing."""
    quiet = run(bad_first_arm([2, 0, 0, 0, 0], [1, 1, 1, 1, 1]), SMALL)
    loud = run(bad_first_arm([2, 0, 0, 0, 0], [0, 1, 1, 1, 1]), SMALL)
    for column in ("gap", "sigma", "borrowed"):
        np.testing.assert_array_equal(quiet[column][1:], loud[column][1:])


def test_gap_of_learner_uses_base_iterates() -> None:
    """The main text's gap adds up estimate times (comparator - base) at the played arm."""
    trace = run(bad_first_arm([0] * 5, [0, 0, 1, 0, 0]), SMALL.with_options(gap="learner"))
    assert trace.base is not None
    assert trace.played is not None
    total = 0.0
    for t, arm in enumerate([0, 0, 1, 0, 0]):
        total += (1 - arm) / trace.played[t][arm] * (0.5 - trace.base[t][arm])
        assert trace["gap"][t] == pytest.approx(total)


def test_played_update_forgets_the_base_iterate() -> None:
    """With a small alpha a step from the played point stays near the comparator."""
    small = Reading(budget=Fraction(100), slack=Fraction(10**6))
    instance, updates = bad_first_arm([0] * 300, seed=1), ("played", "base")
    forgetful, steady = (run(instance, small.with_options(update=u)).base for u in updates)
    assert forgetful is not None
    assert forgetful[-1][0] > 0.3
    assert steady is not None
    assert steady[-1][0] < 0.01


def test_tie_at_the_threshold_is_decided_exactly() -> None:
    """A gap of exactly 2 R^ + xi^ does not restart; the exact engine knows, without a limit."""
    # Everything arrives at the end of round 4, so rounds 1 to 4 play 1/2 each: the gap is 4.
    instance, lenient = (
        bad_first_arm([3, 2, 1, 0], [0] * 4),
        SMALL.with_options(delay_sum="arrived"),
    )
    trace = run_rigorously(instance, lenient)
    assert trace["gap"][3] == fmpq(4)
    assert not trace["soft_restart"].any()
    assert trace.precision == 64
    over = run_rigorously(instance, lenient.with_options(budget=Fraction(1999, 1000)))
    assert over["soft_restart"].tolist() == [False, False, False, True]


def test_undecidable_tie_names_the_round() -> None:
    """A threshold that equals a transcendental gap cannot be decided and says where."""
    instance = bad_first_arm([0, 0], [0, 0])
    never = SMALL.with_options(budget=Fraction(101, 100), slack=Fraction(100))
    gap = run_rigorously(instance, never, precision=PRECISION_LIMIT)["gap"][1]
    numerator, exponent = gap.mid().man_exp()
    middle = Fraction(int(numerator)) * Fraction(2) ** int(exponent)
    with pytest.raises(UndecidedError, match=r"Round 2: the restart test .* 4096 bits"):
        run_rigorously(instance, never.with_options(slack=middle - 2 * Fraction(101, 100)))


@pytest.mark.parametrize(("regularizer", "T"), [("negative-entropy", 3000), ("tsallis", 200)])
@pytest.mark.parametrize("engine", [run, run_rigorously])
def test_improbable_action_is_refused(
    engine: Callable[[Instance, Reading], Trace], regularizer: str, T: int
) -> None:
    """A given action whose probability vanishes stops the run and names round and arm."""
    reading = Reading(update="base", budget=Fraction(1), slack=Fraction(0), regularizer=regularizer)
    with pytest.raises(ImprobableActionError, match=r"2\^-1000 but got actions\[\d+\]=0"):
        engine(bad_first_arm([0] * T, [0] * T), reading)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    preset=st.sampled_from(sorted(PRESETS)),
    psi=st.sampled_from(["negative-entropy", "tsallis"]),
    budget=st.sampled_from([Fraction(1), Fraction(3), Fraction(6)]),
)
def test_invariants_of_every_run(seed: int, preset: str, psi: str, budget: Fraction) -> None:
    """Laws are distributions above (1 - alpha) x^c, restarts follow their tests, columns agree."""
    rng = np.random.default_rng(seed)
    T = 60
    instance = Instance.build(
        losses=np.round(rng.random((T, 3)), 2),
        delays=np.where(rng.random(T) < 0.2, rng.integers(0, 8, T), 0),
        comparator=[Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)],
        seed=seed,
    )
    trace = run(instance, PRESETS[preset].with_options(budget=budget, regularizer=psi))
    check_invariants(trace)


def check_invariants(trace: Trace) -> None:
    assert trace.base is not None
    assert trace.played is not None
    comparator = trace.instance.comparator_floats
    for t in range(trace.rounds):
        for law in (np.array(trace.base[t]), np.array(trace.played[t])):
            assert law.min() >= 0
            assert law.sum() == pytest.approx(1, abs=1e-12)
        floor = (1 - trace["alpha"][t]) * comparator
        assert (np.array(trace.played[t]) >= floor - 1e-12).all()
    assert (np.diff(trace["delay_estimate"]) >= 0).all()
    assert ((trace["alpha"] > 0) & (trace["alpha"] <= 1)).all()
    assert not (trace["hard_restart"] & trace["soft_restart"]).any()
    for phase in trace.phases:
        inside = slice(phase.first - 1, phase.last)
        assert len(set(trace["alpha"][inside])) == 1
        assert (trace["start"][inside] == phase.first).all()
        assert not trace["hard_restart"][inside].any()


def test_precision_rises_until_the_branches_are_decided() -> None:
    """Huge estimates need more than the first precision; the run then succeeds with more bits."""
    reading = Reading(budget=Fraction(10_000_001, 10_000_000), slack=Fraction(10**100))
    trace = run_rigorously(bad_first_arm([0] * 200, [0] * 200), reading)
    assert trace.precision is not None
    assert 64 < trace.precision < PRECISION_LIMIT


@pytest.mark.parametrize(
    ("delays", "hard", "phases", "stages"),
    [
        (
            [0, 0, 5, 0, 9, 9, 0, 0],
            [3, 5],
            [(1, 1, 2, "hard restart"), (2, 4, 4, "hard restart"), (3, 6, 8, "horizon")],
            [(1, None, 1), (2, 3, 1), (3, 5, 1)],
        ),
        (
            [0, 2, 9, 0, 99],
            [2, 3, 5],
            [(1, 1, 1, "hard restart"), (3, 4, 4, "hard restart")],
            [(1, None, 1), (2, 2, 0), (3, 3, 1), (4, 5, 0)],
        ),
    ],
    ids=["each stage has a phase", "two restarts in a row and one at T leave stages empty"],
)
def test_phases_by_hand(delays: list[int], hard: list[int], phases: Any, stages: Any) -> None:
    """A phase ends before a hard restart or at the horizon; empty phases are not listed."""
    trace = run(bad_first_arm(delays, seed=0), SMALL.with_options(budget=8))
    assert (np.flatnonzero(trace["hard_restart"]) + 1).tolist() == hard
    assert [(p.stage, p.first, p.last, p.ended) for p in trace.phases] == phases
    assert [(s.number, s.opened, len(s.phases)) for s in trace.stages] == stages


@settings(max_examples=60)
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=60),
    st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(4)]),
    st.integers(0, 99),
)
def test_phases_partition_the_rounds(delays: list[int], budget: Fraction, seed: int) -> None:
    """Every round is a hard restart or lies in exactly one phase, which ends as it says."""
    reading = SMALL.with_options(budget=budget, delay_sum="elapsed")
    trace = run(bad_first_arm(delays, seed=seed), reading)
    covered = [t for phase in trace.phases for t in range(phase.first, phase.last + 1)]
    hard = (np.flatnonzero(trace["hard_restart"]) + 1).tolist()
    assert sorted(covered + hard) == list(range(1, trace.rounds + 1))
    for phase in trace.phases:
        following = phase.last < trace.rounds and bool(trace["hard_restart"][phase.last])
        soft = bool(trace["soft_restart"][phase.last - 1])
        assert phase.ended == (
            "soft restart" if soft else "hard restart" if following else "horizon"
        )
    assert sum(len(stage.phases) for stage in trace.stages) == len(trace.phases)


def test_written_columns(tmp_path: pathlib.Path) -> None:
    """A file holds all columns with T entries, doubles also after a rigorous run."""
    instance, documents = bad_first_arm([0, 4, 0], [0, 1, 0]), []
    for engine in (run, run_rigorously):
        trace = engine(instance, PRESETS["appendix"])
        trace.save(tmp_path / "trace.json")
        documents.append(json.loads((tmp_path / "trace.json").read_text()))
        assert set(documents[-1]["rounds"]) == set(COLUMNS)
        assert all(len(column) == 3 for column in documents[-1]["rounds"].values())
        assert documents[-1]["rounds"]["sigma"][1] is None
        trace.without_iterates().save(tmp_path / "bare.json")
        assert json.loads((tmp_path / "bare.json").read_text())["base"] is None
    np.testing.assert_allclose(documents[0]["base"], documents[1]["base"], rtol=1e-12)
    assert documents[1]["precision"] == 64


def test_enormous_estimates_stay_integers() -> None:
    """Estimates beyond 64 bits are kept exactly; those below stand in a column of int64."""
    reading = Reading(estimate="twice", delay_scope="stage", budget=Fraction(4))
    estimates = run(bad_first_arm([2**53 - 1] * 2200, [0] * 2200), reading)["delay_estimate"]
    assert all(isinstance(estimate, int) for estimate in estimates.tolist())
    assert estimates[-1] > 2**63
    assert estimates[-1] % 2 == 0
    small = run(bad_first_arm([0, 99, 0], [0] * 3), Reading(budget=Fraction(8)))["delay_estimate"]
    assert small.dtype == np.int64
    assert small.tolist() == [1, 128, 128]
