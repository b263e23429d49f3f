r"""Claims proved for all sizes: results of the induction kernel, tied to the claim's own cases.

    PROOF = InductionProof(
        results=[MONOTONE, STATEMENT],       # theorems, invariants or claims about trees
        anchors=anchors,                     # from a case: what the results say of it
        scope="all phases, all delays",
    )

A theorem speaks of sequences in a theory; a claim speaks of cases. So the results are also read in
concrete cases: there they must say exactly the inequalities that the lemma file says, in the same
order, with the same numbers on both sides. Without cases, or if a case disagrees, nothing is proved
about the claim, and it is UNDECIDED.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from hypothesis.strategies import SearchStrategy

from pbverify.claims.claim import Claim, Pair, Side
from pbverify.claims.judging import PRECISION, Profile, Tally, draw
from pbverify.claims.routes import Asked, Route, shared
from pbverify.claims.verdict import VACUOUS, Evidence, Verdict
from pbverify.numerics import working_precision
from pbverify.prover.induction.anchors import Anchor, Comparison
from pbverify.prover.induction.counterexample import Counterexample, counterexample
from pbverify.prover.induction.evaluation import agree
from pbverify.prover.induction.explanation import explained
from pbverify.prover.induction.facts import FactQuery
from pbverify.prover.induction.solver import Answer, Query, has_cvc5
from pbverify.prover.induction.terms import Term
from pbverify.prover.induction.theory import NotProvedError, Obligation, Result, Theorem

ANCHORS, MOST_ANCHORS = 40, 400
"""Generated cases in which the results are read: a tenth of the profile's, between these."""
QUICK_ANCHORS = 10
"""In the profile quick, cases after so many are read only if they show something new."""


@dataclasses.dataclass(frozen=True, eq=False)
class InductionProof:
    """Results that together are a claim's statement, and how they are read in a case."""

    results: Sequence[Result]
    anchors: Callable[[Any], Iterable[Anchor]]
    scope: str
    assuming: Sequence[str] = ()
    """What is argued and not proved."""
    made_of: Sequence[str] = ()
    """The claims whose theorems it is composed of."""
    size: Term | None = None
    """The variable of the theorems that small counterexamples are sought for."""
    case: Callable[[Counterexample], Any] | None = None
    """The case that a counterexample describes."""

    def obligations(self) -> tuple[Obligation, ...]:
        """Every obligation, discharged; `NotProvedError` if one is not."""
        return tuple(dict.fromkeys(o for result in self.results for o in result.prove()))

    @functools.cached_property
    def rests_on(self) -> frozenset[Result]:
        """The results, and those that they are derived from."""
        return frozenset(each for result in self.results for each in result.rests_on)

    def explained(self) -> list[str]:
        """The proof as a person reads it."""
        return explained(self.results)


@dataclasses.dataclass(frozen=True)
class NamedProof:
    """A proof, or a function that returns one, by module and name; it is imported on first use."""

    module: str
    name: str
    arguments: tuple[tuple[Any, ...], tuple[tuple[str, Any], ...]] | None = None

    def __call__(self, *values: Any, **options: Any) -> NamedProof:
        """The proof that a function of this name returns."""
        return dataclasses.replace(self, arguments=(values, tuple(options.items())))

    def load(self) -> InductionProof:
        """The proof itself; declaring a large theory takes seconds."""
        found = getattr(importlib.import_module(self.module), self.name)
        if self.arguments is not None:
            values, options = self.arguments
            found = found(*values, **dict(options))
        if not isinstance(found, InductionProof):
            raise TypeError(f"Expected a proof but {self.module}.{self.name} is {found!r}.")
        return found


@dataclasses.dataclass(frozen=True)
class ProofsOf:
    """The proofs of a module by name: `ProofsOf("paper.theories.mass").STATEMENT`."""

    module: str

    def __getattr__(self, name: str) -> NamedProof:
        if name.startswith("__"):  # what Python itself asks for, such as copying
            raise AttributeError(name)
        return NamedProof(self.module, name)


