#!/usr/bin/env python3
"""Check witnesses of refutation again, without trusting the program that found them.

    python3 check_witnesses.py                 every file in witnesses/ beside this script
    python3 check_witnesses.py FILE...         these files

A witness names a claim `lhs <= rhs` (or `<`, `=`) of the paper and a case in which it fails. This
script computes both sides of that case from the definitions below and says

    CONFIRMED      the claim fails there, and by the numbers that the file states;
    NOT CONFIRMED  it does not, or the numbers are others, or they cannot be told apart;
    UNKNOWN CLAIM  the claim is not among those that this script can compute.

Exit code: 0 all confirmed, 1 some not confirmed, 2 a file cannot be read, 3 some claim unknown.

It uses Python's standard library alone, and no line of the program whose work it checks. Numbers
are intervals of decimals, rounded outwards, with more digits whenever two cannot be told apart.
Conventions: rounds count from 1 and arms from 0; the feedback of round r arrives at the end of
round r + d_r, so it is missing in the rounds r+1, ..., r+d_r. Sections:

    1 intervals and cases   2 delays, steps of proofs   3 buckets   4 the algorithm   5 its runs
    6 judging

To follow one witness, read 1, 6, and the function under `@claims` with its claim: a claim about
delays is in 2 or 3, a claim about the algorithm in 5, which computes the run with 4.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

LARGEST_FILE = 4_000_000  # bytes; witnesses are small
MOST_ROUNDS = 6_000
DIGITS = (50, 200, 800)  # tried in this order


class BadFile(Exception):  # noqa: N818
    """A file that is no witness; the message is one line."""


class Unclear(Exception):  # noqa: N818
    """Two intervals overlap, so that a branch cannot be taken."""


class Unknown(Exception):  # noqa: N818
    """Something that this script does not compute."""


# ---- 1. Intervals [low, high] of decimals, rounded outwards; cases of claims. ---------------

DOWN = Context(rounding=ROUND_FLOOR, Emax=10**9, Emin=-(10**9))
UP = Context(rounding=ROUND_CEILING, Emax=10**9, Emin=-(10**9))


@dataclass(frozen=True)
class Number:
    low: Decimal
    high: Decimal

    def __add__(self, other: Number) -> Number:
        return Number(DOWN.add(self.low, other.low), UP.add(self.high, other.high))

    def __sub__(self, other: Number) -> Number:
        return Number(DOWN.subtract(self.low, other.high), UP.subtract(self.high, other.low))

    def __mul__(self, other: Number) -> Number:
        corners = [(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Number(
            min(DOWN.multiply(a, b) for a, b in corners), max(UP.multiply(a, b) for a, b in corners)
        )

    def __truediv__(self, other: Number) -> Number:
        if other.low <= 0 <= other.high:
            raise Unclear("a divisor may be 0")
        corners = [(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Number(
            min(DOWN.divide(a, b) for a, b in corners), max(UP.divide(a, b) for a, b in corners)
        )

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{abs(self.low) if self.low == 0 else self.low:f}"
        return f"[{DOWN.create_decimal(self.low):.25g}, {UP.create_decimal(self.high):.25g}]"


def number(value: int | Fraction) -> Number:
    top, bottom = Decimal(value.numerator), Decimal(value.denominator)
    return Number(DOWN.divide(top, bottom), UP.divide(top, bottom))


def widened(low: Decimal, high: Decimal) -> Number:
    """sqrt, exp and ln of `decimal` round to nearest whatever the context says: one step more."""
    return Number(DOWN.next_minus(low), UP.next_plus(high))


def sqrt(x: Number) -> Number:
    return widened(DOWN.sqrt(max(x.low, Decimal(0))), UP.sqrt(x.high))


def exp(x: Number) -> Number:
    return widened(DOWN.exp(x.low), UP.exp(x.high))


def ln(x: Number) -> Number:
    if x.low <= 0:
        raise Unclear("a logarithm of something that may be 0")
    return widened(DOWN.ln(x.low), UP.ln(x.high))


def is_less(a: Number, b: Number) -> bool:
    """Whether a < b for certain; overlapping intervals are an error, not a guess."""
    if a.high < b.low:
        return True
    if a.low >= b.high:
        return False
    raise Unclear("two numbers are too close to be told apart")


def least_of(values: list[Number]) -> Number:
    return Number(min(x.low for x in values), min(x.high for x in values))


def positive_part(a: Number) -> Number:
    return Number(max(a.low, Decimal(0)), max(a.high, Decimal(0)))


def split(credit: Number, need: Number) -> tuple[Number, Number, Number]:
    """min(credit, need), and what is left of each."""
    left, lacking = positive_part(credit - need), positive_part(need - credit)
    return least_of([credit, need]), left, lacking


def total(values: Any) -> Number:
    return sum(values, start=ZERO)


ZERO, ONE = number(0), number(1)


# A claim is computed as its cases.


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
        if self.relation == "<=":
            return b.high < a.low
        if self.relation == "<":
            return b.high <= a.low
        return a.high < b.low or b.high < a.low

    @property
    def is_open(self) -> bool:
        """Whether the intervals of the two sides overlap in more than one exact number."""
        overlap = self.lhs.low <= self.rhs.high and self.rhs.low <= self.lhs.high
        return overlap and (self.lhs != self.rhs or self.lhs.low != self.lhs.high)

    @property
    def margin(self) -> Number:
        is_below = self.relation == "=" and self.lhs.high < self.rhs.low
        return self.rhs - self.lhs if is_below else self.lhs - self.rhs


def case(where: dict[str, Any], lhs: int | Number, relation: str, rhs: int | Number) -> Case:
    sides = [side if isinstance(side, Number) else number(side) for side in (lhs, rhs)]
    return Case(where, sides[0], relation, sides[1])


Claim = Callable[[Any], Iterator[Case]]
CLAIMS: dict[str, Claim] = {}
STRONGER: dict[str, tuple[Fraction, dict[str, str]]] = {}


def claims(
    id: str, *, more: int | Fraction = 0, where: dict[str, str] | None = None, **options: bool
) -> Callable[[Callable[..., Iterator[Case]]], Callable[..., Iterator[Case]]]:
    """What follows computes the claim `id`, with these options.

    The form `id!stronger` adds `more` to lhs, in the cases with that entry in `where`. It is known
    to be false, and its witness shows that the program would have noticed.
    """

    def register(compute: Callable[..., Iterator[Case]]) -> Callable[..., Iterator[Case]]:
        CLAIMS[id] = lambda witness: compute(witness, **options)
        if more:
            STRONGER[id] = Fraction(more), where or {}
        return compute

    return register


# ---- 2. Delays d_1..d_T, a phase of rounds start..end; steps of proofs. --------------------


@dataclass(frozen=True)
class Window:
    delays: list[int]
    start: int
    end: int

    def missing(self, t: int) -> int:
        """How many rounds of the phase before t are without feedback when t is played."""
        return sum(1 for r in range(self.start, t) if t <= r + self.delays[r - 1])

    def mass(self, t: int) -> int:
        """M_t: the number missing, summed over start..t."""
        return sum(self.missing(u) for u in range(self.start, t + 1))

    def delay(self) -> int:
        return sum(self.delays[self.start - 1 : self.end])


def window_of(witness: Any) -> Window:
    parameters = fields(witness.get("parameters"), {"delays", "start", "end"})
    delays = whole_numbers(parameters["delays"])
    start, end = whole(parameters["start"]), whole(parameters["end"])
    if not 1 <= start <= end <= len(delays):
        raise BadFile("start and end are not rounds of the delay sequence")
    return Window(delays, start, end)


@claims("delayed-mass", more=1, where={"inequality": "total"})
def delayed_mass(witness: Any) -> Iterator[Case]:
    """M_t <= M_end <= d_start + ... + d_end."""
    w = window_of(witness)
    last = w.mass(w.end)
    for t in range(w.start, w.end + 1):
        yield case({"inequality": "monotone", "t": t}, w.mass(t), "<=", last)
    yield case({"inequality": "total", "t": w.end}, last, "<=", w.delay())


@claims("delayed-mass/identity", more=1)
def delayed_mass_identity(witness: Any) -> Iterator[Case]:
    """M_end = sum over r of min(d_r, end - r)."""
    w = window_of(witness)
    truncated = sum(min(w.delays[r - 1], w.end - r) for r in range(w.start, w.end + 1))
    yield case({"t": w.end}, w.mass(w.end), "=", truncated)


@claims("delayed-mass/equality-cases", more=1)
def delayed_mass_equality(witness: Any) -> Iterator[Case]:
    """M_end = d_start + ... + d_end if all feedback arrives by `end`, else M_end is less."""
    w = window_of(witness)
    in_time = all(r + w.delays[r - 1] <= w.end for r in range(w.start, w.end + 1))
    yield case({"t": w.end}, w.mass(w.end), "=" if in_time else "<", w.delay())


@claims("missing-feedback/count", more=1)
def missing_count(witness: Any) -> Iterator[Case]:
    """m (m + 1)/2 <= d_start + ... + d_end, with m items missing at end - 1 or at end."""
    w = window_of(witness)
    for at in (w.end - 1, w.end):
        m = sum(1 for u in range(w.start, at + 1) if u + w.delays[u - 1] > at)
        yield case({"at": at}, m * (m + 1) // 2, "<=", w.delay())


@claims("banker-regret/inverse-scale-sum")
@claims("banker-regret/inverse-scale-sum@repaired", more=Fraction(11, 10), repaired=True)
def inverse_scale_sum(witness: Any, *, repaired: bool = False) -> Iterator[Case]:
    """sum of 1/sqrt(age) + d sqrt(ln(M + 1)/M) <= 2 sqrt(N) + sqrt(2 D ln(D + 1)).

    Repaired: with 2 sqrt(D ln(D + 1)) for the last term.
    """
    w = window_of(witness)
    N, D = w.end - w.start + 1, number(w.delay())
    cost = ZERO
    for age, t in enumerate(range(w.start, w.end + 1), start=1):
        cost = cost + ONE / sqrt(number(age))
        if w.missing(t):
            M = number(w.mass(t))
            cost = cost + number(w.missing(t)) * sqrt(ln(M + ONE) / M)
    log = D * ln(D + ONE)
    late = number(2) * sqrt(log) if repaired else sqrt(log + log)
    yield case({"N": N}, cost, "<=", number(2) * sqrt(number(N)) + (late if w.delay() else ZERO))


# Steps of proofs: inequalities in one variable D, from a least value on.

Function = Callable[[Number], Number]


def step(id: str, name: str, *, least: int, lhs: Function, rhs: Function) -> None:
    @claims(id)
    def compute(witness: Any) -> Iterator[Case]:
        D = rational(fields(witness.get("parameters"), {"D"})["D"])
        if least <= D:
            yield case({"bound": name}, lhs(number(D)), "<=", rhs(number(D)))


HALF, QUARTER, TWO = number(Fraction(1, 2)), number(Fraction(1, 4)), number(2)
step(
    "banker-regret/substitution",
    "log",
    least=1,
    lhs=lambda D: ln(sqrt(TWO * D + QUARTER) + HALF),
    rhs=lambda D: HALF * ln(TWO * D + QUARTER),
)
step(
    "banker-regret/inverse-scales",
    "cost",
    least=1,
    lhs=lambda D: TWO * sqrt(D * ln(D + ONE)),
    rhs=lambda D: sqrt(TWO * D * ln(D + ONE)),
)
step(
    "banker-regret/untuned",
    "sum",
    least=1,
    lhs=lambda D: HALF * ln(TWO * D + QUARTER) + TWO,
    rhs=lambda D: number(3) * ln(D + ONE),
)
step(
    "normal-phase/lost-parentheses",
    "cited",
    least=1,
    lhs=lambda D: TWO * sqrt(TWO * D + QUARTER) - ONE,
    rhs=lambda D: TWO * sqrt(D) + QUARTER - ONE,
)
# 0 <= 3/256 sqrt(D/delta) - sqrt(Lambda)/(32 sqrt 2) delta^(-3/4) D^(1/4) - Lambda, where
# delta = 1/(64 D) and Lambda = ln D: the terms are 3/32 D, sqrt(ln D)/2 D and ln D.
step(
    "lower-bound/rate/margin",
    "0 <= bound",
    least=2,
    lhs=lambda D: D * sqrt(ln(D)) * HALF + ln(D) - number(Fraction(3, 32)) * D,
    rhs=lambda D: ZERO,
)


@claims("regularity/negative-entropy/per-path")
@claims("regularity/tsallis/per-path", tsallis=True)
def cost_of_a_step(witness: Any, *, tsallis: bool = False) -> Iterator[Case]:
    """sigma D(p, z) <= C2/sigma, whichever arm a is drawn from x = alpha base + (1 - alpha) c.

    The step moves by u = l_a/(x_a sigma) in coordinate a. Negative entropy: z_a = p_a exp(-u), so
    D = p_a (u + exp(-u) - 1), and C2 = 1/delta. 1/2-Tsallis: 1/sqrt(z_a) = 1/sqrt(p_a) + u, so
    D = (sqrt(p_a) - sqrt(z_a))^2/sqrt(z_a), and C2 = 2/delta. Here p is x, or base if so stated.
    """
    names = {"psi", "base", "comparator", "losses", "alpha", "sigma", "from_base"}
    given = fields(witness.get("parameters"), names)
    base, safe, losses = (
        [positive(v, or_zero=True) for v in entries(given[name])]
        for name in ("base", "comparator", "losses")
    )
    alpha, sigma = positive(given["alpha"]), positive(given["sigma"])
    fits = len(base) == len(safe) == len(losses) and sum(base) == sum(safe) == 1
    if not fits or alpha > 1 or min(base) <= 0 or min(safe) <= 0 or max(losses) > 1:
        raise BadFile("two distributions, losses up to 1 and alpha up to 1 are expected")
    if (given["psi"] == "tsallis") is not tsallis or type(given["from_base"]) is not bool:
        raise BadFile("the regularizer is not that of the claim")
    bound = (2 if tsallis else 1) / (min(safe) * sigma)
    for arm, (b, c) in enumerate(zip(base, safe, strict=True)):
        x = alpha * b + (1 - alpha) * c
        p, u = number(b if given["from_base"] else x), number(losses[arm] / (x * sigma))
        if tsallis:
            root = sqrt(p)
            end = ONE / (ONE / root + u)
            distance = (root - end) * (root - end) / end
        else:
            distance = p * (u + exp(ZERO - u) - ONE)
        yield case({"arm": arm}, number(sigma) * distance, "<=", number(bound))


# ---- 3. Greedy buckets: non-increasing delays with 1 <= d_t <= T + 1 - t. -------------------


@dataclass(frozen=True)
class Buckets:
    delays: list[int]
    spans: list[tuple[int, int]]  # bucket m holds the rounds first..end-1

    def length(self, m: int) -> int:
        return self.spans[m - 1][1] - self.spans[m - 1][0]

    def mass(self, m: int) -> int:
        first, end = self.spans[m - 1]
        return sum(self.delays[first - 1 : end - 1])

    def pairs(self) -> range:
        """Every m that has a bucket m + 1."""
        return range(1, len(self.spans))


def buckets_of(witness: Any, *, ordered: bool = True) -> Buckets:
    """The buckets; none if the claim says nothing about these delays."""
    delays = whole_numbers(fields(witness.get("parameters"), {"delays"})["delays"])
    T = len(delays)
    if any(not 1 <= d <= T + 1 - t for t, d in enumerate(delays, start=1)):
        return Buckets(delays, [])
    if ordered and any(a < b for a, b in pairwise(delays)):
        return Buckets(delays, [])
    spans, first = [], 1
    while first <= T:
        # The end is the number b with t + d_t >= b on first..b-1, with equality for some t.
        fits = (b for b in range(first + 1, T + 2) if least_reach(delays, first, b) == b)
        spans.append((first, next(fits)))
        first = spans[-1][1]
    return Buckets(delays, spans)


def least_reach(delays: list[int], first: int, end: int) -> int:
    return min(t + delays[t - 1] for t in range(first, end))


@claims("greedy-buckets/lengths", more=1)
@claims("greedy-buckets/lengths!unordered", ordered=False)
def bucket_lengths(witness: Any, *, ordered: bool = True) -> Iterator[Case]:
    """L_1 >= L_2 >= ... >= L_M."""
    cut = buckets_of(witness, ordered=ordered)
    for m in cut.pairs():
        yield case({"m": m}, cut.length(m + 1), "<=", cut.length(m))


@claims("greedy-buckets/delay-mass", more=1)
@claims("greedy-buckets/delay-mass!unordered", ordered=False)
def bucket_mass(witness: Any, *, ordered: bool = True) -> Iterator[Case]:
    """The delays of bucket m + 1 add up to at most L_m^2."""
    cut = buckets_of(witness, ordered=ordered)
    for m in cut.pairs():
        yield case({"m": m}, cut.mass(m + 1), "<=", cut.length(m) ** 2)


@claims("greedy-buckets/first-delay", more=1)
def bucket_first_delay(witness: Any) -> Iterator[Case]:
    """L_m <= d at the bucket's first round."""
    cut = buckets_of(witness)
    for m, (first, _) in enumerate(cut.spans, start=1):
        yield case({"m": m}, cut.length(m), "<=", cut.delays[first - 1])


