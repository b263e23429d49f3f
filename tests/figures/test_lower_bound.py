"""Pictures of the lower bound."""

from __future__ import annotations

from typing import Any

import numpy as np

from pbverify.figures.lower_bound import (
    environments_figure,
    rates_figure,
    ratios_figure,
    simulation_figure,
)


def panels(figure: Any) -> Any:
    """Its axes, whose content matplotlib types too broadly to look at."""
    return figure.axes


def test_ratios_stand_against_both() -> None:
    """The same heights over T and over D."""
    over_T, over_D = panels(ratios_figure([2, 4], [3, 30], [2.0, 3.0]))
    assert over_T.collections[0].get_offsets().tolist() == [[2, 2.0], [4, 3.0]]
    assert over_D.collections[0].get_offsets().tolist() == [[3, 2.0], [30, 3.0]]


def test_environments_mirror_each_other() -> None:
    """Per block a line above 1/2 and one as far below it."""
    [axes] = panels(environments_figure({"game": ((2, 1), (0.1, 0.05))}))
    heights = [line.get_ydata()[0] for line in axes.lines[:4]]
    assert np.allclose(heights, [0.6, 0.4, 0.55, 0.45])
    assert list(axes.lines[0].get_xdata()) == [0.5, 2.5]


def test_simulations_align_rounds_and_slots() -> None:
    """Slot 1 of the suffix stands under round b_j; arrows only to rounds that exist."""
    figure = simulation_figure([0, 1, 1], [1, 1], first=2, edges=[1, 2, 4], arrivals=[2, 4, 4])
    cells = [(t.get_position(), t.get_text()) for t in figure.axes[0].texts if t.get_text()]
    assert ((2, 1.0), "1") in cells
    assert ((2, 0.0), "1") in cells
    assert len(cells) == 5
    assert len(figure.axes[0].texts) - len(cells) == 1


def test_negative_bounds_are_left_out() -> None:
    """On a log scale a bound that says nothing has no line."""
    [axes] = panels(rates_figure([1, 10], {"q = 1": {"bound": [-1.0, 2.0]}}))
    assert np.isnan(axes.lines[0].get_ydata()[0])
