"""Families on which the global theorem is judged, and the situations that they must reach.

Outlines: all small ones, generated ones, long ones in which alpha reaches 1, undelayed stages and
relays of more rounds than can be played. Games: every action sequence of tiny instances, for what
is true only in expectation.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.bandits.strategies import short_delays
from pbverify.claims.judging import Profile
from pbverify.claims.routes import Route, chosen, every, generated, shared
from pbverify.claims.verdict import Evidence
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.long_game import LongGame
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.cases.undelayed_stage import UndelayedStage, relays, undelayed_stages
from pbverify.paper.proofs.bounds_in_expectation import hard_restarts, is_full, phases
from pbverify.paper.proofs.phase_costs import Accounted

LONG = 90
"""Rounds of a long outline."""

_ROUNDS = {"quick": 2, "default": 3, "thorough": 5}
"""Up to this number of rounds, all outlines are judged."""

MARGINS = (
    (2, Fraction(1, 2)),
    (2, Fraction(1, 50)),
    (3, Fraction(1, 3)),
    (5, Fraction(1, 7)),
    (2, Fraction(1, 10**5)),
)

OUTLINE_SITUATIONS: Mapping[str, Callable[[Accounted], bool]] = {
    "case A, a stage in which phases end but alpha stays below 1": lambda outline: any(
        accounts[0].exits and not accounts[-1].is_full for accounts in outline.of_stages()
    ),
    "case B, alpha = 1": lambda outline: any(a.is_full for a in outline.accounts),
    "several stages": lambda outline: outline.stages > 2,
    "a soft restart with feedback missing": lambda outline: any(
        account.exits and account.missing for account in outline.accounts
    ),
}


def _on_some_path(holds: Callable[[Path], object]) -> Callable[[AllPaths | LongGame], bool]:
    """Of games that are enumerated; in a long one no phase ends."""
    return lambda game: isinstance(game, AllPaths) and any(map(holds, game.paths.paths))


GAME_SITUATIONS: Mapping[str, Callable[[AllPaths | LongGame], bool]] = {
    "a soft restart": _on_some_path(lambda path: any(row.soft_restart for row in path.rows)),
    "a hard restart": _on_some_path(hard_restarts),
    "alpha = 1": _on_some_path(lambda path: any(map(is_full, phases(path)))),
}


def every_outline(reading: Reading, *, rounds: int, delay: int) -> Iterator[RunOutline]:
    """All delays up to `delay` and all ways to restart softly, on two arms with an even margin."""
    for T in range(1, rounds + 1):
        for delays in itertools.product(range(delay + 1), repeat=T):
            for flags in itertools.product((False, True), repeat=T):
                exits = tuple(itertools.compress(range(1, T + 1), flags))
                yield RunOutline(Delays(delays), exits, 2, Fraction(1, 2), reading)


_all_outlines = shared(every_outline)


def number_of_outlines(*, rounds: int, delay: int) -> int:
    """How many outlines `every_outline` yields."""
    return sum((2 * (delay + 1)) ** T for T in range(1, rounds + 1))


def long_outlines(reading: Reading, *, is_delayed: bool = True) -> Iterator[RunOutline]:
    """Long enough for alpha to reach 1, with bursts, one huge delay, or feedback that never comes.

    The oracle restarts softly in every n-th round.
    """
    T = LONG
    patterns: list[list[int]] = [[0] * T]
    if is_delayed:
        patterns += [
            [0] * 40 + [10**6] + [0] * (T - 41),
            [1] * T,
            [30 - t % 30 for t in range(T)],
            [(7 * t) % 11 for t in range(T)],
            [T] * T,
        ]
    for delays, gap, (arms, delta) in itertools.product(patterns, (1, 7, 50), MARGINS[:3]):
        yield RunOutline(Delays(delays), tuple(range(gap, T + 1, gap)), arms, delta, reading)


@st.composite
def outlines(
    draw: st.DrawFn, reading: Reading, *, is_delayed: bool = True, longest: int = 40
) -> RunOutline:
    """Any delays and any oracle, up to 40 rounds or as many as given."""
    T = draw(st.integers(1, longest))
    delays = draw(short_delays(T, 4) if is_delayed else _no_delays(T))
    exits = draw(_exits(T))
    arms, delta = draw(st.sampled_from(MARGINS))
    return RunOutline(Delays(delays), tuple(sorted(exits)), arms, delta, reading)


@functools.cache
def _no_delays(rounds: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.just(0), min_size=rounds, max_size=rounds)


@functools.cache
def _exits(rounds: int) -> st.SearchStrategy[set[int]]:
    return st.sets(st.integers(1, rounds), max_size=rounds)


def on_outlines(*, is_delayed: bool = True, **options: Any) -> tuple[Route, ...]:
    """Routes over all small outlines, long ones, undelayed stages and generated ones."""
    found = {"is_delayed": is_delayed}
    return (
        _every_small_outline(delay=3 * is_delayed, **options),
        chosen(_of_reading(long_outlines, **found), scope=f"{LONG} rounds", **options),
        chosen(_of_reading(endless, **found), scope="closed accounts", **options),
        generated(lambda reading: outlines(preset(reading), **found), share=5, **options),
    )


def by_accounts(*, is_delayed: bool = True, **options: Any) -> tuple[Route, ...]:
    """The same routes for an expectation, of which accounts say what its certificate lets them.

    The certificate has survived, so all accounts of a size are no better evidence than that.
    """
    _, *others = on_outlines(is_delayed=is_delayed, **options)
    first = _every_small_outline(
        delay=3 * is_delayed, kind="accounts of ", evidence=Evidence.SURVIVED, **options
    )
    return (first, *others)


def _every_small_outline(*, delay: int, kind: str = "", **options: Any) -> Route:
    def size(profile: Profile) -> dict[str, int]:
        return {"rounds": _ROUNDS[profile.name], "delay": delay}

    return every(
        lambda reading, profile: _all_outlines(preset(reading), **size(profile)),
        count=lambda profile: number_of_outlines(**size(profile)),
        scope=lambda profile: (
            f"{kind}all outlines of <= {_ROUNDS[profile.name]} rounds and delays <= {delay}"
        ),
        **options,
    )


def _of_reading(
    family: Callable[..., Iterable[Accounted]], **options: Any
) -> Callable[[str], Iterable[Accounted]]:
    kept = shared(family)
    return lambda reading: kept(preset(reading), **options)


def endless(reading: Reading, *, is_delayed: bool = True) -> Iterator[UndelayedStage]:
    """Accounts of more rounds than can be played, where T exceeds the sums of the theorem."""
    yield from undelayed_stages(reading, last_delay=0)
    if is_delayed:
        yield from undelayed_stages(reading, last_delay=1)
        yield from relays(reading)


def games(reading: Reading, rounds: int) -> Iterator[AllPaths]:
    """Every action sequence of tiny instances, with budgets that let phases end."""
    patterns = [[0], [0, 2], [3, 0, 0], [0, 0, 1], [2, 1]]
    tables: list[list[list[int | Fraction]]] = [
        [[1, 0]],
        [[0, 1]],
        [[1, 0], [0, 1]],
        [[1, 0], [Fraction(1, 2), 1], [1, 0]],
    ]
    comparators = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 2), Fraction(1, 2)]]
    for delays, losses, comparator in itertools.product(patterns, tables, comparators):
        instance = Instance.build(
            losses=(losses * rounds)[:rounds],
            delays=(delays * rounds)[:rounds],
            comparator=comparator,
            seed=0,
        )
        for budget in (Fraction(9, 8), Fraction(21, 8)):
            yield AllPaths(instance, reading.with_options(budget=budget, slack=Fraction(0)))


def few_games(reading: str) -> Iterator[AllPaths]:
    """Some games of three rounds, among them soft and hard restarts, missing rounds, alpha = 1."""
    rules = preset(reading).with_options(rounding="none")
    yield from itertools.islice(games(rules, 3), 0, None, 16)
    *_, last = tight_games(rules)
    yield last


def own_games(reading: str) -> Iterator[AllPaths]:
    """Some games of three or four rounds under the reading's own budget; most restart hard."""
    halves = [Fraction(1, 2), Fraction(1, 2)]
    table: list[list[int | Fraction]] = [[1, 0, Fraction(1, 2)], [0, 1, 1], [1, 0, 0], [0, 1, 0]]
    for delays, comparator in (
        ([3, 3, 0, 0], [Fraction(3, 4), Fraction(1, 4)]),
        ([0, 2, 0, 1], halves),
        ([1, 3, 2], halves),
        ([2, 0, 1], [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]),
        ([0, 0, 0, 0], [Fraction(9, 10), Fraction(1, 10)]),
    ):
        instance = Instance.build(
            losses=[row[: len(comparator)] for row in table[: len(delays)]],
            delays=delays,
            comparator=comparator,
            seed=0,
        )
        yield AllPaths(instance, preset(reading))


