"""The register of claims: one row per claim of the paper, with the outcome each is known to have.

Rows, and the findings that tell what they mean (`pbverify/claims/findings.py`), live in
`lemmas/paper.toml`. The register never decides anything: a verdict is computed afresh and then
compared with it.
"""

from __future__ import annotations

import collections
import dataclasses
import difflib
import functools
import graphlib
import os
import pathlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbverify.claims.claim import Kind
from pbverify.claims.findings import NO_FINDINGS, Finding, Findings, lineage
from pbverify.claims.paper import NO_PAPER, Paper, paper_of
from pbverify.claims.verdict import Outcome, Verdict
from pbverify.errors import InputError
from pbverify.files.documents import Path, provenance, read_bytes, replacing

CLAIMS_FORMAT = "pbverify/claims-1"
FIDELITIES = ("stated", "variant", "proof step", "repaired", "new")
"""Printed; printed nowhere, but what the words may mean or come near to; of a proof; our own."""


@dataclasses.dataclass(frozen=True)
class Row:
    """A claim as the register knows it."""

    id: str
    label: str
    place: str
    kind: Kind
    fidelity: str
    uses: tuple[str, ...]
    expected: Mapping[str, Outcome]
    """Reading to outcome; the key `any` where no reading is concerned."""
    erratum: str

    def to_json(self) -> dict[str, object]:
        expected = {reading: outcome.value for reading, outcome in self.expected.items()}
        plain = {"kind": self.kind.value, "uses": list(self.uses), "expected": expected}
        return {**dataclasses.asdict(self), **plain}


@dataclasses.dataclass(frozen=True)
class Register:
    """All rows, by id, and the paper that they are about."""

    rows: Mapping[str, Row]
    paper: Paper = NO_PAPER
    """Of several registers together, that of the first."""
    findings: Findings = NO_FINDINGS

    @staticmethod
    def load(path: Path) -> Register:
        """The register in a file; the same bytes at the same path are read once."""
        return Register._parsed(read_bytes(path), os.path.abspath(path), os.fspath(path))

    @staticmethod
    @functools.lru_cache(maxsize=8)
    def _parsed(data: bytes, absolute: str, source: str) -> Register:
        document = parse_toml(data, source=source)
        entries, findings = (_tables(document, name) for name in ("claim", "finding"))
        if not document.keys() <= {"claim", "finding", "paper"}:
            wanted = "[[claim]] tables, [[finding]] tables, and [paper]"
            raise InputError(wanted, source, ", ".join(document))
        paper = paper_of(document.get("paper", {}), folder=pathlib.Path(absolute).parent)
        readings = paper.all_readings
        rows = [_row(entry, readings) for entry in _completed(entries)]
        register = Register._of(rows, paper, [Finding.from_json(entry) for entry in findings])
        register._check_uses()
        register._check_findings()
        return register

    @staticmethod
    def union(registers: Iterable[Register]) -> Register:
        """The rows of several registers, of which no two know the same id."""
        known = list(registers)
        rows = [row for register in known for row in register.rows.values()]
        findings = [finding for register in known for finding in register.findings.entries]
        return Register._of(rows, known[0].paper if known else NO_PAPER, findings)

    @staticmethod
    def _of(rows: Sequence[Row], paper: Paper, findings: Sequence[Finding]) -> Register:
        claims = [row.id for row in rows]
        register = Register({row.id: row for row in rows}, paper, Findings.of(findings, claims))
        if len(register.rows) < len(rows):
            counts = collections.Counter(row.id for row in rows)
            twice = ", ".join(id for id, count in counts.items() if count > 1)
            raise InputError("each id once", "claim.id", twice)
        return register

    def to_json(self) -> dict[str, object]:
        """The document that `pbverify claims --json` prints."""
        rows = [row.to_json() for row in self.rows.values()]
        head = {"format": CLAIMS_FORMAT, **provenance(self.paper.sha256)}
        findings = [finding.to_json() for finding in self.findings.entries]
        return {**head, "paper": self.paper.to_json(), "claims": rows, "findings": findings}

    def named(self, name: str) -> tuple[str, ...]:
        """The claims that a name stands for.

        An id stands for itself. Otherwise a name is the part of ids before a slash (`global`), the
        id of a finding (`safety`), or a label of the paper (`thm:main`).
        """
        if name in self.rows:
            return (name,)
        told = {each.id for each in self.findings.entries if name in (each.id, *each.labels)}
        found = tuple(
            row.id
            for row in self.rows.values()
            if row.label == name
            or row.id.startswith((f"{name}/", f"{name}@"))
            or self.findings.statement_of[row.id] in told
        )
        if not found:
            self.check(name)
        return found

    def check(self, claim: str) -> None:
        """Raise if there is no such claim, and name one that is spelled alike."""
        if claim not in self.rows:
            labels = {row.label: None for row in self.rows.values() if row.label}
            known = [*self.rows, *labels]
            alike = difflib.get_close_matches(claim, known, n=1)
            guess = f" (perhaps {alike[0]})" if alike else ""
            raise InputError(f"a claim of the register{guess}", "claim", claim)

    def expected(self, claim: str, reading: str) -> Outcome:
        """The known outcome of a claim under a reading."""
        self.check(claim)
        outcomes = self.rows[claim].expected
        if reading not in outcomes:
            raise InputError(f"a reading among {', '.join(outcomes)}", f"{claim} reading", reading)
        return outcomes[reading]

    def _check_uses(self) -> None:
        for row in self.rows.values():
            for used in row.uses:
                if used not in self.rows:
                    raise InputError("a claim of the register", f"{row.id}.uses", used)
        graph = {row.id: row.uses for row in self.rows.values()}
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            cycle: list[str] = error.args[1][::-1]
            raise InputError("no cycle in uses", f"{cycle[0]}.uses", " -> ".join(cycle)) from error

    def _check_findings(self) -> None:
        known = {ancestor for id in self.rows for ancestor in lineage(id)}
        for each in self.findings.entries:
            for claim in each.covers:
                if claim not in known:
                    raise InputError("a claim of the register", f"{each.id}.covers", claim)
            for row in (*each.fails, *each.survives, *([each.witness] if each.witness else [])):
                self.expected(row.claim, row.reading)


