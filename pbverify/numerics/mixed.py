"""Rationals and balls that take Python's fractions too, for formulas that people write.

flint's numbers refuse `Fraction(1, 2) * x`. Those of this module compute it exactly, and what comes
out of a computation with them takes fractions again.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from pbverify.numerics.arithmetic import Number
from pbverify.numerics.exact import to_fmpq

_OPERATIONS = (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv"),
    *("pow", "neg", "pos", "abs"),
)


class MixedRational(fmpq):
    """A rational that takes fractions."""


class MixedBall(arb):
    """An enclosure that takes fractions."""


def mixed(value: Number) -> Number:
    """The same number, which takes fractions."""
    if isinstance(value, arb):
        return MixedBall(value)
    return MixedRational(value) if isinstance(value, fmpq) else value


def _taking_fractions(operation: Callable[..., Any]) -> Callable[..., Any]:
    def compute(*operands: Any) -> Any:
        exact = (to_fmpq(each) if isinstance(each, Fraction) else each for each in operands)
        return mixed(operation(*exact))

    return compute


for _kind, _base in ((MixedRational, fmpq), (MixedBall, arb)):
    for _name in (f"__{name}__" for name in _OPERATIONS):
        setattr(_kind, _name, _taking_fractions(getattr(_base, _name)))
