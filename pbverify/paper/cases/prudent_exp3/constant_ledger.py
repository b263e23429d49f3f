"""The Banker's ledger at one constant delay and one constant scale, round by round."""

from __future__ import annotations

import dataclasses
import functools
from fractions import Fraction

from flint import fmpq
from hypothesis import strategies as st

from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, to_fmpq
from pbverify.paper.algorithm.ledger import Draw, Ledger

MOST_ROUNDS = 10_000


@dataclasses.dataclass(frozen=True)
class ConstantLedger(Record):
    """Rounds 1, ..., T with d_t = delay and sigma_t = scale."""

    rounds: int
    delay: int
    scale: Fraction

    def __post_init__(self) -> None:
        if not 1 <= self.rounds <= MOST_ROUNDS or self.delay < 0 or self.scale <= 0:
            expected = f"1 <= rounds <= {MOST_ROUNDS}, delay >= 0 and scale > 0"
            raise InputError(expected, "rounds, delay, scale", str(self))

    @functools.cached_property
    def draws(self) -> tuple[Draw, ...]:
        """How each round was paid for."""
        return tuple(draw for draw, _ in self._kept)

    @functools.cached_property
    def credits(self) -> tuple[dict[int, fmpq], ...]:
        """What was left of each round after each round."""
        return tuple(credits for _, credits in self._kept)

    @functools.cached_property
    def _kept(self) -> list[tuple[Draw, dict[int, fmpq]]]:
        ledger, found, scale = Ledger(BallArithmetic()), [], to_fmpq(self.scale)
        for t in range(1, self.rounds + 1):
            draw = ledger.draw(t, scale)
            ledger.deposit(t, scale)
            found.append((draw, dict(ledger.credits)))
            if t - self.delay >= 1:
                ledger.release(t - self.delay)
        return found


@st.composite
def constant_ledgers(draw: st.DrawFn) -> ConstantLedger:
    """Up to 25 rounds and delays, any scale."""
    scale = draw(st.fractions(Fraction(1, 9), 9, max_denominator=9))
    return ConstantLedger(draw(st.integers(1, 25)), draw(st.integers(0, 25)), scale)
