"""From finding to witness: rebuild, judge rigorously, shrink, file, and let the checker speak.

A finding that this does not support stays in the store as UNCONFIRMED, with the reason. A sampled
finding is judged again, once, on a seed of its own that no search has used: of many samples that a
search looks at, some exceed their interval by chance.
"""

from __future__ import annotations

import dataclasses
import hashlib
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbverify.claims.claim import Claim, Pair
from pbverify.claims.judging import PRECISION, Tally
from pbverify.claims.shrinking import minimised, weight
from pbverify.claims.sort import Sort
from pbverify.claims.verdict import Evidence, Outcome
from pbverify.claims.witness import filed
from pbverify.errors import PbverifyError
from pbverify.files.documents import parse_json
from pbverify.numerics import Truth, working_precision
from pbverify.paper.cases.sample import Sample
from pbverify.search.campaign.plan import Lane
from pbverify.search.campaign.store import Row, Store, unpacked
from pbverify.search.campaign.worker import claim_of

CONFIRMED = "CONFIRMED"
UNCONFIRMED = "UNCONFIRMED"
MOST_TRIED = 3
"""Findings of a claim and reading that are tried until one is confirmed."""
MOST_PASSES = 20
"""Descents to a smaller case, each of a bounded number of rounds."""


@dataclasses.dataclass(frozen=True)
class Confirmation:
    """What became of a finding: the witness file, or why there is none."""

    claim: str
    reading: str
    status: str
    detail: str


def confirm_findings(
    store: Store, claims: Sequence[str], *, folder: pathlib.Path
) -> Iterator[Confirmation]:
    """One witness per claim and reading; of its findings the simplest supported ones come first."""
    lanes = {(lane.claim, lane.ordinal, lane.reading): lane for lane in store.plan.lanes}
    for name, lane in lanes.items():
        if claims and lane.claim not in claims:
            continue
        found = [f for f in store.findings() if (f["claim"], f["ordinal"], f["reading"]) == name]
        for finding in _simplest_first(lane, found)[:MOST_TRIED]:
            result = _confirmed(lane, finding, folder)
            store.settle(finding, status=result.status, detail=result.detail)
            yield result
            if result.status == CONFIRMED:
                break


def _simplest_first(lane: Lane, found: Sequence[Row]) -> list[Row]:
    about = claim_of(lane).about if found else None
    return sorted(found, key=lambda finding: _order(finding, about))


def _order(finding: Row, about: Sort[Any] | None) -> tuple[Any, ...]:
    size = weight(case_of(finding), about)
    return (not finding["rigorous"], size, finding["shard"], finding["place"])


def case_of(finding: Row) -> Mapping[str, Any]:
    """The case of a finding, with its numbers as they were written."""
    case: Mapping[str, Any] = parse_json(unpacked(finding["body"]).encode(), source="finding")
    return case


def _confirmed(lane: Lane, finding: Row, folder: pathlib.Path) -> Confirmation:
    try:
        status, detail = _judged(claim_of(lane), case_of(finding), lane.reading, folder)
    except PbverifyError as error:
        status, detail = UNCONFIRMED, str(error)
    return Confirmation(lane.claim, lane.reading, status, detail)


def _judged(
    claim: Claim[Any], case: Mapping[str, Any], reading: str, folder: pathlib.Path
) -> tuple[str, str]:
    assert claim.rebuild is not None
    tally = Tally(claim)
    tally.see(fresh(_shrunk(claim, claim.rebuild(case))))
    verdict = tally.verdict(Evidence.SURVIVED, reading=reading)
    if verdict.outcome is not Outcome.REFUTED:
        return UNCONFIRMED, verdict.reason or "the inequality holds here in enclosures"
    verdict = filed(verdict, folder=folder, root=folder)
    if verdict.outcome is not Outcome.REFUTED:
        return UNCONFIRMED, verdict.reason
    return CONFIRMED, f"{verdict.witness_file} (independent checker: {verdict.checker})"


def _shrunk(claim: Claim[Any], subject: Any) -> Any:
    """The subject made smaller for as long as that helps; samples stay as they were found."""

    def violated(candidate: Any) -> Pair | None:
        pairs = claim.pairs(candidate) if claim.applies(candidate) else ()
        return next((pair for pair in pairs if pair.truth is Truth.NO), None)

    with working_precision(PRECISION):
        pair = None if isinstance(subject, Sample) else violated(subject)
        for _ in range(MOST_PASSES):
            if pair is None:
                break
            before = subject
            subject, pair = minimised((subject, pair), about=claim.about, violated=violated)
            if subject is before:
                break
    return subject


def fresh(subject: Any) -> Any:
    """A sample of the same instance on its confirmation seed; anything else as it is."""
    if not isinstance(subject, Sample):
        return subject
    text = repr((subject.instance.to_json(), subject.reading.to_json()))
    seed = int.from_bytes(hashlib.sha256(f"confirm {text}".encode()).digest()[:6], "big")
    return dataclasses.replace(subject, instance=dataclasses.replace(subject.instance, seed=seed))
