"""From claims to verdicts: nothing passes by accident."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import arb
from hypothesis import strategies as st

from pbverify.bandits.delays import Delays
from pbverify.claims.claim import Claim, Kind, Pair, Side
from pbverify.claims.judging import (
    decimal,
    exhaust,
    replay,
    sampled,
    survive,
    visit,
    witness_of,
)
from pbverify.claims.sort import Sort
from pbverify.claims.verdict import Evidence, Fate, Outcome, Verdict, settled
from pbverify.errors import InputError
from pbverify.numerics import Truth
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.sorts import PHASES


@dataclasses.dataclass(frozen=True)
class Whole:
    """A subject: one integer."""

    value: int

    def witness_fields(self) -> dict[str, Any]:
        return {"parameters": {"value": self.value}}


def below(limit: int) -> Claim[Whole]:
    """The claim that n <= limit."""

    def conclusion(subject: Whole) -> Iterator[Pair]:
        yield Pair(subject.value, limit, where={"n": subject.value})

    return Claim("below", Kind.COMBINATORIAL, f"n <= {limit}", then=(conclusion,))


def numbers(count: int) -> Iterator[Whole]:
    return (Whole(n) for n in range(count))


def run_exhaust(claim: Claim[Whole], count: int = 10) -> Verdict:
    return exhaust(claim, numbers(count), count=count, scope="n < 10")


def test_exhausting_all_cases_holds() -> None:
    """A claim without exception holds, exhausted, with its tightest ratio."""
    verdict = run_exhaust(below(9))
    assert (verdict.outcome, verdict.evidence) == (Outcome.HOLDS, Evidence.EXHAUSTED)
    assert (verdict.cases, verdict.applicable, verdict.worst_ratio) == (10, 10, 1.0)
    assert verdict.scope == "n < 10, 10 cases"


def test_the_first_violation_is_the_witness() -> None:
    """Enumerated smallest first, the smallest violation is reported with its margin."""
    verdict = run_exhaust(below(6))
    assert (verdict.outcome, verdict.evidence) == (Outcome.REFUTED, Evidence.WITNESS)
    assert verdict.witness is not None
    assert verdict.witness.subject == {"parameters": {"value": 7}}
    assert (verdict.witness.lhs, verdict.witness.rhs, verdict.witness.margin) == ("7", "6", "1")


def test_a_wrong_count_is_an_error() -> None:
    """An enumeration that misses cases cannot pass for complete."""
    with pytest.raises(AssertionError, match="enumerated 10 cases where there are 11"):
        exhaust(below(9), numbers(10), count=11, scope="")


def test_nothing_applicable_is_undecided() -> None:
    """A claim whose hypotheses never hold is not a pass."""
    never = dataclasses.replace(below(9), given=(lambda subject: False,))
    verdict = run_exhaust(never)
    assert (verdict.outcome, verdict.evidence) == (Outcome.UNDECIDED, None)
    assert (verdict.cases, verdict.applicable) == (10, 0)
    assert "hypotheses" in verdict.reason


def test_no_pairs_is_undecided() -> None:
    """A conclusion that says nothing is not a pass either."""
    silent = dataclasses.replace(below(9), then=(lambda subject: iter(()),))
    assert run_exhaust(silent).outcome is Outcome.UNDECIDED


def test_an_unreached_situation_is_undecided() -> None:
    """Every situation in `must_meet` must be met."""
    situations = {"even": lambda s: s.value % 2 == 0, "large": lambda s: s.value > 99}
    verdict = settled(run_exhaust(dataclasses.replace(below(9), must_meet=situations)))
    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.reason == "never reached: large"
    assert verdict.reached == {"even": 5, "large": 0}


def kept(limit: int) -> Claim[Whole]:
    """`below`, of which only even numbers show the failure that an erratum tells."""
    return dataclasses.replace(below(limit), keeps={"n is even": lambda s, pair: s.value % 2 == 0})


def test_a_witness_shows_the_failure_that_its_erratum_tells() -> None:
    """A violation elsewhere is passed over; the first one that shows it is the witness."""
    verdict = run_exhaust(kept(6))
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness is not None
    assert verdict.witness.subject == {"parameters": {"value": 8}}


def test_another_failure_than_the_told_one_decides_nothing() -> None:
    """It neither refutes nor lets the claim pass, and the reason names what no violation shows."""
    verdict = run_exhaust(kept(8))
    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.reason == "violated, but not where n is even"


def test_shrinking_keeps_what_the_erratum_tells() -> None:
    """The descent stops at the simplest case of the regime, not at a simpler one outside."""

    def mass_le_one(phase: DelayedPhase) -> Iterator[Pair]:
        yield Pair(phase.mass[-1], 1, where={"t": phase.end})

    late = {"the first round is late": lambda phase, pair: phase.delays.values[0] > 0}
    light = Claim("light", Kind.COMBINATORIAL, "", then=(mass_le_one,), about=PHASES, keeps=late)
    found = visit(light, [DelayedPhase(Delays([3, 3, 3, 3]), start=1, end=4)], scope="")
    assert found.witness is not None
    delays = found.witness.subject["parameters"]["delays"]
    assert delays[0] > 0
    assert len(delays) == 3


def bounded(standing: Side, limit: int) -> Claim[Whole]:
    """`below`, by a bound on n."""

    def conclusion(subject: Whole) -> Iterator[Pair]:
        yield Pair(subject.value, limit, side=standing)

    return dataclasses.replace(below(limit), then=(conclusion,))


def test_a_bound_from_above_cannot_refute() -> None:
    """Where it fits the claim holds, where it misses the claim is open."""
    assert run_exhaust(bounded(Side.AT_MOST, 9)).outcome is Outcome.HOLDS
    missed = run_exhaust(bounded(Side.AT_MOST, 7))
    assert (missed.outcome, missed.reason) == (Outcome.UNDECIDED, "2 pairs leave it open")


def test_a_bound_from_below_cannot_prove() -> None:
    """It refutes; where it does not, its case does not count, but strengthenings may fall by it."""
    assert run_exhaust(bounded(Side.AT_LEAST, 8)).outcome is Outcome.REFUTED
    silent = run_exhaust(bounded(Side.AT_LEAST, 9))
    assert (silent.outcome, silent.applicable) == (Outcome.UNDECIDED, 0)
    assert silent.strengthenings["conclusion: halved"] is Fate.REFUTED


def fuzzy(radius: float) -> Claim[Whole]:
    """The claim that a ball around 1 is at most 1."""

    def conclusion(subject: Whole) -> Iterator[Pair]:
        yield Pair(arb(1, radius), 1)

    return Claim("fuzzy", Kind.CLOSED_FORM, "1 <= 1", then=(conclusion,))


def test_overlapping_balls_are_undecided() -> None:
    """A comparison that cannot be decided is never a pass."""
    verdict = run_exhaust(fuzzy(1e-3))
    assert verdict.outcome is Outcome.UNDECIDED
    assert "10 pairs" in verdict.reason


def test_touching_balls_are_counted() -> None:
    """Below 2^-64 an open comparison is touching: counted, and decided by a proof or not at all."""
    verdict = run_exhaust(fuzzy(2.0**-70))
    assert verdict.outcome is Outcome.HOLDS
    assert verdict.touching == 10


def test_generated_cases_survive() -> None:
    """Hypothesis counts every generated case."""
    verdict = survive(below(1000), st.integers(0, 1000).map(Whole), examples=200)
    assert (verdict.outcome, verdict.evidence) == (Outcome.HOLDS, Evidence.SURVIVED)
    assert verdict.cases == verdict.applicable >= 100


def test_a_generated_violation_is_shrunk() -> None:
    """The witness of a generated violation is the smallest one, the same in every run."""
    found = [survive(below(500), st.integers(0, 10**6).map(Whole), examples=200) for _ in range(2)]
    assert found[0] == found[1]
    witness = found[0].witness
    assert witness is not None
    assert witness.subject == {"parameters": {"value": 501}}


def test_an_error_in_a_checker_is_not_a_violation() -> None:
    """A conclusion that breaks raises; it neither passes nor refutes."""

    def broken(subject: Whole) -> Iterator[Pair]:
        raise ZeroDivisionError
        yield

    claim = Claim("broken", Kind.COMBINATORIAL, "?", then=(broken,))
    with pytest.raises(ZeroDivisionError):
        survive(claim, st.integers(0, 9).map(Whole), examples=10)


def test_a_sample_names_what_was_sampled() -> None:
    """The scope of a sampled verdict is what was sampled, and its level or that it has none."""
    bare, named = sampled(below(9), Whole(1)), sampled(below(9), Whole(1), scope="2 arms, T = 600")
    assert (named.outcome, named.evidence) == (Outcome.HOLDS, Evidence.CONFIDENCE)
    assert bare.scope == "level 1e-09 per interval"
    assert named.scope == "2 arms, T = 600, level 1e-09 per interval"
    part = sampled(below(9), Whole(1), level=None, scope="first 3 of 9 draws")
    assert part.scope == "first 3 of 9 draws, no error level of its own"


def test_replay_confirms_and_denies() -> None:
    """A witness is confirmed by recomputing it from its subject, and an edited one is not."""
    claim = dataclasses.replace(
        below(6), about=Sort("case", lambda fields: Whole(int(fields["parameters"]["value"])))
    )
    witness = witness_of(claim, Whole(7), next(claim.pairs(Whole(7))))
    assert replay(claim, witness) is Truth.YES
    harmless = dataclasses.replace(witness, subject={"parameters": {"value": 3}})
    assert replay(claim, harmless) is Truth.NO
    elsewhere = dataclasses.replace(witness, where={"n": 8})
    assert replay(claim, elsewhere) is Truth.NO
    excluded = dataclasses.replace(claim, given=(lambda s: s.value < 5,))
    assert replay(excluded, witness) is Truth.NO
    with pytest.raises(InputError, match="rebuild"):
        replay(below(6), witness)


def test_numbers_as_text() -> None:
    """Exact numbers stay exact, balls show their radius."""
    assert decimal(Fraction(1, 3)) == "1/3"
    assert decimal(7) == "7"
    assert decimal(arb(2).sqrt()).startswith("[1.414213562373095 ")
    assert (
        decimal(arb(1, 0.25)) == "[1.0000000 +/- 0.251]"
    )  # a confidence interval, with its middle


@pytest.mark.parametrize(
    ("kind", "delays"), [(Kind.COMBINATORIAL, [2]), (Kind.EXPECTATION, [0, 5, 5])]
)
def test_witnesses_are_minimised_unless_sampled(kind: Kind, delays: list[int]) -> None:
    """A violation descends to a simpler one, but not where each look costs error level."""

    def longest_le_one(phase: DelayedPhase) -> Iterator[Pair]:
        yield Pair(max(phase.local_delays), 1)

    claim = Claim("short", kind, "d <= 1", then=(longest_le_one,), about=PHASES)
    verdict = visit(claim, [DelayedPhase(Delays([0, 5, 5]), start=1, end=3)], scope="")
    assert verdict.witness is not None
    assert verdict.witness.subject["parameters"]["delays"] == delays


def test_trivial_cases_are_no_evidence() -> None:
    """They are counted apart; if all are trivial the claim is undecided."""

    def conclusion(subject: Whole) -> Iterator[Pair]:
        yield Pair(subject.value, 5, most=subject.value + 1)

    claim = dataclasses.replace(below(5), then=(conclusion,))
    found = visit(claim, numbers(3), scope="three")
    assert (found.trivial, found.applicable, found.outcome) == (3, 0, Outcome.UNDECIDED)
    found = visit(claim, numbers(6), scope="six")
    assert (found.trivial, found.applicable, found.outcome) == (5, 1, Outcome.HOLDS)
