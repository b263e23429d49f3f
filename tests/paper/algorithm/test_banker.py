"""Banker-OMD: ledger, scales, iterates and counters against their definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.mirror_maps import NegativeEntropy, Regularizer, Tsallis
from pbverify.bandits.protocol import Feedback
from pbverify.numerics import BallArithmetic, FloatArithmetic, to_fmpq
from pbverify.paper.algorithm.banker import Banker, BankerOMD, Step
from pbverify.paper.algorithm.ledger import Draw, Ledger, is_zero
from pbverify.paper.algorithm.prudent_banker import PrudentBanker
from pbverify.paper.algorithm.readings import preset

FLOATS = FloatArithmetic()
History = list[tuple[Fraction, list[int]]]
scales = st.fractions(Fraction(1, 50), 50, max_denominator=50)


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Per round: its scale, and which earlier or present rounds' feedback arrives at its end."""
    rounds = draw(st.integers(1, 12))
    arrival = [draw(st.integers(t, rounds + 3)) for t in range(rounds)]
    return [
        (draw(scales), [u + 1 for u in range(rounds) if arrival[u] == t]) for t in range(rounds)
    ]


def play(history: History) -> list[tuple[Ledger, fmpq, Draw]]:
    """After each draw: a copy of the ledger, the scale, and the draw."""
    ledger = Ledger(BallArithmetic())
    seen = []
    for t, (scale, arrived) in enumerate(history, start=1):
        draw = ledger.draw(t, to_fmpq(scale))
        seen.append((ledger.fork(), to_fmpq(scale), draw))
        ledger.deposit(t, to_fmpq(scale))
        for u in arrived:
            ledger.release(u)
    return seen


@given(histories())
def test_every_draw_balances(history: History) -> None:
    """Shares and borrowing pay the scale; credit left equals borrowing, none spent twice."""
    borrowed, spent = fmpq(0), dict.fromkeys(range(1, len(history) + 1), fmpq(0))
    for ledger, scale, draw in play(history):
        amounts = [amount for _, amount in draw.shares]
        assert sum(amounts, draw.borrowed) == scale
        assert min([*amounts, draw.borrowed]) >= 0
        borrowed += draw.borrowed
        assert sum(ledger.credits.values(), scale) == borrowed
        assert all(credit > 0 for credit in ledger.credits.values())
        for u, amount in draw.shares:
            spent[u] += amount
    assert all(spent[u] <= to_fmpq(scale) for u, (scale, _) in enumerate(history, start=1))


@given(histories())
def test_arrived_credit_is_spent_in_order_before_borrowing(history: History) -> None:
    """A round borrows only without spendable credit; all but the last of its sources are empty."""
    for ledger, _, draw in play(history):
        assert draw.borrowed == 0 or ledger.spendable == []
        rounds = [u for u, _ in draw.shares]
        assert rounds == sorted(rounds)
        assert all(u not in ledger.credits for u in rounds[:-1])
        assert all(u not in ledger.spendable or u >= max(rounds, default=0) for u in rounds)


def test_late_feedback_is_spent_before_newer_credit() -> None:
    """An early round whose feedback arrives late comes first in the next draw, also of a fork."""
    ledger = Ledger(BallArithmetic())
    for u in (1, 2):
        ledger.deposit(u, fmpq(1))
    for u in (2, 1):
        ledger.release(u)
    fork = ledger.fork()
    assert fork.draw(3, fmpq(3, 2)).shares == ((1, fmpq(1)), (2, fmpq(1, 2)))
    assert fork.credits == {2: fmpq(1, 2)}
    assert ledger.credits == {1: fmpq(1), 2: fmpq(1)}
    assert ledger.spendable == [1, 2]


def test_only_zero_is_zero() -> None:
    """Neither a negative number nor a ball around 0 is known to be 0."""
    values = (fmpq(0), 0.0, arb(0), fmpq(-1), -0.5, arb(0, 1))
    assert [is_zero(value) for value in values] == [True] * 3 + [False] * 3


C1, C2 = 0.7, 3.0


def drive(
    delays: Sequence[int], losses: Sequence[float], psi: Regularizer, *, arms: int = 2
) -> list[Step]:
    """Round t plays arm t mod A, and its mirror step starts at the base iterate."""
    banker = Banker(FLOATS, psi, arms=arms, constants=(C1, C2), start=1)
    steps = []
    for t in range(1, len(delays) + 1):
        step = banker.predict(t)
        banker.commit(t, step, step.dual)
        steps.append(step)
        for u in range(1, t + 1):
            if u + delays[u - 1] == t:
                arm = u % arms
                banker.learn(u, arm, estimate(losses[u - 1], steps[u - 1], arm))
    return steps


