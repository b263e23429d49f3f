"""The figure of buckets shows every round, every bucket and what is revealed."""

from __future__ import annotations

import io

from pbverify.figures.lower_bound import REACHING, bucket_figure
from pbverify.paper.lower_bound.buckets import Bucketing


def test_the_figure_shows_what_it_should() -> None:
    """One bar per round, one band per bucket, reaching rounds marked, T + 1 times below."""
    cut = Bucketing((3, 3, 2, 2, 1, 1))
    figure = bucket_figure(cut.delays, [bucket.first for bucket in cut.buckets])
    above, below = figure.axes
    assert len(above.lines) == cut.horizon
    marked = [t for t, line in enumerate(above.lines, start=1) if line.get_color() == REACHING]
    ends = {t: bucket.end for bucket in cut.buckets for t in bucket.rounds}
    assert marked == [t for t in ends if t + cut.delay(t) == ends[t]]
    assert len(above.patches) == len(cut.buckets)
    heights = [bar.get_height() for bar in below.containers[0]]
    assert sum(heights) == cut.horizon


def test_the_figure_can_be_saved() -> None:
    """It renders without a display and without a warning."""
    buffer = io.BytesIO()
    bucket_figure((2, 1, 1), (1, 3), title="three rounds").savefig(buffer, format="png")
    assert buffer.getvalue().startswith(b"\x89PNG")
