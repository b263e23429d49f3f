r"""Simulation of a delayed learner by a batched one (pblem:delay-to-batch).

Take admissible delays with greedy buckets, a bucket j, and any delayed learner. There is a batched
learner with blocks L_j..L_M that, for every block losses g, plays slot by slot what the delayed
learner plays on the losses that are 0 before b_j and g afterwards; so both have the same regret to
every comparator. The construction is `pbverify.batched.simulated.Simulated`; it works with any
learner that follows the protocol. Both games are played with the same uniforms, and actions, laws
and exact regrets are compared.

Step: what is due before or at a round of bucket m was generated before bucket m began.

Kind: construction; pathwise. Uses: greedy-buckets/exist.

Erratum: the proof mixes two conventions. It announces that feedback with reveal time t = u + d_u is
delivered immediately before the action of round t, and does so for the zero prefix; the feedback of
the suffix it stores with availability time u + d_u + 1, one round later, and drops it if that is
T + 1. With either convention alone the lemma holds; the printed mixture plays another game
(`delay-to-batch/printed-arrival`).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

from pbverify.claims.assumptions import without
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.judging import survive, visit
from pbverify.claims.profile import Profile
from pbverify.paper.kernels.walks import exhausted, unordered
from pbverify.paper.lower_bound.batched_game import Transcript
from pbverify.paper.lower_bound.buckets import Bucketing, all_admissible, all_bucketings
from pbverify.paper.lower_bound.families import bucketings, simulations
from pbverify.paper.lower_bound.learners import DELAYED
from pbverify.paper.lower_bound.simulation import Convention, Simulation, as_fractions, vertices
from pbverify.paper.lower_bound.without_assumptions import loud
from pbverify.paper.sorts import BUCKETINGS, SIMULATIONS
from pbverify.pytest_plugin import Judge

LABEL = "pblem:delay-to-batch"


def same_actions(both: Simulation, batched: Transcript) -> Iterator[Pair]:
    suffix = both.delayed.actions[both.first - 1 :]
    for t, (left, right) in enumerate(zip(suffix, batched.actions, strict=True), both.first):
        yield Pair(right, left, Relation.EQUAL, where={"action": "batched = delayed", "t": t})


def actions_agree(both: Simulation) -> Iterator[Pair]:
    yield from same_actions(both, both.batched)


def laws_agree(both: Simulation) -> Iterator[Pair]:
    suffix = both.delayed.laws[both.first - 1 :]
    for t, (left, right) in enumerate(zip(suffix, both.batched.laws, strict=True), both.first):
        pairs = zip(as_fractions(right), as_fractions(left), strict=True)
        for arm, (batched, delayed) in enumerate(pairs):
            yield Pair(batched, delayed, Relation.EQUAL, where={"law": "=", "t": t, "arm": arm})


def regrets_agree(both: Simulation) -> Iterator[Pair]:
    for arm, vertex in enumerate(vertices(both.arms)):
        delayed = both.delayed.regret(both.delayed_losses, vertex)
        batched = both.batched.regret(both.losses, vertex)
        yield Pair(batched, delayed, Relation.EQUAL, where={"regret to arm": arm})


def feedback_is_known_in_time(cut: Bucketing) -> Iterator[Pair]:
    """Of what arrives at the end of round t, the source's bucket ended by round t."""
    for convention, bucket in itertools.product(Convention, cut.buckets):
        for u in bucket.rounds:
            arrival = convention.arrival(u, cut.delay(u))
            where: dict[str, int | str] = {"convention": convention.value, "u": u}
            yield Pair(bucket.end - 1, arrival, where=where)


def printed_simulator_agrees(both: Simulation) -> Iterator[Pair]:
    """The proof's own rules: prefix delivered before round u + d_u, suffix one round later."""

    def printed(u: int, delay: int) -> int:
        rule = Convention.BEFORE if u < both.first else Convention.AFTER
        return rule.arrival(u, delay)

    yield from same_actions(both, both.batched_with(printed))


def delays_never_increase(both: Simulation) -> bool:
    return both.bucketing.is_admissible


def feedback_comes_before_the_action(both: Simulation) -> bool:
    return both.convention is Convention.BEFORE


REGIMES: dict[str, Callable[[Simulation], bool]] = {
    "feedback before the action": lambda both: both.convention is Convention.BEFORE,
    "feedback after the round": lambda both: both.convention is Convention.AFTER,
    "a prefix of zero losses": lambda both: both.j > 1,
    "several blocks": lambda both: len(both.bucketing.buckets) > both.j,
    "a block of several slots": lambda both: both.bucketing.lengths[both.j - 1] > 1,
    "an action that depends on feedback": lambda both: len(set(both.delayed.laws)) > 1,
}

