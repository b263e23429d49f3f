"""The paper's formulas against an independent, hand-written text of each of them."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from flint import arb

from pbverify.numerics import FloatArithmetic, to_arb, to_fmpq, working_precision
from pbverify.numerics.formula import Formula
from pbverify.paper.formulas import algorithm, geometry, lower, phases, theorem, upper

ln, sqrt, mpf, quarter = mpmath.log, mpmath.sqrt, mpmath.mpf, mpmath.mpf(1) / 4


def entropy(y: Any) -> Any:
    return y * ln(y)


def tsallis(y: Any) -> Any:
    return -2 * sqrt(y)


def power(x: Any, top: int, bottom: int) -> Any:
    return mpmath.power(x, mpf(top) / bottom)


def leading(V: Any, L: Any, delta: Any) -> Any:
    return mpf(3) / 256 * power(delta, -1, 2) * sqrt(V / L)


def second(V: Any, L: Any, delta: Any, Lambda: Any) -> Any:
    return sqrt(Lambda) / (32 * sqrt(2)) * power(delta, -3, 4) * power(V / L, 1, 4)


def raw(gamma: Any, V: Any, L: Any, delta: Any, Lambda: Any) -> Any:
    share = delta + Lambda / (gamma * sqrt(V))
    return gamma * sqrt(V) * (1 - share - 4 * gamma * sqrt(L * share))


def log2(x: Any) -> Any:
    return mpmath.log(x, 2)


def phase(R: Any, D: Any, delta: Any) -> Any:
    return 4 * R + (sqrt(16 * D + 1) - 1) / delta + sqrt(8 * D + 1) + 1


def repaired_stage(R: Any, D: Any) -> Any:
    return (2 + log2(R)) * (8 * R + mpf(3) / 2 * sqrt(16 * D + 1) + mpf(7) / 2) + 8 * R + 1


def late_start(T: Any, R: Any, D: Any, delta: Any) -> Any:
    return late_by(T - 1, R, D, delta)


def late_start_arrived(T: Any, R: Any, D: Any, delta: Any) -> Any:
    return late_by((T - 4) / 2, R, D, delta)


def late_by(rounds: Any, R: Any, D: Any, delta: Any) -> Any:
    gap = 2 * R + sqrt(8 * D + 1) / delta - 1 / delta
    return ((R - 1) / R) ** 2 * (1 - delta) * rounds / (rounds / gap + 1)


ALGORITHM: dict[str, Callable[..., Any]] = {
    "ENTROPY_C1": lambda A: ln(A),
    "ENTROPY_C2": lambda delta: 1 / delta,
    "TSALLIS_C1": lambda A: 2 * (sqrt(A) - 1),
    "TSALLIS_C2": lambda delta: 2 / delta,
    "DELAY_TERM": lambda d, D: d * sqrt(ln(D + 1) / D),
    "SCALE_RATIO": lambda C1, C2: sqrt(C2 / C1),
    "SCALE_OF_RATIO": lambda r, t, w: r / (1 / sqrt(t) + w),
    "SCALE": lambda C1, C2, t, w: sqrt(C2 / C1) / (1 / sqrt(t) + w),
    "SCALE_IN_FULL": lambda C1, C2, t, d, D: (
        sqrt(C2 / C1) / (1 / sqrt(t) + d * sqrt(ln(D + 1) / D))
    ),
    "BUDGET_APPENDIX": lambda C1, C2, T, D: (
        sqrt(C1 * C2) * (3 * sqrt(T) + 7 * sqrt(2) * sqrt(D * ln(D + 1)))
    ),
    "BUDGET_MAIN": lambda C1, C2, T, D: 10 * sqrt(C1 * C2) * (sqrt(T) + sqrt(D * ln(D + 1))),
    "SLACK_PAPER": lambda D, delta: (sqrt(8 * D + 1) - 1) / delta,
    "THRESHOLD": lambda R, D, delta: 2 * R + (sqrt(8 * D + 1) - 1) / delta,
    "SLACK_CLAIRVOYANT": lambda D: (sqrt(8 * D + 1) - 1) / 2,
    "SLACK_ELAPSED": lambda D: (sqrt(8 * D + 1) + 1) / 2,
    "BANKER_REGRET_UNTUNED": lambda T, D, C1, C2: (
        (C1 + 2 * C2) * sqrt(T) + (3 * C1 + 2 * C2) * sqrt(D * ln(D + 1))
    ),
    "BANKER_REGRET": lambda T, D, C1, C2: (
        sqrt(C1 * C2) * (3 * sqrt(T) + 7 * sqrt(2 * D * ln(D + 1)))
    ),
    "NORMAL_PHASE_REGRET": lambda R, D, delta: (
        4 * R + (sqrt(16 * D + 1) - 1) / delta + sqrt(8 * D + 1) + 1
    ),
    "MISSING_TOTAL": lambda D: 2 * sqrt(2 * D + mpf(1) / 4) - 1,
}
GEOMETRY: dict[str, Callable[..., Any]] = {
    "ENTROPY": entropy,
    "ENTROPY_HESSIAN": lambda y: mpmath.diff(entropy, y, 2),
    "ENTROPY_DUAL_HESSIAN": lambda theta: mpmath.e**theta / mpmath.e,
    "ENTROPY_DIVERGENCE": lambda A, y: entropy(A * y) / A,
    "ENTROPY_PER_ARM": lambda x: mpf(1) / 2 / x,
    "ENTROPY_EXPECTED": lambda A: A / 2,
    "TSALLIS": tsallis,
    "TSALLIS_HESSIAN": lambda y: mpmath.diff(tsallis, y, 2),
    "TSALLIS_DUAL_HESSIAN": lambda t: mpmath.diff(lambda s: -1 / s, -t, 2),
    "TSALLIS_DIVERGENCE": lambda y, b: (
        tsallis(y) - tsallis(b**-2) - mpmath.diff(tsallis, b**-2) * (y - b**-2)
    ),
    "TSALLIS_PER_ARM": lambda x: x ** (-mpf(1) / 2),
    "TSALLIS_PER_ARM_BOUND": lambda x, delta: sqrt(x) / (delta / 2),
    "TSALLIS_EXPECTED": lambda A: sqrt(A),
}
LOWER: dict[str, Callable[..., Any]] = {
    "SIGNAL": lambda gamma, l, V: gamma * l / sqrt(V),  # noqa: E741
    "GAMMA": lambda L, delta: 1 / (32 * sqrt(L * delta)),
    "LEAST_MARGIN": lambda L, V: L / (64 * V),
    "KL": lambda epsilon: (
        (mpf(1) / 2 + epsilon) * ln((1 + 2 * epsilon) / (1 - 2 * epsilon))
        + (mpf(1) / 2 - epsilon) * ln((1 - 2 * epsilon) / (1 + 2 * epsilon))
    ),
    "KL_BOUND": lambda epsilon: 16 * epsilon * epsilon,
    "KL_TOTAL": lambda gamma, L, W: 16 * gamma**2 * L * W,
    "PINSKER": lambda K: sqrt(K / 2),
    "PINSKER_SHARP": lambda gamma, L, W: 2 * sqrt(2) * gamma * sqrt(L * W),
    "PINSKER_LOOSE": lambda gamma, L, W: 4 * gamma * sqrt(L * W),
    "SAFE_SHARE": lambda delta, Lambda, gamma, V: delta + Lambda / (gamma * sqrt(V)),
    "SAFETY_REGRET": lambda gamma, V, W, delta: gamma * sqrt(V) * (W - delta),
    "BEST_ARM_REGRET": lambda gamma, V, W: gamma * sqrt(V) * (1 - W),
    "REGRET_RAW": raw,
    "REGRET_FACTOR": lambda delta, gamma, L: 1 - delta - 4 * gamma * sqrt(L * delta),
    "REGRET_CROSS": lambda Lambda, gamma, V, L: (
        4 * sqrt(Lambda) * power(gamma, 3, 2) * power(V, 1, 4) * sqrt(L)
    ),
    "REGRET_SPLIT": lambda gamma, V, L, delta, Lambda: (
        gamma * sqrt(V) * (1 - delta - 4 * gamma * sqrt(L * delta))
        - Lambda
        - 4 * sqrt(Lambda) * power(gamma, 3, 2) * power(V, 1, 4) * sqrt(L)
    ),
    "LEADING": leading,
    "SECOND": second,
    "B_LAMBDA": lambda V, L, delta, Lambda: (
        leading(V, L, delta) - second(V, L, delta, Lambda) - Lambda
    ),
    "HIDDEN_BOUND": lambda H, V, L, delta, Lambda: (
        leading(H, L, delta) - second(V, L, delta, Lambda) - Lambda
    ),
    "BLOCK_KL_TOTAL": lambda gamma: 16 * gamma**2,
    "BLOCK_GAMMA": lambda: mpf(1) / 32,
    "BLOCK_BOUND": lambda V, Lambda: mpf(3) / 256 * sqrt(V) - Lambda,
    "HORIZON": lambda N, q: (N + 1) * q,
    "TOTAL_DELAY": lambda N, q: N * q**2 + q * (q + 1) / 2,
    "SQUARES": lambda N, q: (N + 1) * q**2,
    "SQUARES_OVER_LENGTH": lambda D, q: D / q + (q - 1) / 2,
    "HIDDEN_OVER_LENGTH": lambda D, q: D / q - q,
    "MARGIN_OF_COROLLARY": lambda D, q: 1 / (64 * (D / q + (q - 1) / 2)),
    "UNIT_BOUND": lambda D, delta: (
        mpf(3) / 256 * power(delta, -1, 2) * sqrt(D)
        - sqrt(ln(D)) / (32 * sqrt(2)) * power(delta, -3, 4) * power(D, 1, 4)
        - ln(D)
    ),
    "DELAY_RATE": lambda D, delta: power(delta, -1, 2) * sqrt(D),
    "TIME_RATE": lambda T, delta: power(delta, -1, 2) * sqrt(T),
    "LOWER_ORDER": lambda T, D, delta: (
        power(delta, -3, 4) * power(T, 1, 4) + power(delta, -3, 4) * power(D, 1, 4)
    ),
}
PHASES: dict[str, Callable[..., Any]] = {
    "AGGRESSION": lambda P, R: P / R,
    "MISSING_ITEM": lambda a, delta: 1 / (delta - a * delta),
    "ROUNDED_AGGRESSION": lambda j: 1 / 2 ** (j + 1),
    "BASE_TERM": lambda P, R: P + P / R,
    "EXIT_FIRST": lambda a, R, xi, y: a * (y - R - xi),
    "EXIT_SECOND": lambda a, R, xi, y: a * (y - R - xi),
}
THEOREM: dict[str, Callable[..., Any]] = {
    "STAGES_LEAST": lambda D: log2(2 * D),
    "STAGES_MOST": lambda D: log2(4 * D),
    "PHASES_LEAST": lambda R: log2(2 * R),
    "PHASES_MOST": lambda R: log2(4 * R),
    "STAGE_SUM": lambda K, R, D, delta: K * phase(R, D, delta) + R,
    "TOTAL": lambda S, K, R, D, delta: S * K * phase(R, D, delta) + S * R,
    "STAGE_RATE": lambda R, D: R + sqrt(D),
    "RATE": lambda C1, C2, T, D: sqrt(C1 * C2 * T) + sqrt(C1 * C2 * D),
    "POLYLOG": lambda T, D, A: ln(mpmath.e * (1 + T)) * ln(mpmath.e * (1 + D)) * ln(mpmath.e * A),
    "POLYLOG_AS_PRINTED": lambda T, A: ln(mpmath.e * (1 + T)) * ln(mpmath.e * A),
    "ARMS_RATE": lambda A, T, D: sqrt(A) * (sqrt(T * ln(A)) + sqrt(D)),
    "NO_DELAY_RATE": lambda T, A, delta: sqrt(T / delta * ln(A)),
    "SLACK_REMARK": lambda D, delta: sqrt(D) / sqrt(delta),
    "SLACK_ORDER": lambda D, delta: sqrt(D) / delta,
    "LATE_START": late_start,
    "LATE_START_ARRIVED": late_start_arrived,
    "GEOMETRIC_SUM": lambda k: 2**k / 2 - 1,
    "CASE_A": lambda: mpf(1),
    "CASE_B": lambda R, k: R - 2**k / 2 + 1,
    "PHASE_REPAIRED": lambda R, D: 8 * R + mpf(3) / 2 * sqrt(16 * D + 1) + mpf(7) / 2,
    "STAGE_REPAIRED": repaired_stage,
    "TOTAL_REPAIRED": lambda R, D: log2(4 * D) * repaired_stage(R, D),
    "TOTAL_NO_DELAY": lambda R, delta: (2 + log2(R)) * (2 * R + 2 / delta + 2) + R,
}
UPPER: dict[str, Callable[..., Any]] = {
    "RATIO_SLOPE": lambda x: 1 - 1 / (1 + x),
    "TRAPEZOID": lambda x: x * (2 + x) / (2 + 2 * x),
    "HARMONIC_LINE": lambda m: 1 / m + ln(m - 1) + mpf("0.5772156650") + mpf(1) / (2 * m - 2),
    "LOG_PLUS_TWO": lambda m: ln(m * mpmath.e**2),
    "CONCURRENCY": lambda D: (1 + sqrt(8 * D + 1)) / 2,
    "CONCURRENCY_TRUE": lambda D: (sqrt(8 * D + 1) - 1) / 2,
    "HALF_LOG": lambda D: ln(sqrt(2 * D + quarter)),
    "BORROWING_FACTOR": lambda D: 2 + ln(sqrt(2 * D + quarter)),
    "BORROWING_BOUND": lambda N, D: (
        sqrt(N) + sqrt(D / ln(D + 1)) * ln(2 * D + quarter) / 2 + 2 * sqrt(D / ln(D + 1))
    ),
    "ROOT_STEP": lambda u, w: ((u + w) ** 2 - u**2) / (u + w),
    "ROOT_GAIN": lambda w: w + w,
    "COST_LINE": lambda D: sqrt(4 * D * ln(D + 1)),
    "COST_PRINTED": lambda D: sqrt(2) * sqrt(D * ln(D + 1)),
    "COST_SUM": lambda N, D: sqrt(4 * N) + sqrt(ln(D + 1)) * 2 * sqrt(D),
    "COST_SUM_PRINTED": lambda N, D: sqrt(4 * N) + sqrt(2 * D * ln(D + 1)),
    "UNTUNED_REGRET": lambda C1, C2, N, D: (
        C1 * (sqrt(N) + 3 * sqrt(D * ln(D + 1))) + 2 * C2 * (sqrt(N) + sqrt(D * ln(D + 1)))
    ),
    "TUNED_LINE": lambda C1, C2, N, D: (
        sqrt(C1 * C2)
        * (
            3 * sqrt(N)
            + sqrt(D / ln(D + 1)) * (2 + ln(sqrt(2 * D + quarter)))
            + sqrt(2 * D * ln(D + 1))
        )
    ),
    "NORMAL_LINE": lambda a, R, D, delta: (
        a * (R + 1) + (1 - a) * (2 * R + (sqrt(8 * D + 1) - 1) / delta + sqrt(8 * D + 1) + 1)
    ),
    "MISSING_ROOT": lambda D: sqrt(2 * D + quarter) - mpf(1) / 2,
    "LOST_PARENTHESES": lambda D: 2 * sqrt(D) - 3 * quarter,
    "DOUBLED_LOG": lambda D: ln(1 + 2 * D),
    "DOUBLE_LOG": lambda D: ln((D + 1) ** 2),
    "SLACK_OF_DOUBLE": lambda D, delta: (sqrt(16 * D + 1) - 1) / delta,
    "SLACK_PRINTED": lambda D, delta: (sqrt(16 * D + 1) - 1) / delta,
    "ITEMS_OVER_MARGIN": lambda D, delta: (sqrt(8 * D + 1) - 1) / delta,
    "MIXED": lambda a, R, x: 4 * R + x + 1 - a * (2 * R + x),
    "UNMIXED": lambda R, x: x + 4 * R + 1,
}


def points(names: str, *rows: str) -> list[Mapping[str, Fraction]]:
    return [dict(zip(names.split(), map(Fraction, row.split()), strict=True)) for row in rows]


POINTS = {
    algorithm: points(
        "T A D delta C1 C2 t d w R r",
        "1 2 1 1/2 7/10 2 1 1 1/3 17 5/3",
        "100 3 64 1/1000 11/10 1000 7 5 2/7 300 30",
        "20000 10 1048576 1/10 9/4 10 19999 300 5 1/9 2",
        "12345 1000 77 1/3000 7 3000 12345 2 1/1000 12345 21",
    ),
    geometry: points("y A b t x delta theta", "1/3 5 7/4 9/2 2/7 1/9 -3/4"),
    lower: points(
        "L l V D H T q N W K delta gamma Lambda epsilon",
        "2 1 5 7 3 6 2 2 1/3 1/5 1/4 1/16 1/2 1/8",
        "10 3 1000 5000 400 900 10 30 1/7 2 1/50 1/3 7 1/5",
        "3 3 99 99 11 33 3 10 9/10 1/100 1/9 5 1/1000 1/100",
    ),
    phases: points("a R xi y P j delta", "1/3 7 5/2 2/9 4 3 1/8"),
    theorem: points(
        "T A D R delta C1 C2 S K k",
        "1 2 1 4 1/2 7/10 2 1 2 1",
        "20000 10 977 300 1/99 9/4 99 11 9 7",
    ),
    upper: points(
        "D m x u w a R delta N C1 C2",
        "1 2 1/2 3 1/7 1/3 9 1/2 3 7/10 2",
        "97 13 8 1/9 5 1 1/9 1/99 4000 5 77",
    ),
}
BY_HAND = {
    algorithm: ALGORITHM,
    geometry: GEOMETRY,
    lower: LOWER,
    phases: PHASES,
    theorem: THEOREM,
    upper: UPPER,
}
EACH = pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module in BY_HAND for name in BY_HAND[module]]
)


def formula_of(module: types.ModuleType, name: str) -> Formula:
    formula: Formula = getattr(module, name)
    return formula


@pytest.mark.parametrize("module", BY_HAND)
def test_every_formula_is_written_twice(module: types.ModuleType) -> None:
    """No formula lacks its independent counterpart in the module that it belongs to."""
    names = {name for name, value in vars(module).items() if isinstance(value, Formula)}
    borrowed = set() if module is algorithm else set(ALGORITHM)
    assert names - borrowed == BY_HAND[module].keys()


@EACH
def test_enclosures_hold_the_formula_of_the_paper(module: types.ModuleType, name: str) -> None:
    """The ball agrees with the hand-written expression to 50 digits, or 20 for derivatives."""
    formula, tolerance = formula_of(module, name), "1e-20" if module is geometry else "1e-50"
    for point in POINTS[module]:
        values = {key: point[key] for key in formula.variables}
        with mpmath.workdps(120):
            numbers = {key: mpf(v.numerator) / v.denominator for key, v in values.items()}
            text = mpmath.nstr(BY_HAND[module][name](**numbers), 110)
        with working_precision(400) as balls:
            ball = to_arb(formula(balls, **{key: to_fmpq(v) for key, v in values.items()}))
            assert abs(ball - arb(text)) <= arb(tolerance) * abs(arb(text))


@EACH
def test_doubles_lie_near_the_enclosure(module: types.ModuleType, name: str) -> None:
    """The value in doubles is within 1e-12 of the enclosure, or within 1e-9 where sides cancel."""
    formula = formula_of(module, name)
    rel, abs_ = (1e-9, 1e-9) if module is lower else (1e-12, 0)
    for point in POINTS[module]:
        values = {key: point[key] for key in formula.variables}
        rough = formula(FloatArithmetic(), **{key: float(v) for key, v in values.items()})
        with working_precision(128) as balls:
            ball = to_arb(formula(balls, **{key: to_fmpq(v) for key, v in values.items()}))
            assert rough == pytest.approx(float(ball.mid()), rel=rel, abs=abs_)


@EACH
def test_formulas_say_what_they_are(module: types.ModuleType, name: str) -> None:
    """A formula has a name, and the algorithm's a label."""
    formula = formula_of(module, name)
    assert formula.name
    assert module is not algorithm or all(formula.label.partition(":"))


