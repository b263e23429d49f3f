"""The second notebook: bounds as curves, measured cases, and best constants."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from pbverify.bandits.delays import Delays
from pbverify.claims.claim import Claim, Kind, Pair, Relation
from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.claims.library import Library
from pbverify.claims.register import Register, Row
from pbverify.claims.verdict import Outcome
from pbverify.figures.notebook import bounds, curves, measured
from pbverify.paper.cases.phase import DelayedPhase, delayed_phases
from pbverify.paper.formulas import lower as f
from pbverify.paper.lower_bound.growth import Path
from pbverify.paper.sorts import MIRROR_STEPS, PATHS, PHASES

x, D, delta = sympy.symbols("x D delta", positive=True)


def panels(figure: Any) -> Any:
    """Its axes, whose content matplotlib types too broadly to look at."""
    return figure.axes


def small_library() -> Library:
    claim = Claim(
        "step",
        Kind.CLOSED_FORM,
        "D/4 <= D delta",
        then=(Bound("it", D / 4, D * delta, ("D >= 1",)),),
        about=POINTS,
    )
    row = Row("step", "", "", Kind.CLOSED_FORM, "stated", (), {"any": Outcome.REFUTED}, "")
    cloud = Row("measured", "", "", Kind.COMBINATORIAL, "stated", (), {"any": Outcome.HOLDS}, "")
    return Library(Register({"step": row, "measured": cloud}), {"step": (claim,)}, {})


CLOUD = measured.Cloud("measured", "any", np.array([1.0, 3.0]), np.array([2.0, 4.0]))


def test_the_horizon_is_where_the_budget_meets_it() -> None:
    """R^ at the horizon found is that horizon; the main text's constant 10 makes R^ larger."""
    T = bounds.horizon_from(A=10, delta=0.1, D=1000)
    given = {"T": T, "D": 1000.0, "A": 10.0, "delta": 0.1}
    assert bounds.budget("appendix", **given) == pytest.approx(T, rel=1e-3)
    assert bounds.budget("main", **given) > bounds.budget("appendix", **given)


def test_constants_are_drawn_over_horizon_margin_and_delay() -> None:
    """Three panels, and crossings in words."""
    axes = panels(bounds.constants(A=4, delta=0.2, D=10))
    labels = ["horizon T (rounds)", "margin $\\delta$", "delay D"]
    assert [each.get_xlabel() for each in axes] == labels
    texts = [text.get_text() for text in axes[0].get_legend().get_texts()]
    assert sum("from T =" in text for text in texts) == 3


def test_steps_are_drawn_where_they_fail() -> None:
    """A step that fails for small delta is among the failing ones, named as in the list."""
    library = small_library()
    assert bounds.step_names(library) == ["step: it"]
    assert len(bounds.failing(library).axes) == 1
    assert len(bounds.overview(library).axes) == 2
    picture = panels(bounds.Steps(library)(step="step: it"))[0]
    assert picture.get_title(loc="left") == "step\nit"


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
        "from pbverify.claims.closed_forms.best_constants import Constant, c\n"
        "from pbverify.claims.closed_forms.bound import Bound\n"
        "x = sympy.Symbol('x', positive=True)\n"
        "SMALLEST = {'step': (Constant(Bound('x <= c x', x, c * x, ('x > 0',)),"
        " sympy.Integer(2), 'everywhere', sympy.Integer(1)),)}\n"
    )
    [row] = bounds.best_constants(Library(Register({}), {}, {"step": path}))
    assert (row["printed"], row["smallest"], row["value"]) == ("2", "1", 1.0)
    other = tmp_path / "lemma_other.py"
    other.write_text("")
    assert bounds.constants_in(other) == {}


CROSSING = Bound("crossing", x, x**2 / 4, ("x >= 1",))


def test_crossings_are_found() -> None:
    """x <= x^2/4 fails below 4 only; where sides touch, rounding is no failure."""
    found, same = curves.curve(CROSSING), curves.curve(Bound("same", sympy.sqrt(x) ** 2, x))
    assert list(found.crossings) == pytest.approx([4.0], rel=1e-6)
    assert found.fails[0]
    assert not found.fails[-1]
    assert not same.fails.any()
    assert same.crossings == ()


def test_domains_are_kept() -> None:
    """Values stay within the conditions; counts start at 1; integers are integers."""
    found = curves.curve(Bound("inside", x, x, ("x > 1/2", "x <= 2")))
    assert found.x[0] == 0.5
    assert found.x[-1] == pytest.approx(2.0)
    whole = curves.curve(Bound("whole", D, D, ("D >= 2",), integers=("D",)))
    assert all(value == math.floor(value) for value in whole.x)
    assert curves.curve(Bound("count", D, D)).x[0] == 1


