r"""The experiment: what its constants allow, and what a scaled threshold changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter

from pbverify.figures.style import (
    BLACK,
    BLUE,
    CYCLE,
    DASHES,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    VERMILLION,
    Picture,
    legend,
    picture,
    plain,
    png,
)
from pbverify.paper.experiment.cells import Measured
from pbverify.paper.experiment.environment import REGIMES
from pbverify.paper.experiment.learners import (
    BANKER,
    COMPARATOR,
    EXP3,
    OTHERS,
    PRUDENT,
    PRUDENT_EXP3,
    SAFE,
    TITLES,
    UCB,
    Contender,
)
from pbverify.paper.experiment.plan import Experiment

STYLES: dict[str, dict[str, Any]] = {
    PRUDENT: {"color": BLUE, "linestyle": "-", "linewidth": 2.0},
    UCB: {"color": GREEN, "linestyle": "--", "linewidth": 1.8},
    SAFE: {"color": VERMILLION, "linestyle": "-.", "linewidth": 1.8},
    PRUDENT_EXP3: {"color": ORANGE, "linestyle": (0, (6, 1)), "linewidth": 1.8},
    BANKER: {"color": PURPLE, "linestyle": ":", "linewidth": 1.4},
    EXP3: {"color": GREY, "linestyle": (0, (1, 1)), "linewidth": 1.4},
    COMPARATOR: {"color": BLACK, "linestyle": (0, (5, 4)), "linewidth": 1.0},
}
BANDED = (PRUDENT, UCB, SAFE)
"""The paper's three; the references are lines only."""


def three_rows(experiment: Experiment, own: Contender, *, caption: str) -> bytes:
    """The figure for one Prudent-Banker, as a PNG file."""
    figure = picture(13.0, 9.2, caption=caption)
    grid = figure.subplots(3, len(REGIMES), sharex=True, sharey="row", squeeze=False)
    for column, (name, regime) in zip(grid.T, REGIMES.items(), strict=True):
        _regrets(column[0], experiment, own, name)
        _advantage(column[1], experiment.of(own, name))
        _aggression(column[2], experiment.of(own, name))
        plain(column[0], title=regime.title)
        for axes in column[1:]:
            plain(axes)
        column[2].set_xlabel("round t")
        column[2].xaxis.set_major_formatter(EngFormatter(sep=""))
    for axes, label in zip(
        grid[:, 0],
        ("regret to the best arm", "loss above comparator's", "mixing coefficient α"),  # noqa: RUF001
        strict=True,
    ):
        axes.set_ylabel(label)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=7, frameon=False, fontsize=9)
    lines, names = grid[2, 0].get_legend_handles_labels()
    grid[2, -1].legend(lines, names, frameon=False, fontsize=8)
    return png(figure)


def _regrets(axes: Axes, experiment: Experiment, own: Contender, regime: str) -> None:
    for contender in (own, *OTHERS):
        runs, style = experiment.of(contender, regime), STYLES[contender.name]
        _median(axes, runs, "regret", label=TITLES[contender.name], **style)
        if contender.name in BANDED:
            _band(axes, runs, "regret", style["color"])
    axes.axhline(0.0, color=GREY, linewidth=0.6)


def _advantage(axes: Axes, runs: Sequence[Measured]) -> None:
    _median(axes, runs, "over_comparator", **STYLES[PRUDENT])
    _band(axes, runs, "over_comparator", BLUE)
    axes.axhline(0.0, color=GREY, linewidth=0.6)


def _aggression(axes: Axes, runs: Sequence[Measured]) -> None:
    _band(axes, runs, "alpha", BLUE)
    _median(axes, runs, "alpha", label="median", drawstyle="steps-post", **STYLES[PRUDENT])
    first = runs[0].curves
    style: dict[str, Any] = {"color": BLACK, "linewidth": 0.8, "drawstyle": "steps-post"}
    axes.plot(first["round"], first["alpha"], label="seed 0", **style)
    axes.set_yscale("log")
    axes.set_ylim(1e-6, 2.0)


