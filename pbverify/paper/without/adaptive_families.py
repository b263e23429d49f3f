r"""Families against an adversary that is not oblivious, and the rows that try claims there.

Losses may tell what was played in an earlier round, also in one whose feedback is still missing;
the losses of a round may depend on its own action; feedback may be late or not, depending on the
action that it is about. Each game is small, and all its paths are looked at.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from pbverify.claims.assumptions import Ablation, without
from pbverify.claims.claim import Claim, Conclusion, Pair
from pbverify.numerics import Number
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.all_paths import Ensemble, PathPhase
from pbverify.paper.cases.phase import Window
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import EVEN
from pbverify.paper.proofs.bounds_in_expectation import cost
from pbverify.paper.without.bounded_losses_and_margin import quick, restated
from pbverify.paper.without.oblivious_adversary import Actions, AdaptiveGame, Move, over_branches

LOSSES = "losses do not depend on earlier actions"
OWN_LOSS = "the losses of a round do not depend on its own action"
DELAYS = "delays do not depend on the actions"
REALISED = "on a path, replies to the actions are a sequence that was fixed before"
TELLING = "losses that tell what was played in round 1 or 2, all paths of 4 rounds"
LATE_IF_PLAYED = "feedback that is late if arm 1 was played, all paths of 2 to 4 rounds"

Rows = Sequence[Sequence[int]]
SOON = Fraction(9, 8)
"""A budget that lets phases end within three rounds."""


def base_regret_le_cost(ensemble: Ensemble) -> Iterator[Pair]:
    """E[sum <l_t, x^_t - x>] <= E[Q] in the first phase."""
    bound = ensemble.expectation(1, lambda phase: cost(ensemble, phase))
    for arm in range(ensemble.instance.arms):

        def regret(phase: PathPhase, arm: int = arm) -> Number:
            terms = (
                ensemble.expected_loss(t, r.base) - ensemble.loss(t, arm) for t, r in phase.rows
            )
            return sum(terms, fmpq(0))

        yield Pair(ensemble.expectation(1, regret), bound, where={"x": arm})


def told_losses(
    claim: Claim[Any], *, needed: bool, why: str = "", then: tuple[Conclusion[Ensemble], ...] = ()
) -> Ablation[Any]:
    """The claim against losses that tell what was played."""
    game = answered(claim, then)
    return without(game, LOSSES, cases=telling_losses, scope=TELLING, needed=needed, why=why)


def told_delays(claim: Claim[Any], *, needed: bool, why: str = "") -> Ablation[Any]:
    """The claim against delays that tell what was played."""
    game = answered(claim)
    return without(game, DELAYS, cases=telling_delays, scope=LATE_IF_PLAYED, needed=needed, why=why)


def answered(claim: Claim[Any], then: tuple[Conclusion[Ensemble], ...] = ()) -> Claim[AdaptiveGame]:
    """The claim against an adversary that answers what is played, exactly, over all paths."""
    summed = map(over_branches, then or claim.then)
    return restated(claim, *summed, rebuild=AdaptiveGame.rebuild)


def telling_losses() -> Iterator[AdaptiveGame]:
    """From round s on the losses tell what was played in round u, which may still be missing.

    Four rounds; before round s arm 0 loses.
    """
    rows = [(1, 0), (0, 1), (0, 0)]
    for delays, (u, s) in itertools.product(([3, 0, 0, 0], [0, 2, 0, 0]), ((1, 2), (1, 3), (2, 3))):
        for replies in itertools.permutations(rows, 2):
            yield answering(signal(u, s, replies, delays), rounds=len(delays))


def signal(u: int, s: int, replies: Rows, delays: Sequence[int]) -> Callable[[Actions], Move]:
    """Losses of the arms after the actions of rounds 1..t."""

    def rule(actions: Actions) -> Move:
        t = len(actions)
        row = replies[actions[u - 1]] if t >= s else (1, 0)
        return Move(tuple(map(Fraction, row)), delays[t - 1])

    return rule


def own_losses() -> Iterator[AdaptiveGame]:
    """One round: the arm that is played loses 1, the other nothing."""
    yield answering(
        lambda actions: Move((Fraction(1 - actions[-1]), Fraction(actions[-1]))),
        rounds=1,
        comparator=(Fraction(3, 4), Fraction(1, 4)),
    )


def telling_delays() -> Iterator[AdaptiveGame]:
    """The feedback of round u is late if arm 1 was played, else at once; up to four rounds.

    First under a reading that restarts hard while it waits, then under one that restarts softly.
    """
    watchful = preset("repaired").with_options(
        budget=Fraction(10), slack=Fraction(0), rounding="none"
    )
    for reading, T in itertools.product((watchful, quick(budget=SOON)), (2, 3, 4)):
        for u, row in itertools.product((1, 2), ((0, 1), (1, 0), (1, 1))):
            yield answering(late_if_played(u, row), rounds=T, reading=reading)


def late_if_played(u: int, row: Sequence[int]) -> Callable[[Actions], Move]:
    """The losses are `row` up to round u; then arm 0 loses."""

    def rule(actions: Actions) -> Move:
        is_late = len(actions) == u and actions[-1] == 1
        losses = row if len(actions) <= u else (1, 0)
        return Move(tuple(map(Fraction, losses)), 3 * is_late)

    return rule


def realised(claim: Claim[Run]) -> Ablation[Any]:
    """A claim about every path, against losses that tell what was played: nothing changes."""
    return without(
        claim,
        LOSSES,
        cases=realised_runs,
        scope="losses that tell what was played in round 1, every path of 4 rounds",
        needed=False,
        why=REALISED,
        given=claim.given,
    )


def realised_runs() -> Iterator[Run]:
    """What an adversary that tells does along every path of its first games."""
    for game in itertools.islice(telling_losses(), 4):
        yield from (Run.of(branch.instance, branch.reading) for branch in game.branches)


def realised_delays() -> Iterator[Window]:
    """Delays that answer the actions, along every path."""
    for game in telling_delays():
        for branch in game.branches:
            yield Window(branch.instance.delays, 1, game.rounds)


def answering(
    rule: Callable[[Actions], Move],
    *,
    rounds: int,
    comparator: Sequence[Fraction] = EVEN,
    reading: Reading | None = None,
) -> AdaptiveGame:
    """The game of a rule, with a budget that lets phases end within three rounds."""
    chosen = reading or quick(budget=SOON)
    return AdaptiveGame.of(rule, rounds=rounds, comparator=comparator, reading=chosen)
