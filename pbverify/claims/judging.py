"""From claim to verdict.

`exhaust` runs through every case of a stated size and compares their number with the closed form;
`survive` lets Hypothesis generate and shrink, from a seed made of claim and reading; `replay`
recomputes a witness. A pair refutes only if exact numbers or enclosures say so; a pair that they
leave open makes the verdict UNDECIDED. Of touching pairs the count is kept, and `settled` asks for
a proof. Where a
pair compares a bound on what the claim speaks of, it counts only for what it can show. A case in
which no play could violate the claim is trivial, and no evidence. A violation refutes only if it
shows the failure that the erratum tells (`keeps`), and shrinking preserves that; any other one
leaves the claim UNDECIDED until it has a claim of its own.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import unittest.mock
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, Generic, TypeVar

import hypothesis
from flint import arb
from hypothesis import Phase
from hypothesis.internal.conjecture import providers
from hypothesis.strategies import SearchStrategy

from pbverify.claims.claim import Claim, Kind, Pair, S
from pbverify.claims.shrinking import minimised
from pbverify.claims.strengthenings import Strengthenings
from pbverify.claims.verdict import ALL_TRIVIAL, VACUOUS, Evidence, Outcome, Verdict, Witness
from pbverify.errors import InputError
from pbverify.numerics import Exact, Truth, to_arb, to_fraction, working_precision
from pbverify.numerics.confidence import ALPHA

V = TypeVar("V")


def draw(
    strategy: SearchStrategy[V],
    see: Callable[[V], object],
    *,
    examples: int,
    seed: int | str,
    phases: tuple[Phase, ...] = (Phase.generate,),
) -> None:
    """Show `see` a number of generated values; they depend on the seed alone (a text is hashed).

    No deadline, health check or database decides what is drawn. Hypothesis also mixes in constants
    that it finds in the source files of loaded modules; that is switched off, because an edit
    anywhere, or another order of imports, would change every generated case.
    """

    @hypothesis.seed(seed if isinstance(seed, int) else seed_of(seed))
    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=phases,
    )
    @hypothesis.given(strategy)
    def shown(value: V) -> None:
        see(value)

    with _no_constants_of_the_source():
        shown()


def seed_of(text: str) -> int:
    """A seed that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


@contextlib.contextmanager
def _no_constants_of_the_source() -> Iterator[None]:
    """Older versions of Hypothesis draw no such constants."""
    if not hasattr(providers, "_get_local_constants"):
        yield
        return
    none = type(providers.GLOBAL_CONSTANTS)()
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        with unittest.mock.patch.object(providers, "_get_local_constants", return_value=none):
            yield
    finally:
        providers.CONSTANTS_CACHE.cache.clear()


@dataclasses.dataclass(frozen=True)
class Profile:
    """How hard to look."""

    name: str
    examples: int
    """Hypothesis examples per claim."""
    exhaustive_size: int
    """Largest length and largest delay of exhaustive enumerations."""

    second_look: str = ""
    """The profile in which the cases of a proved claim are judged, if not this one.

    They still show that the situations occur and that stronger forms fall."""
    is_brief: bool = False
    """Whether a proved claim gets no second look where nothing is left to show (`is_shown`)."""

    @property
    def after_proof(self) -> Profile:
        """How hard to look at a claim that is proved."""
        return PROFILES[self.second_look] if self.second_look else self


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("quick", examples=100, exhaustive_size=4, is_brief=True),
        Profile("default", examples=1000, exhaustive_size=6, second_look="quick"),
        Profile("thorough", examples=20000, exhaustive_size=7),
    )
}

PRECISION = 256
"""Bits at which the two sides of a pair are put together and compared."""


