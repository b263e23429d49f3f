"""Arrays of reals: doubles, exact values, and the way through a file."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json
from pbverify.numerics.arrays import Reals, entry_name
from pbverify.numerics.exact import Numeral

finite = st.floats(allow_nan=False, allow_infinity=False)
small_integers = st.integers(-(2**53), 2**53)
digits = st.text("0123456789", min_size=1, max_size=40)


@st.composite
def decimals(draw: st.DrawFn) -> Numeral:
    """JSON decimals of any length, with and without exponent."""
    sign = draw(st.sampled_from(["", "-"]))
    exponent = draw(st.sampled_from(["", "e-3", "E+2", "e-300"]))
    return Numeral(f"{sign}{draw(st.integers(0, 9))}.{draw(digits)}{exponent}")


rationals = st.fractions(min_value=-(2**53), max_value=2**53)
entries = st.one_of(finite, small_integers, rationals, rationals.map(str), decimals())


def meaning(entry: float | int | Fraction | str) -> Fraction:
    """What an entry denotes: a double its shortest decimal, anything else itself."""
    return Fraction(repr(entry)) if isinstance(entry, float) else Fraction(entry)


def read(*values: object) -> Reals:
    return Reals.read(list(values), field="x", shape=(None,))


def through_a_file(reals: Reals) -> object:
    return parse_json(dumps(reals.to_json()).encode(), source="here")


@given(st.lists(entries, min_size=1, max_size=6))
def test_both_views_of_every_entry(values: list[float | int | Fraction | str]) -> None:
    """The exact view is what was written and the float view its nearest double."""
    reals = Reals.read(values, field="x", shape=(len(values),))
    for i, value in enumerate(values):
        assert reals.exact(i) == meaning(value)
        assert reals.floats[i] == float(meaning(value))
    assert dict(reals.entries()) == {(i,): meaning(v) for i, v in enumerate(values)}


@pytest.mark.parametrize("length", range(1, 30))
@pytest.mark.parametrize("sign", ["", "-"])
def test_decimals_of_every_length_are_exact(sign: str, length: int) -> None:
    """Around the number of digits that a double restores, no digit is lost."""
    text = f"{sign}0.{'987654321' * 4:.{length}}"
    reals = read(Numeral(text))
    assert reals.exact(0) == Fraction(text)
    assert reals.floats[0] == float(text)
    assert dumps(reals.to_json()) == f"[{text}]"


@given(st.lists(entries, min_size=1, max_size=6))
def test_a_file_changes_nothing(values: list[float | int | Fraction | str]) -> None:
    """Both views, and what counts as a decimal, survive writing and reading."""
    reals = read(*values)
    again = Reals.read(through_a_file(reals), field="x", shape=(None,))
    assert again == reals
    assert dict(again.entries()) == dict(reals.entries())
    assert np.array_equal(again.floats, reals.floats)
    assert again.has_decimals == reals.has_decimals


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_tables_keep_rows_and_columns(rows: int, columns: int, data: st.DataObject) -> None:
    """In a table the first index is the round and the second the arm, in both views."""
    row = st.lists(entries, min_size=columns, max_size=columns)
    table = data.draw(st.lists(row, min_size=rows, max_size=rows))
    reals = Reals.read(table, field="losses", shape=(None, None))
    assert reals.shape == (rows, columns)
    for i in range(rows):
        for j in range(columns):
            assert reals.exact(i, j) == meaning(table[i][j])
            assert reals.floats[i, j] == float(meaning(table[i][j]))
    again = Reals.read(through_a_file(reals), field="losses", shape=(rows, columns))
    assert again == reals


@pytest.mark.parametrize(
    ("value", "is_decimal"),
    [
        (0.5, True),
        (Numeral("0.5"), True),
        (Numeral("0.3333333333333333333333333333"), True),
        (Numeral("1.000000000000000000000000000001"), True),
        (0.0, False),
        (1, False),
        (Numeral("1"), False),
        (Fraction(1, 2), False),
        ("1/3", False),
        ("2", False),
    ],
)
def test_decimals_are_told_from_exact_numbers(value: object, is_decimal: object) -> None:
    """A decimal is meant approximately; integers, Fractions and rational strings are exact."""
    assert read(value).has_decimals is is_decimal
    assert read(1, value, "1/7").has_decimals is is_decimal


def test_special_entries_are_those_that_doubles_miss() -> None:
    """Only entries whose exact value differs from their double's decimal are listed."""
    table = [[0.1, "1/3"], [Numeral("0.25"), Numeral("0.10000000000000000000001")]]
    reals = Reals.read(table, field="x", shape=(2, 2))
    assert dict(reals.special_entries()) == {
        (0, 1): Fraction(1, 3),
        (1, 1): Fraction("0.10000000000000000000001"),
    }


