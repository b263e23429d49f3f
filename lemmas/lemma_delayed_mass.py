r"""Conservation of delayed mass (lem:delay-mass).

Inside a phase that starts at `s`, the number of feedback items missing when round t is played,
summed over the phase so far, never decreases and never exceeds the sum of the phase's delays:

    M_t(s) <= M_end(s) <= d_s + ... + d_end,
    M_t(s) = sum_{u=s..t} #{s <= r < u : u <= r + d_r}.

The proof rests on an identity and a case split, both judged as steps:

    M_end(s) = sum_{r=s..end} min(d_r, end - r);
    M_end(s) = d_s + ... + d_end if all feedback arrives by the end of the phase, else less.

Erratum: the last line of the proof prints the stage's delay where the phase's is meant.
"""

import itertools

from pbverify import Lemma, ProofsOf, drop, equal, for_all_sizes, generated, leq, less, says
from pbverify.bandits.delays import Delays
from pbverify.paper.cases.phase import DelayedPhase, delayed_phases, every_phase
from pbverify.paper.kernels.walks import ALL_PHASES
from pbverify.paper.sorts import PHASES
from pbverify.paper.without.bounded_losses_and_margin import signed
from pbverify.paper.without.oblivious_adversary import (
    DELAYS,
    LATE_IF_PLAYED,
    REALISED,
    realised_delays,
)

theory = ProofsOf("pbverify.paper.theories.delays.delayed_mass")


def mass_is_monotone(phase):
    for t, mass in enumerate(phase.mass, start=phase.start):
        yield leq(mass, phase.mass[-1], inequality="monotone", t=t)


def mass_le_total_delay(phase):
    yield leq(phase.mass[-1], phase.total_delay, inequality="total", t=phase.end)


def mass_is_truncated_delay(phase):
    truncated = (min(d, phase.end - r) for r, d in enumerate(phase.local_delays, phase.start))
    yield equal(phase.mass[-1], sum(truncated), t=phase.end)


def mass_is_total_iff_all_arrives(phase):
    compare = equal if phase.all_feedback_arrives else less
    yield compare(phase.mass[-1], phase.total_delay, t=phase.end)


def mass_with_older_rounds_le_total_delay(phase):
    older = phase.delays.outstanding(1, phase.end)[phase.start - 1 :]
    yield leq(int(older.sum()), phase.total_delay, counted="from round 1")


def later_phases():
    """Every phase of at most two rounds that starts in round 2 or 3, with delays up to 3."""
    for rounds, start in itertools.product((1, 2), (2, 3)):
        for delays in itertools.product(range(4), repeat=start - 1 + rounds):
            yield DelayedPhase(Delays(delays), start, len(delays))


def routes(proof):
    """For all phases; and all small and some large ones, independently of the proof."""
    return (
        for_all_sizes(proof, delayed_phases()),
        ALL_PHASES,
        every_phase(lambda profile: 4),
        generated(delayed_phases),
    )


LATER = {"cases": later_phases, "scope": "phases of <= 2 rounds that start in round 2 or 3"}

LEMMA = Lemma(
    "delayed-mass",
    says(
        "M_t(s) <= M_end(s) <= d_s + ... + d_end",
        mass_is_monotone,
        mass_le_total_delay,
        by=routes(theory.MASS),
        drops=(
            drop(
                "only rounds of the phase are counted",
                then=(mass_with_older_rounds_le_total_delay,),
                **LATER,
            ),
            drop(
                "the phase starts in round 1",
                needed=False,
                why="all counts begin where the phase does",
                **LATER,
            ),
            drop(DELAYS, cases=realised_delays, scope=LATE_IF_PLAYED, needed=False, why=REALISED),
            signed,
        ),
    ),
    says(
        "M_end(s) = sum over r of min(d_r, end - r)",
        mass_is_truncated_delay,
        step="identity",
        by=routes(theory.TRUNCATED),
    ),
    says(
        "M_end(s) = d_s + ... + d_end if all feedback arrives by end, else M_end(s) < it",
        mass_is_total_iff_all_arrives,
        step="equality-cases",
        by=routes(theory.EQUALITY_CASES),
    ),
    about=PHASES,
    must_meet={
        "all feedback arrives in the phase": lambda phase: phase.all_feedback_arrives,
        "some feedback arrives after the phase": lambda phase: not phase.all_feedback_arrives,
        "something is outstanding": lambda phase: phase.mass[-1] > 0,
    },
)
