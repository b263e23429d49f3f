r"""The two environments of the batched lower bound, E+ and E- (pblem:batched-safe-lb, step 1).

Every arm but arm 1 (the paper's arm 2) loses 1/2 in every slot; arm 1 loses a Bernoulli variable of
mean 1/2 + eps_m in E+ and 1/2 - eps_m in E-, with eps_m = gamma L_m / sqrt(V). In the paper each
slot has a variable of its own; with `constant` losses (a construction that is not in the paper) one
variable serves all slots of a block. A table of losses is one bit per variable.

gamma enters through kappa = gamma / sqrt(V), which keeps eps_m = kappa L_m and gamma sqrt(V) =
kappa V rational whenever kappa is.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

from pbverify.bandits.comparators import anchored
from pbverify.errors import InputError
from pbverify.files.codec import Key
from pbverify.numerics import BallArithmetic, Number, to_fmpq

Table = tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class HardGame:
    """Block lengths, number of arms, margin, and the signal kappa (None: the proof's choice)."""

    lengths: tuple[int, ...]
    delta: Fraction
    arms: int = 2
    kappa_as_given: Annotated[Fraction | None, Key("kappa")] = None
    constant: bool = False

    def __post_init__(self) -> None:
        falls = all(a >= b for a, b in itertools.pairwise(self.lengths))
        if not self.lengths or not falls or self.lengths[-1] < 1:
            raise InputError("positive lengths that never increase", "lengths", self.lengths)
        if self.arms < 2:
            raise InputError("at least two arms", "arms", self.arms)
        if not 0 < self.delta <= Fraction(1, self.arms):
            raise InputError(f"0 < delta <= 1/{self.arms}", "delta", str(self.delta))

    @property
    def slots(self) -> int:
        return sum(self.lengths)

    @functools.cached_property
    def V(self) -> int:  # noqa: N802  (the paper's symbol)
        return sum(length**2 for length in self.lengths)

    @functools.cached_property
    def comparator(self) -> tuple[Fraction, ...]:
        """x^c = (1 - (A-1) delta, delta, ..., delta)."""
        return tuple(anchored(self.arms, margin=self.delta))

    @functools.cached_property
    def spread(self) -> Fraction:
        """What divides gamma: L_1 delta, capped at 1 if losses are constant in a block."""
        share = self.lengths[0] * self.delta
        return min(Fraction(1), share) if self.constant else share

    @property
    def kappa(self) -> Number:
        """gamma / sqrt(V); the proof's gamma is 1/(32 sqrt(L_1 delta))."""
        if self.kappa_as_given is not None:
            return to_fmpq(self.kappa_as_given)
        return 1 / (32 * BallArithmetic().sqrt(to_fmpq(self.spread * self.V)))

    @property
    def gamma(self) -> Number:
        return self.kappa * BallArithmetic().sqrt(to_fmpq(self.V))

    def signal(self, m: int) -> Number:
        """eps_m of block m (from 0)."""
        return self.kappa * self.lengths[m]

    @functools.cached_property
    def blocks(self) -> tuple[range, ...]:
        """The slots of every block."""
        ends = list(itertools.accumulate(self.lengths, initial=0))
        return tuple(range(a, b) for a, b in itertools.pairwise(ends))

    @functools.cached_property
    def block_of_variable(self) -> tuple[int, ...]:
        """The block of each Bernoulli variable."""
        if self.constant:
            return tuple(range(len(self.lengths)))
        return tuple(m for m, block in enumerate(self.blocks) for _ in block)

    def variable(self, slot: int, m: int) -> int:
        """The variable that is arm 1's loss in a slot of block m."""
        return m if self.constant else slot

    def tables(self) -> Iterator[Table]:
        """Every value of the variables."""
        return itertools.product((0, 1), repeat=len(self.block_of_variable))

    def chance(self, variable: int, value: int, sign: int) -> Number:
        """The probability of a variable's value in E+ (sign 1) or E- (sign -1)."""
        tilt = self.signal(self.block_of_variable[variable]) * (sign if value else -sign)
        return to_fmpq(Fraction(1, 2)) + tilt

    def losses(self, table: Table) -> list[list[Fraction]]:
        """g: per slot, the loss of every arm."""
        half = Fraction(1, 2)
        rows = []
        for m, block in enumerate(self.blocks):
            for slot in block:
                arm = Fraction(table[self.variable(slot, m)])
                rows.append([half, arm, *[half] * (self.arms - 2)])
        return rows


class AnyGame(HardGame):
    """Blocks in any order and any margin: what the lemma's assumptions exclude."""

    def __post_init__(self) -> None:
        """Take them as they are."""

    @functools.cached_property
    def comparator(self) -> tuple[Fraction, ...]:
        """The same, also where it leaves the simplex or its margin."""
        return (1 - (self.arms - 1) * self.delta, *[self.delta] * (self.arms - 1))