@claims("corollary/linear-total-delay/delayed")
def something_is_missing(witness: Any) -> Iterator[Case]:
    """Buckets of length 1, feedback before round u + d_u: some is missing in some round."""
    cut = buckets_of(witness, ordered=False)
    d = cut.delays
    if cut.spans and all(cut.length(m) == 1 for m in range(1, len(cut.spans) + 1)):
        rounds = range(1, len(d) + 1)
        most = max(sum(1 for u in range(1, t) if t < u + d[u - 1]) for t in rounds)
        yield case({"outstanding": "most"}, 1, "<=", most)


# ---- 4. Prudent-Banker with given actions, in the reading that the witness names. -----------


@dataclass
class Round:
    """What happened in one round; `sigma` is None in the round of a hard restart."""

    stage: int
    phase: int
    start: int
    estimate: int
    alpha: Number
    law: list[Number]
    base: list[Number]
    sigma: Number | None = None
    borrowed: Number = ZERO
    dual: list[Number] = field(default_factory=list)  # where the round's mirror step starts
    ends_softly: bool = False


class Run:
    """The rounds of a run, each computed from the ones before it."""

    def __init__(self, witness: Any) -> None:
        instance = fields(witness.get("instance"), INSTANCE, optional={"delta", "seed", *HEAD})
        self.reading = fields(witness.get("reading"), set(READING))
        self.losses = [[rational(x) for x in entries(row)] for row in entries(instance["losses"])]
        self.delays = whole_numbers(instance["delays"])
        self.actions = whole_numbers(instance["actions"])
        given = [rational(x) for x in entries(instance["comparator"])]
        self.T, self.A = len(self.losses), len(given)
        margin = instance.get("delta")
        self.delta = min(given) / sum(given) if margin is None else rational(margin)
        self.check(given)
        self.comparator = [number(x / sum(given)) for x in given]
        self.C1, self.C2 = ln(number(self.A)), ONE / number(self.delta)
        self.arrivals: dict[int, list[int]] = {}
        for u, d in enumerate(self.delays, start=1):
            self.arrivals.setdefault(u + d, []).append(u)
        self.rounds: list[Round] = []
        self.play()

    def check(self, comparator: list[Fraction]) -> None:
        sizes = {len(row) for row in self.losses} | {self.A}
        lengths = {self.T, len(self.delays), len(self.actions)}
        tiny = Fraction(1, 10**9)
        wrong = {
            "sizes that do not fit": len(sizes) > 1 or len(lengths) > 1 or not 2 <= self.A <= 50,
            "a loss outside [0, 1]": any(not 0 <= x <= 1 for row in self.losses for x in row),
            "an action that is no arm": any(arm >= self.A for arm in self.actions),
            "a comparator that does not sum to 1": abs(sum(comparator, Fraction(-1))) > tiny,
            "a comparator below delta": min(comparator) < self.delta - tiny,
            "a delta that is not positive": self.delta <= 0,
        }
        for name, is_wrong in wrong.items():
            if is_wrong:
                raise BadFile(f"the instance has {name}")
        known = all(self.reading[key] in values for key, values in READING.items() if values)
        bounded = self.reading["slack"] != "tight" or self.reading["delay_sum"] != "arrived"
        if not known or not bounded:
            raise Unknown("this reading of the algorithm is not computed by this script")

    def play(self) -> None:
        uniform = [ONE / number(self.A)] * self.A
        self.stage, self.phase, self.start, self.stage_start = 1, 1, 1, 1
        self.estimate = 1
        self.begin_phase()
        for t in range(1, self.T + 1):
            delay_sum = self.delay_sum(t)
            if delay_sum > self.estimate:
                self.hard_restart(t, delay_sum, uniform)
            else:
                self.normal_round(t)

    def delay_sum(self, t: int) -> int:
        """What the stage test adds up when round t is about to be played."""
        first = self.start if self.reading["delay_scope"] == "phase" else self.stage_start
        d = self.delays
        if self.reading["delay_sum"] == "clairvoyant":
            return sum(d[first - 1 : t])
        earlier = range(first, t)
        if self.reading["delay_sum"] == "arrived":
            return sum(d[u - 1] for u in earlier if u + d[u - 1] < t)
        return sum(min(d[u - 1], t - u) for u in earlier)

    def hard_restart(self, t: int, delay_sum: int, uniform: list[Number]) -> None:
        power = 1 << (delay_sum - 1).bit_length()
        old, choice = self.estimate, self.reading["estimate"]
        self.estimate = {"power-of-two": power, "twice": 2 * delay_sum, "double": 2 * old}[choice]
        self.stage, self.phase, self.start, self.stage_start = self.stage + 1, 1, t + 1, t + 1
        self.begin_phase()
        law = self.mixture(uniform)
        if self.reading["restart_round"] == "comparator":
            law = self.comparator
        self.record(law, uniform)

    def begin_phase(self) -> None:
        D, T = number(self.estimate), number(self.T)
        self.threshold = self.budget(D, T) + self.budget(D, T) + self.slack(D)
        alpha = number(2 ** (self.phase - 1)) / self.budget(D, T)
        self.is_full = not is_less(alpha, ONE)
        self.alpha = ONE if self.is_full else alpha
        self.credit: dict[int, Number] = {}
        self.z: dict[int, list[Number]] = {}  # duals at the end of a mirror step, once it is taken
        self.missing, self.mass = 0, 0  # rounds without feedback, and their number summed over time
        self.sums = [ZERO] * self.A
        self.gap = ZERO

    def budget(self, D: Number, T: Number) -> Number:
        log = ln(D + ONE)
        if self.reading["budget"] == "appendix":
            inner = number(3) * sqrt(T) + number(7) * sqrt(D * log + D * log)
        elif self.reading["budget"] == "main":
            inner = number(10) * (sqrt(T) + sqrt(D * log))
        else:
            return self.rounded(number(positive(self.reading["budget"])))
        return self.rounded(sqrt(self.C1 * self.C2) * inner)

    def rounded(self, budget: Number) -> Number:
        if self.reading["rounding"] == "none":
            return budget
        power = ONE
        while is_less(power, budget):
            power = power + power
        return power

    def slack(self, D: Number) -> Number:
        root = sqrt(number(8) * D + ONE)
        if self.reading["slack"] == "paper":
            return (root - ONE) / number(self.delta)
        if self.reading["slack"] == "tight":
            is_clairvoyant = self.reading["delay_sum"] == "clairvoyant"
            return (root - ONE if is_clairvoyant else root + ONE) / number(2)
        return number(positive(self.reading["slack"], or_zero=True))

    def mixture(self, base: list[Number]) -> list[Number]:
        if self.is_full:
            return base
        rest = ONE - self.alpha
        return [self.alpha * x + rest * c for x, c in zip(base, self.comparator, strict=True)]

    def record(self, law: list[Number], base: list[Number]) -> Round:
        place = (self.stage, self.phase, self.start, self.estimate, self.alpha)
        self.rounds.append(Round(*place, law, base))
        return self.rounds[-1]

    def normal_round(self, t: int) -> None:
        sigma = self.scale(t)
        borrowed, dual = self.pay(t, sigma)
        base = softmax(dual)
        law = self.mixture(base)
        row = self.record(law, base)
        row.sigma, row.borrowed = sigma, borrowed
        from_base = self.reading["update"] == "base" or self.is_full
        row.dual = dual if from_base else [ln(x) for x in law]
        self.credit[t] = sigma
        self.missing += 1
        self.learn(t)
        if not self.is_full and is_less(self.threshold, self.gap):
            row.ends_softly = True
            self.phase, self.start = self.phase + 1, t + 1
            self.begin_phase()

    def scale(self, t: int) -> Number:
        """sigma_t = sqrt(C2/C1) / (1/sqrt(age) + d sqrt(ln(M + 1)/M))."""
        self.mass += self.missing
        term = ONE / sqrt(number(t - self.start + 1))
        if self.missing:
            M = number(self.mass)
            term = term + number(self.missing) * sqrt(ln(M + ONE) / M)
        return sqrt(self.C2 / self.C1) / term

    def pay(self, t: int, sigma: Number) -> tuple[Number, list[Number]]:
        """Draw sigma from the credits of arrived rounds in order; the rest is borrowed from x_0."""
        need, dual = sigma, [ZERO] * self.A
        for u in sorted(self.z):
            if need.high <= 0:
                break
            amount, self.credit[u], need = split(self.credit[u], need)
            weight = amount / sigma
            dual = [a + weight * b for a, b in zip(dual, self.z[u], strict=True)]
            if self.credit[u].high <= 0:
                del self.z[u]
        return need, dual

    def loss_estimate(self, u: int) -> Number:
        arm = self.actions[u - 1]
        return number(self.losses[u - 1][arm]) / self.rounds[u - 1].law[arm]

    def learn(self, t: int) -> None:
        """Take the mirror steps of the phase's rounds whose feedback arrives at the end of t."""
        for u in self.arrivals.get(t, ()):
            if u >= self.start:
                self.missing -= 1
                row, arm, loss = self.rounds[u - 1], self.actions[u - 1], self.loss_estimate(u)
                assert row.sigma is not None
                self.z[u] = moved(row.dual, arm, loss / row.sigma)
                self.sums[arm] = self.sums[arm] + loss
                self.gap = self.gap + loss * (self.comparator[arm] - row.base[arm])
        if self.reading["gap"] == "best-response":
            weighted = total(g * c for g, c in zip(self.sums, self.comparator, strict=True))
            self.gap = weighted - least_of(self.sums)

    # The paper's phases, and the rounds that end a stage.

    def phases(self) -> Iterator[tuple[int, int, int]]:
        """(stage, start, end); a hard-restart round is the last of the phase that it ends."""
        first = None
        for t, row in enumerate(self.rounds, start=1):
            first = t if first is None and row.sigma is not None else first
            if first is not None and (row.ends_softly or row.sigma is None or t == self.T):
                yield self.rounds[first - 1].stage, first, t
                first = None

    def stage_changes(self) -> Iterator[tuple[int, int, int, int]]:
        """(t, start of the phase that round t ends, estimate before, estimate after)."""
        for t, row in enumerate(self.rounds, start=1):
            if row.sigma is None:
                last = self.rounds[t - 2] if t > 1 else None
                start = t if last is None or last.ends_softly else last.start
                yield t, start, last.estimate if last else 1, row.estimate

    def delay(self, start: int, end: int) -> int:
        return sum(self.delays[start - 1 : end])


