"""Compiled runs: what they record, and what they refuse."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pbverify.bandits.instance import Instance
from pbverify.errors import ImprobableActionError, InputError
from pbverify.paper.algorithm.readings import PRESETS, Reading
from pbverify.paper.algorithm.trace import COLUMNS
from pbverify.paper.kernels import run_compiled


def instance(*, delays: list[int], actions: list[int] | None = None) -> Instance:
    T = len(delays)
    return Instance.build(
        losses=[[1, 0]] * T,
        delays=delays,
        comparator=[Fraction(1, 2)] * 2,
        actions=actions,
        seed=3,
    )


def test_scalars_only_are_the_same_scalars() -> None:
    """Leaving out the iterates changes no other column."""
    some = instance(delays=[0, 2, 1, 0, 0] * 20)
    full = run_compiled(some, PRESETS["repaired"])
    bare = run_compiled(some, PRESETS["repaired"], iterates=False)
    assert bare.base is None
    assert bare.played is None
    for name in COLUMNS:
        np.testing.assert_array_equal(full[name], bare[name])


def test_improbable_action_is_named() -> None:
    """A given action below 2^-1000 is refused with its round and arm."""
    reading = Reading(update="base", budget=Fraction(1), slack=Fraction(0))
    with pytest.raises(ImprobableActionError, match=r"actions\[\d+\]=0"):
        run_compiled(instance(delays=[0] * 3000, actions=[0] * 3000), reading)


def test_overflowing_delays_are_refused() -> None:
    """A total delay that compiled integers cannot hold is an input error, not a wrong run."""
    with pytest.raises(InputError, match="total delay below"):
        run_compiled(instance(delays=[2**53 - 1] * 600), PRESETS["appendix"])


def test_many_outstanding_rounds() -> None:
    """Thousands of rounds in flight at once outgrow the first pool of slots without a change."""
    T = 3000
    flight = instance(delays=[1000] * T)
    reading = Reading(delay_sum="elapsed", budget=Fraction(4), slack=Fraction(10**9))
    trace = run_compiled(flight, reading)
    assert trace["hard_restart"].sum() >= 5
    assert np.isfinite(trace["gap"]).all()
