"""Runs, replays, and the enumeration of every action sequence."""

from __future__ import annotations

import dataclasses
import itertools
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.numerics import Truth, leq, to_arb, working_precision
from pbverify.paper.algorithm.engine import Path, enumerate_paths, follow, run, run_rigorously
from pbverify.paper.algorithm.readings import PRESETS, Reading

THIRDS, HALVES = [Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 2)] * 2


def instance(delays: list[int], *, seed: int | None = 7) -> Instance:
    T = len(delays)
    losses = [[(t % 2), Fraction(1, 2)] for t in range(T)]
    return Instance.build(losses=losses, delays=delays, comparator=THIRDS, seed=seed)


def test_replay_reproduces_a_run() -> None:
    """Given its own actions a run repeats itself in every column."""
    some = instance([0, 2, 0, 1, 0, 0, 3, 0])
    drawn = run(some, PRESETS["repaired"])
    again = run(some.with_actions(drawn["action"]), PRESETS["repaired"])
    for name in drawn.columns:
        np.testing.assert_array_equal(drawn[name], again[name])


@pytest.mark.parametrize("name", PRESETS)
def test_rigorous_draws_equal_float_draws(name: str) -> None:
    """From one seed both arithmetics draw the same short action sequence."""
    some = instance([0, 1, 0, 2] * 20)
    rigorous = run_rigorously(some, PRESETS[name])["action"]
    np.testing.assert_array_equal(run(some, PRESETS[name])["action"], rigorous)


@settings(max_examples=25)
@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=5),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from([Fraction(1), Fraction(2), Fraction(5)]),
)
def test_enumeration_is_complete(delays: list[int], preset: str, budget: Fraction) -> None:
    """All A^T sequences appear once and their probabilities enclose a total of 1."""
    everything = enumerate_paths(instance(delays), PRESETS[preset].with_options(budget=budget))
    expected = set(itertools.product(range(2), repeat=len(delays)))
    assert {path.actions for path in everything.paths} == expected
    assert len(everything.paths) == len(expected)
    assert to_arb(everything.expectation(lambda path: 1)).contains(1)
    assert everything.cut == 0


def test_enumerated_paths_replay() -> None:
    """Along each path the rows are those of a rigorous run, and of the path followed alone."""
    reading = Reading(budget=Fraction(2), slack=Fraction(0), delay_sum="elapsed")
    everything = enumerate_paths(instance([1, 0, 2, 0]), reading)
    for path in everything.paths:
        trace = everything.trace(path)
        again = run_rigorously(trace.instance, reading)
        for name in trace.columns:
            assert list(map(str, trace[name])) == list(map(str, again[name]))
        [alone] = follow(trace.instance, reading).paths
        assert [row.phase for row in alone.rows] == [row.phase for row in path.rows]
        with working_precision(everything.precision):
            product = arb(1)
            for law, action in zip(again.played or (), path.actions, strict=True):
                product *= to_arb(law[action])
            assert product.overlaps(to_arb(path.probability))
            assert to_arb(alone.probability).overlaps(to_arb(path.probability))


def test_expectation_of_the_estimator_is_the_loss() -> None:
    """Summed over all paths, the importance-weighted estimate of the last round is unbiased."""
    reading = Reading(budget=Fraction(2), slack=Fraction(0))
    everything = enumerate_paths(instance([0, 1, 0, 0]), reading)

    def estimate(path: Path) -> arb:
        row = path.rows[-1]
        return arb(1) / 2 / to_arb(row.played[1]) if row.action == 1 else arb(0)

    assert to_arb(everything.expectation(estimate)).contains(arb(1) / 2)


def test_improbable_branches_are_cut_with_a_bound() -> None:
    """A branch below 2^-1000 is left out and its probability bounded by the cut."""
    some = Instance.build(losses=[[1, 0]] * 10, delays=[0] * 10, comparator=HALVES, seed=0)
    reading = Reading(update="base", budget=Fraction(1), slack=Fraction(0))
    everything = enumerate_paths(some, reading)
    assert len(everything.paths) < 2**10
    assert 0 < everything.cut < arb(2) ** -1000
    known = sum((to_arb(path.probability) for path in everything.paths), arb(0))
    assert (known + everything.cut).contains(1)
    # What was cut may weigh anything, so no number comes out, and no verdict.
    assert leq(everything.expectation(lambda path: fmpq(1)), 10) is Truth.UNKNOWN


def test_a_cut_that_may_be_nothing_still_counts() -> None:
    """A ball around 0 may hide a branch, so the expectation is unknown as well."""
    everything = enumerate_paths(instance([0, 0]), PRESETS["repaired"])
    assert everything.expectation(lambda path: fmpq(1)).contains(1)
    hidden = dataclasses.replace(everything, cut=arb(0, 2**-1010))
    assert to_arb(hidden.expectation(lambda path: fmpq(1))).is_nan()


def test_too_many_paths_are_refused() -> None:
    """An enumeration that would not end is an input error."""
    with pytest.raises(InputError, match=r"A\^T=2\^21"):
        enumerate_paths(instance([0] * 21), PRESETS["appendix"])
