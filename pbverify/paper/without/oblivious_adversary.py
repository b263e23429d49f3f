r"""Games against an adversary that looks at what was played.

The paper's adversary is oblivious: losses and delays are fixed before the first round. Here the
move of round t, the losses of the arms and the delay of the feedback, may depend on the actions of
rounds 1..t. On the paths of one action sequence such an adversary is as good as the oblivious one
that makes the same moves, so that every expectation is a sum over `branches`: one oblivious
instance for each action sequence, of which only that path counts. Conclusions that are linear in
the law of the paths, as all about expectations are, carry over by `over_branches`.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.bandits.simpler import case_sort
from pbverify.claims.claim import Claim, Conclusion, Pair, Relation
from pbverify.claims.strengthenings.assumptions import Ablation, without
from pbverify.errors import InputError
from pbverify.files.codec import Form, Record, entries, mapping
from pbverify.files.documents import whole_number
from pbverify.numerics import Number, rational
from pbverify.paper.algorithm.engine import Enumeration, follow
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.all_paths import PRECISION, AllPaths, PathPhase
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import EVEN
from pbverify.paper.proofs.bounds_in_expectation import cost
from pbverify.paper.without.bounded_losses_and_margin import quick, restated

Actions = tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Move:
    """The losses of the arms in a round, and the delay of its feedback."""

    losses: tuple[Fraction, ...]
    delay: int = 0


class Branch(AllPaths):
    """The path of an instance's given actions, and no other; it has no law of its own."""

    @functools.cached_property
    def paths(self) -> Enumeration:
        return follow(self.instance, self.reading, precision=PRECISION)


@dataclasses.dataclass(frozen=True)
class AdaptiveGame(Record):
    """The adversary's moves by the actions of rounds 1..t, the comparator, and a reading."""

    moves: Annotated[Mapping[Actions, Move], Form(_moves_to_json, _moves_from_json)]
    comparator: tuple[Fraction, ...]
    reading: Reading

    def __post_init__(self) -> None:
        for history in _histories(arms=len(self.comparator), rounds=self.rounds):
            if history not in self.moves:
                raise InputError("a move after all actions", "moves", list(history))

    @staticmethod
    def of(
        rule: Callable[[Actions], Move],
        *,
        rounds: int,
        comparator: Sequence[Fraction],
        reading: Reading,
    ) -> AdaptiveGame:
        """The game in which the adversary follows a rule."""
        histories = _histories(arms=len(comparator), rounds=rounds)
        return AdaptiveGame({h: rule(h) for h in histories}, tuple(comparator), reading)

    @property
    def rounds(self) -> int:
        return max(map(len, self.moves), default=0)

    @functools.cached_property
    def branches(self) -> tuple[Branch, ...]:
        """One oblivious instance for each action sequence."""
        arms = range(len(self.comparator))
        sequences = itertools.product(arms, repeat=self.rounds)
        return tuple(Branch(self._realised(actions), self.reading) for actions in sequences)

    def _realised(self, actions: Actions) -> Instance:
        """The moves that the adversary makes along an action sequence."""
        moves = [self.moves[actions[:t]] for t in range(1, self.rounds + 1)]
        return Instance.build(
            losses=[list(move.losses) for move in moves],
            delays=[move.delay for move in moves],
            comparator=list(self.comparator),
            actions=list(actions),
        )


def _histories(*, arms: int, rounds: int) -> Iterator[Actions]:
    """The actions of rounds 1..t, for every t."""
    lengths = range(1, rounds + 1)
    return (h for t in lengths for h in itertools.product(range(arms), repeat=t))


def _moves_to_json(moves: Mapping[Actions, Move]) -> dict[str, Any]:
    return {
        "".join(map(str, history)): [[str(x) for x in move.losses], move.delay]
        for history, move in moves.items()
    }


def _moves_from_json(value: object, field: str) -> dict[Actions, Move]:
    moves = mapping(value, field).items()
    return {_history(name, field): _move(move, f"{field}[{name}]") for name, move in moves}


