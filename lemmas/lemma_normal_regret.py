r"""The expectations in the proof of the normal-phase bound, and its repaired form (lem:normal).

In a phase with alpha < 1 that does not restart softly, with D the sum of its delays,

    base-regret:     E[sum <l_t, x^_t - x>] <= R^(D)                           (step 1)
    combined:        E[sum <l_t, x_t - x>]  <= a (R^_s + 1) + (1 - a) (2 R^_s + xi^_s
                                               + 2 sqrt(2 D + 1/4) + 1)        (step 4, first line)
    regret@repaired: E[sum <l_t, x_t - x>]  <= the lemma's bound with the stage's estimate for D

For steps from the base iterate and an observable delay sum all three are proved, the first for the
main text's algorithm too, for any phase with alpha < 1, however it ends: in the mean over all
actions a path that does not reach the phase adds nothing to either side. The round of a hard
restart is in no phase, and its delay is not in D. For the others, a run that all paths share
(`paper.cases.run_families.same_phases`) bounds the regret from below on every path, and can only
refute; what stands was sampled with the reading's own budget (`confidence`) on the ladder of
`paper.cases.sample_families`: one sample for each phase that its rule reaches, all told.

Erratum: base regret is linear for the appendix's update, as in lem:banker. So step 4 is false for
it, too, once alpha is near 1: at T = 30,000 phase 11 (alpha = 0.95) costs about 1,725, and the
display says 1,131. The repaired bound is far above that. For the main text's algorithm step 4 is
false, because its gap is taken against the base iterates: it falls short of the comparator's regret
by the learner's own (`arrived` in `lemma_normal_steps.py`); and so is the repaired bound, because
feedback that never arrives is never noticed, and raises no estimate.
"""

from fractions import Fraction

import numpy as np

from pbverify import (
    Instance,
    Lemma,
    ProofsOf,
    expects,
    for_all_sizes,
    in_samples,
    leq,
    on_every_path,
    preset,
    sharpened,
)
from pbverify.numerics import BallArithmetic, FloatArithmetic
from pbverify.paper.cases.run_families import lopsided_instance
from pbverify.paper.cases.run_families.same_phases import (
    brink_run,
    flattered_run,
    unseen_run,
)
from pbverify.paper.cases.sample import LATER_SEED, Sample
from pbverify.paper.cases.sample_families import (
    bold_sample,
    ladder,
    mean_regret,
    reach,
    scope_of,
)
from pbverify.paper.cases.theorem_families import phase_games
from pbverify.paper.proofs import normal_phase as phases
from pbverify.paper.proofs.bounds_on_every_path import is_decisive, is_normal, least_regret
from pbverify.paper.proofs.normal_phase import Size
from pbverify.paper.sorts import GAMES, PHASE_CASES, RUNS, SAMPLES, SAMPLES_OR_GAMES

theory = ProofsOf("pbverify.paper.theories.expectation.one_phase.games")


def least_regret_le(bound):
    """On every path of a run, which has one phase."""

    def conclusion(run):
        [phase] = run.phases
        delay, stage = run.delay_between(phase.start, phase.end), run.stage_of(phase)
        size = Size(stage, run.alpha(phase), delay, run.instance.delta)
        most = bound(BallArithmetic(), size)
        for arm in range(run.instance.arms):
            yield leq(least_regret(run, phase, arm), most, x=arm)

    return conclusion


def mean_regret_le(bound):
    """In a sample, with the regret in estimated losses, as printed, to arms that never lose."""

    def conclusion(sample):
        loses = sample.instance.losses.floats.any(axis=0)

        def regret(phase):
            return np.where(loses, phase.played_to_arm, phase.suffered)

        def most(phase):
            stage, delta = stage_of(sample, phase.estimate), sample.instance.delta
            return bound(FloatArithmetic(), Size(stage, phase.alpha, phase.delay, delta))

        yield from excess_pairs(sample, regret, most)

    return conclusion


def base_regret_le_budget(sample):
    yield from excess_pairs(
        sample,
        lambda phase: phase.base_to_arm,
        lambda phase: stage_of(sample, phase.delay).budget,
    )


