r"""Conservation of delayed mass (lem:delay-mass).

Inside a phase that starts at `s`, the number of feedback items missing when round t is played,
summed over the phase so far, never decreases and never exceeds the sum of the phase's delays:

    M_t(s) <= M_end(s) <= d_s + ... + d_end,
    M_t(s) = sum_{u=s..t} #{s <= r < u : u <= r + d_r}.

The proof rests on an identity and a case split, both judged as steps:

    M_end(s) = sum_{r=s..end} min(d_r, end - r);
    M_end(s) = d_s + ... + d_end if all feedback arrives by the end of the phase, else less.

Kind: combinatorial. Uses: nothing. Readings: all (only delays enter).

Erratum: the last line of the proof prints the stage's delay where the phase's is meant.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator

from pbverify.bandits.delays import Delays
from pbverify.claims.assumptions import without
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.judging import exhaust, survive
from pbverify.claims.profile import Profile
from pbverify.claims.verdict import Verdict
from pbverify.paper.cases.phase import DelayedPhase, all_phases, delayed_phases, number_of_phases
from pbverify.paper.sorts import PHASES
from pbverify.paper.without.bounded_losses_and_margin import signed
from pbverify.paper.without.oblivious_adversary import (
    DELAYS,
    LATE_IF_PLAYED,
    REALISED,
    realised_delays,
)
from pbverify.pytest_plugin import Judge


def mass_is_monotone(phase: DelayedPhase) -> Iterator[Pair]:
    for t, mass in enumerate(phase.mass, start=phase.start):
        yield Pair(mass, phase.mass[-1], where={"inequality": "monotone", "t": t})


def mass_le_total_delay(phase: DelayedPhase) -> Iterator[Pair]:
    yield Pair(phase.mass[-1], phase.total_delay, where={"inequality": "total", "t": phase.end})


def mass_is_truncated_delay(phase: DelayedPhase) -> Iterator[Pair]:
    truncated = (min(d, phase.end - r) for r, d in enumerate(phase.local_delays, phase.start))
    yield Pair(phase.mass[-1], sum(truncated), Relation.EQUAL, where={"t": phase.end})


def mass_is_total_iff_all_arrives(phase: DelayedPhase) -> Iterator[Pair]:
    relation = Relation.EQUAL if phase.all_feedback_arrives else Relation.LESS
    yield Pair(phase.mass[-1], phase.total_delay, relation, where={"t": phase.end})


REGIMES: dict[str, Callable[[DelayedPhase], bool]] = {
    "all feedback arrives in the phase": lambda phase: phase.all_feedback_arrives,
    "some feedback arrives after the phase": lambda phase: not phase.all_feedback_arrives,
    "something is outstanding": lambda phase: phase.mass[-1] > 0,
}

STATEMENT = Claim(
    "delayed-mass",
    kind=Kind.COMBINATORIAL,
    statement="M_t(s) <= M_end(s) <= d_s + ... + d_end",
    then=(mass_is_monotone, mass_le_total_delay),
    must_meet=REGIMES,
    label="lem:delay-mass",
    about=PHASES,
)
IDENTITY = Claim(
    "delayed-mass/identity",
    kind=Kind.COMBINATORIAL,
    statement="M_end(s) = sum over r of min(d_r, end - r)",
    then=(mass_is_truncated_delay,),
    must_meet=REGIMES,
    label="lem:delay-mass",
    about=PHASES,
)
EQUALITY_CASES = Claim(
    "delayed-mass/equality-cases",
    kind=Kind.COMBINATORIAL,
    statement="M_end(s) = d_s + ... + d_end if all feedback arrives by end, else M_end(s) < it",
    then=(mass_is_total_iff_all_arrives,),
    must_meet=REGIMES,
    label="lem:delay-mass",
    about=PHASES,
)
CLAIMS = (STATEMENT, IDENTITY, EQUALITY_CASES)


def mass_with_older_rounds_le_total_delay(phase: DelayedPhase) -> Iterator[Pair]:
    older = phase.delays.outstanding(1, phase.end)[phase.start - 1 :]
    yield Pair(int(older.sum()), phase.total_delay, where={"counted": "from round 1"})


def later_phases() -> Iterator[DelayedPhase]:
    """Every phase of at most two rounds that starts in round 2 or 3, with delays up to 3."""
    for rounds, start in itertools.product((1, 2), (2, 3)):
        for delays in itertools.product(range(4), repeat=start - 1 + rounds):
            yield DelayedPhase(Delays(delays), start, len(delays))


ABLATIONS = (
    without(
        STATEMENT,
        "only rounds of the phase are counted",
        cases=later_phases,
        scope="phases of <= 2 rounds that start in round 2 or 3",
        then=(mass_with_older_rounds_le_total_delay,),
    ),
    without(
        STATEMENT,
        "the phase starts in round 1",
        cases=later_phases,
        scope="phases of <= 2 rounds that start in round 2 or 3",
        needed=False,
        why="all counts begin where the phase does",
    ),
    without(
        STATEMENT,
        DELAYS,
        cases=realised_delays,
        scope=LATE_IF_PLAYED,
        needed=False,
        why=REALISED,
    ),
    signed(STATEMENT),
)

# Known false: with all feedback in time the bound is attained.
TOO_STRONG = STATEMENT.sharpened(mass_le_total_delay, by=1)
# Known false: the mass has no slack to any smaller truncation.
TOO_EXACT = IDENTITY.sharpened(mass_is_truncated_delay, by=1)
# Known false: neither has a part of the case split.
TOO_SPLIT = EQUALITY_CASES.sharpened(mass_is_total_iff_all_arrives, by=1)


def exhausted(claim: Claim[DelayedPhase], profile: Profile) -> Verdict:
    size = profile.exhaustive_size
    return exhaust(
        claim,
        all_phases(length=size, delay=size),
        count=number_of_phases(length=size, delay=size),
        scope=f"all phases of <= {size} rounds with delays <= {size}",
    )


def test_statement_exhaustively(judge: Judge, profile: Profile) -> None:
    """No short phase breaks the lemma."""
    judge(exhausted(STATEMENT, profile))


def test_identity_exhaustively(judge: Judge, profile: Profile) -> None:
    """No short phase breaks the identity of the proof."""
    judge(exhausted(IDENTITY, profile))


def test_equality_cases_exhaustively(judge: Judge, profile: Profile) -> None:
    """No short phase breaks the proof's case split."""
    judge(exhausted(EQUALITY_CASES, profile))


