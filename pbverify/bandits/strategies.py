"""Hypothesis strategies for the things that claims speak about."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from pbverify.bandits.delays import DELAY_LIMIT, Delays
from pbverify.bandits.instance import Instance


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


def loss_rows(T: int, A: int) -> st.SearchStrategy[list[list[Fraction]]]:
    """T rows of A losses in {0, 1/2, 1}."""
    loss = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)])
    row = st.lists(loss, min_size=A, max_size=A)
    return st.lists(row, min_size=T, max_size=T)


@st.composite
def instances(draw: st.DrawFn, *, max_rounds: int = 12, max_arms: int = 3) -> Instance:
    """Short instances with given actions: any losses in {0, 1/2, 1}, delays and actions."""
    T = draw(st.integers(1, max_rounds))
    A = draw(st.integers(2, max_arms))
    weights = draw(st.lists(st.integers(1, 4), min_size=A, max_size=A))
    delay = st.one_of(st.just(0), st.integers(0, 3), st.integers(0, 2 * T))
    return Instance.build(
        losses=draw(loss_rows(T, A)),
        delays=draw(st.lists(delay, min_size=T, max_size=T)),
        comparator=[Fraction(weight, sum(weights)) for weight in weights],
        actions=draw(st.lists(st.integers(0, A - 1), min_size=T, max_size=T)),
    )