class Tally(Generic[S]):
    """Counts over the subjects seen so far, and the first violation.

    Where a proof is read in the subjects (`is_proved`), trivial ones are as good as others.
    """

    def __init__(self, claim: Claim[S], *, is_proved: bool = False) -> None:
        self._claim = claim
        self._is_proved = is_proved
        self.cases = 0
        self.applicable = 0
        self.trivial = 0
        self.touching = 0
        self.open = 0
        self.worst: float | None = None
        self.reached = dict.fromkeys(claim.must_meet, 0)
        self.violation: tuple[S, Pair] | None = None
        self.elsewhere = 0
        """Violated pairs that do not show what the erratum tells."""
        self._strengthenings = Strengthenings(claim)

    def see(self, subject: S) -> Pair | None:
        """Judge one subject; returns the pair that it violates, if any."""
        with working_precision(PRECISION):
            return self._judge(subject)

    def _judge(self, subject: S) -> Pair | None:
        self.cases += 1
        if not self._claim.applies(subject):
            self._strengthenings.see_outside(subject)
            return None
        found = [pair for pair in self._pairs(subject) if not pair.says_nothing]
        pairs = [pair for pair in found if not pair.is_trivial]
        self.applicable += bool(pairs)
        self.trivial += bool(found) and not pairs
        for name, condition in self._claim.must_meet.items():
            self.reached[name] += bool(found if self._is_proved else pairs) and condition(subject)
        for pair in pairs:
            if self._violates(pair):
                if self._claim.is_shown_by(subject, pair):
                    self.violation = subject, pair
                    return pair
                self.elsewhere += 1
        return None

    def _pairs(self, subject: S) -> Iterator[Pair]:
        for conclusion in self._claim.then:
            pairs = list(conclusion(subject))
            self._strengthenings.see(conclusion, [pair for pair in pairs if not pair.is_trivial])
            yield from pairs

    def count(self, cases: int) -> None:
        """Count cases that a compiled walk has judged and that violate nothing."""
        self.cases += cases
        self.applicable += cases

    def verdict(self, evidence: Evidence, *, reading: str = "any", scope: str = "") -> Verdict:
        """The verdict that the counts support."""
        outcome, reason = self._outcome()
        is_refuted = outcome is Outcome.REFUTED
        return Verdict(
            claim=self._claim.id,
            reading=reading,
            outcome=outcome,
            evidence=_evidence(outcome, evidence),
            cases=self.cases,
            applicable=self.applicable,
            trivial=self.trivial,
            statement=self._claim.statement,
            label=self._claim.label,
            worst_ratio=self.worst,
            touching=self.touching,
            reached=self.reached,
            scope=scope,
            reason=reason,
            strengthenings={} if is_refuted else self._strengthenings.fates,
            tightness={} if is_refuted else self._strengthenings.tightness,
            witness=self._witness() if is_refuted else None,
        )

    def _violates(self, pair: Pair) -> bool:
        if pair.ratio is not None:
            self.worst = pair.ratio if self.worst is None else max(self.worst, pair.ratio)
        truth = pair.truth
        if truth is Truth.UNKNOWN:
            is_touching = pair.is_touching
            self.touching += is_touching
            self.open += not is_touching
        return truth is Truth.NO

    def _outcome(self) -> tuple[Outcome, str]:
        if self.violation is not None:
            return Outcome.REFUTED, ""
        if self.elsewhere:
            return Outcome.UNDECIDED, f"violated, but not where {' and '.join(self._claim.keeps)}"
        if self.open:
            return Outcome.UNDECIDED, f"{self.open} pairs leave it open"
        if self.applicable or (self._is_proved and self.trivial):
            return Outcome.HOLDS, ""
        return Outcome.UNDECIDED, ALL_TRIVIAL if self.trivial else VACUOUS

    def _witness(self) -> Witness:
        assert self.violation is not None
        # A sample drawn after the verdict, to look for a simpler one, would have no error level.
        is_sampled = self._claim.kind in (Kind.EXPECTATION, Kind.EMPIRICAL)
        about = None if is_sampled else self._claim.about
        with working_precision(PRECISION):
            found = minimised(self.violation, about=about, violated=self._violated)
            return witness_of(self._claim, *found)

    def _violated(self, subject: S) -> Pair | None:
        """The first violated pair that shows what the erratum tells, without counting it."""
        pairs = self._claim.pairs(subject) if self._claim.applies(subject) else ()
        violated = (pair for pair in pairs if pair.truth is Truth.NO)
        return next((pair for pair in violated if self._claim.is_shown_by(subject, pair)), None)


def _evidence(outcome: Outcome, evidence: Evidence) -> Evidence | None:
    if outcome is Outcome.HOLDS:
        return evidence
    return Evidence.WITNESS if outcome is Outcome.REFUTED else None


