r"""The two sides of a closed-form bound along one of its variables, and where they cross.

A variable runs over the domain on which the bound is claimed; the others stay fixed. Doubles are
good enough here: the prover decides, a curve shows.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy

from pbverify.claims.claim import Claim, Pair, Relation
from pbverify.claims.closed_forms.bound import Bound
from pbverify.paper.lower_bound.growth import Limits

Floats = npt.NDArray[np.float64]
N = np.geomspace(10, 1e8, 60)
"""The n of every curve."""


@dataclasses.dataclass(frozen=True)
class Compared:
    """Two expressions of which the second should not be of larger order, and their names."""

    small: str
    large: str
    x: sympy.Expr
    y: sympy.Expr


def compared_by(claim: Claim[Any], path: Limits) -> list[Compared]:
    """What the conclusions of a rate claim compare along a path; hidden logarithms are left out."""
    found: list[Compared] = []

    def at_least(_: Limits, x: sympy.Expr, y: sympy.Expr, *, name: str) -> Iterator[Pair]:
        left, against, right = name.partition(" against ")
        found.append(Compared(left, right if against else "right side", x, y))
        return iter(())

    def at_most(_: Limits, x: sympy.Expr, y: sympy.Expr, *, name: str) -> Iterator[Pair]:
        found.append(Compared("the rate", name, y, x))
        return iter(())

    notes = {"at_least_of_order": at_least, "at_most_up_to_logs": at_most}
    scribe: Any = type("Scribe", (type(path),), notes)
    fields = {field.name: getattr(path, field.name) for field in dataclasses.fields(path)}
    list(claim.pairs(scribe(**fields)))
    return found


def ratio_along(path: Limits, compared: Compared) -> Floats:
    """The second expression over the first at every n of the path."""
    with np.errstate(all="ignore"):
        return values_along(path, compared.y) / values_along(path, compared.x)


def values_along(path: Limits, expression: sympy.Expr, n: Sequence[float] | Floats = N) -> Floats:
    """An expression in the paper's parameters at every n of the path."""
    of_n = path.along(expression)
    symbols = sorted(of_n.free_symbols, key=str) or [sympy.Symbol("n")]
    values = sympy.lambdify(symbols, of_n, "numpy")(np.asarray(n, dtype=np.float64))
    return np.broadcast_to(np.asarray(values, dtype=np.float64), np.shape(n))


POINTS = 241
SPAN = 1e6
"""How far an unbounded variable runs beyond its least value."""
FIXED = {"delta": 0.1, "A": 10.0, "T": 1e4, "L": 1.0, "V": 100.0, "Lambda": 1.0, "R": 10.0}
"""Values of the variables that stand still, unless a caller says otherwise; 1 for all others."""

FROM_ONE = {"D", "N", "T", "q", "m"}
"""Counts: they run from 1 where a bound says nothing else."""


@dataclasses.dataclass(frozen=True)
class Curve:
    """Both sides of a bound at the values of one variable."""

    name: str
    variable: str
    x: Floats
    lhs: Floats
    rhs: Floats
    crossings: tuple[float, ...]
    """Where lhs - rhs changes its sign."""

    @property
    def fails(self) -> npt.NDArray[np.bool_]:
        """Where lhs exceeds rhs by more than rounding."""
        return _is_above(self.lhs, self.rhs)


def variables_of(bound: Bound) -> list[str]:
    """The names of the bound's variables, in alphabetical order."""
    return sorted(str(s.name) for s in (bound.lhs.free_symbols | bound.rhs.free_symbols))


def curve(
    bound: Bound,
    *,
    along: str | None = None,
    fixed: Mapping[str, float] | None = None,
    span: float = SPAN,
) -> Curve:
    """The two sides along a variable (by default the first) with all others fixed."""
    names = variables_of(bound)
    variable = along or (names[0] if names else "x")
    stand = {name: _standing(bound, name) for name in names if name != variable}
    stand |= dict(fixed or {})
    x = _grid(bound, variable, span)
    lhs, rhs = (_at(side, _points(variable, x, stand)) for side in (bound.lhs, bound.rhs))
    return Curve(bound.name, variable, x, lhs, rhs, _crossings(bound, variable, x, stand))


@dataclasses.dataclass(frozen=True)
class Tightest:
    """Where a bound is tightest on a coarse grid over all its variables."""

    points: int
    ratio: float
    at: Mapping[str, float]


