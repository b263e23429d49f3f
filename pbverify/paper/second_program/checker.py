#!/usr/bin/env python3
"""Check witnesses of refutation again, without trusting the program that found them.

    python3 check_witnesses.py                 every file in witnesses/ beside this script
    python3 check_witnesses.py FILE...         these files

A witness names a claim `lhs <= rhs` (or `<`, `=`) of the paper and a case in which it fails, or a
claim without one of its assumptions (`ID!without ASSUMPTION`). This script computes both sides of
that case and says

    CONFIRMED      the claim fails there, and by the numbers that the file states;
    REPLICATED     the claim is about an expectation: this script's own runs, with its own random
                   numbers, reject it at level 1e-9, and their mean is within the stated range;
    NOT CONFIRMED  neither, or the numbers are others, or they cannot be told apart;
    UNKNOWN CLAIM  the claim, or this reading of the algorithm, is not computed by this script.

Exit code: 0 all confirmed or replicated, 1 some not confirmed, 2 a file cannot be read, 3 some
claim unknown.

It is one file so that it can travel with a report. It uses Python's standard library alone and no
line of the program whose work it checks. Formulas are not taken from the witness, which could then
state what it likes: each is written out here, as the paper has it.

How to read it. Rounds count from 1 and arms from 0; feedback of round r arrives at the end of round
r + d_r, so it is missing in the rounds r+1, ..., r+d_r. Sections:

    1 numbers   2 what a claim is   3 steps of proofs   4 delays and buckets   5 rates
    6 the algorithm   7 budgets and runs   8 expectations   9 judging   10 reading files

For one witness, read 1, 2 and 9 (a few minutes) and the function with its claim's name, which is
10 to 30 lines; if it is about a run, also `play` in 6. The other claims do not concern you.

To add a claim, write a function under `@claim(id)` that yields its cases; for an inequality in a
few numbers, a `step` in section 3; for a rate, a line of RATES; for an expectation, a function
under `@expectation(id)`.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

DIGITS = (34, 150, 800)  # of intervals; more are tried whenever two numbers overlap
TINY = Fraction(1, 10**9)  # what decimals may miss in a sum of 1
LARGEST_FILE, MOST_ENTRIES = 16_000_000, 400_000  # bytes, and numbers in a list


class BadFile(Exception):  # noqa: N818
    """A file that is no witness; the message is one line."""


class Unclear(Exception):  # noqa: N818
    """Two intervals overlap, so that nothing follows."""


class Unknown(Exception):  # noqa: N818
    """Something that this script does not compute."""


# ---- 1. Numbers: intervals [low, high] of decimals, rounded outwards; floats in section 8. ---

DOWN = Context(rounding=ROUND_FLOOR, Emax=10**9, Emin=-(10**9))
UP = Context(rounding=ROUND_CEILING, Emax=10**9, Emin=-(10**9))


@dataclass(frozen=True)
class Number:
    low: Decimal
    high: Decimal

    def __add__(self, other: Any) -> Number:
        b = number(other)
        return Number(DOWN.add(self.low, b.low), UP.add(self.high, b.high))

    def __neg__(self) -> Number:
        return Number(self.high.copy_negate(), self.low.copy_negate())

    def __mul__(self, other: Any) -> Number:
        b = number(other)
        if self.low >= 0 <= b.low:
            return Number(DOWN.multiply(self.low, b.low), UP.multiply(self.high, b.high))
        ends = [(x, y) for x in (self.low, self.high) for y in (b.low, b.high)]
        return Number(min(DOWN.multiply(*e) for e in ends), max(UP.multiply(*e) for e in ends))

    def __truediv__(self, other: Any) -> Number:
        b = number(other)
        if b.low <= 0 <= b.high:
            raise Unclear("a divisor may be 0")
        if self.low >= 0 < b.low:
            return Number(DOWN.divide(self.low, b.high), UP.divide(self.high, b.low))
        ends = [(x, y) for x in (self.low, self.high) for y in (b.low, b.high)]
        return Number(min(DOWN.divide(*e) for e in ends), max(UP.divide(*e) for e in ends))

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other: Any) -> Number:
        return self + -number(other)

    def __rsub__(self, other: Any) -> Number:
        return number(other) + -self

    def __rtruediv__(self, other: Any) -> Number:
        return number(other) / self

    def __str__(self) -> str:
        is_exact = self.low == self.high
        return (
            f"{self.low.normalize() + 0:f}" if is_exact else f"[{self.low:.25g}, {self.high:.25g}]"
        )


def number(value: int | Fraction | Number) -> Number:
    if isinstance(value, Number):
        return value
    top, bottom = Decimal(value.numerator), Decimal(value.denominator)
    return Number(DOWN.divide(top, bottom), UP.divide(top, bottom))


def widened(low: Decimal, high: Decimal) -> Number:
    """sqrt, exp and ln of `decimal` round to nearest whatever the context says: one step more."""
    return Number(DOWN.next_minus(low), UP.next_plus(high))


def sqrt(x: Any) -> Any:
    if isinstance(x, float):
        return math.sqrt(x)
    return widened(DOWN.sqrt(max(x.low, Decimal(0))), UP.sqrt(x.high))


def exp(x: Any) -> Any:
    if isinstance(x, float):
        return math.exp(min(x, 700.0))
    return widened(DOWN.exp(x.low), UP.exp(x.high))


def ln(x: Any) -> Any:
    if isinstance(x, float):
        return math.log(x)
    if x.low <= 0:
        raise Unclear("a logarithm of something that may be 0")
    return widened(DOWN.ln(x.low), UP.ln(x.high))


def least(values: list[Any]) -> Any:
    if isinstance(values[0], float):
        return min(values)
    return Number(min(x.low for x in values), min(x.high for x in values))


def most(values: list[Any]) -> Any:
    return -least([-x for x in values])


def is_nothing(x: Any) -> bool:
    """Whether what is left of a credit or a debt, never negative, is 0 for certain."""
    return bool(x == 0 if isinstance(x, float) else x.high <= 0)


def is_less(a: Any, b: Any) -> bool:
    """Whether a < b for certain; overlapping intervals are an error, not a guess."""
    if isinstance(a, float):
        return bool(a < b)
    a, b = number(a), number(b)
    if a.low < b.high and b.low <= a.high:
        raise Unclear("two numbers are too close to be told apart")
    return bool(a.high < b.low)


# ---- 2. A claim, computed as its cases. ------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One instance of a claim: `lhs relation rhs`, and where it arises."""

    where: dict[str, Any]
    lhs: Number
    relation: str
    rhs: Number

    @property
    def fails(self) -> bool:
        a, b = self.lhs, self.rhs
        if self.relation == "=":
            return a.high < b.low or b.high < a.low
        return b.high < a.low or (self.relation == "<" and b.high <= a.low)

    @property
    def is_open(self) -> bool:
        """Whether the intervals of the two sides overlap in more than one exact number."""
        overlap = self.lhs.low <= self.rhs.high and self.rhs.low <= self.lhs.high
        return overlap and (self.lhs != self.rhs or self.lhs.low != self.lhs.high)

    @property
    def margin(self) -> Number:
        is_below = self.relation == "=" and self.lhs.high < self.rhs.low
        return self.rhs - self.lhs if is_below else self.lhs - self.rhs


def case(where: dict[str, Any], lhs: Any, relation: str, rhs: Any) -> Case:
    return Case(where, number(lhs), relation, number(rhs))


CLAIMS: dict[str, Callable[[Any], Iterator[Case]]] = {}
EXPECTATIONS: dict[str, tuple[Callable[[Game, int], Experiment], dict[str, Any] | None]] = {}
Real = Callable[[Any], Any]  # makes the numbers of a computation: `number` or `float`


def claim(id: str, **options: Any) -> Callable[[Callable[..., Iterator[Case]]], Any]:
    """The function below computes the claim `id`, with these options."""

    def register(compute: Callable[..., Iterator[Case]]) -> Callable[..., Iterator[Case]]:
        CLAIMS[id] = lambda witness: compute(witness, **options)
        return compute

    return register


MARGIN, HIGH, LOW = "entries of x^c >= delta", "losses <= 1", "losses >= 0"
DROPPED = {MARGIN, f"{MARGIN} (step from the base iterate)", HIGH, LOW, "alpha <= 1/2"}
DROPPED |= {"T is known", "non-increasing delays", "alpha < 1"}


def dropped(witness: Any) -> str:
    """The assumption without which the claim is stated, if any."""
    return text(witness.get("claim", "")).partition("!without ")[2]


def are_admitted(losses: list[Fraction], witness: Any) -> bool:
    """Whether they lie in [0, 1], up to a bound that the claim is stated without."""
    without = dropped(witness)
    return all((x >= 0 or without == LOW) and (x <= 1 or without == HIGH) for x in losses)


# ---- 3. Steps of proofs: lhs <= rhs in a few numbers, where the domain says. ----------------


def step(id: str, bound: str, domain: Callable[..., bool], sides: Callable[..., Any]) -> None:
    """`sides` takes the witness's parameters by their names, and gives (lhs, rhs)."""
    names = sides.__code__.co_varnames[: sides.__code__.co_argcount]

    @claim(id)
    def compute(witness: Any) -> Iterator[Case]:
        given = fields(witness.get("parameters"), set(names))
        values = [rational(given[name]) for name in names]
        if domain(*values):
            lhs, rhs = sides(*map(number, values))
            yield case({"bound": bound}, lhs, "<=", rhs)


QUARTER = Fraction(1, 4)

