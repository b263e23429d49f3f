"""The fourth and fifth notebook: the lower bound, and a small experiment."""

from __future__ import annotations

import struct
from fractions import Fraction
from typing import Any

import pytest

from pbverify.figures.experiment import STYLES, three_rows
from pbverify.figures.notebook import experiment as printed_experiment
from pbverify.figures.notebook import lower_bound
from pbverify.paper.experiment.environment import Settings
from pbverify.paper.experiment.learners import TITLES
from pbverify.paper.experiment.plan import Experiment
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.hard_environments import HardGame

SMALL = Settings(horizon=300, arms=4, blocks=5, delta=Fraction(1, 10))


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return printed_experiment.run(seeds=2, scan=(Fraction(1), Fraction(1, 64)), settings=SMALL)


def test_seeds_differ(experiment: Experiment) -> None:
    """Each seed has its own losses."""
    first, second = experiment.of(experiment.plan.prudent("appendix"), "no-delay")
    assert first.curves["regret"] != second.curves["regret"]


def test_figures_are_drawn(experiment: Experiment) -> None:
    """The paper's figure as a PNG file, the others as pictures with captions."""
    scaled = printed_experiment.Scaled(experiment)(scale=Fraction(1, 64))
    assert scaled._repr_png_().startswith(b"\x89PNG")
    assert len(printed_experiment.scales(experiment).axes) == 8
    assert "constants" in printed_experiment.allowance(experiment).get_supxlabel()


def test_tables_have_a_row_per_learner_and_scale(experiment: Experiment) -> None:
    """Three readings and five others; one row per scanned scale."""
    assert len(printed_experiment.regrets(experiment)) == len(experiment.plan.contenders)
    scales = [row["threshold scale"] for row in printed_experiment.restarts(experiment)]
    assert scales == ["1", "1/64"]


def panels(figure: Any) -> Any:
    """Its axes, whose content matplotlib types too broadly to look at."""
    return figure.axes


def test_the_falling_delays_are_admissible() -> None:
    """They never increase, and all feedback arrives by T + 1."""
    assert Bucketing(lower_bound.FALLING).is_admissible


def test_signals_are_strongest_at_the_least_margin() -> None:
    """There the first block has eps_1 = 1/4, as large as the lemma lets it be."""
    cut = Bucketing(lower_bound.FALLING)
    least = lower_bound.signals(HardGame(cut.lengths, lower_bound.least_margin(cut)))
    usual = lower_bound.signals(HardGame(cut.lengths, Fraction(1, 4)))
    assert least[0] == 0.25
    assert all(a > b for a, b in zip(least, usual, strict=True))


def test_buckets_name_their_lengths() -> None:
    """The title says T, D and V_1/L_1."""
    title = lower_bound.buckets(q=2, N=3).axes[0].get_title(loc="left")
    assert "T = 8, D = 15, bucket lengths 2, 2, 2, 2" in title


def test_no_sequence_exceeds_its_horizon() -> None:
    """All dots of the left panel lie on or below the diagonal."""
    dots = panels(lower_bound.ratios())[0].collections[0].get_offsets()
    assert len(dots) > 500
    assert (dots[:, 1] <= dots[:, 0] + 1e-9).all()


def test_simulations_play_alike() -> None:
    """Every slot below shows the arm above it."""
    texts = panels(lower_bound.simulation(j=2))[0].texts
    cells = {t.get_position(): t.get_text() for t in texts if t.get_text()}
    slots = [position[0] for position in cells if position[1] == 0.0]
    assert slots
    assert all(cells[slot, 0.0] == cells[slot, 1.0] for slot in slots)


def test_claimed_and_supported_rates_part() -> None:
    """With one long block the claimed rate outgrows the construction's leading term."""
    last = panels(lower_bound.rates())[-1]
    claimed, _, leading, _ = (line.get_ydata() for line in last.lines)
    assert claimed[-1] / leading[-1] > 100 * claimed[0] / leading[0]


def test_a_picture_has_its_size(experiment: Experiment) -> None:
    """A PNG file of 1300 by 920 dots, up to rounding (the command's test compares its bytes)."""
    own = experiment.plan.prudent("appendix")
    picture = three_rows(experiment, own, caption="caption")
    assert picture.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", picture[16:24])
    assert width == 1300
    assert abs(height - 920) <= 1


def test_lines_differ_in_colour_and_dashes() -> None:
    """No two learners share a colour or a dash pattern."""
    assert STYLES.keys() == TITLES.keys()
    for property in ("color", "linestyle"):
        assert len({str(style[property]) for style in STYLES.values()}) == len(STYLES)
