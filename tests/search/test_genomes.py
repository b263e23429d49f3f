"""Genomes: drawn, moved, and within their limits."""

from __future__ import annotations

import pytest

from pbverify.numerics.chance import generator
from pbverify.search.genomes import Axes, Choice, Sequences, Whole


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 5), (1, 1000), (4000, 6000), (0, 10**8)])
def test_integers_stay_inside_and_reach_both_ends(low: int, high: int) -> None:
    """Drawn and moved values keep the limits; moves lead anywhere."""
    axis, rng = Whole(low, high), generator(1, "test")
    drawn = [axis.random(rng) for _ in range(300)]
    value, seen = drawn[0], set(drawn)
    for _ in range(2000):
        value = axis.moved(value, rng)
        seen.add(value)
    assert min(seen) >= low
    assert max(seen) <= high
    assert {low, high} <= seen


def test_a_move_changes_at_most_two_axes() -> None:
    """The rest of the genome stays."""
    axes = {name: Whole(0, 100) for name in "abcdef"} | {"g": Choice(("x", "y"))}
    space, rng = Axes(axes, dict), generator(2, "test")
    genome = space.random(rng)
    for _ in range(100):
        moved = space.moved(genome, rng)
        assert sum(moved[name] != genome[name] for name in axes) <= 2
        assert space.case(moved) == moved
        genome = moved


def test_sequences_keep_their_length_limit() -> None:
    """At least one round, at most the limit, no negative delay, and moves do something."""
    space, rng = Sequences(tuple, longest=6), generator(3, "test")
    genome, changes = space.random(rng), 0
    for _ in range(500):
        moved = space.moved(genome, rng)
        changes += moved != genome
        genome = moved
        assert 1 <= len(space.case(genome)) <= 6
        assert min(genome) >= 0
    assert changes > 200


def test_a_seed_fixes_everything() -> None:
    """The same generator draws the same genomes."""
    space = Sequences(tuple)
    first, second = (
        [space.random(generator(seed, "test")) for seed in range(20)] for _ in range(2)
    )
    assert first == second
    assert len(set(first)) > 5
