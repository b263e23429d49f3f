r"""Runs of Prudent-Banker: arrivals, credits, aggression, gap against threshold, readings.

All functions take plain columns, one entry per round. Phases are the pale bands behind every panel;
a dashed line is a soft restart (new phase), a solid one a hard restart (new stage).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

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
    Picture,
    Style,
    legend,
    picture,
    plain,
)

Columns = Mapping[str, Any]


def arrivals_figure(columns: Columns, *, caption: str = "") -> Picture:
    """A bar per delayed round from its play to its arrival, and what is missing meanwhile."""
    delays = columns["delays"]
    late = [t for t, delay in enumerate(delays, start=1) if delay]
    figure = picture(9.0, 2.6 + 0.13 * len(late), caption=caption)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2 + 0.1 * len(late), 1))
    for axes in (above, below):
        shade_phases(axes, columns)
    for row, t in enumerate(late):
        end = min(t + delays[t - 1], len(delays) + 1)
        above.plot([t, end], [row, row], color=BLUE, linewidth=2.5, solid_capstyle="butt")
    above.scatter(late, range(len(late)), color=BLACK, s=18, zorder=3, label="played")
    ends = [t + delays[t - 1] for t in late]
    shown = [(end, row) for row, end in enumerate(ends) if end <= len(delays)]
    above.scatter(*_unzipped(shown), color=ORANGE, marker="s", s=18, zorder=3, label="arrives")
    above.invert_yaxis()
    above.set_yticks([])
    plain(above, y="delayed rounds")
    label_phases(above, columns)
    legend(above, loc="upper right")
    rounds = range(1, len(delays) + 1)
    below.bar(rounds, columns["outstanding"], color=GREY, width=0.8)
    plain(below, x="round t", y="missing")
    below.set_xlim(0.5, len(delays) + 0.5)
    return figure


def course_figure(columns: Columns, *, caption: str = "") -> Picture:
    """Credits, aggression, and the gap against its threshold, over the rounds."""
    figure = picture(9.0, 6.4, caption=caption)
    credit, alpha, gap = figure.subplots(3, 1, sharex=True, height_ratios=(1.3, 0.8, 1.2))
    for axes in (credit, alpha, gap):
        shade_phases(axes, columns)
    _draw_credits(credit, columns)
    label_phases(credit, columns)
    rounds = range(1, len(columns["alpha"]) + 1)
    alpha.step(rounds, columns["alpha"], where="mid", color=BLACK, linewidth=2)
    alpha.set_ylim(0, 1.08)
    plain(alpha, y="aggression $\\alpha$")
    gap.step(rounds, columns["threshold"], where="mid", color=ORANGE, linewidth=2, ls="--")
    gap.plot(rounds, columns["gap"], color=BLUE, linewidth=2)
    _name_last(gap, "threshold $2\\hat R+\\hat\\xi$", columns["threshold"], ORANGE)
    _name_last(gap, "gap", columns["gap"], BLUE)
    plain(gap, x="round t", y="gap (units of loss)")
    gap.set_xlim(0.5, len(columns["alpha"]) + 9)
    return figure


def _draw_credits(axes: Axes, columns: Columns) -> None:
    rounds = range(1, len(columns["borrowed"]) + 1)
    repaid, borrowed = columns["repaid"], columns["borrowed"]
    axes.bar(rounds, repaid, color=GREEN, width=0.8, label="paid out of repaid credits")
    axes.bar(rounds, borrowed, bottom=repaid, color=ORANGE, width=0.8, label="borrowed $b_t$")
    plain(axes, y="action scale $\\sigma_t$")
    legend(axes, loc="upper left")
    axes.set_ylim(0, 1.45 * max(max(a + b for a, b in zip(repaid, borrowed, strict=True)), 0.1))


def _name_last(axes: Axes, name: str, values: Sequence[float], colour: str) -> None:
    axes.annotate(name, (len(values) + 0.7, values[-1]), color=colour, fontsize=9, va="center")


def readings_figure(runs: Mapping[str, Columns], *, caption: str = "") -> Picture:
    """Aggression, gap against threshold, and the learner's loss beyond the comparator's."""
    figure = picture(9.0, 6.4, caption=caption)
    alpha, gap, regret = figure.subplots(3, 1, sharex=True)
    for number, (name, columns) in enumerate(runs.items()):
        line: Style = {"color": CYCLE[number], "ls": DASHES[number % 4], "linewidth": 2}
        rounds = range(1, len(columns["alpha"]) + 1)
        alpha.step(rounds, columns["alpha"], where="mid", label=name, **line)
        share = np.array(columns["gap"]) / np.array(columns["threshold"])
        gap.plot(rounds, share, **line)
        regret.plot(rounds, np.cumsum(beyond_comparator(columns)), **line)
    gap.axhline(1, color=GREY, linewidth=1)
    regret.axhline(0, color=GREY, linewidth=1)
    plain(alpha, y="aggression $\\alpha$")
    alpha.set_ylim(0, 1.08)
    legend(alpha, loc="lower left", ncols=3)
    plain(gap, y="gap / threshold")
    plain(regret, x="round t", y="loss beyond $x^c$")
    return figure


def beyond_comparator(columns: Columns) -> np.ndarray[Any, np.dtype[np.float64]]:
    """<l_t, x_t - x^c> for every round."""
    safe = np.array(columns["comparator"])
    lost: np.ndarray[Any, np.dtype[np.float64]] = (
        np.asarray(columns["losses"]) * (np.asarray(columns["played"]) - safe)
    ).sum(axis=1)
    return lost


def strips_figure(runs: Mapping[str, Columns], *, caption: str = "") -> Picture:
    """One strip per reading: its aggression as shade, its restarts as marks."""
    figure = picture(9.0, 1.6 + 0.3 * len(runs), caption=caption)
    axes = figure.subplots()
    table = np.array([columns["alpha"] for columns in runs.values()])
    T = table.shape[1]
    extent = (0.5, T + 0.5, len(runs) - 0.5, -0.5)
    image = axes.imshow(table, aspect="auto", cmap="cividis", vmin=0, vmax=1, extent=extent)
    for row, columns in enumerate(runs.values()):
        for name, marker in (("soft_restart", "o"), ("hard_restart", "s")):
            rounds = [t for t, is_here in enumerate(columns[name], start=1) if is_here]
            style: dict[str, Any] = {
                "marker": marker,
                "s": 34,
                "color": "white",
                "edgecolors": BLACK,
            }
            axes.scatter(rounds, [row] * len(rounds), zorder=3, **style)
    axes.set_yticks(range(len(runs)), list(runs), fontsize=9)
    axes.set_yticks(np.arange(0.5, len(runs) - 1), minor=True)
    axes.grid(which="minor", axis="y", color="white", linewidth=3)
    axes.tick_params(which="minor", length=0)
    axes.set_xlabel("round t")
    figure.colorbar(image, ax=axes, label="aggression $\\alpha$", pad=0.01)
    return figure


def shade_phases(axes: Axes, columns: Columns) -> None:
    """Bands for phases and lines for restarts, behind whatever else the panel shows."""
    for index, (_, first, last) in enumerate(phases_of(columns)):
        axes.axvspan(first - 0.5, last + 0.5, color=BANDS[index % 2], zorder=0, linewidth=0)
    for t, (hard, soft) in enumerate(
        zip(columns["hard_restart"], columns["soft_restart"], strict=True), start=1
    ):
        if hard:
            axes.axvline(t, color=FAILS, linewidth=1.5, zorder=1)
        elif soft:
            axes.axvline(t + 0.5, color=GREY, linewidth=1.2, ls="--", zorder=1)


def label_phases(axes: Axes, columns: Columns) -> None:
    """stage.phase above each band that has room for it."""
    T = len(columns["stage"])
    for name, first, last in phases_of(columns):
        if last - first + 1 >= T / 25:
            place = ((first + last) / 2, 1.02)
            axes.annotate(name, place, xycoords=("data", "axes fraction"), ha="center", fontsize=9)


def phases_of(columns: Columns) -> Iterator[tuple[str, int, int]]:
    """Name, first and last round of every undelayed of rounds with one stage and phase."""
    keys = list(zip(columns["stage"], columns["phase"], strict=True))
    at = 1
    for key, group in itertools.groupby(keys):
        length = len(list(group))
        yield f"{key[0]}.{key[1]}", at, at + length - 1
        at += length


def _unzipped(points: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [x for x, _ in points], [y for _, y in points]
