"""Learners on blocks of one length, and all learners of finite games at once."""

from fractions import Fraction

import pytest

from pbverify.errors import InputError
from pbverify.paper.lower_bound.all_learners import certificate, least_regret
from pbverify.paper.lower_bound.even_studies import LateStudy, SafeStudy, safety_signal
from pbverify.paper.lower_bound.finite_games import AllLate, AllSafe, root
from pbverify.paper.lower_bound.hard_environments import AnyGame, HardGame
from pbverify.paper.lower_bound.learners import contender
from pbverify.paper.lower_bound.simulation import Convention

QUARTER, NONE = Fraction(1, 4), Fraction(0)


@pytest.mark.parametrize(
    ("rounds", "delta", "allowed", "signal"),
    [
        (1, QUARTER, NONE, QUARTER),
        (16, QUARTER, Fraction(1, 100), Fraction(1, 16)),
        (36, Fraction(1, 144), Fraction(6, 91), Fraction(91, 384)),
    ],
)
def test_the_signal_is_the_least_of_three(
    rounds: int, delta: Fraction, allowed: Fraction, signal: Fraction
) -> None:
    """1/4, 1/(8 sqrt(delta T)) and 1/(64 Lambda), each the least somewhere."""
    assert root(safety_signal(rounds, delta, allowed)) == signal


def test_an_irrational_signal_has_no_certificate() -> None:
    """Certificates are exact rational numbers."""
    with pytest.raises(InputError, match="the square of a rational number"):
        root(Fraction(1, 2))


def test_delays_hide_what_was_lost() -> None:
    """The committer tries arm 2 once; if it hears of it too late, it never plays it again."""
    played = [
        {leaf.actions for leaf in SafeStudy((d, 0), QUARTER, contender("committer")).found.leaves}
        for d in (0, 5)
    ]
    assert played == [{(1, 0), (1, 1)}, {(1, 0)}]


def test_blocks_hide_what_was_lost() -> None:
    """Inside a block the committer goes back to arm 1, whatever arm 2 lost."""
    study = LateStudy(1, 2, Convention.BEFORE, contender("committer"))
    assert {leaf.actions for leaf in study.found.leaves} == {(1, 0)}


@pytest.mark.parametrize("length", [1, 2])
def test_certificates_meet_the_linear_programme(length: int) -> None:
    """Two blocks with constant losses: the certificate at the programme's multiplier is optimal."""
    kappa = Fraction(1, 8 * length)
    game = HardGame((length,) * 2, QUARTER, kappa_as_given=kappa, constant=True)
    found = least_regret(game, Fraction(1, 100))
    assert found.regret > 0
    multiplier = Fraction(found.multiplier).limit_denominator(10**6)
    exact = certificate(game, Fraction(1, 100), multiplier)
    assert float(exact) == pytest.approx(found.regret, abs=1e-9)


def test_safe_learners_pay_more() -> None:
    """The certificate grows with the multiplier that fits, and falls with Lambda."""
    tight, loose = (AllSafe(4, QUARTER, limit, Fraction(3, 2)).least for limit in (NONE, QUARTER))
    assert tight > loose
    assert AllSafe(4, QUARTER, NONE, NONE).least == 0


def test_longer_blocks_cost_more() -> None:
    """Twice the length, twice the regret: a block shows one variable however long it is."""
    assert AllLate(4, 2).least == 2 * AllLate(4, 1).least


def test_the_comparator_of_the_delay_side_is_arm_1() -> None:
    """Nothing is asked of the margin there."""
    assert AnyGame((1,), NONE).comparator == (Fraction(1), NONE)
