"""The words of the language."""

import pytest

from pbverify.errors import InputError
from pbverify.prover.inequalities.grammar import LONGEST_TEXT, tokens


def test_words_come_with_their_positions() -> None:
    """A text is cut into numbers, names and symbols, each with its place counted from 1."""
    words = [(token.kind, token.text, token.position) for token in tokens("2.5e-3*x_1", field="f")]
    assert words == [
        ("number", "2.5e-3", 1),
        ("symbol", "*", 7),
        ("name", "x_1", 8),
        ("end", "end of text", 11),
    ]


@pytest.mark.parametrize("text", ["x\x00", "\u0445", "\u0663", "x;y", "x.y", "'a'", "x\n"])
def test_foreign_characters_are_refused(text: str) -> None:
    """A character outside the language is an error that names its place."""
    with pytest.raises(InputError, match=r"got f\[\d\]="):
        list(tokens(text, field="f"))


def test_powers_have_their_own_hint() -> None:
    """A caret is a common slip."""
    with pytest.raises(InputError, match=r"powers are written \*\*"):
        list(tokens("x^2", field="f"))


def test_long_texts_are_refused() -> None:
    """A text beyond the limit is not read at all."""
    with pytest.raises(InputError, match="at most 2000 characters"):
        next(tokens("x" * (LONGEST_TEXT + 1), field="f"))
