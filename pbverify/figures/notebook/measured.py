r"""Every inequality on generated cases: both sides, as clouds of points.

A claim says which subjects it speaks about; for each kind of subject there is a deterministic list
of cases, exhaustive small ones first, generated ones after. Only inequalities with a positive
right-hand side have a ratio; identities and claims about samples of long runs are left out here and
are judged by `pbverify verify` alone.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis.strategies import SearchStrategy

from pbverify.bandits.mirror_maps import REGULARIZERS
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.judging import PRECISION, draw
from pbverify.claims.library import Library
from pbverify.claims.sort import Sort
from pbverify.numerics import to_arb, working_precision
from pbverify.paper import sorts
from pbverify.paper.algorithm.readings import PRESETS, Reading
from pbverify.paper.cases.mirror_step import mirror_steps
from pbverify.paper.cases.phase import all_phases, delayed_phases
from pbverify.paper.cases.run_families import restarting_runs, runs
from pbverify.paper.lower_bound.buckets import all_admissible
from pbverify.paper.lower_bound.families import bucketings, chosen_delayed, chosen_studies

Floats = npt.NDArray[np.float64]
EXAMPLES = 30


@dataclasses.dataclass(frozen=True)
class Cloud:
    """The measured sides of a claim under a reading (`any` if no algorithm is involved)."""

    claim: str
    reading: str
    lhs: Floats
    rhs: Floats

    @property
    def name(self) -> str:
        return self.claim if self.reading == "any" else f"{self.claim} [{self.reading}]"

    @property
    def ratios(self) -> Floats:
        """lhs/rhs of every pair."""
        return self.lhs / self.rhs

    @property
    def worst(self) -> float:
        """The largest ratio: no smaller factor on the right-hand side survives these cases."""
        return float(self.ratios.max())


def drawn(strategy: SearchStrategy[Any], *, examples: int = EXAMPLES) -> list[Any]:
    """Subjects that Hypothesis generates, the same ones every time."""
    found: list[Any] = []

    draw(strategy, found.append, examples=examples, seed=0)
    return found


def _phases(_: Reading) -> list[Any]:
    return [*all_phases(length=3, delay=3), *drawn(delayed_phases(max_length=25))]


def _bucketings(_: Reading) -> list[Any]:
    return [*all_admissible(horizon=6), *drawn(bucketings(max_length=40))]


def _runs(reading: Reading) -> list[Any]:
    return [*restarting_runs(reading, step=13), *drawn(runs(reading))]


def _studies(_: Reading) -> list[Any]:
    return list(chosen_studies(slots=2)[::3])


def _block_studies(_: Reading) -> list[Any]:
    return list(chosen_studies(slots=2, constant=True)[::3])


def _delayed_studies(_: Reading) -> list[Any]:
    return list(chosen_delayed(horizon=2)[::3])


def _delayed_block_studies(_: Reading) -> list[Any]:
    return list(chosen_delayed(horizon=2, constant=True)[::3])


def _steps(psi: str, reading: Reading) -> list[Any]:
    return drawn(mirror_steps(psi, from_base=reading.update == "base"))


def subjects_of(claim: Claim[Any]) -> Callable[[Reading], list[Any]] | None:
    """How to make the cases of a claim for a reading; None for sorts that have no list."""
    if claim.about is sorts.MIRROR_STEPS:
        psi = next(name for name in REGULARIZERS if f"/{name}" in claim.id)
        return functools.partial(_steps, psi)
    lists = _OF_BLOCKS if "block" in claim.id else {}
    return {**_LISTS, **lists}.get(claim.about)


_LISTS: Mapping[Sort[Any] | None, Callable[[Reading], list[Any]]] = {
    sorts.PHASES: _phases,
    sorts.BUCKETINGS: _bucketings,
    sorts.RUNS: _runs,
    sorts.STUDIES: _studies,
    sorts.DELAYED_STUDIES: _delayed_studies,
}
_OF_BLOCKS: Mapping[Sort[Any] | None, Callable[[Reading], list[Any]]] = {
    sorts.STUDIES: _block_studies,
    sorts.DELAYED_STUDIES: _delayed_block_studies,
}
"""Where losses are constant on blocks."""


def clouds(library: Library, extra: Iterable[tuple[str, str, float, float]] = ()) -> list[Cloud]:
    """Every claim with inequalities, under every reading that it concerns.

    `extra` adds known pairs (claim, reading, lhs, rhs), such as those of witnesses.
    """
    cached = functools.lru_cache(maxsize=None)(lambda make, reading: make(PRESETS[reading]))
    known = list(extra)
    found = []
    for row in library.register.rows.values():
        for reading in row.expected:
            pairs = [p[2:] for p in known if p[:2] == (row.id, reading) and p[3] > 0]
            pairs = [] if row.kind is Kind.CLOSED_FORM else pairs
            for claim in library.claims.get(row.id, ()):
                make = subjects_of(claim)
                if make is not None:
                    under = "appendix" if reading == "any" else reading
                    pairs += measured(claim, cached(make, under))
            if pairs:
                lhs, rhs = np.array(pairs).T
                found.append(Cloud(row.id, reading, lhs, rhs))
    return found


def measured(claim: Claim[Any], subjects: Sequence[Any]) -> list[tuple[float, float]]:
    """The sides of every inequality with a positive right-hand side."""
    with working_precision(PRECISION):
        return [
            sides
            for subject in subjects
            if claim.applies(subject)
            for pair in claim.pairs(subject)
            for sides in _sides(pair)
        ]


def _sides(pair: Pair) -> Iterator[tuple[float, float]]:
    lhs, rhs = float(to_arb(pair.lhs).mid()), float(to_arb(pair.rhs).mid())
    if pair.relation is not Relation.EQUAL and rhs > 1e-12 and lhs == lhs:
        yield lhs, rhs
