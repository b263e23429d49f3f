"""Which claim notices which mistake in a paper's algorithm: a recorded table that reports show.

The mistakes (engine faults) live in the tests, which compute the table again and compare; the paper
keeps the table, so that a report can show it without judging anything.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from pbverify.claims.paper import Paper


@dataclasses.dataclass(frozen=True)
class EngineFaults:
    """For each fault planted in the engine, the claims that are refuted by it."""

    claims: tuple[str, ...] = ()
    caught: Mapping[str, Sequence[str]] = dataclasses.field(default_factory=dict)
    unnoticed: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Faults that no claim of the paper can notice, and why."""

    @staticmethod
    def of(paper: Paper) -> EngineFaults:
        """The table that the paper keeps; empty if it keeps none."""
        return EngineFaults() if paper.faults is None else EngineFaults.from_json(paper.faults())

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> EngineFaults:
        unnoticed = document.get("unnoticed", {})
        return EngineFaults(tuple(document["claims"]), document["caught"], unnoticed)

    def to_json(self) -> dict[str, Any]:
        noticed = {"claims": list(self.claims), "caught": dict(self.caught)}
        return {**noticed, "unnoticed": dict(self.unnoticed)}