INSTANCE = {"losses", "delays", "comparator", "actions"}
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


def softmax(dual: list[Number]) -> list[Number]:
    """exp(x_i) / sum_j exp(x_j), written so that intervals do not grow needlessly."""
    return [
        ONE / (ONE + total(exp(y - x) for j, y in enumerate(dual) if j != i))
        for i, x in enumerate(dual)
    ]


def moved(dual: list[Number], arm: int, by: Number) -> list[Number]:
    return [x - by if i == arm else x for i, x in enumerate(dual)]


# ---- 5. Claims about runs. ------------------------------------------------------------------


@claims("doubling-estimate", more=2, where={"side": "upper"})
def doubling_estimate(witness: Any) -> Iterator[Case]:
    """When a stage ends: old estimate <= new estimate < 2 (delays of its last phase)."""
    run = Run(witness)
    for t, start, before, after in run.stage_changes():
        yield case({"side": "lower", "t": t}, before, "<=", after)
        yield case({"side": "upper", "t": t}, after, "<", 2 * run.delay(start, t))


@claims("doubling-estimate/every-phase")
def doubling_every_phase(witness: Any) -> Iterator[Case]:
    """The same upper bound with the delays of any phase of the stage."""
    run = Run(witness)
    following = {run.rounds[t - 1].stage - 1: after for t, _, _, after in run.stage_changes()}
    for stage, start, end in run.phases():
        if stage in following:
            bound = 2 * run.delay(start, end)
            yield case({"start": start, "end": end}, following[stage], "<", bound)


