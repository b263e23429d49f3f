r"""A displayed inequality or identity with its domain, and the points at which it is asked.

A `Bound` is a conclusion about points: at one point of its domain it yields a pair of exact numbers
or enclosures; on the whole domain the prover answers.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy

from pbverify.claims.claim import Claim, Pair, Relation
from pbverify.errors import InputError
from pbverify.numerics import BallArithmetic, parse_exact, to_fmpq
from pbverify.numerics.formula import Formula
from pbverify.prover.inequalities import Proof, prove_text
from pbverify.prover.inequalities.grammar import written


@dataclasses.dataclass(frozen=True)
class Point:
    """Values of the variables of a formula."""

    values: tuple[tuple[str, Fraction], ...]

    @staticmethod
    def of(**values: Fraction | int) -> Point:
        return Point(tuple(sorted((name, Fraction(value)) for name, value in values.items())))

    def witness_fields(self) -> dict[str, Any]:
        return {"parameters": {name: str(value) for name, value in self.values}}

    @staticmethod
    def rebuild(fields: Mapping[str, Any]) -> Point:
        """The point that a witness describes."""
        given = fields.get("parameters")
        if not isinstance(given, dict):
            raise InputError("an object of numbers", "parameters", given)
        values = {name: parse_exact(str(value)) for name, value in given.items()}
        if None in values.values():
            raise InputError("an object of numbers", "parameters", given)
        return Point.of(**values)  # type: ignore[arg-type]


_COMPARISONS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}


@dataclasses.dataclass(frozen=True)
class Bound:
    """lhs <= rhs, or lhs = rhs, wherever the conditions hold (`name >= number`, with spaces)."""

    name: str
    lhs: sympy.Expr
    rhs: sympy.Expr
    where: tuple[str, ...] = ()
    relation: Relation = Relation.LEQ
    integers: tuple[str, ...] = ()

    @property
    def __name__(self) -> str:
        return self.name

    @functools.cached_property
    def variables(self) -> tuple[str, ...]:
        """The names in both sides, in order."""
        return tuple(sorted(set().union(*(side.variables for side in self._sides))))

    @functools.cached_property
    def _sides(self) -> tuple[Formula, Formula]:
        return Formula(self.name, "", self.lhs), Formula(self.name, "", self.rhs)

    def __call__(self, point: Point) -> Iterator[Pair]:
        values = dict(point.values)
        if not all(side.variables <= values.keys() for side in self._sides):
            return  # the point belongs to another bound of the claim
        if not self.admits(values):
            return
        lhs, rhs = (self._at(side, values) for side in self._sides)
        yield Pair(lhs, rhs, self.relation, where={"bound": self.name})

    def touches(self, point: Point) -> bool:
        """Whether both sides are one number there: their difference reduces to 0."""
        known = {name: sympy.Rational(v.numerator, v.denominator) for name, v in point.values}
        difference = self.lhs - self.rhs
        at = {symbol: known[symbol.name] for symbol in difference.free_symbols}
        return bool(sympy.simplify(difference.subs(at)) == 0)

    def admits(self, values: Mapping[str, Fraction]) -> bool:
        """Whether a point lies in the domain on which the bound is claimed."""
        conditions = (text.split() for text in self.where)
        is_inside = all(
            _COMPARISONS[sign](values[name], Fraction(number))
            for name, sign, number in conditions
            if name in values
        )
        whole = (values[name].denominator == 1 for name in self.integers if name in values)
        return is_inside and all(whole)

    def _at(self, side: Formula, values: Mapping[str, Fraction]) -> Any:
        given = {name: to_fmpq(values[name]) for name in side.variables}
        return side(BallArithmetic(), **given)

    def proof(self) -> Proof:
        """The prover's answer on the whole domain."""
        left = {symbol.name for symbol in (self.lhs - self.rhs).free_symbols}
        where = [text for text in self.where if text.split()[0] in left]
        integers = [name for name in self.integers if name in left]
        return prove_text(f"{written(self.lhs)} <= {written(self.rhs)}", where, integers)

    @property
    def is_identity(self) -> bool:
        """Whether the difference of the sides reduces to 0."""
        return bool(sympy.simplify(sympy.powsimp(sympy.expand(self.lhs - self.rhs))) == 0)


def identity(name: str, lhs: sympy.Expr, rhs: sympy.Expr, where: tuple[str, ...] = ()) -> Bound:
    """lhs = rhs wherever the conditions hold."""
    return Bound(name, lhs, rhs, where, Relation.EQUAL)


def pretty(claim: Claim[Any], *, unicode: bool, width: int) -> list[str]:
    """The formulas of a claim as lines of a terminal: those of its bounds, each where it holds."""
    lines: list[str] = []
    for bound in (each for each in claim.then if isinstance(each, Bound)):
        sides = (sympy.Eq if bound.relation is Relation.EQUAL else sympy.Le)(
            bound.lhs, bound.rhs, evaluate=False
        )
        text = sympy.pretty(sides, use_unicode=unicode, wrap_line=True, num_columns=width)
        where = f"where {', '.join(bound.where)}" if bound.where else ""
        lines += [*([""] if lines else []), *text.splitlines(), *([where] if where else [])]
    return lines
