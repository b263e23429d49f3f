"""A problem instance: losses, delays, comparator, margin, and how the actions come about.

Everything is validated once, on construction, and read-only afterwards. Rigorous code asks for
exact values, fast code for doubles; a decimal comparator is divided by its sum in both.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from pbverify.bandits.delays import Delays
from pbverify.errors import InputError
from pbverify.files.documents import (
    SIZE_LIMIT,
    Path,
    check_format,
    integer_or_none,
    read_json,
    whole_number,
    write_json,
)
from pbverify.numerics.arrays import Reals, entry_name

FORMAT = "pbverify/instance-1"
DECIMAL_TOLERANCE = Fraction(1, 10**9)
LEAST_MARGIN = Fraction(1, 10**100)
"""Margins and comparator entries below it would leave the range of doubles on the way."""
MOST_DENOMINATOR_BITS = 8192
_FIELDS = ("losses", "delays", "comparator", "delta", "actions", "seed")


@dataclasses.dataclass(frozen=True)
class Instance:
    """T rounds of A arms; make one with `build` or `load`."""

    losses: Reals
    delays: Delays
    comparator_as_given: Reals
    delta_as_given: Reals | None
    actions: tuple[int, ...] | None
    seed: int | None

    @staticmethod
    def build(
        *,
        losses: object,
        delays: object,
        comparator: object,
        delta: object = None,
        actions: object = None,
        seed: object = None,
    ) -> Instance:
        """An instance from lists, arrays, numbers, Fractions or rational strings."""
        table = Reals.read(losses, field="losses", shape=(None, None))
        T, A = table.shape
        if T < 1:
            raise InputError("at least one round", "len(losses)", T)
        if A < 2:
            raise InputError("at least two arms", "len(losses[1])", A)
        instance = Instance(
            losses=table,
            delays=delays if isinstance(delays, Delays) else Delays(delays, length=T),  # type: ignore[arg-type]
            comparator_as_given=Reals.read(comparator, field="comparator", shape=(A,)),
            delta_as_given=None if delta is None else _scalar(delta),
            actions=None if actions is None else _checked_actions(actions, T, A),
            seed=None if seed is None else whole_number(seed, "seed"),
        )
        _check(instance)
        return instance

    @staticmethod
    def from_json(document: Any) -> Instance:
        """The instance in a parsed document."""
        required = {"losses", "delays", "comparator"}
        check_format(document, name=FORMAT, required=required, optional=set(_FIELDS) - required)
        return Instance.build(**{field: document.get(field) for field in _FIELDS})

    @staticmethod
    def load(path: Path) -> Instance:
        return Instance.from_json(read_json(path))

    def save(self, path: Path) -> int:
        """Write the instance, if it can be read back, and return its size in bytes."""
        return write_json(path, self.to_json(), limit=SIZE_LIMIT)

    def to_json(self) -> dict[str, object]:
        return {
            "format": FORMAT,
            "losses": self.losses.to_json(),
            "delays": self.delays.to_json(),
            "comparator": self.comparator_as_given.to_json(),
            "delta": None if self.delta_as_given is None else self.delta_as_given.to_json()[0],
            "actions": None if self.actions is None else list(self.actions),
            "seed": self.seed,
        }

    @property
    def rounds(self) -> int:
        """T."""
        return self.losses.shape[0]

    @property
    def arms(self) -> int:
        """A."""
        return self.losses.shape[1]

    @functools.cached_property
    def comparator(self) -> tuple[Fraction, ...]:
        """x^c, exactly, with sum 1."""
        entries = [value for _, value in self.comparator_as_given.entries()]
        total = sum(entries)
        return tuple(entry / total for entry in entries)

    @functools.cached_property
    def comparator_floats(self) -> npt.NDArray[np.float64]:
        return np.array([float(entry) for entry in self.comparator])

    @functools.cached_property
    def comparator_losses(self) -> npt.NDArray[np.float64]:
        """<l_t, x^c> of each round, in doubles.

        Not by `@`: BLAS shares the rounds among threads, which then spin for longer than they work.
        """
        found: npt.NDArray[np.float64] = np.einsum(
            "ta,a->t", self.losses.floats, self.comparator_floats
        )
        return found

    @functools.cached_property
    def delta(self) -> Fraction:
        """The comparator's margin; by default its smallest entry."""
        return min(self.comparator) if self.delta_as_given is None else self.delta_as_given.exact(0)

    def with_actions(self, actions: object) -> Instance:
        """The same instance with given actions."""
        checked = _checked_actions(actions, self.rounds, self.arms)
        return dataclasses.replace(self, actions=checked)


