r"""Regret bound for a normal phase (lem:normal), as stated.

In a phase with alpha < 1 that does not restart softly, with D the sum of its delays,

    regret:      E[sum <l_t, x_t - x>]   <= 4 R^(D) + (sqrt(16 D + 1) - 1)/delta
                                            + 2 sqrt(2 D + 1/4) + 1
    true-losses: the same with true losses, the stage's estimate for D, given that it does not
    safety:      E[sum <l_t, x_t - x^c>] <= 2^(k-1)

What falls falls by a bound on every path (`paper.proofs.bounds_on_every_path`) in rigorous runs,
found by hand. Safety is proved for steps from the base iterate and an observable delay sum, for any
phase with alpha < 1, however it ends; the round of a hard restart, in which the repaired reading
plays x^c, is in no phase. For the appendix's algorithm it was sampled with its own budget
(`confidence`), on the ladder of `paper.cases.sample_families`, one sample for each phase that its
rule reaches, and in two first phases with a good comparator. The steps of the proof and the
repaired bound are in `lemma_normal_regret.py`.

Erratum: the proof bounds R^_s by 2 R^(D), but the stage's estimate may come from an earlier stage
while the phase itself has no delay at all: then D = 0, alpha is tiny, x_t stays at the comparator,
and its regret is linear in T. Safety is false for the main text's algorithm: its delay sum counts
what has arrived, so feedback that never arrives is never noticed, R^_s does not bound the base
learner's regret, and alpha is too large for it.

That a phase does not restart is no innocent condition. The estimates of a path that never plays the
bad arm see nothing, so it never restarts, and its true regret is linear in T; given that a phase
does not restart, true losses and estimates differ in expectation (`true-losses`). What is sampled
here are instances all of whose runs are normal: there the condition says nothing.
(`true-losses` is not what is printed: there the losses are estimated, and nothing is conditioned.)
"""

import functools
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
    shared,
)
from pbverify.paper.cases.run_families import lopsided
from pbverify.paper.cases.run_families.same_phases import hidden_run, late_stage
from pbverify.paper.cases.sample import LATER_SEED, Sample
from pbverify.paper.cases.sample_families import (
    ladder,
    mean_regret,
    reach,
    scope_of,
)
from pbverify.paper.cases.theorem_families import phase_games
from pbverify.paper.formulas.algorithm import NORMAL_PHASE_REGRET
from pbverify.paper.proofs import bounds_in_expectation as expected
from pbverify.paper.proofs import normal_phase as phases
from pbverify.paper.proofs.bounds_on_every_path import (
    first_and_last,
    is_certain,
    is_decisive,
    is_normal,
    least_regret,
    least_safety_regret,
)
from pbverify.paper.sorts import GAMES, PHASE_CASES, RUNS, SAMPLES

theory = ProofsOf("pbverify.paper.theories.expectation.one_phase.games")

LINEAR = {"appendix": 1_200, "main": 10_000, "repaired": 2_200}
"""Horizons at which half of the rounds are more than the bound of a first stage."""


def certain_regret_le_bound(run):
    *_, phase = run.phases
    yield from least_regret_le(run, run.delay_between(phase.start, phase.end))


def true_regret_le_bound(run):
    yield from least_regret_le(run, int(run.trace["delay_estimate"][0]))


def least_regret_le(run, D):
    """The least regret on any path with these phases against the bound with D."""
    R, delta = run.stage(D).budget, run.instance.delta
    bound = NORMAL_PHASE_REGRET.enclosed(R=R, D=D, delta=delta)
    for phase in first_and_last(run):
        for arm in range(run.instance.arms):
            yield leq(least_regret(run, phase, arm), bound, x=arm)


def has_no_delay(run):
    """Then every path that does not restart softly has one phase, that of this run."""
    return not any(run.delays)


def least_regret_to_comparator_le_share(run):
    [phase] = run.phases
    yield leq(least_safety_regret(run, phase), 1, phase=1)


def mean_regret_to_comparator_le_share(sample):
    """The regret of x_t to x^c is alpha times that of the base iterates."""
    if normal := list(sample.phases(is_normal)):
        safe = sample.instance.losses.floats @ sample.instance.comparator_floats
        base = np.array([phase.played_to_comparator / phase.alpha for phase in normal])
        k, alpha = normal[0].number, normal[0].alpha
        most = Fraction(alpha * reach(sample, to=safe)[1])
        yield leq(alpha * mean_regret(sample, base, to=safe), 2 ** (k - 1), most=most, phase=k)


def game_regret_to_comparator_le_share(game):
    """In a game, for each phase with alpha < 1, with both means over all actions."""
    paid = functools.partial(phases.played_paid, game, to=game.comparator())
    share = functools.partial(phases.share_of, game)
    for name in phases.cautious(game):
        found, allowed, alpha = (
            phases.mean(game, name, value) for value in (paid, share, expected.alpha_of)
        )
        most = alpha * game.rounds
        yield leq(found, allowed, most=most, **name._asdict())


def run_of_late_stage(reading):
    """In a late stage without local delay every path has more regret than printed."""
    yield lopsided(preset(reading), late_stage(reading))


def blind_run(reading):
    """The bad arm is never played: nothing is seen, and nothing restarts."""
    T = LINEAR[reading]
    yield lopsided(preset(reading), [0] * T, actions=[1] * T)


@shared
def quiet_samples(reading):
    """Arm 0 is good and the comparator knows it."""
    for delays in ([0] * 600, [2, 1, 0, 0, 0, 0, 0, 0, 0, 0] * 60):
        instance = Instance.build(
            losses=[[0, 1]] * len(delays),
            delays=delays,
            comparator=[Fraction(9, 10), Fraction(1, 10)],
            seed=LATER_SEED,
        )
        yield Sample(instance, preset(reading))


def normal_samples(reading, profile):
    yield from quiet_samples(reading=reading)
    yield from ladder(reading, profile)


LEMMA = Lemma(
    "normal-phase",
    expects(
        "E[sum <l_t, x_t - x>] <= 4 R^(D) + (sqrt(16 D + 1) - 1)/delta + 2 sqrt(2 D + 1/4) + 1",
        on_every_path(run_of_late_stage, about=RUNS, then=certain_regret_le_bound),
        step="regret",
        given=is_certain,
    ),
    expects(
        "E[sum <l_t, x_t - x> | no soft restart] <= the same bound with the stage's estimate for "
        "D, true losses l_t",
        on_every_path(blind_run, about=RUNS, then=true_regret_le_bound),
        step="true-losses",
        given=has_no_delay,
    ),
    expects(
        "E[sum <l_t, x_t - x^c>] <= 2^(k-1)",
        on_every_path(
            lambda: [hidden_run()],
            readings=("main",),
            about=RUNS,
            then=least_regret_to_comparator_le_share,
        ),
        for_all_sizes(
            theory.proof("to_comparator"),
            phase_games,
            readings=("repaired",),
            about=GAMES,
            then=game_regret_to_comparator_le_share,
        ),
        in_samples(
            normal_samples,
            scope=scope_of,
            readings=("appendix",),
            about=SAMPLES,
            then=mean_regret_to_comparator_le_share,
        ),
        name="regret_to_comparator_le_share",
        step="safety",
        given=is_decisive,
        about=PHASE_CASES,
    ),
)
