r"""The schedules that the theorem states, along real runs (thm:main, Proof Roadmap).

    scales      sigma_t = sqrt(C2/C1) / (1/sqrt(t - start + 1) + d_t sqrt(ln(M_t + 1)/M_t))
    aggression  alpha_k = 2^(k-1)/R^

    restarts    a round ends its phase softly exactly if alpha < 1 and the gap of the feedback that
                has arrived exceeds 2 R^ + xi^ (best response; main text: against x^_u)
    counters    s and D^_s change at hard restarts only, s by one, D^_1 = 1; k is 1 at first and
                after a hard restart, and grows by one at a soft restart

where d_t counts the phase's rounds missing when t is played and M_t adds the counts up. These are
definitions; they are judged because every other claim stands on them, and because they tie the
traces to the delays.

Erratum: the Roadmap prints alpha without the cap at 1 that both algorithms have. Unless R^ is a
power of two, the last phase has 2^(k-1) > R^, and the Roadmap's alpha is no weight of a mixture;
`aggression@repaired` is min(2^(k-1)/R^, 1).

Two more sentences about the schedule are false. "The algorithm essentially pauses learning during
high-latency periods" (`pauses`): the learning rate 1/sigma_t is larger, not smaller, while feedback
is outstanding. And the appendix's pseudocode leaves a round with a hard restart by `continue`,
before an action is sampled (`every-round-plays`); we play the mixture there.
"""

from fractions import Fraction

from flint import fmpq

from pbverify import (
    Lemma,
    ProofsOf,
    chosen,
    equal,
    for_all_sizes,
    leq,
    less,
    numerics,
    preset,
    says,
)
from pbverify.paper.cases.phase_families import bold_exits, own_budget
from pbverify.paper.cases.run_families import generated_runs, lopsided, restarting_and_generated
from pbverify.paper.formulas.algorithm import DELAY_TERM, SCALE
from pbverify.paper.proofs.phase_sums import against_comparator, arrived, gaps
from pbverify.paper.sorts import RUNS

aggression = ProofsOf("pbverify.paper.theories.delays.aggression")
schedule = ProofsOf("pbverify.paper.theories.delays.schedule")


def scales_follow_the_delays(run):
    balls, (C1, C2) = numerics.BallArithmetic(), run.schedule.constants
    for phase in run.phases:
        last = phase.last_played
        missing = run.instance.delays.outstanding(phase.start, last).tolist()
        mass = run.instance.delays.cumulative_outstanding(phase.start, last).tolist()
        for t, d, M in zip(phase.played, missing, mass, strict=True):
            late = DELAY_TERM(balls, d=fmpq(d), D=fmpq(M)) if d else fmpq(0)
            scale = SCALE(balls, C1=C1, C2=C2, t=fmpq(t - phase.start + 1), w=late)
            yield equal(run.step(t).scale, scale, t=t)


def aggression_doubles(run):
    for phase in run.phases:
        doubled = fmpq(2 ** (phase.number - 1)) / run.stage_of(phase).budget
        yield equal(run.alpha(phase), doubled, start=phase.start)


def aggression_doubles_up_to_one(run):
    for phase in run.phases:
        doubled = fmpq(2 ** (phase.number - 1)) / run.stage_of(phase).budget
        is_one = numerics.leq(1, doubled) is numerics.Truth.YES
        yield equal(run.alpha(phase), fmpq(1) if is_one else doubled, start=phase.start)


def gaps_of_the_reading(run, phase):
    """(t, gap) for each round t of the phase in which some of its feedback arrives."""
    if run.trace.reading.gap == "best-response":
        yield from gaps(run, phase)
        return
    for t in phase.played:
        if any(u + run.delays[u - 1] == t for u in phase.played):
            yield t, -against_comparator(run, arrived(run, phase, at=t), base=True)


def restarts_follow_the_test(run):
    for phase in run.phases:
        alpha, threshold = run.alpha(phase), run.stage_of(phase).threshold
        for t, gap in gaps_of_the_reading(run, phase):
            if run.trace["soft_restart"][t - 1]:
                yield less(threshold, gap, t=t, side="restart")
                yield less(alpha, 1, t=t, side="alpha")
            elif alpha != 1:
                yield leq(gap, threshold, t=t, side="none")


