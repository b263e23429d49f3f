r"""The mirror-descent inequality behind Banker-OMD (Theorem 4.2 of Huang et al., for lem:banker).

On every path, in every phase, and for every comparator y at once,

    sum_t <l_t, x^_t - y>  <=  B D(y, x_0) + sum_t sigma_t D(x^_t, z~_t) - sum_u v_u D(y, z_u).

Both sides are linear in y up to a common term, so the vertices decide (`mirror_descent`).

Erratum: with the appendix's update the mirror step of round u starts at the played mixture x_u and
not at the Banker iterate x^_u; the inequality is then false, and with it the use of Corollary 4.3
of Huang et al. in lem:banker, also without its last sum, which this paper does not use: the witness
breaks it without that sum too. It holds when the step starts at the base iterate.
"""

import functools

from hypothesis import strategies as st

from pbverify import Lemma, ProofsOf, chosen, for_all_sizes, generated, leq, numerics, preset, says
from pbverify.paper.cases.run_families import (
    SKEWED,
    every_short_run,
    faint_run,
    lopsided,
    restarting_and_generated,
    restarting_runs,
    runs,
)
from pbverify.paper.proofs.mirror_descent import bounds, estimated_regret, last_sum
from pbverify.paper.sorts import RUNS
from pbverify.paper.without.bounded_losses_and_margin import unbounded, unsupported

theory = ProofsOf("pbverify.paper.theories.banker.banker_path")


def estimated_regret_le_bound(run):
    for phase in run.phases:
        for arm, rhs in enumerate(bounds(run, phase)):
            yield leq(estimated_regret(run, phase, arm), rhs, start=phase.start, y=arm)


def fails_without_the_last_sum(run):
    """Whether, for some y, the left side exceeds even B D(y, x_0) + sum sigma_t D(x^_t, z~_t)."""
    return any(
        numerics.less(rhs + last_sum(run, phase, y), estimated_regret(run, phase, y))
        is numerics.Truth.YES
        for phase in run.phases
        for y, rhs in enumerate(bounds(run, phase))
    )


def misses_feedback_at_the_end(run):
    return any(run.is_missing(u, at=phase.end) for phase in run.phases for u in phase.played)


def splits_a_credit(run):
    return any(step is not None and len(step.shares) > 1 for step in run.trace.steps or ())


def one_good_arm(reading):
    """Twenty rounds in which arm 0 loses, and is played in three of four, as x^c would."""
    yield lopsided(preset(reading), [0] * 20, actions=[0, 0, 0, 1] * 5, comparator=SKEWED)


def with_regularizer(name):
    """The repaired reading, with either regularizer."""
    reading = preset("repaired").with_options(regularizer=name)
    return (
        chosen(lambda: restarting_runs(reading), scope=name, readings=("repaired",)),
        generated(runs(reading), share=10, least=50, readings=("repaired",)),
    )


def proved_with(*regularizers, reading):
    """For all phases of a reading with these regularizers."""
    options = (preset(reading).with_options(regularizer=name) for name in regularizers)
    cases = st.one_of([runs(option) for option in options])
    return for_all_sizes(theory.pathwise(*regularizers), cases, readings=(reading,))


WHY = "negative entropy: any vectors may stand for the estimates, and any laws for x_t"

LEMMA = Lemma(
    "banker-pathwise",
    says(
        "sum <l_t, x^_t - y> <= B D(y, x_0) + sum sigma_t D(x^_t, z~_t) - sum v_u D(y, z_u) "
        "for every y",
        estimated_regret_le_bound,
        by=(
            proved_with("negative-entropy", reading="main"),
            proved_with("negative-entropy", "tsallis", reading="repaired"),
            # A run that breaks the inequality in what the paper takes from it, if there is one.
            chosen(
                one_good_arm,
                scope="one good arm, T = 20",
                such_that=fails_without_the_last_sum,
                only_refutes=True,
            ),
            chosen(
                lambda reading: every_short_run(preset(reading), rounds=4, delay=1),
                scope="T <= 4, delays <= 1",
            ),
            chosen(lambda reading: [faint_run(preset(reading))], scope="a faint round"),
            *restarting_and_generated(share=4),
            *with_regularizer("negative-entropy"),
            *with_regularizer("tsallis"),
        ),
        drops=(
            functools.partial(unbounded, high=False, low=False, why=WHY),
            functools.partial(unsupported, needed=False, why=WHY),
        ),
    ),
    about=RUNS,
    must_meet={
        "feedback missing at the end of a phase": misses_feedback_at_the_end,
        "a credit split between two rounds": splits_a_credit,
    },
)
