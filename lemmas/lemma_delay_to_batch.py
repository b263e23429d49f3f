r"""Simulation of a delayed learner by a batched one (pblem:delay-to-batch).

Take admissible delays with greedy buckets, a bucket j, and any delayed learner. There is a batched
learner with blocks L_j..L_M that, for every block losses g, plays slot by slot what the delayed
learner plays on the losses that are 0 before b_j and g afterwards; so both have the same regret to
every comparator. The construction is `Simulated` in `pbverify.paper.lower_bound.simulation`; it
works with any learner that follows the protocol. Both games are played with the same uniforms, and
actions, laws and exact regrets are compared.

Step: what is due before or at a round of bucket m was generated before bucket m began.

Erratum: the proof mixes two conventions. It announces that feedback with reveal time t = u + d_u is
delivered immediately before the action of round t, and does so for the zero prefix; the feedback of
the suffix it stores with availability time u + d_u + 1, one round later, and drops it if that is
T + 1. With either convention alone the lemma holds; the printed mixture plays another game
(`delay-to-batch/printed-arrival`).
"""

import functools
import itertools

from pbverify import Lemma, ProofsOf, chosen, drop, equal, for_all_sizes, generated, leq, says
from pbverify.paper.kernels.walks import ALL_SHORT_SEQUENCES, unordered
from pbverify.paper.lower_bound.buckets import all_bucketings
from pbverify.paper.lower_bound.families import bucketings, committed_simulations, simulations
from pbverify.paper.lower_bound.simulation import Convention, as_fractions, vertices
from pbverify.paper.lower_bound.without_assumptions import loud
from pbverify.paper.sorts import BUCKETINGS, SIMULATIONS

buckets = ProofsOf("pbverify.paper.theories.batches.buckets")
simulation = ProofsOf("pbverify.paper.theories.batches.simulation")


def same_actions(both, batched):
    suffix = both.delayed.actions[both.first - 1 :]
    for t, (left, right) in enumerate(zip(suffix, batched.actions, strict=True), both.first):
        yield equal(right, left, action="batched = delayed", t=t)


def actions_agree(both):
    yield from same_actions(both, both.batched)


def laws_agree(both):
    suffix = both.delayed.laws[both.first - 1 :]
    for t, (left, right) in enumerate(zip(suffix, both.batched.laws, strict=True), both.first):
        pairs = zip(as_fractions(right), as_fractions(left), strict=True)
        for arm, (batched, delayed) in enumerate(pairs):
            yield equal(batched, delayed, law="=", t=t, arm=arm)


def regrets_agree(both):
    for arm, vertex in enumerate(vertices(both.arms)):
        delayed = both.delayed.regret(both.delayed_losses, vertex)
        batched = both.batched.regret(both.losses, vertex)
        yield equal(batched, delayed, **{"regret to arm": arm})


def feedback_is_known_in_time(cut):
    """Of what arrives at the end of round t, the source's bucket ended by round t."""
    for convention, bucket in itertools.product(Convention, cut.buckets):
        for u in bucket.rounds:
            arrival = convention.arrival(u, cut.delay(u))
            yield leq(bucket.end - 1, arrival, convention=convention.value, u=u)


def printed_simulator_agrees(both):
    """The proof's own rules: prefix delivered before round u + d_u, suffix one round later."""

    def printed(u, delay):
        rule = Convention.BEFORE if u < both.first else Convention.AFTER
        return rule.arrival(u, delay)

    yield from same_actions(both, both.batched_with(printed))


def delays_never_increase(both):
    return both.bucketing.is_admissible


def feedback_comes_before_the_action(both):
    return both.convention is Convention.BEFORE


LEMMA = Lemma(
    "delay-to-batch",
    says(
        "same actions, laws and regrets in the delayed and in the batched game",
        actions_agree,
        laws_agree,
        regrets_agree,
        given=delays_never_increase,
        must_meet={
            "feedback before the action": lambda both: both.convention is Convention.BEFORE,
            "feedback after the round": lambda both: both.convention is Convention.AFTER,
            "a prefix of zero losses": lambda both: both.j > 1,
            "several blocks": lambda both: len(both.bucketing.buckets) > both.j,
            "a block of several slots": lambda both: both.bucketing.lengths[both.j - 1] > 1,
            "an action that depends on feedback": lambda both: len(set(both.delayed.laws)) > 1,
        },
        by=(
            for_all_sizes(simulation.SAME_GAME, simulations(max_length=8)),
            generated(simulations, share=2),
        ),
        drops=(
            drop(
                "non-increasing delays",
                cases=lambda: committed_simulations(horizon=4, cuts=all_bucketings),
                scope="a deterministic learner on all delays 1 <= d_t <= T + 1 - t, T <= 4",
                needed=False,
                why="in a bucket t + d_t >= its end, which is all that the simulation uses",
            ),
            loud,
        ),
    ),
    says(
        "feedback of bucket m arrives no earlier than the end of the bucket's last round",
        feedback_is_known_in_time,
        step="available",
        about=BUCKETINGS,
        must_meet={"several buckets": lambda cut: len(cut.buckets) > 1},
        by=(
            for_all_sizes(buckets.ARRIVALS, bucketings(max_length=20)),
            ALL_SHORT_SEQUENCES,
            generated(bucketings, share=5),
        ),
        drops=functools.partial(unordered, horizon=5, needed=False),
    ),
    says(
        "the simulator as printed plays like the learner under the convention it announces",
        printed_simulator_agrees,
        step="printed-arrival",
        given=feedback_comes_before_the_action,
        by=chosen(
            lambda: committed_simulations(horizon=3), scope="a deterministic learner, T <= 3"
        ),
    ),
    about=SIMULATIONS,
)