def _check(instance: Instance) -> None:
    _check_unit_interval(instance.losses, "losses")
    if len(instance.delays) != instance.rounds:
        raise InputError(f"{instance.rounds} entries", "len(delays)", len(instance.delays))
    _check_comparator(instance)
    if instance.actions is None and instance.seed is None:
        raise InputError("actions or a seed", "(actions, seed)", "(null, null)")


def _check_unit_interval(values: Reals, field: str) -> None:
    floats = values.floats
    if floats.size and (floats.min() < 0 or floats.max() > 1):
        index = tuple(np.argwhere((floats < 0) | (floats > 1))[0])
        raise InputError("a number in [0, 1]", entry_name(field, index), float(floats[index]))
    # A double of exactly 0 or 1 may stand for a rational or a long decimal just outside.
    for index, value in values.special_entries():
        if not 0 <= value <= 1:
            raise InputError("a number in [0, 1]", entry_name(field, index), str(value))


def _check_comparator(instance: Instance) -> None:
    given, margin = instance.comparator_as_given, instance.delta_as_given
    entries = [value for _, value in given.entries()]
    tolerance = DECIMAL_TOLERANCE if given.has_decimals else Fraction(0)
    for arm, entry in enumerate(entries):
        if not LEAST_MARGIN <= entry <= 1:
            raise InputError(
                "a positive number in [1e-100, 1]", f"comparator[{arm}]", _short(entry)
            )
    _check_common_denominator(entries)
    total = sum(entries, Fraction(0))
    if abs(total - 1) > tolerance:
        raise InputError("entries that sum to 1", "sum(comparator)", float(total))
    if margin is None:
        return
    delta = margin.exact(0)
    if margin.has_decimals:
        tolerance = DECIMAL_TOLERANCE
    if not 0 < delta <= Fraction(1, instance.arms) + tolerance:
        raise InputError(f"0 < delta <= 1/{instance.arms}", "delta", _short(delta))
    if delta < LEAST_MARGIN:
        raise InputError("delta >= 1e-100", "delta", _short(delta))
    for arm, entry in enumerate(instance.comparator):
        if entry < delta - tolerance:
            expected = f"an entry >= delta = {float(delta)}"
            raise InputError(expected, f"comparator[{arm}]", float(entry))


def _check_common_denominator(entries: list[Fraction]) -> None:
    """Bound the size of their sum: thousands of long, unrelated denominators would take hours."""
    common = 1
    for entry in entries:
        common = math.lcm(common, entry.denominator)
        if common.bit_length() > MOST_DENOMINATOR_BITS:
            expected = f"a common denominator of at most {MOST_DENOMINATOR_BITS} bits"
            raise InputError(expected, "comparator", "longer")


def _short(value: Fraction) -> str:
    """A number of any size for a message."""
    try:
        return repr(float(value))
    except OverflowError:
        return "a number beyond all doubles"


def _scalar(value: object) -> Reals:
    try:
        return Reals.read([value], field="delta", shape=(1,))
    except InputError as error:
        raise InputError("a number in (0, 1/A]", "delta", value) from error


def _checked_actions(actions: object, T: int, A: int) -> tuple[int, ...]:
    given = actions.tolist() if isinstance(actions, np.ndarray) else actions
    if not isinstance(given, list | tuple):
        raise InputError("a list of arms or null", "actions", given)
    if len(given) != T:
        raise InputError(f"{T} entries", "len(actions)", len(given))
    if all(type(action) is int and 0 <= action < A for action in given):
        return tuple(given)
    checked = []
    for number, action in enumerate(given, start=1):
        arm = integer_or_none(action)
        if arm is None or not 0 <= arm < A:
            raise InputError(f"an arm in 0..{A - 1}", f"actions[{number}]", action)
        checked.append(arm)
    return tuple(checked)