def test_other_variables_stand_still() -> None:
    """By default inside their domain, or where the caller puts them."""
    bound = Bound("two", D * delta, D, ("delta <= 1/4",))
    assert curves.variables_of(bound) == ["D", "delta"]
    assert curves.curve(bound, along="D").lhs[0] == pytest.approx(1 / 8)
    assert curves.curve(bound, along="D", fixed={"delta": 0.25}).lhs[0] == 0.25


def test_the_tightest_point_is_found() -> None:
    """The largest ratio over all variables, and where; none if no right side is positive."""
    found = curves.tightest(Bound("two", D * delta, D, ("delta <= 1/4",)))
    assert found.ratio == pytest.approx(0.25)
    assert found.at["delta"] == pytest.approx(0.25)
    assert math.isnan(curves.tightest(Bound("none", -x, -x)).ratio)


def test_identities_are_not_drawn() -> None:
    """Nor are bounds between numbers."""
    assert curves.is_drawable(CROSSING)
    assert not curves.is_drawable(Bound("same", x, x, relation=Relation.EQUAL))
    assert not curves.is_drawable(Bound("numbers", sympy.Integer(1), sympy.Integer(2)))


def compare(path: Path) -> Iterator[Pair]:
    yield from path.at_least_of_order(f.T, f.D, name="T against D")


CLAIM: Claim[Path] = Claim("rate", Kind.RATE, "T is of order D", then=(compare,))
PATH = Path(q=Fraction(1), N=Fraction(0))


def test_expressions_come_from_the_claim() -> None:
    """What the conclusion would take a limit of is written down, with its names."""
    [found] = curves.compared_by(CLAIM, PATH)
    assert (found.x, found.y) == (f.T, f.D)
    assert (found.small, found.large) == ("T", "D")
    assert curves.ratio_along(PATH, found)[-1] == pytest.approx(0.75 * curves.N[-1], rel=1e-6)


def test_a_rate_is_compared_without_hidden_logarithms() -> None:
    """The bounded quantity keeps the claim's name, and stands above the rate in the ratio."""

    def bounded(path: Path) -> Iterator[Pair]:
        yield from path.at_most_up_to_logs(f.D, f.T, name="delay")

    [found] = curves.compared_by(dataclasses.replace(CLAIM, then=(bounded,)), PATH)
    assert (found.small, found.large) == ("the rate", "delay")
    assert (found.x, found.y) == (f.T, f.D)


def test_values_follow_the_path() -> None:
    """With q = n and N = 1: T = 2 n and D = n^2 + n (n + 1)/2; constants are the same for all n."""
    assert curves.values_along(PATH, f.T) == pytest.approx(2 * curves.N)
    assert curves.values_along(PATH, f.D, [4.0]) == pytest.approx([26.0])
    assert np.all(curves.values_along(PATH, f.delta) == 0.5)


def on_phases(**changes: object) -> Claim[DelayedPhase]:
    def total(phase: DelayedPhase):  # type: ignore[no-untyped-def]
        yield Pair(phase.total_delay, 10)
        yield Pair(phase.total_delay, 0)
        yield Pair(1, 1, Relation.EQUAL)

    fields = {"then": (total,), "about": PHASES, **changes}
    return Claim("sum", Kind.COMBINATORIAL, "at most ten", **fields)  # type: ignore[arg-type]


def phase(*delays: int) -> DelayedPhase:
    return DelayedPhase(Delays(delays), start=1, end=len(delays))


def test_only_inequalities_with_positive_right_sides_count() -> None:
    """Identities and zeros have no ratio; hypotheses are respected."""
    assert measured.measured(on_phases(), [phase(3), phase(4)]) == [(3.0, 10.0), (4.0, 10.0)]
    long = on_phases(given=(lambda each: len(each.local_delays) > 1,))
    assert measured.measured(long, [phase(3), phase(1, 1)]) == [(2.0, 10.0)]


def test_generated_subjects_are_the_same_every_time() -> None:
    """Hypothesis is derandomized."""
    first, second = (measured.drawn(delayed_phases(max_length=5), examples=10) for _ in range(2))
    assert [w.local_delays for w in first] == [w.local_delays for w in second]
    assert len(first) == 10


def test_subjects_follow_the_kind_of_claim() -> None:
    """By what a claim rebuilds; limits and points have curves instead."""
    assert measured.subjects_of(on_phases()) is not None
    assert measured.subjects_of(on_phases(about=PATHS)) is None
    with pytest.raises(StopIteration):
        measured.subjects_of(on_phases(about=MIRROR_STEPS))