@claims("doubling-estimate/number-of-stages", more=1)
def number_of_stages(witness: Any) -> Iterator[Case]:
    """S <= ceil(log2 D) + 1 if D >= 1."""
    run = Run(witness)
    D = sum(run.delays)
    if D >= 1:
        stages = 1 + len(list(run.stage_changes()))
        yield case({"D": D}, stages, "<=", (D - 1).bit_length() + 1)


@claims("doubling-estimate@repaired", more=1, where={"side": "lower"})
def doubling_repaired(witness: Any) -> Iterator[Case]:
    """2 (old estimate) <= new estimate <= 2 (d_1 + ... + d_t)."""
    run = Run(witness)
    for t, _, before, after in run.stage_changes():
        yield case({"side": "lower", "t": t}, 2 * before, "<=", after)
        yield case({"side": "upper", "t": t}, after, "<=", 2 * run.delay(1, t))


@claims("banker-pathwise", more=Fraction(1, 1000))
def banker_pathwise(witness: Any) -> Iterator[Case]:
    """sum <l_t, x_t - y> <= B D(y, x_0) + sum sigma_t D(x_t, z~_t) - sum v_u D(y, z_u)."""
    run = Run(witness)
    for _, start, end in run.phases():
        played = [t for t in range(start, end + 1) if run.rounds[t - 1].sigma is not None]
        for y in range(run.A):
            regret = total(regret_of(run, t, y) for t in played)
            yield case({"start": start, "y": y}, regret, "<=", mirror_bound(run, played, y))


