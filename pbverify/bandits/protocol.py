"""What passes between a learner and the world: the delayed bandit protocol.

In each round the learner is asked for the law of its next action (`play`), an action is drawn, and
at the end of the round the learner is told its action and the feedback that arrives (`observe`).
Feedback of round u with delay d_u arrives at the end of round u + d_u, so the learner can use it
from round u + d_u + 1 on. A learner sees nothing else; one that is clairvoyant about delays is told
the delay of the round it is about to play.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, Self

from pbverify.numerics import Number

LEAST_PROBABILITY = Fraction(1, 2**1000)
"""An action that is less probable than this is left out when all are tried, and stops a run."""


class Feedback(NamedTuple):
    """The loss of the action played in a round (1-based)."""

    round: int
    loss: Number


class Learner(abc.ABC):
    """A player of the protocol. Rounds count from 1, arms from 0."""

    clairvoyant: bool = False
    """Whether `play` must be told the delay of the coming round."""

    @abc.abstractmethod
    def play(self, *, delay: int | None = None) -> Sequence[Number]:
        """The law of the action of the next round."""

    @abc.abstractmethod
    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        """End of the round: the action drawn, and what arrived, in ascending round order."""

    @abc.abstractmethod
    def fork(self) -> Self:
        """An independent copy in the same state, to explore another action."""
