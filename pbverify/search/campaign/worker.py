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
from pbverify.search.campaign.plan import Lane, Shard, digest_of
from pbverify.search.engines import searched
from pbverify.search.tally import Finding, Scout

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
    regimes: dict[str, int]
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
        claim = claim_of(shard.lane)
        try:
            scout = searched(
                claim,
                shard.lane.engine,
                cases=shard.cases,
                reading=shard.lane.reading,
                seed=shard.seed,
                first=shard.first,
                index=shard.turn,
            )
            result = _result(shard, scout)
        except Exception as error:  # a lemma file's code may fail in any way
            text = f"a shard failed: {type(error).__name__}: {error}"
            result = Result(shard.number, 0, 0, 0, {}, None, None, None, (), error=text[:500])
    return dataclasses.replace(result, seconds=time.monotonic() - begin)


def claim_of(lane: Lane) -> Claim[Any]:
    """The lane's claim, if its lemma file is still the one that was planned with."""
    path = pathlib.Path(lane.file)
    if digest_of(path) != lane.digest:
        raise FileError(f"{path.name} has changed since the campaign was planned: start a new one.")
    return _claims(path, lane.digest)[lane.claim][lane.ordinal]


@functools.lru_cache(maxsize=64)
def _claims(path: pathlib.Path, digest: str) -> dict[str, list[Claim[Any]]]:
    found: dict[str, list[Claim[Any]]] = {}
    for claim in claims_of(path):
        found.setdefault(claim.id, []).append(claim)
    return found


def _result(shard: Shard, scout: Scout[Any]) -> Result:
    findings = [_checked(scout.claim, finding) for finding in scout.findings]
    return Result(
        number=shard.number,
        cases=scout.cases,
        applicable=scout.applicable,
        violations=scout.violations,
        regimes=dict(sorted(scout.regimes.items())),
        score=_finite(scout.score),
        ratio=_finite(scout.ratio),
        best=None if scout.best is None else dumps(scout.best),
        findings=tuple(Found(dumps(f.case), f.score, f.is_rigorous) for f in findings),
        error=f"some cases have no value: {scout.failure[:200]}" if scout.failure else "",
    )


def _checked(claim: Claim[Any], finding: Finding) -> Finding:
    """A candidate of moderate length is looked at in enclosures at once."""
    if (
        finding.is_rigorous
        or claim.rebuild is None
        or weight(finding.case, claim.about)[0] > MOST_CHECKED
    ):
        return finding
    again: Scout[Any] = Scout(claim)
    try:
        again.see(claim.rebuild(finding.case))
    except PbverifyError:
        return finding
    return next(iter(again.findings), finding)


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
