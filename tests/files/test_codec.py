"""Fields from outside are checked one by one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from pbverify.errors import InputError
from pbverify.files.codec import entries, exact, flag, mapping, parameters


def test_good_fields_are_read() -> None:
    """Numbers as text, booleans, lists, and an object with the keys asked for."""
    assert exact("1/3", "x") == Fraction(1, 3)
    assert flag(value=True, field="x")
    assert entries([1], "x") == [1]
    assert mapping({"a": 1}, "x") == {"a": 1}
    assert parameters({"parameters": {"a": 1}}, {"a"}) == {"a": 1}


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (exact, 0.5),
        (exact, "1e999999999"),
        (exact, "a"),
        (flag, 1),
        (entries, "text"),
        (entries, None),
        (mapping, []),
    ],
)
def test_bad_fields_are_refused(read: Callable[[object, str], object], value: object) -> None:
    """Anything else is an input error that names the field."""
    with pytest.raises(InputError, match="field="):
        read(value, "field")


@pytest.mark.parametrize("given", [None, [], {}, {"a": 1, "b": 2}])
def test_other_keys_are_refused(given: object) -> None:
    """Missing and extra keys are errors."""
    with pytest.raises(InputError, match="an object with a"):
        parameters({"parameters": given}, {"a"})
