"""Sums over a phase: against their definitions, on runs small enough to do by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.numerics import to_arb
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.proofs.phase_sums import (
    against,
    against_comparator,
    arrived,
    best_response,
    cautious,
    comparator,
    estimates,
    gap,
    gaps,
    inner,
    missing,
    outstanding_mass,
)


@pytest.fixture
def run() -> Run:
    """One phase of three rounds; round 2's feedback stays away."""
    instance = Instance.build(
        losses=[[1, 0]] * 3,
        delays=[0, 5, 1],
        comparator=[Fraction(3, 4), Fraction(1, 4)],
        actions=[0, 0, 1],
    )
    return Run.of(instance, Reading(budget=Fraction(4), slack=Fraction(0), delay_sum="arrived"))


@pytest.fixture
def phase(run: Run) -> PaperPhase:
    [phase] = run.phases
    return phase


def test_feedback_is_arrived_or_missing(run: Run, phase: PaperPhase) -> None:
    """Every round up to a given one is on one of the two lists."""
    assert arrived(run, phase, at=3) == [1]
    assert missing(run, phase, at=3) == [2, 3]
    assert missing(run, phase, at=1) == []


def test_a_phase_is_cautious_below_full_aggression(run: Run, phase: PaperPhase) -> None:
    """The phase has alpha = 1/4; with R^ = 1 it has alpha = 1."""
    assert list(cautious(run)) == [phase]
    full = Run.of(run.instance, run.trace.reading.with_options(budget=Fraction(1)))
    assert full.phases
    assert list(cautious(full)) == []


def test_estimates_add_up_per_arm(run: Run) -> None:
    """Arm 0 was played twice at a loss of 1, arm 1 once without loss."""
    first, second = run.estimate(1), run.estimate(2)
    g = estimates(run, [1, 2, 3])
    assert to_arb(g[0]).overlaps(to_arb(first + second))
    assert g[1] == 0


def test_the_gap_is_attained_at_the_best_response(run: Run) -> None:
    """max_x <g, x^c - x> is <g, x^c> less the least entry."""
    g = [fmpq(4), fmpq(1)]
    assert best_response(g) == 1
    assert gap(run, g) == fmpq(3) + fmpq(1, 4) - 1
    assert inner(g, comparator(run)) == fmpq(13, 4)


def test_gaps_follow_the_engine(run: Run, phase: PaperPhase) -> None:
    """Where feedback arrives the gap is the trace's own statistic."""
    for t, value in gaps(run, phase):
        assert to_arb(value).overlaps(to_arb(run.trace["gap"][t - 1]))
    assert [t for t, _ in gaps(run, phase)] == [1]


def test_sums_against_arms_and_comparator(run: Run, phase: PaperPhase) -> None:
    """<l_1, x_1 - e_1> is the first estimate times x_1(0), and likewise for x^c and x^."""
    assert against(run, [1], 1, base=False) == run.estimate(1) * run.law(1)[0]
    assert against(run, [1], 0, base=True) == run.estimate(1) * (run.base(1)[0] - 1)
    expected = run.estimate(1) * (run.law(1)[0] - fmpq(3, 4))
    assert against_comparator(run, [1], base=False) == expected


def test_mass_counts_rounds_while_they_are_missing(run: Run, phase: PaperPhase) -> None:
    """Only round 2 is missing when a later round of the phase, round 3, is played."""
    assert outstanding_mass(run, phase) == 1
