"""The Banker's ledger: what is lent, spent and borrowed always balances."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from pbverify.numerics import BallArithmetic, to_fmpq
from pbverify.paper.algorithm.ledger import Draw, Ledger, is_zero

scales = st.fractions(Fraction(1, 50), 50, max_denominator=50)


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[Fraction, list[int]]]:
    """Per round: its scale, and which earlier or present rounds' feedback arrives at its end."""
    rounds = draw(st.integers(1, 12))
    arrival = [draw(st.integers(t, rounds + 3)) for t in range(rounds)]
    return [
        (draw(scales), [u + 1 for u in range(rounds) if arrival[u] == t]) for t in range(rounds)
    ]


def play(history: list[tuple[Fraction, list[int]]]) -> list[tuple[Ledger, fmpq, Draw]]:
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
def test_a_scale_is_paid_in_full(history: list[tuple[Fraction, list[int]]]) -> None:
    """Shares and the borrowed rest add up to the scale; all are nonnegative."""
    for _, scale, draw in play(history):
        amounts = [amount for _, amount in draw.shares]
        assert sum(amounts, draw.borrowed) == scale
        assert min([*amounts, draw.borrowed]) >= 0


@given(histories())
def test_no_credit_is_negative_or_spent_twice(history: list[tuple[Fraction, list[int]]]) -> None:
    """What rounds have drawn from one round never exceeds its scale, and credits stay positive."""
    spent: dict[int, fmpq] = {}
    for ledger, _, draw in play(history):
        for u, amount in draw.shares:
            spent[u] = spent.get(u, fmpq(0)) + amount
        assert all(credit > 0 for credit in ledger.credits.values())
    for u, total in spent.items():
        assert total <= to_fmpq(history[u - 1][0])


@given(histories())
def test_credits_total_what_was_borrowed(history: list[tuple[Fraction, list[int]]]) -> None:
    """Unspent credit, arrived or not, equals the sum of all borrowing."""
    borrowed = fmpq(0)
    for ledger, scale, draw in play(history):
        borrowed += draw.borrowed
        assert sum(ledger.credits.values(), scale) == borrowed


@given(histories())
def test_borrowing_means_that_arrived_credit_is_spent(
    history: list[tuple[Fraction, list[int]]],
) -> None:
    """A round borrows only when no spendable credit is left."""
    for ledger, _, draw in play(history):
        if draw.borrowed > 0:
            assert ledger.spendable == []


@given(histories())
def test_credits_are_drawn_in_ascending_order(history: list[tuple[Fraction, list[int]]]) -> None:
    """Shares ascend, and every round but the last drawn from is emptied."""
    for ledger, _, draw in play(history):
        rounds = [u for u, _ in draw.shares]
        assert rounds == sorted(rounds)
        assert all(u not in ledger.credits for u in rounds[:-1])
        assert all(u not in ledger.spendable or u >= max(rounds, default=0) for u in rounds)


def test_late_feedback_is_spent_before_newer_credit() -> None:
    """An early round whose feedback arrives late comes first in the next draw."""
    ledger = Ledger(BallArithmetic())
    for u in (1, 2):
        ledger.deposit(u, fmpq(1))
    ledger.release(2)
    ledger.release(1)
    assert ledger.draw(3, fmpq(3, 2)).shares == ((1, fmpq(1)), (2, fmpq(1, 2)))
    assert ledger.credits == {2: fmpq(1, 2)}


def test_fork_is_independent() -> None:
    """Drawing from a copy leaves the original untouched."""
    ledger = Ledger(BallArithmetic())
    ledger.deposit(1, fmpq(1))
    ledger.release(1)
    ledger.fork().draw(2, fmpq(1))
    assert ledger.credits == {1: fmpq(1)}
    assert ledger.spendable == [1]


def test_only_zero_is_zero() -> None:
    """Neither a negative number nor a ball around 0 is known to be 0."""
    values = (fmpq(0), 0.0, arb(0), fmpq(-1), -0.5, arb(0, 1))
    assert [is_zero(value) for value in values] == [True] * 3 + [False] * 3
