"""The plan of a campaign: an endless, fixed list of shards, whoever works on it.

A task is a claim under a reading with an engine. Shards are dealt to the tasks in turn, so that
each gets about the same time: of L tasks, shard n belongs to task n mod L and is its (n div L)-th.
The first shard of a task is a short look, every other one takes about a second. The optimiser's
tasks of a reading begin with different settings to aim at, so that the short looks together reach
all of them.
"""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import itertools
import json
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbverify.claims.library import Library
from pbverify.errors import InputError
from pbverify.files.documents import read_bytes
from pbverify.search.engines import ENGINES, engines_for, shard_cases, why_not_searched

FIRST_LOOK = 20
"""The first shard of a task is this many times shorter than the others,"""
SHORTEST, LONGEST = 10, 10_000
"""within these limits."""


@dataclasses.dataclass(frozen=True)
class Task:
    """A claim (the `ordinal`-th of its id) under a reading, with an engine."""

    claim: str
    ordinal: int
    reading: str
    engine: str
    file: str
    digest: str
    """The lemma file's sha256: shards of another text would not add up."""
    cases: int
    """Cases of each shard but the first."""
    turn: int = 0
    """Which setting the optimiser aims at first."""

    def size(self, index: int) -> int:
        """Cases of the task's shard of an index."""
        first = min(LONGEST, max(SHORTEST, self.cases // FIRST_LOOK))
        return self.cases if index else min(self.cases, first)

    def before(self, index: int) -> int:
        """Cases of all its shards before that one."""
        return self.size(0) + (index - 1) * self.cases if index else 0


@dataclasses.dataclass(frozen=True)
class Shard:
    """A piece of work, complete in itself."""

    number: int
    task: Task
    index: int
    seed: int

    @property
    def cases(self) -> int:
        return self.task.size(self.index)

    @property
    def first(self) -> int:
        """Where an enumeration begins."""
        return self.task.before(self.index)

    @property
    def turn(self) -> int:
        """Which setting the optimiser aims at."""
        return self.task.turn + self.index


@dataclasses.dataclass(frozen=True)
class Plan:
    """The tasks and the seed from which everything follows."""

    seed: int
    tasks: tuple[Task, ...]

    @property
    def folders(self) -> tuple[pathlib.Path, ...]:
        """The folders of lemma files that it was made from."""
        return tuple(dict.fromkeys(pathlib.Path(task.file).parent for task in self.tasks))

    def shard(self, number: int) -> Shard:
        index, place = divmod(number, len(self.tasks))
        task = self.tasks[place]
        return Shard(number, task, index, seed_of(self.seed, task, index))

    def shards_for(self, cases: int) -> int:
        """How many shards it takes to plan at least that many cases."""
        total = 0
        for number in itertools.count():
            if total >= cases:
                return number
            total += self.shard(number).cases
        raise AssertionError("the list never ends")

    def to_json(self) -> dict[str, object]:
        return {"seed": self.seed, "lanes": [dataclasses.asdict(task) for task in self.tasks]}

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Plan:
        return Plan(document["seed"], tuple(Task(**task) for task in document["lanes"]))


def seed_of(seed: int, task: Task, index: int) -> int:
    """The seed of a shard: its own for each claim, reading, engine and index."""
    text = json.dumps([seed, task.claim, task.ordinal, task.reading, task.engine, index])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big")


@dataclasses.dataclass(frozen=True)
class Scope:
    """What a campaign is about: claims by id, readings, engines; empty means all."""

    claims: Sequence[str] = ()
    readings: Sequence[str] = ()
    engines: Sequence[str] = ()


Turns = Mapping[tuple[Any, str, str], Iterator[int]]
"""The next turn for each sort of case, reading and engine; the first aims at a setting."""


def make_plan(library: Library, scope: Scope, *, seed: int) -> tuple[Plan, dict[str, list[str]]]:
    """The plan for a scope, and what no engine can search, by reason."""
    for engine in scope.engines:
        if engine not in ENGINES:
            raise InputError(f"an engine among {', '.join(ENGINES)}", "engine", engine)
    wanted = list(dict.fromkeys(scope.claims or library.register.rows))
    turns: Turns = collections.defaultdict(lambda: itertools.count(1))
    tasks = tuple(task for id in wanted for task in _tasks(library, id, scope, turns))
    if not tasks:
        raise InputError("a claim that is decided by cases", "claim", ", ".join(wanted))
    return Plan(seed, tasks), _left_out(library, wanted, scope)


def _left_out(library: Library, wanted: Iterable[str], scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for id in wanted:
        for claim, reading in itertools.product(library.named(id), _readings(library, id, scope)):
            reason = why_not_searched(claim, reading)
            if reason:
                found.setdefault(reason, []).append(id if reading == "any" else f"{id} ({reading})")
    return found


def _tasks(library: Library, id: str, scope: Scope, turns: Turns) -> Iterator[Task]:
    claims, readings = library.named(id), _readings(library, id, scope)
    path = library.files[id].resolve()
    for (ordinal, claim), reading in itertools.product(enumerate(claims), readings):
        for engine in engines_for(claim, reading):
            if not scope.engines or engine in scope.engines:
                yield Task(
                    claim=id,
                    ordinal=ordinal,
                    reading=reading,
                    engine=engine,
                    file=str(path),
                    digest=digest_of(path),
                    cases=shard_cases(claim, engine),
                    turn=next(turns[claim.about, reading, engine]),
                )


def _readings(library: Library, id: str, scope: Scope) -> list[str]:
    """Those of the claim's row, or of the claim that it is a stronger form of."""
    row = library.register.rows.get(id) or library.register.rows.get(id.partition("!")[0])
    known = list(row.expected) if row else ["any"]
    return [name for name in known if not scope.readings or name in (*scope.readings, "any")]


def digest_of(path: pathlib.Path) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()
