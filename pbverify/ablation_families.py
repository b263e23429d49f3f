r"""Families in which one assumption of the paper is dropped, and the rows that try claims there.

    losses in [0, 1]        all action sequences of five rounds, on losses of 3, of 0 and -10
    x^c >= delta            the same and longer runs, for a comparator that hardly plays arm 1
    an oblivious adversary  games whose losses, or delays, answer what was played

The aggression is 1/2 throughout and the delay sum counts arrivals, so that short runs keep the
other assumptions and are not cut by hard restarts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from pbverify.ablation import Ablation, without
from pbverify.adaptive_games import Actions, AdaptiveGame, Move, over_branches
from pbverify.algorithms.readings import Reading, preset
from pbverify.banker_games import BankerGame
from pbverify.claims import Claim, Conclusion, Pair, S
from pbverify.ensemble_certificates import cost
from pbverify.ensembles import Ensemble, PathPhase
from pbverify.free_subjects import chance_of, free_instance, free_run
from pbverify.instance import Instance
from pbverify.mirror_descent import borrowed
from pbverify.numerics import BallArithmetic, Number, to_fmpq
from pbverify.regularizers import regularizer
from pbverify.run_families import EVEN
from pbverify.runs import Run

HIGH, LOW = "losses <= 1", "losses >= 0"
MARGIN = "entries of x^c >= delta"
LOSSES = "losses do not depend on earlier actions"
OWN_LOSS = "the losses of a round do not depend on its own action"
DELAYS = "delays do not depend on the actions"
REALISED = "on a path, a reply to the actions is a sequence that was fixed before"

UNEVEN = (Fraction(99, 100), Fraction(1, 100))
"""A comparator that hardly plays arm 1."""

RARE = Fraction(1, 10**6)
"""Aggression, and share of arm 1 in x^c, where that arm is to stay hidden."""

Rows = Sequence[Sequence[int]]
LATE = (0, 4, 0, 0, 0)
"""Delays of five rounds of which the second is missing until the end."""


def quick(*, budget: Fraction = Fraction(2)) -> Reading:
    """The repaired reading with a constant budget and an arrived delay sum."""
    return preset("repaired").with_options(
        budget=budget,
        slack=Fraction(0),
        rounding="none",
        delay_sum="arrived",
        delay_scope="stage",
        estimate="twice",
    )


def every_run(
    row: Sequence[int],
    *,
    comparator: Sequence[Fraction] = EVEN,
    budget: Fraction = Fraction(2),
) -> Iterator[Run]:
    """All action sequences of five rounds with the same losses, and delta = 1/2."""
    for actions in itertools.product(range(2), repeat=len(LATE)):
        instance = two_arms([row] * len(LATE), LATE, comparator=comparator, actions=actions)
        yield Run.of(instance, quick(budget=budget))


def two_arms(
    losses: Rows,
    delays: Sequence[int],
    *,
    comparator: Sequence[Fraction] = EVEN,
    actions: Sequence[int] | None = None,
) -> Instance:
    """An instance with delta = 1/2, whatever its losses and its comparator are."""
    return free_instance(
        losses=[list(row) for row in losses],
        delays=list(delays),
        comparator=list(comparator),
        delta=EVEN[0],
        actions=None if actions is None else list(actions),
    )


def free_games(row: Sequence[int]) -> Iterator[Ensemble]:
    """All paths of up to three rounds with the same losses, without delay and with it."""
    for T, delay in itertools.product((1, 2, 3), (0, 2)):
        yield Ensemble(two_arms([row] * T, [delay] * T), quick(budget=Fraction(9, 8)))


def free_banker_games(row: Sequence[int], *, tuned: bool) -> Iterator[BankerGame]:
    """Banker-OMD alone on up to three rounds with the same losses."""
    for T in (1, 2, 3):
        yield BankerGame(two_arms([row] * T, [0] * T), Fraction(1), tuned)


def unbounded(
    claim: Claim[Run], *, high: bool, low: bool, why: str = ""
) -> tuple[Ablation[Run], Ablation[Run]]:
    """The claim without either bound on losses; the flags say which one is needed."""
    scope = "all action sequences of 5 rounds, losses {}"
    return (
        without(
            claim,
            HIGH,
            cases=lambda: every_run((3, 3)),
            scope=scope.format("(3, 3)"),
            needed=high,
            why=why,
            given=claim.given,
            rebuild=free_run,
        ),
        without(
            claim,
            LOW,
            cases=lambda: every_run((0, -10)),
            scope=scope.format("(0, -10)"),
            needed=low,
            why=why,
            given=claim.given,
            rebuild=free_run,
        ),
    )


def unsupported(claim: Claim[Run], *, needed: bool, why: str = "") -> Ablation[Run]:
    """The claim for a comparator with entries 99/100 and 1/100, or 1 and 0, and delta = 1/2."""
    return without(
        claim,
        MARGIN,
        cases=neglected_arms,
        scope="x^c = (99/100, 1/100) and (1, 0) with delta = 1/2, runs of 5 and 12 rounds",
        needed=needed,
        why=why,
        given=claim.given,
        rebuild=free_run,
    )


def neglected_arms() -> Iterator[Run]:
    """Arm 1 is given up after one loss, played again while its feedback is late, then wanted."""
    T = 12
    for comparator in (UNEVEN, (Fraction(1), Fraction(0))):
        instance = two_arms(
            [(0, 1)] * 2 + [(1, 0)] * (T - 2),
            [0, T] + [0] * (T - 2),
            comparator=comparator,
            actions=[1, 1] + [0] * (T - 2),
        )
        yield Run.of(instance, quick())
        yield from every_run((1, 1), comparator=comparator)


def hidden_arm(*, rounds: int) -> Run:
    """Arm 1 loses, and is played with probability 10^-6: on nearly every path, never."""
    instance = two_arms(
        [(0, 1)] * rounds, [0] * rounds, comparator=(1 - RARE, RARE), actions=[0] * rounds
    )
    return Run.of(instance, quick(budget=1 / RARE))


def likely_regret_le_paid(run: Run) -> Iterator[Pair]:
    """Arm 0 never loses, so no path has regret below 0 to it: one path bounds the expectation."""
    yield Pair(chance_of(run) * _regret_to_arm_0(run), _paid(run), where={"x": 0})


def likely_safety_le_account(run: Run) -> Iterator[Pair]:
    """x_t - x^c = alpha (x^_t - x^c): a path pays alpha sum x^_t(1), and at worst -alpha T x^c(1)."""
    alpha, least = run.alpha(run.phases[0]), run.instance.rounds * to_fmpq(RARE)
    paid = alpha * (chance_of(run) * _regret_to_arm_0(run) - least)
    yield Pair(paid, alpha * _paid(run), where={"bound": "coarse"})


def _regret_to_arm_0(run: Run) -> Number:
    [phase] = run.phases
    return sum((run.base(t)[1] for t in phase.played), fmpq(0))


def _paid(run: Run) -> Number:
    """Q = C1 B + C2 sum 1/sigma_t of the only phase, by the margin that was claimed."""
    [phase] = run.phases
    psi, delta = regularizer(run.trace.reading.regularizer), to_fmpq(run.instance.delta)
    C1, C2 = psi.constants(BallArithmetic(), A=fmpq(run.instance.arms), delta=delta)
    inverses = sum((1 / run.step(t).scale for t in phase.played), fmpq(0))
    return C1 * borrowed(run, phase) + C2 * inverses


def base_regret_le_cost(ensemble: Ensemble) -> Iterator[Pair]:
    """E[sum <l_t, x^_t - x>] <= E[Q] in the first phase."""
    bound = ensemble.expectation(1, lambda phase: cost(ensemble, phase))
    for arm in range(ensemble.instance.arms):

        def regret(phase: PathPhase, arm: int = arm) -> Number:
            terms = (ensemble.expected_loss(t, r.base) - ensemble.loss(t, arm) for t, r in phase.rows)
            return sum(terms, fmpq(0))

        yield Pair(ensemble.expectation(1, regret), bound, where={"x": arm})


def answered(
    claim: Claim[Any],
    assumption: str,
    cases: Callable[[], Iterator[AdaptiveGame]],
    *,
    scope: str,
    needed: bool,
    why: str = "",
    then: tuple[Conclusion[Ensemble], ...] = (),
) -> Ablation[AdaptiveGame]:
    """The claim against an adversary that answers what is played, exactly, over all paths."""
    summed = tuple(map(over_branches, then or claim.then))
    game = restated(claim, *summed, rebuild=AdaptiveGame.rebuild)
    return without(game, assumption, cases=cases, scope=scope, needed=needed, why=why)


def restated(
    claim: Claim[Any], *then: Conclusion[S], rebuild: Callable[[Mapping[str, Any]], S]
) -> Claim[S]:
    """The claim about another kind of subject, without its hypotheses."""
    words = (claim.id, claim.kind, claim.statement)
    return Claim(*words, then=then, label=claim.label, rebuild=rebuild)


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


def telling_delays(reading: Reading) -> Iterator[AdaptiveGame]:
    """The feedback of round u is late if arm 1 was played, else at once; up to four rounds."""
    for T, u, row in itertools.product((2, 3, 4), (1, 2), ((0, 1), (1, 0), (1, 1))):

        def rule(actions: Actions, u: int = u, row: Sequence[int] = row) -> Move:
            is_late = len(actions) == u and actions[-1] == 1
            losses = row if len(actions) <= u else (1, 0)
            return Move(tuple(map(Fraction, losses)), 3 * is_late)

        yield answering(rule, rounds=T, reading=reading)


def answering(
    rule: Callable[[Actions], Move],
    *,
    rounds: int,
    comparator: Sequence[Fraction] = EVEN,
    reading: Reading | None = None,
) -> AdaptiveGame:
    """The game of a rule, with a budget that lets phases end within three rounds."""
    chosen = reading or quick(budget=Fraction(9, 8))
    return AdaptiveGame.of(rule, rounds=rounds, comparator=comparator, reading=chosen)
