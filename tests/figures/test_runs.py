"""Pictures of runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from pbverify.figures.runs import (
    arrivals_figure,
    beyond_comparator,
    course_figure,
    phases_of,
    readings_figure,
    strips_figure,
)


def panels(figure: Any) -> Any:
    """Its axes, whose content matplotlib types too broadly to look at."""
    return figure.axes


def columns() -> dict[str, Any]:
    return {
        "delays": [0, 2, 0, 5],
        "stage": [1, 1, 2, 2],
        "phase": [1, 2, 1, 1],
        "alpha": [0.25, 0.5, 0.25, 0.25],
        "gap": [0.0, 1.0, 0.0, 0.5],
        "threshold": [2.0, 2.0, 3.0, 3.0],
        "hard_restart": [False, False, True, False],
        "soft_restart": [True, False, False, False],
        "borrowed": [1.0, 0.5, 0.0, 1.0],
        "repaid": [0.0, 1.0, 0.0, 0.0],
        "outstanding": [0, 0, 1, 1],
        "played": np.array([[0.5, 0.5]] * 4),
        "base": np.array([[0.5, 0.5]] * 4),
        "comparator": [0.75, 0.25],
        "losses": np.array([[1.0, 0.0]] * 4),
    }


def test_phases_are_stretches_of_rounds() -> None:
    """Name, first and last round of each."""
    assert list(phases_of(columns())) == [("1.1", 1, 1), ("1.2", 2, 2), ("2.1", 3, 4)]


def test_arrivals_are_drawn_where_they_happen() -> None:
    """A dot per delayed round, a square per arrival within the horizon, and what is missing."""
    above, below = panels(arrivals_figure(columns()))
    played, arrived = (each.get_offsets()[:, 0].tolist() for each in above.collections)
    assert played == [2, 4]
    assert arrived == [4]
    assert [bar.get_height() for bar in below.containers[0]] == [0, 0, 1, 1]


def test_credits_add_up_to_the_scale() -> None:
    """Borrowed stands on repaid, and each panel shows the columns that it names."""
    credit, alpha, gap = panels(course_figure(columns()))
    tops = [bar.get_y() + bar.get_height() for bar in credit.containers[1]]
    assert tops == [1.0, 1.5, 0.0, 1.0]
    assert alpha.lines[-1].get_ydata().tolist() == columns()["alpha"]
    assert gap.lines[-1].get_ydata().tolist() == columns()["gap"]


def test_losses_beyond_the_comparator() -> None:
    """<l, x - x^c> with the true losses."""
    assert beyond_comparator(columns()).tolist() == [-0.25] * 4


def test_readings_share_their_panels() -> None:
    """One line per reading in each panel; a strip per reading in the overview."""
    both = {"one": columns(), "other": columns()}
    alpha, gap, regret = panels(readings_figure(both))
    assert [len(axes.lines) for axes in (alpha, gap, regret)] == [2, 3, 3]
    strips = panels(strips_figure(both))[0]
    assert [label.get_text() for label in strips.get_yticklabels()] == ["one", "other"]
    assert strips.images[0].get_array().shape == (2, 4)
