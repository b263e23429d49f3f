"""The few ways in which a caller can be wrong, or arithmetic can fail to decide.

Every message is one line that names the field, the value and what was expected. A refuted claim
is a result, never an exception.
"""

from __future__ import annotations

import os

_SHOWN = 60
_LONGEST = 400  # expectations may list a menu; names of fields may come from a hostile file


class PbverifyError(Exception):
    """Base class of everything that pbverify raises on purpose."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it: one line, as on the command line."""
        return [f"pbverify: {printable(' '.join(str(self).split()))}"]


class InputError(PbverifyError):
    """A value from outside that does not satisfy its contract."""

    def __init__(self, expected: str, field: str, value: object) -> None:
        what, name = (printable(text[:_LONGEST]) for text in (expected, field))
        Exception.__init__(self, f"Expected {what} but got {name}={show(value)}.")
        self.expected = expected
        self.field = field


class FileError(PbverifyError):
    """A file that cannot be read or written."""


class ImprobableActionError(InputError):
    """A given action whose played probability is too small to weigh its loss."""


class UndecidedError(PbverifyError):
    """A branch of a rigorous run that no allowed precision decides."""

    def __init__(self, question: str, *, round: int, precision: int) -> None:
        Exception.__init__(
            self, f"Round {round}: {question} is undecided at the limit of {precision} bits."
        )
        self.question = question
        self.round = round
        self.precision = precision


class TheoryError(PbverifyError):
    """A definition, an assumption or a proof that the induction kernel refuses."""


def show(value: object) -> str:
    """A value as one short line of printable text."""
    text = printable(_text(value)[: _SHOWN + 1])
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def shortened(text: str, most: int = 400) -> str:
    """A long text without its middle."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"


def show_path(path: str | os.PathLike[str]) -> str:
    """A path as one short line; of a long one the end, which holds the file's name."""
    text = printable(os.fspath(path)[-_SHOWN - 1 :])
    return text if len(text) <= _SHOWN else f"...{text[3 - _SHOWN :]}"


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    try:
        return repr(value)
    except ValueError:  # Python does not print integers of more than some thousand digits
        return f"an enormous {type(value).__name__}"


def printable(text: str) -> str:
    """The text with a question mark for each character that a terminal would obey."""
    return "".join(c if c.isprintable() else "?" for c in text)
