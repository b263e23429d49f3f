"""Named generators of delays, losses and comparators, chosen by one line of text."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.catalogue import Menu, require
from pbverify.bandits.comparators import COMPARATORS
from pbverify.bandits.delay_models import DELAY_MODELS
from pbverify.bandits.loss_patterns import LOSS_PATTERNS, block_rows
from pbverify.errors import InputError

RANDOM_DELAYS = ["bernoulli", "geometric", "pareto"]
DELAYS = ["none", "constant", *RANDOM_DELAYS, "bursts", "huge-first", "non-increasing", "explicit"]
RANDOM_LOSSES = ["bernoulli", "uniform", "blocks"]
LOSSES = ["constant", "switching", "alternating", *RANDOM_LOSSES]


def delays(text: str, T: int, seed: int = 0) -> list[int]:
    built: list[int] = DELAY_MODELS.build(text, T=T, rng=np.random.default_rng(seed)).to_json()
    return built


def table(text: str, T: int, A: int, seed: int = 0) -> npt.NDArray[np.float64]:
    return np.array(LOSS_PATTERNS.build(text, T=T, A=A, rng=np.random.default_rng(seed)), float)


@pytest.fixture
def menu() -> Menu:
    menu = Menu("shape")

    @menu.entry
    def plain(T: int) -> Any:
        """Nothing to set."""
        return ("plain", T)

    @menu.entry
    def two_words(
        T: int,
        *,
        count: int = 3,
        ratio: float = 0.5,
        exact: Fraction = Fraction(1, 3),
        whole: tuple[int, ...] = (),
        parts: tuple[Fraction, ...] = (),
    ) -> Any:
        """Everything to set.

        Not shown in a summary.
        """
        return T, count, ratio, exact, whole, parts

    return menu


def test_a_bare_name_takes_the_defaults(menu: Menu) -> None:
    """Entries are offered in order with dashes, and get the part of the context they ask for."""
    assert menu.names == ["plain", "two-words"]
    assert menu.build("two-words", T=9) == (9, 3, 0.5, Fraction(1, 3), (), ())
    assert menu.build("plain", T=2, rng="unused") == ("plain", 2)


def test_parameters_are_read_by_type(menu: Menu) -> None:
    """Integers, doubles, exact rationals and lists of them are read as annotated."""
    text = "two-words:count=12,ratio=1/4,exact=0.1,whole=1 2 1e1,parts=1/3 0.5"
    built = menu.build(text, T=1)
    whole, parts = (1, 2, 10), (Fraction(1, 3), Fraction(1, 2))
    assert built == (1, 12, 0.25, Fraction(1, 10), whole, parts)
    assert [type(value) for value in built] == [int, int, float, Fraction, tuple, tuple]
    assert all(type(value) is int for value in built[4])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("circle", "one of plain, two-words but got shape=circle"),
        ("", "one of plain, two-words but got shape="),
        ("two_words", "but got shape=two_words"),
        ("two-words:size=3", r"a parameter of two-words among \(count, .*got shape=size=3"),
        ("two-words:T=3", "a parameter of two-words among"),
        ("plain:count=3", r"a parameter of plain among \(\)"),
        ("two-words:count=1.5", r"an integer but got shape two-words\.count=1\.5"),
        ("two-words:count=x", r"a number but got shape two-words\.count=x"),
        ("two-words:count", r"a number but got shape two-words\.count="),
        ("two-words:ratio=nan", "a number but got"),
        ("two-words:exact=1/0", "a number but got"),
        ("two-words:whole=1 2.5", r"an integer but got shape two-words\.whole=2\.5"),
        ("two-words:parts=1 x", r"a number but got shape two-words\.parts=x"),
    ],
)
def test_mistakes_are_named(menu: Menu, text: str, message: str) -> None:
    """An unknown name or parameter, or a value of the wrong type, is an error that says what."""
    with pytest.raises(InputError, match=message):
        menu.build(text, T=1)


def test_the_description_shows_usage_and_summary(menu: Menu) -> None:
    """Each entry takes two lines, usage and summary; the shown defaults can be built."""
    lines = menu.describe().splitlines()
    assert lines == [
        "  plain",
        "      Nothing to set",
        "  two-words:count=3,ratio=0.5,exact=1/3,whole=...,parts=...",
        "      Everything to set",
    ]
    usage = lines[2].strip().split(",whole")[0]
    assert menu.build(usage, T=4) == menu.build("two-words", T=4)


def test_require_raises_only_if_it_must() -> None:
    """A condition that holds passes, one that fails names expectation, field and value."""
    require(1 < 2, "anything", "x", 1)
    with pytest.raises(InputError, match="Expected x > 1 but got x=0"):
        require(0 > 1, "x > 1", "x", 0)


def test_the_menus_are_complete() -> None:
    """The documented delay models, loss patterns and comparators are offered by name."""
    assert sorted(DELAY_MODELS.names) == sorted(DELAYS)
    assert sorted(LOSS_PATTERNS.names) == sorted(LOSSES)
    assert sorted(COMPARATORS.names) == ["anchored", "explicit", "uniform"]


@pytest.mark.parametrize(
    ("menu", "text", "message"),
    [
        (COMPARATORS, "anchored:arm=3", r"an arm in 0\.\.2 but got arm=3"),
        (COMPARATORS, "anchored:arm=-1", r"an arm in 0\.\.2 but got arm=-1"),
        (COMPARATORS, "anchored:margin=0", "0 < margin <= 1/3 but got margin=0"),
        (COMPARATORS, "anchored:margin=1/2", "0 < margin <= 1/3 but got margin=1/2"),
        (COMPARATORS, "explicit:values=1/2 1/2", "3 values but got values=1/2 1/2"),
        (COMPARATORS, "explicit", "3 values"),
        (DELAY_MODELS, "bernoulli:delayed=1.01", "0 <= delayed <= 1 but got delayed=1.01"),
        (DELAY_MODELS, "geometric:delayed=-0.1", "0 <= delayed <= 1"),
        (DELAY_MODELS, "pareto:delayed=2", "0 <= delayed <= 1"),
        (DELAY_MODELS, "geometric:p=0", "0 < p <= 1 but got p=0.0"),
        (DELAY_MODELS, "geometric:p=1.5", "0 < p <= 1"),
        (DELAY_MODELS, "pareto:shape=0", "shape > 0 but got shape=0.0"),
        (DELAY_MODELS, "bursts:length=0", "1 <= length <= every but got length=0"),
        (DELAY_MODELS, "bursts:every=3,length=4", "1 <= length <= every but got length=4"),
        (DELAY_MODELS, "bursts:every=0,length=0", "1 <= length <= every"),
        (DELAY_MODELS, "non-increasing:slope=1.5", "0 <= slope <= 1 but got slope=1.5"),
        (DELAY_MODELS, "non-increasing:slope=-1", "0 <= slope <= 1"),
        (DELAY_MODELS, "constant:delay=-1", r"delays\[1\]=-1"),
        (DELAY_MODELS, "constant:delay=1e30", r"below 2\^62"),
        (DELAY_MODELS, "constant:delay=1e16", r"0 <= delay < 2\^53"),
        (DELAY_MODELS, "explicit:values=1 2", r"5 entries but got len\(delays\)=2"),
        (DELAY_MODELS, "explicit:values=0 0 0 -3 0", r"delays\[4\]=-3"),
        (LOSS_PATTERNS, "constant:values=0 1", "3 values but got values=0 1"),
        (LOSS_PATTERNS, "bernoulli:means=1/2", "3 means but got means=1/2"),
        (LOSS_PATTERNS, "bernoulli:means=0 1 3/2", r"means in \[0, 1\]"),
        (LOSS_PATTERNS, "bernoulli:means=0 1 -1/2", r"means in \[0, 1\]"),
        (LOSS_PATTERNS, "alternating:period=0", "period >= 1 but got period=0"),
        (LOSS_PATTERNS, "blocks:blocks=0", r"1 <= blocks <= \d+ but got blocks=0"),
        (LOSS_PATTERNS, "blocks:blocks=1e14", r"1 <= blocks <= \d+ but got blocks="),
    ],
)
def test_bad_parameters_are_named(menu: Menu, text: str, message: str) -> None:
    """A parameter outside its range is an error that names it."""
    with pytest.raises(InputError, match=message):
        menu.build(text, T=5, A=3, rng=np.random.default_rng(0))


@given(st.integers(2, 20), st.data())
def test_comparators_are_exact_distributions(A: int, data: st.DataObject) -> None:
    """Uniform is 1/A on each arm; anchored is the margin on all arms but one; both sum to 1."""
    assert COMPARATORS.build("uniform", A=A) == [Fraction(1, A)] * A
    arm = data.draw(st.integers(0, A - 1))
    margin = Fraction(1, data.draw(st.integers(A, 10_000)))
    point = COMPARATORS.build(f"anchored:arm={arm},margin={margin}", A=A)
    assert len(point) == A
    assert sum(point) == 1
    assert all(entry == margin for i, entry in enumerate(point) if i != arm)
    assert point[arm] >= margin


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("anchored", ["998/1000", "1/1000", "1/1000"]),
        ("anchored:margin=0.1", ["8/10", "1/10", "1/10"]),
        ("explicit:values=1/3 0.5 1/6", ["1/3", "1/2", "1/6"]),
    ],
)
def test_comparators_by_name(text: str, expected: list[str]) -> None:
    """Decimals are the rationals they are written as; the default is the experiment's."""
    assert COMPARATORS.build(text, A=3) == [Fraction(entry) for entry in expected]