step(
    "banker-regret/substitution",
    "log",
    lambda D: D >= 1,
    lambda D: (ln(sqrt(2 * D + QUARTER) + Fraction(1, 2)), ln(2 * D + QUARTER) / 2),
)
step(
    "banker-regret/inverse-scales",
    "cost",
    lambda D: D >= 1,
    lambda D: (2 * sqrt(D * ln(D + 1)), sqrt(2 * D * ln(D + 1))),
)
# C1 (ln(2 D + 1/4)/2 + 2)/ln(D + 1) + sqrt 2 C2 <= 3 C1 + 2 C2, times ln(D + 1).
step(
    "banker-regret/untuned",
    "sum",
    lambda C1, C2, D: C1 > 0 and C2 > 0 and D >= 1 and D.denominator == 1,
    lambda C1, C2, D: (
        C1 * (ln(2 * D + QUARTER) / 2 + 2) + sqrt(number(2)) * C2 * ln(D + 1),
        (3 * C1 + 2 * C2) * ln(D + 1),
    ),
)
step(
    "normal-phase/lost-parentheses",
    "cited",
    lambda D: D >= 1,
    lambda D: (2 * sqrt(2 * D + QUARTER) - 1, 2 * sqrt(D) + QUARTER - 1),
)
# 0 <= 3/256 sqrt(D/delta) - sqrt(Lambda)/(32 sqrt 2) delta^(-3/4) D^(1/4) - Lambda, where
# delta = 1/(64 D) and Lambda = ln D: the terms are 3/32 D, sqrt(ln D)/2 D and ln D.
step(
    "lower-bound/rate/margin",
    "0 <= bound",
    lambda D: D >= 2,
    lambda D: (D * sqrt(ln(D)) / 2 + ln(D) - Fraction(3, 32) * D, 0),
)
step(
    "normal-phase/safety-step",  # P = 2^(k-1)
    "base term",
    lambda P, x: P >= 1 and x >= 1,  # R = P + x
    lambda P, x: (P / (P + x) * (P + x + 1), P),
)
step(
    "global/stage-budget",
    "first stage",
    lambda D, T: D >= 0 and T >= 1 and T.denominator == 1,
    lambda D, T: (printed_budget(number(1), T), 2 * printed_budget(D, T)),
)
step(
    "global/budgets/agree",  # u = sqrt(T), w = sqrt(D ln(D + 1))
    "appendix covers main text",
    lambda u, w: u >= 1 and w >= 0,
    lambda u, w: (10 * (u + w), 3 * u + 7 * sqrt(number(2)) * w),
)
step(
    "global/safety-order",
    "order",
    lambda D, y: D >= 1 and D.denominator == 1 and y >= 1,
    lambda D, y: (ln(D) / ln(number(2)) + 1, y * ln(D) / ln(number(2))),
)


def printed_budget(D: Any, T: Any) -> Any:
    """3 sqrt(T) + 7 sqrt(2 D ln(D + 1)), the budget R^(D) of the appendix without sqrt(C1 C2)."""
    return 3 * sqrt(T) + 7 * sqrt(2 * D * ln(D + 1))


