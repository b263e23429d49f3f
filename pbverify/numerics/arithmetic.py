"""The two number systems in which the reference engine runs.

`FloatArithmetic` computes with doubles. `BallArithmetic` computes with exact rationals for as long
as no irrational number has entered, and with `flint.arb` enclosures from then on; flint's own
coercions (rational with ball gives ball) do the bookkeeping. Its comparisons are three-valued, and
`decide` turns an unknown into an `UndecidedError` that asks the caller for more bits.
"""

from __future__ import annotations

import abc
import contextlib
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, final

from flint import arb, ctx, fmpq

from pbverify.errors import UndecidedError
from pbverify.numerics.exact import Exact, to_arb, to_fmpq, to_fraction
from pbverify.numerics.truth import Truth, leq, less

Number: TypeAlias = Any
"""float in `FloatArithmetic`; fmpq or arb in `BallArithmetic`."""

FIRST_PRECISION = 64
PRECISION_LIMIT = 4096
"""Bits: a rigorous run starts at the first, doubles on demand, and gives up beyond the limit."""

_TALLEST_RATIONAL = 4096  # bits of numerator or denominator beyond which a ball takes over


class Arithmetic(abc.ABC):
    """What the engine asks of a number system."""

    @abc.abstractmethod
    def exact(self, value: Exact) -> Number:
        """The number that stands for an exact value."""

    @abc.abstractmethod
    def sqrt(self, value: Number) -> Number: ...

    @abc.abstractmethod
    def log(self, value: Number) -> Number: ...

    @abc.abstractmethod
    def exp(self, value: Number) -> Number: ...

    @abc.abstractmethod
    def less(self, lhs: Number, rhs: Number) -> Truth: ...

    @abc.abstractmethod
    def decide(self, truth: Truth, question: str, *, round: int) -> bool:
        """A truth as a branch; raises `UndecidedError` where it is unknown."""

    @abc.abstractmethod
    def split(self, credit: Number, need: Number, *, round: int) -> tuple[Number, Number, Number]:
        """min(credit, need), and what is left of each; the smaller one is left at exact 0."""

    @abc.abstractmethod
    def minimum(self, values: Sequence[Number]) -> Number: ...

    @abc.abstractmethod
    def anchor(self, values: Sequence[Number]) -> Number:
        """A number close to the largest value: a safe shift before exponentiation."""

    @abc.abstractmethod
    def compact(self, value: Number) -> Number:
        """The same number in the cheapest form that encloses it."""

    @abc.abstractmethod
    def tsallis_normaliser(self, dual: Sequence[Number]) -> Number:
        """The root of sum_i (root - dual_i)^-2 = 1 to the right of every dual coordinate."""

    @abc.abstractmethod
    def to_float(self, value: Number) -> float: ...

    def all_equal(self, values: Sequence[Number]) -> bool:
        """Whether the values are known to be one and the same number."""
        first = values[0]
        return not isinstance(first, arb) and all(
            not isinstance(v, arb) and v == first for v in values[1:]
        )


@final
class FloatArithmetic(Arithmetic):
    """IEEE doubles: fast, and never the ground of a verdict."""

    def exact(self, value: Exact) -> float:
        return float(value if isinstance(value, int | Fraction) else to_fraction(value))

    def sqrt(self, value: Number) -> float:
        return math.sqrt(value)

    def log(self, value: Number) -> float:
        return math.log(value)

    def exp(self, value: Number) -> float:
        return math.exp(value)

    def less(self, lhs: Number, rhs: Number) -> Truth:
        return Truth.YES if lhs < rhs else Truth.NO if lhs >= rhs else Truth.UNKNOWN

    def decide(self, truth: Truth, question: str, *, round: int) -> bool:
        if truth is Truth.UNKNOWN:
            raise UndecidedError(question, round=round, precision=53)
        return truth is Truth.YES

    def split(self, credit: Number, need: Number, *, round: int) -> tuple[float, float, float]:
        if credit <= need:
            return credit, 0.0, need - credit
        return need, credit - need, 0.0

    def minimum(self, values: Sequence[Number]) -> float:
        return float(min(values))

    def anchor(self, values: Sequence[Number]) -> float:
        return float(max(values))

    def compact(self, value: Number) -> float:
        return float(value)

    def tsallis_normaliser(self, dual: Sequence[Number]) -> float:
        return newton_root(dual)

    def to_float(self, value: Number) -> float:
        return float(value)