@pytest.mark.parametrize("name", DELAYS[:-1])
@given(T=st.integers(1, 60), seed=st.integers(0, 5))
def test_every_model_gives_a_delay_per_round(name: str, T: int, seed: int) -> None:
    """With its defaults each model gives T valid delays."""
    assert len(delays(name, T, seed)) == T


@pytest.mark.parametrize("name", RANDOM_DELAYS)
def test_random_delays(name: str) -> None:
    """Seeds reproduce; with probability 0 nothing is late, with probability 1 everything is."""
    text = f"{name}:delayed=0.5"
    assert delays(text, 200, seed=3) == delays(text, 200, seed=3)
    assert delays(text, 200, seed=3) != delays(text, 200, seed=4)
    assert set(delays(f"{name}:delayed=0", 500)) == {0}
    assert min(delays(f"{name}:delayed=1", 500)) >= 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("none", [0, 0, 0]),
        ("constant", [1, 1, 1]),
        ("constant:delay=7", [7, 7]),
        ("huge-first", [1_000_000_000, 0, 0]),
        ("huge-first:delay=12", [12]),
        ("explicit:values=3 0 1e2", [3, 0, 100]),
        ("non-increasing", [4, 3, 2, 1]),
        ("non-increasing:slope=1", [4, 3, 2, 1]),
        ("non-increasing:slope=0", [0, 0, 0]),
    ],
)
def test_delays_without_chance(text: str, expected: list[int]) -> None:
    """Models without chance give exactly what they say; the steepest slope ends beyond T."""
    assert delays(text, len(expected)) == expected


