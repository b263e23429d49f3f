"""Silence: no feedback, no chance, regret alpha T (1/2 - delta)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbverify.errors import InputError
from pbverify.numerics import to_arb
from pbverify.paper.adversaries.silence import Silence
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run import Run

DELTA = Fraction(1, 6)


def test_regret_is_that_of_the_algorithm() -> None:
    """The formula agrees with a rigorous run of the instance, whatever is played."""
    silence = Silence(40, DELTA, preset("main"))
    for actions in ([0] * 40, [1] * 40, [0, 1] * 20):
        run = Run.of(silence.instance().with_actions(actions), preset("main"))
        paid = sum((to_arb(run.law(t)[1]) - to_arb(DELTA) for t in range(1, 41)), to_arb(0))
        assert paid.overlaps(silence.regret)
        assert not run.trace["hard_restart"].any()
        assert not run.trace["soft_restart"].any()


def test_total_delay_is_that_of_the_instance() -> None:
    """T + (T - 1) + ... + 1."""
    silence = Silence(7, DELTA, preset("main"))
    assert silence.total_delay == 28 == sum(silence.instance().delays.to_json())


def test_regret_outgrows_every_logarithm() -> None:
    """Four times the horizon pays about twice as much."""
    short, long = (Silence(T, DELTA, preset("main")).regret for T in (10**6, 4 * 10**6))
    assert 1.99 < float(long / short) < 2.01


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_needs_an_arrived_delay_sum(name: str) -> None:
    """Other delay sums notice what is missing."""
    with pytest.raises(InputError, match="delay_sum"):
        Silence(10, DELTA, preset(name))


@pytest.mark.parametrize(("rounds", "delta"), [(0, DELTA), (5, Fraction(2, 3)), (5, Fraction(0))])
def test_parameters_are_checked(rounds: int, delta: Fraction) -> None:
    """A horizon, and a margin that two arms can have."""
    with pytest.raises(InputError):
        Silence(rounds, delta, preset("main"))


def test_witness_fields_round_trip() -> None:
    """A few parameters describe ten million rounds."""
    silence = Silence(10**7, DELTA, preset("main"))
    assert Silence.rebuild(silence.witness_fields()) == silence
