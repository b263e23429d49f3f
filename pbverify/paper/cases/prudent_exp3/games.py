"""Small games of Prudent-EXP3 that several claims are judged on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from pbverify.bandits.instance import Instance
from pbverify.claims.judging import Profile
from pbverify.claims.routes import every, exactly, shared
from pbverify.paper.algorithm.exp3_stages import Exp3Settings
from pbverify.paper.cases.prudent_exp3.game import Exp3Game, FollowedGame, every_table, phases

HALF = Fraction(1, 2)
THIRD = (HALF, Fraction(1, 3), Fraction(1, 6))
SAFE = (Fraction(3, 4), Fraction(1, 4))
REAL = Exp3Settings(safety=Fraction(1, 8))
SMALL = Exp3Settings(safety=Fraction(1, 100), first_clock=Fraction(6), budget=Fraction(1, 20))
"""With this budget phases exit within two or three rounds."""


def longest(profile: Profile) -> int:
    """Rounds of the games that are all enumerated."""
    return {"quick": 1, "default": 2}.get(profile.name, 3)


@shared
def tables(profile: Profile) -> Iterator[Exp3Game]:
    for rounds in range(1, longest(profile) + 1):
        for told in (REAL, SMALL):
            yield from every_table(rounds, told, SAFE)


def number(profile: Profile) -> int:
    """4^T (T + 1)! games of T rounds, each with two settings."""
    sizes = range(1, longest(profile) + 1)
    return sum(2 * 4**rounds * math.factorial(rounds + 1) for rounds in sizes)


@shared
def few() -> Iterator[Exp3Game]:
    """Exits with and without missing items, a second stage, and three arms."""
    for delays in ((1, 1, 1, 0), (0, 0, 0, 0), (0, 2, 0, 1)):
        yield game([(1, 0)] * 4, delays, SMALL)
    yield game([(1, 0), (0, 1), (1, 1)], (1, 2, 0), REAL)
    yield game([(1, 0, HALF), (1, HALF, 0), (0, 1, 1)], (0, 2, 0), SMALL, THIRD)


@shared
def longer() -> Iterator[Exp3Game]:
    yield from few()
    quick = Exp3Settings(safety=Fraction(1, 50), first_clock=Fraction(3), budget=Fraction(1, 10))
    for delays in ((1, 1, 1, 1, 1, 0), (2, 0, 2, 0, 1, 3), (0, 0, 5, 0, 0, 0)):
        for told in (SMALL, quick, REAL):
            yield game([(1, 0), (1, HALF), (1, 0), (0, 1), (1, 0), (1, 1)], delays, told)
    table = [(1, 0, HALF), (HALF, 1, 0), (1, 0, 0), (0, 1, 1)]
    yield game(table, (1, 1, 0, 2), SMALL, THIRD)


@shared
def long_path() -> Iterator[Exp3Game]:
    """One path with the budgets R_s: phases 1 and 2 of stage 2 exit, the first with a missing item.

    Nothing is lost in stage 1; then arm 0 always loses and is always played.
    """
    quiet, loud = 16, 36
    instance = Instance.build(
        losses=[(0, 0)] * quiet + [(1, 0)] * loud,
        delays=[0] * 29 + [5] + [0] * 22,
        comparator=(Fraction(1, 2), Fraction(1, 2)),
        actions=[0] * (quiet + loud),
    )
    yield FollowedGame(instance, Exp3Settings(safety=Fraction(15), first_clock=Fraction(16)))


@shared
def costly() -> Iterator[Exp3Game]:
    """Every arm loses 1 in both rounds, and round 1 is missing in round 2."""
    yield game([(1, 1)] * 2, (1, 0), SMALL)


def game(losses: object, delays: object, told: Exp3Settings, safe: object = SAFE) -> Exp3Game:
    return Exp3Game(Instance.build(losses=losses, delays=delays, comparator=safe, seed=0), told)


def exits(some: Exp3Game, *, late: bool) -> bool:
    """Whether a phase exits on some path; if `late`, while items are missing."""
    ends = (phase.last for path in some.paths.paths for phase in phases(path))
    return any(last.soft_restart and bool(last.missing) >= late for last in ends)


EVERY = every(
    tables,
    count=number,
    scope=lambda profile: f"0/1 losses, d_t <= T - t + 1, T <= {longest(profile)}, 2 settings",
)
LONGER = exactly(longer, scope="all action sequences of games with T <= 6 and 2 or 3 arms")
COSTLY = exactly(costly, scope="two rounds in which every arm loses 1")
SITUATIONS = {
    "a phase that exits": lambda some: exits(some, late=False),
    "an exit with missing items": lambda some: exits(some, late=True),
    "a second stage": lambda some: any(
        row.stage > 1 for path in some.paths.paths for row in path.rows
    ),
}