def regret_of(run: Run, t: int, y: int) -> Number:
    """<l_t, x_t - y> at a vertex y, with the loss estimate of round t, arrived or not."""
    arm = run.actions[t - 1]
    return run.loss_estimate(t) * (run.rounds[t - 1].base[arm] - (ONE if arm == y else ZERO))


def mirror_bound(run: Run, played: list[int], y: int) -> Number:
    """The right-hand side for negative entropy at a vertex y, where D(y, z) = -ln z_y."""
    bound = total(run.rounds[t - 1].borrowed for t in played) * ln(number(run.A))
    credit = credits_left(run, played)
    for t in played:
        row, arm = run.rounds[t - 1], run.actions[t - 1]
        assert row.sigma is not None
        point = row.base if run.reading["update"] == "base" else row.law
        move = run.loss_estimate(t) / row.sigma
        dual = moved([ln(x) for x in point], arm, move)
        free = [exp(x) for x in dual]  # the step's end before it is projected
        gap = [x * (ln(x) - d) + z - x for x, d, z in zip(row.base, dual, free, strict=True)]
        bound = bound + row.sigma * total(gap) + credit[t] * ln(softmax(dual)[y])
    return bound


def missing_items(run: Run) -> Iterator[tuple[int, int, list[int]]]:
    """(start, end, M) of phases with alpha < 1; M: rounds before end-1 that are missing then."""
    for _, start, end in run.phases():
        M = [u for u in range(start, end - 1) if u + run.delays[u - 1] > end - 1]
        if M and is_less(run.rounds[start - 1].alpha, ONE):
            yield start, end, M


