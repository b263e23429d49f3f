r"""The pictures of the second notebook: both sides of every inequality, and how tight they are."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import pathlib
import runpy
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pbverify.claims.closed_forms.best_constants import Constant, smallest
from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.library import Library
from pbverify.claims.verdict import Outcome
from pbverify.figures.bounds import (
    cloud_figure,
    lines_figure,
    overview_figure,
    scatter_figure,
    steps_figure,
)
from pbverify.figures.notebook.curves import Curve, curve, is_drawable, tightest, variables_of
from pbverify.figures.notebook.measured import Cloud
from pbverify.figures.notebook.tables import Row
from pbverify.figures.style import BLACK, BLUE, GREEN, ORANGE, PURPLE, VERMILLION, Picture
from pbverify.numerics import FloatArithmetic
from pbverify.numerics.formula import Formula
from pbverify.paper.formulas import algorithm as f

Floats = npt.NDArray[np.float64]

CONSTANTS = """What the constants mean in rounds. Left: no regret exceeds T (black), so a bound
says something only to the right of its crossing with that line (dots). Middle: the same crossing
as a function of the margin delta: the horizon from which R^ promises anything. Right: the slack
xi^ of the paper against the two tight ones, in units of loss."""

OVERVIEW = """One strip per closed-form inequality, along one variable (others fixed; see the
caption of the next figure). Dark: tight; pale: loose; vermillion: the step fails there, and the
number is the crossing from which on it holds, or fails."""

STEPS = """Both sides of closed-form inequalities, over one variable; other variables stand where
the inequality is tightest. Reddish: where the left side is larger, so the step fails; a dotted
line and its number mark the crossing."""

CLOUDS = """Every measured case as a dot: left side over right side, one row per claim, all
readings for which it stands or falls together. Green circles: the tightest case of a claim that
stands; vermillion diamonds: the worst case of a refuted one (to the left of 1 where only longer
runs refute it). Ratios below 0.001 and above 50 are drawn at the border."""

SCATTER = """Both sides of three claims, case by case, in the units of the claim. Points on the
diagonal attain the bound; the reddish half is where a claim would fail. Marked: the worst
case."""


def _value(formula: Formula, **values: float) -> float:
    return float(formula(FloatArithmetic(), **values))


def _constants_of(A: float, delta: float) -> dict[str, float]:
    return {"C1": _value(f.ENTROPY_C1, A=A), "C2": _value(f.ENTROPY_C2, delta=delta)}


def budget(name: str, *, T: float, D: float, A: float, delta: float) -> float:
    """R^ as one of the two printings has it, with negative entropy."""
    printed = f.BUDGET_MAIN if name == "main" else f.BUDGET_APPENDIX
    return _value(printed, T=T, D=D, **_constants_of(A, delta))


def constants(*, A: int = 10, delta: float = 0.1, D: int = 1000) -> Picture:
    """Budgets, thresholds and slacks over T, delta and D."""
    return lines_figure(
        [_over_horizon(A, delta, D), _over_delta(D), _over_delay(delta)], caption=CONSTANTS
    )


def _over_horizon(A: int, delta: float, D: int) -> dict[str, Any]:
    x = np.geomspace(10, 1e9, 161)
    given = {"D": float(D), "A": float(A), "delta": delta}
    budgets = {name: np.array([budget(name, T=T, **given) for T in x]) for name in PRINTINGS}
    threshold = 2 * budgets["appendix"] + _value(f.SLACK_PAPER, D=float(D), delta=delta)
    lines = {
        "T, what regret cannot exceed": (x, {"color": BLACK, "ls": ":"}),
        "$\\hat R$ (appendix)": (budgets["appendix"], {"color": BLUE}),
        "$\\hat R$ (main text)": (budgets["main"], {"color": ORANGE, "ls": "--"}),
        "threshold $2\\hat R+\\hat\\xi$": (threshold, {"color": PURPLE, "ls": "-."}),
    }
    marks = [m for y, _ in list(lines.values())[1:] for m in _first_below(x, y, x)]
    lines = {_with_horizon(name, x, y): (y, style) for name, (y, style) in lines.items()}
    title = f"A = {A}, $\\delta$ = {delta:g}, D = {D:,}"
    labels = {"xlabel": "horizon T (rounds)", "ylabel": "units of loss", "title": title}
    return {"x": x, "lines": lines, "marks": marks, **labels}


PRINTINGS = ("appendix", "main")


def _first_below(x: Floats, y: Floats, limit: Floats) -> Iterator[tuple[float, float, str]]:
    below = np.flatnonzero(y < limit)
    if len(below):
        at = below[0]
        yield float(x[at]), float(y[at]), ""


def _with_horizon(name: str, x: Floats, y: Floats) -> str:
    """A line's name with the horizon from which it is below T."""
    found = list(_first_below(x, y, x))
    return f"{name}, from T = {found[0][0]:,.0f}" if found else name


