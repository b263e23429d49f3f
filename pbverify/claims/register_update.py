"""What a register would say if it followed the verdicts: a proposal, with the text to show.

Only the `expected` outcomes change; comments and layout stay. Nothing is decided here: whether
the paper, the suite or the register is wrong is for a person to say.
"""

from __future__ import annotations

import dataclasses
import difflib
import pathlib
from collections.abc import Iterable, Iterator, Mapping

import tomlkit

from pbverify.claims.register import Register
from pbverify.claims.verdict import Outcome, Verdict
from pbverify.files.documents import read_bytes, replacing


@dataclasses.dataclass(frozen=True)
class Change:
    """A verdict that is not what the register knows; `known` is None for a new reading."""

    verdict: Verdict
    known: Outcome | None


@dataclasses.dataclass(frozen=True)
class Proposal:
    """The changes of one register, with its text before and after them."""

    path: pathlib.Path
    changes: tuple[Change, ...]
    before: str
    after: str

    def diff(self) -> str:
        """The changed lines, as `diff -u` shows them."""
        lines = (self.before.splitlines(keepends=True), self.after.splitlines(keepends=True))
        return "".join(difflib.unified_diff(*lines, str(self.path), str(self.path), n=1))

    def write(self) -> None:
        with replacing(self.path) as file:
            file.write(self.after.encode())


def proposed(path: pathlib.Path, verdicts: Iterable[Verdict]) -> Proposal:
    """The register's text with the verdicts' outcomes."""
    changes = tuple(_changes(Register.load(path), verdicts))
    before = read_bytes(path).decode("utf-8")
    wanted: dict[str, dict[str, str]] = {}
    for change in changes:
        outcomes = wanted.setdefault(change.verdict.claim, {})
        outcomes[change.verdict.reading] = change.verdict.outcome.value
    return Proposal(path, changes, before, _rewritten(before, wanted) if wanted else before)


def _changes(register: Register, verdicts: Iterable[Verdict]) -> Iterator[Change]:
    for verdict in verdicts:
        row = register.rows.get(verdict.claim)
        if row is not None and row.expected.get(verdict.reading) is not verdict.outcome:
            yield Change(verdict, row.expected.get(verdict.reading))


def _rewritten(text: str, wanted: Mapping[str, Mapping[str, str]]) -> str:
    document = tomlkit.parse(text)
    for entry in document["claim"]:
        for reading, outcome in wanted.get(entry["id"], {}).items():
            entry["expected"][reading] = outcome
    return tomlkit.dumps(document)
