"""Read-only arrays of reals, seen as doubles and as exact numbers.

A double stands for its shortest decimal, so an array of doubles survives a JSON file unchanged in
both views. Entries that no double represents that way (rationals, long decimals) keep their exact
value beside the array.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pbverify.errors import InputError
from pbverify.numerics import Numeral, is_rational_text, parse_exact

_SURELY_SHORT = 15  # characters: at most 15 digits, which the shortest decimal of a double restores
_EXACT_INTEGERS = 2**53  # below it every integer is a double


MOST_SHOWN = 60
"""Entries of an array that its text shows."""


class Reals:
    """An array of shape (n,) or (n, m)."""

    def __init__(self, floats: npt.NDArray[np.float64], special: dict[int, object]) -> None:
        self.floats = floats
        """The nearest doubles."""
        self.floats.flags.writeable = False
        self._special = special  # flat index to a Fraction, or to the Numeral of a decimal

    @staticmethod
    def read(value: object, *, field: str, shape: tuple[int | None, ...]) -> Reals:
        """Nested lists or an array; None in the shape leaves a dimension free."""
        if isinstance(value, Reals):
            return value
        if isinstance(value, np.ndarray):
            if value.dtype.kind not in "iu":
                return Reals(_checked_array(value, field, shape), {})
            value = value.tolist()
        rows = [value] if len(shape) == 1 else _checked_list(value, field, shape[0])
        entries: list[Sequence[object]] = []
        for number, row in enumerate(rows, start=1):
            name = field if len(shape) == 1 else f"{field}[{number}]"
            entries.append(_checked_list(row, name, len(entries[0]) if entries else shape[-1]))
        floats, special = _read_entries(entries, field, nested=len(shape) == 2)
        if len(shape) == 2:
            floats = floats.reshape(len(entries), len(entries[0]) if entries else 0)
        return Reals(floats, special)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.floats.shape

    @functools.cached_property
    def has_decimals(self) -> bool:
        """Whether some entry is a decimal, which is meant approximately."""
        decimal = self.floats != np.floor(self.floats)
        for index, special in self._special.items():
            decimal.flat[index] = isinstance(special, Numeral)
        return bool(decimal.any())

    def exact(self, *index: int) -> Fraction:
        """The exact value of an entry."""
        flat = index[0] if len(index) == 1 else index[0] * self.shape[1] + index[1]
        special = self._special.get(flat)
        if special is None:
            return _shortest_decimal(float(self.floats[index]))
        return special if isinstance(special, Fraction) else Fraction(str(special))

    def entries(self) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        """Every index with its exact value."""
        for index in np.ndindex(self.shape):
            yield index, self.exact(*index)

    def special_entries(self) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        """The entries whose exact value is not the shortest decimal of their double."""
        for flat in self._special:
            index = tuple(int(i) for i in np.unravel_index(flat, self.shape))
            yield index, self.exact(*index)

    def to_json(self) -> list[object]:
        """Nested lists that `read` turns into an equal array."""
        flat: list[object] = [
            int(x) if x.is_integer() and abs(x) < _EXACT_INTEGERS else x
            for x in self.floats.ravel().tolist()
        ]
        for index, special in self._special.items():
            flat[index] = special if isinstance(special, Numeral) else str(special)
        if len(self.shape) == 1:
            return flat
        width = self.shape[1]
        return [flat[start : start + width] for start in range(0, len(flat), width)]

    def __repr__(self) -> str:
        numbers = ", ".join(map(str, self.to_json())) if self.floats.size <= MOST_SHOWN else "..."
        return f"Reals({' x '.join(map(str, self.shape))}: {numbers})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Reals)
            and np.array_equal(self.floats, other.floats)
            and self._special == other._special
        )

    __hash__ = None  # type: ignore[assignment]


@functools.lru_cache(maxsize=1024)
def _shortest_decimal(value: float) -> Fraction:
    """What a double stands for."""
    is_small = value.is_integer() and abs(value) < _EXACT_INTEGERS
    return Fraction(int(value)) if is_small else Fraction(repr(value))


def _checked_array(
    value: npt.NDArray[np.generic], field: str, shape: tuple[int | None, ...]
) -> npt.NDArray[np.float64]:
    if value.dtype.kind != "f":
        raise InputError("a list", field, value)
    fits = len(value.shape) == len(shape) and all(
        want in (None, have) for want, have in zip(shape, value.shape, strict=True)
    )
    if not fits:
        wanted = " x ".join("any" if n is None else str(n) for n in shape)
        raise InputError(f"an array of shape {wanted}", f"{field}.shape", value.shape)
    floats = value.astype(np.float64)
    if not np.isfinite(floats).all():
        where = np.argwhere(~np.isfinite(floats))[0]
        raise InputError("a finite number", entry_name(field, tuple(where)), floats[tuple(where)])
    return floats


def _checked_list(value: object, field: str, length: int | None) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise InputError("a list", field, value)
    if length is not None and len(value) != length:
        raise InputError(f"{length} entries", f"len({field})", len(value))
    return value


def _read_entries(
    rows: list[Sequence[object]], field: str, *, nested: bool
) -> tuple[npt.NDArray[np.float64], dict[int, object]]:
    floats: list[float] = []
    special: dict[int, object] = {}
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            value, exact = _read_entry(entry)
            if value is None:
                name = entry_name(field, (i, j) if nested else (j,))
                raise InputError("a finite number", name, entry)
            if exact is not None:
                special[len(floats)] = exact
            floats.append(value)
    return np.array(floats, dtype=np.float64), special


def _read_entry(entry: object) -> tuple[float | None, object]:
    """The double, and the exact form where the double's shortest decimal is not it."""
    if type(entry) is int and abs(entry) < _EXACT_INTEGERS:
        return float(entry), None
    if isinstance(entry, Numeral):
        return _read_numeral(entry)
    if isinstance(entry, str):
        is_exact = is_rational_text(entry) or entry.lstrip("+-").isdigit()
        fraction = parse_exact(entry) if is_exact else None
        return (None, None) if fraction is None else _read_fraction(fraction)
    if isinstance(entry, bool | np.bool_):
        return None, None
    if isinstance(entry, Fraction):
        return _read_fraction(entry)
    if isinstance(entry, int | np.integer):
        return _read_fraction(Fraction(int(entry)))
    if isinstance(entry, float | np.floating):
        return (float(entry), None) if math.isfinite(entry) else (None, None)
    return None, None


def _read_numeral(entry: Numeral) -> tuple[float | None, object]:
    if len(entry) <= _SURELY_SHORT and "e" not in entry and "E" not in entry:
        value = float(entry)
        return (value, None) if math.isfinite(value) else (None, None)
    fraction = parse_exact(entry)
    if fraction is None:
        return None, None
    nearest, _ = _read_fraction(fraction)
    is_shortest = nearest is not None and fraction == Fraction(repr(nearest))
    return nearest, None if is_shortest else entry


def _read_fraction(fraction: Fraction) -> tuple[float | None, object]:
    try:
        value = float(fraction)
    except OverflowError:  # beyond the largest double
        return None, None
    is_small = fraction.denominator == 1 and abs(fraction.numerator) < _EXACT_INTEGERS
    return value, None if is_small else fraction


def entry_name(field: str, index: tuple[int, ...]) -> str:
    """An entry as messages name it: rounds from 1, arms from 0."""
    if len(index) == 1:
        return f"{field}[{index[0]}]"
    return f"{field}[{index[0] + 1}][{index[1]}]"