def worst_item(run: Run, u: int) -> Number:
    """The largest <l_u, x^c - x> over x, which avoids the arm that was played."""
    return run.loss_estimate(u) * run.comparator[run.actions[u - 1]]


def worst_total(run: Run, M: list[int]) -> Number:
    """The largest sum over u in M of <l_u, x^c - x> over x, which is the arm of least estimate."""
    losses = [
        total(run.loss_estimate(u) for u in M if run.actions[u - 1] == i) for i in range(run.A)
    ]
    weighted = total(g * c for g, c in zip(losses, run.comparator, strict=True))
    return weighted - least_of(losses)


@claims("missing-feedback/per-item", more=Fraction(3, 2))
@claims("missing-feedback/per-item@repaired", more=Fraction(3, 2), repaired=True)
def missing_per_item(witness: Any, *, repaired: bool = False) -> Iterator[Case]:
    """<l_u, x^c - x> <= 2 for u in M; repaired: <= 1/(1 - alpha)."""
    run = Run(witness)
    for start, _, M in missing_items(run):
        bound = ONE / (ONE - run.rounds[start - 1].alpha) if repaired else number(2)
        for u in M:
            yield case({"u": u}, worst_item(run, u), "<=", bound)


@claims("missing-feedback", more=3)
@claims("missing-feedback@repaired", more=3, repaired=True)
def missing_total(witness: Any, *, repaired: bool = False) -> Iterator[Case]:
    """Their sum <= 2 sqrt(2 D + 1/4) - 1, D the delays of the phase; repaired: <= m/(1 - alpha)."""
    run = Run(witness)
    for start, end, M in missing_items(run):
        root = sqrt(number(Fraction(8 * run.delay(start, end) + 1, 4)))
        bound = root + root - ONE
        if repaired:
            bound = number(len(M)) / (ONE - run.rounds[start - 1].alpha)
        yield case({"start": start}, worst_total(run, M), "<=", bound)