def test_generated_phases(judge: Judge, profile: Profile) -> None:
    """No generated phase, anywhere inside a long sequence, breaks lemma or steps."""
    for claim in CLAIMS:
        judge(survive(claim, delayed_phases(), examples=profile.examples))


def test_assumptions(judge: Judge) -> None:
    """A phase may start anywhere and delays answer, but its own rounds count, and no delay < 0."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_stronger_versions_are_refuted(judge: Judge, profile: Profile) -> None:
    """Each claim sharpened by one is refuted on the smallest phase, and the witness replays."""
    for claim in (TOO_STRONG, TOO_EXACT, TOO_SPLIT):
        verdict = exhausted(claim, profile)
        judge.teeth(verdict, of=claim)
        assert verdict.witness is not None
        assert verdict.witness.subject["parameters"] == {"delays": [0], "start": 1, "end": 1}


def test_a_wrong_counter_is_caught(profile: Profile) -> None:
    """Counting feedback as missing one round too long violates every claim."""

    class Late(DelayedPhase):
        @functools.cached_property
        def mass(self) -> tuple[int, ...]:
            longer = Delays([d + 1 for d in self.local_delays])
            return DelayedPhase(longer, 1, len(longer)).mass

    late = delayed_phases().map(lambda window: Late(window.delays, window.start, window.end))
    for claim in CLAIMS:
        verdict = survive(claim, late, examples=profile.examples)
        assert verdict.witness is not None, claim.id