def estimate(loss: float, step: Step, arm: int) -> float:
    """An importance-weighted loss; given actions may collapse a probability, so it is floored."""
    return float(loss / max(step.iterate[arm], 1e-3))


runs = st.lists(st.tuples(st.integers(0, 5), st.floats(0, 1)), min_size=1, max_size=15)


@given(runs)
def test_scales_follow_the_theorem(run: list[tuple[int, float]]) -> None:
    """sigma_t uses the rounds outstanding at t and their running sum, and no term if none is."""
    delays = [d for d, _ in run]
    mass = 0
    for t, step in enumerate(drive(delays, [x for _, x in run], NegativeEntropy()), start=1):
        missing = sum(1 for u in range(1, t) if t <= u + delays[u - 1])
        mass += missing
        term = missing * math.sqrt(math.log(mass + 1) / mass) if missing else 0.0
        assert step.scale == pytest.approx(math.sqrt(C2 / C1) / (1 / math.sqrt(t) + term))


@pytest.mark.parametrize("psi", [NegativeEntropy(), Tsallis()], ids=lambda psi: psi.name)
@given(run=runs)
def test_iterates_are_averages_of_mirror_steps(
    psi: Regularizer, run: list[tuple[int, float]]
) -> None:
    """The iterate projects the weighted average of z_u's duals, recomputed from the points z_u."""
    arithmetic = FLOATS
    delays, losses = [d for d, _ in run], [x for _, x in run]
    steps = drive(delays, losses, psi)
    for step in steps:
        average = [step.borrowed / step.scale * g for g in psi.gradient(arithmetic, [0.5, 0.5])]
        for u, amount in step.shares:
            past, arm = steps[u - 1], u % 2
            moved = psi.gradient(arithmetic, past.iterate)
            moved[arm] -= estimate(losses[u - 1], past, arm) / past.scale
            z = psi.project(arithmetic, moved)
            for i, g in enumerate(psi.gradient(arithmetic, z)):
                average[i] += amount / step.scale * g
        assert step.iterate == pytest.approx(psi.project(arithmetic, average), abs=1e-9)
        assert sum(step.iterate) == pytest.approx(1, abs=1e-12)


def test_without_delay_it_is_mirror_descent() -> None:
    """With no delay every round is paid by the one before it and a borrowed rest."""
    steps = drive([0] * 5, [1.0] * 5, NegativeEntropy())
    assert [[u for u, _ in step.shares] for step in steps] == [[], [1], [2], [3], [4]]
    assert all(step.borrowed > 0 for step in steps)


def test_a_fork_learns_alone() -> None:
    """Learning in a copy leaves the original's prediction unchanged."""
    banker = Banker(FLOATS, NegativeEntropy(), arms=2, constants=(C1, C2), start=1)
    first = banker.predict(1)
    banker.commit(1, first, first.dual)
    copy = banker.fork()
    copy.learn(1, 0, 5.0)
    assert banker.predict(2).iterate == [0.5, 0.5]
    assert copy.predict(2).iterate[0] < 0.5


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0.0, 0.5, 1.0])), max_size=10))
def test_equals_prudent_banker_at_full_aggression(run: list[tuple[int, float]]) -> None:
    """With budget 1 and no delay Prudent-Banker has alpha = 1 from the start: same laws."""
    reading = preset("repaired").with_options(budget=1, slack=0)
    third = Fraction(1, 3)
    prudent = PrudentBanker(FLOATS, reading, horizon=20, comparator=[third, 1 - third], delta=third)
    banker = BankerOMD(FLOATS, NegativeEntropy(), arms=2, delta=third)
    for t, (arm, loss) in enumerate(run, start=1):
        assert list(banker.play()) == list(prudent.play())
        for learner in (banker, prudent):
            learner.observe(arm, [Feedback(t, loss)])


def test_late_feedback_moves_the_law_when_it_arrives() -> None:
    """A loss on arm 0 lowers its probability after arrival, not before, and in a fork alone."""
    banker = BankerOMD(FLOATS, NegativeEntropy(), arms=2, delta=Fraction(1, 2))
    for _ in range(2):
        assert list(banker.play()) == [0.5, 0.5]
        banker.observe(0, [])
    assert list(banker.play()) == [0.5, 0.5]
    fork = banker.fork()
    fork.observe(0, [Feedback(1, 1.0)])
    banker.observe(0, [])
    assert list(banker.play()) == [0.5, 0.5]
    assert fork.play()[0] < 0.5
