"""The reversal: its losses, what bounds it on every path, and that the bounds hold in runs."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from pbverify.errors import InputError
from pbverify.paper.adversaries.chosen import reversal
from pbverify.paper.adversaries.reversal import RARE, Reversal
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.kernels import run_compiled
from pbverify.paper.second_program import reversal as second

SMALL = Reversal(
    rounds=30_000,
    turn=24_000,
    share=Fraction(1, 20),
    delta=Fraction(1, 10),
    last_delay=1,
    runs=4,
    seed=5,
    reading=preset("appendix").with_options(budget=100, slack=0),
)


def test_losses_turn_around_once() -> None:
    """(1, 0) before the turn and (0, share) after it; only the last round is late."""
    assert SMALL.losses[: SMALL.turn].tolist() == [[1, 0]] * SMALL.turn
    assert set(SMALL.losses[SMALL.turn :, 1]) == {0.05}
    assert SMALL.total_delay == sum(SMALL.instance.delays.to_json()) == 1


def test_no_run_leaves_the_range() -> None:
    """Totals lie between what is earned and paid at most, and alpha = 1 comes not too early."""
    low, high = SMALL.range
    assert low < SMALL.totals.min() < SMALL.totals.max() < high
    for seed in range(3):
        trace = run_compiled(dataclasses.replace(SMALL.instance, seed=seed), SMALL.reading)
        first = int(np.flatnonzero(np.asarray(trace["alpha"]) >= 1)[0])
        assert first >= SMALL.turn - SMALL.spare


def test_base_iterates_stay_above_their_bound() -> None:
    """While alpha < 1 no round has a base iterate below P_i or above c."""
    trace = run_compiled(SMALL.instance, SMALL.reading)
    phase, start = np.asarray(trace["phase"]), np.asarray(trace["start"])
    base = np.asarray(trace.base)
    for t in range(0, SMALL.turn, 7):
        if trace["alpha"][t] < 1:
            least = SMALL._least_base[phase[t] - 1, t + 1 - start[t]]
            assert least - 1e-9 <= base[t, 0] <= 0.9 + 1e-9


def test_the_second_program_draws_from_the_same_law() -> None:
    """Its bound is the same number, and its means are those of the compiled runs."""
    case = dataclasses.replace(SMALL, reading=preset("appendix"), rounds=100_000, turn=67_645)
    rounds, where, c, excess, bound = second.experiment(case.witness_fields())
    assert (rounds, where, bound) == (100_000, {"D": 1, "T": 100_000}, 1.0)
    assert c == pytest.approx(1 - case.range[0])
    own = [excess(Random(seed)) + 1 for seed in range(4)]
    ours = dataclasses.replace(case, seed=1).totals
    assert abs(np.mean(own) - ours.mean()) < 4 * max(np.std(own), ours.std())


def test_rare_paths_weigh_nothing() -> None:
    """What is set aside weighs less than a millionth; each horizon is one object."""
    for rounds in (100_000, 400_000):
        assert reversal(rounds).rounds * RARE < 1e-6
        assert reversal(rounds) is reversal(rounds)


def test_parameters_that_do_not_fit_are_refused() -> None:
    """The turn lies inside, and the argument is about the appendix's update."""
    with pytest.raises(InputError, match="turn < rounds"):
        dataclasses.replace(SMALL, turn=30_000)
    with pytest.raises(InputError, match="played"):
        dataclasses.replace(SMALL, reading=preset("repaired"))


def test_a_reversal_is_read_back() -> None:
    """A witness of it is a few numbers."""
    assert Reversal.rebuild(SMALL.witness_fields()) == SMALL
