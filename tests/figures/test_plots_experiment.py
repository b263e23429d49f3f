"""Pictures of the experiment."""

from __future__ import annotations

from typing import Any

from pbverify.figures.experiment import allowance_figure, scales_figure


def panels(figure: Any) -> Any:
    """Its axes, whose content matplotlib types too broadly to look at."""
    return figure.axes


def test_bars_per_reading() -> None:
    """Threshold, possible and seen gap beside each other, and the distances in their own panel."""
    keys = ("threshold", "most_gap", "seen_gap", "most_apart", "seen_apart")
    row = {"reading": "appendix", **{key: float(n) for n, key in enumerate(keys, start=1)}}
    gaps, apart = panels(allowance_figure([row]))
    assert [bar.get_height() for group in gaps.containers for bar in group] == [1, 2, 3]
    assert [bar.get_height() for group in apart.containers for bar in group] == [4, 5]


def test_a_line_per_scale() -> None:
    """Each regime has a column, each scale a line in both of its panels."""
    curves: dict[str, list[float]] = {
        "round": [1, 2],
        "alpha": [0.1, 0.2],
        "over_comparator": [0.0, 1.0],
    }
    figure = scales_figure({"no delay": {"1": curves, "1/2": curves}, "Pareto": {"1": curves}})
    above, _, below, _ = panels(figure)
    assert len(above.lines) == 2
    assert list(below.lines[0].get_ydata()) == [0.0, 1.0]
