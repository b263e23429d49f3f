r"""Rates as limits: how quantities grow along a path of parameters.

A path lets q = n^a, N = n^b and delta = n^-c / 2 with n -> infinity in the delays of the corollary,
d_t = min(q, T + 1 - t) on T = (N + 1) q rounds. One quantity is of at least the order of another
along the path if the limit of x/(x + y) is not 0; sympy computes the limit exactly.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

from pbverify.claims import Pair, Relation
from pbverify.errors import InputError
from pbverify.formulas import lower as formulas
from pbverify.formulas.formula import compiled
from pbverify.numerics import BallArithmetic, Number, parse_exact

_n = sympy.Symbol("n", positive=True)


@dataclasses.dataclass(frozen=True)
class Path:
    """The exponents of q, N and 1/(2 delta) in n."""

    q: Fraction = Fraction(0)
    N: Fraction = Fraction(0)
    margin: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if min(self.q, self.N, self.margin) < 0:
            raise InputError("exponents >= 0", "(q, N, margin)", self)

    def along(self, expression: sympy.Expr) -> sympy.Expr:
        """An expression in T, D, V, L, delta, q and N as a function of n."""
        in_delays = expression.subs(
            {
                formulas.T: formulas.HORIZON.expression,
                formulas.D: formulas.TOTAL_DELAY.expression,
                formulas.V: formulas.SQUARES.expression,
                formulas.L: formulas.q,
            }
        )
        return in_delays.subs(
            {
                formulas.q: _n ** _rational(self.q),
                formulas.N: _n ** _rational(self.N),
                formulas.delta: _n ** -_rational(self.margin) / 2,
            }
        )

    def share(self, x: sympy.Expr, y: sympy.Expr) -> Number:
        """The limit of x/(x + y): exact if rational, else an enclosure."""
        ratio = sympy.powsimp(sympy.expand(self.along(y) / self.along(x)))
        limit = sympy.limit(1 / (1 + ratio), _n, sympy.oo)
        return compiled(limit)(BallArithmetic(), {})

    @property
    def has_long_blocks(self) -> bool:
        """Whether L_1 delta = q delta exceeds every bound."""
        return self.q > self.margin

    def at_least_of_order(self, x: sympy.Expr, y: sympy.Expr, *, name: str) -> Iterator[Pair]:
        """0 < lim x/(x + y) <= 1: x is positive and not of smaller order than the positive y."""
        share = self.share(x, y)
        yield Pair(0, share, Relation.LESS, where={"limit": name})
        yield Pair(share, 1, where={"sign": name})

    def witness_fields(self) -> dict[str, Any]:
        exponents = {
            field.name: str(getattr(self, field.name)) for field in dataclasses.fields(self)
        }
        return {"parameters": exponents}

    @staticmethod
    def rebuild(fields: Mapping[str, Any]) -> Path:
        """The path that a witness describes."""
        given = fields.get("parameters")
        names = [field.name for field in dataclasses.fields(Path)]
        if not isinstance(given, dict) or sorted(given) != sorted(names):
            raise InputError(f"an object with {', '.join(names)}", "parameters", given)
        exponents = {name: parse_exact(str(given[name])) for name in names}
        if None in exponents.values():
            raise InputError("exponents that are numbers", "parameters", given)
        return Path(**exponents)  # type: ignore[arg-type]


def _rational(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


def paths(*exponents: Fraction, margins: Sequence[Fraction]) -> Iterator[Path]:
    """Every path over the exponents along which T, and delta T too, exceed every bound."""
    for q, N, margin in itertools.product(exponents, exponents, margins):
        if margin < q + N:
            yield Path(q, N, margin)