def _over_delta(D: int) -> dict[str, Any]:
    x = np.geomspace(1e-4, 0.5, 31)
    styles = {2: (GREEN, "-"), 10: (BLUE, "--"), 100: (VERMILLION, "-.")}
    lines = {}
    for A, (color, ls) in styles.items():
        starts = [horizon_from(A=A, delta=d, D=D) if d * A <= 1 else np.nan for d in x]
        lines[f"A = {A}"] = (np.array(starts), {"color": color, "ls": ls})
    title = f"from where $\\hat R$ < T (appendix, D = {D:,})"
    labels = {"xlabel": "margin $\\delta$", "ylabel": "horizon T (rounds)", "title": title}
    return {"x": x, "lines": lines, **labels}


def horizon_from(*, A: float, delta: float, D: float) -> float:
    """The horizon at which R^(D) of the appendix equals T."""
    low, high = 1.0, 1e15
    for _ in range(40):
        middle = (low * high) ** 0.5
        is_above = budget("appendix", T=middle, D=float(D), A=float(A), delta=delta) > middle
        low, high = (middle, high) if is_above else (low, middle)
    return high


def _over_delay(delta: float) -> dict[str, Any]:
    x = np.geomspace(1, 1e6, 61)
    formulas = {
        "paper": (f.SLACK_PAPER, {"color": BLUE}),
        "tight, clairvoyant sum": (f.SLACK_CLAIRVOYANT, {"color": GREEN, "ls": "--"}),
        "tight, elapsed sum": (f.SLACK_ELAPSED, {"color": PURPLE, "ls": "-."}),
        "missing feedback": (f.MISSING_TOTAL, {"color": ORANGE, "ls": ":"}),
    }
    lines = {}
    for name, (formula, style) in formulas.items():
        given = {"delta": delta} if "delta" in formula.variables else {}
        lines[name] = (np.array([_value(formula, D=D, **given) for D in x]), style)
    title = f"slack $\\hat\\xi(D)$, $\\delta$ = {delta:g}"
    return {"x": x, "lines": lines, "xlabel": "delay D", "ylabel": "units of loss", "title": title}


def closed_forms(library: Library) -> list[tuple[str, Bound]]:
    """Every closed-form inequality with a variable, with the id of its claim."""
    return [
        (claim.id, bound)
        for id in library.register.rows
        for claim in library.claims.get(id, ())
        for bound in claim.then
        if isinstance(bound, Bound) and is_drawable(bound)
    ]


def curve_of(bound: Bound) -> Curve:
    """The bound along the variable that says most (D, else T, else the first), elsewhere tight."""
    names = variables_of(bound)
    along = next((n for n in ("D", "T", "m") if n in names), names[0])
    place = tightest(bound).at
    return curve(bound, along=along, fixed={n: v for n, v in place.items() if n != along})


def overview(library: Library) -> Picture:
    """Every closed-form inequality as one strip."""
    drawn = [(f"{id}: {bound.name}", curve_of(bound)) for id, bound in closed_forms(library)]
    return overview_figure(drawn, caption=OVERVIEW)


def failing(library: Library) -> Picture:
    """Both sides of the closed-form inequalities that fail somewhere."""
    curves = [(f"{id}\n{bound.name}", curve_of(bound)) for id, bound in closed_forms(library)]
    return steps_figure(
        [(name, sides) for name, sides in curves if sides.fails.any()], caption=STEPS
    )


