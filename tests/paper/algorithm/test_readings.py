"""Readings: the table of options, its presets, and what is no reading."""

from __future__ import annotations

import dataclasses
import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json
from pbverify.numerics.exact import Numeral
from pbverify.paper.algorithm.readings import (
    OPTIONS,
    PRESETS,
    Reading,
    overrides,
    parse_overrides,
    preset,
)

TABLE = {
    "update": {"played", "base"},
    "delay_sum": {"clairvoyant", "arrived", "elapsed"},
    "delay_scope": {"phase", "stage"},
    "estimate": {"power-of-two", "twice", "double"},
    "gap": {"best-response", "learner"},
    "budget": {"appendix", "main"},
    "slack": {"paper", "tight"},
    "rounding": {"none", "power-of-two"},
    "restart_round": {"mixture", "comparator"},
    "regularizer": {"negative-entropy", "tsallis"},
}
IN_ORDER = {
    "appendix": "played clairvoyant phase power-of-two best-response appendix paper none mixture",
    "main": "base arrived stage twice learner main paper none mixture",
    "repaired": (
        "base elapsed phase power-of-two best-response appendix tight power-of-two comparator"
    ),
}

WRITTEN = Reading().to_json()

numbers = st.fractions(min_value=0, max_denominator=1000)


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    chosen: dict[str, Any] = {
        option: draw(st.sampled_from(sorted(values))) for option, values in TABLE.items()
    }
    if draw(st.booleans()):
        chosen["budget"] = draw(numbers.filter(bool))
    if draw(st.booleans()) or (chosen["delay_sum"], chosen["slack"]) == ("arrived", "tight"):
        chosen["slack"] = draw(numbers)
    return Reading(**chosen)


def test_the_options_are_those_of_the_table() -> None:
    """Every option and every named value is offered, and nothing else."""
    assert {option: set(values) for option, values in OPTIONS.items()} == TABLE
    assert list(OPTIONS) == list(TABLE)
    assert [field.name for field in dataclasses.fields(Reading)] == list(TABLE)


def test_presets_are_those_of_the_table() -> None:
    """Each preset is its row of the design, literally; the default is the appendix's."""
    assert PRESETS.keys() == IN_ORDER.keys()
    for name, row in IN_ORDER.items():
        values = [*row.split(), "negative-entropy"]
        assert preset(name).to_json() == dict(zip(TABLE, values, strict=True))
    assert Reading() == preset("appendix")
    with pytest.raises(InputError, match="one of appendix, main, repaired but got reading=other"):
        preset("other")


@pytest.mark.parametrize(
    ("option", "bad"),
    [
        *itertools.product(TABLE, ("", "unknown", "Played", None, True, False, [], {}, -1, "-1/2")),
        *itertools.product(
            sorted(TABLE.keys() - {"budget", "slack"}), (1, 2.5, "3", Fraction(1, 2))
        ),
    ],
)
def test_invalid_values_are_refused(option: str, bad: object) -> None:
    """A value that the table does not hold is an error; only budget and slack take numbers."""
    with pytest.raises(InputError, match=f"but got {option}="):
        Reading(**{option: bad})  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["budget", "slack"])
@pytest.mark.parametrize(
    ("given_value", "value"),
    [
        (3, Fraction(3)),
        ("3", Fraction(3)),
        (0.1, Fraction(1, 10)),
        ("0.1", Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Numeral("2.50"), Fraction(5, 2)),
    ],
)
def test_numbers_are_taken_as_written(option: str, given_value: object, value: Fraction) -> None:
    """Integers, decimals and rationals become the exact numbers that they are written as."""
    reading = Reading(**{option: given_value})  # type: ignore[arg-type]
    assert getattr(reading, option) == value
    assert isinstance(getattr(reading, option), Fraction)


@pytest.mark.parametrize(
    ("option", "bad"),
    [
        *(("budget", bad) for bad in (0, 0.0, "0", "0/5", "nan", "1e200", "1e-200")),
        *itertools.product(("budget", "slack"), (-1, "-1/1000", "1/0", "1e999999999")),
        *itertools.product(("budget", "slack"), (math.nan, math.inf)),
    ],
)
def test_a_budget_is_positive_and_a_slack_is_not_negative(option: str, bad: object) -> None:
    """Zero is a slack but no budget; NaN, infinities and what doubles cannot hold are neither."""
    assert Reading(slack=Fraction(0)).slack == 0
    expected = {
        "budget": "a positive number from 1e-100 to 1e100 but got budget=",
        "slack": "a number >= 0, if not 0 from .* but got slack=",
    }
    with pytest.raises(InputError, match=expected[option]):
        Reading(**{option: bad})  # type: ignore[arg-type]


