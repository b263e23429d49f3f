r"""The lower bound: what the construction gives against T and D, environments, simulation."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from pbverify.figures.style import (
    BANDS,
    BLACK,
    BLUE,
    CYCLE,
    DASHES,
    FAILS,
    GREEN,
    GREY,
    ORANGE,
    SKY,
    VERMILLION,
    Picture,
    Style,
    legend,
    picture,
    plain,
)

BAR, REACHING, REVEALED = BLUE, VERMILLION, GREEN
CAPTION = """A bar per round, from t to t + d_t. Bands are buckets: no bar ends inside the band in
which it begins, and some bar (vermillion) ends exactly at its right edge. Below, the losses
revealed at each time."""


def bucket_figure(delays: Sequence[int], starts: Sequence[int], *, title: str = "") -> Picture:
    """The figure for delays d_1..d_T and the first rounds b_1..b_M of the buckets."""
    T = len(delays)
    figure = picture(9.0, 2.9 + 0.11 * T, caption=CAPTION)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
    _draw_bands((above, below), [*starts, T + 1])
    _draw_delays(above, delays, [*starts, T + 1])
    _draw_revealed(below, delays)
    title = title or f"{len(starts)} buckets on T = {T} rounds, D = {sum(delays)}"
    above.set_title(title, loc="left", fontsize=10)
    return figure


def _draw_bands(axes: Sequence[Axes], edges: Sequence[int]) -> None:
    for m, (first, end) in enumerate(itertools.pairwise(edges)):
        for each in axes:
            each.axvspan(first - 0.5, end - 0.5, color=BANDS[m % 2], zorder=0, linewidth=0)


def _draw_delays(axes: Axes, delays: Sequence[int], edges: Sequence[int]) -> None:
    for t, delay in enumerate(delays, start=1):
        end = next(edge for edge in edges if edge > t)
        colour = REACHING if t + delay == end else BAR
        axes.plot([t, t + delay], [t, t], color=colour, linewidth=2, marker=".", markersize=5)
    axes.invert_yaxis()
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel("round t")


def _draw_revealed(axes: Axes, delays: Sequence[int]) -> None:
    reveals = [t + delay for t, delay in enumerate(delays, start=1)]
    times = range(1, len(delays) + 2)
    axes.bar(times, [reveals.count(time) for time in times], color=REVEALED, width=0.6)
    axes.set_xlim(0.5, len(delays) + 1.5)
    axes.set_xlabel("time t + d_t")
    axes.set_ylabel("revealed")


def ratios_figure(
    T: Sequence[int], D: Sequence[int], ratio: Sequence[float], *, caption: str = ""
) -> Picture:
    """max_j V_j/L_j of many delay sequences, against T and against D."""
    figure = picture(9.5, 4.2, caption=caption)
    left, right = figure.subplots(1, 2)
    top = 1.1 * max(ratio)
    for axes, x, name, colour in ((left, T, "T", BLUE), (right, D, "D", GREEN)):
        axes.plot([1, top], [1, top], color=BLACK, linewidth=1, ls=":")
        axes.annotate(f"= {name}", (0.25 * top, 0.3 * top), fontsize=9)
        axes.scatter(x, ratio, s=14, color=colour, alpha=0.5, linewidths=0)
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain(
            axes, x=f"{'horizon' if name == 'T' else 'total delay'} {name}", y="max$_j$ $V_j/L_j$"
        )
    left.set_title("never above T", loc="left", fontsize=10)
    right.set_title("far below D once delays are long", loc="left", fontsize=10)
    return figure


def environments_figure(
    games: Mapping[str, tuple[Sequence[int], Sequence[float]]], *, caption: str = ""
) -> Picture:
    """Mean loss of the tested arm per slot in both environments, per game."""
    figure = picture(9.5, 3.3, caption=caption)
    grid = figure.subplots(1, len(games), squeeze=False, sharey=True).ravel()
    for axes, (title, (lengths, signals)) in zip(grid, games.items(), strict=True):
        _draw_environment(axes, lengths, signals)
        plain(axes, title=title, x="slot")
    grid[0].set_ylabel("mean loss")
    legend(grid[-1], loc="upper right")
    return figure


def _draw_environment(axes: Axes, lengths: Sequence[int], signals: Sequence[float]) -> None:
    first = 1
    for m, (length, signal) in enumerate(zip(lengths, signals, strict=True)):
        last = first + length - 1
        axes.axvspan(first - 0.5, last + 0.5, color=BANDS[m % 2], zorder=0, linewidth=0)
        span = [first - 0.5, last + 0.5]
        names = ("$E_+$: arm 2 worse", "$E_-$: arm 2 better") if m == 0 else (None, None)
        axes.plot(span, [0.5 + signal] * 2, color=FAILS, linewidth=2.5, label=names[0])
        axes.plot(span, [0.5 - signal] * 2, color=BLUE, linewidth=2.5, ls="--", label=names[1])
        first = last + 1
    axes.axhline(0.5, color=GREY, linewidth=1)
    axes.set_ylim(0.2, 0.8)


def simulation_figure(
    delayed: Sequence[int],
    batched: Sequence[int],
    *,
    first: int,
    edges: Sequence[int],
    arrivals: Sequence[int],
    caption: str = "",
) -> Picture:
    """The delayed game above, the batched game below, slot by slot under its round."""
    T = len(delayed)
    figure = picture(9.5, 3.4, caption=caption)
    axes = figure.subplots()
    for m, (start, end) in enumerate(itertools.pairwise(edges)):
        axes.axvspan(start - 0.5, end - 0.5, color=BANDS[m % 2], zorder=0, linewidth=0)
    for t, action in enumerate(delayed, start=1):
        _cell(axes, t, 1.0, action, GREY if t < first else SKY)
        if arrivals[t - 1] <= T:
            style: dict[str, Any] = {
                "arrowstyle": "->",
                "color": ORANGE,
                "connectionstyle": "arc3,rad=-0.35",
            }
            axes.annotate("", (arrivals[t - 1], 1.22), (t, 1.22), arrowprops=style)
    for slot, action in enumerate(batched):
        _cell(axes, first + slot, 0.0, action, SKY)
    axes.set_xlim(0.4, T + 0.6)
    axes.set_ylim(-0.5, 2.5)
    axes.set_yticks([0, 1], ["batched learner", "delayed learner"])
    axes.set_xticks(range(1, T + 1))
    plain(axes, x="round t")
    return figure


def _cell(axes: Axes, t: int, row: float, action: int, colour: str) -> None:
    box: Style = {"facecolor": colour, "edgecolor": "white", "boxstyle": "round,pad=0.3"}
    axes.text(t, row, f"{action}", ha="center", va="center", fontsize=9, bbox=box)


def rates_figure(
    n: ArrayLike, panels: Mapping[str, Mapping[str, ArrayLike]], *, caption: str = ""
) -> Picture:
    """What is claimed, what the construction gives, what another construction gives."""
    figure = picture(10.5, 4.2, caption=caption)
    grid = figure.subplots(1, len(panels), squeeze=False).ravel()
    for axes, (title, lines) in zip(grid, panels.items(), strict=True):
        for number, (name, values) in enumerate(lines.items()):
            shown = np.where(np.asarray(values) > 0, values, np.nan)
            style: dict[str, Any] = {
                "color": CYCLE[number],
                "ls": DASHES[number % 4],
                "linewidth": 2,
            }
            axes.plot(n, shown, label=name, **style)
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain(axes, title=title, x="n (path parameter)")
    grid[0].set_ylabel("units of loss")
    legend(grid[0], loc="upper left")
    return figure