def credits_left(run: Run, played: list[int]) -> dict[int, Number]:
    """What remains of each round's scale at the end of the phase."""
    ledger: dict[int, Number] = {}
    for t in played:
        row = run.rounds[t - 1]
        assert row.sigma is not None
        need = row.sigma
        for u in sorted(ledger):
            if u + run.delays[u - 1] < t and need.high > 0 and ledger[u].high > 0:
                _, ledger[u], need = split(ledger[u], need)
        ledger[t] = row.sigma
    return ledger


# ---- 6. Judging a witness. ------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """What came of checking one witness."""

    status: str
    detail: str


def cases_of(claim: str, witness: Any) -> Iterator[Case]:
    """Every case of a claim for the subject of a witness."""
    id, _, form = claim.partition("!")
    if claim in CLAIMS:
        return CLAIMS[claim](witness)
    if form != "stronger" or id not in STRONGER:
        raise Unknown(f"{claim!r} is not computed by this script")
    return raised(CLAIMS[id](witness), *STRONGER[id])


def raised(cases: Iterator[Case], by: Fraction, only: dict[str, str]) -> Iterator[Case]:
    for each in cases:
        is_meant = only.items() <= each.where.items()
        more = each.lhs + number(by) if is_meant else each.lhs
        yield Case(each.where, more, each.relation, each.rhs)