def _median(axes: Axes, runs: Sequence[Measured], curve: str, **style: Any) -> None:
    axes.plot(runs[0].curves["round"], np.median(_stacked(runs, curve), axis=0), **style)


def _band(axes: Axes, runs: Sequence[Measured], curve: str, color: str) -> None:
    low, high = np.percentile(_stacked(runs, curve), [10, 90], axis=0)
    axes.fill_between(runs[0].curves["round"], low, high, color=color, alpha=0.18, linewidth=0)


def _stacked(runs: Sequence[Measured], curve: str) -> Any:
    return np.array([run.curves[curve] for run in runs])


Curves = Mapping[str, Sequence[float]]


def allowance_figure(rows: Sequence[Mapping[str, Any]], *, caption: str = "") -> Picture:
    """Per reading: the threshold, the largest gap that any run can have, the largest one seen."""
    figure = picture(9.5, 3.6, caption=caption)
    gaps, apart = figure.subplots(1, 2)
    names = [str(row["reading"]) for row in rows]
    _bars(gaps, rows, {"threshold": ORANGE, "most_gap": GREY, "seen_gap": BLUE}, _GAPS)
    _bars(apart, rows, {"most_apart": GREY, "seen_apart": GREEN}, _APART)
    for axes in (gaps, apart):
        axes.set_xticks(range(len(names)), names)
    plain(gaps, title="can the gap ever pass the threshold?", y="units of loss")
    plain(apart, title="how far from the comparator's loss?", y="units of loss")
    return figure


_GAPS = {
    "threshold": "threshold $2\\hat R+\\hat\\xi$",
    "most_gap": "largest gap possible",
    "seen_gap": "largest gap seen",
}
_APART = {"most_apart": "largest distance possible, $T/\\hat R$", "seen_apart": "largest seen"}


def _bars(
    axes: Any,
    rows: Sequence[Mapping[str, Any]],
    colours: Mapping[str, str],
    names: Mapping[str, str],
) -> None:
    width = 0.8 / len(colours)
    for number, (key, colour) in enumerate(colours.items()):
        places = np.arange(len(rows)) + (number - (len(colours) - 1) / 2) * width
        values = [float(row[key]) for row in rows]
        axes.bar(places, values, width=0.92 * width, color=colour, label=names[key])
        for place, value in zip(places, values, strict=True):
            text = f"{value:,.0f}" if value >= 100 else f"{value:.2g}"
            axes.annotate(text, (place, value), ha="center", va="bottom", fontsize=7)
    axes.set_yscale("log")
    axes.set_ylim(top=60 * axes.get_ylim()[1])
    legend(axes, loc="upper left", ncols=1)


def scales_figure(columns: Mapping[str, Mapping[str, Curves]], *, caption: str = "") -> Picture:
    """Aggression and loss beyond the comparator's, per regime, one line per threshold scale."""
    figure = picture(11.0, 5.6, caption=caption)
    grid = figure.subplots(2, len(columns), sharex=True, sharey="row", squeeze=False)
    for (above, below), (title, lines) in zip(grid.T, columns.items(), strict=True):
        for number, (name, curves) in enumerate(lines.items()):
            style: dict[str, Any] = {
                "color": CYCLE[number],
                "ls": DASHES[number % 4],
                "linewidth": 1.6,
            }
            above.step(curves["round"], curves["alpha"], where="post", label=name, **style)
            below.plot(curves["round"], curves["over_comparator"], **style)
        above.set_yscale("log")
        below.axhline(0, color=BLACK, linewidth=0.8)
        plain(above, title=title)
        plain(below, x="round t")
        below.locator_params(axis="x", nbins=4)
    grid[0, 0].set_ylabel("aggression $\\alpha_t$")
    grid[1, 0].set_ylabel("loss beyond $x^c$'s")
    place: dict[str, Any] = {
        "loc": "outside upper center",
        "ncols": 6,
        "frameon": False,
        "fontsize": 9,
    }
    figure.legend(*grid[0, 0].get_legend_handles_labels(), **place)
    return figure
