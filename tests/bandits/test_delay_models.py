"""Delay models: shapes, parameters, reproducibility, and averages at a fixed seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.delay_models import DELAY_MODELS
from pbverify.bandits.delays import Delays
from pbverify.errors import InputError

RANDOM = ["bernoulli", "geometric", "pareto"]
ALL = ["none", "constant", *RANDOM, "bursts", "huge-first", "non-increasing", "explicit"]


def build(text: str, T: int, seed: int = 0) -> list[int]:
    delays = DELAY_MODELS.build(text, T=T, rng=np.random.default_rng(seed))
    assert isinstance(delays, Delays)
    return delays.to_json()


def test_the_menu_is_complete() -> None:
    """The documented models are offered under their names."""
    assert sorted(DELAY_MODELS.names) == sorted(ALL)


@pytest.mark.parametrize("name", [name for name in ALL if name != "explicit"])
@given(T=st.integers(1, 60), seed=st.integers(0, 5))
def test_every_model_gives_a_delay_per_round(name: str, T: int, seed: int) -> None:
    """With its defaults each model gives T valid delays."""
    assert len(build(name, T, seed)) == T


@pytest.mark.parametrize("name", RANDOM)
def test_seeds_reproduce(name: str) -> None:
    """The same generator state gives the same delays, another seed others."""
    text = f"{name}:delayed=0.5"
    assert build(text, 200, seed=3) == build(text, 200, seed=3)
    assert build(text, 200, seed=3) != build(text, 200, seed=4)


def test_shapes_without_chance() -> None:
    """none, constant, huge-first and explicit give exactly what they say."""
    assert build("none", 3) == [0, 0, 0]
    assert build("constant", 3) == [1, 1, 1]
    assert build("constant:delay=7", 2) == [7, 7]
    assert build("huge-first", 3) == [1_000_000_000, 0, 0]
    assert build("huge-first:delay=12", 1) == [12]
    assert build("explicit:values=3 0 1e2", 3) == [3, 0, 100]


@given(T=st.integers(1, 60), every=st.integers(1, 12), length=st.integers(1, 12))
def test_bursts_hide_rounds_and_reveal_them_together(T: int, every: int, length: int) -> None:
    """The first rounds of each block arrive at the end of the last of them, the others at once."""
    length = min(length, every)
    delays = build(f"bursts:every={every},length={length}", T)
    for t, delay in enumerate(delays, start=1):
        block_start = (t - 1) // every * every + 1
        last_hidden = block_start + length - 1
        assert t + delay == max(t, last_hidden)


@given(T=st.integers(1, 100), slope=st.integers(0, 64))
def test_non_increasing_delays(T: int, slope: int) -> None:
    """d_t is slope times T + 1 - t, rounded down: non-increasing and at most T + 1 - t."""
    delays = build(f"non-increasing:slope={slope}/64", T)
    assert delays == [slope * (T + 1 - t) // 64 for t in range(1, T + 1)]
    assert delays == sorted(delays, reverse=True)
    assert all(0 <= delay <= T + 1 - t for t, delay in enumerate(delays, start=1))


def test_steepest_delays_point_just_beyond_the_horizon() -> None:
    """With slope 1, the default, every feedback arrives after the last round."""
    assert build("non-increasing", 4) == build("non-increasing:slope=1", 4) == [4, 3, 2, 1]
    assert build("non-increasing:slope=0", 3) == [0, 0, 0]


def test_bernoulli_delays_are_single_steps() -> None:
    """Late by one round with the given frequency, 3 percent by default, otherwise in time."""
    for text, probability in (("bernoulli", 0.03), ("bernoulli:delayed=0.5", 0.5)):
        delays = build(text, 100_000)
        assert set(delays) == {0, 1}
        assert np.mean(delays) == pytest.approx(probability, abs=0.01)


def test_geometric_delays_have_mean_one_over_p() -> None:
    """Late ones are at least 1 with mean 1/p and P(d = 1) = p; defaults are 3 percent and 0.4."""
    for text, delayed, p in (
        ("geometric", 0.03, 0.4),
        ("geometric:delayed=1,p=0.25", 1.0, 0.25),
    ):
        delays = np.array(build(text, 200_000))
        late = delays[delays > 0]
        assert len(late) / len(delays) == pytest.approx(delayed, abs=0.005)
        assert late.mean() == pytest.approx(1 / p, rel=0.05)
        assert np.mean(late == 1) == pytest.approx(p, abs=0.03)


def test_pareto_delays_have_lomax_tails() -> None:
    """Late ones are 1 + floor(X) with P(X >= n) = (1 + n)^-shape; the default shape is 2.5."""
    for text, shape in (("pareto:delayed=1", 2.5), ("pareto:delayed=1,shape=1", 1.0)):
        delays = np.array(build(text, 200_000))
        assert delays.min() == 1
        for n in (1, 2, 4):
            assert np.mean(delays >= 1 + n) == pytest.approx((1 + n) ** -shape, abs=0.01)
    assert np.mean(np.array(build("pareto", 200_000)) > 0) == pytest.approx(0.03, abs=0.005)


@pytest.mark.parametrize("name", RANDOM)
def test_extreme_probabilities(name: str) -> None:
    """With probability 0 nothing is late, with probability 1 everything is."""
    assert set(build(f"{name}:delayed=0", 500)) == {0}
    assert min(build(f"{name}:delayed=1", 500)) >= 1


def test_the_heaviest_tail_stays_a_valid_delay() -> None:
    """A Lomax variable beyond all bounds is cut to the largest delay."""
    assert max(build("pareto:delayed=1,shape=0.001", 100)) == 2**53 - 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bernoulli:delayed=1.01", "0 <= delayed <= 1 but got delayed=1.01"),
        ("geometric:delayed=-0.1", "0 <= delayed <= 1"),
        ("pareto:delayed=2", "0 <= delayed <= 1"),
        ("geometric:p=0", "0 < p <= 1 but got p=0.0"),
        ("geometric:p=1.5", "0 < p <= 1"),
        ("pareto:shape=0", "shape > 0 but got shape=0.0"),
        ("bursts:length=0", "1 <= length <= every but got length=0"),
        ("bursts:every=3,length=4", "1 <= length <= every but got length=4"),
        ("bursts:every=0,length=0", "1 <= length <= every"),
        ("non-increasing:slope=1.5", "0 <= slope <= 1 but got slope=1.5"),
        ("non-increasing:slope=-1", "0 <= slope <= 1"),
        ("constant:delay=-1", r"delays\[1\]=-1"),
        ("constant:delay=1e30", r"below 2\^62"),
        ("constant:delay=1e16", r"0 <= delay < 2\^53"),
        ("explicit:values=1 2", r"5 entries but got len\(delays\)=2"),
        ("explicit:values=0 0 0 -3 0", r"delays\[4\]=-3"),
    ],
)
def test_bad_parameters_are_named(text: str, message: str) -> None:
    """A parameter outside its range is an error that names it."""
    with pytest.raises(InputError, match=message):
        build(text, 5)
