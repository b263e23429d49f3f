r"""Bound on the contribution of missing feedback (lem:missing).

A phase starts at `start` and ends at `end`; T0 = end - 1, D is the sum of its delays, and M holds
the rounds u in start..T0-1 whose feedback has not arrived by T0, m of them. Then, for alpha < 1,

    m (m + 1)/2 <= D,                                             (count)
    <l_u, x^c - x> <= 2 for every u in M,                         (per item)
    sum_{u in M} <l_u, x^c - x> <= 2 sqrt(2 D + 1/4) - 1          for all x.

The main text's budget needs 60,000 rounds for the bold phases that decide it; with
`--profile thorough` such a run is the witness, else one of six rounds with R^ = 21/20.

Erratum: the lemma says "fix a phase"; its proof uses alpha < 1, and so do we, since at alpha = 1 an
item is unbounded in every reading (the dropped assumption). alpha < 1 does not imply alpha <= 1/2,
because R^ is no power of two, as the proof supposes "WLOG"; an item can be as large as
1/(1 - alpha), and item bound and total are false. They hold when the budget is rounded to a power
of two, and with 1/(1 - alpha) in place of 2 for any budget (`@repaired`). The main text prints
O(sqrt D) without a constant; it is judged with the appendix's.
"""

import functools
import itertools
from fractions import Fraction

from pbverify import (
    Delays,
    Instance,
    Lemma,
    ProofsOf,
    chosen,
    drop,
    for_all_sizes,
    generated,
    leq,
    preset,
    says,
)
from pbverify.paper.cases import phase_families as families
from pbverify.paper.cases.phase import DelayedPhase, delayed_phases, every_phase
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import runs
from pbverify.paper.cases.run_families.adversarial import short_bold_run
from pbverify.paper.formulas.algorithm import MISSING_TOTAL
from pbverify.paper.kernels.walks import ALL_PHASES
from pbverify.paper.proofs.phase_sums import cautious, estimates, gap
from pbverify.paper.sorts import PHASES, RUNS
from pbverify.paper.without.bounded_losses_and_margin import (
    UNSUPPORTED,
    signed,
    unbounded,
    unsupported,
)
from pbverify.paper.without.oblivious_adversary import realised

missing_count = ProofsOf("pbverify.paper.theories.delays.missing_count")
missing_items = ProofsOf("pbverify.paper.theories.phase.missing_items")
phase_items = ProofsOf("pbverify.paper.theories.phase.phase_items")


def missing_before_the_end(phase):
    """At T0 = end - 1, as the lemma says, and at the end itself, as the extinction lemma needs."""
    for at in (phase.end - 1, phase.end):
        rounds = enumerate(phase.local_delays, start=phase.start)
        m = sum(1 for u, d in rounds if u <= at and u + d > at)
        yield count_le_mass(m, phase, at=at)


def missing_of_any_phase(phase):
    rounds = enumerate(phase.delays.to_json()[: phase.end], start=1)
    m = sum(1 for u, d in rounds if u + d > phase.end)
    yield count_le_mass(m, phase, at=phase.end)


