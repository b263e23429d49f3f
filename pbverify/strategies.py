"""Hypothesis strategies for the things that claims speak about."""

from __future__ import annotations

from hypothesis import strategies as st

from pbverify.delays import DELAY_LIMIT, Delays
from pbverify.windows import Window


@st.composite
def delay_sequences(draw: st.DrawFn, *, max_length: int = 40) -> Delays:
    """Delays that are mostly short, sometimes beyond the horizon, rarely huge."""
    length = draw(st.integers(1, max_length))
    delay = st.one_of(
        st.integers(0, 3),
        st.integers(0, length),
        st.integers(0, 2 * length),
        st.integers(0, DELAY_LIMIT - 1),
    )
    return Delays(draw(st.lists(delay, min_size=length, max_size=length)))


@st.composite
def windows(draw: st.DrawFn, *, max_length: int = 40) -> Window:
    """A phase start..end inside a delay sequence."""
    delays = draw(delay_sequences(max_length=max_length))
    start = draw(st.integers(1, len(delays)))
    end = draw(st.integers(start, len(delays)))
    if draw(st.booleans()):
        delays = _arriving_by(end, delays, leak=draw(st.booleans()))
    return Window(delays, start=start, end=end)


def _arriving_by(end: int, delays: Delays, *, leak: bool) -> Delays:
    """The delays folded so that all feedback up to `end` arrives by then, or all but one item."""
    folded = [d % (end - r + 1) if r <= end else d for r, d in enumerate(delays.to_json(), start=1)]
    if leak:
        folded[end - 1] = 1
    return Delays(folded)
