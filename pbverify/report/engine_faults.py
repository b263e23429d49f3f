"""Which claim notices which mistake in the engine: a recorded table that reports show.

The mistakes (mutants) live in the tests, which compute the table again and compare; `mutants.json`
travels with the package so that a report can show it without judging anything.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
from collections.abc import Mapping, Sequence

FILE = pathlib.Path(__file__).with_name("mutants.json")


@dataclasses.dataclass(frozen=True)
class Mutants:
    """For each mutant of the engine, the claims that are refuted by it."""

    claims: tuple[str, ...]
    caught: Mapping[str, Sequence[str]]

    @staticmethod
    def load() -> Mutants:
        document = json.loads(FILE.read_text(encoding="utf-8"))
        return Mutants(tuple(document["claims"]), document["caught"])

    def save(self) -> None:
        """Record the table; for those who change the engine, its mutants or the claims."""
        document = {"claims": list(self.claims), "caught": dict(self.caught)}
        FILE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