@claim("experiment/blocks")
def whichof_blocks(witness: Any) -> Iterator[Case]:
    """b(t) = 1 + min(floor((t - 1)/(floor(T/B) + 1)), B - 1) takes B values."""
    given = fields(witness.get("parameters"), {"T", "B"})
    T, B = whole(given["T"]), whole(given["B"])
    if not 1 <= B <= T:
        raise BadFile("1 <= B <= T is expected")
    yield case({}, 1 + min((T - 1) // (T // B + 1), B - 1), "=", B)


@claim("regularity/negative-entropy", psi="negative-entropy", C2=1, each="mean")
@claim("regularity/tsallis", psi="tsallis", C2=2, each="mean")
@claim("regularity/negative-entropy/second-order", psi="negative-entropy", C2=1, each="local")
@claim("regularity/tsallis/second-order", psi="tsallis", C2=2, each="local")
@claim("regularity/negative-entropy/per-path", psi="negative-entropy", C2=1)
@claim("regularity/tsallis/per-path", psi="tsallis", C2=2)
def cost_of_a_step(witness: Any, *, psi: str, C2: int, each: str = "path") -> Iterator[Case]:
    """sigma D(p, z) <= C2/(delta sigma), for each arm a of x = alpha base + (1 - alpha) c.

    Or that in the mean over x, or (l_a/x_a)^2 C2 p_a^k/(2 sigma) on the right, with k = 1 for
    negative entropy and 3/2 for Tsallis.

    The step moves by u = l_a/(x_a sigma) in coordinate a. Negative entropy: z_a = p_a exp(-u), so
    D = p_a (u + exp(-u) - 1). 1/2-Tsallis: 1/sqrt(z_a) = 1/sqrt(p_a) + u, so
    D = (sqrt(p_a) - sqrt(z_a))^2/sqrt(z_a). Here p is x, or base if the witness says so.
    """
    names = {"psi", "base", "comparator", "losses", "alpha", "sigma", "from_base"}
    given = fields(witness.get("parameters"), names)
    base, safe, losses = (rationals(given[name]) for name in ("base", "comparator", "losses"))
    alpha, sigma = rational(given["alpha"]), rational(given["sigma"])
    fits = len(base) == len(safe) == len(losses) and sum(base) == sum(safe) == 1 and sigma > 0
    if (
        not fits
        or not 0 < alpha <= 1
        or min(*base, *safe) <= 0
        or not are_admitted(losses, witness)
    ):
        raise BadFile(
            "two distributions, losses in [0, 1], alpha in (0, 1] and sigma > 0 are expected"
        )
    if given["psi"] != psi or type(given["from_base"]) is not bool:
        raise BadFile("the regularizer is not that of the claim")
    mean, claimed = number(0), not dropped(witness).startswith(MARGIN)
    delta = min(safe) if claimed else Fraction(1, len(safe))
    for arm, (b, c) in enumerate(zip(base, safe, strict=True)):
        x = alpha * b + (1 - alpha) * c
        p, u = number(b if given["from_base"] else x), number(losses[arm] / (x * sigma))
        root = 1 / (1 / sqrt(p) + u)  # of z_a, for Tsallis
        entropic, tsallis = p * (u + exp(-u) - 1), (sqrt(p) - root) * (sqrt(p) - root) / root
        distance = tsallis if psi == "tsallis" else entropic
        mean = mean + x * sigma * distance
        local = u * u * sigma * C2 * p * (sqrt(p) if psi == "tsallis" else 1) / 2
        if each != "mean":
            bound = local if each == "local" else C2 / (delta * sigma)
            yield case({"arm": arm}, sigma * distance, "<=", bound)
    if each == "mean":
        yield case({}, mean, "<=", C2 / (delta * sigma))


# ---- 4. Delays d_1..d_T and their greedy buckets. -------------------------------------------


@claim("banker-regret/inverse-scale-sum")
def inverse_scale_sum(witness: Any) -> Iterator[Case]:
    """sum of 1/sqrt(age) + missing sqrt(ln(M + 1)/M) <= 2 sqrt(N) + sqrt(2 D ln(D + 1)).

    Over a phase of N rounds whose delays add up to D; M is the number missing, summed so far.
    """
    given = fields(witness.get("parameters"), {"delays", "start", "end"})
    start, end, delays = whole(given["start"]), whole(given["end"]), wholes(given["delays"])
    if not 1 <= start <= end <= len(delays):
        raise BadFile("start and end are not rounds of the delay sequence")
    d, N = delays[start - 1 : end], end - start + 1
    cost, mass = number(0), 0
    for t in range(N):
        missing = sum(1 for u in range(t) if u + d[u] >= t)
        mass += missing
        late = missing * sqrt(ln(number(mass + 1)) / mass) if missing else 0
        cost = cost + 1 / sqrt(number(t + 1)) + late
    yield case(
        {"N": N}, cost, "<=", 2 * sqrt(number(N)) + sqrt(2 * sum(d) * ln(number(sum(d) + 1)))
    )


def buckets_of(delays: list[int]) -> list[tuple[int, int]]:
    """(first, end) of each bucket, which holds first..end-1; none unless 1 <= d_t <= T + 1 - t.

    The end is the number b with t + d_t >= b on first..b-1, with equality for some t.
    """
    T, spans, first = len(delays), [], 1
    if any(not 1 <= d <= T + 1 - t for t, d in enumerate(delays, start=1)):
        return []
    while first <= T:
        reach = T + 1
        for end in range(first + 1, T + 2):
            reach = min(reach, end - 1 + delays[end - 2])
            if reach == end:
                break
        spans.append((first, end))
        first = end
    return spans


def squares(lengths: list[int]) -> int:
    return sum(n * n for n in lengths)


# (bucket, lhs, rhs) of claims about the lengths L of the buckets and the sums M of their delays.
BUCKETS: dict[str, tuple[str, Callable[[int, list[int], list[int]], tuple[int, int]]]] = {
    "greedy-buckets/lengths": ("m", lambda m, L, M: (L[m], L[m - 1])),
    "greedy-buckets/delay-mass": ("m", lambda m, L, M: (M[m], L[m - 1] ** 2)),
    "delayed-lower-bound/hidden-delay": ("j", lambda j, L, M: (sum(M[j:]), squares(L[j - 1 :]))),
    "lower-bound/rate/at-most-horizon": (
        "j",
        lambda j, L, M: (squares(L[j - 1 :]), L[j - 1] * sum(L[j - 1 :])),
    ),
}


def on_buckets(witness: Any, *, of: str) -> Iterator[Case]:
    d = wholes(fields(witness.get("parameters"), {"delays"})["delays"])
    spans, (name, sides) = buckets_of(d), BUCKETS[of]
    if dropped(witness) == "non-increasing delays" or all(a >= b for a, b in pairwise(d)):
        L, M = [b - a for a, b in spans], [sum(d[a - 1 : b - 1]) for a, b in spans]
        for which in range(1, len(L) + (name == "j")):
            lhs, rhs = sides(which, L, M)
            yield case({name: which}, lhs, "<=", rhs)


for each in BUCKETS:
    claim(each, of=each)(on_buckets)


@claim("corollary/linear-total-delay/delayed")
def something_is_missing(witness: Any) -> Iterator[Case]:
    """d_t = 1 in two rounds or more, feedback before round u + d_u: some is missing in some."""
    d = wholes(fields(witness.get("parameters"), {"delays"})["delays"])
    if len(d) > 1 and set(d) == {1}:
        rounds = range(1, len(d) + 1)
        most = max(sum(1 for u in range(1, t) if t < u + d[u - 1]) for t in rounds)
        yield case({"outstanding": "most"}, 1, "<=", most)


@claim("delay-to-batch/printed-arrival")
def printed_simulator(witness: Any) -> Iterator[Case]:
    """From bucket j on, the simulator plays what the learner plays in the delayed game.

    There, feedback of round u is delivered right before the action of round u + d_u. The printed
    simulator does so before bucket j, and one round later from then on. Losses before it are 0.
    """
    names = {"delays", "j", "convention", "losses", "learner", "seed"}
    given = fields(witness.get("parameters"), names)
    if given["learner"] != "committer":
        raise Unknown("of the learners only the committer is computed by this script")
    d, j = wholes(given["delays"]), whole(given["j"])
    losses, spans = [rationals(g) for g in entries(given["losses"])], buckets_of(d)
    if given["convention"] != "before" or not 1 <= j <= len(spans):
        return
    first, T = spans[j - 1][0], len(d)
    if len(losses) != T + 1 - first or {len(g) for g in losses} != {2}:
        raise BadFile("two losses for each round from bucket j on are expected")
    of_arm_1 = [Fraction(0)] * (first - 1) + [g[1] for g in losses]
    announced = committed(of_arm_1, [u + d[u - 1] for u in range(1, T + 1)])
    printed = committed(of_arm_1, [u + d[u - 1] + (u >= first) for u in range(1, T + 1)])
    for t in range(first, T + 1):
        where = {"action": "batched = delayed", "t": t}
        yield case(where, printed[t - 1], "=", announced[t - 1])


def committed(losses: list[Fraction], known: list[int]) -> list[int]:
    """A learner: arm 1 in round 1, then whenever the losses seen on it average below 1/2."""
    actions: list[int] = []
    for t in range(1, len(losses) + 1):
        seen = [losses[u - 1] for u in range(1, t) if known[u - 1] <= t and actions[u - 1] == 1]
        actions.append(int(t == 1 or sum(Fraction(1, 2) - loss for loss in seen) > 0))
    return actions


# ---- 5. Rates: exponents of n. A product adds them, a root halves, a sum takes the largest. --
# Each claim: x is of at least the order of y - z: 0 < lim x/(x + y - z), with z of smaller order.
# The orders of x, y and, if there is one, z are given for T, D, A and 1/delta = n^T, n^D, n^A, n^c.

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
    f"{UPPER}/arms": (
        "delta = 1/A",
        lambda T, D, A, c: ((A + max(T, D)) / 2, late_start_order(T, D, c)),
    ),
    f"{UPPER}/optimality": (
        "rate against the lower bound",
        lambda T, D, A, c: ((T + c) / 2, budget_order(T, D, c)),
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
}


def rate(witness: Any) -> Iterator[Case]:
    """The limit of x/(x + y - z), 0 or positive, at the exponents that the witness states.

    Either those of T, D, A and 1/delta, or of q and N in the corollary's T = (N + 1) q and
    D = N q^2 + q (q + 1)/2.
    """
    of_delays = witness["claim"].startswith(LOWER) or witness["claim"].endswith("optimality")
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


@claim("extinction-phase/base-regret/account")
def cascade(witness: Any) -> Iterator[Case]:
    """Two even arms, one of which always loses: given the exit T rounds cost T as R^ falls to 1."""
    T = whole(fields(witness.get("parameters"), {"rounds"})["rounds"])
    if not 1 <= T <= 10**6:
        raise BadFile("from 1 to 10^6 rounds are expected")
    inverse = sum((1 / sqrt(number(t)) for t in range(1, T + 1)), number(0))
    paid = sqrt(2 * ln(number(2))) * (sqrt(number(T)) + inverse)
    yield case({"limit": "R^ -> 1, given the exit"}, T, "<=", paid)


# ---- 6. Prudent-Banker under the reading that a witness names. ------------------------------

READING: dict[str, tuple[str, ...]] = {
    "update": ("played", "base"),
    "delay_sum": ("clairvoyant", "arrived", "elapsed"),
    "delay_scope": ("phase", "stage"),
    "estimate": ("power-of-two", "twice", "double"),
    "gap": ("best-response", "learner"),
    "budget": (),  # "appendix", "main", or a number
    "slack": (),  # "paper", "tight", or a number
    "rounding": ("none", "power-of-two"),
    "restart_round": ("mixture", "comparator"),
    "regularizer": ("negative-entropy",),
}


@dataclass
class Round:
    """What happened in one round; `sigma` is None in the round of a hard restart."""

    t: int
    stage: int
    phase: int
    estimate: int
    alpha: Any
    law: list[Any]
    base: list[Any]
    action: int
    loss_estimate: Any  # l_{t,a}/x_{t,a} of the arm a that was played
    sigma: Any
    borrowed: Any
    credit: Any = None  # what is left of sigma
    dual: list[Any] = field(default_factory=list)  # where the mirror step starts, then ends
    ends_softly: bool = False


@dataclass
class Phase:
    """Counts over the rounds since `first`, and what the phase has learnt."""

    first: int
    sums: list[Any]  # of loss estimates, per arm
    gap: Any
    ready: dict[int, Round] = field(default_factory=dict)  # arrived rounds with credit left
    missing: int = 0  # rounds without feedback
    mass: int = 0  # their number, summed over time
    told: int = 0  # delays, whether arrived or not
    arrived: int = 0  # delays of what has arrived


class Setting:
    """Horizon, arms, margin and reading: what fixes budgets and thresholds."""

    def __init__(self, reading: Any, T: int, A: int, delta: Fraction) -> None:
        self.reading, self.T, self.A, self.delta = fields(reading, set(READING)), T, A, delta
        self.told = T  # the horizon by which budgets are set
        known = all(self.reading[key] in values for key, values in READING.items() if values)
        if not known or (self.reading["slack"], self.reading["delay_sum"]) == ("tight", "arrived"):
            raise Unknown("this reading of the algorithm is not computed by this script")
        if T < 1 or A < 2 or not 0 < delta <= Fraction(1, A) + TINY:
            raise BadFile("T >= 1, A >= 2 and 0 < delta <= 1/A are expected")

    def bound(self, D: int, N: int, real: Real) -> Any:
        """sqrt(C1 C2) (3 sqrt(N) + 7 sqrt(2 D ln(D + 1))) with C1 = ln A and C2 = 1/delta."""
        return sqrt(ln(real(self.A)) / real(self.delta)) * printed_budget(real(D), real(N))

    def budget(self, D: int, real: Real) -> Any:
        """R^(D): the bound above for T rounds, or another that the reading names."""
        choice, value = self.reading["budget"], self.bound(D, self.told, real)
        if choice == "main":
            scale = 10 * sqrt(ln(real(self.A)) / real(self.delta))
            value = scale * (sqrt(real(self.told)) + sqrt(D * ln(real(D + 1))))
        elif choice != "appendix":
            value = real(positive(choice))
        if self.reading["rounding"] == "none":
            return value
        power = 1
        while is_less(real(power), value):
            power *= 2
        return real(power)

    def slack(self, D: int, real: Real) -> Any:
        """xi^(D)."""
        root, choice = sqrt(real(8 * D + 1)), self.reading["slack"]
        if choice == "paper":
            return (root - 1) / real(self.delta)
        if choice == "tight":
            return (root - 1 if self.reading["delay_sum"] == "clairvoyant" else root + 1) / 2
        return real(positive(choice, or_zero=True))

    def aggression(self, D: int, k: int, real: Real) -> tuple[Any, bool, Any]:
        """alpha = min(2^(k-1)/R^(D), 1) in phase k, whether it is 1, and the gap's threshold."""
        R = self.budget(D, real)
        is_full = not is_less(real(2 ** (k - 1)), R)
        return real(1) if is_full else 2 ** (k - 1) / R, is_full, 2 * R + self.slack(D, real)


class Game(Setting):
    """A setting with losses, delays, comparator and actions."""

    def __init__(self, witness: Any) -> None:
        head = {"delta", "seed", "format", "version", "paper_sha256"}
        given = fields(witness.get("instance"), {"losses", "delays", "comparator", "actions"}, head)
        if isinstance(given["losses"], list) and len(given["losses"]) > MOST_ENTRIES:
            raise Unknown(
                f"runs of more than {MOST_ENTRIES} rounds are not computed by this script"
            )
        self.losses = [rationals(row) for row in entries(given["losses"])]
        self.delays, weights = wholes(given["delays"]), rationals(given["comparator"])
        self.actions = [] if given["actions"] is None else wholes(given["actions"])
        T, A = len(self.losses), len(weights)
        if {len(row) for row in self.losses} != {A} or len(self.delays) != T:
            raise BadFile("the instance has sizes that do not fit")
        if A > 50 or A * T > MOST_ENTRIES or type(given.get("seed")) not in (int, type(None)):
            raise BadFile("the instance is too large, or its seed is no whole number")
        if not all(are_admitted(row, witness) for row in self.losses):
            raise BadFile("the instance has a loss outside [0, 1]")
        if self.actions and (len(self.actions) != T or max(self.actions) >= A):
            raise BadFile("the instance has an action that is no arm, or not one per round")
        if abs(sum(weights, start=Fraction(-1))) > TINY or min(weights) <= 0:
            raise BadFile("the comparator is not positive, or does not sum to 1")
        self.comparator = [x / sum(weights) for x in weights]
        margin = given.get("delta")
        delta = min(self.comparator) if margin is None else rational(margin)
        if delta > TINY + min(weights) and dropped(witness) != MARGIN:
            raise BadFile("delta is above the least entry of the comparator")
        super().__init__(witness.get("reading"), T, A, delta)

    def delay(self, start: int, end: int) -> int:
        return sum(self.delays[start - 1 : end])


def play(
    game: Game, real: Real = number, rng: Random | None = None, exits: list[int] | None = None
) -> list[Round]:
    """All rounds, in the numbers that `real` makes, with the given actions or drawn ones.

    If `exits` are given, phases with alpha < 1 end softly there and nowhere else.
    """
    reading, d, rows = game.reading, game.delays, list[Round]()
    if not game.actions and rng is None:
        raise BadFile("the instance has no actions")
    safe, uniform = [real(c) for c in game.comparator], [real(Fraction(1, game.A))] * game.A
    step_ratio = sqrt(1 / (real(game.delta) * ln(real(game.A))))  # sqrt(C2/C1)
    arrivals: dict[int, list[int]] = {}
    for u in range(1, game.T + 1):
        arrivals.setdefault(u + d[u - 1], []).append(u)
    stage = phase = estimate = 1
    alpha, is_full, threshold = game.aggression(estimate, phase, real)
    state = scope = Phase(1, [real(0)] * game.A, real(0))
    for t in range(1, game.T + 1):
        # Stage test.
        counters = [state] if scope is state else [state, scope]
        for c in counters:
            c.mass += c.missing
            c.told += d[t - 1]
        sums = {"clairvoyant": scope.told, "arrived": scope.arrived, "elapsed": scope.mass}
        delay_sum = sums[reading["delay_sum"]]
        is_hard = delay_sum > estimate
        if is_hard:
            power = 1 << (delay_sum - 1).bit_length()
            choices = {"power-of-two": power, "twice": 2 * delay_sum, "double": 2 * estimate}
            stage, phase, estimate = stage + 1, 1, choices[reading["estimate"]]
            alpha, is_full, threshold = game.aggression(estimate, phase, real)
            sigma, borrowed, dual, base = None, real(0), list[Any](), uniform
        else:
            late = real(0)
            if state.missing:
                late = state.missing * sqrt(ln(real(state.mass + 1)) / state.mass)
            sigma = step_ratio / (1 / sqrt(real(t - state.first + 1)) + late)
            borrowed, dual = paid(sigma, state.ready, [real(0)] * game.A)
            base = softmax(dual)
        # The played mixture and the action.
        law = base
        if not is_full:
            law = [alpha * x + (1 - alpha) * c for x, c in zip(base, safe, strict=True)]
        if is_hard and reading["restart_round"] == "comparator":
            law = safe
        action = drawn(law, rng) if rng else game.actions[t - 1]
        loss = real(game.losses[t - 1][action]) / law[action]
        steps_from = dual if reading["update"] == "base" or is_full else [ln(x) for x in law]
        row = Round(t, stage, phase, estimate, alpha, law, base, action, loss, sigma, borrowed)
        row.credit, row.dual = sigma, steps_from
        rows.append(row)
        if is_hard:
            state = scope = Phase(t + 1, [real(0)] * game.A, real(0))
            continue
        # Feedback: mirror steps, the gap statistic, and the soft restart.
        for c in counters:
            c.missing += 1
            for u in arrivals.get(t, ()):
                c.missing -= u >= c.first
                c.arrived += d[u - 1] * (u >= c.first)
        for past in (rows[u - 1] for u in arrivals.get(t, ()) if u >= state.first):
            past.dual, state.ready[past.t], arm = moved(past, past.dual), past, past.action
            state.sums[arm] = state.sums[arm] + past.loss_estimate
            state.gap = state.gap + past.loss_estimate * (safe[arm] - past.base[arm])
        if reading["gap"] == "best-response":
            weighted = sum(g * c for g, c in zip(state.sums, safe, strict=True))
            state.gap = weighted - least(state.sums)
        ends = is_less(threshold, state.gap) if exits is None else t in exits
        if not is_full and ends:
            row.ends_softly, phase = True, phase + 1
            alpha, is_full, threshold = game.aggression(estimate, phase, real)
            state = Phase(t + 1, [real(0)] * game.A, real(0))
            scope = state if reading["delay_scope"] == "phase" else scope
    return rows


def paid(sigma: Any, ready: dict[int, Round], dual: list[Any]) -> tuple[Any, list[Any]]:
    """Draw sigma from the credits of arrived rounds, in ascending order; the rest is borrowed."""
    need, zero = sigma, dual[0]
    for u, row in sorted(ready.items()):
        amount = least([row.credit, need])
        dual = [x + amount / sigma * z for x, z in zip(dual, row.dual, strict=True)]
        left, need = most([row.credit - need, zero]), most([need - row.credit, zero])
        row.credit = left
        if is_nothing(left):
            del ready[u]
        if is_nothing(need):
            break
    return need, dual


def softmax(dual: list[Any]) -> list[Any]:
    """exp(x_i) / sum_j exp(x_j), written so that intervals do not grow needlessly."""
    return [
        1 / (1 + sum(exp(y - x) for j, y in enumerate(dual) if j != i)) for i, x in enumerate(dual)
    ]


def moved(row: Round, dual: list[Any]) -> list[Any]:
    """The end of the round's mirror step that starts at a dual point."""
    by = row.loss_estimate / row.sigma
    return [x - by if i == row.action else x for i, x in enumerate(dual)]


def drawn(law: list[Any], rng: Any) -> int:
    left = rng.random()
    for arm, chance in enumerate(law[:-1]):
        left -= chance
        if left < 0:
            return arm
    return len(law) - 1


def phases_of(rows: list[Round]) -> list[list[Round]]:
    """The paper's phases: a hard-restart round is the last of the phase that it ends, if any."""
    found: list[list[Round]] = [[]]
    for before, row in pairwise([None, *rows]):
        if before is not None and (before.ends_softly or before.sigma is None):
            found.append([])
        found[-1].append(row)  # type: ignore[arg-type]
    return [phase for phase in found if phase[0].sigma is not None]


# ---- 7. Claims about budgets, and about runs with given actions. -----------------------------


@claim("experiment/alpha-without-delay")
@claim("experiment/alpha-under-delay")
def some_gap_can_pass(witness: Any) -> Iterator[Case]:
    """For alpha ever to rise: 2 R^ + xi^ < T/(1 - 1/R^) in the first stage.

    No loss estimate exceeds 1/(1 - alpha) times its share, so no gap exceeds T/(1 - alpha).
    """
    names = {"T", "A", "delta", "threshold_scale", "budget_scale"}
    given = fields(witness.get("parameters"), names)
    if [given["threshold_scale"], given["budget_scale"]] != ["1", "1"]:
        raise Unknown("scaled budgets are not computed by this script")
    delta = rational(given["delta"])
    setting = Setting(witness.get("reading"), whole(given["T"]), whole(given["A"]), delta)
    alpha, _, threshold = setting.aggression(1, 1, number)
    yield case({"delay estimate": 1}, threshold, "<", setting.T / (1 - alpha))


@claim("global/safety")
def silence(witness: Any) -> Iterator[Case]:
    """Regret to x^c = (1 - delta, delta): at most ceil(log2 D) + 1, whatever the delays.

    Losses are (0, 1), and d_t = T + 1 - t, so nothing arrives. A delay sum of what has arrived
    stays 0, the base iterate stays uniform, and every round costs alpha (1/2 - delta).
    """
    if fields(
        witness.get("parameters"),
        {"rounds"},
        {"delta", "full", "exits", "share", "last_delay", "runs", "seed"},
    ).keys() != {"rounds", "delta"}:
        raise Unknown("of these runs only those without feedback are computed by this script")
    T, delta = whole(witness["parameters"]["rounds"]), rational(witness["parameters"]["delta"])
    setting, D = Setting(witness.get("reading"), T, 2, delta), T * (T + 1) // 2
    if setting.reading["delay_sum"] == "arrived":
        alpha, _, _ = setting.aggression(1, 1, number)
        paid = alpha * (T * (Fraction(1, 2) - delta))
        yield case({"D": D, "T": T}, paid, "<=", (D - 1).bit_length() + 1)


@claim("global/safety/cancellation")
def cancellation(witness: Any) -> Iterator[Case]:
    """In each stage, sum_k alpha_k (Q - (2 R^ + xi^ - m) 1{soft exit}) <= 1.

    Q = C1 B + C2 sum 1/sigma_t, with B what is borrowed and m what is missing at the exit. Only
    delays and the rounds of soft exits enter, so the losses may be 0 and the exits are given.
    """
    told = {"told"} if dropped(witness) == "T is known" else set()
    given = fields(witness.get("parameters"), {"delays", "exits", "arms", "delta"} | told)
    A, T, exits = whole(given["arms"]), len(entries(given["delays"])), given["exits"]
    uniform = [f"1/{A}"] * min(A, 51)
    zero = {"losses": [[0] * len(uniform)] * T, "actions": [0] * T, "comparator": uniform}
    instance = {**zero, "delays": given["delays"], "delta": given["delta"]}
    game = Game({"instance": instance, "reading": witness.get("reading")})
    game.told = max(whole(given["told"]), 1) if told else game.T
    stages: dict[int, list[list[Round]]] = {}
    for phase in phases_of(play(game, exits=wholes(exits) if exits else [])):
        stages.setdefault(phase[0].stage, []).append(phase)
    for phases in stages.values():
        total = number(0)
        for phase in phases:
            played, end = [row for row in phase if row.sigma is not None], phase[-1].t
            missing = sum(row.t + game.delays[row.t - 1] > end for row in played)
            cost = sum(
                row.borrowed * ln(number(A)) + 1 / (row.sigma * game.delta) for row in played
            )
            _, _, threshold = game.aggression(phase[0].estimate, 1, number)
            exit = threshold - missing if phase[-1].ends_softly else 0
            total = total + phase[0].alpha * (cost - exit)
        where = {"estimate": phases[0][0].estimate, "start": phases[0][0].t}
        yield case(where, total, "<=", 1)


@claim("doubling-estimate")
def doubling_estimate(witness: Any) -> Iterator[Case]:
    """When a stage ends: old estimate <= new estimate < 2 (delays of its last phase)."""
    game = Game(witness)
    rows = play(game)
    for before, row in pairwise([None, *rows]):
        if row is not None and row.sigma is None:
            ended = [phase for phase in phases_of(rows) if phase[-1] is row]
            start = ended[0][0].t if ended else row.t
            old = before.estimate if before else 1
            yield case({"side": "lower", "t": row.t}, old, "<=", row.estimate)
            yield case(
                {"side": "upper", "t": row.t}, row.estimate, "<", 2 * game.delay(start, row.t)
            )


@claim("doubling-estimate/every-phase")
def doubling_every_phase(witness: Any) -> Iterator[Case]:
    """The same upper bound with the delays of any phase of the stage."""
    game = Game(witness)
    rows = play(game)
    following = {row.stage - 1: row.estimate for row in rows if row.sigma is None}
    for phase in phases_of(rows):
        start, end = phase[0].t, phase[-1].t
        if phase[0].stage in following:
            bound = 2 * game.delay(start, end)
            yield case({"start": start, "end": end}, following[phase[0].stage], "<", bound)


@claim("banker-pathwise")
def banker_pathwise(witness: Any) -> Iterator[Case]:
    """sum <l_t, x_t - y> <= B D(y, x_0) + sum sigma_t D(x_t, z~_t) - sum v_u D(y, z_u).

    At a vertex y; D is the divergence of negative entropy, so that D(y, z) = -ln z_y.
    """
    game = Game(witness)
    for phase in phases_of(play(game)):
        played = [row for row in phase if row.sigma is not None]
        for y in range(game.A):
            regret, bound = number(0), number(0)
            for row in played:
                regret = regret + row.loss_estimate * (row.base[row.action] - int(row.action == y))
                from_base = game.reading["update"] == "base"
                dual = moved(row, [ln(x) for x in (row.base if from_base else row.law)])
                free = [exp(x) for x in dual]  # the step's end before it is projected
                triples = zip(row.base, dual, free, strict=True)
                distance = sum((x * (ln(x) - z) + e - x for x, z, e in triples), start=number(0))
                paid = row.borrowed * ln(number(game.A)) + row.sigma * distance
                bound = bound + paid + row.credit * ln(softmax(dual)[y])
            yield case({"start": phase[0].t, "y": y}, regret, "<=", bound)


# Arm 0 of two always loses 1, arm 1 never, nothing is late. Whoever plays arm 0 more often learns
# faster, so of all paths the one that always plays it has the least base regret to arm 1; if that
# exceeds a bound on the expectation, the bound is false.


@claim("banker-regret")
def least_base_regret(witness: Any) -> Iterator[Case]:
    """Least sum of base_t(0) <= sqrt(C1 C2) 3 sqrt(T), where no path leaves the first phase.

    None does if T/(1 - alpha), which no gap exceeds, is not above the threshold.
    """
    game = Game(witness)
    alpha, _, threshold = game.aggression(1, 1, number)
    is_meant = is_steep(game.losses, game.delays) and set(game.actions) == {0}
    if is_meant and not is_less(threshold, game.T / (1 - alpha)):
        least_regret = sum((row.base[0] for row in play(game)), start=number(0))
        yield case({"x": 1}, least_regret, "<=", game.bound(0, game.T, number))


@claim("banker-regret/decomposition", of="decomposition")
@claim("banker-regret/untuned-regret", of="untuned")
def least_banker_regret(witness: Any, *, of: str) -> Iterator[Case]:
    """The same for Banker-OMD alone with a fixed alpha, against C1 B + C2 sum 1/sigma_t.

    Or against (C1 + 2 C2) sqrt(T), without the factor sqrt(C2/C1) of sigma_t = sqrt(t C2/C1). Each
    round draws all that the one before left, and borrows the rest, so that B = sigma_T; y is the
    log-ratio of arm 1 to arm 0 in the base iterate.
    """
    given = witness.get("parameters")
    if not isinstance(given, dict) or dropped(witness):
        raise Unknown("of these games only those of one good arm are computed by this script")
    fields(given, {"instance", "alpha", "tuned", "from_base"})
    alpha, instance = rational(given["alpha"]), given["instance"]
    head = {"losses", "delays", "comparator", "delta", "actions", "seed"}
    fields(instance, head, {"format"})
    losses, safe = [rationals(row) for row in entries(instance["losses"])], instance["comparator"]
    T, delays, c = len(losses), wholes(instance["delays"]), rationals(safe)
    if len(delays) != T or len(c) != 2 or sum(c) != 1 or min(c) <= 0 or not 0 < alpha <= 1:
        raise BadFile("a game of two arms with an exact comparator and alpha is expected")
    delta = min(c) if instance["delta"] is None else rational(instance["delta"])
    if not is_steep(losses, delays) or T > 10_000 or not 0 < delta <= min(c):
        raise Unknown("of these games only those of one good arm are computed by this script")
    C1, C2 = ln(number(2)), number(1 / delta)
    ratio = sqrt(C2 / C1) if given["tuned"] is True else number(1)
    y = lost = costs = sigma = number(0)
    for t in range(1, T + 1):
        before, sigma = sigma, ratio * sqrt(number(t))
        y = y * before / sigma
        base = 1 / (1 + exp(y))
        law = alpha * base + (1 - alpha) * c[0]
        start = y if given["from_base"] is True else ln((1 - law) / law)
        lost, costs, y = lost + base, costs + 1 / sigma, start + 1 / (law * sigma)
    if of == "decomposition":
        yield case({"x": 1}, lost, "<=", C1 * sigma + C2 * costs)
    elif given["tuned"] is False:
        yield case({"x": 1}, lost, "<=", (C1 + 2 * C2) * sqrt(number(T)))


def is_steep(losses: list[list[Fraction]], delays: list[int]) -> bool:
    return all(row == [1, 0] for row in losses) and not any(delays)


PhaseClaim = Callable[[Game, list[Round]], Iterator[Case]]


def phase_claim(id: str, *, cautious: bool = False, extinct: bool = False) -> Callable[..., Any]:
    """The function below computes `id` for each phase, or those with alpha < 1, or soft exits."""

    def register(compute: PhaseClaim) -> PhaseClaim:
        @claim(id)
        def all_phases(witness: Any) -> Iterator[Case]:
            game = Game(witness)
            for phase in phases_of(play(game)):
                is_meant = not extinct or phase[-1].ends_softly
                if is_meant and (not cautious or is_less(phase[0].alpha, 1)):
                    yield from compute(game, phase)

        return compute

    return register


def sums_of(game: Game, rows: list[Round]) -> list[Number]:
    """g: loss estimates of some rounds, added up per arm."""
    sums = [number(0)] * game.A
    for row in rows:
        sums[row.action] = sums[row.action] + row.loss_estimate
    return sums


def safe_sum(game: Game, sums: list[Number]) -> Number:
    """<g, x^c>."""
    total = number(0)
    for g, c in zip(sums, game.comparator, strict=True):
        total = total + g * c
    return total


def gap_of(game: Game, sums: list[Number]) -> Number:
    """The largest <g, x^c - x> over x, attained at the arm of least sum."""
    smallest: Number = least(sums)
    return safe_sum(game, sums) - smallest


def played_in(phase: list[Round]) -> list[Round]:
    return [row for row in phase if row.sigma is not None]


def missing_at(game: Game, phase: list[Round], t: int) -> list[Round]:
    """The phase's rounds up to t whose feedback has not arrived by the end of t."""
    return [row for row in played_in(phase) if row.t <= t < row.t + game.delays[row.t - 1]]


@phase_claim("normal-phase/decomposition")
def decomposition(game: Game, phase: list[Round]) -> Iterator[Case]:
    """sum <l_t, x_t - x> = a sum <l_t, base - x> + (1 - a) sum <l_t, x^c - x> over start..end."""
    alpha, sums = phase[0].alpha, sums_of(game, phase)
    for x in range(game.A):
        lhs, base = number(0), number(0)
        for row in phase:
            lhs = lhs + row.loss_estimate * (row.law[row.action] - int(row.action == x))
            base = base + row.loss_estimate * (row.base[row.action] - int(row.action == x))
        rhs = alpha * base + (1 - alpha) * (safe_sum(game, sums) - sums[x])
        yield case({"start": phase[0].t, "x": x}, lhs, "=", rhs)


@phase_claim("normal-phase/delay-covered")
def delay_covered(game: Game, phase: list[Round]) -> Iterator[Case]:
    """d_start + ... + d_end <= the stage's estimate, unless a hard restart ends the phase."""
    if phase[-1].sigma is not None:
        delay = game.delay(phase[0].t, phase[-1].t)
        yield case({"start": phase[0].t}, delay, "<=", phase[0].estimate)


@phase_claim("normal-phase/delay-covered@repaired")
def mass_covered(game: Game, phase: list[Round]) -> Iterator[Case]:
    """The rounds missing, summed over the phase, are at most the stage's estimate, likewise."""
    if phase[-1].sigma is not None:
        end = phase[-1].t
        mass = sum(min(game.delays[row.t - 1], end - row.t) for row in phase)
        yield case({"start": phase[0].t}, mass, "<=", phase[0].estimate)


@phase_claim("normal-phase/arrived", cautious=True)
def arrived_gap(game: Game, phase: list[Round]) -> Iterator[Case]:
    """max_x <g_t, x^c - x> <= 2 R^ + xi^ for every t < end at which feedback arrives."""
    _, _, threshold = game.aggression(phase[0].estimate, 1, number)
    arrivals: dict[int, list[Round]] = {}
    for row in played_in(phase):
        arrivals.setdefault(row.t + game.delays[row.t - 1], []).append(row)
    sums = [number(0)] * game.A
    for t in range(phase[0].t, phase[-1].t):
        for row in arrivals.get(t, ()):
            sums[row.action] = sums[row.action] + row.loss_estimate
        if t in arrivals:
            yield case({"t": t}, gap_of(game, sums), "<=", threshold)


@phase_claim("normal-phase/missing", cautious=True)
def missing_late(game: Game, phase: list[Round]) -> Iterator[Case]:
    """Rounds missing at end - 1 add at most 2 sqrt(2 D + 1/4) - 1, D the delays of the phase."""
    late, D = missing_at(game, phase, phase[-1].t - 1), game.delay(phase[0].t, phase[-1].t)
    if late:
        bound = 2 * sqrt(number(2 * D + QUARTER)) - 1
        yield case({"start": phase[0].t}, gap_of(game, sums_of(game, late)), "<=", bound)


@phase_claim("normal-phase/last-round", cautious=True)
def last_round(game: Game, phase: list[Round]) -> Iterator[Case]:
    """<l_end, x^c - x> <= 2."""
    yield case({"t": phase[-1].t}, gap_of(game, sums_of(game, phase[-1:])), "<=", 2)


@phase_claim("normal-phase/budget-chain", cautious=True)
def budget_chain(game: Game, phase: list[Round]) -> Iterator[Case]:
    """R^ of the stage <= 2 R^(D), D the delays of the phase."""
    own = game.budget(game.delay(phase[0].t, phase[-1].t), number)
    yield case({"start": phase[0].t}, game.budget(phase[0].estimate, number), "<=", 2 * own)


def ends_of(phase: list[Round]) -> dict[str, Any]:
    return {"start": phase[0].t, "end": phase[-1].t}


@phase_claim("extinction-phase/exit", extinct=True)
def exit_gap(game: Game, phase: list[Round]) -> Iterator[Case]:
    """2 R^ + xi^ < max_x <g_end, x^c - x>, over what has arrived."""
    _, _, threshold = game.aggression(phase[0].estimate, 1, number)
    late = missing_at(game, phase, phase[-1].t)
    arrived = sums_of(game, [row for row in phase if row not in late])
    yield case(ends_of(phase), threshold, "<", gap_of(game, arrived))


@phase_claim("extinction-phase/floor", extinct=True)
def floor(game: Game, phase: list[Round]) -> Iterator[Case]:
    """delta/2 <= x_t(A_t)."""
    for row in played_in(phase):
        yield case({"t": row.t}, game.delta / 2, "<=", row.law[row.action])


@phase_claim("extinction-phase/missing-item", extinct=True)
def missing_gain(game: Game, phase: list[Round]) -> Iterator[Case]:
    """<l_u, x* - x^c> <= 2/delta for each round u that is missing at the end."""
    late = missing_at(game, phase, phase[-1].t)
    arrived = sums_of(game, [row for row in phase if row not in late])
    best = min(range(game.A), key=lambda arm: arrived[arm].low)
    for row in late:
        gain = row.loss_estimate * (int(row.action == best) - game.comparator[row.action])
        yield case({"u": row.t}, gain, "<=", 2 / game.delta)


@phase_claim("extinction-phase/slack-covers", extinct=True)
def slack_covers(game: Game, phase: list[Round]) -> Iterator[Case]:
    """2 m/delta <= xi^, with m rounds missing at the end."""
    late, slack = missing_at(game, phase, phase[-1].t), game.slack(phase[0].estimate, number)
    if late:
        yield case(ends_of(phase), 2 * len(late) / game.delta, "<=", slack)


@phase_claim("extinction-phase/slack-covers@repaired", extinct=True)
def slack_covers_count(game: Game, phase: list[Round]) -> Iterator[Case]:
    """m <= xi^."""
    late, slack = missing_at(game, phase, phase[-1].t), game.slack(phase[0].estimate, number)
    if late:
        yield case(ends_of(phase), len(late), "<=", slack)


# Expectations that fall on every path: x_t = alpha base + (1 - alpha) x^c, whatever base is.


def cannot_exit(game: Game, phase: list[Round]) -> bool:
    """Whether no path restarts softly in the phase: an item adds at most 1/(1 - alpha) to a gap."""
    alpha, is_full, threshold = game.aggression(phase[0].estimate, phase[0].phase, number)
    seen = len(played_in(phase)) - len(missing_at(game, phase, phase[-1].t))
    return is_full or not is_less(threshold, seen / (1 - alpha))


def least_earned(game: Game, phase: list[Round]) -> Number:
    """What sum <l_t, x_t - x^c> is at least, wherever after its first feedback the phase ends."""
    first = min(row.t + game.delays[row.t - 1] for row in played_in(phase))
    total = number(0)
    for t, losses in enumerate(game.losses[phase[0].t - 1 :], start=phase[0].t):
        safe = sum(x * c for x, c in zip(losses, game.comparator, strict=True))
        total = total + (min(losses) if t > first else sum(losses) / game.A) - safe
    alpha: Number = phase[0].alpha
    return alpha * total


def least_regrets(game: Game, phase: list[Round]) -> list[Any]:
    """For each arm what sum <l_t, x_t - e_arm> is at least, on every path with this phase."""
    found, alpha = [], phase[0].alpha
    for x in range(game.A):
        safe = best = Fraction(0)
        for row in phase:
            losses = game.losses[row.t - 1]
            pairs = zip(losses, game.comparator, strict=True)
            safe += sum(loss * c for loss, c in pairs) - losses[x]
            best += min(losses) - losses[x]
        found.append((1 - alpha) * safe + alpha * best)
    return found


def is_whole(game: Game, phase: list[Round]) -> bool:
    """Whether the phase, the first of its stage, lasts until T."""
    last = phase[-1]
    return phase[0].phase == 1 and last.t == game.T and last.sigma is not None


def is_steepest(game: Game, phase: list[Round]) -> bool:
    """Whether this path, which never restarts, has the largest gap of all in every round.

    Arm 0 of two always loses 1 and is always played, nothing is late, steps start at the base
    iterate: each play of arm 0 adds to its estimate and to the gap, the more the larger it is.
    """
    return (
        game.reading["update"] == "base"
        and len(phase) == game.T
        and not phase[-1].ends_softly
        and game.comparator[0] * 2 >= 1
        and not any(game.delays)
        and all(row.action == 0 for row in phase)
        and all(losses == [1, 0] for losses in game.losses)
    )


@claim("normal-phase/regret")
def least_regret_on_all_paths(witness: Any) -> Iterator[Case]:
    """Regret of phase 1 of the last stage: at most the bound of `normal_bound`."""
    game = Game(witness)
    phases = phases_of(play(game))
    if all(cannot_exit(game, phase) for phase in phases):
        for phase in phases:
            if is_whole(game, phase):
                bound = normal_bound(game, game.delay(phase[0].t, game.T), number)
                for x, least in enumerate(least_regrets(game, phase)):
                    yield case({"x": x}, least, "<=", bound)


@claim("normal-phase/true-losses")
def true_regret(witness: Any) -> Iterator[Case]:
    """Nothing is late, and the run does not restart: at most the bound with D = 1."""
    game = Game(witness)
    phases = phases_of(play(game))
    if not any(game.delays) and len(phases) == 1 and is_whole(game, phases[0]):
        for x, least in enumerate(least_regrets(game, phases[0])):
            yield case({"x": x}, least, "<=", normal_bound(game, 1, number))


@claim("normal-phase/combined")
@claim("normal-phase/regret@repaired")
def regret_of_one_phase(witness: Any) -> Iterator[Case]:
    """Step 4, or the bound with the stage's estimate, in a run of a single phase."""
    game = Game(witness)
    phases = phases_of(play(game))
    [phase] = phases if len(phases) == 1 else [[]]
    if phase and is_whole(game, phase) and (cannot_exit(game, phase) or is_steepest(game, phase)):
        estimate, alpha = phase[0].estimate, phase[0].alpha
        bound = normal_bound(game, estimate, number)
        if witness["claim"] == "normal-phase/combined":
            bound = combined(game, estimate, sum(game.delays), alpha, number)
        for x, least in enumerate(least_regrets(game, phase)):
            yield case({"x": x}, least, "<=", bound)


@claim("normal-phase/safety")
def safety_on_all_paths(witness: Any) -> Iterator[Case]:
    """Regret to the comparator at most 1 in a run of a single phase, which no path leaves."""
    game = Game(witness)
    phases = phases_of(play(game))
    if len(phases) == 1 and cannot_exit(game, phases[0]):
        yield case({"phase": 1}, least_earned(game, phases[0]), "<=", 1)


# Arm 1 of two loses nothing that is seen; feedback comes at once or, in the first h rounds, never.
# At a soft exit of phase 1, x* is arm 1 and threshold < gap <= threshold + 1/(1 - alpha). The h
# hidden rounds have base = uniform, and their actions still have their laws. The others add to the
# base regret to x* and, up to alpha, to the regret to x^c: at least 0 and -gap if the gap is that
# of the base iterates, else at least rho gap/c and -(1 - rho/c) gap: c = x^c(0), base(0) >= rho.


@claim("extinction-phase", to_safe=True)
@claim("extinction-phase/base-regret", to_safe=False)
def given_the_exit(witness: Any, *, to_safe: bool) -> Iterator[Case]:
    """Regret to x^c <= -1, or base regret to x* <= R^, in expectation, if phase 1 ends softly."""
    game, where = Game(witness), {"stage": 1, "phase": 1}
    comes = [t + delay <= game.T for t, delay in enumerate(game.delays, start=1)]
    h = comes.index(True) if any(comes) else game.T
    is_meant = game.A == 2 and not any(game.delays[h:]) and not any(b for _, b in game.losses[h:])
    first, c = phases_of(play(game))[:1], game.comparator[0]
    if not (is_meant and first and first[0][0].t == 1 and first[0][-1].ends_softly):
        return
    alpha, _, threshold = game.aggression(1, 1, number)
    is_free, rho = game.reading["gap"] == "learner", least_base(game, alpha, c, h) / c
    hidden, gap = sum(a - b for a, b in game.losses[:h]), threshold + 1 / (1 - alpha)
    if to_safe:
        earned = (Fraction(1, 2) - c) * hidden - (gap if is_free else (1 - rho) * gap)
        yield case(where, alpha * earned, "<=", -1)
    else:
        paid = number(Fraction(hidden, 2)) + (0 if is_free else rho * threshold)
        yield case(where, paid, "<=", game.budget(1, number))


def least_base(game: Game, alpha: Number, c: Fraction, h: int) -> Number:
    """rho: after a step from a law of at least p, pulled to uniform; sigma_2^2 = 2 C2/C1."""
    if game.reading["update"] != "played" or h:
        return number(0)
    p, sigma = (1 - alpha) * c, sqrt(2 / (number(game.delta) * ln(number(2))))
    odds = least([p / (1 - p), number(1)]) * exp(-1 / (p * sigma))
    rho: Number = least([odds / (1 + odds), number(c)])
    return rho


@claim("extinction-phase/true-losses")
def true_losses(witness: Any) -> Iterator[Case]:
    """The same for losses that are equal for all arms: then the regret is 0 on every path."""
    game = Game(witness)
    for phase in phases_of(play(game))[:1]:
        is_equal = all(min(losses) == max(losses) for losses in game.losses)
        if is_equal and phase[0].stage == 1 and phase[-1].ends_softly:
            yield case({"stage": 1, "phase": 1}, 0, "<=", -1)


def missing_items(game: Game, witness: Any) -> Iterator[tuple[int, int, list[Round]]]:
    """(start, end, M) of phases with alpha < 1; M: rounds before end-1 that are missing then."""
    for phase in phases_of(play(game)):
        end = phase[-1].t
        M = [row for row in phase if row.t < end - 1 and row.t + game.delays[row.t - 1] > end - 1]
        if M and (dropped(witness) == "alpha < 1" or is_less(phase[0].alpha, 1)):
            yield phase[0].t, end, M


@claim("missing-feedback/per-item")
def missing_per_item(witness: Any) -> Iterator[Case]:
    """<l_u, x^c - x> <= 2 for u in M; it is largest at an x that avoids the arm that was played."""
    game = Game(witness)
    for _, _, M in missing_items(game, witness):
        for row in M:
            largest = row.loss_estimate * game.comparator[row.action]
            yield case({"u": row.t}, largest, "<=", 2)


@claim("missing-feedback")
def missing_total(witness: Any) -> Iterator[Case]:
    """Their sum <= 2 sqrt(2 D + 1/4) - 1, D the delays of the phase; x: the arm of least sum."""
    game = Game(witness)
    for start, end, M in missing_items(game, witness):
        sums = [number(0)] * game.A
        for row in M:
            sums[row.action] = sums[row.action] + row.loss_estimate
        largest = sum(s * c for s, c in zip(sums, game.comparator, strict=True)) - least(sums)
        bound = 2 * sqrt(number(2 * game.delay(start, end) + QUARTER)) - 1
        yield case({"start": start}, largest, "<=", bound)


# ---- 8. Expectations: E[value - bound; event] <= 0, rejected by this script's own runs. ------
# Let Z >= -c with E[Z] <= 0. The product over runs of 1 + 0.9 Z/c stays positive and does not grow
# on average, so the chance that it ever exceeds 10^9 is at most 10^-9. The runs are in floats.

LEVEL, MOST_ROUNDS = 1e9, 2_000_000  # rounds of all runs together
Excess = Callable[[Random], float | None]  # value - bound of a drawn run; None outside the event
Experiment = tuple[float, Excess, float]  # c, that, and what the witness calls rhs


def expectation(id: str, *, where: dict[str, Any] | None = None) -> Callable[..., Any]:
    """The function below describes the claim `id`; without `where` it is about the regret to x."""

    def register(describe: Callable[[Game, int], Experiment]) -> Callable[..., Experiment]:
        EXPECTATIONS[id] = describe, where
        return describe

    return register


def regret(game: Game, phase: list[Round], arm: int) -> float:
    """sum <l_t, base_t - e_arm> over a phase."""
    total = 0.0
    for row in phase:
        if row.sigma is not None:
            losses = game.losses[row.t - 1]
            total += dot(losses, row.base) - float(losses[arm])
    return total


def least_regret(game: Game, arm: int) -> float:
    """No run has less regret to the arm, over any of its phases."""
    return float(sum(min(row) - row[arm] for row in game.losses))


def dot(losses: list[Fraction], law: list[Any]) -> float:
    return float(sum(float(x) * float(p) for x, p in zip(losses, law, strict=True)))


@expectation("banker-regret")
def banker_regret(game: Game, x: int) -> Experiment:
    """Base regret of a phase of N rounds: at most sqrt(C1 C2) (3 sqrt N + 7 sqrt(2 D ln(D + 1))).

    Measured in the first phase of at least 100 rounds.
    """

    def excess(rng: Random) -> float | None:
        for phase in phases_of(play(game, float, rng)):
            N = sum(row.sigma is not None for row in phase)
            if N >= 100:
                bound = game.bound(game.delay(phase[0].t, phase[-1].t), N, float)
                return regret(game, phase, x) - float(bound)
        return None

    return game.bound(sum(game.delays), game.T, float) - least_regret(game, x), excess, 0.0


def normal_bound(game: Game, D: int, real: Real) -> Any:
    """4 R^(D) + (sqrt(16 D + 1) - 1)/delta + 2 sqrt(2 D + 1/4) + 1."""
    slack = (sqrt(real(16 * D + 1)) - 1) / real(game.delta)
    return 4 * game.budget(D, real) + slack + 2 * sqrt(real(2 * D + QUARTER)) + 1


@expectation("normal-phase/base-regret")
def base_regret(game: Game, x: int) -> Experiment:
    """Base regret of a phase with alpha < 1 that lasts until T: at most R^(D).

    D is the delays of the phase; only that phase, with that D, is measured in which a first run
    ends.
    """

    def last(rng: Random) -> tuple[list[Round], tuple[int, int, int]]:
        rows = play(game, float, rng)
        *_, phase = phases_of(rows)
        end = phase[-1]
        is_normal = end is rows[-1] and not end.ends_softly and end.sigma and end.alpha < 1
        which = end.stage, end.phase, game.delay(phase[0].t, game.T)
        return phase if is_normal else [], which

    _, which = last(Random(0))
    bound = float(game.budget(which[-1], float))

    def excess(rng: Random) -> float | None:
        phase, own = last(rng)
        return regret(game, phase, x) - bound if phase and own == which else None

    return bound - least_regret(game, x), excess, bound


@expectation("normal-phase/combined")
def suffered_of_phase(game: Game, x: int) -> Experiment:
    """Step 4 with estimated losses, in that phase with alpha < 1 in which a first run ends.

    Nothing is late, and arm x never loses: <l_t, x_t - x> is the loss of the arm that was played.
    """
    losses = [[float(loss) for loss in row] for row in game.losses]
    k, _ = suffered(game, losses, Random(0))
    alpha, is_full, _ = game.aggression(1, k, float)
    if any(row[x] for row in game.losses) or is_full:
        raise Unknown("only an arm that never loses, and alpha < 1, is computed by this script")
    bound = float(combined(game, 1, 0, alpha, float))

    def excess(rng: Random) -> float | None:
        number, paid = suffered(game, losses, rng)
        return paid - bound if number == k else None

    return bound, excess, bound


def suffered(game: Game, losses: list[list[float]], rng: Random) -> tuple[int, float]:
    """In which phase an undelayed run ends, and the losses of the arms played in it.

    A round's credit is spent by the next, so that round n of a phase starts from sqrt(1 - 1/n) z,
    where z is the end of the mirror step before.
    """
    reading = game.reading["update"], game.reading["gap"]
    if any(game.delays) or reading != ("played", "best-response"):
        raise Unknown("only undelayed runs of the appendix's update are computed by this script")
    safe, nothing = [float(c) for c in game.comparator], [0.0] * game.A
    ratio = math.sqrt(1 / (game.delta * ln(float(game.A))))  # sqrt(C2/C1)
    k, n, paid, z, sums = 1, 0, 0.0, nothing, nothing[:]
    alpha, is_full, threshold = game.aggression(1, k, float)
    for row in losses:
        n += 1
        weights = [math.exp(math.sqrt(1 - 1 / n) * y) for y in z]
        scale = alpha / sum(weights)
        law = [scale * w + (1 - alpha) * c for w, c in zip(weights, safe, strict=True)]
        action = drawn(law, rng)
        z = [math.log(p) for p in law]
        if not row[action]:
            continue
        paid, loss = paid + row[action], row[action] / law[action]
        z[action] -= loss / (ratio * math.sqrt(n))
        sums[action] += loss
        gap = sum(g * c for g, c in zip(sums, safe, strict=True)) - min(sums)
        if gap > threshold and not is_full:
            k, n, paid, z, sums = k + 1, 0, 0.0, nothing, nothing[:]
            alpha, is_full, threshold = game.aggression(1, k, float)
    return k, paid


def combined(game: Game, estimate: int, D: int, alpha: Any, real: Real) -> Any:
    """a (R^_s + 1) + (1 - a) (2 R^_s + xi^_s + 2 sqrt(2 D + 1/4) + 1)."""
    budget, (_, _, threshold) = game.budget(estimate, real), game.aggression(estimate, 1, real)
    late = 2 * sqrt(real(2 * D + QUARTER)) - 1
    return alpha * (budget + 1) + (1 - alpha) * (threshold + late + 2)


def replicated(witness: Any) -> Finding:
    """Play until the claim is rejected or the rounds are used up."""
    describe, where = EXPECTATIONS[witness["claim"]]
    game, place = Game(witness), where or fields(witness["where"], {"x"})
    arm = whole(place.get("x", 0))
    if arm >= game.A or place != witness["where"]:
        raise BadFile("where names no case of the claim")
    c, excess_of, exact_rhs = describe(game, arm)
    (low, high), margin = interval_of(witness["lhs"]), interval_of(witness["margin"])
    rhs, stated = Fraction(exact_rhs), interval_of(witness["rhs"])
    is_rhs = max(abs(stated[0] - rhs), abs(stated[1] - rhs)) <= max(abs(rhs), Fraction(1)) / 10**6
    if not is_rhs or low <= rhs or margin[0] <= 0:
        return Finding("NOT CONFIRMED", f"the file does not state lhs above rhs = {exact_rhs:.9g}")
    rng, odds, found = Random(1), 1.0, list[float]()
    for _ in range(MOST_ROUNDS // game.T):
        excess = excess_of(rng)
        if excess is not None:
            found.append(excess)
            odds *= 1 + 0.9 * excess / c
        if odds >= LEVEL:
            break
    mean = Fraction(sum(found) / len(found)) if found else Fraction(0)
    shown = f"lhs - rhs = {float(mean):.6g} on average in {len(found)} own runs, odds {odds:.3g}"
    is_stated = low <= mean + rhs <= high and margin[0] <= mean <= margin[1]
    return Finding("REPLICATED" if odds >= LEVEL and is_stated else "NOT CONFIRMED", shown)


# ---- 9. Judging a witness. ------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """What came of checking one witness."""

    status: str
    detail: str


def examine(witness: Any) -> Finding:
    """Compute a witness again."""
    subject = {"instance", "parameters"} & witness.keys() if isinstance(witness, dict) else set()
    required = {"format", "claim", "reading", "where", "lhs", "rhs", "margin", *subject}
    fields(witness, required, {"version", "paper_sha256"})
    if witness["format"] != "pbverify/witness-1" or len(subject) != 1:
        raise BadFile("a pbverify/witness-1 with an instance or with parameters is expected")
    id, without, reason = text(witness["claim"]).partition("!without ")[0], dropped(witness), ""
    for digits in DIGITS:
        DOWN.prec = UP.prec = digits
        try:
            if id in EXPECTATIONS and are_drawn(witness) and not without:
                return replicated(witness)
            if id not in CLAIMS or (without and without not in DROPPED):
                raise Unknown(f"{witness['claim']!r} is not computed by this script")
            return judged(witness, list(CLAIMS[id](witness)))
        except Unknown as error:
            return Finding("UNKNOWN CLAIM", str(error))
        except (Unclear, ArithmeticError, ValueError) as error:
            reason = f"undecided at {digits} digits: {error or type(error).__name__}"
    return Finding("NOT CONFIRMED", reason)


def are_drawn(witness: Any) -> bool:
    """Whether the witness leaves its actions to chance."""
    instance = witness.get("instance")
    return isinstance(instance, dict) and instance.get("actions") is None


def judged(witness: Any, found: list[Case]) -> Finding:
    """What the cases say about the one that the witness names: confirmed if its numbers are too."""
    there = [each for each in found if each.where == place(witness["where"])]
    failing = next((each for each in there if each.fails), None)
    if failing is None and any(each.is_open for each in there):
        raise Unclear("the two sides are too close to be told apart")
    if failing is None:
        shown = "; ".join(map(numbers, there[:3])) or "the claim has no such case here"
        return Finding("NOT CONFIRMED", shown)
    computed = {"lhs": failing.lhs, "rhs": failing.rhs, "margin": failing.margin}
    wrong = [name for name, value in computed.items() if not is_stated(witness[name], value)]
    if wrong:
        shown = f"{numbers(failing)}; the file differs in {', '.join(wrong)}"
        return Finding("NOT CONFIRMED", shown)
    return Finding("CONFIRMED", numbers(failing))


def numbers(found: Case) -> str:
    verdict = "fails" if found.fails else "is not seen to fail"
    shown = f"lhs = {found.lhs}, rhs = {found.rhs}, margin = {found.margin}"
    return f"lhs {found.relation} rhs {verdict}: {shown}"


def is_stated(value: Any, computed: Number) -> bool:
    """Whether a stated number says something, and can be the computed one."""
    low, high = interval_of(value)
    is_narrow = high - low <= 2 * max(abs(high + low) / 2, Fraction(1)) / 10**6
    return is_narrow and number(low).low <= computed.high and computed.low <= number(high).high


def interval_of(value: Any) -> tuple[Fraction, Fraction]:
    """The range of a stated number ("3", "1/2", "[0.25 +/- 1e-9]"); an empty one if it is none."""
    ball = re.fullmatch(rf"\[({NUMERAL})? ?\+/- ({NUMERAL})\]", text(value), re.ASCII)
    try:
        middle, radius = (ball[1] or "0", ball[2]) if ball else (value, "0")
        return rational(middle) - rational(radius), rational(middle) + rational(radius)
    except BadFile:
        return Fraction(1), Fraction(-1)


# ---- 10. Reading files: every value is checked before it is used. ---------------------------

NUMERAL = r"[+-]?\d[\d.]{0,300}(?:[eE][+-]?\d{1,3})?"


def fields(value: Any, required: set[str], optional: set[str] | None = None) -> Any:
    if not isinstance(value, dict) or not required <= value.keys():
        raise BadFile(f"an object with the fields {', '.join(sorted(required))} is expected")
    if not value.keys() <= required | (optional or set()):
        raise BadFile("there are fields too many")
    return value


def place(value: Any) -> Any:
    if not isinstance(value, dict) or any(type(item) not in (int, str) for item in value.values()):
        raise BadFile("where is to be an object of whole numbers and texts")
    return value


def entries(value: Any) -> list[Any]:
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_ENTRIES:
        raise BadFile(f"a list of 1 to {MOST_ENTRIES} entries is expected")
    return value


def whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**53:
        raise BadFile("a whole number from 0 to 2^53 - 1 is expected")
    return value


def wholes(value: Any) -> list[int]:
    return [whole(item) for item in entries(value)]


def rational(value: Any) -> Fraction:
    """An exact number: a JSON number as it was written, or the text of one or of a quotient."""
    shown = str(value) if type(value) in (int, Decimal) else text(value)
    is_number = re.fullmatch(rf"{NUMERAL}|[+-]?\d{{1,300}}/\d{{1,300}}", shown, re.ASCII)
    try:
        return Fraction(shown if is_number else "")
    except (ValueError, ZeroDivisionError) as error:
        raise BadFile("a number is expected") from error


def positive(value: Any, *, or_zero: bool = False) -> Fraction:
    found = rational(value)
    if found < 0 or (found == 0 and not or_zero):
        raise BadFile("a positive number is expected")
    return found


def rationals(value: Any) -> list[Fraction]:
    return [rational(item) for item in entries(value)]


def text(value: Any) -> str:
    if type(value) is not str or len(value) > 400:
        raise BadFile("a short text is expected")
    return value


def read(path: str) -> Any:
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise BadFile(error.strerror or "the file cannot be read") from error
    if len(data) > LARGEST_FILE:
        raise BadFile("the file is too large for a witness")
    return parse(data)


def parse(data: bytes) -> Any:
    try:
        return json.loads(data, parse_float=Decimal, object_pairs_hook=each_once)
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise BadFile("the file is not JSON of a few levels") from error


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise BadFile("a field occurs twice")
    return dict(pairs)


def default_files() -> list[str]:
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "witnesses")
    found = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [os.path.join(folder, name) for name in found if name.endswith(".json")]


def main(paths: list[str]) -> int:
    """Print a line per witness, and return the exit code."""
    codes = {"CONFIRMED": 0, "REPLICATED": 0, "NOT CONFIRMED": 1, "UNKNOWN CLAIM": 3}
    gravity = [0, 3, 1, 2]  # exit codes from harmless to bad
    code = 0
    for path in paths or default_files():
        try:
            finding = examine(read(path))
            line, this = f"{finding.status:<13}  {finding.detail}", codes[finding.status]
        except BadFile as error:
            line, this = f"BAD FILE       {error}", 2
        print(f"{os.path.basename(path)}: {line}".encode("ascii", "replace").decode())  # noqa: T201
        code = max(code, this, key=gravity.index)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
