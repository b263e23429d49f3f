r"""Counterexamples: the case as printed, the case repaired, and the two sides of both.

A case figure has panels for the case and, on the right, one pair of bars per form of the claim: the
left-hand side in blue, the right-hand side in orange, and in words whether it holds.
"""

from __future__ import annotations

import dataclasses
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from pbverify.figures.runs import Columns, phases_of, shade_phases
from pbverify.figures.style import (
    BLACK,
    BLUE,
    CYCLE,
    DASHES,
    FAILS,
    GREEN,
    GREY,
    HOLDS,
    LHS,
    ORANGE,
    RHS,
    SKY,
    Picture,
    Style,
    legend,
    picture,
    plain,
)
from pbverify.report.sketch import ROLES, Box, Line, Sketch, Text

Panel = Callable[[Axes], None]
NEAR = 14
"""Rounds shown on either side of the one that matters in a long run."""


@dataclasses.dataclass(frozen=True)
class Form:
    """One form of a claim on the case: its sides, how they should stand, whether they do."""

    name: str
    lhs: float
    rhs: float
    relation: str
    holds: bool
    radius: float = 0.0


SIDES = "blue: left side, orange: right side"


def case_figure(
    panels: Sequence[Panel], forms: Sequence[Form], *, caption: str = "", sides: str = SIDES
) -> Picture:
    """Panels of the case, and the two sides of each form."""
    figure = picture(11.0, 3.9, caption=caption)
    count = len(panels) + bool(forms)
    widths = [1.25] * len(panels) + [1.0] * bool(forms)
    grid = figure.subplots(1, count, squeeze=False, width_ratios=widths).ravel()
    for axes, draw in zip(grid, panels, strict=False):
        draw(axes)
    if forms:
        draw_forms(grid[-1], forms)
        grid[-1].set_title(sides, loc="left", fontsize=10)
    return figure


def draw_forms(axes: Axes, forms: Sequence[Form]) -> None:
    """A pair of bars per form, with its numbers."""
    for row, form in enumerate(forms):
        place = 3.2 * row
        error: Style = {"xerr": form.radius, "error_kw": {"capsize": 4, "ecolor": BLACK}}
        uncertain = form.radius > 1e-9 * max(1.0, abs(form.lhs))
        axes.barh(place, form.lhs, color=LHS, height=0.9, **(error if uncertain else {}))
        axes.barh(place + 1, form.rhs, color=RHS, height=0.9)
        _name_form(axes, form, place)
    values = [abs(v) for form in forms for v in (form.lhs, form.rhs) if abs(v) > 1e-12]
    if values and max(values) > 200 * min(values):
        axes.set_xscale("symlog", linthresh=min(values))
        axes.xaxis.set_major_locator(_few_decades(axes, forms))
    axes.axvline(0, color=BLACK, linewidth=1)
    axes.set_yticks([])
    axes.set_ylim(3.2 * len(forms) - 1.0, -1.6)
    axes.tick_params(labelsize=8)
    plain(axes)


def _few_decades(axes: Axes, forms: Sequence[Form]) -> Any:
    from matplotlib.ticker import FixedLocator

    reach = max(abs(v) for form in forms for v in (form.lhs, form.rhs))
    ends = {sign * 10.0 ** math.floor(math.log10(reach)) for sign in (-1, 1)}
    low, high = axes.get_xlim()
    return FixedLocator([0.0, *(end for end in ends if low <= end <= high)])


def _name_form(axes: Axes, form: Form, place: float) -> None:
    word, colour = ("holds", HOLDS) if form.holds else ("FAILS", FAILS)
    spread = f" ± {number(form.radius)}" if form.radius > 1e-9 * max(1.0, abs(form.lhs)) else ""
    left, right = told_apart(form.lhs, form.rhs)
    text = f"{form.name}: {left}{spread} {sign(form.relation)} {right} {word}"
    where = (0.02, place - 0.75)
    axes.annotate(
        text, where, xycoords=("axes fraction", "data"), fontsize=9, color=colour, weight="bold"
    )


def sign(relation: str) -> str:
    """A relation as one sign."""
    return {"<=": "≤"}.get(relation, relation)


def number(value: float) -> str:
    """Four digits; tiny values that stand for 0 as 0."""
    return "0" if abs(value) < 1e-12 else f"{value:.4g}"