@given(T=st.integers(1, 60), every=st.integers(1, 12), length=st.integers(1, 12))
def test_bursts_hide_rounds_and_reveal_them_together(T: int, every: int, length: int) -> None:
    """The first rounds of each block arrive at the end of the last of them, the others at once."""
    length = min(length, every)
    for t, delay in enumerate(delays(f"bursts:every={every},length={length}", T), start=1):
        last_hidden = (t - 1) // every * every + length
        assert t + delay == max(t, last_hidden)


@given(T=st.integers(1, 100), slope=st.integers(0, 64))
def test_non_increasing_delays(T: int, slope: int) -> None:
    """d_t is slope times T + 1 - t, rounded down: non-increasing and at most T + 1 - t."""
    built = delays(f"non-increasing:slope={slope}/64", T)
    assert built == [slope * (T + 1 - t) // 64 for t in range(1, T + 1)]
    assert built == sorted(built, reverse=True)
    assert all(0 <= delay <= T + 1 - t for t, delay in enumerate(built, start=1))


@pytest.mark.parametrize(
    ("text", "p"), [("bernoulli", 0.03), ("bernoulli:delayed=0.5", 0.5), ("pareto", 0.03)]
)
def test_late_feedback_has_its_frequency(text: str, p: float) -> None:
    """Rounds are late with the given frequency, 3 percent by default; Bernoulli's by one round."""
    built = np.array(delays(text, 200_000))
    assert np.mean(built > 0) == pytest.approx(p, abs=0.005)
    assert "bernoulli" not in text or set(built) == {0, 1}


@pytest.mark.parametrize(
    ("text", "delayed", "p"), [("geometric", 0.03, 0.4), ("geometric:delayed=1,p=0.25", 1, 0.25)]
)
def test_geometric_delays_have_mean_one_over_p(text: str, delayed: float, p: float) -> None:
    """Late ones are at least 1 with mean 1/p and P(d = 1) = p; defaults are 3 percent and 0.4."""
    built = np.array(delays(text, 200_000))
    late = built[built > 0]
    assert len(late) / len(built) == pytest.approx(delayed, abs=0.005)
    assert late.mean() == pytest.approx(1 / p, rel=0.05)
    assert np.mean(late == 1) == pytest.approx(p, abs=0.03)


@pytest.mark.parametrize(
    ("text", "shape"), [("pareto:delayed=1", 2.5), ("pareto:delayed=1,shape=1", 1)]
)
def test_pareto_delays_have_lomax_tails(text: str, shape: float) -> None:
    """Late ones are 1 + floor(X) with P(X >= n) = (1 + n)^-shape, cut to the largest delay."""
    built = np.array(delays(text, 200_000))
    assert built.min() == 1
    for n in (1, 2, 4):
        assert np.mean(built >= 1 + n) == pytest.approx((1 + n) ** -shape, abs=0.01)
    assert max(delays("pareto:delayed=1,shape=0.001", 100)) == 2**53 - 1


@pytest.mark.parametrize("name", LOSSES)
@given(T=st.integers(1, 30), A=st.integers(2, 6), seed=st.integers(0, 3))
def test_every_table_holds_losses(name: str, T: int, A: int, seed: int) -> None:
    """With its defaults each pattern gives T rows of A losses in [0, 1], fixed by the seed."""
    losses = table(name, T, A, seed)
    assert losses.shape == (T, A)
    assert ((losses >= 0) & (losses <= 1)).all()
    assert np.array_equal(losses, table(name, T, A, seed))


@pytest.mark.parametrize("name", RANDOM_LOSSES)
def test_another_seed_gives_another_table(name: str) -> None:
    """Random losses depend on the seed."""
    assert not np.array_equal(table(name, 40, 3, seed=3), table(name, 40, 3, seed=4))


def test_constant_rows_are_exact() -> None:
    """Every row is the given one, with rationals kept; by default only arm 0 loses nothing."""
    row = [Fraction(1, 3), Fraction(1, 10), Fraction(1)]
    assert LOSS_PATTERNS.build("constant:values=1/3 0.1 1", T=2, A=3) == [row, row]
    assert LOSS_PATTERNS.build("constant", T=1, A=3) == [[0, 1, 1]]


def good_arms(text: str, T: int, A: int) -> list[int]:
    """The arm without loss in each round; every other arm must lose 1."""
    losses = table(text, T, A)
    assert (np.sort(losses, axis=1) == [0.0] + [1.0] * (A - 1)).all()
    return [int(arm) for arm in losses.argmin(axis=1)]


@pytest.mark.parametrize(
    ("text", "A", "expected"),
    [
        ("switching", 2, [0, 0, 0]),
        ("switching:at=3 5", 3, [0, 0, 1, 1, 2, 2]),
        ("switching:at=5 3", 3, [0, 0, 1, 1, 2, 2]),
        ("switching:at=2 3 4", 3, [0, 1, 2, 0, 0]),
        ("alternating", 2, [0, 1, 0, 1, 0]),
    ],
)
def test_the_good_arm_moves_on(text: str, A: int, expected: list[int]) -> None:
    """From a named round on, counted from 1, or in every round, the next arm is the good one."""
    assert good_arms(text, len(expected), A) == expected


@given(T=st.integers(1, 30), A=st.integers(2, 5), period=st.integers(1, 7))
def test_alternating_moves_on_after_each_period(T: int, A: int, period: int) -> None:
    """In round t the good arm is floor((t - 1) / period) modulo A."""
    expected = [(t - 1) // period % A for t in range(1, T + 1)]
    assert good_arms(f"alternating:period={period}", T, A) == expected


@pytest.mark.parametrize(
    ("text", "means"),
    [("bernoulli", [0.25, 0.5, 0.5]), ("bernoulli:means=1/10 0.9 1/2", [0.1, 0.9, 0.5])],
)
def test_bernoulli_losses_have_their_means(text: str, means: list[float]) -> None:
    """Losses are 0 or 1 with the given means, by default 1/4 for arm 0 and 1/2 for the others."""
    losses = table(text, 40_000, 3)
    assert set(np.unique(losses)) == {0.0, 1.0}
    assert losses.mean(axis=0) == pytest.approx(means, abs=0.02)
    assert table("bernoulli:means=0 1", 100, 2).tolist() == [[0, 1]] * 100


def test_uniform_losses_are_uniform() -> None:
    """Mean and variance are those of the unit interval, and arms are uncorrelated."""
    losses = table("uniform", 40_000, 2)
    assert losses.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.01)
    assert losses.var(axis=0) == pytest.approx([1 / 12, 1 / 12], rel=0.05)
    assert abs(np.cov(losses.T)[0, 1]) < 0.0025


@pytest.mark.parametrize(("T", "B"), [(10, 4), (12, 4), (11, 2), (9, 1), (7, 7), (5, 12), (10, 5)])
def test_blocks_follow_the_printed_index(T: int, B: int) -> None:
    """Rounds share means exactly if b(t) = 1 + min(floor((t-1)/(floor(T/B)+1)), B-1) agrees."""
    block = [1 + min((t - 1) // (T // B + 1), B - 1) for t in range(1, T + 1)]
    # Across thousands of arms, rows with the same means correlate and others do not.
    correlation = np.atleast_2d(np.corrcoef(table(f"blocks:blocks={B}", T, 4000)))
    for t in range(T):
        for u in range(t):
            is_same = correlation[t, u] > 0.6
            assert is_same or abs(correlation[t, u]) < 0.1
            assert is_same == (block[t] == block[u])


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
    losses = table("blocks:blocks=1", 4000, 60)
    centre, spread = losses.mean(axis=0), losses.std(axis=0)
    middle = (centre > 0.4) & (centre < 0.6)  # truncation hardly matters here
    assert middle.sum() >= 5
    assert ((spread[middle] > 0.09) & (spread[middle] < 0.21)).all()
    assert spread[middle].max() - spread[middle].min() > 0.02
    assert centre.min() < 0.25
    assert centre.max() > 0.75
    assert ((losses > 0) & (losses < 1)).all()
