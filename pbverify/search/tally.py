r"""What a search has seen of a claim: counts, the tightest case, the simplest violations.

The score of a pair is (lhs - rhs)/(|lhs| + |rhs|), with the distance in place of the difference for
an equality, and of an enclosure's difference the lower end: positive only where the claim fails for
certain, near 0 where it is tight. A case computed in doubles yields candidates only: there a
violation must exceed what rounding can do.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, Generic

from pbverify.claims.claim import TOUCHING, Claim, Pair, Relation, S
from pbverify.claims.judging import PRECISION
from pbverify.claims.shrinking import weight
from pbverify.errors import PbverifyError
from pbverify.numerics import Truth, to_arb, working_precision
from pbverify.search.space import NOWHERE, Numbers, SearchSpace

ROUNDING = 1e-9
"""Scores below it may be the rounding of a compiled run (its columns agree to 1e-9)."""

MOST_FINDINGS = 3
"""Violations that a tally keeps: the simplest ones."""

Fields = Mapping[str, Any]
"""A case as plain JSON: what `witness_fields` returns."""


@dataclasses.dataclass(frozen=True)
class Finding:
    """A violation: the case, by how much, and whether exact numbers or enclosures say so."""

    case: Fields
    score: float
    is_rigorous: bool


@dataclasses.dataclass(frozen=True)
class Sight:
    """What one case showed: the score of its worst pair (None if the claim says nothing)."""

    score: float | None
    ratio: float | None = None
    violated: Pair | None = None


def score_of(pair: Pair) -> float:
    """(lhs - rhs)/(|lhs| + |rhs|), for orientation; minus infinity if a side is no number."""
    lhs, rhs = to_arb(pair.lhs), to_arb(pair.rhs)
    margin = abs(lhs - rhs) if pair.relation is Relation.EQUAL else lhs - rhs
    difference, size = float(margin.lower()), float((abs(lhs) + abs(rhs)).mid())
    if not math.isfinite(difference) or not math.isfinite(size):
        return -math.inf
    if pair.relation is Relation.EQUAL:
        difference = max(0.0, difference)
    return 0.0 if abs(difference) <= TOUCHING else difference / size


class SearchTally(Generic[S]):
    """Sees cases one by one."""

    def __init__(self, claim: Claim[S], space: SearchSpace = NOWHERE) -> None:
        self.claim = claim
        self.space = space
        self.cases = 0
        self.applicable = 0
        self.violations = 0
        self.reached: dict[str, int] = dict.fromkeys(claim.must_meet, 0)
        """How many cases reached each situation that must be met, and each setting."""
        self.score: float | None = None
        self.ratio: float | None = None
        self.best: Fields | None = None
        self.failure = ""
        """Why the first case that could not be evaluated could not."""
        self._findings: list[tuple[Any, Finding]] = []

    @property
    def findings(self) -> list[Finding]:
        """The simplest violations, simplest first."""
        return [finding for _, finding in self._findings]

    def skip(self) -> None:
        """Count a case that was built and then not looked at."""
        self.cases += 1

    def see(self, case: S) -> Sight:
        """Judge one case and remember what it showed; a case that has no value shows nothing."""
        self.cases += 1
        try:
            with working_precision(PRECISION):
                return self._seen(case)
        except (PbverifyError, ArithmeticError, ValueError) as error:
            self.failure = self.failure or f"{type(error).__name__}: {error}"
            return Sight(None)

    def _seen(self, case: S) -> Sight:
        sight = self._look(case)
        if sight.score is not None:
            self.applicable += 1
            self._count_reached(case)
            self._remember(case, sight)
        return sight

    def _look(self, case: S) -> Sight:
        pairs = list(self.claim.pairs(case)) if self.claim.applies(case) else []
        if not pairs:
            return Sight(None)
        scored = [(score_of(pair), pair) for pair in pairs]
        score, worst = max(scored, key=lambda found: found[0])
        if score == -math.inf:  # no side is known: not a case that the claim has passed
            return Sight(None)
        rounded = self.space.numbers(case) is Numbers.ROUNDED
        violated = [pair for value, pair in scored if _is_violated(pair, value, rounded=rounded)]
        return Sight(score, worst.ratio, next(iter(violated), None))

    def _count_reached(self, case: S) -> None:
        for name, condition in self.claim.must_meet.items():
            self.reached[name] += bool(condition(case))
        for name in self.space.settings.reached(case):
            self.reached[name] = self.reached.get(name, 0) + 1

    def _remember(self, case: S, sight: Sight) -> None:
        assert sight.score is not None
        is_best = self.score is None or sight.score > self.score
        is_violated = sight.violated is not None
        self.violations += is_violated
        is_kept = is_violated and not self._is_too_long(case)
        if not is_best and not is_kept:
            return
        fields = case.witness_fields()
        if is_best:
            self.score, self.ratio, self.best = sight.score, sight.ratio, fields
        if is_kept:
            is_rigorous = self.space.numbers(case) is Numbers.RIGOROUS
            self._keep(Finding(fields, sight.score, is_rigorous))

    def _keep(self, finding: Finding) -> None:
        kept = [*self._findings, (weight(finding.case, self.claim.about), finding)]
        self._findings = sorted(kept, key=lambda entry: entry[0])[:MOST_FINDINGS]

    def _is_too_long(self, case: S) -> bool:
        """Whether a violation has more rounds than all that are kept: weighing it takes long."""
        rounds = self.space.rounds(case)
        return len(self._findings) == MOST_FINDINGS and rounds > self._findings[-1][0][0]


def _is_violated(pair: Pair, score: float, *, rounded: bool) -> bool:
    if score < 0 or (rounded and score < ROUNDING and not _is_exact(pair)):
        return False
    return pair.truth is Truth.NO


def _is_exact(pair: Pair) -> bool:
    return isinstance(pair.lhs, int) and isinstance(pair.rhs, int)
