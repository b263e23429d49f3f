"""What a worker does: one shard, start to end, with nothing but its description."""

from __future__ import annotations

import dataclasses
import functools
import math
import pathlib
import threading
import time
from typing import Any

from pbverify.claims.claim import Claim
from pbverify.claims.library import claims_of
from pbverify.claims.shrinking import weight
from pbverify.errors import FileError, PbverifyError
from pbverify.files.documents import dumps
from pbverify.search.campaign.plan import Shard, Task, digest_of
from pbverify.search.engines import run_engine
from pbverify.search.tally import Finding, SearchTally

MOST_CHECKED = 2_000
"""Rounds of the longest candidate that its own shard already checks rigorously."""

_ONE_AT_A_TIME = threading.Lock()
"""Working precision belongs to a process: a worker with several threads takes turns."""


@dataclasses.dataclass(frozen=True)
class Found:
    """A counterexample as text, its score, and whether it is more than a candidate."""

    case: str
    score: float
    is_rigorous: bool


@dataclasses.dataclass(frozen=True)
class Result:
    """What a shard brought; equal for equal shards, except for the time it took."""

    number: int
    cases: int
    applicable: int
    violations: int
    reached: dict[str, int]
    """How many cases reached each situation that must be met, and each setting."""
    score: float | None
    ratio: float | None
    best: str | None
    findings: tuple[Found, ...]
    error: str = ""
    seconds: float = dataclasses.field(default=0.0, compare=False)


def perform(shard: Shard) -> Result:
    """Search one shard; what goes wrong in a claim's own code is part of the result."""
    begin = time.monotonic()
    with _ONE_AT_A_TIME:
        claim = claim_of(shard.task)
        try:
            tally = run_engine(
                claim,
                shard.task.engine,
                cases=shard.cases,
                reading=shard.task.reading,
                seed=shard.seed,
                first=shard.first,
                index=shard.turn,
            )
            result = _result(shard, tally)
        except Exception as error:  # a lemma file's code may fail in any way
            text = f"a shard failed: {type(error).__name__}: {error}"
            result = Result(shard.number, 0, 0, 0, {}, None, None, None, (), error=text[:500])
    return dataclasses.replace(result, seconds=time.monotonic() - begin)


def claim_of(task: Task) -> Claim[Any]:
    """The task's claim, if its lemma file is still the one that was planned with."""
    path = pathlib.Path(task.file)
    if digest_of(path) != task.digest:
        raise FileError(f"{path.name} has changed since the campaign was planned: start a new one.")
    return _claims(path, task.digest)[task.claim][task.ordinal]


@functools.lru_cache(maxsize=64)
def _claims(path: pathlib.Path, digest: str) -> dict[str, list[Claim[Any]]]:
    found: dict[str, list[Claim[Any]]] = {}
    for claim in claims_of(path):
        found.setdefault(claim.id, []).append(claim)
    return found


def _result(shard: Shard, tally: SearchTally[Any]) -> Result:
    findings = [_checked(tally, finding) for finding in tally.findings]
    return Result(
        number=shard.number,
        cases=tally.cases,
        applicable=tally.applicable,
        violations=tally.violations,
        reached=dict(sorted(tally.reached.items())),
        score=_finite(tally.score),
        ratio=_finite(tally.ratio),
        best=None if tally.best is None else dumps(tally.best),
        findings=tuple(Found(dumps(f.case), f.score, f.is_rigorous) for f in findings),
        error=f"some cases have no value: {tally.failure[:200]}" if tally.failure else "",
    )


def _checked(tally: SearchTally[Any], finding: Finding) -> Finding:
    """A candidate of moderate length is looked at in enclosures at once."""
    claim = tally.claim
    if (
        finding.is_rigorous
        or claim.rebuild is None
        or weight(finding.case, claim.about)[0] > MOST_CHECKED
    ):
        return finding
    again = SearchTally(claim, tally.space)
    try:
        again.see(claim.rebuild(finding.case))
    except PbverifyError:
        return finding
    return next(iter(again.findings), finding)


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
