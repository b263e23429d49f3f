"""Pictures of bounds."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from pbverify.figures.bounds import (
    cloud_figure,
    lines_figure,
    overview_figure,
    scatter_figure,
    steps_figure,
)
from pbverify.figures.style import FAILS, HOLDS


def panels(figure: Any) -> Any:
    """Its axes, whose content matplotlib types too broadly to look at."""
    return figure.axes


@dataclasses.dataclass(frozen=True)
class Sides:
    """x against a constant, which it exceeds from there on."""

    limit: float
    name: str = "step"
    variable: str = "D"

    @property
    def x(self) -> Any:
        return np.linspace(1, 10, 91)

    lhs = x

    @property
    def rhs(self) -> Any:
        return np.full(91, self.limit)

    @property
    def fails(self) -> Any:
        return self.lhs > self.rhs

    @property
    def crossings(self) -> tuple[float, ...]:
        return (self.limit,) if self.limit < 10 else ()


def test_failing_stretches_are_shaded() -> None:
    """From the crossing to the end, and nowhere if the step holds."""
    failing, holding = panels(steps_figure([("a", Sides(4.0)), ("b", Sides(40.0))]))
    [band] = failing.patches
    assert band.get_x() == pytest.approx(4.1)
    assert band.get_x() + band.get_width() == pytest.approx(10)
    assert not holding.patches


def test_the_overview_shows_ratio_and_failure() -> None:
    """Shades are lhs/rhs; where the step fails there is another layer."""
    axes = panels(overview_figure([("a", Sides(4.0)), ("b", Sides(40.0))]))[0]
    ratio, failing = (np.ma.filled(image.get_array(), np.nan) for image in axes.images)
    assert ratio[1, -1] == pytest.approx(10 / 40)
    assert np.isnan(ratio[0, -1])
    assert failing[0, -1] == 1
    assert np.isnan(failing[1]).all()
    assert any("4" in text.get_text() for text in axes.texts)


def test_the_worst_case_is_marked() -> None:
    """The largest ratio of a row has the colour of its outcome."""
    axes = panels(cloud_figure({"a": [0.5, 0.75], "b": [0.5, 2.0]}, refuted=["b"]))[0]
    marks = [each for each in axes.collections if len(each.get_offsets()) == 1]
    assert [mark.get_offsets()[0, 0] for mark in marks] == [0.75, 2.0]
    colours = [tuple(mark.get_facecolor()[0][:3]) for mark in marks]
    assert colours == [
        tuple(int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)) for c in (HOLDS, FAILS)
    ]


def test_scatter_says_the_worst_ratio() -> None:
    """In words, in its panel."""
    axes = panels(scatter_figure([("a", [1.0, 3.0], [2.0, 4.0])]))[0]
    assert [text.get_text() for text in axes.texts] == ["worst 0.75"]


def test_lines_carry_their_names() -> None:
    """Every line of a panel is in its legend."""
    panel = {"x": [1, 10], "lines": {"up": ([1, 10], {}), "down": ([10, 1], {})}}
    axes = panels(lines_figure([{**panel, "xlabel": "T", "ylabel": "loss"}]))[0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["up", "down"]
