"""Error messages: one line that names the field, the value and what was expected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.errors import (
    FileError,
    ImprobableActionError,
    InputError,
    PbverifyError,
    UndecidedError,
    show,
    show_path,
)


def test_input_error_names_expectation_field_and_value() -> None:
    """The message reads as the house style prints it, and its parts are kept."""
    error = InputError("0 < delta <= 1/A", "delta", "3/2")
    assert str(error) == "Expected 0 < delta <= 1/A but got delta=3/2."
    assert (error.expected, error.field) == ("0 < delta <= 1/A", "delta")


def test_undecided_error_names_the_round() -> None:
    """An undecided branch tells which round, which question and how many bits."""
    error = UndecidedError("the cap of alpha", round=7, precision=4096)
    assert str(error) == "Round 7: the cap of alpha is undecided at the limit of 4096 bits."
    assert (error.question, error.round, error.precision) == ("the cap of alpha", 7, 4096)


@pytest.mark.parametrize("kind", [InputError, FileError, ImprobableActionError, UndecidedError])
def test_one_base_class_catches_everything(kind: type[Exception]) -> None:
    """Every deliberate error can be caught as a `PbverifyError`."""
    assert issubclass(kind, PbverifyError)


def test_an_improbable_action_is_an_input_error() -> None:
    """Whoever handles bad input also handles a given action of vanishing probability."""
    with pytest.raises(InputError, match=r"actions\[3\]=1"):
        raise ImprobableActionError("an arm of probability >= 2^-1000", "actions[3]", 1)


@given(st.text(max_size=200) | st.lists(st.integers()) | st.binary(max_size=100))
def test_shown_values_are_short_printable_lines(value: object) -> None:
    """Whatever the value, at most 60 printable characters of it appear."""
    text = show(value)
    assert len(text) <= 60
    assert text.isprintable()


@given(st.text("abc123", max_size=60))
def test_short_text_is_shown_as_it_is(text: str) -> None:
    """Text that fits is neither quoted nor cut."""
    assert show(text) == text


def test_long_text_is_cut_visibly() -> None:
    """Text that does not fit keeps its beginning and ends in dots."""
    assert show("x" * 61) == "x" * 57 + "..."


def test_control_characters_do_not_reach_the_terminal() -> None:
    """Line breaks and escapes are replaced, other values are shown by their repr."""
    assert show("a\nb\x1b[31m") == "a?b?[31m"
    assert show(["a\nb"]) == r"['a\nb']"
    assert show(None) == "None"


def test_enormous_integers_are_shown_in_words() -> None:
    """An integer too long for Python to print still makes a one-line message."""
    assert str(InputError("less", "x", 10**5000)) == "Expected less but got x=an enormous int."


def test_long_paths_keep_their_end() -> None:
    """A long path is cut in front, so that the file's name stays visible."""
    shown = show_path("/" + "x" * 100 + "/name.json")
    assert shown.startswith("...")
    assert shown.endswith("/name.json")
    assert len(shown) <= 60
