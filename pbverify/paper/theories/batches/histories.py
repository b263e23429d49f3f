"""What a learner was told in both games of pblem:delay-to-batch, with numbers for its histories.

The games are the engine's; the learner is wrapped, so that what it is told is written down when it
is told. Equal histories have equal numbers, and nothing has number 0.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Self, final

from pbverify.bandits.protocol import Feedback, Learner
from pbverify.numerics import Arithmetic, Number
from pbverify.paper.lower_bound.batched_game import Transcript
from pbverify.paper.lower_bound.learners import Contender
from pbverify.paper.lower_bound.simulation import Simulation, as_fractions


@dataclasses.dataclass(frozen=True)
class Game:
    """Per round, the number of the history before the action, and the action."""

    codes: tuple[int, ...]
    actions: tuple[int, ...]


class Histories:
    """Both games of a simulation as the learner saw them."""

    def __init__(self, case: Simulation) -> None:
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._laws: dict[int, tuple[Fraction, ...]] = {}
        self._actions: dict[int, int] = {}
        self.delayed, self.batched = map(self._game, _recorded(case))

    def cons(self, items: int, round: int, loss: Any) -> int:
        """A list with one more item; losses as the learner sees them."""
        return self._number("item", items, round, float(Fraction(str(loss))))

    def follows(self, history: int, action: int, items: int) -> int:
        """A history with one more round."""
        return self._number("round", history, action, items)

    def ask(self, history: int, told: int) -> int:
        """A history with the delay of the next round."""
        return self._number("asked", history, told)

    def law(self, history: int, arm: int) -> Fraction:
        """What the learner played after this history."""
        return self._laws[history][arm]

    def draw(self, history: int, round: int) -> int:
        """The action that was drawn after this history."""
        return self._actions[history]

    def _number(self, *key: Any) -> int:
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def _game(self, recorder: Recorder) -> Game:
        codes, history = [], 0
        for told, law, action, arrived in recorder.rounds:
            codes.append(self.ask(history, told))
            self._laws.setdefault(codes[-1], law)
            self._actions.setdefault(codes[-1], action)
            items = 0
            for item in arrived:
                items = self.cons(items, item.round, Fraction(item.loss))
            history = self.follows(codes[-1], action, items)
        return Game(tuple(codes), tuple(each[2] for each in recorder.rounds))


@final
class Recorder(Learner):
    """Plays like another learner, and writes down what it is told."""

    clairvoyant = True

    def __init__(self, learner: Learner) -> None:
        self._learner = learner
        self._asked: list[tuple[int, tuple[Fraction, ...]]] = []
        self._heard: list[tuple[int, tuple[Feedback, ...]]] = []

    def play(self, *, delay: int | None = None) -> Sequence[Number]:
        assert delay is not None
        law = self._learner.play(delay=delay if self._learner.clairvoyant else None)
        self._asked.append((delay, tuple(as_fractions(tuple(law)))))
        return law

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._heard.append((action, tuple(arrived)))
        self._learner.observe(action, arrived)

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._learner = self._learner.fork()
        twin._asked, twin._heard = list(self._asked), list(self._heard)
        return twin

    def end(self, transcript: Transcript) -> None:
        """The game is over; nobody need have told the learner its last action."""
        if len(self._heard) < len(self._asked):
            self._heard.append((transcript.actions[-1], ()))

    @property
    def rounds(self) -> list[tuple[int, tuple[Fraction, ...], int, tuple[Feedback, ...]]]:
        """The delay that the learner was told, its law, its action, and what arrived then."""
        return [(*asked, *heard) for asked, heard in zip(self._asked, self._heard, strict=True)]


def _recorded(case: Simulation) -> list[Recorder]:
    """The learner of the delayed and that of the batched game."""
    made: list[Recorder] = []

    def make(arithmetic: Arithmetic, arms: int, horizon: int) -> Learner:
        made.append(Recorder(case.contender.make(arithmetic, arms, horizon)))
        return made[-1]

    twin = dataclasses.replace(case, contender=Contender(case.contender.name, make))
    for game in ("delayed", "batched"):
        transcript = getattr(twin, game)
        made[-1].end(transcript)
    return made
