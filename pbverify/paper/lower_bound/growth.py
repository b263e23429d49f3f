r"""Rates as limits: how quantities grow along a path of parameters.

A path gives each parameter a power of n, and n -> infinity. `Path` is for the delays of the
corollary, d_t = min(q, T + 1 - t) on T = (N + 1) q rounds, with q = n^a, N = n^b and
delta = n^-c / 2. `Growth` leaves T, D, A and delta free: T = n^a, D = n^b, A = 2 n^e and
delta = n^-c / 2 with c >= e, so that delta <= 1/A. `LongDelays` is for delays beyond every power
of T: T = n^a and D = exp(n^b), with two arms and delta = 1/2.

One quantity is of at least the order of another along the path if it is positive and the limit of
x/(x + y) is not 0. The limit is exact: it follows from the orders of x and y as powers of n and of
ln n with their constants (`pbverify.prover.powers`). Where these rules leave it open, as with
D = exp(n^b), sympy computes it; a limit that refutes must be sympy's as well. If the exponents are
not fixed, a path stands for a cell of paths, and the orders of x and y are compared instead.

O-tilde hides polylogarithms in T, A and D, and nothing else: x is O-tilde of y if y times a power
of (1 + ln(1 + T))(1 + ln(1 + D))(1 + ln A) is of at least the order of x. A polylogarithm in
1/delta is not hidden.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import sympy
from sympy.series.gruntz import gruntz
from sympy.series.gruntz import sign as eventual_sign

from pbverify.claims.claim import Pair, Relation
from pbverify.claims.judging import Profile
from pbverify.claims.routes import in_the_limit
from pbverify.claims.routes.power_paths import on_all_paths
from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, Number
from pbverify.numerics.formula import compiled
from pbverify.paper.formulas import lower as formulas
from pbverify.paper.formulas.algorithm import A
from pbverify.paper.formulas.theorem import POLYLOG
from pbverify.prover.powers import OpenError, Order, order_of
from pbverify.prover.powers.orders import Parameters

_n, _log_delay = sympy.symbols("n log_delay", positive=True)
_ONE, _HALF = sympy.Integer(1), sympy.Rational(1, 2)
HIDDEN_POWER = 3
"""The power of the polylogarithm that O-tilde is allowed here."""


@dataclasses.dataclass(frozen=True)
class Limits(Record, abc.ABC):
    """A path: its fields are exponents of n, none of them negative."""

    def __post_init__(self) -> None:
        if any(exponent < 0 for exponent in self._exponents.values()):
            raise InputError("exponents >= 0", f"({', '.join(self._exponents)})", self)

    @property
    def _exponents(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    @property
    def is_one_path(self) -> bool:
        """Whether the exponents are numbers; if not, it stands for all paths of a cell."""
        return all(isinstance(exponent, Fraction) for exponent in self._exponents.values())

    @property
    @abc.abstractmethod
    def _parameters(self) -> Parameters:
        """The free parameters, each a constant times a power of n."""

    def _in_parameters(self, expression: sympy.Expr) -> sympy.Expr:
        """An expression in the paper's parameters, in the free ones."""
        return expression

    def along(self, expression: sympy.Expr) -> sympy.Expr:
        """An expression in the paper's parameters as a function of n."""
        powers = self._parameters.items()
        values = {symbol: value * _power(exponent) for symbol, (value, exponent) in powers}
        return self._in_parameters(expression).subs(values)

    def order(self, expression: sympy.Expr) -> Order:
        """How an expression in the paper's parameters grows."""
        return order_of(self._in_parameters(expression), self._parameters)

    def share(self, x: sympy.Expr, y: sympy.Expr) -> Number:
        """The limit of x/(x + y), of x/(|x| + |y|) if x < 0: exact if rational, or an enclosure."""
        ratio, sign = self.ratio(x, y)
        if ratio.is_infinite:
            share = sympy.Integer(0)
        elif sign < 0:
            share = -1 / (1 + abs(ratio))
        else:
            share = 1 / (1 + ratio)
        return compiled(share)(BallArithmetic(), {})

    def ratio(self, x: sympy.Expr, y: sympy.Expr) -> tuple[sympy.Expr, int]:
        """The limit of y/x, and the sign of x for large n; what refutes must be sympy's as well."""
        try:
            above, below = self.order(y), self.order(x)
            limit, sign = above.limit_over(below), below.sign
        except OpenError:
            return self.ratio_by_sympy(x, y)
        if limit.is_infinite or sign < 0:
            again = self.ratio_by_sympy(x, y)
            if sign != again[1] or not (limit == again[0] or (limit - again[0]).equals(0)):
                raise AssertionError(f"orders give the limit {limit}, sympy {again[0]}")
        return limit, sign

    def ratio_by_sympy(self, x: sympy.Expr, y: sympy.Expr) -> tuple[sympy.Expr, int]:
        """The same without orders: by Gruntz's algorithm, for all that sympy can write."""
        return _limit(self.along(y / x)), _sign(self.along(x))

    def at_least_of_order(self, x: sympy.Expr, y: sympy.Expr, *, name: str) -> Iterator[Pair]:
        """0 < lim x/(x + y) <= 1: x is positive and not of smaller order than the positive y."""
        if not self.is_one_path:
            is_at_least = self.order(x).is_at_least(self.order(y))
            yield Pair(1, int(is_at_least), where={"order": name})
            return
        share = self.share(x, y)
        yield Pair(0, share, Relation.LESS, where={"limit": name})
        yield Pair(share, 1, where={"sign": name})

    def at_most_up_to_logs(self, x: sympy.Expr, y: sympy.Expr, *, name: str) -> Iterator[Pair]:
        """x = O-tilde(y)."""
        hidden = POLYLOG.expression**HIDDEN_POWER
        yield from self.at_least_of_order(y * hidden, x, name=name)


