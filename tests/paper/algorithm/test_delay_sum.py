"""The delay sum of the stage test against its three definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.paper.algorithm.delay_sum import DelaySum, Outstanding
from pbverify.paper.algorithm.readings import OPTIONS

KINDS = OPTIONS["delay_sum"]
EACH_KIND = pytest.mark.parametrize("kind", KINDS)


def defined(kind: str, delays: list[int], start: int, t: int) -> int:
    """The sum at round t over the rounds since `start`, from the definition of its kind."""
    d = dict(enumerate(delays, start=1))
    if kind == "clairvoyant":
        return sum(d[u] for u in range(start, t + 1))
    before = range(start, t)
    arrived = sum(d[u] for u in before if u + d[u] < t)
    if kind == "arrived":
        return arrived
    return arrived + sum(t - u for u in before if u + d[u] >= t)


def end_of_round(total: DelaySum, delays: list[int], t: int) -> None:
    """Round t was played in the scope, and feedback arrives, also of earlier scopes."""
    total.played()
    for u in range(1, t + 1):
        if u + delays[u - 1] == t:
            total.arrived(u, now=t)


@st.composite
def protocols(draw: st.DrawFn) -> tuple[list[int], int]:
    delays = draw(st.lists(st.integers(0, 25) | st.just(2**53 - 1), min_size=1, max_size=20))
    return delays, draw(st.integers(1, len(delays)))


@EACH_KIND
@given(protocol=protocols())
def test_the_sum_is_its_definition(kind: str, protocol: tuple[list[int], int]) -> None:
    """At every round since the start, whatever is still under way from before."""
    delays, start = protocol
    total = DelaySum(kind, start)
    for t in range(start, len(delays) + 1):
        assert total.at(delays[t - 1]) == defined(kind, delays, start, t)
        end_of_round(total, delays, t)


@pytest.mark.parametrize("kind", ["arrived", "elapsed"])
def test_observable_sums_need_no_future(kind: str) -> None:
    """Without being told delays, arrived and elapsed sums are what they are when told."""
    delays, total = [3, 0, 1, 0, 2, 0, 0], DelaySum(kind, 1)
    for t in range(1, len(delays) + 1):
        assert total.at(None) == defined(kind, delays, 1, t)
        end_of_round(total, delays, t)


def test_a_clairvoyant_sum_must_be_told() -> None:
    """A clairvoyant sum without the coming delay is a programming error."""
    with pytest.raises(TypeError, match="needs the delay"):
        DelaySum("clairvoyant", 1).at(None)


@given(protocol=protocols())
def test_kinds_are_ordered(protocol: tuple[list[int], int]) -> None:
    """At every round, arrived <= elapsed <= clairvoyant."""
    delays, start = protocol
    sums = [DelaySum(kind, start) for kind in ("arrived", "elapsed", "clairvoyant")]
    for t in range(start, len(delays) + 1):
        values = [total.at(delays[t - 1]) for total in sums]
        assert values == sorted(values)
        for total in sums:
            end_of_round(total, delays, t)


@EACH_KIND
def test_a_fork_goes_its_own_way(kind: str) -> None:
    """A fork starts in the same state, and what happens to it does not reach the original."""
    delays = [2, 1, 0, 3, 0, 0, 0, 0]
    total = DelaySum(kind, 1)
    for t in (1, 2, 3):
        total.at(delays[t - 1])
        end_of_round(total, delays, t)
    fork = total.fork()
    for t in (4, 5, 6):
        assert fork.at(delays[t - 1]) == defined(kind, delays, 1, t)
        end_of_round(fork, delays, t)
    assert total.at(delays[3]) == defined(kind, delays, 1, 4)


def test_outstanding_sums_its_count_over_rounds() -> None:
    """Each round adds what is missing when it is played; a copy is independent."""
    outstanding = Outstanding()
    for count, cumulative in ((0, 0), (1, 1), (2, 3), (2, 5), (0, 5)):
        outstanding.count = count
        outstanding.begin_round()
        assert outstanding.cumulative == cumulative
    outstanding.count = 1
    copy = outstanding.copy()
    copy.begin_round()
    assert (copy.cumulative, outstanding.cumulative) == (6, 5)
