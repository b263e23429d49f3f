"""Menus: choosing a function and its parameters by one line of text."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pbverify.bandits.catalogue import Menu, require
from pbverify.errors import InputError


@pytest.fixture
def menu() -> Menu:
    menu = Menu("shape")

    @menu.entry
    def plain(T: int) -> Any:
        """Nothing to set."""
        return ("plain", T)

    @menu.entry
    def two_words(
        T: int,
        *,
        count: int = 3,
        ratio: float = 0.5,
        exact: Fraction = Fraction(1, 3),
        whole: tuple[int, ...] = (),
        parts: tuple[Fraction, ...] = (),
    ) -> Any:
        """Everything to set.

        Not shown in a summary.
        """
        return T, count, ratio, exact, whole, parts

    return menu


def test_names_are_written_with_dashes(menu: Menu) -> None:
    """Entries are offered in order, under the function's name with dashes."""
    assert menu.names == ["plain", "two-words"]


def test_a_bare_name_takes_the_defaults(menu: Menu) -> None:
    """Without parameters the function's defaults hold."""
    assert menu.build("two-words", T=9) == (9, 3, 0.5, Fraction(1, 3), (), ())


def test_parameters_are_read_by_type(menu: Menu) -> None:
    """Integers, doubles, exact rationals and lists of them are read as annotated."""
    text = "two-words:count=12,ratio=1/4,exact=0.1,whole=1 2 1e1,parts=1/3 0.5"
    built = menu.build(text, T=1)
    whole, parts = (1, 2, 10), (Fraction(1, 3), Fraction(1, 2))
    assert built == (1, 12, 0.25, Fraction(1, 10), whole, parts)
    assert [type(value) for value in built] == [int, int, float, Fraction, tuple, tuple]
    assert all(type(value) is int for value in built[4])


def test_context_goes_only_where_it_is_accepted(menu: Menu) -> None:
    """A function is given the part of the context that it asks for."""
    assert menu.build("plain", T=2, rng="unused") == ("plain", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("circle", "one of plain, two-words but got shape=circle"),
        ("", "one of plain, two-words but got shape="),
        ("two_words", "but got shape=two_words"),
        ("two-words:size=3", r"a parameter of two-words among \(count, .*got shape=size=3"),
        ("two-words:T=3", "a parameter of two-words among"),
        ("plain:count=3", r"a parameter of plain among \(\)"),
        ("two-words:count=1.5", r"an integer but got shape two-words\.count=1\.5"),
        ("two-words:count=x", r"a number but got shape two-words\.count=x"),
        ("two-words:count", r"a number but got shape two-words\.count="),
        ("two-words:ratio=nan", "a number but got"),
        ("two-words:exact=1/0", "a number but got"),
        ("two-words:whole=1 2.5", r"an integer but got shape two-words\.whole=2\.5"),
        ("two-words:parts=1 x", r"a number but got shape two-words\.parts=x"),
    ],
)
def test_mistakes_are_named(menu: Menu, text: str, message: str) -> None:
    """An unknown name or parameter, or a value of the wrong type, is an error that says what."""
    with pytest.raises(InputError, match=message):
        menu.build(text, T=1)


def test_the_description_shows_usage_and_summary(menu: Menu) -> None:
    """Each entry takes two lines: how to write it, and the first line of its docstring."""
    assert menu.describe().splitlines() == [
        "  plain",
        "      Nothing to set",
        "  two-words:count=3,ratio=0.5,exact=1/3,whole=...,parts=...",
        "      Everything to set",
    ]


def test_a_described_usage_can_be_built(menu: Menu) -> None:
    """The shown defaults are the values that a bare name takes."""
    usage = menu.describe().splitlines()[2].strip().split(",whole")[0]
    assert menu.build(usage, T=4) == menu.build("two-words", T=4)


def test_require_raises_only_if_it_must() -> None:
    """A condition that holds passes, one that fails names expectation, field and value."""
    require(1 < 2, "anything", "x", 1)
    with pytest.raises(InputError, match="Expected x > 1 but got x=0"):
        require(0 > 1, "x > 1", "x", 0)
