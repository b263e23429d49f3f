r"""How quantities grow along a path of parameters: what a rate claim compares, as curves.

A rate claim compares two expressions in the limit. Its conclusion is run on a path that, instead of
taking limits, writes down the expressions; so a picture shows what the claim itself compares.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy

from pbverify.claims.claim import Claim, Pair
from pbverify.paper.formulas.theorem import POLYLOG
from pbverify.paper.lower_bound.growth import HIDDEN_POWER, Limits

Floats = npt.NDArray[np.float64]
N = np.geomspace(10, 1e8, 60)
"""The n of every curve."""


@dataclasses.dataclass(frozen=True)
class Compared:
    """Two expressions, one of which should bound the order of the other, and their names."""

    names: tuple[str, str]
    x: sympy.Expr
    y: sympy.Expr


def compared_by(claim: Claim[Any], path: Limits) -> list[Compared]:
    """What the conclusions of a rate claim compare along a path."""
    found: list[Compared] = []

    def at_least(_: Limits, x: sympy.Expr, y: sympy.Expr, *, name: str) -> Iterator[Pair]:
        left, _sep, right = name.partition(" against ")
        found.append(Compared((left, right or "right side"), x, y))
        return iter(())

    def at_most(_: Limits, x: sympy.Expr, y: sympy.Expr, *, name: str) -> Iterator[Pair]:
        rate = y * POLYLOG.expression**HIDDEN_POWER
        found.append(Compared((name, "the rate, times hidden logarithms"), x, rate))
        return iter(())

    notes = {"at_least_of_order": at_least, "at_most_up_to_logs": at_most}
    scribe: Any = type("Scribe", (type(path),), notes)
    fields = {field.name: getattr(path, field.name) for field in dataclasses.fields(path)}
    list(claim.pairs(scribe(**fields)))
    return found


def lines_along(path: Limits, compared: Compared) -> dict[str, Floats]:
    """Both expressions along the path; equal names are told apart."""
    left, right = compared.names
    right = right if right != left else f"{right} (right side)"
    return {left: values_along(path, compared.x), right: values_along(path, compared.y)}


def values_along(path: Limits, expression: sympy.Expr, n: Sequence[float] | Floats = N) -> Floats:
    """An expression in the paper's parameters at every n of the path."""
    of_n = path.along(expression)
    symbols = sorted(of_n.free_symbols, key=str) or [sympy.Symbol("n")]
    values = sympy.lambdify(symbols, of_n, "numpy")(np.asarray(n, dtype=np.float64))
    return np.broadcast_to(np.asarray(values, dtype=np.float64), np.shape(n))