def excess_pairs(sample, regret, bound):
    """Mean regret in normal phases, which have one bound if the sample is decisive, per arm."""
    normal = list(sample.phases(is_normal))
    for arm in range(sample.instance.arms if normal else 0):
        regrets = np.array([regret(phase)[arm] for phase in normal])
        to = sample.instance.losses.floats[:, arm]
        most, least = Fraction(reach(sample, to=to)[1]), Fraction(float(bound(normal[0])))
        yield leq(mean_regret(sample, regrets, to=to), least, most=most, x=arm)


def stage_of(sample, delay):
    return sample.schedule.stage(delay, round=1)


def game_regret_le(bound):
    """In a game, for each phase with alpha < 1 and each arm, with both means over all actions."""
    return lambda game: phases.pairs(game, phases.played_paid, phases.bound_of(game, bound))


def game_base_regret_le_budget(game):
    yield from phases.base_pairs(game, phases.own_budget)


def first_phases(reading, rounds=200):
    """One good arm, for three quarters of the rounds; and with bursts of delay, throughout."""
    losing = rounds * 3 // 4
    quiet = Instance.build(
        losses=[[1, 0]] * losing + [[0, 0]] * (rounds - losing),
        delays=[0] * rounds,
        comparator=[Fraction(1, 2)] * 2,
        seed=LATER_SEED,
    )
    bursts = lopsided_instance([3, 2, 1] * 4 + [0] * (rounds - 12), seed=LATER_SEED)
    for instance in (quiet, bursts):
        yield Sample(instance, preset(reading))


def bold_and_ladder(reading, profile):
    """The boldest phase first, which was chosen for what it refutes."""
    yield bold_sample(reading)
    yield from ladder(reading, profile)


def bold(reading):
    yield bold_sample(reading)


def routes(bound, *, proof, against_main):
    """On every path for the main text, else proved or sampled; on the brink for stronger forms."""
    on_runs = {"about": RUNS, "then": least_regret_le(bound)}
    return (
        on_every_path(lambda: [against_main()], readings=("main",), **on_runs),
        for_all_sizes(
            theory.proof(proof),
            phase_games,
            about=GAMES,
            then=game_regret_le(bound),
            readings=("repaired",),
        ),
        in_samples(
            bold_and_ladder,
            scope=scope_of,
            about=SAMPLES,
            then=mean_regret_le(bound),
            readings=("appendix",),
        ),
        on_every_path(
            lambda reading: [brink_run(reading)], readings=("appendix", "repaired"), **on_runs
        ),
    )


LEMMA = Lemma(
    "normal-phase",
    expects(
        "E[sum <l_t, x^_t - x>] <= R^(D)",
        for_all_sizes(
            theory.proof("of_iterates"),
            phase_games,
            about=GAMES,
            then=game_base_regret_le_budget,
            readings=("main", "repaired"),
        ),
        in_samples(
            first_phases,
            scope=scope_of,
            about=SAMPLES,
            then=base_regret_le_budget,
            readings=("appendix",),
        ),
        name="base_regret_le_budget",
        step="base-regret",
        about=SAMPLES_OR_GAMES,
    ),
    expects(
        "E[sum <l_t, x_t - x>] <= a (R^_s + 1) + (1 - a) (2 R^_s + xi^_s + 2 sqrt(2 D + 1/4) + 1)",
        *routes(phases.combined, proof="combined", against_main=flattered_run),
        name="played_regret_le_combined",
        step="combined",
        about=PHASE_CASES,
    ),
    expects(
        "E[sum <l_t, x_t - x>] <= the same bound with the stage's estimate for D",
        *routes(phases.with_estimate, proof="with_estimate", against_main=unseen_run),
        name="played_regret_le_bound_of_estimate",
        step="regret@repaired",
        about=PHASE_CASES,
        # In the later phase x_t pays more than two twenty-fifths of the bound.
        stronger=sharpened(
            factor=Fraction(2, 25),
            on=in_samples(bold, about=SAMPLES, then=mean_regret_le(phases.with_estimate)),
            reading="repaired",
        ),
    ),
    given=is_decisive,
)
