"""Small learners with rational laws, for exact enumeration: they follow the delayed protocol.

Arm 1 (from 0) is the paper's arm 2, the one whose mean differs between the environments.
"""

from __future__ import annotations

import abc
import copy
import dataclasses
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated, Self, final

from pbverify.bandits.learners.conservative_ucb import ConservativeUCB
from pbverify.bandits.learners.exp3 import exp3, exp3_ix
from pbverify.bandits.learners.safe_exp3_ix import SafeExp3IX
from pbverify.bandits.mirror_maps import NegativeEntropy
from pbverify.bandits.protocol import Feedback, Learner
from pbverify.errors import InputError
from pbverify.files.codec import Form, Key
from pbverify.numerics import Arithmetic, Exact, Number, parse_exact
from pbverify.paper.algorithm.banker import BankerOMD
from pbverify.paper.algorithm.prudent_banker import PrudentBanker
from pbverify.paper.algorithm.readings import PRESETS, Reading


@final
class Steady(Learner):
    """Plays the same law in every round."""

    def __init__(self, arithmetic: Arithmetic, law: Sequence[Exact]) -> None:
        self._law = [arithmetic.exact(x) for x in law]

    def play(self, *, delay: int | None = None) -> Sequence[Number]:
        return self._law

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        pass

    def fork(self) -> Self:
        return self


class _Watcher(Learner):
    """Remembers its actions, and learns from the feedback on arm 1 alone."""

    _actions: list[int]

    @abc.abstractmethod
    def _learn(self, loss: Number) -> None:
        """What a loss of arm 1 changes."""

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._actions.append(action)
        for item in arrived:
            if self._actions[item.round - 1] == 1:
                self._learn(item.loss)

    def fork(self) -> Self:
        twin = copy.copy(self)
        twin._actions = list(self._actions)
        return twin


@final
class Prober(_Watcher):
    """Plays arm 1 the more, the less it was seen to lose, and less right after playing it.

    With w wins and s items seen on arm 1 its probability is scale (1 + w)/(2 + s), halved in the
    round after a play of it; the rest goes to arm 0. The law depends on feedback, on the learner's
    own actions inside the block, and on chance.
    """

    def __init__(self, arithmetic: Arithmetic, *, arms: int, scale: Exact = 1) -> None:
        self._arithmetic = arithmetic
        self._arms = arms
        self._scale = arithmetic.exact(scale)
        self._actions = []
        self._wins: Number = arithmetic.exact(0)
        self._seen = 0

    def play(self, *, delay: int | None = None) -> Sequence[Number]:
        exact = self._arithmetic.exact
        chance = self._scale * (1 + self._wins) / exact(2 + self._seen)
        if self._actions and self._actions[-1] == 1:
            chance = chance / 2
        return [1 - chance, chance, *[exact(0)] * (self._arms - 2)]

    def _learn(self, loss: Number) -> None:
        self._seen += 1
        self._wins = self._wins + 1 - loss


@final
class Committer(_Watcher):
    """Deterministic and adaptive: arm 1 in rounds 1..first, then the arm that was seen to be best.

    An arm never seen counts as a loss of 1/2; ties go to arm 0.
    """

    def __init__(self, arithmetic: Arithmetic, *, arms: int, first: int = 1) -> None:
        self._arithmetic = arithmetic
        self._arms = arms
        self._first = first
        self._actions = []
        self._lead: Number = arithmetic.exact(0)

    def play(self, *, delay: int | None = None) -> Sequence[Number]:
        t = len(self._actions) + 1
        is_ahead = self._arithmetic.less(self._arithmetic.exact(0), self._lead)
        explores = t <= self._first
        arm = int(explores or self._arithmetic.decide(is_ahead, "the better arm", round=t))
        return [self._arithmetic.exact(int(i == arm)) for i in range(self._arms)]

    def _learn(self, loss: Number) -> None:
        self._lead = self._lead + self._arithmetic.exact(Fraction(1, 2)) - loss


Make = Callable[[Arithmetic, int, int], Learner]
"""A fresh learner from arithmetic, number of arms and horizon."""


@dataclasses.dataclass(frozen=True)
class Contender:
    """A learner that can be made afresh, with the name under which witnesses know it."""

    name: str
    make: Make = dataclasses.field(compare=False)  # the name says which one it is
    counts: bool = False
    """Whether it is deterministic and only counts, so that long games can be grouped."""


def prudent(name: str, reading: Reading) -> Contender:
    """Prudent-Banker under a reading, with the uniform distribution as comparator."""

    def make(arithmetic: Arithmetic, arms: int, horizon: int) -> Learner:
        margin = Fraction(1, arms)
        return PrudentBanker(
            arithmetic, reading, horizon=horizon, comparator=[margin] * arms, delta=margin
        )

    return Contender(name, make)


# A small constant budget lets phases restart within a few rounds.
_LIVELY = {"budget": Fraction(3), "slack": Fraction(0)}

DELAYED: dict[str, Contender] = {
    contender.name: contender
    for contender in (
        *(prudent(f"prudent-{n}", r.with_options(**_LIVELY)) for n, r in PRESETS.items()),
        Contender(
            "banker-omd",
            lambda ar, A, T: BankerOMD(ar, NegativeEntropy(), arms=A, delta=Fraction(1, A)),
        ),
        Contender("exp3", lambda ar, A, T: exp3(ar, arms=A, horizon=T)),
        Contender("exp3-ix", lambda ar, A, T: exp3_ix(ar, arms=A, horizon=T)),
        Contender(
            "conservative-ucb",
            lambda ar, A, T: ConservativeUCB(
                ar, arms=A, horizon=T, default=0, default_reward=Fraction(1, 2), risk=Fraction(1, 2)
            ),
        ),
        Contender(
            "safe-exp3-ix",
            lambda ar, A, T: SafeExp3IX(
                ar, arms=A, horizon=T, default=0, default_reward=Fraction(1, 2), risk=Fraction(1, 2)
            ),
        ),
        Contender("prober", lambda ar, A, T: Prober(ar, arms=A)),
        Contender("committer", lambda ar, A, T: Committer(ar, arms=A), counts=True),
    )
}
"""The learners whose simulation is checked."""


def steady(share: Fraction) -> Contender:
    """Arm 1 with a fixed probability, else arm 0."""

    def make(arithmetic: Arithmetic, arms: int, horizon: int) -> Learner:
        return Steady(arithmetic, [1 - share, share, *[Fraction(0)] * (arms - 2)])

    return Contender(f"steady-{share}", make)


def contender(name: object) -> Contender:
    """The learner that a witness names."""
    if not isinstance(name, str):
        raise InputError("the name of a learner", "learner", name)
    share = parse_exact(name.removeprefix("steady-")) if name.startswith("steady-") else None
    if share is not None and 0 <= share <= 1:
        return steady(share)
    if name not in DELAYED:
        raise InputError(f"one of {', '.join(DELAYED)} or steady-SHARE", "learner", name)
    return DELAYED[name]


Named = Annotated[
    Contender, Key("learner"), Form(lambda known: known.name, lambda name, _: contender(name))
]
"""A learner that a witness names."""
