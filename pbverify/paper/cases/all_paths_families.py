r"""Small games in which a phase may end softly, for claims about what is expected given the exit.

All action sequences are enumerated. Budgets are constant, and only arrived delays count for the
stage test, so that games of a few rounds are not cut by hard restarts.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import ClassVar

from flint import arb

from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.run_families import EVEN, SKEWED, lopsided_instance

ROUNDS = {"quick": 5, "default": 6, "thorough": 7}
"""How long the games are, by profile."""


def exits(game: object) -> bool:
    """Whether a phase ends softly on some path of a game that is enumerated, or in the limit."""
    return isinstance(game, LongCascade) or (
        isinstance(game, AllPaths)
        and any(row.soft_restart for path in game.paths.paths for row in path.rows)
    )


def exits_while_missing(game: object) -> bool:
    """Whether the first phase ends softly on some path while feedback is missing."""
    return isinstance(game, AllPaths) and any(
        phase is not None and phase.exits and game.missing(phase, at=phase.end)
        for phase in (game.phase(path, 1) for path in game.paths.paths)
    )


def exit_games(reading: Reading, *, rounds: int) -> Iterator[AllPaths]:
    """Tiny horizons, delays that hide rounds at the exit, and a cascade."""
    patterns = [[0] * rounds, [1] * rounds, [0, 2] * rounds, [3, 0, 0] * rounds, [0, 0, 1] * rounds]
    for delays, budget in itertools.product(patterns, (Fraction(9, 8), Fraction(13, 8))):
        for rows in ([[1, 0]] * rounds, [[1, 0], [Fraction(1, 2), 1], [1, 0]] * rounds):
            instance = Instance.build(
                losses=rows[:rounds], delays=delays[:rounds], comparator=list(SKEWED), seed=0
            )
            yield AllPaths(instance, _patient(reading, budget))
    yield cascade(reading)


def turning_games(reading: Reading, *, rounds: int) -> Iterator[AllPaths]:
    """The arm that is best at the exit loses in the rounds that are hidden from it.

    At first they are hidden before anything is known. In the last game arm 1 has lost often, is
    hardly played any more, and is best only after arm 0 has lost as often.
    """
    for hidden, budget in itertools.product((1, 2), (Fraction(9, 8), Fraction(13, 8))):
        late = [rounds] * hidden + [0] * (rounds - hidden)
        yield AllPaths(_turn(hidden, late, SKEWED), _patient(reading, budget))
    rare = _patient(reading, Fraction(21, 20)).with_options(slack=Fraction(20))
    yield AllPaths(_turn(5, [0] * 4 + [10] + [0] * 5, EVEN), rare)


def _turn(losing: int, delays: list[int], comparator: Sequence[Fraction]) -> Instance:
    """Arm 1 loses in the first rounds, then arm 0 does."""
    rows = [[0, 1]] * losing + [[1, 0]] * (len(delays) - losing)
    return Instance.build(losses=rows, delays=delays, comparator=list(comparator), seed=0)


def cascade(reading: Reading) -> AllPaths:
    """Only the path that plays the bad arm five times exits, and each time costs almost 1.

    With alpha near 1 the played law is x^_t, so sum <l^_t, x^_t - x*> is near 1 in each round, and
    each estimate 1/x^_t(0) pushes x^_{t+1}(0) down to about e^(-1/x^_t(0)), here 10^-6 in the end.
    """
    rare = reading.with_options(budget=1 + Fraction(1, 10**9), slack=Fraction(10**5))
    return AllPaths(lopsided_instance([0] * 5, seed=0), rare.with_options(rounding="none"))


@dataclasses.dataclass(frozen=True)
class LongCascade(Record):
    r"""A cascade of T rounds in the limit R^ -> 1, too rare to be run.

    Two even arms lose 1 and 0, without delay, and the threshold lies between the gap of the path
    that always plays arm 0 and the gaps of all others, so that this path alone exits, in round T.
    On it every x^_t(0) has a positive limit, at which alpha = 1 and x_t = x^_t; so each
    <l^_t, x^_t - x*> = x^_t(0)/x_t(0) goes to 1, and the sum given the exit to T. It is against

        Q = C1 sigma_T + C2 sum_t 1/sigma_t,   sigma_t = sqrt(t C2/C1),   C1 = ln 2,   C2 = 2,

    which does not depend on R^. What is violated in the limit is violated for all R^ near 1.
    """

    rounds: int
    LONGEST: ClassVar[int] = 10**6

    def __post_init__(self) -> None:
        if not 1 <= self.rounds <= self.LONGEST:
            raise InputError(f"a number in [1, {self.LONGEST}]", "rounds", self.rounds)

    @property
    def regret(self) -> int:
        """The limit of E[sum <l^_t, x^_t - x*> | soft exit]."""
        return self.rounds

    @property
    def cost(self) -> arb:
        """Q, the same on every path."""
        inverse = sum((1 / arb(t).sqrt() for t in range(1, self.rounds + 1)), arb(0))
        return (2 * arb(2).log()).sqrt() * (arb(self.rounds).sqrt() + inverse)


def _patient(reading: Reading, budget: Fraction) -> Reading:
    quick = reading.with_options(budget=budget, slack=Fraction(0), rounding="none")
    return quick.with_options(delay_sum="arrived", delay_scope="stage", estimate="twice")
