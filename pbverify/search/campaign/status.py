"""What a store says: totals per claim and reading, coverage, regimes, and what to be wary of."""

from __future__ import annotations

import collections
import dataclasses
import itertools
import json
from collections.abc import Iterable, Mapping
from typing import Any

from pbverify.errors import PbverifyError
from pbverify.paper.search_spaces import ground_of, reading_named
from pbverify.paper.search_spaces.regimes import OWN_BUDGET, REGIMES, impossible
from pbverify.search.campaign.plan import Lane
from pbverify.search.campaign.store import Row, Store
from pbverify.search.campaign.worker import claim_of

Name = tuple[str, int, str]
"""Claim, ordinal and reading."""


@dataclasses.dataclass(frozen=True)
class Line:
    """A claim under a reading: what all its shards together have seen."""

    claim: str
    ordinal: int
    reading: str
    cases: int
    applicable: int
    violations: int
    score: float | None
    ratio: float | None
    findings: int
    rigorous: int
    """Findings that exact numbers or enclosures support."""
    confirmed: int
    errors: tuple[str, ...]
    regimes: Mapping[str, int]

    @property
    def shown(self) -> str:
        return self.claim if not self.ordinal else f"{self.claim} #{self.ordinal + 1}"


@dataclasses.dataclass(frozen=True)
class Status:
    """A campaign so far."""

    lines: tuple[Line, ...]
    planned: int | None
    """Shards of its budget; None if the budget is time."""
    shards: int
    seconds: float
    """Of work, summed over the workers."""
    coverage: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def cases(self) -> int:
        return sum(line.cases for line in self.lines)

    @property
    def is_complete(self) -> bool:
        return self.planned is not None and self.shards >= self.planned

    def regimes(self) -> dict[str, tuple[int, int]]:
        """For each regime of runs: how often in all, and under a reading's own budget."""
        total = collections.Counter[str]()
        for line in self.lines:
            total.update(line.regimes)
        return {name: (total[name], total[f"{name}{OWN_BUDGET}"]) for name in REGIMES}


def status_of(store: Store) -> Status:
    """Read everything out of a store."""
    shards, plan, cases = store.shards(), store.plan, store.budget.get("cases")
    lines = _lines(plan.lanes, shards, store.best(), store.findings())
    return Status(
        lines=tuple(lines),
        planned=None if cases is None else plan.shards_for(cases),
        shards=len(shards),
        seconds=sum(row["seconds"] for row in shards),
        coverage=tuple(_coverage(plan.lanes, shards)),
        warnings=tuple(_warnings(lines)),
    )


def _lines(
    lanes: Iterable[Lane], shards: list[Row], best: list[Row], findings: list[Row]
) -> list[Line]:
    by_name: dict[Name, list[Row]] = {_of(lane): [] for lane in lanes}
    for row in shards:
        by_name[_name(row)].append(row)
    tightest = {_name(row): row for row in best}
    found = collections.defaultdict(list)
    for row in findings:
        found[_name(row)].append(row)
    return [_line(name, rows, tightest.get(name), found[name]) for name, rows in by_name.items()]


def _line(name: Name, rows: list[Row], best: Row | None, found: list[Row]) -> Line:
    regimes = collections.Counter[str]()
    for row in rows:
        regimes.update(json.loads(row["regimes"]))
    return Line(
        *name,
        cases=sum(row["cases"] for row in rows),
        applicable=sum(row["applicable"] for row in rows),
        violations=sum(row["violations"] for row in rows),
        score=None if best is None else best["score"],
        ratio=None if best is None else best["ratio"],
        findings=len(found),
        rigorous=sum(row["rigorous"] for row in found),
        confirmed=sum(row["status"] == "CONFIRMED" for row in found),
        errors=tuple(dict.fromkeys(row["error"] for row in rows if row["error"])),
        regimes=dict(regimes),
    )


def _of(lane: Lane) -> Name:
    return lane.claim, lane.ordinal, lane.reading


def _name(row: Row) -> Name:
    return row["claim"], row["ordinal"], row["reading"]


def _coverage(lanes: Iterable[Lane], shards: list[Row]) -> Iterable[str]:
    """How far the enumerations are complete: only shards without a gap before them count."""
    done = {(*_name(row), row["engine"], row["position"]): row["cases"] for row in shards}
    for lane in lanes:
        if lane.engine == "exhaustive":
            name = (lane.claim, lane.ordinal, lane.reading, lane.engine)
            whole = itertools.takewhile(lambda p: (*name, p) in done, itertools.count())  # noqa: B023 - used up at once
            cases = sum(done[(*name, position)] for position in whole)
            yield from _complete(lane, cases)


def _complete(lane: Lane, cases: int) -> Iterable[str]:
    try:
        ground = ground_of(claim_of(lane))
    except PbverifyError:  # the lemma file has changed since
        return
    if ground is not None and ground.family is not None and cases:
        family = ground.family(reading_named(lane.reading))
        rounds = family.complete_to(cases)
        text = f"all n <= {rounds} rounds" if rounds else "part of n = 1"
        yield f"{lane.claim} ({lane.reading}): {cases:,} enumerated, {text}: {family.scope}"


def _warnings(lines: Iterable[Line]) -> Iterable[str]:
    for line in lines:
        name = f"{line.shown} ({line.reading})"
        if not line.cases:
            yield f"{name}: not searched yet"
        elif not line.applicable:
            yield f"{name}: in {line.cases:,} cases its hypotheses were never met"
        else:
            missed = [regime for regime, count in line.regimes.items() if not count]
            if missed:
                yield f"{name}: never reached: {', '.join(missed)}"
        for error in line.errors:
            yield f"{name}: {error}"
    yield from _unreached(lines)


def _unreached(lines: Iterable[Line]) -> Iterable[str]:
    """Regimes of runs that no case of a reading reached under its own budget."""
    reached: dict[str, set[str]] = {}
    for line in lines:
        if line.reading != "any" and line.applicable:
            reached.setdefault(line.reading, set()).update(n for n, c in line.regimes.items() if c)
    for reading, names in reached.items():
        possible = [name for name in REGIMES if name not in impossible(reading_named(reading))]
        missed = [name for name in possible if f"{name}{OWN_BUDGET}" not in names]
        if missed:
            yield f"{reading}: own budget never reached: {', '.join(missed)}"


def to_json(status: Status, *, digest: str) -> dict[str, Any]:
    """The status as plain data."""
    document = dataclasses.asdict(status)
    return {"format": "pbverify/campaign-status-1", "digest": digest, **document}
