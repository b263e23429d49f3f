r"""Bound on the estimated total delay (lem:delay-estimator).

When a hard restart in round t ends stage s, whose last phase started at `start`,

    D^_s <= D^_{s+1} < 2 (d_start + ... + d_t),

and there are at most ceil(log2 D) + 1 stages, where D >= 1 is the total delay. The main text says
the same "for every phase k(s)" of the stage, with the delays of that phase. Since the rounds whose
delays end a stage are its own, even floor(log2 D) + 1 is enough (`number-of-stages/floor`).

Erratum: "for every phase" is false: a phase that ended by a soft restart can have no delay at all.
"Every stage" is false for the last one, of which the proof says that the estimate "remains constant
otherwise": without any delay D^_1 = 1, which is not below 2 D = 0 (`last-stage`; the stage form is
judged for stages that end). The normal-phase proof uses the bound exactly there, where no stage
follows.
Both printings raise s before they read D_t^(s), which then is the delay of a stage that has no
round yet (`printed-order`); we take the sum that the test has just compared.
With the main text's own update, twice the arrived sum, already the stage form is false: it is an
equality when all delays have arrived, and more where the stage's sum counts delays of earlier
phases (`earlier-phases`). What survives in all readings is `@repaired`: the estimate at
least doubles and is at most twice the sum that triggered the restart, which is at most D; this is
all that the count of stages needs.
"""

import itertools

from pbverify import Lemma, ProofsOf, chosen, equal, every, for_all_sizes, leq, less, preset, says
from pbverify.paper.cases.phase_families import adversarial
from pbverify.paper.cases.run_families import (
    SHORT_BUDGET,
    by_reading,
    every_short_run,
    first_soft_restart,
    generated_runs,
    lopsided,
    number_of_short_runs,
    quickened,
    restarting_and_generated,
)
from pbverify.paper.cases.run_families.adversarial import long_runs
from pbverify.paper.sorts import RUNS

theory = ProofsOf("pbverify.paper.theories.delays.doubling")


def estimate_does_not_decrease(run):
    for change in run.stage_changes:
        yield leq(change.before, change.after, side="lower", t=change.round)


def estimate_lt_twice_the_last_phase(run):
    for change in run.stage_changes:
        delay = run.delay_between(change.start, change.round)
        yield less(change.after, 2 * delay, side="upper", t=change.round)


def estimate_le_twice_the_last_phase(run):
    for change in run.stage_changes:
        delay = run.delay_between(change.start, change.round)
        yield leq(change.after, 2 * delay, t=change.round)


def estimate_lt_twice_every_phase(run):
    following = {int(run.trace["stage"][c.round - 1]) - 1: c.after for c in run.stage_changes}
    for phase in run.phases:
        if phase.stage in following:
            delay = run.delay_between(phase.start, phase.end)
            yield less(following[phase.stage], 2 * delay, start=phase.start, end=phase.end)


def last_estimate_lt_twice_the_last_phase(run):
    """The last stage, whose estimate "remains constant": D^_(s+1) = D^_s."""
    phase = run.phases[-1]
    delay = run.delay_between(phase.start, phase.end)
    yield less(run.stage_of(phase).estimate, 2 * delay, start=phase.start, end=phase.end)


def ends_at_the_horizon(run):
    return bool(run.phases) and run.phases[-1].ended == "horizon"


def of_a_phase_that_ended_softly(run, pair):
    start = pair.where["start"]
    return any(p.start == start and p.ended == "soft restart" for p in run.phases)


def stages_le_logarithm(run):
    """S <= ceil(log2 D) + 1 on integers: ceil(log2 D) is the bit length of D - 1."""
    D, stages = run.instance.delays.total, len(run.stage_changes) + 1
    yield leq(stages, (D - 1).bit_length() + 1, D=D)


def stages_le_logarithm_rounded_down(run):
    """floor(log2 D) is the bit length of D, less one."""
    D, stages = run.instance.delays.total, len(run.stage_changes) + 1
    yield leq(stages, D.bit_length(), D=D)


def estimate_doubles(run):
    for change in run.stage_changes:
        yield equal(change.after, 2 * change.before, t=change.round)


def estimate_at_least_doubles(run):
    for change in run.stage_changes:
        yield leq(2 * change.before, change.after, side="lower", t=change.round)


def estimate_le_twice_the_total(run):
    for change in run.stage_changes:
        total = run.delay_between(1, change.round)
        yield leq(change.after, 2 * total, side="upper", t=change.round)


def estimate_taken_after_the_stage_counter(run):
    """With s raised first, D_t^(s) is the new stage's delay: it starts in round t + 1, so 0.

    Twice 0 is 0, and 2^ceil(log2 0) is read as the limit 0.
    """
    for change in run.stage_changes:
        delay_of_the_new_stage = run.delay_between(change.round + 1, change.round)
        yield leq(change.before, 2 * delay_of_the_new_stage, t=change.round)


def a_stage_ends(run):
    return bool(run.stage_changes)


def some_delay(run):
    return run.instance.delays.total >= 1


