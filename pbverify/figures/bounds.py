r"""Bounds: both sides over a parameter, clouds of measured cases, tightness.

The left-hand side is blue and solid, the right-hand side orange and dashed. Where a claim fails the
background is reddish, and crossing points carry their value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from pbverify.figures.style import (
    BLACK,
    FAILING,
    FAILS,
    GREY,
    HOLDS,
    LHS,
    RHS,
    Picture,
    legend,
    picture,
    plain,
    without_axes,
)

Floats = np.ndarray[Any, np.dtype[np.float64]]


class TwoSides(Protocol):
    """Both sides of a bound at the values of one variable."""

    @property
    def name(self) -> str: ...
    @property
    def variable(self) -> str: ...
    @property
    def x(self) -> Floats: ...
    @property
    def lhs(self) -> Floats: ...
    @property
    def rhs(self) -> Floats: ...
    @property
    def fails(self) -> np.ndarray[Any, np.dtype[np.bool_]]: ...
    @property
    def crossings(self) -> Sequence[float]: ...


SYMBOLS = {"delta": "$\\delta$", "Lambda": "$\\Lambda$", "alpha": "$\\alpha$", "kappa": "$\\kappa$"}


def symbol(name: str) -> str:
    """A variable as the paper writes it."""
    return SYMBOLS.get(name, f"${name}$")


def draw_two_sides(axes: Axes, sides: TwoSides, *, mark: float | None = None) -> None:
    """Both sides as curves, the part that fails shaded, crossings and one chosen point marked."""
    shade_failures(axes, sides)
    axes.plot(sides.x, sides.lhs, color=LHS, linewidth=2, label="left side")
    axes.plot(sides.x, sides.rhs, color=RHS, linewidth=2, ls="--", label="right side")
    _scale(axes, sides)
    axes.minorticks_off()
    for crossing in sides.crossings[:2]:
        _name_crossing(axes, crossing)
    if mark is not None:
        at = int(np.abs(np.asarray(sides.x) - mark).argmin())
        axes.scatter([sides.x[at]], [sides.lhs[at]], color=FAILS, s=60, zorder=4, label="witness")
    plain(axes, x=symbol(sides.variable))


def shade_failures(axes: Axes, sides: TwoSides) -> None:
    """A background wherever the left side is larger."""
    x, failing = np.asarray(sides.x), np.flatnonzero(sides.fails)
    for group in np.split(failing, np.flatnonzero(np.diff(failing) > 1) + 1):
        if len(group):
            low, high = x[group[0]], x[min(group[-1] + 1, len(x) - 1)]
            axes.axvspan(low, high, color=FAILING, zorder=0, linewidth=0)


def _scale(axes: Axes, sides: TwoSides) -> None:
    if sides.x[-1] > 50 * sides.x[0]:
        axes.set_xscale("log")
    both = np.concatenate([sides.lhs, sides.rhs])
    both = both[np.isfinite(both)]
    if both.min() > 0 and both.max() > 50 * both.min():
        axes.set_yscale("log")
    elif both.min() <= 0 and both.max() > 1e3:
        axes.set_yscale("symlog", linthresh=1.0)
        axes.set_ylim(bottom=min(-0.5, float(both.min())))


def _name_crossing(axes: Axes, crossing: float) -> None:
    axes.axvline(crossing, color=BLACK, linewidth=1, ls=":")
    axes.annotate(
        f" {crossing:.3g}",
        (crossing, 0.03),
        xycoords=("data", "axes fraction"),
        fontsize=8,
        color=BLACK,
    )


def steps_figure(steps: Sequence[tuple[str, TwoSides]], *, caption: str = "") -> Picture:
    """Small multiples: both sides of closed-form steps."""
    columns = min(3, len(steps))
    rows = -(-len(steps) // columns)
    figure = picture(min(11.0, 5.5 * columns), 1.0 + 2.3 * rows, caption=caption)
    grid = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes, (title, sides) in zip(grid, steps, strict=False):
        draw_two_sides(axes, sides)
        axes.set_title(title, loc="left", fontsize=9)
        axes.tick_params(labelsize=8)
        axes.set_xlabel(symbol(sides.variable), fontsize=9, labelpad=0)
    without_axes(grid[len(steps) :])
    legend(grid[0], loc="best")
    return figure


def overview_figure(steps: Sequence[tuple[str, TwoSides]], *, caption: str = "") -> Picture:
    """One strip per step: lhs/rhs along its variable as shade, failing undelayed_stages reddish."""
    figure = picture(10.5, 1.7 + 0.19 * len(steps), caption=caption)
    axes = figure.subplots()
    table = np.array([_resampled(sides) for _, sides in steps])
    shades: dict[str, Any] = {
        "aspect": "auto",
        "cmap": "Blues",
        "vmin": 0,
        "vmax": 1,
        "interpolation": "nearest",
    }
    extent = (0, 1, len(steps) - 0.5, -0.5)
    image = axes.imshow(np.where(table > 1 + 1e-9, np.nan, table), extent=extent, **shades)
    failing = np.where(table > 1 + 1e-9, 1.0, np.nan)
    axes.imshow(failing, extent=extent, aspect="auto", cmap=_one_colour(FAILS), vmin=0, vmax=1)
    for row, (_, sides) in enumerate(steps):
        axes.annotate(
            _span(sides), (1.01, row), xycoords=("axes fraction", "data"), fontsize=8, va="center"
        )
        for crossing in sides.crossings[:1]:
            at = float(np.searchsorted(np.asarray(sides.x), crossing)) / len(sides.x)
            text = f" {symbol(sides.variable)} = {crossing:.3g}"
            axes.annotate(text, (at, row), fontsize=8, va="center")
    axes.set_yticks(range(len(steps)), [name for name, _ in steps], fontsize=8)
    axes.set_yticks(np.arange(0.5, len(steps) - 1), minor=True)
    axes.grid(which="minor", axis="y", color="white", linewidth=2)
    axes.tick_params(which="minor", length=0)
    axes.set_xticks([])
    axes.set_xlabel("the variable, from its least value (left) to its largest (right)")
    label = "left side / right side (vermillion: above 1, the step fails)"
    figure.colorbar(image, ax=axes, label=label, location="top", shrink=0.5, aspect=40, pad=0.01)
    return figure


def _resampled(sides: TwoSides, count: int = 120) -> Floats:
    """lhs/rhs at evenly spread points; above 1 wherever the step fails, whatever the signs."""
    at = np.linspace(0, len(sides.x) - 1, count).astype(int)
    lhs, rhs, fails = (np.asarray(v)[at] for v in (sides.lhs, sides.rhs, sides.fails))
    usable = (rhs > 0) & np.isfinite(lhs) & np.isfinite(rhs)
    ratio = np.clip(np.where(usable, lhs, 0) / np.where(usable, rhs, 1), 0, 1)
    return np.where(fails, 2.0, ratio)


def _one_colour(colour: str) -> Any:
    from matplotlib.colors import ListedColormap

    return ListedColormap([colour])


def _span(sides: TwoSides) -> str:
    return f"{symbol(sides.variable)}: {sides.x[0]:.3g} to {sides.x[-1]:.3g}"


def lines_figure(
    panels: Sequence[Mapping[str, Any]], *, caption: str = "", height: float = 3.9
) -> Picture:
    """Panels of named lines: each has `x`, `lines` (name to (y, style)), labels and `marks`."""
    figure = picture(10.5, height, caption=caption)
    grid = figure.subplots(1, len(panels), squeeze=False).ravel()
    for axes, panel in zip(grid, panels, strict=True):
        for name, (y, style) in panel["lines"].items():
            axes.plot(panel["x"], y, label=name, linewidth=2, **style)
        for x, y, text in panel.get("marks", ()):
            axes.scatter([x], [y], color=BLACK, s=30, zorder=4)
            axes.annotate(f" {text}", (x, y), fontsize=8, va="top")
        axes.set_xscale("log")
        axes.set_yscale(panel.get("scale", "log"))
        plain(axes, title=panel.get("title", ""), x=panel["xlabel"], y=panel["ylabel"])
        legend(axes, loc="best")
    return figure


def cloud_figure(
    clouds: Mapping[str, ArrayLike], *, refuted: Sequence[str], caption: str = ""
) -> Picture:
    """One row per claim: every measured lhs/rhs as a dot, the worst one marked."""
    figure = picture(10.5, 1.5 + 0.235 * len(clouds), caption=caption)
    axes = figure.subplots()
    axes.axvspan(1, 50, color=FAILING, zorder=0, linewidth=0)
    axes.axvline(1, color=BLACK, linewidth=1)
    for row, (name, ratios) in enumerate(clouds.items()):
        values = np.clip(np.asarray(ratios), 1e-3, 50)
        rows = np.full(len(values), row) + _jitter(len(values))
        axes.scatter(values, rows, s=5, color=GREY, alpha=0.35, linewidths=0, zorder=2)
        colour, marker = (FAILS, "D") if name in refuted else (HOLDS, "o")
        axes.scatter([values.max()], [row], color=colour, marker=marker, s=36, zorder=3)
    axes.set_xscale("log")
    axes.set_xlim(1e-3, 50)
    axes.set_ylim(len(clouds) - 0.4, -0.6)
    axes.set_yticks(range(len(clouds)), list(clouds), fontsize=8)
    axes.grid(axis="y", color="#EEEEEE", linewidth=0.8)
    axes.set_axisbelow(True)
    plain(axes, x="left side / right side (1: the bound is attained; above: it fails)")
    return figure


def _jitter(count: int) -> Floats:
    """Heights within a row that are the same every time."""
    heights: Floats = 0.28 * np.sin(np.arange(count) * 2.399963)
    return heights


def scatter_figure(
    panels: Sequence[tuple[str, ArrayLike, ArrayLike]], *, caption: str = ""
) -> Picture:
    """Measured right sides across, left sides up; above the diagonal a claim fails."""
    figure = picture(10.5, 4.1, caption=caption)
    for axes, (title, lhs, rhs) in zip(
        figure.subplots(1, len(panels), squeeze=False).ravel(), panels, strict=True
    ):
        left, right = np.asarray(lhs), np.asarray(rhs)
        positive = np.concatenate([left[left > 0], right])
        low, top = 0.5 * float(positive.min()), 2.0 * float(positive.max())
        axes.fill_between([low, top], [low, top], [top, top], color=FAILING, zorder=0, linewidth=0)
        axes.plot([low, top], [low, top], color=BLACK, linewidth=1)
        axes.scatter(right, left, s=9, color=LHS, alpha=0.4, linewidths=0)
        worst = int((left / right).argmax())
        falls = left[worst] > right[worst]
        style: dict[str, Any] = {
            "color": FAILS if falls else HOLDS,
            "marker": "D" if falls else "o",
        }
        axes.scatter([right[worst]], [left[worst]], s=60, zorder=4, **style)
        axes.annotate(
            f"worst {left[worst] / right[worst]:.3g}", (0.04, 0.92), xycoords="axes fraction"
        )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(low, top)
        axes.set_ylim(low, top)
        plain(axes, x="right side", y="left side")
        axes.set_title(title, loc="left", fontsize=9)
    return figure
