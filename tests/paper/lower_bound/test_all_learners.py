"""The least regret of all learners, by linear programmes and exact certificates."""

from fractions import Fraction

import pytest

from pbverify.errors import InputError
from pbverify.numerics import BallArithmetic, Number, Truth, leq, less, to_fmpq
from pbverify.paper.formulas.lower import B_LAMBDA
from pbverify.paper.lower_bound.all_learners import certificate, least_regret
from pbverify.paper.lower_bound.hard_environments import HardGame

QUARTER = Fraction(1, 4)
LIMITS = (Fraction(0), Fraction(1, 128))


def game(*lengths: int, kappa: Fraction) -> HardGame:
    """Two arms, margin 1/4 and the proof's own signal, which is rational here."""
    assert HardGame(lengths, QUARTER).kappa == to_fmpq(kappa)
    return HardGame(lengths, QUARTER, kappa_as_given=kappa)


GAMES = [
    game(1, 1, 1, 1, kappa=Fraction(1, 32)),
    game(2, 2, kappa=Fraction(1, 64)),
    game(4, kappa=Fraction(1, 128)),
]
LONG = [game(*[1] * 16, kappa=Fraction(1, 64)), game(3, 3, 3, kappa=Fraction(1, 144))]


def bound(hard: HardGame, limit: Fraction) -> Number:
    """B_Lambda."""
    return B_LAMBDA.enclosed(V=hard.V, L=hard.lengths[0], delta=hard.delta, Lambda=limit)


def certified(hard: HardGame, limit: Fraction) -> Fraction:
    """The certificate of the multiplier that the linear programme finds."""
    found = least_regret(hard, limit)
    return certificate(hard, limit, Fraction(found.multiplier).limit_denominator(10**6))


@pytest.mark.parametrize("hard", GAMES, ids=lambda hard: str(hard.lengths))
@pytest.mark.parametrize("limit", LIMITS)
def test_no_learner_beats_the_bound(hard: HardGame, limit: Fraction) -> None:
    """Every learner with R+(x^c) <= Lambda has R-(e_2) >= B_Lambda, by an exact certificate."""
    assert leq(bound(hard, limit), certified(hard, limit)) is Truth.YES


@pytest.mark.parametrize("hard", GAMES, ids=lambda hard: str(hard.lengths))
@pytest.mark.parametrize("limit", LIMITS)
def test_programme_and_certificate_meet(hard: HardGame, limit: Fraction) -> None:
    """The certificate is the optimum, up to the rounding of doubles: none is better."""
    assert float(certified(hard, limit)) == pytest.approx(
        least_regret(hard, limit).regret, abs=1e-9
    )


@pytest.mark.parametrize("hard", LONG, ids=lambda hard: str(hard.lengths))
def test_longer_games_have_certificates(hard: HardGame) -> None:
    """A certificate needs no linear programme: any multiplier is one."""
    best = max(certificate(hard, Fraction(0), Fraction(lam, 2)) for lam in range(9))
    assert leq(bound(hard, Fraction(0)), best) is Truth.YES


def test_the_bound_is_not_free() -> None:
    """Without the safety constraint some learner has no regret in E-, and B_Lambda > 0."""
    hard, limit = GAMES[0], Fraction(0)
    assert certificate(hard, limit, Fraction(0)) == 0
    assert less(0, bound(hard, limit)) is Truth.YES


def test_a_larger_bound_falls() -> None:
    """Some learner with R+(x^c) <= 0 has less than 16 B_0."""
    hard = GAMES[0]
    assert least_regret(hard, Fraction(0)).regret < 16 * float(
        BallArithmetic().to_float(bound(hard, Fraction(0)))
    )


def test_a_negative_multiplier_certifies_nothing() -> None:
    """Weak duality needs a multiplier >= 0."""
    with pytest.raises(InputError, match="a multiplier >= 0"):
        certificate(GAMES[0], Fraction(0), Fraction(-1))