def _tables(document: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    entries = document.get(name, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(f"[[{name}]] tables", name, entries)
    return entries


def parse_toml(data: bytes, *, source: str) -> dict[str, Any]:
    """The document in some bytes; errors name the source."""
    try:
        return tomllib.loads(data.decode("utf-8"))
    except RecursionError as error:
        raise InputError("TOML nested a few levels deep", "file", source) from error
    except ValueError as error:  # no UTF-8, no TOML, or an integer of too many digits
        raise InputError("TOML", source, str(error)) from error


_OPTIONAL = {"label": "", "place": "", "fidelity": "stated", "uses": [], "erratum": ""}
"""What a row may leave out, and what that means."""
_INHERITED = ("label", "kind")
"""What a row takes from the statement that its id belongs to, if it leaves it out."""


def _completed(entries: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The rows with what they leave out, from their statements or by default."""
    known: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        parents = (known[id] for id in lineage(str(entry.get("id")))[1:] if id in known)
        parent: Mapping[str, Any] = next(parents, {})
        own = {name: parent[name] for name in _INHERITED if name in parent}
        complete = {**_OPTIONAL, **own, **entry}
        known[str(entry.get("id"))] = complete
        yield complete


def _row(entry: Mapping[str, Any], readings: Sequence[str]) -> Row:
    names = {field.name for field in dataclasses.fields(Row)}
    if entry.keys() != names:
        odd = ", ".join(sorted(entry.keys() ^ names))
        raise InputError(f"exactly the fields {', '.join(sorted(names))}", "claim", odd)
    for name in ("id", "label", "place", "kind", "erratum"):
        if not isinstance(entry[name], str):
            raise InputError("text", name, entry[name])
    uses, outcomes = entry["uses"], entry["expected"]
    if not isinstance(uses, list) or not all(isinstance(used, str) for used in uses):
        raise InputError("a list of ids", f"{entry['id']}.uses", uses)
    if not isinstance(outcomes, dict) or not outcomes or not outcomes.keys() <= set(readings):
        wanted = f"outcomes by reading, with readings among {', '.join(sorted(readings))}"
        raise InputError(wanted, f"{entry['id']}.expected", outcomes)
    if entry["fidelity"] not in FIDELITIES:
        raise InputError(f"one of {', '.join(FIDELITIES)}", "fidelity", entry["fidelity"])
    try:
        kind = Kind(entry["kind"])
        expected = {reading: Outcome(name) for reading, name in entry["expected"].items()}
    except ValueError as error:
        raise InputError("a known kind and known outcomes", str(entry["id"]), str(error)) from error
    return Row(**{**entry, "kind": kind, "expected": expected, "uses": tuple(entry["uses"])})


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
    import tomlkit

    document = tomlkit.parse(text)
    for entry in document["claim"]:
        for reading, outcome in wanted.get(entry["id"], {}).items():
            entry["expected"][reading] = outcome
    return tomlkit.dumps(document)
