"""Learners by name: what the simulation and the enumeration of transcripts are run with."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction

from pbverify.bandits.learners.conservative_ucb import ConservativeUCB
from pbverify.bandits.learners.exp3 import exp3
from pbverify.bandits.learners.exp3_ix import exp3_ix
from pbverify.bandits.learners.safe_exp3_ix import SafeExp3IX
from pbverify.bandits.mirror_maps import NegativeEntropy
from pbverify.bandits.protocol import Learner
from pbverify.errors import InputError
from pbverify.numerics import Arithmetic, parse_exact
from pbverify.paper.algorithm.banker_omd import BankerOMD
from pbverify.paper.algorithm.prudent_banker import PrudentBanker
from pbverify.paper.algorithm.readings import PRESETS, Reading
from pbverify.paper.lower_bound.learners import Committer, Prober, Steady

Make = Callable[[Arithmetic, int, int], Learner]
"""A fresh learner from arithmetic, number of arms and horizon."""


@dataclasses.dataclass(frozen=True)
class Contender:
    """A learner that can be made afresh, with the name under which witnesses know it."""

    name: str
    make: Make
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
