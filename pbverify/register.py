"""The register of claims: one row per claim of the paper, with the outcome each is known to have.

Rows live in `lemmas/paper.toml`. The register never decides anything: a verdict is computed afresh
and then compared with it.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from typing import Any

from pbverify.algorithms.readings import PRESETS
from pbverify.claims import Kind
from pbverify.errors import FileError, InputError
from pbverify.files import PROVENANCE, Path
from pbverify.verdict import Outcome

CLAIMS_FORMAT = "pbverify/claims-1"
FIDELITIES = ("stated", "proof step", "repaired")
READINGS = {"any", *PRESETS}


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
    """All rows, by id."""

    rows: Mapping[str, Row]

    @staticmethod
    def load(path: Path) -> Register:
        try:
            with open(path, "rb") as file:
                document = tomllib.load(file)
        except OSError as error:
            raise FileError(f"Cannot read {path}: {error.strerror}.") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError("TOML", str(path), str(error)) from error
        entries = document.get("claim", [])
        if not document.keys() <= {"claim"} or not isinstance(entries, list):
            raise InputError("a list of [[claim]] tables", str(path), ", ".join(document))
        rows = [_row(entry) for entry in entries]
        register = Register({row.id: row for row in rows})
        if len(register.rows) < len(rows):
            raise InputError("each id once", "claim.id", [row.id for row in rows])
        checked: set[str] = set()
        for row in rows:
            register._check_uses(row.id, (), checked)
        return register

    def to_json(self) -> dict[str, object]:
        """The document that `pbverify claims --json` prints."""
        rows = [row.to_json() for row in self.rows.values()]
        return {"format": CLAIMS_FORMAT, **PROVENANCE, "claims": rows}

    def expected(self, claim: str, reading: str) -> Outcome:
        """The known outcome of a claim under a reading."""
        if claim not in self.rows:
            raise InputError("a claim of the register", "claim", claim)
        outcomes = self.rows[claim].expected
        if reading not in outcomes:
            raise InputError(f"a reading among {', '.join(outcomes)}", f"{claim} reading", reading)
        return outcomes[reading]

    def _check_uses(self, id: str, chain: tuple[str, ...], checked: set[str]) -> None:
        if id in checked:
            return
        if id not in self.rows:
            raise InputError("a claim of the register", f"{chain[-1]}.uses", id)
        if id in chain:
            raise InputError("no cycle in uses", f"{id}.uses", " -> ".join((*chain, id)))
        for used in self.rows[id].uses:
            self._check_uses(used, (*chain, id), checked)
        checked.add(id)


def _row(entry: Mapping[str, Any]) -> Row:
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
    if not isinstance(outcomes, dict) or not outcomes or not outcomes.keys() <= READINGS:
        wanted = f"outcomes by reading, with readings among {', '.join(sorted(READINGS))}"
        raise InputError(wanted, f"{entry['id']}.expected", outcomes)
    if entry["fidelity"] not in FIDELITIES:
        raise InputError(f"one of {', '.join(FIDELITIES)}", "fidelity", entry["fidelity"])
    try:
        kind = Kind(entry["kind"])
        expected = {reading: Outcome(name) for reading, name in entry["expected"].items()}
    except ValueError as error:
        raise InputError("a known kind and known outcomes", str(entry["id"]), str(error)) from error
    return Row(**{**entry, "kind": kind, "expected": expected, "uses": tuple(entry["uses"])})
