"""The optimiser climbs, aims, starts anew, and is a function of its seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.errors import InputError
from pbverify.numerics.chance import generator
from pbverify.paper import search_spaces
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run import Run
from pbverify.paper.search_spaces import run_genomes
from pbverify.paper.search_spaces.settings import RUN_SETTINGS
from pbverify.paper.sorts import RUNS
from pbverify.search.climbing import MOST_STEPS, climb
from pbverify.search.genomes import Axes, Whole
from pbverify.search.tally import SearchTally


class Place:
    """A point of the plane with one peak, at (700, 30)."""

    def __init__(self, genome: Mapping[str, Any]) -> None:
        if genome["x"] % 10 == 9:
            raise InputError("no 9 at the end", "x", genome["x"])
        self.distance = abs(genome["x"] - 700) + abs(genome["y"] - 30)

    def witness_fields(self) -> dict[str, Any]:
        return {"parameters": {"distance": self.distance}}


def distance_is_large(place: Place) -> Iterator[Pair]:
    yield Pair(1, place.distance)


PEAK = Claim("peak", Kind.COMBINATORIAL, "1 <= distance", (distance_is_large,))
PLANE = Axes({"x": Whole(0, 1000), "y": Whole(0, 1000)}, Place)


def climbed(seed: int) -> SearchTally[Any]:
    tally: SearchTally[Any] = SearchTally(PEAK)
    climb(tally, PLANE, generator(seed, "test"), cases=1500)
    return tally


def test_the_peak_is_found() -> None:
    """The one point in a million that violates the claim, from several seeds."""
    for seed in range(5):
        tally = climbed(seed)
        assert tally.violations > 0
        assert tally.cases == 1500
        assert tally.applicable < 1500  # some genomes mean nothing


def test_a_seed_fixes_the_search() -> None:
    """Twice the same counts and the same case."""
    first, second = climbed(3), climbed(3)
    assert (first.best, first.applicable, first.violations) == (
        second.best,
        second.applicable,
        second.violations,
    )


def scales_are_positive(run: Run) -> Iterator[Pair]:
    for phase in run.phases:
        yield Pair(0, run.step(phase.start).scale)


def test_an_aim_is_kept_and_dear_steps_end_a_search() -> None:
    """Aiming at soft restarts reaches them; rigorous steps are computed up to a limit only."""
    claim = Claim("scales", Kind.PATHWISE, "", (scales_are_positive,), about=RUNS)
    tally: SearchTally[Any] = SearchTally(claim, search_spaces.RUNS)
    genomes = run_genomes(preset("appendix"), "soft restart")
    climb(tally, genomes, generator(1, "test"), cases=500, aim="soft restart")
    assert tally.reached[RUN_SETTINGS.with_condition("soft restart")] > tally.applicable / 2 > 0
    assert tally.cases < 500
    assert MOST_STEPS > 0