def phase_games(reading: str) -> Iterator[AllPaths]:
    """Two games under the reading's own budget: one with a hard restart, and one with three arms,
    in which feedback moves the iterates.
    """
    table: list[list[int | Fraction]] = [[1, 0, Fraction(1, 2)], [0, 1, 1], [1, 0, 0], [0, 1, 0]]
    for delays, comparator in (
        ([2, 2, 0, 0], [Fraction(3, 4), Fraction(1, 4)]),
        ([0, 1, 0], [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]),
    ):
        instance = Instance.build(
            losses=[row[: len(comparator)] for row in table[: len(delays)]],
            delays=delays,
            comparator=comparator,
            seed=0,
        )
        yield AllPaths(instance, preset(reading))


def games_and(
    long_game: Callable[[Reading], LongGame],
) -> Callable[[str, Profile], Mapping[str, Iterable[AllPaths | LongGame]]]:
    """All action sequences of small games, and a long one, by scope.

    Budgets are constant, and no powers of two.
    """

    def found(reading: str, profile: Profile) -> Mapping[str, Iterable[AllPaths | LongGame]]:
        rounds = 5 if profile.name == "thorough" else 4
        rules = preset(reading).with_options(rounding="none")
        scope = f"all action sequences, T = {rounds}, constant budgets"
        small = (games(rules, rounds), tight_games(rules))
        return {scope: itertools.chain(*small, [long_game(rules)])}

    return found


def brief_game(reading: str) -> AllPaths:
    """Four rounds under the reading's own budget: a good comparator pays for what alpha tries."""
    comparator = [Fraction(9, 10), Fraction(1, 10)]
    instance = Instance.build(losses=[[0, 1]] * 4, delays=[0] * 4, comparator=comparator, seed=0)
    return AllPaths(instance, preset(reading))


def tight_games(reading: Reading) -> Iterator[AllPaths]:
    """Games in which a regret meets its certificate.

    Where nothing is lost and x^c = x_0, both are 0. Where only the round of a hard restart loses,
    and plays a mixture, it pays in the first order of x^c - x_0, the divergence in the second.
    """
    quick = reading.with_options(budget=Fraction(9, 8), slack=Fraction(0))
    small, half = Fraction(1, 10**4), Fraction(1, 2)
    for last, tilt in ((0, 0), (1, small)):
        instance = Instance.build(
            losses=[[0, 0]] * 3 + [[0, last]],
            delays=[2, 0, 0, 0],
            comparator=[half + tilt, half - tilt],
            seed=0,
        )
        yield AllPaths(instance, quick)
