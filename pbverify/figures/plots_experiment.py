r"""The experiment: what its constants allow, and what a scaled threshold changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pbverify.figures.style import (
    BLACK,
    BLUE,
    CYCLE,
    DASHES,
    GREEN,
    GREY,
    ORANGE,
    Picture,
    legend,
    picture,
    plain,
)

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
