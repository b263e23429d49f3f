"""Mirror steps: costs by hand, expectation over the action, witnesses."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given

from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json
from pbverify.numerics import to_arb, working_precision
from pbverify.paper.cases.mirror_step import MirrorStep, mirror_steps

STEP = MirrorStep(
    psi="negative-entropy",
    base=(Fraction(1, 4), Fraction(3, 4)),
    comparator=(Fraction(1, 2), Fraction(1, 2)),
    losses=(Fraction(1), Fraction(1, 2)),
    alpha=Fraction(1, 2),
    sigma=Fraction(2),
    from_base=True,
)


def test_costs_by_hand() -> None:
    """sigma D(p, z~) = sigma p (u + exp(-u) - 1) with u = l/(x sigma), for negative entropy."""
    assert STEP.law == (Fraction(3, 8), Fraction(5, 8))
    u = 1 / (0.375 * 2)
    with working_precision(64):
        assert float(to_arb(STEP.cost(0)).mid()) == pytest.approx(2 * 0.25 * (u + math.exp(-u) - 1))


def test_expected_cost_weighs_by_the_law() -> None:
    """The expectation is over the action drawn from the played law."""
    with working_precision(64):
        weighed = 0.375 * float(to_arb(STEP.cost(0)).mid())
        weighed += 0.625 * float(to_arb(STEP.cost(1)).mid())
        assert float(to_arb(STEP.expected_cost()).mid()) == pytest.approx(weighed)


@given(mirror_steps("tsallis", from_base=False))
def test_costs_are_at_most_the_loss(step: MirrorStep) -> None:
    """From the played law a step never costs more than the loss, nor less than nothing."""
    with working_precision(128):
        for arm, loss in enumerate(step.losses):
            cost = to_arb(step.cost(arm))
            assert cost.upper() >= 0
            assert cost.lower() <= to_arb(loss).upper()


@given(mirror_steps("negative-entropy", from_base=True))
def test_a_witness_rebuilds_the_step(step: MirrorStep) -> None:
    """What a witness file holds gives an equal step."""
    fields = parse_json(dumps(step.witness_fields()).encode(), source="witness")
    assert MirrorStep.rebuild(fields) == step


def test_other_parameters_are_refused() -> None:
    """Missing fields and numbers that are none are input errors."""
    with pytest.raises(InputError, match="an object with"):
        MirrorStep.rebuild({"parameters": {"psi": "tsallis"}})
    fields = STEP.witness_fields()
    fields["parameters"]["sigma"] = "x"
    with pytest.raises(InputError, match="sigma=x"):
        MirrorStep.rebuild(fields)


@pytest.mark.parametrize("psi", ["negative-entropy", "tsallis"])
def test_no_loss_costs_exactly_nothing(psi: str) -> None:
    """The step stays where it is, and its cost is the number 0, not an enclosure of it."""
    step = dataclasses.replace(STEP, psi=psi, losses=(Fraction(0), Fraction(1)))
    with working_precision(64):
        assert step.cost(0) == fmpq(0)
        assert to_arb(step.cost(1)) > 0


@given(mirror_steps("tsallis", from_base=True))
def test_generated_steps_are_steps(step: MirrorStep) -> None:
    """0 < alpha <= 1, sigma > 0, losses in [0, 1], and laws that are positive and add up to 1."""
    assert 0 < step.alpha <= 1
    assert step.sigma > 0
    assert all(0 <= loss <= 1 for loss in step.losses)
    for law in (step.base, step.comparator):
        assert min(law) > 0
        assert sum(law) == 1