@dataclasses.dataclass(frozen=True)
class Steps:
    """Both sides of one closed-form inequality, by name."""

    library: Library

    def __call__(self, *, step: str) -> Picture:
        named = [(id, b) for id, b in closed_forms(self.library) if f"{id}: {b.name}" == step]
        drawn = [(f"{id}\n{bound.name}", curve_of(bound)) for id, bound in named]
        return steps_figure(drawn, caption=STEPS)


def step_names(library: Library) -> list[str]:
    """What `step` can draw."""
    return [f"{id}: {bound.name}" for id, bound in closed_forms(library)]


def cloud_picture(clouds: list[Cloud], library: Library, *starts: str) -> Picture:
    """Clouds of claims whose ids start so, one row per claim and outcome."""
    merged: dict[str, list[float]] = {}
    refuted = set()
    for cloud in (c for c in clouds if not starts or c.claim.startswith(starts)):
        falls = _is_refuted(library, cloud)
        name = f"{cloud.claim} [refuted]" if falls else cloud.claim
        merged.setdefault(name, []).extend(cloud.ratios.tolist())
        refuted |= {name} if falls else set()
    return cloud_figure(merged, refuted=sorted(refuted), caption=CLOUDS)


def _is_refuted(library: Library, cloud: Cloud) -> bool:
    return library.register.expected(cloud.claim, cloud.reading) is Outcome.REFUTED


def scatter_picture(clouds: list[Cloud], *names: str) -> Picture:
    """Both sides of a few claims, case by case."""
    known = {cloud.name: cloud for cloud in clouds}
    panels = [(name, known[name].lhs, known[name].rhs) for name in names]
    return scatter_figure(panels, caption=SCATTER)


def tightness(clouds: list[Cloud], library: Library) -> list[Row]:
    """How tight every inequality is on what was measured, tightest first."""
    rows = [
        _row(library, cloud.claim, cloud.reading, len(cloud.lhs), cloud.worst) for cloud in clouds
    ]
    by_claim = itertools.groupby(closed_forms(library), key=lambda found: found[0])
    for id, group in by_claim:
        found = [tightest(bound) for _, bound in group]
        worst = max(each.ratio for each in found)
        rows.append(_row(library, id, "any", sum(each.points for each in found), worst))
    known = [row for row in rows if row["least factor c"] == row["least factor c"]]
    return sorted(known, key=lambda row: -float(str(row["least factor c"])))


def _row(library: Library, id: str, reading: str, cases: int, worst: float) -> Row:
    return {
        "claim": id,
        "reading": reading,
        "kind": library.register.rows[id].kind.value,
        "register": library.register.expected(id, reading).value,
        "pairs": cases,
        "least factor c": float(f"{worst:.6g}"),
    }


def best_constants(library: Library) -> list[Row]:
    """Printed constants beside the smallest ones that hold, as the lemma files name them.

    `pbverify verify` proves each and refutes what lies just below; without a closed form the
    enclosure is computed here.
    """
    return [
        {
            "claim": id,
            "bound": constant.family.name,
            "printed": str(constant.printed),
            "smallest": str(best),
            "value": None if best is None else float(best),
            "attained": constant.attained,
        }
        for path in sorted(set(library.files.values()))
        for id, constants in constants_in(path).items()
        for constant in constants
        for best in [_smallest(constant)]
    ]


def _smallest(constant: Constant) -> Any:
    if constant.best is not None:
        return constant.best
    found = smallest(constant)
    return None if found is None else found.high


@functools.lru_cache(maxsize=64)
def constants_in(path: pathlib.Path) -> Mapping[str, tuple[Constant, ...]]:
    """The constants that a lemma file names, by claim."""
    if "best_constants" not in path.read_text(encoding="utf-8"):
        return {}
    found = runpy.run_path(str(path)).values()
    tables = [value for value in found if isinstance(value, dict) and _holds_constants(value)]
    return {id: constants for table in tables for id, constants in table.items()}


def _holds_constants(value: Mapping[Any, Any]) -> bool:
    entries = [each for group in value.values() if isinstance(group, tuple) for each in group]
    return bool(entries) and all(isinstance(each, Constant) for each in entries)