def counters_follow_the_restarts(run):
    trace, stage, phase, estimate = run.trace, 1, 1, 1
    for t in range(1, run.instance.rounds + 1):
        if trace["hard_restart"][t - 1]:
            stage, phase, estimate = stage + 1, 1, int(trace["delay_estimate"][t - 1])
        elif t > 1 and trace["soft_restart"][t - 2]:
            phase += 1
        yield equal(int(trace["stage"][t - 1]), stage, t=t, counter="stage")
        yield equal(int(trace["phase"][t - 1]), phase, t=t, counter="phase")
        yield equal(int(trace["delay_estimate"][t - 1]), estimate, t=t, counter="estimate")


def rate_falls_while_feedback_is_outstanding(run):
    """1/sigma_t is at most what it is with nothing outstanding: sigma_t >= sqrt(C2/C1) sqrt(t~)."""
    balls, (C1, C2) = numerics.BallArithmetic(), run.schedule.constants
    for phase in run.phases:
        missing = run.instance.delays.outstanding(phase.start, phase.last_played).tolist()
        for t, d in zip(phase.played, missing, strict=True):
            if d:
                scale = SCALE(balls, C1=C1, C2=C2, t=fmpq(t - phase.start + 1), w=fmpq(0))
                yield leq(scale, run.step(t).scale, t=t)


def every_round_samples_an_action(run):
    """Of the T rounds those with a hard restart reach no line that samples one."""
    played = sum(len(phase.played) for phase in run.phases)
    yield leq(run.instance.rounds, played, counted="rounds")


def gaps_at_the_threshold(reading):
    """All feedback arrives at once, x^_u = x_0, and the gap is the threshold: 3, or 4 (main)."""
    rounds, slack = (6, Fraction(4, 3)) if reading == "main" else (2, Fraction(1, 3))
    options = {"budget": Fraction(4, 3), "slack": slack, "rounding": "none"}
    comparator = (Fraction(9, 10), Fraction(1, 10))
    reading = preset(reading).with_options(**options)
    yield lopsided(reading, range(rounds - 1, -1, -1), comparator=comparator)


def restarts_softly_and_hard(run):
    return bool(run.trace["soft_restart"].any() and run.trace["hard_restart"].any())


def routes(proof):
    """For all runs; and some of them, independently of the proof."""
    first = for_all_sizes(proof, generated_runs)
    return (first, *restarting_and_generated(share=10))


LEMMA = Lemma(
    "schedule",
    says(
        "sigma_t = sqrt(C2/C1) / (1/sqrt(t~) + d_t sqrt(ln(M_t + 1)/M_t))",
        scales_follow_the_delays,
        step="scales",
        by=routes(schedule.SCALES),
    ),
    says(
        "alpha_k = 2^(k-1)/R^",
        aggression_doubles,
        step="aggression",
        by=(chosen(bold_exits, scope="own budget"), *restarting_and_generated(share=10)),
    ),
    says(
        "alpha_k = min(2^(k-1)/R^, 1)",
        aggression_doubles_up_to_one,
        step="aggression@repaired",
        by=routes(aggression.AGGRESSION),
    ),
    says(
        "a round restarts softly exactly if alpha < 1 and its gap exceeds 2 R^ + xi^",
        restarts_follow_the_test,
        step="restarts",
        by=(
            chosen(gaps_at_the_threshold, scope="a gap at its threshold"),
            *restarting_and_generated(share=10),
        ),
    ),
    says(
        "s counts hard restarts, k the soft ones since the last; D^_1 = 1, constant in a stage",
        counters_follow_the_restarts,
        step="counters",
        by=restarting_and_generated(share=10),
    ),
    says(
        "while feedback is outstanding, 1/sigma_t <= sqrt(C1/C2)/sqrt(t~)",
        rate_falls_while_feedback_is_outstanding,
        step="pauses",
        by=chosen(own_budget, scope="own budget"),
        must_meet={},
    ),
    says(
        "every round samples an action",
        every_round_samples_an_action,
        step="every-round-plays",
        by=chosen(own_budget, scope="own budget"),
        must_meet={},
    ),
    about=RUNS,
    must_meet={
        "a soft and a hard restart": restarts_softly_and_hard,
        "alpha = 1": lambda run: any(alpha == 1 for alpha in run.trace["alpha"]),
    },
)
