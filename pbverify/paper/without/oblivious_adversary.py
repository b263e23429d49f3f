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
from typing import Any

from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.bandits.simulate import Enumeration, follow
from pbverify.claims.claim import Conclusion, Pair, Relation
from pbverify.errors import InputError
from pbverify.files.codec import entries, exact, mapping, parameters
from pbverify.files.documents import whole_number
from pbverify.numerics import Number
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.cases.all_paths import PRECISION, Ensemble

Actions = tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Move:
    """The losses of the arms in a round, and the delay of its feedback."""

    losses: tuple[Fraction, ...]
    delay: int = 0


class Branch(Ensemble):
    """The path of an instance's given actions, and no other; it has no law of its own."""

    @functools.cached_property
    def paths(self) -> Enumeration:
        return follow(self.instance, self.reading, precision=PRECISION)


@dataclasses.dataclass(frozen=True)
class AdaptiveGame:
    """The adversary's moves by the actions of rounds 1..t, the comparator, and a reading."""

    moves: Mapping[Actions, Move]
    comparator: tuple[Fraction, ...]
    reading: Reading

    @staticmethod
    def of(
        rule: Callable[[Actions], Move],
        *,
        rounds: int,
        comparator: Sequence[Fraction],
        reading: Reading,
    ) -> AdaptiveGame:
        """The game in which the adversary follows a rule."""
        arms, lengths = range(len(comparator)), range(1, rounds + 1)
        histories = (h for t in lengths for h in itertools.product(arms, repeat=t))
        return AdaptiveGame({h: rule(h) for h in histories}, tuple(comparator), reading)

    @property
    def rounds(self) -> int:
        return max(map(len, self.moves))

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

    def witness_fields(self) -> dict[str, Any]:
        moves = {
            "".join(map(str, history)): [[str(x) for x in move.losses], move.delay]
            for history, move in self.moves.items()
        }
        given = {"moves": moves, "comparator": [str(x) for x in self.comparator]}
        return {"parameters": given, "reading": self.reading.to_json()}

    @staticmethod
    def rebuild(fields: Mapping[str, Any]) -> AdaptiveGame:
        """The game that a witness describes."""
        given = parameters(fields, {"moves", "comparator"})
        comparator = [exact(x, "comparator") for x in entries(given["comparator"], "comparator")]
        moves = mapping(given["moves"], "moves")

        def rule(history: Actions) -> Move:
            name = "".join(map(str, history))
            losses, delay = _two(moves.get(name), f"moves[{name}]")
            row = tuple(exact(x, "losses") for x in entries(losses, "losses"))
            return Move(row, whole_number(delay, "delay"))

        return AdaptiveGame.of(
            rule,
            rounds=max(map(len, moves), default=0),
            comparator=comparator,
            reading=Reading.from_json(fields["reading"]),
        )


def _two(value: object, field: str) -> list[Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise InputError("a list of losses and a delay", field, value)
    return value


def over_branches(conclusion: Conclusion[Ensemble]) -> Conclusion[AdaptiveGame]:
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
