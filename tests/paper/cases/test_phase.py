"""Phases of delays, the doubling update and single mirror steps."""

from __future__ import annotations

import dataclasses
import itertools
import math
from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given

from pbverify.bandits.delays import Delays
from pbverify.errors import InputError
from pbverify.numerics import Truth, leq, to_arb, working_precision
from pbverify.paper.cases.doubling_update import Update
from pbverify.paper.cases.mirror_step import MirrorStep, mirror_steps
from pbverify.paper.cases.phase import (
    DelayedPhase,
    all_at_the_end,
    all_phases,
    borrowed,
    delayed_phases,
    inverse_scales,
    number_of_phases,
    undelayed,
)


@given(delayed_phases(max_length=15))
def test_a_phase_sees_only_its_own_rounds(phase: DelayedPhase) -> None:
    """Delays, mass, total delay and what is missing are those of the rounds start..end."""
    local = phase.delays.to_json()[phase.start - 1 : phase.end]
    rounds = range(len(local))
    assert phase.local_delays == tuple(local)
    assert phase.total_delay == sum(local)
    assert phase.mass == tuple(sum(min(local[u], t - u) for u in range(t + 1)) for t in rounds)
    assert phase.missing == tuple(tuple(u for u in range(t) if u + local[u] >= t) for t in rounds)
    assert phase.all_feedback_arrives == all(u + local[u] < len(local) for u in rounds)
    assert phase.all_feedback_arrives == (phase.mass[-1] == phase.total_delay)


@pytest.mark.parametrize(("start", "end"), [(0, 1), (1, 3), (2, 1), (3, 3)])
def test_spans_outside_the_rounds_are_refused(start: int, end: int) -> None:
    """A phase lies inside its sequence and is not empty."""
    with pytest.raises(InputError, match="1 <= start <= end <= 2"):
        DelayedPhase(Delays([0, 0]), start=start, end=end)


@pytest.mark.parametrize(("length", "delay"), list(itertools.product([1, 2, 3, 4], [0, 1, 2, 3])))
def test_enumeration_is_complete(length: int, delay: int) -> None:
    """Every sequence up to the size occurs once as a whole phase, shortest first, and counted."""
    phases = list(all_phases(length=length, delay=delay))
    found = [phase.delays.to_json() for phase in phases]
    expected = [
        list(delays)
        for rounds in range(1, length + 1)
        for delays in itertools.product(range(delay + 1), repeat=rounds)
    ]
    assert sorted(found) == sorted(expected)
    assert list(map(len, found)) == sorted(map(len, found))
    assert len(found) == number_of_phases(length=length, delay=delay)
    assert all((phase.start, phase.end) == (1, len(phase.delays)) for phase in phases)


def test_scales_and_borrowing_by_hand() -> None:
    """Round 2 owes its own scale and that of round 1, which is missing; round 3 its own."""
    phase = DelayedPhase(Delays([1, 0, 0]), start=1, end=3)
    inverses = list(inverse_scales(phase))
    assert inverses[0] == 1
    assert float(inverses[1].mid()) == pytest.approx(2**-0.5 + math.log(2) ** 0.5)
    scales = [float(1 / inverse.mid()) for inverse in inverses]
    expected = [scales[0], scales[0] + scales[1], scales[2]]
    assert [float(value.mid()) for value in borrowed(phase)] == pytest.approx(expected)


def test_borrowing_is_at_most_twice_what_the_scales_cost() -> None:
    """B <= 2 sum 1/sigma_t, which a note on the decomposition of the regret derives."""
    together = itertools.islice(all_at_the_end(), 30)
    for phase in itertools.chain(all_phases(length=4, delay=4), together):
        costs = sum(inverse_scales(phase))
        assert all(leq(value, 2 * costs) is Truth.YES for value in borrowed(phase))


def test_families_of_long_phases() -> None:
    """No delay at all, and delays that end together at the end of the phase."""
    assert undelayed(3).local_delays == (0, 0, 0)
    third = next(itertools.islice(all_at_the_end(), 2, None))
    assert third.local_delays == (2, 1, 0)
    assert third.missing == ((), (0,), (0, 1))


@pytest.mark.parametrize(
    ("power", "D", "doublings", "after"),
    [(0, 2, 1, 2), (0, 3, 2, 4), (2, 5, 1, 8), (2, 8, 1, 8), (2, 9, 2, 16), (3, 1000, 7, 1024)],
)
def test_updates_by_hand(power: int, D: int, doublings: int, after: int) -> None:
    """The least number of doublings that covers D, and the same estimate from the logarithm."""
    update = Update(power, D)
    assert (update.doublings, update.printed) == (doublings, after)
    assert update.before << update.doublings == after
    assert update.printed == 2 ** math.ceil(math.log2(D))


STEP = MirrorStep(
    psi="negative-entropy",
    base=(Fraction(1, 4), Fraction(3, 4)),
    comparator=(Fraction(1, 2), Fraction(1, 2)),
    losses=(Fraction(1), Fraction(1, 2)),
    alpha=Fraction(1, 2),
    sigma=Fraction(2),
    from_base=True,
)


def test_costs_by_hand() -> None:
    """sigma D(p, z~) = sigma p (u + exp(-u) - 1) with u = l/(x sigma); arms weigh by the law."""
    assert STEP.law == (Fraction(3, 8), Fraction(5, 8))
    u = 1 / (0.375 * 2)
    with working_precision(64):
        first, second = (float(to_arb(STEP.cost(arm)).mid()) for arm in (0, 1))
        assert first == pytest.approx(2 * 0.25 * (u + math.exp(-u) - 1))
        expected = 0.375 * first + 0.625 * second
        assert float(to_arb(STEP.expected_cost()).mid()) == pytest.approx(expected)


@given(mirror_steps("tsallis", from_base=False))
def test_costs_are_at_most_the_loss(step: MirrorStep) -> None:
    """From the played law a step never costs more than the loss, nor less than nothing."""
    with working_precision(128):
        for arm, loss in enumerate(step.losses):
            cost = to_arb(step.cost(arm))
            assert cost.upper() >= 0
            assert cost.lower() <= to_arb(loss).upper()


@pytest.mark.parametrize("psi", ["negative-entropy", "tsallis"])
def test_no_loss_costs_exactly_nothing(psi: str) -> None:
    """The step stays where it is, and its cost is the number 0, not an enclosure of it."""
    step = dataclasses.replace(STEP, psi=psi, losses=(Fraction(0), Fraction(1)))
    with working_precision(64):
        assert step.cost(0) == fmpq(0)
        assert to_arb(step.cost(1)) > 0


@given(mirror_steps("tsallis", from_base=True))
def test_generated_steps_are_steps(step: MirrorStep) -> None:
    """0 < alpha <= 1, sigma > 0, losses in [0, 1], and laws that are positive and add up to 1."""
    assert 0 < step.alpha <= 1
    assert step.sigma > 0
    assert all(0 <= loss <= 1 for loss in step.losses)
    for law in (step.base, step.comparator):
        assert min(law) > 0
        assert sum(law) == 1
