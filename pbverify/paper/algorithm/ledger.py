"""The Banker's ledger: every unit of action scale is spent at most once.

Round t of scale sigma_t deposits a credit v_t = sigma_t, which becomes spendable when the feedback
of round t arrives, and is itself paid from the spendable credits of earlier rounds, in ascending
round order; what they do not cover, b_t, is borrowed from x_0.
"""

from __future__ import annotations

import bisect
from typing import NamedTuple

from pbverify.numerics import Arithmetic, Number


class Draw(NamedTuple):
    """How one round's scale was paid: shares (round u, sigma_{t,u}) and the borrowed rest b_t."""

    shares: tuple[tuple[int, Number], ...]
    borrowed: Number


class Ledger:
    """Credits of one phase."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self._arithmetic = arithmetic
        self.credits: dict[int, Number] = {}
        """v_u of every round that has credit left, arrived or not."""
        self.spendable: list[int] = []
        """The rounds among them whose feedback has arrived, ascending."""

    def deposit(self, round: int, scale: Number) -> None:
        self.credits[round] = scale

    def release(self, round: int) -> None:
        """The feedback of a round has arrived."""
        bisect.insort(self.spendable, round)

    def draw(self, round: int, scale: Number) -> Draw:
        """Pay for a scale out of arrived credits, greedily in ascending round order."""
        need, shares, kept = scale, [], []
        for position, u in enumerate(self.spendable):
            amount, left, need = self._arithmetic.split(self.credits[u], need, round=round)
            shares.append((u, amount))
            self.credits[u] = left
            if is_zero(left):
                del self.credits[u]
            else:
                kept.append(u)
            if is_zero(need):
                kept += self.spendable[position + 1 :]
                break
        self.spendable = kept
        return Draw(tuple(shares), need)

    def fork(self) -> Ledger:
        copy = Ledger(self._arithmetic)
        copy.credits = dict(self.credits)
        copy.spendable = list(self.spendable)
        return copy


def is_zero(value: Number) -> bool:
    """Whether the value is known to be exactly 0 (a ball around 0 is not)."""
    return bool(value == 0)