@dataclasses.dataclass(frozen=True)
class Path(Limits):
    """The exponents of q, N and 1/(2 delta) in n, for the delays of the corollary and two arms."""

    q: Fraction = Fraction(0)
    N: Fraction = Fraction(0)
    margin: Fraction = Fraction(0)

    @property
    def _parameters(self) -> Parameters:
        return {
            formulas.q: (_ONE, self.q),
            formulas.N: (_ONE, self.N),
            formulas.delta: (_HALF, -self.margin),
        }

    def _in_parameters(self, expression: sympy.Expr) -> sympy.Expr:
        return expression.subs(
            {
                formulas.T: formulas.HORIZON.expression,
                formulas.D: formulas.TOTAL_DELAY.expression,
                formulas.V: formulas.SQUARES.expression,
                formulas.L: formulas.q,
                A: 2,
            }
        )

    @property
    def margin_is_wide(self) -> bool:
        """Whether delta T exceeds every bound, as T = (N + 1) q."""
        return self.margin < self.q + self.N

    @property
    def has_long_blocks(self) -> bool:
        """Whether L_1 delta = q delta exceeds every bound."""
        return self.q > self.margin

    @property
    def block_bound(self) -> sympy.Expr:
        """The lower bound of block-constant losses with Lambda = log D, in the path's regime."""
        return self.block_bound_if(sympy.log(formulas.D))

    def block_bound_if(self, safety: sympy.Expr) -> sympy.Expr:
        """The same for learners with R(x^c) <= safety."""
        formula = formulas.BLOCK_BOUND if self.has_long_blocks else formulas.B_LAMBDA
        return formula.expression.subs(formulas.Lambda, safety)


@dataclasses.dataclass(frozen=True)
class Growth(Limits):
    """The exponents of T, D, A/2 and 1/(2 delta) in n."""

    T: Fraction = Fraction(0)
    D: Fraction = Fraction(0)
    A: Fraction = Fraction(0)
    margin: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.margin < self.A:
            raise InputError("delta <= 1/A, so margin >= A", "margin", self)

    @property
    def _parameters(self) -> Parameters:
        return {
            formulas.T: (_ONE, self.T),
            formulas.D: (_ONE, self.D),
            A: (sympy.Integer(2), self.A),
            formulas.delta: (_HALF, -self.margin),
        }

    @property
    def margin_is_wide(self) -> bool:
        """Whether delta T exceeds every bound."""
        return self.margin < self.T

    @property
    def says_something(self) -> bool:
        """Whether delta T does not vanish; else sqrt(T/delta) exceeds T, which no regret does."""
        return self.margin <= self.T


@dataclasses.dataclass(frozen=True)
class LongDelays(Limits):
    """The exponents of T and ln D in n, for two arms and delta = 1/2."""

    T: Fraction = Fraction(0)
    log_delay: Fraction = Fraction(0)

    @property
    def _parameters(self) -> Parameters:
        return {formulas.T: (_ONE, self.T), _log_delay: (_ONE, self.log_delay)}

    def _in_parameters(self, expression: sympy.Expr) -> sympy.Expr:
        return expression.subs({formulas.D: sympy.exp(_log_delay), A: 2, formulas.delta: _HALF})


@functools.lru_cache(maxsize=64)
def _limit(expression: sympy.Expr) -> sympy.Expr:
    """The limit for n -> infinity; a claim, its witness and its replay ask for the same one."""
    return gruntz(expression, _n, sympy.oo)


@functools.lru_cache(maxsize=64)
def _sign(expression: sympy.Expr) -> int:
    """The sign for large n."""
    return int(eventual_sign(expression, _n))


def _power(exponent: Any) -> sympy.Expr:
    return _n ** sympy.Rational(exponent.numerator, exponent.denominator)


def paths(*exponents: Fraction, margins: Sequence[Fraction]) -> Iterator[Path]:
    """Every path over the exponents along which T, and delta T too, exceed every bound."""
    for q, N, margin in itertools.product(exponents, exponents, margins):
        path = Path(q, N, margin)
        if path.margin_is_wide:
            yield path


def paths_of_delays(profile: Profile) -> Iterator[Path]:
    """Paths for claims about the delays of the corollary."""
    exponents = [Fraction(n) for n in range(3 if profile.name == "thorough" else 2)]
    margins = [Fraction(n, 2) for n in range(len(exponents) + 1)]
    return paths(*exponents, margins=margins)


ALONG_DELAYS = in_the_limit(
    paths_of_delays,
    scope="paths q = n^a, N = n^b, delta = n^-c/2 with delta T a positive power of n",
)
"""The route over these paths."""

ALONG_ALL_DELAYS = on_all_paths(
    Path, scope="q = n^a, N = n^b, delta = n^-c/2 with a, b >= 0 and 0 <= c < a + b"
)
"""The route over all paths, for claims with the condition `margin_is_wide`."""


def margin_is_wide(path: Path | Growth) -> bool:
    """Whether delta T exceeds every bound."""
    return path.margin_is_wide


def margin_is_fixed(path: Path | Growth) -> bool:
    """Whether delta does not shrink."""
    return path.margin == 0


def says_something(path: Growth) -> bool:
    """Whether delta T does not vanish."""
    return path.says_something
