"""Claims about rates: exponents of n. A product adds them, a root halves, a sum takes the largest.

Each claim: x is of at least the order of y - z: 0 < lim x/(x + y - z), with z of smaller order.
The orders of x, y and, if there is one, z are given for T, D, A and 1/delta = n^T, n^D, n^A, n^c.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from .claims import CLAIMS, Case, case, claim
from .intervals import Unclear, is_less, least, ln, number, sqrt
from .witness_file import BadFile, fields, positive, whole

LOWER, UPPER = "lower-bound/rate", "global/rate"
Orders = Callable[[Fraction, Fraction, Fraction, Fraction], tuple[Any, ...]]


def budget_order(T: Fraction, D: Fraction, c: Fraction) -> Fraction:
    """R^(D) = sqrt(ln A/delta) (3 sqrt(T) + 7 sqrt(2 D ln(D + 1))), up to logarithms."""
    return (max(T, D) + c) / 2


def late_start_order(T: Fraction, D: Fraction, c: Fraction) -> Fraction:
    """(1 - 1/R^)^2 (1 - delta) min(T - 1, 2 R^ + xi^), with xi^ = (sqrt(8 D + 1) - 1)/delta."""
    if T != D or T == 0:
        raise BadFile("D = T is expected, which grows")
    return min(T, max(budget_order(T, D, c), D / 2 + c))


RATES: dict[str, tuple[str, Orders]] = {
    LOWER: (
        "sqrt(T/delta) against sqrt(D/delta)",
        lambda T, D, A, c: ((T + c) / 2, (D + c) / 2),
    ),
    f"{LOWER}/informal": (
        "T against sqrt(D/delta)",
        lambda T, D, A, c: (T, (D + c) / 2),
    ),
    # z: delta^(-3/4) (T^(1/4) + D^(1/4)).
    f"{LOWER}/combined": (
        "T against the combined bound",
        lambda T, D, A, c: (T, (max(T, D) + c) / 2, max(T, D) / 4 + 3 * c / 4),
    ),
    # The sums over phases hold (sqrt(16 D + 1) - 1)/delta beside R^(D).
    UPPER: (
        "sum over all stages",
        lambda T, D, A, c: (budget_order(T, D, c), max(budget_order(T, D, c), D / 2 + c)),
    ),
    f"{UPPER}/final-line": (
        "sum over a stage's phases",
        lambda T, D, A, c: (budget_order(T, D, c), max(budget_order(T, D, c), D / 2 + c)),
    ),
    # If round 1 is late by D = T, phase 1 pays of the order of the least of T and its threshold.
    f"{UPPER}/regret": (
        "regret if round 1 is late by T",
        lambda T, D, A, c: (budget_order(T, D, c), late_start_order(T, D, c)),
    ),
    f"{UPPER}/regret/arrived": (
        "regret if two rounds are late by T/2",
        lambda T, D, A, c: (budget_order(T, D, c), late_start_order(T, D, c)),
    ),
    f"{UPPER}/arms/arrived": (
        "delta = 1/A",
        lambda T, D, A, c: ((A + max(T, D)) / 2, late_start_order(T, D, c)),
    ),
    f"{UPPER}/arms": (
        "delta = 1/A",
        lambda T, D, A, c: ((A + max(T, D)) / 2, late_start_order(T, D, c)),
    ),
    f"{UPPER}/optimality": (
        "rate against the lower bound",
        lambda T, D, A, c: ((T + c) / 2, budget_order(T, D, c)),
    ),
    # Prudent-EXP3 pays sqrt(ln A (T/delta + 2 D)), up to logarithms.
    f"{UPPER}/optimality/every-learner": (
        "rate against Prudent-EXP3",
        lambda T, D, A, c: (max(T + c, D) / 2, budget_order(T, D, c)),
    ),
    f"{UPPER}/slack-remark": (
        "sqrt(D/delta) against xi^",
        lambda T, D, A, c: ((D + c) / 2, D / 2 + c),
    ),
    # log2 R^(D) is of order ln n if R^(D) grows, and constant powers of T, D and A hide nothing.
    f"{UPPER}/polylogarithms": (
        "number of phases",
        lambda T, D, A, c: (int(max(T, D, A) > 0), int(max(T, D, c) > 0)),
    ),
    # sqrt(log D) delta^(-3/4) D^(1/4) against delta^(-3/4) (T^(1/4) + D^(1/4)): D of order T.
    f"{LOWER}/lower-order": (
        "second term against the display's",
        lambda T, D, A, c: (int(D > T), int(D > 0)),
    ),
    # 1 + log2 R^ phases of more than 4 R^ each, against R^.
    "global/final-phases": (
        "phases with alpha < 1",
        lambda T, D, A, c: (0, int(max(T, D, c) > 0)),
    ),
    # Prudent-EXP3 pays sqrt(ln A (T/delta + 2 D)), up to logarithms.
    f"{UPPER}/arms/price-of-safety": (
        "delta = 1/A against Prudent-EXP3",
        lambda T, D, A, c: (max(T + c, D) / 2, (A + max(T, D)) / 2),
    ),
    # The slopes 1 + ln y and -1/sqrt(y) at y = delta, against a constant.
    "regularity/negative-entropy/open-domain": (
        "slope at y = delta",
        lambda T, D, A, c: (0, int(c > 0)),
    ),
    "regularity/tsallis/open-domain": ("slope at y = delta", lambda T, D, A, c: (0, c / 2)),
}

LOGARITHMIC = (
    f"{UPPER}/polylogarithms",
    f"{LOWER}/lower-order",
    "global/final-phases",
    "regularity/negative-entropy/open-domain",
)
"""Rates that differ by logarithms: the order 1 stands for a power of ln n."""


def rate(witness: Any) -> Iterator[Case]:
    """The limit of x/(x + y - z), 0 or positive, at the exponents that the witness states.

    Either those of T, D, A and 1/delta, or of q and N in the corollary's T = (N + 1) q and
    D = N q^2 + q (q + 1)/2.
    """
    of_delays = witness["claim"].startswith(LOWER) or "/optimality" in witness["claim"]
    names = ("q", "N", "margin") if of_delays else ("T", "D", "A", "margin")
    given = fields(witness.get("parameters"), set(names))
    exponents = [positive(given[name], or_zero=True) for name in names]
    if of_delays:
        a, b, c = exponents
        exponents = [a + b, 2 * a + b, Fraction(0), c]
    if exponents[3] < exponents[2]:
        raise BadFile("delta <= 1/A is expected")
    name, orders = RATES[witness["claim"]]
    x, y, *z = orders(*exponents)
    if z and z[0] >= y:
        raise Unclear("the terms to be neglected are not of smaller order")
    yield case({"limit": name}, 0, "<", 0 if x < y else 1)  # 1 stands for "positive"


CLAIMS.update(dict.fromkeys(RATES, rate))


@claim("global/safety-order/hidden", name="1 + log D", power=1)
@claim("global/rate/lost-logarithm", name="R^(D)", power=Fraction(1, 2))
def beyond_powers(witness: Any, *, name: str, power: Fraction) -> Iterator[Case]:
    """T = n^a and D = exp(n^b): ln D, or its root, against a polylogarithm in T and A = 2."""
    given = fields(witness.get("parameters"), {"T", "log_delay"})
    positive(given["T"], or_zero=True)
    lost = power * positive(given["log_delay"], or_zero=True)
    yield case({"limit": name}, 0, "<", 0 if lost > 0 else 1)


@claim("global/rate/optimality/explicit")
def explicit(witness: Any) -> Iterator[Case]:
    """(3/256) (sqrt(T/delta) + sqrt(D/delta))/(ln T)^2 against 32 K sqrt(ln 2 (T/delta + 2 D)).

    Two arms, q = 10^m, delta = 10^-m, T = 10^(2 m + 6). As N_0 = T and D < q T, there are at most
    three stages; K = 1 + ceil(log2 of 12 sqrt(8 T ln 2/delta)) is that of the third.
    """
    m = whole(fields(witness.get("parameters"), {"m"})["m"])
    if not 1 <= m <= 100:
        raise BadFile("m from 1 to 100 is expected")
    q, T = 10**m, 10 ** (2 * m + 6)
    D = T * q - q * q + q * (q + 1) // 2
    size, K = 12 * sqrt(8 * T * q * ln(number(2))), 1
    while is_less(2 ** (K - 1), size):
        K += 1
    rate = sqrt(number(T * q)) + sqrt(number(D * q))
    claimed = 3 * rate / (256 * ln(number(T)) * ln(number(T)))
    paid = 32 * K * sqrt(ln(number(2)) * (T * q + 2 * D))
    yield case({"m": m}, claimed, "<=", least([paid, number(T)]))


@claim("extinction-phase/base-regret/account")
def cascade(witness: Any) -> Iterator[Case]:
    """Two equal arms, one always loses: given the exit, T rounds cost T in the limit R^ -> 1."""
    T = whole(fields(witness.get("parameters"), {"rounds"})["rounds"])
    if not 1 <= T <= 10**6:
        raise BadFile("from 1 to 10^6 rounds are expected")
    inverse = sum((1 / sqrt(number(t)) for t in range(1, T + 1)), number(0))
    paid = sqrt(2 * ln(number(2))) * (sqrt(number(T)) + inverse)
    yield case({"limit": "R^ -> 1, given the exit"}, T, "<=", paid)
