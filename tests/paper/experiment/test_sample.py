"""Seeds as the subject of a claim."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from fractions import Fraction

import pytest

from pbverify.claims.claim import Claim, Kind, Pair, Side
from pbverify.claims.judging import replay, sampled
from pbverify.claims.verdict import Evidence, Outcome
from pbverify.errors import InputError
from pbverify.numerics import Truth
from pbverify.numerics.confidence import proportion_interval
from pbverify.paper.experiment.environment import DELAYED, Settings
from pbverify.paper.experiment.learners import COMPARATOR, SAFE, UCB
from pbverify.paper.experiment.observations import named
from pbverify.paper.experiment.sample import (
    LEVEL,
    SEEDS,
    Draws,
    Sample,
    SeededRun,
    most_columns_show,
    most_draws_show,
)
from pbverify.paper.sorts import DRAWS as DRAWN

SMALL = Settings(horizon=40, arms=3)
KEYS = (COMPARATOR, UCB, SAFE)
DRAWS = Draws(Sample(9, tuple((key, ("fixed",)) for key in KEYS), settings=SMALL), COMPARATOR)


def claim() -> Claim[Draws]:
    def shown(draws: Draws) -> Iterator[Pair]:
        return most_draws_show(draws, named("below-safe-exp3-ix"), ["fixed"])

    return Claim("experiment/small", Kind.EMPIRICAL, "1/2 < P(...)", then=(shown,), about=DRAWN)


def test_the_sample_is_the_smallest_that_decides() -> None:
    """If one seed disagrees the interval is still above 50/99, and one seed fewer would not do."""
    assert proportion_interval(SEEDS - 1, SEEDS, alpha=LEVEL)[0] > Fraction(50, 99)
    assert proportion_interval(SEEDS - 2, SEEDS - 1, alpha=LEVEL)[0] <= Fraction(50, 99)


def test_a_bracketing_move_decides() -> None:
    """Moved far down the comparator stands below everything, moved far up above; both replay."""
    low, high = (Draws(DRAWS.sample, COMPARATOR, Fraction(by)) for by in (-100, 100))
    holds, refuted = (sampled(claim(), draws, level=float(LEVEL)) for draws in (low, high))
    assert (holds.outcome, holds.evidence) == (Outcome.HOLDS, Evidence.CONFIDENCE)
    assert holds.scope == "level 0.001 per interval"
    assert refuted.outcome is Outcome.REFUTED
    assert refuted.witness is not None
    assert replay(claim(), refuted.witness) is Truth.YES


@pytest.mark.parametrize(
    ("columns", "truth"), [(0, Truth.NO), (1, Truth.NO), (2, Truth.YES), (3, Truth.YES)]
)
def test_most_columns_must_show_it(columns: int, truth: Truth) -> None:
    """Two columns of three are enough in every draw, and one is not."""
    answers = itertools.cycle([True] * columns + [False] * (3 - columns))
    shown = dataclasses.replace(named("below-safe-exp3-ix"), shows=lambda _: next(answers))
    sample = Sample(9, ((COMPARATOR, DELAYED),), settings=SMALL)
    [pair] = most_columns_show(Draws(sample, COMPARATOR), shown, DELAYED)
    assert pair.truth is truth
    assert dict(pair.where) == {"regimes": "fixed, geometric, pareto"}


@pytest.mark.parametrize(("by", "truth"), [(-100, Truth.UNKNOWN), (100, Truth.NO)])
def test_a_bound_on_the_misses_only_refutes(by: int, truth: Truth) -> None:
    """Misses of a stand-in that favours the claim refute it, or else tell nothing."""
    draws = Draws(DRAWS.sample, COMPARATOR, Fraction(by))
    observation = named("below-safe-exp3-ix")
    [pair] = most_columns_show(draws, observation, ["fixed"])
    assert dataclasses.replace(pair, side=Side.AT_LEAST).truth is truth


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"moved": "x"}, "a rational number as text but got moved=x"),
        ({"runs_of": {UCB: ["slow"]}}, "one of no-delay, fixed"),
    ],
)
def test_wrong_draws_are_named(change: dict[str, object], message: str) -> None:
    """Wrong fields of a witness of draws are input errors."""
    fields = Draws(DRAWS.sample, UCB, Fraction(-11, 10)).witness_fields()["parameters"]
    with pytest.raises(InputError, match=message):
        Draws.rebuild({"parameters": {**fields, **change}})


def test_a_seeded_run_knows_its_constants() -> None:
    """Its figures are enclosed; a reading that is no preset is refused."""
    run = SeededRun("repaired", "fixed", 3, Settings(horizon=50, arms=4))
    assert run.figure("regret").contains(run.figures["regret"])
    assert float(run.constants.alpha) < 1
    with pytest.raises(InputError, match="the options of a preset"):
        SeededRun.rebuild({**run.witness_fields(), "reading": {}})