@dataclasses.dataclass(frozen=True, kw_only=True)
class _ForAllSizes(Route):
    proves: ClassVar[bool] = True

    named: InductionProof | NamedProof
    cases: Any

    @functools.cached_property
    def proof(self) -> InductionProof:
        return self.named.load() if isinstance(self.named, NamedProof) else self.named

    @property
    def theories(self) -> str:
        return self.named.module.rpartition(".")[0] if isinstance(self.named, NamedProof) else ""

    def proof_lines(self) -> list[str]:
        return explained(self.proof.results, with_times=True)

    def verdicts(self, claim: Claim[Any], asked: Asked) -> Iterator[Verdict]:
        try:
            obligations = self.proof.obligations()
        except NotProvedError as error:
            yield self._refuted(claim, asked) or self._undecided(claim, asked, str(error))
            return
        tally = Tally(claim, is_proved=True)
        complaint, cases = self._read(claim, asked, tally)
        if complaint:
            yield self._undecided(claim, asked, complaint)
            return
        by = solvers(obligations, second=asked.profile.name == "thorough")
        words = f"{self.proof.scope}, {len(obligations)} obligations, {', '.join(by)}{cases}"
        if self.proof.assuming:
            words += f", assuming: {'; '.join(self.proof.assuming)}"
        verdict = tally.verdict(Evidence.PROVED, reading=asked.reading, scope=words)
        if verdict.reason == VACUOUS:
            yield self._undecided(claim, asked, "the proof was read in no case")
            return
        yield dataclasses.replace(
            verdict,
            obligations=len(obligations),
            solvers=by,
            assuming=tuple(self.proof.assuming),
            made_of=tuple(self.proof.made_of),
            proof=tuple(self.proof.explained()),
        )

    def _read(self, claim: Claim[Any], asked: Asked, tally: Tally[Any]) -> tuple[str, str]:
        """Why the results are not the claim, and in how many cases they were not read.

        The first is empty if they are the claim in every case, the second if they were read in all.
        """
        complaints: list[str] = []
        unread = {f for result in self.proof.results for f in result.assumes}
        is_quick = asked.profile.name == "quick"
        read = skipped = 0

        def see(case: Any) -> None:
            nonlocal read, skipped
            regimes = _met(tally)
            if complaints or tally.violation is not None or tally.see(case) is not None:
                return
            if claim.applies(case):
                is_new = _met(tally) > regimes or unread
                if is_quick and read >= QUICK_ANCHORS and not is_new:
                    skipped += 1
                    return
                read += 1
                with working_precision(PRECISION):
                    anchors = list(self.proof.anchors(case))
                    if unread:
                        unread.difference_update(*(anchor.checked for anchor in anchors))
                    found = disagreement(claim, case, anchors, proved=self.proof.rests_on)
                complaints.extend([found] if found else [])

        for case in self._cases(asked):
            see(case)
        is_read = tally.applicable + tally.trivial > 0
        if unread and is_read and tally.violation is None and not complaints:
            names = ", ".join(sorted(f.name() for f in unread))
            complaints.append(f"the assumption on {names} was checked in no case")
        left = f", read in {read} of {read + skipped} cases" if skipped else ""
        return (complaints[0] if complaints else ""), left

    def _cases(self, asked: Asked) -> Iterable[Any]:
        if isinstance(self.cases, SearchStrategy):
            return _drawn(self.cases, "any", asked.profile)
        found = asked.value(self.cases)
        is_drawn = isinstance(found, SearchStrategy)
        return _drawn(self.cases, asked.reading, asked.profile) if is_drawn else found

    def _refuted(self, claim: Claim[Any], asked: Asked) -> Verdict | None:
        """A proof failed: is there a small case that violates the claim itself?"""
        size, case = self.proof.size, self.proof.case
        if size is None or case is None:
            return None
        for result in self.proof.results:
            found = counterexample(result, size) if isinstance(result, Theorem) else None
            tally = Tally(claim)
            if found is not None and tally.see(case(found)) is not None:
                return tally.verdict(Evidence.PROVED, reading=asked.reading)
        return None

    def _undecided(self, claim: Claim[Any], asked: Asked, reason: str) -> Verdict:
        words = claim.statement, claim.label
        return Verdict.undecided(claim.id, asked.reading, *words, f"not proved: {reason}")


