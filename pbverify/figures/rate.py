r"""Rates: measured regret against 1/delta and the delay, bounds as bands, safety, and who pays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from pbverify.figures.style import (
    BLACK,
    CYCLE,
    DASHES,
    GREY,
    Picture,
    legend,
    picture,
    plain,
)

Lines = Mapping[str, tuple[Sequence[float], Sequence[float]]]
Band = tuple[Sequence[float], Sequence[float], Sequence[float]]


def regret_figure(
    panels: Mapping[str, tuple[Lines, Band]], *, x: Sequence[str], caption: str = ""
) -> Picture:
    """Regret per learner on logarithmic axes, and the band between proved bounds."""
    figure = picture(9.5, 4.2, caption=caption)
    grid = figure.subplots(1, len(panels), squeeze=False, sharey=True).ravel()
    for axes, name, (title, (lines, (at, low, high))) in zip(grid, x, panels.items(), strict=True):
        axes.fill_between(at, low, high, color=GREY, alpha=0.2, linewidth=0, label="proved bounds")
        for number, (learner, (here, regret)) in enumerate(lines.items()):
            look = {"color": CYCLE[number], "ls": DASHES[number % 4]}
            axes.plot(here, regret, marker="o", markersize=4, label=learner, **look)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(at, [f"{value:g}" for value in at])
        axes.minorticks_off()
        plain(axes, title=title, x=name)
    grid[0].set_ylabel("regret to the best arm")
    legend(grid[0], loc="lower right")
    return figure


def bounds_figure(
    x: ArrayLike, claimed: ArrayLike, low: ArrayLike, high: ArrayLike, *, caption: str = ""
) -> Picture:
    """A claimed rate against the band between what is proved, all over the upper bound."""
    figure = picture(9.0, 3.8, caption=caption)
    axes = figure.subplots()
    top = np.asarray(high, dtype=float)
    axes.fill_between(x, np.asarray(low) / top, 1.0, color=GREY, alpha=0.25, linewidth=0)
    axes.axhline(1.0, color=CYCLE[2], linewidth=2, label="Prudent-EXP3 pays at most")
    axes.plot(x, np.asarray(claimed) / top, color=CYCLE[1], linewidth=2, label="claimed of all")
    least = np.asarray(low) / top
    axes.plot(x, least, color=CYCLE[0], ls="--", lw=2, label="every safe learner pays at least")
    axes.set_yscale("log")
    plain(axes, x="m: q = $10^m$ = 1/$\\delta$, T = $10^{2m+6}$", y="over the upper bound")
    legend(axes, loc="upper left")
    return figure


def safety_figure(
    courses: Mapping[str, ArrayLike], *, allowed: float, caption: str = ""
) -> Picture:
    """The mean regret to the comparator, round by round."""
    figure = picture(9.0, 3.4, caption=caption)
    axes = figure.subplots()
    for number, (name, values) in enumerate(courses.items()):
        axes.plot(np.asarray(values), color=CYCLE[number], ls=DASHES[number % 4], label=name)
    axes.axhline(allowed, color=BLACK, linewidth=1, ls=":", label="$\\Lambda$")
    plain(axes, x="round t", y="regret to $x^c$")
    legend(axes, loc="center right")
    return figure


def interleaved_figure(payers: Sequence[int], *, delay: int, caption: str = "") -> Picture:
    """Which round pays for which (0: borrowed), in one colour per learner."""
    figure = picture(9.5, 2.9, caption=caption)
    axes = figure.subplots()
    for t, source in enumerate(payers, start=1):
        colour = CYCLE[(t - 1) % (delay + 1) % len(CYCLE)]
        row = (t - 1) % (delay + 1)
        axes.plot([t], [row], marker="o", markersize=9, color=colour)
        if source:
            arrow = {"arrowstyle": "->", "color": colour}
            axes.annotate("", (t - 0.2, row), (source + 0.2, row), arrowprops=arrow)
        else:
            axes.annotate("borrowed", (t, row + 0.25), fontsize=7, ha="center")
    axes.set_yticks(range(delay + 1), [f"learner {i + 1}" for i in range(delay + 1)])
    axes.set_ylim(-0.6, delay + 0.8)
    axes.set_xticks(range(1, len(payers) + 1))
    plain(axes, x="round t")
    return figure
