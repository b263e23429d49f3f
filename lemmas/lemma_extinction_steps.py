r"""The steps of the extinction proof on every path (lem:extinction, steps 1 to 4).

For a phase that ends softly in round `end`, with g the estimates that have arrived by then, x* an
arm of least estimate, m the number of rounds still missing, D the sum of the phase's delays:

    step 1        sum <l_t, x_t - x^c> = alpha sum <l_t, x^_t - x^c>               (mixture)
    step 2        <g, x^c - x*> > 2 R^_s + xi^_s                                   (exit)
    step 3        sum <l_t, x^_t - x^c> = sum <l_t, x^_t - x*> + <g, x* - x^c>
                                          + sum over missing of <l_u, x* - x^c>    (three-terms)
    step 3 (iii)  x_t(a) >= delta/2                                                (floor)
                  <l_u, x* - x^c> <= 2/delta for each missing u                    (missing-item)
    step 4        2 m/delta <= xi^_s                                               (slack-covers)

slack-covers is about the two printed slacks, and has m in place of 2 m/delta in its repaired form.

Erratum: alpha <= 1/2 is assumed, and then false as in lem:missing: the floor fails for every budget
that is no power of two, and is (1 - alpha) delta (`floor@repaired`). Then missing-item is false,
too (shown with a constant budget of 21/20 and a slack of 20, in eleven rounds); the expectation
that the proof concludes from it is true (`lemma_extinction_repair.py`). With the main text's
statistic the exit does not say that the best response has the gap; and its arrived delay sum leaves
any number of rounds missing, so that no slack covers them.
"""

import functools

from pbverify import Lemma, ProofsOf, chosen, equal, for_all_sizes, leq, less, says
from pbverify.paper.cases.phase_families import (
    adversarial,
    assorted,
    bold_exits,
    crowded,
    faded_exit,
    late_favourite,
    own_budget_exits,
    restarting,
    waiting,
)
from pbverify.paper.proofs.phase_sums import (
    against,
    against_comparator,
    arrived,
    best_response,
    comparator,
    estimates,
    inner,
    margin,
    missing,
)
from pbverify.paper.sorts import RUNS
from pbverify.paper.without.bounded_losses_and_margin import bold, unbounded, unsupported

slack = ProofsOf("pbverify.paper.theories.delays.slack")
phase_items = ProofsOf("pbverify.paper.theories.phase.phase_items")
phase_split = ProofsOf("pbverify.paper.theories.phase.phase_split")
restart_test = ProofsOf("pbverify.paper.theories.phase.restart_test")


def extinct(run):
    """Phases that end by a soft restart."""
    return (phase for phase in run.phases if phase.ended == "soft restart")


def law_is_a_mixture(run):
    for phase in extinct(run):
        played = against_comparator(run, phase.played, base=False)
        base = against_comparator(run, phase.played, base=True)
        yield equal(played, run.alpha(phase) * base, start=phase.start, end=phase.end)


def arrived_gap_exceeds_threshold(run):
    for phase in extinct(run):
        g = estimates(run, arrived(run, phase, at=phase.end))
        found = inner(g, comparator(run)) - g[best_response(g)]
        yield less(run.stage_of(phase).threshold, found, start=phase.start, end=phase.end)


def sum_splits_in_three(run):
    for phase in extinct(run):
        here, late = arrived(run, phase, at=phase.end), missing(run, phase, at=phase.end)
        best = best_response(estimates(run, here))
        parts = [towards_best(run, rounds, best) for rounds in (here, late)]
        total = against(run, phase.played, best, base=True) + parts[0] + parts[1]
        whole = against_comparator(run, phase.played, base=True)
        yield equal(whole, total, start=phase.start, end=phase.end)


def towards_best(run, rounds, best):
    """sum over rounds of <l_u, x* - x^c>."""
    g = estimates(run, rounds)
    return g[best] - inner(g, comparator(run))


def floor_is_half_the_margin(run):
    for phase in extinct(run):
        for t in phase.played:
            yield leq(margin(run) / 2, run.law(t)[run.action(t)], t=t)


def floor_is_caution_times_margin(run):
    for phase in extinct(run):
        floor = (1 - run.alpha(phase)) * margin(run)
        for t in phase.played:
            yield leq(floor, run.law(t)[run.action(t)], t=t)