def test_slack_of_a_triangular_sum_is_exact() -> None:
    """At D = n(n+1)/2 the tight slacks are the integers n and n + 1."""
    with working_precision(64) as balls:
        for n in range(1, 50):
            D = balls.exact(n * (n + 1) // 2)
            assert algorithm.SLACK_CLAIRVOYANT(balls, D=D) == n
            assert algorithm.SLACK_ELAPSED(balls, D=D) == n + 1


def test_kappa_replaces_gamma() -> None:
    """In kappa = gamma / sqrt(V) the regret identities have no root left."""
    for formula in (lower.SAFETY_REGRET, lower.BEST_ARM_REGRET, lower.SIGNAL):
        local = lower.in_kappa(formula)
        assert "gamma" not in local.variables
        assert "kappa" in local.variables
        assert not local.expression.has(sympy.sqrt(lower.V))
        back = local.expression.subs(lower.kappa, lower.gamma / sympy.sqrt(lower.V))
        assert sympy.simplify(back - formula.expression) == 0


def test_entropy_takes_the_place_of_the_constants() -> None:
    """R becomes the appendix's budget with C1 C2 = ln A/delta, and C1, C2 disappear."""
    budget = theorem.with_entropy(algorithm.R)
    by_hand = sympy.sqrt(sympy.log(algorithm.A) / algorithm.delta) * (
        3 * sympy.sqrt(algorithm.T) + 7 * sympy.sqrt(2 * algorithm.D * sympy.log(algorithm.D + 1))
    )
    assert sympy.simplify(budget - by_hand) == 0


def test_gamma_is_just_above_eulers_constant() -> None:
    """The rational that stands for Euler's constant exceeds it by less than 1e-9."""
    excess = mpf(int(upper.GAMMA.p)) / int(upper.GAMMA.q) - mpmath.euler
    assert 0 < excess < 1e-9


def test_the_repaired_bound_is_below_the_horizon_from_677_526_rounds_on() -> None:
    """For two arms, delta = 1/2 and D = 1, where it is smallest."""
    bound = theorem.with_entropy(theorem.TOTAL_REPAIRED.expression)
    known = {algorithm.D: 1, algorithm.A: 2, algorithm.delta: sympy.Rational(1, 2)}
    for rounds, is_below in ((677_525, False), (677_526, True)):
        value = bound.subs({**known, algorithm.T: rounds}).evalf(30)
        assert (value < rounds) == is_below
