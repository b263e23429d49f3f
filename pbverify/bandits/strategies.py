"""Hypothesis strategies for the things that claims speak about.

Hypothesis takes longer to make a strategy than to draw from it, so those for lists of a length that
was drawn are made once for each length.
"""

from __future__ import annotations

import functools
from fractions import Fraction

from hypothesis import strategies as st

from pbverify.bandits.delays import DELAY_LIMIT, Delays
from pbverify.bandits.instance import Instance


@functools.cache
@st.composite
def delay_sequences(draw: st.DrawFn, *, max_length: int = 40) -> Delays:
    """Delays that are mostly short, sometimes beyond the horizon, rarely huge."""
    return Delays(draw(_any_delays(draw(st.integers(1, max_length)))))


@functools.cache
def _any_delays(length: int) -> st.SearchStrategy[list[int]]:
    delay = st.one_of(
        st.integers(0, 3),
        st.integers(0, length),
        st.integers(0, 2 * length),
        st.integers(0, DELAY_LIMIT - 1),
    )
    return st.lists(delay, min_size=length, max_size=length)


@functools.cache
def short_delays(rounds: int, short: int) -> st.SearchStrategy[list[int]]:
    """As many delays as rounds: each 0, at most `short`, or at most twice the rounds."""
    delay = st.one_of(st.just(0), st.integers(0, short), st.integers(0, 2 * rounds))
    return st.lists(delay, min_size=rounds, max_size=rounds)


@functools.cache
def integer_lists(length: int, least: int, most: int) -> st.SearchStrategy[list[int]]:
    """So many integers from least to most."""
    return st.lists(st.integers(least, most), min_size=length, max_size=length)


@functools.cache
def loss_rows(T: int, A: int) -> st.SearchStrategy[list[list[Fraction]]]:
    """T rows of A losses in {0, 1/2, 1}."""
    loss = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)])
    row = st.lists(loss, min_size=A, max_size=A)
    return st.lists(row, min_size=T, max_size=T)


@functools.cache
@st.composite
def instances(draw: st.DrawFn, *, max_rounds: int = 12, max_arms: int = 3) -> Instance:
    """Short instances with given actions: any losses in {0, 1/2, 1}, delays and actions."""
    T = draw(st.integers(1, max_rounds))
    A = draw(st.integers(2, max_arms))
    weights = draw(integer_lists(A, 1, 4))
    return Instance.build(
        losses=draw(loss_rows(T, A)),
        delays=draw(short_delays(T, 3)),
        comparator=[Fraction(weight, sum(weights)) for weight in weights],
        actions=draw(integer_lists(T, 0, A - 1)),
    )
