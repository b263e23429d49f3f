"""What a store says: totals per claim and reading, coverage, settings, and what to be wary of."""

from __future__ import annotations

import collections
import dataclasses
import itertools
import json
from collections.abc import Iterable, Mapping
from typing import Any

from pbverify.errors import PbverifyError
from pbverify.search.campaign.plan import Task
from pbverify.search.campaign.store import Row, Store
from pbverify.search.campaign.worker import claim_of
from pbverify.search.engines import search_space_of
from pbverify.search.space import SearchSpace, Settings

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
    reached: Mapping[str, int]
    """How many cases reached each situation that must be met, and each setting."""

    @property
    def shown(self) -> str:
        return self.claim if not self.ordinal else f"{self.claim} #{self.ordinal + 1}"


@dataclasses.dataclass(frozen=True)
class SettingsTable:
    """For each setting: how many cases reached it in all, and under the condition."""

    title: str
    under: str
    counts: Mapping[str, tuple[int, int]]


@dataclasses.dataclass(frozen=True)
class Status:
    """A campaign so far."""

    lines: tuple[Line, ...]
    planned: int | None
    """Shards of its budget; None if the budget is time."""
    shards: int
    seconds: float
    """Of work, summed over the workers."""
    settings: tuple[SettingsTable, ...]
    coverage: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def cases(self) -> int:
        return sum(line.cases for line in self.lines)


def status_of(store: Store) -> Status:
    """Read everything out of a store."""
    shards, plan, cases = store.shards(), store.plan, store.budget.get("cases")
    lines = _lines(plan.tasks, shards, store.best(), store.findings())
    spaces = {task: space for task in plan.tasks if (space := _space(task)) is not None}
    settings = list(dict.fromkeys(space.settings for space in spaces.values()))
    return Status(
        lines=tuple(lines),
        planned=None if cases is None else plan.shards_for(cases),
        shards=len(shards),
        seconds=sum(row["seconds"] for row in shards),
        settings=tuple(_table(each, lines) for each in settings if each.names),
        coverage=tuple(_coverage(spaces, shards)),
        warnings=tuple(_warnings(lines, settings)),
    )


def _space(task: Task) -> SearchSpace | None:
    try:
        return search_space_of(claim_of(task))
    except PbverifyError:  # the lemma file has changed since
        return None


def _table(settings: Settings, lines: Iterable[Line]) -> SettingsTable:
    total = collections.Counter[str]()
    for line in lines:
        total.update(line.reached)
    counts = {name: (total[name], total[settings.with_condition(name)]) for name in settings.names}
    return SettingsTable(settings.title, settings.under, counts)


def _lines(
    tasks: Iterable[Task], shards: list[Row], best: list[Row], findings: list[Row]
) -> list[Line]:
    by_name: dict[Name, list[Row]] = {_of(task): [] for task in tasks}
    for row in shards:
        by_name[_name(row)].append(row)
    tightest = {_name(row): row for row in best}
    found = collections.defaultdict(list)
    for row in findings:
        found[_name(row)].append(row)
    return [_line(name, rows, tightest.get(name), found[name]) for name, rows in by_name.items()]


def _line(name: Name, rows: list[Row], best: Row | None, found: list[Row]) -> Line:
    reached = collections.Counter[str]()
    for row in rows:
        reached.update(json.loads(row["regimes"]))
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
        reached=dict(reached),
    )


def _of(task: Task) -> Name:
    return task.claim, task.ordinal, task.reading


def _name(row: Row) -> Name:
    return row["claim"], row["ordinal"], row["reading"]


def _coverage(spaces: Mapping[Task, SearchSpace], shards: list[Row]) -> Iterable[str]:
    """How far the enumerations are complete: only shards without a gap before them count."""
    done = {(*_name(row), row["engine"], row["position"]): row["cases"] for row in shards}
    for task, space in spaces.items():
        if task.engine == "exhaustive":
            name = (task.claim, task.ordinal, task.reading, task.engine)
            whole = itertools.takewhile(lambda p: (*name, p) in done, itertools.count())  # noqa: B023 - used up at once
            cases = sum(done[(*name, position)] for position in whole)
            yield from _complete(task, space, cases)


def _complete(task: Task, space: SearchSpace, cases: int) -> Iterable[str]:
    if space.family is not None and cases:
        family = space.family(task.reading)
        rounds = family.complete_to(cases)
        text = f"all n <= {rounds} rounds" if rounds else "part of n = 1"
        yield f"{task.claim} ({task.reading}): {cases:,} enumerated, {text}: {family.scope}"


def _warnings(lines: Iterable[Line], settings: Iterable[Settings]) -> Iterable[str]:
    for line in lines:
        shown = f"{line.shown} ({line.reading})"
        if not line.cases:
            yield f"{shown}: not searched yet"
        elif not line.applicable:
            yield f"{shown}: in {line.cases:,} cases its hypotheses were never met"
        else:
            missed = [name for name, count in line.reached.items() if not count]
            if missed:
                yield f"{shown}: never reached: {', '.join(missed)}"
        for error in line.errors:
            yield f"{shown}: {error}"
    yield from _unreached(lines, settings)


def _unreached(lines: Iterable[Line], settings: Iterable[Settings]) -> Iterable[str]:
    """Settings that no case of a reading reached under their condition."""
    reached: dict[str, set[str]] = {}
    for line in lines:
        if line.reading != "any" and line.applicable:
            reached.setdefault(line.reading, set()).update(n for n, c in line.reached.items() if c)
    for (reading, names), each in itertools.product(reached.items(), settings):
        impossible = each.impossible(reading)
        possible = [name for name in each.names if name not in impossible]
        missed = [name for name in possible if each.with_condition(name) not in names]
        if missed:
            words = f"{each.under} never reached".lstrip()
            yield f"{reading}: {words}: {', '.join(missed)}"


def to_json(status: Status, *, digest: str) -> dict[str, Any]:
    """The status as plain data; the lines have the counts of settings."""
    document = dataclasses.asdict(status)
    del document["settings"]
    for line in document["lines"]:
        line["regimes"] = line.pop("reached")
    return {"format": "pbverify/campaign-status-1", "digest": digest, **document}
