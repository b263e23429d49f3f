r"""The steps of the normal-phase proof on every path (lem:normal, steps 1 to 4).

Phase k runs from start to end = start_(k+1) - 1, so that a hard restart's round is its last. The
proof splits the sum, bounds the part that has arrived, the part that is missing at end - 1 and the
last round, and replaces the stage's estimate by the phase's delay D = d_start + ... + d_end:

    decomposition   sum <l_t, x_t - x> = a sum <l_t, x^_t - x> + (1 - a) sum <l_t, x^c - x>
    step 1          D <= D^_s                                                    (delay-covered)
    step 2          max_x <g_t, x^c - x> <= 2 R^_s + xi^_s for every t < end     (arrived)
    step 3          sum over what is missing at end - 1 of <l_u, x^c - x> <= 2 sqrt(2 D + 1/4) - 1
                    <l_end, x^c - x> <= 2                                        (last-round)
    step 4          R^_s <= 2 R^(D)                                              (budget-chain)

Erratum: all six are false under some reading. The decomposition fails in the round of a hard
restart, which plays another mixture (step 1 books that round to the next stage, where the identity
holds if it is played as printed). A hard restart is what D > D^_s triggers, and its round belongs
to the phase that it ends, so D <= D^_s is false there. For the other phases
(`delay-covered/unless-hard-restart`) only the clairvoyant delay sum bounds the phase's delay; the
elapsed one bounds the rounds outstanding, summed over the phase (`delay-covered@repaired`), which
is all that Banker-OMD pays for; the arrived one bounds neither. With the main text's statistic,
against the base iterates, the best response's gap may exceed the threshold. Where 1/2 < alpha < 1,
items exceed 2; they are at most 1/(1 - alpha) (`last-round@repaired`). And nothing ties D^_s, which
stems from earlier rounds, to the phase's own delay, which may be 0. (In the first stage, where
D^_1 = 1 and D may be 0, short horizons fail as well: `budget-chain/first-stage`.)
"""

import functools

from pbverify import Lemma, ProofsOf, chosen, equal, for_all_sizes, leq, says
from pbverify.paper.cases.phase_families import (
    adversarial,
    assorted,
    at_threshold,
    bold,
    faded,
    own_budget,
    restarting,
    waiting,
)
from pbverify.paper.cases.run_families import generated_runs
from pbverify.paper.formulas.algorithm import MISSING_TOTAL
from pbverify.paper.proofs.phase_sums import (
    against,
    cautious,
    comparator,
    estimates,
    gap,
    gaps,
    inner,
    missing,
    outstanding_mass,
)
from pbverify.paper.sorts import RUNS
from pbverify.paper.without import bounded_losses_and_margin as without

doubling = ProofsOf("pbverify.paper.theories.delays.doubling")
last_round = ProofsOf("pbverify.paper.theories.phase.last_round")
missing_items = ProofsOf("pbverify.paper.theories.phase.missing_items")
phase_split = ProofsOf("pbverify.paper.theories.phase.phase_split")
restart_test = ProofsOf("pbverify.paper.theories.phase.restart_test")


def phase_splits(run):
    for phase in run.phases:
        yield from split(run, phase, range(phase.start, phase.end + 1))


def mixture_splits(run):
    """The same without the round of a hard restart."""
    for phase in run.phases:
        yield from split(run, phase, phase.played)


def split(run, phase, rounds):
    alpha, safe = run.alpha(phase), estimates(run, rounds)
    weighted = inner(safe, comparator(run))
    for arm in range(run.instance.arms):
        parts = alpha * against(run, rounds, arm, base=True)
        parts = parts + (1 - alpha) * (weighted - safe[arm])
        yield equal(against(run, rounds, arm, base=False), parts, start=phase.start, x=arm)


def delay_le_estimate(run):
    yield from covered(run, run.phases)


def delay_le_estimate_unless_hard_restart(run):
    yield from covered(run, without_hard_restart(run))


def covered(run, phases):
    for phase in phases:
        delay = run.delay_between(phase.start, phase.end)
        yield leq(delay, run.stage_of(phase).estimate, start=phase.start)


def mass_le_estimate(run):
    for phase in without_hard_restart(run):
        mass = outstanding_mass(run, phase)
        yield leq(mass, run.stage_of(phase).estimate, start=phase.start)


def without_hard_restart(run):
    return (phase for phase in run.phases if phase.ended != "hard restart")


def gap_le_threshold(run):
    for phase in cautious(run):
        threshold = run.stage_of(phase).threshold
        for t, value in gaps(run, phase):
            if t < phase.end:
                yield leq(value, threshold, t=t)


def missing_le_bound(run):
    for phase in cautious(run):
        late = missing(run, phase, at=phase.end - 1)
        if late:
            bound = MISSING_TOTAL.enclosed(D=run.delay_between(phase.start, phase.end))
            yield leq(gap(run, estimates(run, late)), bound, start=phase.start)


def last_round_le_two(run):
    for phase in cautious(run):
        yield leq(gap(run, estimates(run, [phase.end])), 2, t=phase.end)


def last_round_le_inverse_caution(run):
    for phase in cautious(run):
        bound = 1 / (1 - run.alpha(phase))
        yield leq(gap(run, estimates(run, [phase.end])), bound, t=phase.end)