def told_apart(lhs: float, rhs: float) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to see that they differ, up to eight."""
    for digits in range(4, 9):
        texts = f"{lhs:.{digits}g}", f"{rhs:.{digits}g}"
        if texts[0] != texts[1] or lhs == rhs:
            break
    return ("0" if abs(lhs) < 1e-12 else texts[0]), ("0" if abs(rhs) < 1e-12 else texts[1])


def draw_run(axes: Axes, columns: Columns, *, focus: int, title: str = "") -> None:
    """Delayed rounds from play to arrival over the phases, which carry their alpha."""
    shown = cropped(columns, focus)
    first = shown["first"]
    shade_phases(axes, shown)
    late = [t for t, delay in enumerate(shown["delays"], start=1) if delay]
    for row, t in enumerate(late):
        axes.plot([t, t + shown["delays"][t - 1]], [row, row], color=BLUE, linewidth=3)
        axes.scatter([t], [row], color=BLACK, s=20, zorder=3)
        axes.scatter([t + shown["delays"][t - 1]], [row], color=ORANGE, marker="s", s=22, zorder=3)
    rounds = len(shown["delays"])
    axes.set_xlim(0.5, max([rounds, *(t + shown["delays"][t - 1] for t in late)]) + 0.7)
    axes.set_ylim(max(len(late), 3) - 0.5, -1)
    axes.set_yticks([])
    step = max(1, rounds // 6)
    ticks = list(range(1, rounds + 1, step))
    axes.set_xticks(ticks, [str(first + t - 1) for t in ticks])
    plain(axes, title=title, x="round t", y="delayed rounds")
    for name, start, end in phases_of(shown):
        alpha = shown["alpha"][start - 1]
        if end - start + 1 >= rounds / 12 or end == rounds:
            place = ((max(start, 1) + end) / 2, 0.02)
            text = f"{name}\nα={alpha:.3g}"  # noqa: RUF001
            axes.annotate(text, place, xycoords=("data", "axes fraction"), ha="center", fontsize=8)


def cropped(columns: Columns, focus: int) -> dict[str, Any]:
    """The columns around a round; `first` is the round that then comes first."""
    T = len(columns["stage"])
    first, last = (1, T) if T <= 60 else (max(1, focus - NEAR), min(T, focus + NEAR))
    names = ("delays", "stage", "phase", "alpha", "hard_restart", "soft_restart")
    return {"first": first, **{name: columns[name][first - 1 : last] for name in names}}


def draw_delays(axes: Axes, delays: Sequence[int], *, title: str = "") -> None:
    """A bar per round from its play to its arrival."""
    for t, delay in enumerate(delays, start=1):
        axes.plot([t, t + delay], [t, t], color=BLUE, linewidth=3)
        axes.scatter([t], [t], color=BLACK, s=16, zorder=3)
        axes.scatter([t + delay], [t], color=ORANGE, marker="s", s=20, zorder=3)
    axes.invert_yaxis()
    plain(axes, title=title, x="played (dot) to arrival (square)", y="round t")


def draw_laws(axes: Axes, laws: Mapping[str, Sequence[float]], *, title: str = "") -> None:
    """Probabilities per arm, one group of bars per arm."""
    width = 0.8 / len(laws)
    for number_, (name, law) in enumerate(laws.items()):
        places = np.arange(len(law)) + (number_ - (len(laws) - 1) / 2) * width
        axes.bar(places, law, width=width * 0.92, color=CYCLE[number_], label=name)
    arms = len(next(iter(laws.values())))
    axes.set_xticks(range(arms))
    axes.set_ylim(0, 1.25 * max(max(law) for law in laws.values()))
    plain(axes, title=title, x="arm", y="probability")
    legend(axes, loc="upper center", ncols=min(3, len(laws)))


def draw_costs(axes: Axes, costs: Sequence[float], expected: float, limit: float) -> None:
    """What a mirror step costs, by the arm that is drawn, against its claimed limit."""
    axes.bar(range(len(costs)), costs, color=LHS, width=0.6, label="if this arm is drawn")
    axes.bar([len(costs)], [expected], color=GREEN, width=0.6, label="in expectation")
    axes.axhline(limit, color=RHS, ls="--", linewidth=2, label="$C_2/\\sigma$")
    axes.set_xticks(range(len(costs) + 1), [*(f"arm {a}" for a in range(len(costs))), "mean"])
    axes.set_ylim(0, 1.35 * max(*costs, limit))
    plain(axes, title="cost of the step", y="$\\sigma\\,D(p, \\tilde z)$")
    legend(axes, loc="upper center", ncols=2)


def draw_actions(axes: Axes, plays: Mapping[str, Sequence[int]]) -> None:
    """Who plays what: one row per player, one cell per round."""
    names = list(plays)
    honest = list(next(iter(plays.values())))
    for row, name in enumerate(names):
        for t, action in enumerate(plays[name], start=1):
            differs = action != honest[t - 1]
            box: dict[str, Any] = {
                "facecolor": FAILS if differs else SKY,
                "edgecolor": "white",
                "pad": 14,
            }
            colour = "white" if differs else BLACK
            axes.text(t, row, f"arm {action}", ha="center", va="center", color=colour, bbox=box)
    axes.set_xlim(0.4, len(honest) + 0.6)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xticks(range(1, len(honest) + 1))
    axes.set_yticks(range(len(names)), names)
    plain(axes, title="who plays what (vermillion: another arm)", x="round t")


def draw_counts(axes: Axes, counts: Mapping[str, Sequence[int]], *, title: str = "") -> None:
    """Missing losses per round under each convention."""
    width = 0.8 / len(counts)
    for number_, (name, values) in enumerate(counts.items()):
        places = np.arange(1, len(values) + 1) + (number_ - (len(counts) - 1) / 2) * width
        axes.bar(places, values, width=width * 0.9, color=CYCLE[number_], label=name)
        axes.scatter(places, [0] * len(places), marker="_", color=CYCLE[number_], s=200, zorder=3)
    axes.set_xticks(range(1, len(next(iter(counts.values()))) + 1))
    axes.set_yticks([0, 1, 2])
    axes.set_ylim(-0.05, 2.9)
    plain(axes, title=title, x="round t", y="losses missing when t is played")
    legend(axes, loc="upper left")


def draw_ratio(
    axes: Axes,
    n: ArrayLike,
    ratio: ArrayLike,
    *,
    slope: Fraction | None = None,
    title: str = "",
) -> None:
    """A ratio along a path of parameters on logarithmic scales, with the slope that it tends to."""
    x, y = np.asarray(n, dtype=float), np.asarray(ratio, dtype=float)
    is_positive = bool((y > 0).any())
    axes.plot(x, np.where(y > 0, y, np.nan) if is_positive else y, color=LHS, label="ratio", lw=2.5)
    if slope is not None and np.isfinite(y[-1]) and y[-1] > 0:
        guide = y[-1] * (x / x[-1]) ** float(slope)
        axes.plot(x, guide, color=FAILS, ls="--", linewidth=1.5, label=f"slope {slope}")
    axes.set_xscale("log")
    axes.set_yscale("log" if is_positive else "linear")
    axes.minorticks_off()
    plain(axes, title=title, x="n (path parameter)", y="ratio")
    legend(axes, loc="best")


def draw_gap(axes: Axes, columns: Columns, *, title: str = "") -> None:
    """The gap and its threshold over a run without delay."""
    rounds = np.arange(1, len(columns["gap"]) + 1)
    axes.plot(rounds, columns["gap"], color=LHS, linewidth=2, label="gap")
    axes.plot(rounds, columns["threshold"], color=FAILS, ls="--", label="threshold")
    plain(axes, title=title, x="round t", y="units of loss")
    legend(axes, loc="best")


def draw_regrets(
    axes: Axes, regrets: Mapping[str, ArrayLike], *, title: str = "", y: str = ""
) -> None:
    """Cumulative regret of several runs per reading, with their mean."""
    for number_, (name, runs) in enumerate(regrets.items()):
        table = np.asarray(runs)
        rounds = np.arange(1, table.shape[1] + 1)
        colour = (FAILS, HOLDS)[number_ % 2]
        for values in table[:12]:
            axes.plot(rounds, values, color=colour, linewidth=0.5, alpha=0.35)
        dashes = DASHES[number_ % 2]
        axes.plot(rounds, table.mean(axis=0), color=colour, linewidth=2.5, ls=dashes, label=name)
    axes.axhline(0, color=GREY, linewidth=1)
    plain(axes, title=title, x="round t", y=y)
    legend(axes, loc="best")


def draw_sketch(axes: Axes, sketch: Sketch) -> None:
    """A drawing of lines, boxes and words, as the report shows it."""
    for shape in sketch.shapes:
        _SHAPES[type(shape)](axes, shape)
    axes.set_xlim(0, sketch.width)
    axes.set_ylim(sketch.height, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(_wrapped(sketch.title), loc="left", fontsize=10)


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, 74))


def _draw_line(axes: Axes, line: Line) -> None:
    xs, ys = zip(*line.points, strict=True)
    dashes = "--" if line.role == "claimed" else "-"
    width = 1.0 if line.role == "axis" else 1.8
    axes.plot(xs, ys, color=ROLES[line.role], ls=dashes, linewidth=width)


def _draw_box(axes: Axes, box: Box) -> None:
    place, size = (box.x, box.y), (box.width, box.height)
    axes.add_patch(Rectangle(place, *size, color=ROLES[box.role], alpha=0.3, linewidth=0))


def _draw_text(axes: Axes, text: Text) -> None:
    side = {"start": "left", "middle": "center", "end": "right"}[text.anchor]
    style: Style = {"color": ROLES.get(text.role, BLACK), "ha": side, "va": "baseline"}
    weight = "bold" if text.is_strong else "normal"
    axes.text(
        text.x, text.y, text.words, fontsize=7.5 if text.is_small else 8.5, weight=weight, **style
    )


_SHAPES: Mapping[type, Callable[[Axes, Any], None]] = {
    Line: _draw_line,
    Box: _draw_box,
    Text: _draw_text,
}