def test_numbers_too_small_for_doubles_keep_their_exact_value() -> None:
    """An entry below the smallest double is not lost: its double is 0, its exact value is not."""
    reals = read(Numeral("1e-400"), Fraction(-1, 10**400))
    assert [value for _, value in reals.entries()] == [Fraction(1, 10**400), -Fraction(1, 10**400)]
    assert reals.floats.tolist() == [0, 0]


def test_equality_looks_at_exact_values() -> None:
    """Arrays with equal doubles and different exact values differ."""
    assert read("1/3") != read(1 / 3)
    assert read("1/3") == read(Fraction(2, 6))
    assert read(0.5) == read(Numeral("0.50"))
    assert read(0.5) != [0.5]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8])
def test_arrays_are_copied_and_read_only(dtype: type[np.generic]) -> None:
    """An array is taken over as doubles; neither side can change the other."""
    given_array = np.array([[0, 1], [1, 0]], dtype=dtype)
    reals = Reals.read(given_array, field="x", shape=(None, 2))
    given_array[0, 0] = 1
    assert reals.floats.tolist() == [[0, 1], [1, 0]]
    with pytest.raises(ValueError, match="read-only"):
        reals.floats[0, 0] = 5
    assert Reals.read(reals, field="x", shape=(2, 2)) is reals


@pytest.mark.parametrize(
    "bad",
    [
        *(
            True,
            np.bool_(),
            None,
            math.nan,
            math.inf,
            -math.inf,
            [],
            {},
            1j,
            Fraction(10**400),
            10**400,
        ),
        *("0.5", "1e3", "abc", "", "1/0", "--1", "1/-2", "\u0663", "\u00b2", "1" + "0" * 350),
        *map(Numeral, ("NaN", "Infinity", "-Infinity", "1e999999999", "9" * 1000, "-1e400")),
    ],
)
def test_other_entries_are_refused_by_name(bad: object) -> None:
    """Booleans, other strings and what no double holds are named by round from 1, arm from 0."""
    with pytest.raises(InputError, match=r"a finite number but got losses\[2\]\[1\]="):
        Reals.read([[0, 0], [0, bad]], field="losses", shape=(None, None))
    with pytest.raises(InputError, match=r"a finite number but got comparator\[1\]="):
        Reals.read([0, bad], field="comparator", shape=(2,))


@pytest.mark.parametrize(
    ("value", "shape", "message"),
    [
        (5, (None,), "a list but got x=5"),
        ("1/2", (None,), "a list but got x=1/2"),
        ({"a": 1}, (None, None), "a list but got x="),
        ([1, 2], (3,), r"3 entries but got len\(x\)=2"),
        ([[1, 2], 3], (None, None), r"a list but got x\[2\]=3"),
        ([[1, 2], [3]], (None, None), r"2 entries but got len\(x\[2\]\)=1"),
        ([[1, 2]], (2, None), r"2 entries but got len\(x\)=1"),
        ([[1, 2]], (None, 3), r"3 entries but got len\(x\[1\]\)=2"),
        (np.zeros((2, 3)), (None, 2), r"shape any x 2 but got x\.shape=\(2, 3\)"),
        (np.zeros(3), (None, None), r"got x\.shape=\(3,\)"),
        (np.array([True]), (None,), "a list but got x="),
        (np.array(["a"]), (None,), "a list but got x="),
    ],
)
def test_shapes_are_checked(value: object, shape: tuple[int | None, ...], message: str) -> None:
    """A wrong shape is named by field and, in a table, by round."""
    with pytest.raises(InputError, match=message):
        Reals.read(value, field="x", shape=shape)


def test_names_count_rounds_from_one_and_arms_from_zero() -> None:
    """An entry of a vector is an arm, one of a table a round and an arm."""
    assert entry_name("comparator", (0,)) == "comparator[0]"
    assert entry_name("losses", (0, 3)) == "losses[1][3]"


@pytest.mark.parametrize("value", [2**53 + 1, Numeral("9007199254740993"), Fraction(2**55 + 1)])
def test_large_integers_stay_exact(value: int | Numeral | Fraction) -> None:
    """Integers beyond 2^53 keep their exact value beside the nearest double."""
    assert read(value).exact(0) == Fraction(value)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_arrays_are_checked_too(bad: float) -> None:
    """A NaN or an infinity in an array is named like one in a list."""
    for array, name in (([[0.0, 1.0], [bad, bad]], r"x\[2\]\[0\]="), ([0.0, bad], r"x\[1\]=")):
        with pytest.raises(InputError, match=name):
            Reals.read(np.array(array), field="x", shape=(None,) * np.ndim(array))


def test_an_array_shows_its_numbers() -> None:
    """As they were written, with the shape; a long one shows its shape alone."""
    table = Reals.read([[0, Fraction(1, 3)], [0.25, 1]], field="x", shape=(None, None))
    assert repr(table) == "Reals(2 x 2: [0, '1/3'], [0.25, 1])"
    long = Reals.read([0] * 1000, field="x", shape=(None,))
    assert repr(long) == "Reals(1000: ...)"
