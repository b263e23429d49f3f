"""Instances: exact and double views, round trips, and every way of being wrong."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json

GOOD: dict[str, Any] = {
    "format": "pbverify/instance-1",
    "losses": [[0.0, 1.0], [0.5, 0.25]],
    "delays": [0, 3],
    "comparator": [0.5, 0.5],
    "delta": 0.5,
    "actions": [1, 0],
    "seed": None,
}

BAD: list[tuple[str, Any, str]] = [
    ("losses", [[0, 1.2], [0, 0]], r"in \[0, 1\] but got losses\[1\]\[1\]=1.2"),
    ("losses", [[0, 1], [-0.5, 0]], r"losses\[2\]\[0\]=-0.5"),
    ("losses", [[0, "4/3"], [0, 0]], r"losses\[1\]\[1\]"),
    ("losses", [[0, "1000000000000000000001/1000000000000000000000"], [0, 0]], r"losses\[1\]\[1\]"),
    ("losses", [[0, True], [0, 0]], r"losses\[1\]\[1\]=True"),
    ("losses", [[0, "half"], [0, 0]], r"losses\[1\]\[1\]=half"),
    ("losses", [[0, None], [0, 0]], r"losses\[1\]\[1\]=None"),
    ("losses", [[0, [1]], [0, 0]], r"losses\[1\]\[1\]"),
    ("losses", [[0, 1], [0]], r"2 entries but got len\(losses\[2\]\)=1"),
    ("losses", [], r"at least one round"),
    ("losses", [[], []], r"at least two arms"),
    ("losses", [[0], [1]], r"at least two arms"),
    ("losses", 3, r"a list but got losses=3"),
    ("delays", [0, -1], r"0 <= delay < 2\^53 but got delays\[2\]=-1"),
    ("delays", [0, 10**400], r"delays\[2\]=1000"),
    ("delays", [0, 2**53], r"delays\[2\]=9007199254740992"),
    ("delays", [0, 0.5], r"delays\[2\]=0.5"),
    ("delays", [0, True], r"delays\[2\]=True"),
    ("delays", [0], r"2 entries but got len\(delays\)=1"),
    ("delays", "00", r"a list of integers but got delays=00"),
    ("comparator", [0.5, 0.4], r"sum to 1 but got sum\(comparator\)=0.9"),
    ("comparator", ["1/3", "1/3"], r"sum\(comparator\)"),
    ("comparator", [0.4, 0.6], r">= delta = 0.5 but got comparator\[0\]=0.4"),
    ("comparator", [0.5, 0.25, 0.25], r"2 entries but got len\(comparator\)=3"),
    ("comparator", [0, 1], r"a positive number in \[1e-100, 1\] but got comparator\[0\]=0"),
    ("comparator", [0.5, -0.5], r"comparator\[1\]=-0.5"),
    ("comparator", [1.7e308, 1.7e308], r"comparator\[0\]=1.7e\+308"),
    ("comparator", ["1/" + "9" * 390, 1], r"comparator\[0\]="),
    ("delta", 1e-320, r"delta >= 1e-100 but got delta="),
    ("delta", 0.6, r"0 < delta <= 1/2 but got delta=0.6"),
    ("delta", 0, r"delta=0.0"),
    ("delta", "x", r"delta=x"),
    ("actions", [0], r"2 entries but got len\(actions\)=1"),
    ("actions", [0, 2], r"an arm in 0..1 but got actions\[2\]=2"),
    ("actions", [0, 1.0], r"actions\[2\]=1.0"),
    ("actions", "01", r"a list of arms or null"),
    ("actions", None, r"actions or a seed"),
    ("seed", 1.5, r"seed=1.5"),
    ("seed", 10**30, r"seed=1000"),
    ("format", "pbverify/instance-2", r'"pbverify/instance-1" but got format'),
    ("colour", 1, r"field=colour"),
]


def read(document: object, *, quarter: str = "0.25") -> Instance:
    """An instance from the text of a document, with another numeral for its 0.25."""
    text = json.dumps(document).replace("0.25", quarter)
    return Instance.from_json(parse_json(text.encode(), source="here"))


def test_a_good_file_loads(tmp_path: pathlib.Path) -> None:
    """Every field reaches the instance."""
    path = tmp_path / "instance.json"
    path.write_text(json.dumps(GOOD))
    instance = Instance.load(path)
    assert (instance.rounds, instance.arms) == (2, 2)
    assert instance.losses.exact(1, 1) == Fraction(1, 4)
    assert instance.delays.to_json() == [0, 3]
    assert instance.comparator == (Fraction(1, 2), Fraction(1, 2))
    assert instance.delta == Fraction(1, 2)
    assert instance.actions == (1, 0)


@pytest.mark.parametrize(("field", "value", "message"), BAD)
def test_bad_fields_are_named(field: str, value: object, message: str) -> None:
    """Each wrong field gives one line with the field, the value and what was expected."""
    with pytest.raises(InputError, match=message) as caught:
        read({**GOOD, field: value})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e400", "1e-999999999"])
def test_numbers_that_are_none_are_refused(text: str) -> None:
    """NaN, infinities and hostile exponents are refused at once, with the field named."""
    with pytest.raises(InputError, match=r"losses\[2\]\[1\]"):
        read(GOOD, quarter=text)


@pytest.mark.parametrize("field", ["losses", "delays", "comparator"])
def test_missing_fields_are_named(field: str) -> None:
    """A missing required field is named."""
    with pytest.raises(InputError, match=f"the field {field}"):
        read({key: value for key, value in GOOD.items() if key != field})


def test_unrelated_denominators_are_refused_quickly() -> None:
    """Thousands of long denominators would make an endless sum; they are refused at once."""
    entries = [Fraction(10**146, 10**150 + 2 * n + 1) for n in range(2000)]
    with pytest.raises(InputError, match="a common denominator of at most"):
        Instance.build(losses=[[0] * 2000], delays=[0], comparator=entries, seed=0)


def test_delta_defaults_to_the_smallest_entry() -> None:
    """Without a margin, the comparator's smallest entry is it."""
    third = Fraction(1, 3)
    instance = Instance.build(losses=[[0, 0]], delays=[0], comparator=[third, 2 * third], seed=0)
    assert instance.delta == third