def tightest(bound: Bound) -> Tightest:
    """The largest lhs/rhs among positive right-hand sides; NaN if there are none."""
    names = variables_of(bound)
    each = max(3, int(4000 ** (1 / len(names))))
    axes = [_thinned(_grid(bound, name, SPAN), each) for name in names]
    points = dict(zip(names, (g.ravel() for g in np.meshgrid(*axes, indexing="ij")), strict=True))
    lhs, rhs = (_at(side, points) for side in (bound.lhs, bound.rhs))
    usable = (rhs > 0) & np.isfinite(lhs) & np.isfinite(rhs)
    if not usable.any():
        return Tightest(0, math.nan, {name: _standing(bound, name) for name in names})
    ratios = np.where(usable, lhs, 0) / np.where(usable, rhs, 1)
    best = int(np.where(usable, ratios, -np.inf).argmax())
    place = {name: float(values[best]) for name, values in points.items()}
    return Tightest(int(usable.sum()), float(ratios[best]), place)


def _thinned(x: Floats, count: int) -> Floats:
    thin: Floats = x[np.unique(np.linspace(0, len(x) - 1, count).astype(int))]
    return thin


def _at(side: sympy.Expr, points: Mapping[str, Floats]) -> Floats:
    names = sorted(side.free_symbols, key=str)
    given = [points[symbol.name] for symbol in names]
    with np.errstate(all="ignore"):  # at the ends of a domain a side may be infinite
        values = sympy.lambdify(names, side, "numpy")(*given)
    shape = next(iter(points.values())).shape
    return np.broadcast_to(np.asarray(values, dtype=np.float64), shape)


def is_drawable(bound: Bound) -> bool:
    """Whether the bound is an inequality with a variable."""
    return bound.relation is not Relation.EQUAL and bool(variables_of(bound))


def _domain(bound: Bound, variable: str) -> tuple[float, float]:
    """The least and the largest value for which the bound is claimed."""
    low, high = float(variable in FROM_ONE), math.inf
    for name, sign, number in (text.split() for text in bound.where):
        if name == variable and sign[0] == ">":
            low = float(sympy.Rational(number))
        elif name == variable:
            high = float(sympy.Rational(number))
    return low, min(high, _MOST.get(variable, math.inf))


_MOST = {"delta": 0.5, "a": 1.0}
"""Largest values that the game allows, where a bound names none."""


def _standing(bound: Bound, variable: str) -> float:
    """The middle of a bounded domain, else the usual value, within the domain."""
    low, high = _domain(bound, variable)
    if math.isfinite(high):
        return (low + high) / 2
    return max(FIXED.get(variable, 1.0), low)


def _grid(bound: Bound, variable: str, span: float) -> Floats:
    low, high = _domain(bound, variable)
    low = low if low < high else 0.0
    least = low if low > 0 else min(1e-3, high / POINTS)
    if variable in bound.integers:
        near = np.arange(least, least + 40)
        far = np.unique(np.round(np.geomspace(least + 40, least * span, POINTS - 40)))
        return np.concatenate([near, far])
    return np.geomspace(least, min(high, max(least, 1.0) * span), POINTS)


def _exceeds(bound: Bound, points: Mapping[str, Floats]) -> npt.NDArray[np.bool_]:
    lhs, rhs = (_at(side, points) for side in (bound.lhs, bound.rhs))
    return _is_above(lhs, rhs)


def _is_above(lhs: Floats, rhs: Floats) -> npt.NDArray[np.bool_]:
    """Where lhs exceeds rhs by more than rounding."""
    found: npt.NDArray[np.bool_] = lhs > rhs + 1e-12 * (np.abs(lhs) + np.abs(rhs))
    return found


def _crossings(
    bound: Bound, variable: str, x: Floats, fixed: Mapping[str, float]
) -> tuple[float, ...]:
    signs = _exceeds(bound, _points(variable, x, fixed))
    changes = np.flatnonzero(signs[1:] != signs[:-1])
    return tuple(_narrowed(bound, variable, fixed, x[at], x[at + 1]) for at in changes)


def _narrowed(
    bound: Bound, variable: str, fixed: Mapping[str, float], low: float, high: float
) -> float:
    """The crossing between two points, narrowed by looking at a hundred points three times."""
    for _ in range(3):
        x = np.geomspace(low, high, 100)
        signs = _exceeds(bound, _points(variable, x, fixed))
        at = int(np.flatnonzero(signs[1:] != signs[:-1])[0])
        low, high = float(x[at]), float(x[at + 1])
    return high


def _points(variable: str, x: Floats, fixed: Mapping[str, float]) -> dict[str, Floats]:
    return {name: np.full_like(x, value) for name, value in fixed.items()} | {variable: x}