def budget_le_twice_that_of_delay(run):
    for phase in cautious(run):
        own = run.stage(run.delay_between(phase.start, phase.end)).budget
        yield leq(run.stage_of(phase).budget, 2 * own, start=phase.start)


def first_budget_le_twice_that_of_delay(run):
    for phase in cautious(run):
        if phase.stage == 1:
            own = run.stage(run.delay_between(phase.start, phase.end)).budget
            yield leq(run.stage_of(phase).budget, 2 * own, start=phase.start)


def cautious_phase_does_not_restart(run):
    for phase in cautious(run):
        yield leq(int(phase.ended == "soft restart"), 0, start=phase.start, end=phase.end)


def in_a_later_stage(run, pair):
    return any(p.start == pair.where["start"] and p.stage > 1 for p in run.phases)


def ends_by_hard_restart(run, pair):
    start = pair.where["start"]
    return any(p.start == start and p.ended == "hard restart" for p in run.phases)


def has_phase(*, ended):
    return lambda run: any(phase.ended == ended for phase in run.phases)


def unbounded(**options):
    return functools.partial(without.unbounded, **options)


SPLIT = "sum <l_t, x_t - x> = a sum <l_t, x^_t - x> + (1 - a) sum <l_t, x^c - x>"
BOLD = chosen(bold, scope="bold phases")
ON_RUNS = chosen(
    {
        "own budget": own_budget,
        "adversarial delays": adversarial,
        "own slack": waiting,
        "gap at its threshold": at_threshold,
        "faded arms": faded,
        "restarting": restarting,
    }
)


def proved(proof, **options):
    return for_all_sizes(proof, assorted, **options)


LEMMA = Lemma(
    "normal-phase",
    says(f"{SPLIT} over start..end", phase_splits, step="decomposition"),
    says(
        f"{SPLIT} over the rounds of mixtures",
        mixture_splits,
        step="decomposition@repaired",
        by=(proved(phase_split.SPLIT), ON_RUNS),
        drops=unbounded(high=False, low=False, why="an identity, whatever the losses are"),
    ),
    says(
        "d_start + ... + d_end <= D^_s",
        delay_le_estimate,
        step="delay-covered",
        keeps={"a hard restart ends the phase": ends_by_hard_restart},
    ),
    says(
        "d_start + ... + d_end <= D^_s unless a hard restart ends the phase",
        delay_le_estimate_unless_hard_restart,
        step="delay-covered/unless-hard-restart",
        by=(
            for_all_sizes(doubling.DELAY_COVERED, generated_runs, readings=("appendix",)),
            ON_RUNS,
        ),
    ),
    says(
        "the rounds outstanding, summed over the phase, are at most D^_s",
        mass_le_estimate,
        step="delay-covered@repaired",
        by=(
            for_all_sizes(
                doubling.DELAY_COVERED_REPAIRED, generated_runs, readings=("appendix", "repaired")
            ),
            ON_RUNS,
        ),
    ),
    says(
        "max_x <g_t, x^c - x> <= 2 R^_s + xi^_s for t < end",
        gap_le_threshold,
        step="arrived",
        by=(proved(restart_test.ARRIVED_GAP, readings=("appendix", "repaired")), ON_RUNS),
        drops=unbounded(high=False, low=False, why="else the phase would have ended"),
    ),
    says(
        "sum over rounds missing at end - 1 of <l_u, x^c - x> <= 2 sqrt(2 D + 1/4) - 1",
        missing_le_bound,
        step="missing",
        by=(
            proved(missing_items.BOUNDED_BEFORE_THE_END, readings=("repaired",)),
            BOLD,
            ON_RUNS,
        ),
        drops=unbounded(high=True, low=True),
    ),
    says(
        "<l_end, x^c - x> <= 2",
        last_round_le_two,
        step="last-round",
        by=(proved(last_round.AT_MOST_TWO, readings=("repaired",)), BOLD, ON_RUNS),
        drops=(
            unbounded(high=True, low=True),
            without.bold,
            functools.partial(without.unsupported, needed=False, why=without.UNSUPPORTED),
        ),
    ),
    says(
        "<l_end, x^c - x> <= 1/(1 - alpha)",
        last_round_le_inverse_caution,
        step="last-round@repaired",
        by=(proved(last_round.AT_MOST_INVERSE), ON_RUNS),
        drops=unbounded(high=True, low=True),
    ),
    says(
        "R^_s <= 2 R^(D)",
        budget_le_twice_that_of_delay,
        step="budget-chain",
        keeps={"the estimate stems from an earlier stage": in_a_later_stage},
    ),
    says(
        "R^_s <= 2 R^(D) in the first stage",
        first_budget_le_twice_that_of_delay,
        step="budget-chain/first-stage",
        by=chosen(own_budget, scope="own budget"),
        must_meet={"a phase ends by soft restart": has_phase(ended="soft restart")},
    ),
    says(
        "a phase with alpha < 1 does not trigger a restart",
        cautious_phase_does_not_restart,
        step="no-restart",
        by=chosen(own_budget, scope="own budget"),
        must_meet={},
    ),
    about=RUNS,
    by=ON_RUNS,
    must_meet={
        f"a phase ends by {name}": has_phase(ended=name)
        for name in ("soft restart", "hard restart", "horizon")
    },
)
