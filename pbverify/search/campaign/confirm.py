"""From finding to witness: rebuild, judge rigorously, shrink, file, and let the checker speak.

A finding that this does not support stays in the store as UNCONFIRMED, with the reason. A sampled
finding is judged again, once, on a seed of its own that no search has used: of many samples that a
search looks at, some exceed their interval by chance.
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbverify.claims.claim import Claim, Pair
from pbverify.claims.judging import PRECISION, Tally
from pbverify.claims.library import REGISTER
from pbverify.claims.paper import Paper
from pbverify.claims.register import Register
from pbverify.claims.shrinking import minimised, weight
from pbverify.claims.sort import Sort
from pbverify.claims.verdict import Evidence, Outcome, Verdict
from pbverify.claims.witness import filed
from pbverify.errors import PbverifyError
from pbverify.files.documents import parse_json
from pbverify.numerics import Truth, working_precision
from pbverify.search.campaign.plan import Task
from pbverify.search.campaign.store import Row, Store, unpacked
from pbverify.search.campaign.worker import claim_of
from pbverify.search.engines import search_space_of
from pbverify.search.space import NOWHERE, Numbers, SearchSpace

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
    tasks = {(task.claim, task.ordinal, task.reading): task for task in store.plan.tasks}
    for name, task in tasks.items():
        if claims and task.claim not in claims:
            continue
        found = [f for f in store.findings() if (f["claim"], f["ordinal"], f["reading"]) == name]
        for finding in _simplest_first(task, found)[:MOST_TRIED]:
            result = _confirmed(task, finding, folder)
            store.settle(finding, status=result.status, detail=result.detail)
            yield result
            if result.status == CONFIRMED:
                break


def _simplest_first(task: Task, found: Sequence[Row]) -> list[Row]:
    about = claim_of(task).about if found else None
    return sorted(found, key=lambda finding: _order(finding, about))


def _order(finding: Row, about: Sort[Any] | None) -> tuple[Any, ...]:
    size = weight(case_of(finding), about)
    return (not finding["rigorous"], size, finding["shard"], finding["place"])


def case_of(finding: Row) -> Mapping[str, Any]:
    """The case of a finding, with its numbers as they were written."""
    case: Mapping[str, Any] = parse_json(unpacked(finding["body"]).encode(), source="finding")
    return case


def _confirmed(task: Task, finding: Row, folder: pathlib.Path) -> Confirmation:
    try:
        verdict = _verdict(claim_of(task), case_of(finding), task.reading)
        status, detail = _filed(verdict, folder, _paper_of(task))
    except PbverifyError as error:
        status, detail = UNCONFIRMED, str(error)
    return Confirmation(task.claim, task.reading, status, detail)


def _paper_of(task: Task) -> Paper:
    """The paper that the register beside the task's lemma file names."""
    return Register.load(pathlib.Path(task.file).parent / REGISTER).paper


def _verdict(claim: Claim[Any], case: Mapping[str, Any], reading: str) -> Verdict:
    """The rigorous verdict on one case, made smaller."""
    claim = dataclasses.replace(claim, keeps={})  # a campaign looks for any violation
    assert claim.rebuild is not None
    space, tally = search_space_of(claim) or NOWHERE, Tally(claim)
    tally.see(_final(claim, claim.rebuild(case), space))
    return tally.verdict(Evidence.SURVIVED, reading=reading)


def _filed(verdict: Verdict, folder: pathlib.Path, paper: Paper) -> tuple[str, str]:
    if verdict.outcome is not Outcome.REFUTED:
        return UNCONFIRMED, verdict.reason or "the inequality holds here in enclosures"
    verdict = filed(verdict, folder=folder, root=folder, paper=paper)
    if verdict.outcome is not Outcome.REFUTED:
        return UNCONFIRMED, verdict.reason
    checked = f" (independent checker: {verdict.checker})" if verdict.checker else ""
    return CONFIRMED, f"{verdict.witness_file}{checked}"


def _final(claim: Claim[Any], case: Any, space: SearchSpace) -> Any:
    """The case to be judged: a sample on a fresh seed, anything else made smaller."""
    if space.numbers(case) is Numbers.SAMPLED:
        return space.with_fresh_seed(case)
    return _shrunk(claim, case)


def _shrunk(claim: Claim[Any], case: Any) -> Any:
    """The case made smaller for as long as that helps."""

    def violated(candidate: Any) -> Pair | None:
        pairs = claim.pairs(candidate) if claim.applies(candidate) else ()
        return next((pair for pair in pairs if pair.truth is Truth.NO), None)

    with working_precision(PRECISION):
        pair = violated(case)
        for _ in range(MOST_PASSES):
            if pair is None:
                break
            before = case
            case, pair = minimised((case, pair), about=claim.about, violated=violated)
            if case is before:
                break
    return case
