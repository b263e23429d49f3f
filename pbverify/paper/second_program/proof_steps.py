"""Steps of proofs: inequalities lhs <= rhs in a few numbers, each claimed on a domain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from .budgets import QUARTER, printed_budget
from .claims import MARGIN, Case, Unknown, are_admitted, case, claim, dropped
from .intervals import exp, ln, number, sqrt
from .witness_file import BadFile, fields, rational, rationals, whole


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
    "lower-bound/rate/own-guarantee",
    "log2 D + 1 <= log D",
    lambda D: D >= 2,
    lambda D: (ln(D) / ln(number(2)) + 1, ln(D)),
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
    "global/random-phases",  # phase 1 pays 1 in the mean and ends softly with chance p
    "two phases",
    lambda p: 0 <= p <= Fraction(1, 2),
    lambda p: (p * -1 + (1 - p) * ((1 + p) / (1 - p)) + 2 * p, number(1)),
)
step(
    "global/safety-order",
    "order",
    lambda D, y: D >= 1 and D.denominator == 1 and y >= 1,
    lambda D, y: (ln(D) / ln(number(2)) + 1, y * ln(D) / ln(number(2))),
)


@claim("regularity/negative-entropy/conjugate")
def conjugates(witness: Any) -> Iterator[Case]:
    """ln sum exp(theta_i) = sum exp(theta_i - 1), with s for the latter: 1 + ln s = s."""
    s = rational(fields(witness.get("parameters"), {"s"})["s"])
    if s > 0:
        yield case({"bound": "conjugates"}, 1 + ln(number(s)), "=", number(s))


@claim("experiment/columns")
def first_column(witness: Any) -> Iterator[Case]:
    """1/100 <= 2 min(P(D <= 0), P(D >= 0)); each round is on time with chance 0.97."""
    given = fields(witness.get("parameters"), {"regime", "total", "rounds"})
    if given["regime"] != "fixed" or whole(given["total"]) != 0:
        raise Unknown("only a column without delay is computed by this script")
    chance = exp(ln(number(Fraction(97, 100))) * whole(given["rounds"]))
    yield case({"regime": "fixed"}, Fraction(1, 100), "<=", 2 * chance)


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
