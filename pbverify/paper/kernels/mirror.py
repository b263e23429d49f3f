"""Projections and mirror maps in compiled code, writing into given arrays."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from numba import njit

Vector = npt.NDArray[np.float64]


@njit(cache=True)
def softmax(dual: Vector, point: Vector) -> None:
    """Negative entropy: point_i proportional to exp(dual_i)."""
    top = dual[0]
    for i in range(1, dual.size):
        top = max(top, dual[i])
    total = 0.0
    for i in range(dual.size):
        weight = math.exp(dual[i] - top)
        point[i] = weight
        total += weight
    for i in range(dual.size):
        point[i] /= total


@njit(cache=True)
def tsallis_point(dual: Vector, point: Vector) -> None:
    """1/2-Tsallis: point_i = (root - dual_i)^-2 with the root that makes them sum to 1."""
    root = dual.max() + 1.0
    step = 1.0
    while step > 4e-16 * max(1.0, abs(root)):
        excess, slope = -1.0, 0.0
        for i in range(dual.size):
            inverse = 1.0 / (root - dual[i])
            square = inverse * inverse
            excess += square
            slope += square * inverse
        step = 0.5 * excess / slope
        root += step
    for i in range(dual.size):
        inverse = 1.0 / (root - dual[i])
        point[i] = inverse * inverse


@njit(cache=True)
def inner(point: Vector, losses: Vector) -> float:
    """<point, losses>, added up in the order of the arms."""
    total = 0.0
    for i in range(point.size):
        total += point[i] * losses[i]
    return total


@njit(cache=True)
def log_into(point: Vector, dual: Vector) -> None:
    """The mirror map of negative entropy, up to a constant."""
    for i in range(point.size):
        dual[i] = math.log(point[i])


@njit(cache=True)
def tsallis_into(point: Vector, dual: Vector) -> None:
    """The mirror map of the 1/2-Tsallis entropy."""
    for i in range(point.size):
        dual[i] = -1.0 / math.sqrt(point[i])
