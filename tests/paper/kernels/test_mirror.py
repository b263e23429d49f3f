"""Compiled mirror maps against the regularizers in doubles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.bandits.mirror_maps import regularizer
from pbverify.numerics import FloatArithmetic
from pbverify.paper.kernels.mirror import inner, log_into, softmax, tsallis_into, tsallis_point

FLOATS = FloatArithmetic()
PROJECTIONS = pytest.mark.parametrize(
    ("project", "name"), [(softmax, "negative-entropy"), (tsallis_point, "tsallis")]
)

duals = st.lists(st.floats(-200, 200, allow_subnormal=False), min_size=2, max_size=8)
points = st.lists(st.floats(1e-12, 1), min_size=2, max_size=8)


def written(function: Callable[..., Any], values: list[float]) -> list[float]:
    source, target = np.array(values), np.full(len(values), np.nan)
    assert function(source, target) is None
    assert source.tolist() == values
    return [float(x) for x in target]


@PROJECTIONS
@given(dual=duals)
def test_projections_are_those_of_the_regularizers(
    project: Callable[..., Any], name: str, dual: list[float]
) -> None:
    """The compiled point is the reference's, and lies in the simplex."""
    point = written(project, dual)
    assert point == pytest.approx(regularizer(name).project(FLOATS, dual), rel=1e-11, abs=1e-300)
    assert math.fsum(point) == pytest.approx(1, abs=1e-12)
    assert min(point) >= 0


@PROJECTIONS
def test_equal_coordinates_give_the_uniform_point(project: Callable[..., Any], name: str) -> None:
    """A constant dual vector of any size is projected to the uniform distribution."""
    for constant in (-300.0, 0.0, 1e5):
        assert written(project, [constant] * 7) == pytest.approx([1 / 7] * 7, rel=1e-9)


def test_extreme_duals_stay_finite() -> None:
    """Coordinates far apart overflow nowhere; the far arm keeps what a double can hold."""
    assert written(softmax, [0.0, -1e6]) == [1.0, 0.0]
    assert written(softmax, [1e6, 0.0]) == [1.0, 0.0]
    far = written(tsallis_point, [0.0, -1e6])
    assert far == pytest.approx([1.0, 1e-12], rel=1e-5)


@given(points)
def test_mirror_maps_are_the_gradients(point: list[float]) -> None:
    """The Tsallis map is the gradient; the entropy map is the gradient up to a constant."""
    entropy = regularizer("negative-entropy").gradient(FLOATS, point)
    assert [theta + 1 for theta in written(log_into, point)] == pytest.approx(entropy, rel=1e-12)
    assert written(tsallis_into, point) == pytest.approx(
        regularizer("tsallis").gradient(FLOATS, point), rel=1e-14
    )


@pytest.mark.parametrize(("into", "project"), [(log_into, softmax), (tsallis_into, tsallis_point)])
@given(weights=st.lists(st.floats(1e-6, 1), min_size=2, max_size=8))
def test_projection_inverts_the_mirror_map(
    into: Callable[..., Any], project: Callable[..., Any], weights: list[float]
) -> None:
    """A simplex point is the projection of its own dual."""
    point = [weight / math.fsum(weights) for weight in weights]
    assert written(project, written(into, point)) == pytest.approx(point, rel=1e-8)


@given(points)
def test_inner_products_are_sums_of_products(values: list[float]) -> None:
    """<x, l>, arm by arm."""
    losses = [1 / (k + 1) for k in range(len(values))]
    expected = math.fsum(x * y for x, y in zip(values, losses, strict=True))
    assert inner(np.array(values), np.array(losses)) == pytest.approx(expected, rel=1e-12)