@final
class BallArithmetic(Arithmetic):
    """Exact rationals and balls at `precision` bits; use it inside `working_precision`."""

    def __init__(self, precision: int = FIRST_PRECISION) -> None:
        self.precision = precision

    def exact(self, value: Exact) -> fmpq:
        return to_fmpq(value)

    def sqrt(self, value: Number) -> Number:
        if isinstance(value, arb):
            return value.sqrt()
        exact = to_fmpq(value)
        top, bottom = exact.p, exact.q
        if top.is_square() and bottom.is_square():
            return fmpq(top.isqrt(), bottom.isqrt())
        return arb(exact).sqrt()

    def log(self, value: Number) -> Number:
        if isinstance(value, arb):
            return value.log()
        return fmpq(0) if value == 1 else to_arb(value).log()

    def exp(self, value: Number) -> Number:
        if isinstance(value, arb):
            return value.exp()
        return fmpq(1) if value == 0 else to_arb(value).exp()

    def less(self, lhs: Number, rhs: Number) -> Truth:
        return less(lhs, rhs)

    def decide(self, truth: Truth, question: str, *, round: int) -> bool:
        if truth is Truth.UNKNOWN:
            raise UndecidedError(question, round=round, precision=self.precision)
        return truth is Truth.YES

    def split(self, credit: Number, need: Number, *, round: int) -> tuple[Number, Number, Number]:
        enough = leq(need, credit)
        if enough is Truth.NO:
            return credit, fmpq(0), need - credit
        if enough is Truth.YES:
            return need, credit - need, fmpq(0)
        if self.precision < PRECISION_LIMIT:
            raise UndecidedError(
                "the smaller of two credits", round=round, precision=self.precision
            )
        amount = to_arb(credit).min(to_arb(need))
        return amount, (credit - need).nonnegative_part(), (need - credit).nonnegative_part()

    def minimum(self, values: Sequence[Number]) -> Number:
        if not _has_ball(values):
            return min(values)
        least = to_arb(values[0])
        for value in values[1:]:
            least = least.min(to_arb(value))
        return least

    def anchor(self, values: Sequence[Number]) -> Number:
        if not _has_ball(values):
            return max(values)
        return max([to_arb(v).mid() for v in values], key=float)

    def compact(self, value: Number) -> Number:
        if isinstance(value, fmpq):
            return value if value.height_bits() <= _TALLEST_RATIONAL else arb(value)
        return fmpq(0) if value.is_zero() else value

    def tsallis_normaliser(self, dual: Sequence[Number]) -> Number:
        return enclose_root([to_arb(v) for v in dual])

    def to_float(self, value: Number) -> float:
        return float(to_fraction(value)) if isinstance(value, fmpq) else float(value.mid())


def _has_ball(values: Sequence[Number]) -> bool:
    for value in values:  # noqa: SIM110 - asked in every round, where a generator is slow
        if isinstance(value, arb):
            return True
    return False


@contextlib.contextmanager
def working_precision(bits: int) -> Iterator[BallArithmetic]:
    """Ball arithmetic at a number of bits, with flint's precision set for the duration."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield BallArithmetic(bits)
    finally:
        ctx.prec = before


def precisions(first: int = FIRST_PRECISION) -> Iterator[int]:
    """The bits to try in turn, doubling up to the limit."""
    bits = first
    while bits < PRECISION_LIMIT:
        yield bits
        bits *= 2
    yield PRECISION_LIMIT


def newton_root(dual: Sequence[float]) -> float:
    """Newton's method for sum (root - dual_i)^-2 = 1, from the left, where it is monotone."""
    root = max(dual) + 1.0
    while True:
        gaps = [root - d for d in dual]
        excess = math.fsum(1.0 / (g * g) for g in gaps) - 1.0
        step = excess / (2.0 * math.fsum(1.0 / (g * g * g) for g in gaps))
        if step <= 4e-16 * max(1.0, abs(root)):
            return root + step
        root += step


def enclose_root(dual: Sequence[arb]) -> arb:
    """A ball around the root of sum (root - dual_i)^-2 = 1, for every dual vector in the box.

    The sum decreases to the right of the largest coordinate, so m - e and m + e enclose the root
    as soon as the sum is above 1 at the first and below 1 at the second. Without such an e the
    crude bracket stands: the sum is at least 1 at max + 1 and at most 1 at max + sqrt(A).
    """
    top = dual[0]
    for value in dual[1:]:
        top = top.max(value)
    bracket = (top + 1).union(top + arb(len(dual)).sqrt())
    middle = _near_root([d.mid() for d in dual], bracket)
    excess = abs(_power_sum(middle, dual, 2) - 1)
    resolution = (abs(middle) + 1) * arb(2) ** (4 - ctx.prec)
    reach = (excess / _power_sum(middle, dual, 3) + resolution).upper().mid()
    while middle - reach > top:
        if _power_sum(middle - reach, dual, 2) > 1 and _power_sum(middle + reach, dual, 2) < 1:
            return arb(middle, reach)
        reach *= 2
    return bracket


def _near_root(dual: Sequence[arb], bracket: arb) -> arb:
    root = bracket.lower().mid()
    while True:
        excess = _power_sum(root, dual, 2) - 1
        step = (excess / (2 * _power_sum(root, dual, 3))).mid()
        root = (root + step).mid()
        if not step > (abs(root) + 1) * arb(2) ** (8 - ctx.prec):
            return root


def _power_sum(root: arb, dual: Sequence[arb], power: int) -> arb:
    total = arb(0)
    for value in dual:
        total += 1 / (root - value) ** power
    return total


def power_of_two_above(arithmetic: Arithmetic, value: Number, *, round: int) -> Number:
    """The smallest power of two, with any integer exponent, that is at least a positive value."""

    def is_below(exponent: int) -> bool:
        power = arithmetic.exact(Fraction(2) ** exponent)
        return arithmetic.decide(arithmetic.less(power, value), "rounding the budget", round=round)

    exponent = math.frexp(arithmetic.to_float(value))[1]
    while not is_below(exponent):
        exponent -= 1
    while is_below(exponent):
        exponent += 1
    return arithmetic.exact(Fraction(2) ** exponent)
