"""Buckets, delays and revealed feedback as one figure, for report and notebooks.

Drawn from plain numbers. Above, a bar per round from the round to t + d_t, with the buckets as
shaded bands: no bar ends inside the band in which it begins, and in each band some bar ends exactly
at its right edge. Below, how many feedback items are revealed at each time.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from pbverify.figures.style import BANDS, BLUE, GREEN, VERMILLION, Picture, picture

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