def item_le_twice_over_margin(run):
    for phase in extinct(run):
        best = best_response(estimates(run, arrived(run, phase, at=phase.end)))
        for u in missing(run, phase, at=phase.end):
            yield leq(towards_best(run, [u], best), 2 / margin(run), u=u)


def twice_count_over_margin_le_slack(run):
    for phase, count in missing_at_exit(run):
        needed = 2 * count / margin(run)
        yield leq(needed, slack_of(run, phase), start=phase.start, end=phase.end)


def count_le_slack(run):
    for phase, count in missing_at_exit(run):
        yield leq(count, slack_of(run, phase), start=phase.start, end=phase.end)


def missing_at_exit(run):
    """Phases that end softly while feedback is missing, and m."""
    for phase in extinct(run):
        count = len(missing(run, phase, at=phase.end))
        if count:
            yield phase, count


def short_waiting(reading):
    """Runs of at most 30 rounds with the reading's own slack, in which something is missing."""
    return [r for r in waiting(reading) if r.trace.rounds <= 30 and any(missing_at_exit(r))]


def slack_of(run, phase):
    stage = run.stage_of(phase)
    return stage.threshold - 2 * stage.budget


IDENTITY = functools.partial(
    unbounded, high=False, low=False, why="an identity, whatever the losses are"
)
NEEDS_MARGIN = functools.partial(unsupported, needed=True)

ON_RUNS = chosen(
    {
        "own budget": own_budget_exits,
        "late favourites": late_favourite,
        "adversarial delays": adversarial,
        "own slack": waiting,
        "restarting": restarting,
        "faded arms": faded_exit,
    }
)
ON_SLACKS = chosen({"own budget": own_budget_exits, "own slack": waiting, "crowded exit": crowded})


def proved(proof, **options):
    return for_all_sizes(proof, assorted, **options)


LEMMA = Lemma(
    "extinction-phase",
    says(
        "sum <l_t, x_t - x^c> = alpha sum <l_t, x^_t - x^c>",
        law_is_a_mixture,
        step="mixture",
        by=(proved(phase_split.MIXTURE_OF_LAWS), ON_RUNS),
        drops=IDENTITY,
    ),
    says(
        "2 R^_s + xi^_s < <g_end, x^c - x*>",
        arrived_gap_exceeds_threshold,
        step="exit",
        by=(proved(restart_test.EXIT_GAP, readings=("appendix", "repaired")), ON_RUNS),
    ),
    says(
        "sum <l_t, x^_t - x^c> = base regret to x* + arrived part + missing part",
        sum_splits_in_three,
        step="three-terms",
        by=(proved(phase_split.IN_THREE_TERMS), ON_RUNS),
        drops=IDENTITY,
    ),
    says(
        "x_t(A_t) >= delta/2",
        floor_is_half_the_margin,
        step="floor",
        by=(
            proved(phase_items.HAS_HALF_FLOOR, readings=("repaired",)),
            chosen(bold_exits, scope="bold phases"),
            ON_RUNS,
        ),
        drops=(bold, NEEDS_MARGIN),
    ),
    says(
        "x_t(A_t) >= (1 - alpha) delta",
        floor_is_caution_times_margin,
        step="floor@repaired",
        by=(proved(phase_items.HAS_FLOOR), ON_RUNS),
        drops=NEEDS_MARGIN,
    ),
    says(
        "<l_u, x* - x^c> <= 2/delta for each missing u",
        item_le_twice_over_margin,
        step="missing-item",
        by=(proved(phase_items.AT_MOST_TWICE_OVER_MARGIN, readings=("repaired",)), ON_RUNS),
        drops=(NEEDS_MARGIN, lambda claim: unbounded(claim, high=True, low=False)[0]),
    ),
    says(
        "2 m/delta <= xi^_s",
        twice_count_over_margin_le_slack,
        step="slack-covers",
        by=(
            for_all_sizes(slack.SLACK_COVERS, short_waiting, readings=("appendix",)),
            ON_SLACKS,
        ),
    ),
    says(
        "m <= xi^_s",
        count_le_slack,
        step="slack-covers@repaired",
        by=(
            for_all_sizes(
                slack.SLACK_COVERS_REPAIRED, short_waiting, readings=("appendix", "repaired")
            ),
            ON_SLACKS,
        ),
    ),
    about=RUNS,
    by=ON_RUNS,
    must_meet={
        "a soft exit while feedback is missing": lambda run: any(missing_at_exit(run)),
    },
)