def exhaust(
    claim: Claim[S], subjects: Iterable[S], *, count: int, scope: str, reading: str = "any"
) -> Verdict:
    """Judge every subject of a finite family, given smallest first, whose size is `count`."""
    tally = _tallied(claim, subjects)
    if tally.violation is None and tally.cases != count:
        raise AssertionError(f"enumerated {tally.cases} cases where there are {count}")
    return tally.verdict(Evidence.EXHAUSTED, reading=reading, scope=f"{scope}, {count:,} cases")


def visit(claim: Claim[S], subjects: Iterable[S], *, scope: str, reading: str = "any") -> Verdict:
    """Judge chosen subjects, given smallest first, until one violates the claim."""
    return _tallied(claim, subjects).verdict(Evidence.SURVIVED, reading=reading, scope=scope)


def _tallied(claim: Claim[S], subjects: Iterable[S]) -> Tally[S]:
    """The tally of the subjects up to the first violation."""
    tally = Tally(claim)
    for subject in subjects:
        if tally.see(subject) is not None:
            break
    return tally


def sampled(
    claim: Claim[S],
    subject: S,
    *,
    reading: str = "any",
    level: float | None = ALPHA,
    scope: str = "",
) -> Verdict:
    """Judge a sample of one instance; the declared level is that of each interval it compares.

    `scope` names what was sampled (instance, phases, number of runs).
    """
    tally = _tallied(claim, [subject])
    at = "no error level of its own" if level is None else f"level {level:g} per interval"
    reach = ", ".join(filter(None, [scope, at]))
    return tally.verdict(Evidence.CONFIDENCE, reading=reading, scope=reach)


def survive(
    claim: Claim[S], strategy: SearchStrategy[S], *, examples: int, reading: str = "any"
) -> Verdict:
    """Judge generated subjects; a violation is shrunk to a minimal one before it is reported."""
    tally = Tally(claim)

    def violates(subject: S) -> None:
        if tally.see(subject) is not None:
            raise _ViolationError

    phases = (hypothesis.Phase.generate, hypothesis.Phase.shrink)
    with contextlib.suppress(_ViolationError):  # the tally kept the shrunk subject
        draw(strategy, violates, examples=examples, seed=f"{claim.id} {reading}", phases=phases)
    scope = f"{tally.applicable:,} generated"
    return tally.verdict(Evidence.SURVIVED, reading=reading, scope=scope)


class _ViolationError(Exception):
    """Tells Hypothesis that a subject violates the claim."""


def replay(claim: Claim[S], witness: Witness) -> Truth:
    """Whether the witness's pair, recomputed from its subject, violates the claim."""
    return summary_of(pairs_of(claim, witness))


def pairs_of(claim: Claim[S], witness: Witness) -> list[Pair]:
    """The pairs that arise where the witness says, recomputed from its subject."""
    if claim.rebuild is None:
        raise InputError("a claim that can rebuild its subjects", "claim", claim.id)
    with working_precision(PRECISION):
        subject = claim.rebuild({**witness.subject, "reading": witness.reading})
        if not claim.applies(subject):
            return []
        return [pair for pair in claim.pairs(subject) if dict(pair.where) == dict(witness.where)]


def summary_of(pairs: Iterable[Pair]) -> Truth:
    """Whether any of the pairs is violated."""
    return functools.reduce(Truth.__or__, (~pair.truth for pair in pairs), Truth.NO)


def witness_of(claim: Claim[S], subject: S, pair: Pair) -> Witness:
    """The violated pair with its subject, ready to be written."""
    fields = subject.witness_fields()
    return Witness(
        claim=claim.id,
        reading=fields.pop("reading", None),
        subject=fields,
        where=pair.where,
        lhs=decimal(pair.lhs),
        rhs=decimal(pair.rhs),
        margin=decimal(pair.margin),
    )


def decimal(value: Exact | arb | Any) -> str:
    """A number as decimal text of an enclosure; exact numbers as integers or rationals."""
    if isinstance(value, arb):
        is_wide = value.rel_accuracy_bits() < 20  # a confidence interval: show its middle too
        return str(value.str(8, more=True) if is_wide else value.str(20))
    fraction = to_fraction(value)
    if fraction.denominator <= 10**6:
        return str(fraction)
    return str(to_arb(Fraction(fraction)).str(20))
