"""Readings of Prudent-Banker: the paper prints it twice, and some lines are ambiguous.

A reading fixes every choice. `OPTIONS` holds the named values of each option in a fixed order;
`budget` and `slack` may also be numbers. Values are validated when a reading is made.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction

from pbverify.errors import InputError
from pbverify.numerics import parse_exact

OPTIONS: dict[str, tuple[str, ...]] = {
    "update": ("played", "base"),
    "delay_sum": ("clairvoyant", "arrived", "elapsed"),
    "delay_scope": ("phase", "stage"),
    "estimate": ("power-of-two", "twice", "double"),
    "gap": ("best-response", "learner"),
    "budget": ("appendix", "main"),
    "slack": ("paper", "tight"),
    "rounding": ("none", "power-of-two"),
    "restart_round": ("mixture", "comparator"),
    "regularizer": ("negative-entropy", "tsallis"),
}

_LARGEST = 10**100  # numbers beyond it, or below its inverse, would leave the range of doubles
_NUMERIC = {
    "budget": "a positive number from 1e-100 to 1e100",
    "slack": "a number >= 0, if not 0 from 1e-100 to 1e100",
}


def _validated(option: str, value: object) -> str | Fraction:
    if isinstance(value, str) and value in OPTIONS[option]:
        return value
    number = _number(value) if option in _NUMERIC else None
    if number is not None and _is_in_range(option, number):
        return number
    expected = " or ".join([f"one of {', '.join(OPTIONS[option])}", *_also(option)])
    raise InputError(expected, option, value)


def _is_in_range(option: str, number: Fraction) -> bool:
    if option == "slack" and number == 0:
        return True
    return Fraction(1, _LARGEST) <= number <= _LARGEST


def _also(option: str) -> list[str]:
    return [_NUMERIC[option]] if option in _NUMERIC else []


def _number(value: object) -> Fraction | None:
    if isinstance(value, str):
        return parse_exact(value)
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Fraction(value)
    return parse_exact(repr(value)) if isinstance(value, float) else None


def _as_json(value: str | Fraction) -> str | int:
    if isinstance(value, str):
        return value
    return int(value) if value.denominator == 1 else str(value)


@dataclasses.dataclass(frozen=True)
class Reading:
    """One choice per option; the defaults are the appendix's pseudocode."""

    update: str = "played"
    delay_sum: str = "clairvoyant"
    delay_scope: str = "phase"
    estimate: str = "power-of-two"
    gap: str = "best-response"
    budget: str | Fraction = "appendix"
    slack: str | Fraction = "paper"
    rounding: str = "none"
    restart_round: str = "mixture"
    regularizer: str = "negative-entropy"

    def __post_init__(self) -> None:
        for option in OPTIONS:
            object.__setattr__(self, option, _validated(option, getattr(self, option)))
        if self.slack == "tight" and self.delay_sum == "arrived":
            raise InputError(
                "delay_sum clairvoyant or elapsed with slack=tight (arrived delays bound nothing)",
                "delay_sum",
                self.delay_sum,
            )

    def with_options(self, **changes: object) -> Reading:
        """The same reading with some options replaced."""
        for option in changes:
            if option not in OPTIONS:
                raise InputError(f"an option among {', '.join(OPTIONS)}", "option", option)
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    def to_json(self) -> dict[str, str | int]:
        """Option names to values; a number that is no integer is written as a rational."""
        return {option: _as_json(getattr(self, option)) for option in OPTIONS}

    @staticmethod
    def from_json(value: object) -> Reading:
        """The reading that `to_json` wrote; every option must be there."""
        if not isinstance(value, Mapping) or value.keys() != OPTIONS.keys():
            raise InputError(f"an object with the keys {', '.join(OPTIONS)}", "reading", value)
        return Reading(**value)


PRESETS: dict[str, Reading] = {
    "appendix": Reading(),
    "main": Reading(
        update="base",
        delay_sum="arrived",
        delay_scope="stage",
        estimate="twice",
        gap="learner",
        budget="main",
    ),
    "repaired": Reading(
        update="base",
        delay_sum="elapsed",
        slack="tight",
        rounding="power-of-two",
        restart_round="comparator",
    ),
}


def preset(name: str) -> Reading:
    """The preset of that name."""
    if name not in PRESETS:
        raise InputError(f"one of {', '.join(PRESETS)}", "reading", name)
    return PRESETS[name]


def parse_overrides(settings: list[str]) -> dict[str, str]:
    """`option=value` texts as a mapping; the last one of a repeated option wins."""
    parsed = {}
    for setting in settings:
        option, equals, value = setting.partition("=")
        if not equals or option not in OPTIONS:
            raise InputError(
                f"option=value with an option among {', '.join(OPTIONS)}", "set", setting
            )
        parsed[option] = value
    return parsed


def overrides(base: Reading, *, depth: int, budget: Fraction, slack: Fraction) -> Iterator[Reading]:
    """The base reading and every valid change of at most `depth` options.

    The two numeric options take the given number as one more value.
    """
    values: dict[str, tuple[str | Fraction, ...]] = {**OPTIONS}
    values["budget"] += (budget,)
    values["slack"] += (slack,)
    for count in range(depth + 1):
        for chosen in itertools.combinations(OPTIONS, count):
            others = [[v for v in values[o] if v != getattr(base, o)] for o in chosen]
            for combination in itertools.product(*others):
                changes = dict(zip(chosen, combination, strict=True))
                if not _is_contradictory(base, changes):
                    yield base.with_options(**changes)


def _is_contradictory(base: Reading, changes: Mapping[str, object]) -> bool:
    slack = changes.get("slack", base.slack)
    return slack == "tight" and changes.get("delay_sum", base.delay_sum) == "arrived"
