r"""Best constants: the smallest c for which an inequality of the paper holds on its domain.

A `Constant` names the place of c in a bound. Its smallest value is enclosed from both sides by the
prover: PROVED at the upper end, REFUTED at a point at the lower end. If a closed form is proposed,
the prover decides on it first, and the lower end lies just below it; otherwise, or if the proposal
is not proved, the gap between a refuted and a proved value is halved until it is narrow, or until
the prover leaves a value undecided.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from fractions import Fraction

import sympy

from pbverify.claims.closed_forms.bound import Bound, Point
from pbverify.claims.verdict import Verdict
from pbverify.numerics import BallArithmetic, to_arb, working_precision
from pbverify.numerics.formula import compiled
from pbverify.prover.inequalities import Outcome
from pbverify.prover.inequalities.grammar import written

c = sympy.Symbol("c", real=True)
"""The constant of a family of bounds."""

WIDTH = Fraction(1, 10**6)
"""How close the ends of an enclosure are to be, relative to the constant if it exceeds 1."""

_MOST_HALVINGS = 60
_DIGITS = 10**8
_BRIEF = 12


@dataclasses.dataclass(frozen=True)
class Constant:
    """The place of c in a bound, what the paper prints there, and where the bound is tightest."""

    family: Bound
    """The bound with `c` in one of its sides; larger c, weaker bound."""
    printed: sympy.Expr
    attained: str
    """Where the smallest constant is attained or approached."""
    best: sympy.Expr | None = None
    """A closed form of the smallest constant."""

    def at(self, value: sympy.Expr) -> Bound:
        """The bound with a value for c."""
        lhs, rhs = (
            sympy.sympify(side).subs(c, value) for side in (self.family.lhs, self.family.rhs)
        )
        return dataclasses.replace(self.family, lhs=lhs, rhs=rhs)


@dataclasses.dataclass(frozen=True)
class Enclosure:
    """The smallest constant lies in (low, high]: refuted at a point for low, proved for high."""

    low: Fraction
    point: Point
    high: sympy.Expr

    @property
    def width(self) -> Fraction:
        return _above(self.high) - self.low


def smallest(constant: Constant) -> Enclosure | None:
    """An enclosure of the smallest constant; None if the prover settles too little to have one.

    Without a closed form the search starts at the printed constant.
    """
    if constant.best is not None and _is_proved(constant, constant.best):
        found = _just_below(constant, constant.best)
        if found is not None:
            return found
    return _halved(constant, _above(constant.printed))


def _just_below(constant: Constant, best: sympy.Expr) -> Enclosure | None:
    low = _above(best) - WIDTH * _size(_above(best))
    point = _counterexample(constant, low)
    return None if point is None else Enclosure(low, point, best)


def _halved(constant: Constant, start: Fraction) -> Enclosure | None:
    high, step = start, _size(start)
    while not _is_proved(constant, _expression(high)) and step < 10**3 * _size(start):
        high, step = high + step, 2 * step
    low, point, step = high, None, Fraction(1)
    while point is None and step < 10**6:
        low, step = high - step, 2 * step
        point = _counterexample(constant, low)
    if point is None or not _is_proved(constant, _expression(high)):
        return None
    return _narrowed(constant, low, point, high)


def _narrowed(constant: Constant, low: Fraction, point: Point, high: Fraction) -> Enclosure:
    for _ in range(_MOST_HALVINGS):
        if high - low <= WIDTH * _size(high):
            break
        middle = ((low + high) / 2).limit_denominator(10**9)
        found = _counterexample(constant, middle)
        if found is not None:
            low, point = middle, found
        elif _is_proved(constant, _expression(middle)):
            high = middle
        else:
            break
    return Enclosure(low, point, _expression(high))


def _is_proved(constant: Constant, value: sympy.Expr) -> bool:
    return constant.at(value).proof().outcome is Outcome.PROVED


def _counterexample(constant: Constant, value: Fraction) -> Point | None:
    found = constant.at(_expression(value)).proof().point
    return None if found is None else Point(found.values)


def _size(value: Fraction) -> Fraction:
    """The magnitude that a width is relative to."""
    return max(Fraction(1), abs(value))


def _expression(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


def _above(value: sympy.Expr) -> Fraction:
    """The value if it is rational, else a decimal just above it."""
    value = sympy.sympify(value)
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    with working_precision(128):
        ball = to_arb(compiled(value)(BallArithmetic(128), {}))
        scaled = (ball * 10**12).upper().ceil().unique_fmpz()
    assert scaled is not None
    return Fraction(int(scaled), 10**12)


def with_constants(verdict: Verdict, constants: Sequence[Constant]) -> Verdict:
    """The verdict with a row per constant in its table."""
    rows = tuple(_row(constant, smallest(constant)) for constant in constants)
    return dataclasses.replace(verdict, table=(*verdict.table, *rows))


def _row(constant: Constant, found: Enclosure | None) -> dict[str, str]:
    return {
        "bound": constant.family.name,
        "constant as printed": written(constant.printed),
        "smallest": "not enclosed" if found is None else _shown(constant, found),
        "attained": constant.attained,
        "slightly less fails at": "" if found is None else _placed(found.point),
    }


def _placed(point: Point) -> str:
    """A point in a few characters: long numbers to four digits."""
    shown = (f"{name} = {_brief(value)}" for name, value in point.values)
    return ", ".join(shown) or "once"


def _brief(value: Fraction) -> str:
    return str(value) if len(str(value)) <= _BRIEF else f"about {float(value):.4g}"


def _shown(constant: Constant, found: Enclosure) -> str:
    """The closed form with its value rounded up, or the two ends rounded outwards."""
    high = _decimal(Fraction(math.ceil(_above(found.high) * _DIGITS), _DIGITS))
    low = _decimal(Fraction(math.floor(found.low * _DIGITS), _DIGITS))
    if found.high != constant.best:
        return f"between {low} and {high}"
    text = written(found.high)
    return text if found.high.is_Integer else f"{text} = {high}"


def _decimal(value: Fraction) -> str:
    return f"{float(value):.10g}"
