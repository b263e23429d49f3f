"""Projections and mirror maps in compiled code, writing into given arrays."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from numba import njit

Vector = npt.NDArray[np.float64]

MANY = 16
"""Numbers of arms from which on `exp_into` is faster than calls of `math.exp`."""

LOG2_E = 1 / math.log(2)
LN2_HIGH, LN2_LOW = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")
"""ln 2 in two parts; n times the first one is exact for |n| < 2^20."""
TO_WHOLE = 1.5 * 2.0**52
"""Added and subtracted it rounds a double to a whole number."""
TAYLOR = tuple(1 / math.factorial(k) for k in range(13, -1, -1))
LEAST_EXPONENT = -708.0


@njit(cache=True, forceinline=True)
def entropy_point(dual: Vector, point: Vector) -> None:
    """Negative entropy: point_i proportional to exp(dual_i)."""
    if dual.size < MANY:
        softmax(dual, point)
    else:
        wide_softmax(dual, point)


@njit(cache=True, forceinline=True)
def softmax(dual: Vector, point: Vector) -> None:
    """point_i proportional to exp(dual_i), one `math.exp` after the other."""
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
def wide_softmax(dual: Vector, point: Vector) -> None:
    """The same for many arms, several of them at a time."""
    top = dual[0]
    for i in range(1, dual.size):
        top = max(top, dual[i])
    exp_into(dual, top, point)
    total = 0.0
    for i in range(dual.size):
        total += point[i]
    for i in range(dual.size):
        point[i] /= total


@njit(cache=True)
def exp_into(dual: Vector, top: float, point: Vector) -> None:
    """point_i = exp(dual_i - top) up to 2^-52 of it, for dual_i <= top, but at least exp(-708).

    exp(x) = 2^n exp(r) with n = x/ln 2 rounded and |r| <= ln(2)/2, where Taylor's polynomial is
    exact up to 2^-57; n is added to the exponent of the double. A compiler does several i at once.
    """
    bits = point.view(np.int64)
    for i in range(dual.size):
        x = max(dual[i] - top, LEAST_EXPONENT)
        n = (x * LOG2_E + TO_WHOLE) - TO_WHOLE
        r = (x - n * LN2_HIGH) - n * LN2_LOW
        value = 0.0
        for coefficient in TAYLOR:
            value = value * r + coefficient
        point[i] = value
        bits[i] += np.int64(n) << 52


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