STATEMENT = Claim(
    "delay-to-batch",
    kind=Kind.PATHWISE,
    statement="same actions, laws and regrets in the delayed and in the batched game",
    then=(actions_agree, laws_agree, regrets_agree),
    given=(delays_never_increase,),
    must_meet=REGIMES,
    label=LABEL,
    about=SIMULATIONS,
)
AVAILABLE = Claim(
    "delay-to-batch/available",
    kind=Kind.COMBINATORIAL,
    statement="feedback of bucket m arrives no earlier than the end of the bucket's last round",
    then=(feedback_is_known_in_time,),
    must_meet={"several buckets": lambda cut: len(cut.buckets) > 1},
    label=LABEL,
    about=BUCKETINGS,
)
PRINTED = Claim(
    "delay-to-batch/printed-arrival",
    kind=Kind.CONSTRUCTION,
    statement="the simulator as printed plays like the learner under the convention it announces",
    then=(printed_simulator_agrees,),
    given=(feedback_comes_before_the_action,),
    label=LABEL,
    about=SIMULATIONS,
)
CLAIMS = (STATEMENT, AVAILABLE, PRINTED)

# Known false: actions are not off by one, and feedback may arrive right at the end of its bucket.
ACTIONS_SHIFTED = STATEMENT.sharpened(actions_agree, by=1)
REGRETS_SHIFTED = STATEMENT.sharpened(regrets_agree, by=1)
TOO_EARLY = AVAILABLE.sharpened(feedback_is_known_in_time, by=1)


def committed(cut: Bucketing, loss: Fraction) -> Simulation:
    """The deterministic learner that tries arm 1 once, on losses 1/2 and a constant for arm 1."""
    losses = ((Fraction(1, 2), loss),) * cut.horizon
    return Simulation(cut, 1, Convention.BEFORE, losses, DELAYED["committer"], seed=0)


def every_committed(
    horizon: int, cuts: Callable[..., Iterator[Bucketing]] = all_admissible
) -> Iterator[Simulation]:
    for cut in cuts(horizon=horizon):
        for loss in (Fraction(0), Fraction(1)):
            yield committed(cut, loss)


# The definition of a bucket is all that the simulation needs: the order only makes it useful.
ABLATIONS = (
    without(
        STATEMENT,
        "non-increasing delays",
        cases=lambda: every_committed(4, all_bucketings),
        scope="a deterministic learner on all delays 1 <= d_t <= T + 1 - t, T <= 4",
        needed=False,
        why="in a bucket t + d_t >= its end, which is all that the simulation uses",
    ),
    unordered(AVAILABLE, horizon=5, needed=False),
    loud(STATEMENT),
)


def test_all_learners(judge: Judge, profile: Profile) -> None:
    """On generated delays, losses and seeds no learner of the list plays differently."""
    judge(survive(STATEMENT, simulations(), examples=profile.examples // 2))


def test_every_learner_is_met(profile: Profile) -> None:
    """Each learner by name, under both conventions, on longer games."""
    for contender in DELAYED.values():
        generated = simulations(max_length=30, contenders=(contender,))
        verdict = survive(STATEMENT, generated, examples=max(20, profile.examples // 30))
        assert verdict.witness is None, contender.name


def test_feedback_is_available(judge: Judge, profile: Profile) -> None:
    """In both conventions all that is due was generated before the bucket began."""
    judge(exhausted(AVAILABLE, horizon=profile.exhaustive_size + 2))
    judge(survive(AVAILABLE, bucketings(), examples=profile.examples // 5))


def test_regimes_count_buckets() -> None:
    """Delays of 1 make a bucket of each round."""
    several_buckets = AVAILABLE.must_meet["several buckets"]
    assert not several_buckets(Bucketing((1,)))
    assert several_buckets(Bucketing((1, 1)))


def test_printed_simulator(judge: Judge) -> None:
    """The simulator with the proof's own arrival times plays another game within two rounds."""
    verdict = visit(PRINTED, every_committed(3), scope="a deterministic learner, T <= 3")
    judge(verdict, of=PRINTED)
    assert verdict.witness is not None
    assert verdict.witness.subject["parameters"]["delays"] == [1, 1]


def test_assumptions(judge: Judge) -> None:
    """The order of the delays is dropped, or the prefix has losses."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_stronger_versions_are_refuted(judge: Judge, profile: Profile) -> None:
    """Claims sharpened by one fall, and their witnesses replay."""
    for claim in (ACTIONS_SHIFTED, REGRETS_SHIFTED):
        judge.teeth(visit(claim, every_committed(1), scope=""), of=claim)
    judge.teeth(exhausted(TOO_EARLY, horizon=2), of=TOO_EARLY)


def test_a_simulator_that_cheats_is_caught() -> None:
    """Feedback handed over one round early or late changes what some learner plays."""

    class Cheat(Simulation):
        shift = 0

        @property
        def batched(self) -> Transcript:
            return self.batched_with(lambda u, d: self.convention.arrival(u, d) + self.shift)

    class Early(Cheat):
        shift = -1

    class Late(Cheat):
        shift = 1

    for cheat, convention in itertools.product((Early, Late), Convention):
        honest = [dataclasses.replace(each, convention=convention) for each in every_committed(4)]
        fields = [field.name for field in dataclasses.fields(Simulation)]
        wrong = [cheat(**{name: getattr(each, name) for name in fields}) for each in honest]
        assert visit(STATEMENT, wrong, scope="").witness is not None, (cheat, convention)