def test_a_decimal_comparator_is_divided_by_its_sum() -> None:
    """Decimals within 1e-9 of sum 1 become an exact distribution; rationals must be exact."""
    nearly = [0.3333333333, 0.6666666667 - 2e-10]
    instance = read({**GOOD, "comparator": nearly, "delta": 0.33})
    assert sum(instance.comparator) == 1
    assert sum(instance.comparator_floats) == pytest.approx(1, abs=1e-15)


def test_what_the_comparator_pays() -> None:
    """In each round the mean of the losses under x^c."""
    instance = read({**GOOD, "comparator": [0.75, 0.25], "delta": 0.25})
    assert instance.comparator_losses.tolist() == [0.25, 0.5 * 0.75 + 0.25 * 0.25]


def test_a_decimal_is_read_as_written() -> None:
    """Rigorous code sees all digits, fast code the nearest double."""
    instance = read(GOOD, quarter="0.10000000000000000000000001")
    assert instance.losses.exact(1, 1) == Fraction("0.10000000000000000000000001")
    assert instance.losses.floats[1, 1] == 0.1


loss = st.one_of(st.floats(0, 1), st.integers(0, 1), st.fractions(0, 1, max_denominator=10**6))


@given(st.lists(st.tuples(loss, loss), min_size=1, max_size=5), st.integers(1, 99), st.booleans())
def test_round_trip(rows: list[tuple[Any, Any]], percent: int, give_actions: bool) -> None:  # noqa: FBT001
    """What is saved is loaded again, with all exact values and the same text."""
    instance = Instance.build(
        losses=[list(row) for row in rows],
        delays=list(range(len(rows))),
        comparator=[Fraction(percent, 100), 1 - Fraction(percent, 100)],
        actions=[0] * len(rows) if give_actions else None,
        seed=-5,
    )
    again = Instance.from_json(parse_json(dumps(instance.to_json()).encode(), source="memory"))
    assert dict(again.losses.entries()) == dict(instance.losses.entries())
    assert dataclasses.asdict(again)["seed"] == -5
    assert again == instance


def test_instances_are_read_only() -> None:
    """No array of an instance can be written to."""
    instance = Instance.build(losses=[[0, 1]], delays=[0], comparator=[0.5, 0.5], seed=0)
    for array in (instance.losses.floats, instance.delays.values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        instance.seed = 3  # type: ignore[misc]
