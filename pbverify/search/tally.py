r"""What a search has seen of a claim: counts, the tightest case, the simplest violations.

The score of a pair is (lhs - rhs)/(|lhs| + |rhs|), with the distance in place of the difference for
an equality, and of an enclosure's difference the lower end: positive only where the claim fails for
certain, near 0 where it is tight. A subject computed in doubles
(`FloatRun`) yields candidates only: there a violation must exceed what rounding can do.
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
from pbverify.paper.cases.float_run import FloatRun
from pbverify.paper.cases.sample import Sample
from pbverify.paper.search_spaces.regimes import regimes_of

ROUNDING = 1e-9
"""Scores below it may be the rounding of a compiled run (its columns agree to 1e-9)."""

MOST_FINDINGS = 3
"""Violations that a scout keeps: the simplest ones."""

Case = Mapping[str, Any]
"""A subject as plain JSON: what `witness_fields` returns."""


@dataclasses.dataclass(frozen=True)
class Finding:
    """A violation: the case, by how much, and whether exact numbers or enclosures say so."""

    case: Case
    score: float
    is_rigorous: bool


@dataclasses.dataclass(frozen=True)
class Sight:
    """What one subject showed: the score of its worst pair (None if the claim says nothing)."""

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


class Scout(Generic[S]):
    """Sees subjects one by one."""

    def __init__(self, claim: Claim[S]) -> None:
        self.claim = claim
        self.cases = 0
        self.applicable = 0
        self.violations = 0
        self.regimes: dict[str, int] = dict.fromkeys(claim.must_meet, 0)
        self.score: float | None = None
        self.ratio: float | None = None
        self.best: Case | None = None
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

    def see(self, subject: S) -> Sight:
        """Judge one subject and remember what it showed; a case that has no value shows nothing."""
        self.cases += 1
        try:
            with working_precision(PRECISION):
                return self._seen(subject)
        except (PbverifyError, ArithmeticError, ValueError) as error:
            self.failure = self.failure or f"{type(error).__name__}: {error}"
            return Sight(None)

    def _seen(self, subject: S) -> Sight:
        sight = self._look(subject)
        if sight.score is not None:
            self.applicable += 1
            self._count_regimes(subject)
            self._remember(subject, sight)
        return sight

    def _look(self, subject: S) -> Sight:
        pairs = list(self.claim.pairs(subject)) if self.claim.applies(subject) else []
        if not pairs:
            return Sight(None)
        scored = [(score_of(pair), pair) for pair in pairs]
        score, worst = max(scored, key=lambda found: found[0])
        if score == -math.inf:  # no side is known: not a case that the claim has passed
            return Sight(None)
        is_draft = isinstance(subject, FloatRun)
        violated = [pair for value, pair in scored if _is_violated(pair, value, is_draft=is_draft)]
        return Sight(score, worst.ratio, next(iter(violated), None))

    def _count_regimes(self, subject: S) -> None:
        for name, condition in self.claim.must_meet.items():
            self.regimes[name] += bool(condition(subject))
        for name in regimes_of(subject):
            self.regimes[name] = self.regimes.get(name, 0) + 1

    def _remember(self, subject: S, sight: Sight) -> None:
        assert sight.score is not None
        is_best = self.score is None or sight.score > self.score
        is_violated = sight.violated is not None
        self.violations += is_violated
        is_kept = is_violated and not self._is_too_long(subject)
        if not is_best and not is_kept:
            return
        case = subject.witness_fields()
        if is_best:
            self.score, self.ratio, self.best = sight.score, sight.ratio, case
        if is_kept:
            self._keep(Finding(case, sight.score, _is_rigorous(subject)))

    def _keep(self, finding: Finding) -> None:
        kept = [*self._findings, (weight(finding.case, self.claim.about), finding)]
        self._findings = sorted(kept, key=lambda entry: entry[0])[:MOST_FINDINGS]

    def _is_too_long(self, subject: S) -> bool:
        """Whether a violation has more rounds than all that are kept: weighing it takes long."""
        rounds = len(getattr(subject, "delays", ()))
        return len(self._findings) == MOST_FINDINGS and rounds > self._findings[-1][0][0]


def _is_rigorous(subject: object) -> bool:
    # Of many samples that a search looks at, some exceed their interval by chance.
    return not isinstance(subject, FloatRun | Sample)


def _is_violated(pair: Pair, score: float, *, is_draft: bool) -> bool:
    if score < 0 or (is_draft and score < ROUNDING and not _is_exact(pair)):
        return False
    return pair.truth is Truth.NO


def _is_exact(pair: Pair) -> bool:
    return isinstance(pair.lhs, int) and isinstance(pair.rhs, int)
