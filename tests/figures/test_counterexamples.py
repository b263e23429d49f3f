"""Pictures of counterexamples."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from pbverify.figures import counterexamples as cx
from pbverify.figures.style import FAILS
from pbverify.paper.pictures.mechanisms import mechanism, names
from pbverify.report.sketch import Box, Line, Text


def drawn(*panels: Any, forms: Sequence[cx.Form] = ()) -> Any:
    """The axes of a picture, whose content matplotlib types too broadly to look at."""
    return cx.case_figure(list(panels), list(forms)).axes


def long_run(rounds: int) -> dict[str, Any]:
    return {
        "delays": [0] * (rounds - 3) + [2, 0, 0],
        "stage": [1] * rounds,
        "phase": [1] * (rounds - 5) + [2] * 5,
        "alpha": [0.5] * rounds,
        "hard_restart": [False] * rounds,
        "soft_restart": [False] * rounds,
    }


def test_sides_are_bars_with_words() -> None:
    """Two bars per form, and a line that says whether it holds."""
    printed = cx.Form("as printed", 3.0, 2.0, "<=", holds=False)
    axes = drawn(forms=[printed, cx.Form("repaired", 3.0, 4.0, "<=", holds=True)])[0]
    assert [bar.get_width() for group in axes.containers for bar in group] == [3.0, 2.0, 3.0, 4.0]
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["as printed: 3 \u2264 2 FAILS", "repaired: 3 \u2264 4 holds"]
    assert axes.texts[0].get_color() == FAILS


@pytest.mark.parametrize(
    ("pair", "texts"),
    [
        ((43.188, 43.1852), ("43.188", "43.185")),
        ((304.0, 4.0), ("304", "4")),
        ((2.0, 2.0), ("2", "2")),
    ],
)
def test_numbers_are_told_apart(pair: tuple[float, float], texts: tuple[str, str]) -> None:
    """As many digits as it takes, and 0 for a rounding residue."""
    assert cx.told_apart(*pair) == texts
    assert cx.number(-3e-77) == "0"


def test_long_runs_are_cropped_around_the_place() -> None:
    """The round that matters is shown under its own number."""
    assert cx.cropped(long_run(50), 50)["first"] == 1
    shown = cx.cropped(long_run(5000), 4990)
    assert shown["first"] <= 4990 < shown["first"] + len(shown["delays"])
    [axes] = drawn(partial(cx.draw_run, columns=long_run(5000), focus=4990))
    assert any(int(label.get_text()) > 4900 for label in axes.get_xticklabels())


def test_another_arm_is_marked() -> None:
    """Whoever departs from the first player is shown in the colour of failure."""
    plays = {"honest": [1, 1], "other": [1, 0]}
    [axes] = drawn(partial(cx.draw_actions, plays=plays))
    assert [text.get_text() for text in axes.texts] == ["arm 1", "arm 1", "arm 1", "arm 0"]
    assert all(text.get_bbox_patch() is not None for text in axes.texts)
    assert axes.texts[-1].get_color() == "white"


@pytest.mark.parametrize("name", names())
def test_a_sketch_is_drawn_as_in_the_report(name: str) -> None:
    """Every line, box and text of the drawing is there, inside its frame, top up."""
    sketch = mechanism(name)
    assert sketch is not None
    [axes] = drawn(partial(cx.draw_sketch, sketch=sketch))
    kinds = [type(shape) for shape in sketch.shapes]
    assert [len(axes.lines), len(axes.patches), len(axes.texts)] == [
        kinds.count(kind) for kind in (Line, Box, Text)
    ]
    assert axes.get_xlim() == (0, sketch.width)
    assert axes.get_ylim() == (sketch.height, 0)


def test_every_panel_draws_its_data() -> None:
    """Bars and lines have the heights that were given."""
    laws, costs, counts = drawn(
        partial(cx.draw_laws, laws={"a": [0.25, 0.75]}),
        partial(cx.draw_costs, costs=[1.0, 2.0], expected=1.5, limit=1.75),
        partial(cx.draw_counts, counts={"a": [0, 1]}),
    )
    assert [bar.get_height() for bar in laws.containers[0]] == [0.25, 0.75]
    assert [bar.get_height() for group in costs.containers for bar in group] == [1.0, 2.0, 1.5]
    assert [bar.get_height() for bar in counts.containers[0]] == [0, 1]
    delays, ratio, gap, regrets = drawn(
        partial(cx.draw_delays, delays=[1, 0]),
        partial(cx.draw_ratio, n=[1.0, 10.0], ratio=[1, 10], slope=Fraction(1, 2)),
        partial(cx.draw_gap, columns={"gap": [0, 1], "threshold": [2, 2]}),
        partial(cx.draw_regrets, regrets={"a": [[0.0, 1.0], [0.0, 3.0]]}),
    )
    assert list(delays.lines[0].get_xdata()) == [1, 2]
    assert ratio.lines[0].get_ydata().tolist() == [1, 10]
    assert ratio.lines[1].get_ydata().tolist() == pytest.approx([10**0.5, 10])
    assert ratio.get_legend_handles_labels()[1] == ["ratio", "slope 1/2"]
    assert [list(line.get_ydata()) for line in gap.lines] == [[0, 1], [2, 2]]
    assert regrets.lines[2].get_ydata().tolist() == [0.0, 2.0]