def examine(witness: Any) -> Finding:
    """Compute a witness again."""
    subject = {"instance", "parameters"} & witness.keys() if isinstance(witness, dict) else set()
    required = {"format", "claim", "reading", "where", "lhs", "rhs", "margin", *subject}
    fields(witness, required, optional=HEAD)
    if witness["format"] != "pbverify/witness-1" or len(subject) != 1:
        raise BadFile("a pbverify/witness-1 with an instance or with parameters is expected")
    claim, finding = text(witness["claim"]), Finding("NOT CONFIRMED", "")
    for digits in DIGITS:
        DOWN.prec = UP.prec = digits
        try:
            return judged(witness, list(cases_of(claim, witness)))
        except Unknown as error:
            return Finding("UNKNOWN CLAIM", str(error))
        except Unclear as error:
            finding = Finding("NOT CONFIRMED", f"undecided at {digits} digits: {error}")
    return finding


def judged(witness: Any, found: list[Case]) -> Finding:
    """What the cases say about the one that the witness names."""
    there = [each for each in found if each.where == place(witness["where"])]
    failing = [each for each in there if each.fails]
    if not failing and any(each.is_open for each in there):
        raise Unclear("the two sides are too close to be told apart")
    if not failing:
        shown = "; ".join(map(numbers, there[:3])) or "the claim has no such case here"
        return Finding("NOT CONFIRMED", shown)
    return compared(witness, failing[0])


def compared(witness: Any, found: Case) -> Finding:
    """Confirmed only if the file states the numbers that were computed."""
    computed = {"lhs": found.lhs, "rhs": found.rhs, "margin": found.margin}
    wrong = [name for name, value in computed.items() if not is_stated(witness[name], value)]
    if wrong:
        return Finding("NOT CONFIRMED", f"{numbers(found)}; the file differs in {', '.join(wrong)}")
    return Finding("CONFIRMED", numbers(found))


def numbers(found: Case) -> str:
    verdict = "fails" if found.fails else "is not seen to fail"
    shown = f"lhs = {found.lhs}, rhs = {found.rhs}, margin = {found.margin}"
    return f"lhs {found.relation} rhs {verdict}: {shown}"


NUMERAL = r"[+-]?\d[\d.]{0,300}(?:[eE][+-]?\d{1,3})?"


def is_stated(value: Any, computed: Number) -> bool:
    """Whether a stated number ("3", "1/2", "[0.25 +/- 1e-9]") can be the computed one."""
    ball = re.fullmatch(rf"\[({NUMERAL})? ?\+/- ({NUMERAL})\]", text(value), re.ASCII)
    middle, radius = (ball[1] or "0", ball[2]) if ball else (value, "0")
    try:
        m, r = rational(middle), rational(radius)
    except BadFile:
        return False
    says_something = r <= max(abs(m), Fraction(1)) / 10**6
    overlaps = number(m - r).low <= computed.high and computed.low <= number(m + r).high
    return says_something and overlaps


# Every value of a file is checked before it is used.


HEAD = {"format", "version", "paper_sha256"}


def fields(value: Any, required: set[str], *, optional: set[str] | None = None) -> Any:
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
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_ROUNDS:
        raise BadFile(f"a list of 1 to {MOST_ROUNDS} entries is expected")
    return value


def whole_numbers(value: Any) -> list[int]:
    return [whole(item) for item in entries(value)]


def whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**53:
        raise BadFile("a whole number from 0 to 2^53 - 1 is expected")
    return value


def rational(value: Any) -> Fraction:
    """An exact number: a JSON number as it was written, or the text of one or of a quotient."""
    shown = str(value) if type(value) in (int, Decimal) else text(value)
    if not re.fullmatch(rf"{NUMERAL}|[+-]?\d{{1,300}}/\d{{1,300}}", shown, re.ASCII):
        raise BadFile("a number is expected")
    try:
        return Fraction(shown)
    except (ValueError, ZeroDivisionError) as error:
        raise BadFile("a number is expected") from error


def positive(value: Any, *, or_zero: bool = False) -> Fraction:
    found = rational(value)
    if found < 0 or (found == 0 and not or_zero):
        raise BadFile("a positive number is expected")
    return found


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
    codes = {"CONFIRMED": 0, "NOT CONFIRMED": 1, "UNKNOWN CLAIM": 3}
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
