"""Long games: enclosures of both sides of a certificate."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import pytest

from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Pair
from pbverify.errors import InputError
from pbverify.numerics import Number, Truth, to_arb
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.long_game import LongGame, descent, drift, endless
from pbverify.paper.proofs.bounds_in_expectation import (
    regret,
    regret_certificate,
    safety_certificate,
)
from pbverify.paper.proofs.mirror_descent import vertex

READINGS = ("main", "repaired")


def game(quiet: int, loud: int, *, reading: str, tilt: Fraction = Fraction(1, 10)) -> LongGame:
    return LongGame(quiet, loud, Fraction(3, 4), tilt, endless(preset(reading)))


def enumerated(found: LongGame) -> AllPaths:
    """The same game, small enough for all its action sequences."""
    half, silent, noisy = Fraction(1, 2), [Fraction(0)] * 2, [Fraction(0), found.loss]
    instance = Instance.build(
        losses=[silent] * found.quiet + [noisy] * found.loud,
        delays=[0] * found.rounds,
        comparator=[half + found.tilt, half - found.tilt],
        seed=0,
    )
    return AllPaths(instance, found.reading)


def exact(found: LongGame) -> list[Number]:
    game = enumerated(found)
    return [
        regret(game, game.comparator()),
        safety_certificate(game),
        regret(game, vertex(0, 2)),
        regret_certificate(game, 0),
    ]


@pytest.mark.parametrize("name", READINGS)
@pytest.mark.parametrize(("quiet", "loud"), [(0, 1), (0, 4), (2, 3), (3, 1)])
def test_enclosures_contain_the_enumerated_values(quiet: int, loud: int, name: str) -> None:
    """All four numbers, over all action sequences."""
    found = game(quiet, loud, reading=name)
    enclosed = (
        found.safety_regret(),
        found.safety_certificate(),
        found.regret(),
        found.regret_certificate(),
    )
    for wide, narrow in zip(enclosed, exact(found), strict=True):
        assert wide.overlaps(to_arb(narrow))
        assert wide.rad() < abs(wide.mid()) / 2


@pytest.mark.parametrize("name", READINGS)
def test_drift_comes_within_a_hundredth(name: str) -> None:
    """Of the safety certificate, from below, in both readings."""
    found = drift(preset(name))
    pair = Pair(found.safety_regret(), found.safety_certificate())
    assert pair.truth is Truth.YES
    assert (pair.ratio or 0) > 0.995


def test_a_short_descent_is_loose() -> None:
    """The base learner's own cost fades only with T, which is why `descent` is long."""
    long = descent(preset("main"))
    short = dataclasses.replace(long, loud=100)
    pair = Pair(short.regret(), short.regret_certificate())
    assert pair.truth is Truth.YES
    assert (pair.ratio or 1) < 0.9
    assert long.loud > 500 * short.loud


def test_witness_fields_round_trip() -> None:
    """A game is rebuilt from what a witness says of it."""
    found = game(5, 7, reading="main")
    assert LongGame.rebuild(found.witness_fields()) == found


@pytest.mark.parametrize(
    "change", [{"loud": 0}, {"quiet": -1}, {"loss": Fraction(2)}, {"tilt": Fraction(1, 2)}]
)
def test_bad_parameters_are_named(change: dict[str, Any]) -> None:
    """An impossible game is an input error."""
    with pytest.raises(InputError):
        dataclasses.replace(game(5, 7, reading="main"), **change)


@pytest.mark.parametrize("option", [{"budget": Fraction(3)}, {"update": "played"}])
def test_other_learners_are_refused(option: dict[str, object]) -> None:
    """A phase must not end, and steps must start at the base iterate."""
    found = game(5, 7, reading="repaired")
    with pytest.raises(InputError):
        dataclasses.replace(found, reading=found.reading.with_options(**option))