@shared
def _drawn(source: Any, reading: str, profile: Profile) -> list[Any]:
    """Cases from a strategy, or from the one that a function returns, for all claims alike."""
    found: list[Any] = []
    is_strategy = isinstance(source, SearchStrategy)
    strategy = source if is_strategy else Asked(reading, profile).value(source)
    examples = min(MOST_ANCHORS, max(ANCHORS, profile.examples // 10))
    draw(strategy, found.append, examples=examples, seed=f"anchors under {reading}")
    return found


def for_all_sizes(proof: InductionProof | NamedProof, cases: Any, **options: Any) -> Route:
    """For all sizes, by the induction kernel; the results are read in the given cases.

    `cases` is a strategy of Hypothesis, or a function that returns cases. What narrows the claim
    is refused, because the verdict is about the whole of it.
    """
    if options.get("such_that") is not None:
        raise ValueError("A proof for all sizes is of the whole claim, without `such_that`.")
    return _ForAllSizes(named=proof, cases=cases, **options)


def disagreement(
    claim: Claim[Any],
    case: Any,
    anchors: Iterable[Anchor],
    *,
    proved: Collection[Result] | None = None,
) -> str:
    """Where the results and the lemma file say different things of a case; empty if nowhere.

    With `proved`, what any other result says is a disagreement too.
    """
    said = list(claim.pairs(case))
    read: list[Comparison] = []
    for anchor in anchors:
        if anchor.complaint:
            return f"{anchor.complaint} in {_shown(case)}"
        read += anchor.comparisons
    for found in read:
        if proved is not None and found.result not in proved:
            return f"{found.result.name} is not among the results that are proved"
    if len(said) != len(read):
        return (
            f"{len(read)} inequalities of the proof for {len(said)} of the claim in {_shown(case)}"
        )
    for pair, found in zip(said, read, strict=True):
        is_same = pair.relation.value == found.relation
        if pair.side is Side.AT_LEAST:
            return f"the claim {_written(pair)} can only be refuted in {_shown(case)}"
        if not (is_same and agree(pair.lhs, found.lhs) and agree(pair.rhs, found.rhs)):
            words = f"{found.lhs} {found.relation} {found.rhs}"
            return f"the proof says {words}, the claim {_written(pair)} in {_shown(case)}"
    return ""


def _met(tally: Tally[Any]) -> int:
    """How many of the situations that must occur have occurred."""
    return sum(count > 0 for count in tally.reached.values())


def solvers(obligations: Sequence[Obligation], *, second: bool) -> tuple[str, ...]:
    """Who discharged the obligations; with how many of them the second solver agrees."""
    queries = [o for o in obligations if isinstance(o, Query)]
    facts = sum(isinstance(o, FactQuery) for o in obligations)
    found = [f"z3 ({len(queries)})"] if queries else []
    found += [f"inequality prover ({facts})"] if facts else []
    if second and queries and has_cvc5():
        agreed = sum(query.second_opinion.answer is Answer.PROVED for query in queries)
        found.append(f"cvc5 ({agreed} of {len(queries)})")
    return tuple(found)


def _written(pair: Pair) -> str:
    return f"{pair.lhs} {pair.relation.value} {pair.rhs}"


def _shown(case: Any) -> str:
    fields = case.witness_fields()
    return str(fields.get("parameters", fields.get("instance", fields)))[:200]