def softly_before_hard(run):
    return any(
        phase.ended == "soft restart" and phase.end < change.round
        for phase in run.phases
        for change in run.stage_changes
    )


@by_reading
def just_above_powers_of_two(reading):
    """A delay known in the first round, which makes the estimate almost twice the total."""
    return [lopsided(reading, [2**n + 1, 0]) for n in (7, 10)]


def phases_without_delay(reading):
    """Ever longer horizons, with one delay of 2 after the round that ends the first phase.

    The budget is the reading's own.
    """
    own = preset(reading)
    for T in itertools.count(90, 5):
        end = first_soft_restart(own, T)
        if end is not None and end + 4 <= T:
            yield lopsided(own, [0] * end + [2] + [0] * (T - end - 1))


def delays_in_two_phases(reading):
    """The first round is late by 1, and so is one after the first soft restart; own budget."""
    own = preset(reading)
    for T in itertools.count(850, 5):
        end = first_soft_restart(own, T)
        if end is not None and end + 6 <= T:
            yield lopsided(own, [1] + [0] * (end + 1) + [1] + [0] * (T - end - 3))


RESTARTING, GENERATED = restarting_and_generated(share=10)
ON_RUNS = (
    every(
        by_reading(lambda reading: every_short_run(reading, rounds=4, delay=2)),
        count=number_of_short_runs(rounds=4, delay=2),
        scope="T <= 4, delays <= 2, all actions",
    ),
    every(
        by_reading(lambda reading: every_short_run(quickened(reading), rounds=3, delay=3)),
        count=number_of_short_runs(rounds=3, delay=3),
        scope=f"T, delays <= 3, all actions, R^ = {SHORT_BUDGET}",
    ),
    RESTARTING,
    chosen(adversarial, scope="adversarial delays"),
    chosen(lambda reading: long_runs(preset(reading), rounds=100_000), scope="100,000 rounds"),
    chosen(just_above_powers_of_two, scope="a delay just above a power of two"),
    GENERATED,
)


def routes(proof, **options):
    """For all runs; and all short and some long ones, independently of the proof."""
    return (for_all_sizes(proof, generated_runs, **options), *ON_RUNS)


LEMMA = Lemma(
    "doubling-estimate",
    says(
        "D^_s <= D^_(s+1) < 2 (d_start + ... + d_t) for every stage that ends",
        estimate_does_not_decrease,
        estimate_lt_twice_the_last_phase,
        given=a_stage_ends,
        by=routes(theory.ESTIMATE, readings=("appendix", "repaired")),
    ),
    says(
        "D^_(s+1) <= 2 (d_start + ... + d_t) for every stage that ends, of the last phase",
        estimate_le_twice_the_last_phase,
        step="earlier-phases",
        given=a_stage_ends,
        must_meet={},
        by=chosen(delays_in_two_phases),
    ),
    says(
        "D^_(s+1) < 2 (d_start + ... + d_end) for every phase of a stage that ends",
        estimate_lt_twice_every_phase,
        step="every-phase",
        given=a_stage_ends,
        must_meet={},
        keeps={"the phase ended by a soft restart": of_a_phase_that_ended_softly},
        by=chosen(phases_without_delay),
    ),
    says(
        "D^_s < 2 (d_start + ... + d_end) for the last phase of the last stage, D^_(s+1) = D^_s",
        last_estimate_lt_twice_the_last_phase,
        step="last-stage",
        given=ends_at_the_horizon,
        must_meet={},
        by=ON_RUNS[0],
    ),
    says(
        "D^_(s+1) = 2 D^_s for every stage that ends",
        estimate_doubles,
        step="roadmap-update",
        given=a_stage_ends,
        must_meet={},
        by=ON_RUNS[0],
    ),
    says(
        "D^_s <= D^_(s+1), with the lines 's <- s + 1, D^_s <- ... D_t^(s)' in the printed order",
        estimate_taken_after_the_stage_counter,
        step="printed-order",
        given=a_stage_ends,
        must_meet={},
        by=ON_RUNS[0],
    ),
    says(
        "S <= ceil(log2 D) + 1 if D >= 1",
        stages_le_logarithm,
        step="number-of-stages",
        given=some_delay,
        by=routes(theory.NUMBER_OF_STAGES),
    ),
    says(
        "S <= floor(log2 D) + 1 if D >= 1",
        stages_le_logarithm_rounded_down,
        step="number-of-stages/floor",
        given=some_delay,
        by=routes(theory.NUMBER_OF_STAGES_FLOOR),
    ),
    says(
        "2 D^_s <= D^_(s+1) <= 2 (d_1 + ... + d_t) for every stage that ends",
        estimate_at_least_doubles,
        estimate_le_twice_the_total,
        step="@repaired",
        given=a_stage_ends,
        by=routes(theory.REPAIRED_ESTIMATE),
    ),
    about=RUNS,
    must_meet={
        "a soft restart before a hard one": softly_before_hard,
        "at least three stages": lambda run: len(run.stage_changes) >= 2,
    },
)