@pytest.mark.parametrize("base", [Reading(), preset("main"), preset("repaired")])
def test_a_tight_slack_needs_a_delay_sum_that_bounds(base: Reading) -> None:
    """slack=tight goes with clairvoyant and elapsed sums, not with arrived ones."""
    for kind in ("clairvoyant", "elapsed"):
        assert base.with_options(delay_sum=kind, slack="tight").slack == "tight"
    with pytest.raises(InputError, match="delay_sum=arrived"):
        base.with_options(delay_sum="arrived", slack="tight")
    assert base.with_options(delay_sum="arrived", slack=3).slack == 3


@given(readings())
def test_readings_round_trip(reading: Reading) -> None:
    """A reading survives its JSON form, also through text, with numbers written exactly."""
    assert Reading.from_json(reading.to_json()) == reading
    text = dumps(reading.to_json()).encode()
    assert Reading.from_json(parse_json(text, source="here")) == reading
    assert list(reading.to_json()) == list(TABLE)
    written = Reading(budget=Fraction(5), slack=Fraction(1, 3)).to_json()
    assert (written["budget"], written["slack"]) == (5, "1/3")


@pytest.mark.parametrize(
    "document",
    [None, "appendix", [], {}, {**WRITTEN, "extra": 1}, dict(list(WRITTEN.items())[1:])],
)
def test_other_documents_are_no_reading(document: object) -> None:
    """Every option must be there, and nothing else."""
    with pytest.raises(InputError, match=r"an object with the keys update, .* but got reading="):
        Reading.from_json(document)


def test_options_can_be_replaced() -> None:
    """with_options changes the named options only and leaves the original as it was."""
    base = preset("main")
    changed = base.with_options(update="played", slack="1/2")
    assert changed.to_json() == {**base.to_json(), "update": "played", "slack": "1/2"}
    assert base == preset("main")
    with pytest.raises(InputError, match=r"an option among update, .* but got option=speed"):
        base.with_options(speed="fast")


def test_settings_are_parsed() -> None:
    """option=value texts become a mapping, in which the last of a repeated option stands."""
    assert parse_overrides([]) == {}
    given = ["slack=1/2", "update=base", "slack=3"]
    assert parse_overrides(given) == {"slack": "3", "update": "base"}
    for bad in ("update", "", "=base", "speed=fast", "Update=base"):
        with pytest.raises(InputError, match=r"option=value with an option .* but got set="):
            parse_overrides([bad])


def expected_count(base: Reading, depth: int) -> int:
    """Changes of at most `depth` options, less those that end with arrived and tight."""
    others = {option: len(values) - 1 for option, values in TABLE.items()}
    others["budget"] += 1  # the given number
    others["slack"] += 1
    free = [n for option, n in others.items() if option not in ("delay_sum", "slack")]

    def elementary(degree: int) -> int:
        sums = [1] + [0] * depth
        for n in free:
            for k in range(depth, 0, -1):
                sums[k] += n * sums[k - 1]
        return sum(sums[: degree + 1]) if degree >= 0 else 0

    total = 0
    for kind in TABLE["delay_sum"]:
        for slack in ("paper", "tight", "a number"):
            if (kind, slack) != ("arrived", "tight"):
                changed = (kind != base.delay_sum) + (slack != base.slack)
                total += elementary(depth - changed)
    return total


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("name", PRESETS)
def test_overrides_are_all_and_distinct(name: str, depth: int) -> None:
    """Every valid change of at most `depth` options occurs once, the base reading first."""
    base = preset(name)
    found = list(overrides(base, depth=depth, budget=Fraction(8), slack=Fraction(1, 2)))
    assert found[0] == base
    assert len(set(found)) == len(found) == expected_count(base, depth)
    for reading in found:
        changed = [o for o in TABLE if getattr(reading, o) != getattr(base, o)]
        assert len(changed) <= depth
    if depth == 2:
        assert {r.budget for r in found} == {"appendix", "main", 8}
        assert {r.slack for r in found} == {"paper", "tight", Fraction(1, 2)}
    # By hand: from the appendix 1 + 14 + 87 changes of two options, one of them impossible.
    assert (name, depth) != ("appendix", 2) or len(found) == 101