def count_le_mass(m, phase, *, at):
    return leq(m * (m + 1) // 2, phase.total_delay, at=at)


def item_le_two(run):
    for u, _ in items(run):
        yield leq(largest_total(run, [u]), 2, u=u)


def item_le_inverse_caution(run):
    for u, alpha in items(run):
        yield leq(largest_total(run, [u]), 1 / (1 - alpha), u=u)


def total_le_bound(run):
    return totals(run, cautious(run))


def any_total_le_bound(run):
    """Also in phases with alpha = 1."""
    return totals(run, run.phases)


def total_le_count_over_caution(run):
    for phase, missing in incomplete(run, cautious(run)):
        bound = len(missing) / (1 - run.alpha(phase))
        yield leq(largest_total(run, missing), bound, start=phase.start)


def totals(run, phases):
    for phase, missing in incomplete(run, phases):
        bound = MISSING_TOTAL.enclosed(D=run.delay_between(phase.start, phase.end))
        yield leq(largest_total(run, missing), bound, start=phase.start)


def items(run):
    """The missing items of phases with alpha < 1, with alpha."""
    for phase, missing in incomplete(run, cautious(run)):
        for u in missing:
            yield u, run.alpha(phase)


def incomplete(run, phases):
    """Phases that miss something, with M: the rounds before T0 that are missing at T0 = end - 1."""
    for phase in phases:
        last = phase.end - 1
        missing = [u for u in phase.played if u < last and run.is_missing(u, at=last)]
        if missing:
            yield phase, missing


def largest_total(run, missing):
    """The largest value of sum_{u in M} <l_u, x^c - x> over x."""
    return gap(run, estimates(run, missing))


def misses_two_items(run):
    return any(len(missing) > 1 for _, missing in incomplete(run, cautious(run)))


def is_cut_short_softly(run):
    return any(phase.ended == "soft restart" for phase, _ in incomplete(run, cautious(run)))


def fearless_run():
    """alpha = 1 from round 9 on, with R^ = 2; of two arms the bad one is played again and again.

    Then it is hardly ever drawn, and when it was, in round 12, its feedback is two rounds late.
    """
    losses, delays, actions = [[1, 0]] * 14, [2, *[0] * 10, 2, 0, 0], [0] * 12 + [1] * 2
    even = [Fraction(1, 2)] * 2
    instance = Instance.build(losses=losses, delays=delays, comparator=even, actions=actions)
    return Run.of(instance, preset("repaired").with_options(budget=2))


without_bounds = functools.partial(unbounded, high=True, low=True)
ON_RUNS = (
    chosen(families.bold, scope="bold phases"),
    chosen(families.adversarial, scope="adversarial delays"),
    chosen(families.waiting, scope="own slack"),
    chosen(families.late_restarting, scope="restarting runs"),
    chosen(families.faded, scope="faded arms"),
    # For the total, which is refuted elsewhere under the printed readings.
    chosen(families.crowd, scope="a crowd of faded arms", readings=("repaired",)),
    generated(lambda reading: runs(preset(reading)), share=10),
)


def routes(proof, **options):
    """For all sizes; and some runs, independently of the proof."""
    return (for_all_sizes(proof, families.assorted, **options), *ON_RUNS)


LEMMA = Lemma(
    "missing-feedback",
    says(
        "m (m + 1)/2 <= d_start + ... + d_end",
        missing_before_the_end,
        step="count",
        about=PHASES,
        by=(
            for_all_sizes(missing_count.COUNT, delayed_phases()),
            ALL_PHASES,
            every_phase(lambda profile: 4),
            generated(delayed_phases),
        ),
        must_meet={"two items missing": lambda phase: phase.mass[-1] > 2},
        drops=(
            drop(
                "only rounds of the phase are counted",
                cases=lambda: (
                    DelayedPhase(Delays(delays), 2, 2)
                    for delays in itertools.product(range(4), repeat=2)
                ),
                scope="phases that are round 2 alone, delays <= 3",
                then=(missing_of_any_phase,),
            ),
            signed,
        ),
    ),
    says(
        "if alpha < 1, the sum over M of <l_u, x^c - x> is at most 2 sqrt(2 D + 1/4) - 1",
        total_le_bound,
        by=routes(missing_items.BOUNDED, readings=("repaired",)),
        drops=(
            drop(
                "alpha < 1",
                cases=lambda: [fearless_run()],
                scope="a run of 14 rounds with R^ = 2",
                then=(any_total_le_bound,),
            ),
            without_bounds,
            functools.partial(unsupported, needed=False, why=UNSUPPORTED),
            realised,
        ),
    ),
    says(
        "if alpha < 1, <l_u, x^c - x> <= 2 for every u in M",
        item_le_two,
        step="per-item",
        by=routes(phase_items.AT_MOST_TWO, readings=("repaired",)),
        drops=(
            drop(
                "alpha <= 1/2",
                cases=lambda: [short_bold_run(preset("main"))],
                scope="a run of six rounds with alpha = 20/21",
            ),
            lambda claim: without_bounds(claim)[0],
        ),
    ),
    says(
        "sum over M of <l_u, x^c - x> <= m/(1 - alpha)",
        total_le_count_over_caution,
        step="@repaired",
        by=routes(missing_items.COUNTED),
        drops=without_bounds,
    ),
    says(
        "<l_u, x^c - x> <= 1/(1 - alpha) for every u in M",
        item_le_inverse_caution,
        step="per-item@repaired",
        by=routes(phase_items.AT_MOST_INVERSE),
    ),
    about=RUNS,
    must_meet={
        "two items missing": misses_two_items,
        "a phase cut short by a soft restart": is_cut_short_softly,
    },
)
