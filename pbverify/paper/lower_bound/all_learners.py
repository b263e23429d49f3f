r"""The least regret of all learners in a finite hard game, with an exact certificate.

A learner is a realization plan: the probability with which it plays each sequence of its own
actions, given what was revealed. Both R+(x^c) and R-(e_2) are linear in it. So the least R-(e_2)
under R+(x^c) <= Lambda is a linear programme (`least_regret`, in doubles). For every multiplier
lam >= 0, a rational number, weak duality gives an exact bound on every learner (`certificate`):

    R+(x^c) <= Lambda   implies   R-(e_2) >= min over all learners of R- + lam (R+ - Lambda).

That minimum is computed backwards over the learner's information sets; it depends on a history only
through its probabilities in E+ and E-.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

from scipy.optimize import linprog

from pbverify.errors import InputError
from pbverify.paper.lower_bound.hard_environments import HardGame

ARMS = (0, 1)
"""The arms that differ: all others lose what arm 0 loses."""


@dataclasses.dataclass(frozen=True)
class Solution:
    """The optimum of the linear programme and the multiplier of R+ <= Lambda, in doubles."""

    regret: float
    multiplier: float


class Means:
    """What an arm pays per slot of each block: against x^c in E+, against arm 1 in E-."""

    def __init__(self, game: HardGame) -> None:
        if game.kappa_as_given is None:
            raise InputError("a rational signal", "kappa", "none")
        self.game = game
        self.signals = [game.kappa_as_given * length for length in game.lengths]

    def seen(self, plays: int) -> int:
        """How many variables of a block so many plays of arm 1 show."""
        return min(plays, 1) if self.game.constant else plays

    def chance(self, m: int, ones: int, seen: int, sign: int) -> Fraction:
        """The probability of given values of seen variables of block m, `ones` of them 1."""
        high = Fraction(1, 2) + sign * self.signals[m]
        return high**ones * (1 - high) ** (seen - ones)

    def paid(self, m: int, arm: int, sign: int) -> Fraction:
        """Mean loss less that of x^c (sign 1) or of arm 1 (sign -1)."""
        other = self.game.comparator[1] if sign > 0 else Fraction(1)
        return sign * self.signals[m] * (arm - other)


def certificate(game: HardGame, limit: Fraction, multiplier: Fraction) -> Fraction:
    """A lower bound on R-(e_2) for every learner with R+(x^c) <= limit, exactly."""
    if multiplier < 0:
        raise InputError("a multiplier >= 0", "multiplier", str(multiplier))
    means = Means(game)
    chance, paid = functools.cache(means.chance), functools.cache(means.paid)

    @functools.cache
    def from_block(m: int, plus: Fraction, minus: Fraction) -> Fraction:
        if m == len(game.lengths):
            return Fraction(0)
        return in_block(m, 0, 0, plus, minus)

    @functools.cache
    def in_block(m: int, slot: int, plays: int, plus: Fraction, minus: Fraction) -> Fraction:
        if slot == game.lengths[m]:
            seen = means.seen(plays)
            return sum((revealed(m, o, seen, plus, minus) for o in range(seen + 1)), Fraction(0))
        return min(
            minus * paid(m, arm, -1)
            + multiplier * plus * paid(m, arm, 1)
            + in_block(m, slot + 1, plays + arm, plus, minus)
            for arm in ARMS
        )

    def revealed(m: int, ones: int, seen: int, plus: Fraction, minus: Fraction) -> Fraction:
        high, low = (chance(m, ones, seen, sign) for sign in (1, -1))
        return math.comb(seen, ones) * from_block(m + 1, plus * high, minus * low)

    return from_block(0, Fraction(1), Fraction(1)) - multiplier * limit


Seen = tuple[tuple[int, ...], ...]
"""Per finished block, what was played and lost, slot by slot; then the actions of this block."""


def least_regret(game: HardGame, limit: Fraction) -> Solution:
    """The linear programme over realization plans; for games of few slots."""
    means, index = Means(game), dict[tuple[Seen, int], int]()
    costs: tuple[list[float], list[float]] = ([], [])
    rows: list[dict[int, float]] = []
    sums: list[float] = []

    def visit(m: int, seen: Seen, now: tuple[int, ...], weight: tuple[Fraction, Fraction]) -> None:
        """The information set after `now`; its sequences add up to the one that leads to it."""
        before = index.get((seen, -1))
        own: dict[int, float] = {} if before is None else {before: -1.0}
        sums.append(1.0 if before is None else 0.0)
        for arm in ARMS:
            here = len(costs[0])
            index[seen, arm] = here
            own[here] = 1.0
            for cost, sign, chance in zip(costs, (1, -1), weight, strict=True):
                cost.append(float(chance * means.paid(m, arm, sign)))
        rows.append(own)
        for arm in ARMS:
            last = index[seen, arm]
            for deeper, after, then, more in _next(means, m, seen, (*now, arm), weight):
                index[after, -1] = last
                visit(deeper, after, then, more)

    visit(0, (), (), (Fraction(1), Fraction(1)))
    size = len(costs[0])
    found = linprog(
        costs[1],
        A_ub=[costs[0]],
        b_ub=[float(limit)],
        A_eq=[[row.get(j, 0.0) for j in range(size)] for row in rows],
        b_eq=sums,
        bounds=(0, None),
        method="highs",
    )
    return Solution(float(found.fun), -float(found.ineqlin.marginals[0]))


def _next(
    means: Means, m: int, seen: Seen, now: tuple[int, ...], weight: tuple[Fraction, Fraction]
) -> Iterator[tuple[int, Seen, tuple[int, ...], tuple[Fraction, Fraction]]]:
    """The information sets that follow: the next slot, or what the end of the block reveals."""
    lengths = means.game.lengths
    if len(now) < lengths[m]:
        yield m, (*seen, now), now, weight
    elif m + 1 < len(lengths):
        seen_now = means.seen(sum(now))
        for losses in itertools.product((0, 1), repeat=seen_now):
            chances = (means.chance(m, sum(losses), seen_now, sign) for sign in (1, -1))
            plus, minus = (w * chance for w, chance in zip(weight, chances, strict=True))
            yield m + 1, (*seen, now, losses), (), (plus, minus)
