"""The pictures of the second notebook."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy

from pbverify.claims.bounds import Bound
from pbverify.claims.claim import Kind
from pbverify.claims.closed_form import closed_form
from pbverify.claims.library import Library
from pbverify.claims.register import Register, Row
from pbverify.claims.verdict import Outcome
from pbverify.figures.notebook import bounds
from pbverify.figures.notebook.measured import Cloud


def panels(figure: Any) -> Any:
    """Its axes, whose content matplotlib types too broadly to look at."""
    return figure.axes


D, delta = sympy.symbols("D delta", positive=True)


def small_library() -> Library:
    claim = closed_form("step", "D/4 <= D delta", Bound("it", D / 4, D * delta, ("D >= 1",)))
    row = Row("step", "", "", Kind.CLOSED_FORM, "stated", (), {"any": Outcome.REFUTED}, "")
    cloud = Row("measured", "", "", Kind.COMBINATORIAL, "stated", (), {"any": Outcome.HOLDS}, "")
    return Library(Register({"step": row, "measured": cloud}), {"step": (claim,)}, {})


CLOUD = Cloud("measured", "any", np.array([1.0, 3.0]), np.array([2.0, 4.0]))


def test_the_horizon_is_where_the_budget_meets_it() -> None:
    """R^ at the horizon found is that horizon."""
    T = bounds.horizon_from(A=10, delta=0.1, D=1000)
    assert bounds.budget("appendix", T=T, D=1000.0, A=10.0, delta=0.1) == pytest.approx(T, rel=1e-3)


def test_the_main_text_has_the_larger_budget() -> None:
    """Its constant 10 exceeds both constants of the appendix."""
    given = {"T": 100.0, "D": 10.0, "A": 4.0, "delta": 0.2}
    assert bounds.budget("main", **given) > bounds.budget("appendix", **given)


def test_constants_are_drawn_over_horizon_margin_and_delay() -> None:
    """Three panels, and crossings in words."""
    figure = bounds.constants(A=4, delta=0.2, D=10)
    assert [axes.get_xlabel() for axes in figure.axes] == [
        "horizon T (rounds)",
        "margin $\\delta$",
        "delay D",
    ]
    texts = [text.get_text() for text in panels(figure)[0].get_legend().get_texts()]
    assert sum("from T =" in text for text in texts) == 3


def test_steps_are_drawn_where_they_fail() -> None:
    """A step that fails for small delta is among the failing ones, named as in the list."""
    library = small_library()
    assert bounds.step_names(library) == ["step: it"]
    assert len(bounds.failing(library).axes) == 1
    assert len(bounds.overview(library).axes) == 2
    drawn = panels(bounds.Steps(library)(step="step: it"))[0]
    assert drawn.get_title(loc="left") == "step\nit"


def test_tightness_is_sorted() -> None:
    """The loosest claim comes last, with the outcome that the register knows."""
    rows = bounds.tightness([CLOUD], small_library())
    assert [row["claim"] for row in rows] == ["step", "measured"]
    assert rows[1]["least factor c"] == 0.75
    assert rows[1]["register"] == "HOLDS"


def test_clouds_are_drawn_by_claim() -> None:
    """One row per claim and outcome; a few claims case by case."""
    axes = panels(bounds.cloud_picture([CLOUD], small_library()))[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["measured"]
    assert len(bounds.scatter_picture([CLOUD], "measured").axes) == 1


def test_best_constants_are_read_from_lemma_files(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """A file's table of constants, whatever its name; other files have none."""
    path = tmp_path / "lemma_small.py"
    path.write_text(
        "import sympy\n"
        "from pbverify.best_constants import Constant, c\n"
        "from pbverify.closed_form import Bound\n"
        "x = sympy.Symbol('x', positive=True)\n"
        "SMALLEST = {'step': (Constant(Bound('x <= c x', x, c * x, ('x > 0',)),"
        " sympy.Integer(2), 'everywhere', sympy.Integer(1)),)}\n"
    )
    [row] = bounds.best_constants(Library(Register({}), {}, {"step": path}))
    assert (row["printed"], row["smallest"], row["value"]) == ("2", "1", 1.0)
    other = tmp_path / "lemma_other.py"
    other.write_text("")
    assert bounds.constants_in(other) == {}
