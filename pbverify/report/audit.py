r"""The audit of the paper: every displayed formula, in order, with the claims that judge it.

`lemmas/displays.toml` has one entry per display of the main text and of the appendix: a fingerprint
of its text, its first characters, and either the ids of the claims that judge it or what it is
instead: a definition, a hypothesis of the case at hand, or a quantity of which nothing is claimed.

The text of the paper is no part of this project. Who has it can check that no display is missing:
`unlisted(text, audit)` compares the fingerprints. `is_quoted(text, quote)` says whether a quote of
the errata stands in the text.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from pbverify.errors import FileError, InputError
from pbverify.files.documents import Path

ROLES = ("definition", "hypothesis", "quantity")
"""What a display can be if no claim judges it."""

FIRST, END = r"\begin{document}", r"\end{document}"
_DISPLAY = re.compile(
    r"\\\[(?P<plain>.*?)\\\]|\\begin\{(?P<name>equation\*?|align\*?)\}(?P<body>.*?)\\end\{(?P=name)\}",
    re.DOTALL,
)


@dataclasses.dataclass(frozen=True)
class Display:
    """One display: its fingerprint, its first characters, and what judges it or what it is."""

    section: str
    fingerprint: str
    words: str
    claims: tuple[str, ...]
    role: str

    def __post_init__(self) -> None:
        if bool(self.claims) == bool(self.role):
            raise InputError("claims or a role, not both", self.fingerprint, self.words)
        if self.role and self.role not in ROLES:
            raise InputError(f"one of {', '.join(ROLES)}", f"{self.fingerprint}.role", self.role)


def load(path: Path) -> tuple[Display, ...]:
    """The displays of an audit file, in the paper's order."""
    try:
        with open(path, "rb") as file:
            document = tomllib.load(file)
    except OSError as error:
        raise FileError(f"Cannot read {path}: {error.strerror}.") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError("TOML", str(path), str(error)) from error
    return tuple(display for section in document["section"] for display in _displays(section))


def _displays(section: Mapping[str, Any]) -> Iterator[Display]:
    for fingerprint, words, judged_by in section["displays"]:
        is_role = isinstance(judged_by, str)
        yield Display(
            section=section["title"],
            fingerprint=fingerprint,
            words=words,
            claims=() if is_role else tuple(judged_by),
            role=judged_by if is_role else "",
        )


def displays_in(text: str) -> list[str]:
    """The displays of a LaTeX document, with white space made uniform."""
    start = text.find(FIRST)
    end = text.find(END, start)
    if start < 0 or end < 0:
        raise InputError("a LaTeX document", "text", text[:40])
    found = (match["plain"] or match["body"] for match in _DISPLAY.finditer(text, start, end))
    return [" ".join(body.split()) for body in found]


def fingerprint(display: str) -> str:
    """The first eight digits of the display's hash."""
    return hashlib.sha256(display.encode()).hexdigest()[:8]


def plain_quote(quote: str) -> str:
    """A quote with white space made uniform, without the dollar signs around a lone formula."""
    words = " ".join(quote.split())
    is_formula = words.startswith("$") and words.endswith("$") and words.count("$") == 2
    return words[1:-1] if is_formula else words


def is_quoted(text: str, quote: str) -> bool:
    """Whether a quote stands in a LaTeX text, letter by letter but for white space."""
    return plain_quote(quote) in " ".join(text.split())


def unlisted(text: str, audit: tuple[Display, ...]) -> list[str]:
    """The displays of a text that the audit does not list in their place."""
    listed = [display.fingerprint for display in audit]
    found = displays_in(text)
    places = [*listed, *[""] * max(0, len(found) - len(listed))]
    return [each for each, place in zip(found, places, strict=False) if fingerprint(each) != place]
