"""Loss tables: shapes, parameters, reproducibility, and the paper's blocks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.loss_patterns import LOSS_PATTERNS, block_rows
from pbverify.errors import InputError

RANDOM = ["bernoulli", "uniform", "blocks"]
ALL = ["constant", "switching", "alternating", *RANDOM]


def build(text: str, T: int, A: int, seed: int = 0) -> Any:
    return LOSS_PATTERNS.build(text, T=T, A=A, rng=np.random.default_rng(seed))


def as_array(text: str, T: int, A: int, seed: int = 0) -> npt.NDArray[np.float64]:
    return np.array(build(text, T, A, seed), dtype=np.float64)


def correlations(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.atleast_2d(np.corrcoef(rows))


def test_the_menu_is_complete() -> None:
    """The documented patterns are offered under their names."""
    assert sorted(LOSS_PATTERNS.names) == sorted(ALL)


@pytest.mark.parametrize("name", ALL)
@given(T=st.integers(1, 30), A=st.integers(2, 6), seed=st.integers(0, 3))
def test_every_table_holds_losses(name: str, T: int, A: int, seed: int) -> None:
    """With its defaults each pattern gives T rows of A losses in [0, 1]."""
    table = as_array(name, T, A, seed)
    assert table.shape == (T, A)
    assert ((table >= 0) & (table <= 1)).all()


@pytest.mark.parametrize("name", RANDOM)
def test_seeds_reproduce(name: str) -> None:
    """The same generator state gives the same table, another seed another."""
    assert np.array_equal(as_array(name, 40, 3, seed=3), as_array(name, 40, 3, seed=3))
    assert not np.array_equal(as_array(name, 40, 3, seed=3), as_array(name, 40, 3, seed=4))


def test_constant_rows_are_exact() -> None:
    """Every row is the given one, with rationals kept; by default only arm 0 loses nothing."""
    assert (
        build("constant:values=1/3 0.1 1", 2, 3)
        == [[Fraction(1, 3), Fraction(1, 10), Fraction(1)]] * 2
    )
    assert build("constant", 1, 3) == [[0, 1, 1]]


def good_arms(text: str, T: int, A: int) -> list[int]:
    """The arm without loss in each round; every other arm must lose 1."""
    table = as_array(text, T, A)
    assert (np.sort(table, axis=1) == [0.0] + [1.0] * (A - 1)).all()
    return [int(arm) for arm in table.argmin(axis=1)]


def test_switching_hands_over_at_the_given_rounds() -> None:
    """From a named round on, counted from 1, the next arm is the good one, in any order given."""
    assert good_arms("switching", 3, 2) == [0, 0, 0]
    assert good_arms("switching:at=3 5", 6, 3) == [0, 0, 1, 1, 2, 2]
    assert good_arms("switching:at=5 3", 6, 3) == [0, 0, 1, 1, 2, 2]
    assert good_arms("switching:at=2 3 4", 5, 3) == [0, 1, 2, 0, 0]


@given(T=st.integers(1, 30), A=st.integers(2, 5), period=st.integers(1, 7))
def test_alternating_moves_on_after_each_period(T: int, A: int, period: int) -> None:
    """In round t the good arm is floor((t - 1) / period) modulo A."""
    expected = [(t - 1) // period % A for t in range(1, T + 1)]
    assert good_arms(f"alternating:period={period}", T, A) == expected


def test_alternating_changes_every_round_by_default() -> None:
    """The default period is 1."""
    assert good_arms("alternating", 5, 2) == [0, 1, 0, 1, 0]


def test_bernoulli_losses_have_their_means() -> None:
    """Losses are 0 or 1 with the given means, by default 1/4 for arm 0 and 1/2 for the others."""
    for text, means in (
        ("bernoulli", [0.25, 0.5, 0.5]),
        ("bernoulli:means=1/10 0.9 1/2", [0.1, 0.9, 0.5]),
    ):
        table = as_array(text, 40_000, 3)
        assert set(np.unique(table)) == {0.0, 1.0}
        assert table.mean(axis=0) == pytest.approx(means, abs=0.02)
    assert as_array("bernoulli:means=0 1", 100, 2).tolist() == [[0, 1]] * 100


def test_uniform_losses_are_uniform() -> None:
    """Mean and variance are those of the unit interval, and arms are uncorrelated."""
    table = as_array("uniform", 40_000, 2)
    assert table.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.01)
    assert table.var(axis=0) == pytest.approx([1 / 12, 1 / 12], rel=0.05)
    assert abs(correlations(table.T)[0, 1]) < 0.03


@pytest.mark.parametrize(("T", "B"), [(10, 4), (12, 4), (11, 2), (9, 1), (7, 7), (5, 12), (10, 5)])
def test_blocks_follow_the_printed_index(T: int, B: int) -> None:
    """Rounds share means exactly if b(t) = 1 + min(floor((t-1)/(floor(T/B)+1)), B-1) agrees."""
    block = [1 + min((t - 1) // (T // B + 1), B - 1) for t in range(1, T + 1)]
    # Across thousands of arms, rows with the same means correlate and others do not.
    correlation = correlations(as_array(f"blocks:blocks={B}", T, 4000))
    for t in range(T):
        for u in range(t):
            if block[t] == block[u]:
                assert correlation[t, u] > 0.6
            else:
                assert abs(correlation[t, u]) < 0.1


@pytest.mark.parametrize(
    ("T", "B", "blocks"), [(50_000, 500, 496), (12, 4, 3), (5, 12, 5), (9, 1, 1)]
)
def test_block_rows_cover_every_round_once(T: int, B: int, blocks: int) -> None:
    """The rows of the blocks are those of the printed index, without gaps."""
    rows = block_rows(T, B)
    index = [b for b, inside in enumerate(rows) for _ in range(T)[inside]]
    assert index == [min(t // (T // B + 1), B - 1) for t in range(T)]
    assert len(rows) == blocks


def test_block_losses_are_truncated_normals() -> None:
    """Within a block each arm scatters by 0.1 to 0.2 around a mean of its own, never clipped."""
    table = as_array("blocks:blocks=1", 4000, 60)
    centre, spread = table.mean(axis=0), table.std(axis=0)
    middle = (centre > 0.4) & (centre < 0.6)  # truncation hardly matters here
    assert middle.sum() >= 5
    assert ((spread[middle] > 0.09) & (spread[middle] < 0.21)).all()
    assert spread[middle].max() - spread[middle].min() > 0.02
    assert centre.min() < 0.25
    assert centre.max() > 0.75
    assert ((table > 0) & (table < 1)).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("constant:values=0 1", "3 values but got values=0 1"),
        ("bernoulli:means=1/2", "3 means but got means=1/2"),
        ("bernoulli:means=0 1 3/2", r"means in \[0, 1\]"),
        ("bernoulli:means=0 1 -1/2", r"means in \[0, 1\]"),
        ("alternating:period=0", "period >= 1 but got period=0"),
        ("blocks:blocks=0", r"1 <= blocks <= \d+ but got blocks=0"),
        ("blocks:blocks=1e14", r"1 <= blocks <= \d+ but got blocks="),
    ],
)
def test_bad_parameters_are_named(text: str, message: str) -> None:
    """A parameter outside its range is an error that names it."""
    with pytest.raises(InputError, match=message):
        build(text, 4, 3)
