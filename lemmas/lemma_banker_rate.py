r"""Why Prudent-Banker pays sqrt(D/delta): two properties of its backbone. Not in the paper.

At a constant delay d and a constant scale, round t of Banker-OMD is paid for by round t - d - 1
alone, and the first d + 1 rounds are borrowed (`interleaved`). So it is d + 1 learners that take
turns, each of which sees T/(d + 1) rounds: sqrt((d + 1) T/delta) in regret.

If only the comparator's arm loses (losses (1, 0), comparator (1 - delta, delta)), a stage of n
rounds with budget R^ > 1 pays, on every path and in every reading (`first-phase`),

    sum of x_t(1) >= (1 - 1/R^) (1 - delta) min(n, 2 (R^ - 1)),

because a gap above 2 R^ takes more than 2 (R^ - 1) rounds of phase 1. As R^ is of the order of
sqrt(D ln(D + 1)/delta), so is the regret. Prudent-EXP3 has no such factor: see `prudent-exp3`.
"""

from fractions import Fraction

import hypothesis
from flint import fmpq
from hypothesis import strategies as st

from pbverify import (
    Lemma,
    ProofsOf,
    chosen,
    equal,
    every,
    for_all_sizes,
    generated,
    leq,
    preset,
    says,
)
from pbverify.errors import ImprobableActionError
from pbverify.numerics import Truth, less, to_fmpq
from pbverify.paper.cases.prudent_exp3.constant_ledger import ConstantLedger, constant_ledgers
from pbverify.paper.cases.run_families import by_reading, lopsided
from pbverify.paper.proofs.first_phase import stages
from pbverify.paper.sorts import CONSTANT_LEDGERS, RUNS

interleaved = ProofsOf("pbverify.paper.theories.banker.interleaved")
first_phase = ProofsOf("pbverify.paper.theories.banker.first_phase")


def each_round_is_paid_by_one(ledger):
    for t, draw in enumerate(ledger.draws, start=1):
        source = t - ledger.delay - 1
        if source < 1:
            yield equal(draw.borrowed, to_fmpq(ledger.scale), t=t)
        else:
            yield equal(draw.borrowed, 0, t=t)
            yield equal(dict(draw.shares).get(source, fmpq(0)), to_fmpq(ledger.scale), t=t)


def stage_pays_at_least(run):
    safe = to_fmpq(run.instance.comparator[0])
    for stage in stages(run):
        if less(1, stage.budget) is Truth.YES:
            longest = 2 * (stage.budget - 1)
            is_short = less(longest, len(stage.rounds)) is Truth.NO
            rounds = len(stage.rounds) if is_short else longest
            paid = sum((run.law(t)[0] for t in stage.rounds), fmpq(0))
            yield leq((1 - 1 / stage.budget) * safe * rounds, paid, stage=stage.number)


def small_ledgers(profile):
    for rounds in range(1, profile.exhaustive_size + 4):
        for delay in range(rounds + 1):
            yield ConstantLedger(rounds, delay, Fraction(1))


def number(profile):
    return sum(n + 1 for n in range(1, profile.exhaustive_size + 4))


COMPARATORS = ((Fraction(3, 4), Fraction(1, 4)), (Fraction(9, 10), Fraction(1, 10)))


@by_reading
def steep(reading):
    """The bad arm is played for some rounds, or now and then; with the printed budget, too."""
    for safe in COMPARATORS:
        for delays in ([0] * 14, [1] * 14, [3, 0, 0, 1, 0, 0, 2, 0, 0, 0]):
            for bad in (3, 6):
                actions = [int(t >= bad) for t in range(len(delays))]
                yield lopsided(reading, delays, actions=actions, comparator=safe)
                for budget in (Fraction(3, 2), Fraction(5, 2)):
                    own = reading.with_options(budget=budget, slack=0)
                    yield lopsided(own, delays, actions=actions, comparator=safe)


@st.composite
def any_steep(draw, reading):
    rounds = draw(st.integers(1, 12))
    delays = draw(st.lists(st.integers(0, 3), min_size=rounds, max_size=rounds))
    actions = draw(st.lists(st.integers(0, 1), min_size=rounds, max_size=rounds))
    budget = draw(st.sampled_from([Fraction(5, 4), Fraction(2), Fraction(7, 2)]))
    own, safe = reading.with_options(budget=budget, slack=0), draw(st.sampled_from(COMPARATORS))
    try:
        return lopsided(own, delays, actions=actions, comparator=safe)
    except ImprobableActionError:
        hypothesis.reject()


def strategy(reading):
    return any_steep(preset(reading))


LEMMA = Lemma(
    "banker-rate",
    says(
        "at constant delay d and scale, round t is paid for by round t - d - 1 alone",
        each_round_is_paid_by_one,
        step="interleaved",
        about=CONSTANT_LEDGERS,
        by=(
            for_all_sizes(interleaved.INTERLEAVED, constant_ledgers()),
            every(
                small_ledgers,
                count=number,
                scope=lambda profile: f"T <= {profile.exhaustive_size + 3}, d <= T",
            ),
            generated(constant_ledgers),
        ),
        must_meet={
            "a delay": lambda ledger: 0 < ledger.delay < ledger.rounds - 1,
            "no delay": lambda ledger: ledger.delay == 0,
        },
    ),
    says(
        "on losses (1, 0) a stage of n rounds pays at least "
        "(1 - 1/R^) (1 - delta) min(n, 2 (R^ - 1))",
        stage_pays_at_least,
        step="first-phase",
        about=RUNS,
        by=(
            for_all_sizes(first_phase.FIRST_PHASE, strategy),
            chosen(steep, scope="losses (1, 0), three delay sequences"),
            generated(strategy, share=5),
        ),
        must_meet={
            "a soft restart": lambda run: bool(run.trace["soft_restart"].any()),
            "a stage that ends in its first phase": lambda run: any(
                stage.first == len(stage.rounds) for stage in stages(run)
            ),
        },
    ),
)