def _history(name: str, field: str) -> Actions:
    if not (name.isascii() and name.isdigit()):
        raise InputError("actions, each a digit", field, name)
    return tuple(map(int, name))


def _move(value: object, field: str) -> Move:
    parts = entries(value, field)
    if len(parts) != 2:
        raise InputError("a list of losses and a delay", field, value)
    losses = tuple(rational(x, "losses") for x in entries(parts[0], "losses"))
    return Move(losses, whole_number(parts[1], "delay"))


def over_branches(conclusion: Conclusion[AllPaths]) -> Conclusion[AdaptiveGame]:
    """The same of a game: both sides of each pair added up over the branches."""

    def of_game(game: AdaptiveGame) -> Iterator[Pair]:
        sums: dict[tuple[Relation, tuple[Any, ...]], tuple[Number, Number]] = {}
        for branch in game.branches:
            for pair in conclusion(branch):
                key = (pair.relation, tuple(pair.where.items()))
                lhs, rhs = sums.get(key, (fmpq(0), fmpq(0)))
                sums[key] = lhs + pair.lhs, rhs + pair.rhs
        for (relation, where), (lhs, rhs) in sums.items():
            yield Pair(lhs, rhs, relation, dict(where))

    return of_game


LOSSES = "losses do not depend on earlier actions"
OWN_LOSS = "the losses of a round do not depend on its own action"
DELAYS = "delays do not depend on the actions"
REALISED = "on a path, replies to the actions are a sequence that was fixed before"
TELLING = "losses that tell what was played in round 1 or 2, all paths of 4 rounds"
LATE_IF_PLAYED = "feedback that is late if arm 1 was played, all paths of 2 to 4 rounds"

Rows = Sequence[Sequence[int]]
SOON = Fraction(9, 8)
"""A budget that lets phases end within three rounds."""


def base_regret_le_cost(game: AllPaths) -> Iterator[Pair]:
    """E[sum <l_t, x^_t - x>] <= E[Q] in the first phase."""
    bound = game.expectation(1, lambda phase: cost(game, phase))
    for arm in range(game.instance.arms):

        def regret(phase: PathPhase, arm: int = arm) -> Number:
            terms = (game.expected_loss(t, r.base) - game.loss(t, arm) for t, r in phase.rows)
            return sum(terms, fmpq(0))

        yield Pair(game.expectation(1, regret), bound, where={"x": arm})


def told_losses(
    claim: Claim[Any], *, needed: bool, why: str = "", then: tuple[Conclusion[AllPaths], ...] = ()
) -> Ablation[Any]:
    """The claim against losses that tell what was played."""
    game = answered(claim, then)
    return without(game, LOSSES, cases=telling_losses, scope=TELLING, needed=needed, why=why)


def told_delays(claim: Claim[Any], *, needed: bool, why: str = "") -> Ablation[Any]:
    """The claim against delays that tell what was played."""
    game = answered(claim)
    return without(game, DELAYS, cases=telling_delays, scope=LATE_IF_PLAYED, needed=needed, why=why)


def answered(claim: Claim[Any], then: tuple[Conclusion[AllPaths], ...] = ()) -> Claim[AdaptiveGame]:
    """The claim against an adversary that answers what is played, exactly, over all paths."""
    summed = map(over_branches, then or claim.then)
    return restated(claim, *summed, about=case_sort(AdaptiveGame))


def own_answered(claim: Claim[Any]) -> Ablation[Any]:
    """The claim against losses of a round that answer its own action."""
    scope = "one round, the arm that is played loses 1"
    return without(answered(claim), OWN_LOSS, cases=own_losses, scope=scope)


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


def realised_delays() -> Iterator[DelayedPhase]:
    """Delays that answer the actions, along every path."""
    for game in telling_delays():
        for branch in game.branches:
            yield DelayedPhase(branch.instance.delays, 1, game.rounds)


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
