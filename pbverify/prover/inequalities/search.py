"""Goals, and the search for a proof of one by rules that reduce it to simpler goals.

A goal says that an expression is >= 0 (or > 0) at every point of a box at which it is defined. Each
rule is a small theorem; its hypotheses are goals again. The search is depth first, remembers what
it has proved or given up, and stops when its budget of goals is spent, so it is deterministic.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TypeAlias

import sympy

from pbverify.prover.inequalities import constants
from pbverify.prover.inequalities.domain import Box, Point, lattice, thin_values
from pbverify.prover.inequalities.evaluation import enclose, program
from pbverify.prover.inequalities.grammar import Condition, Need
from pbverify.prover.inequalities.polynomials import Sign, rational_sign
from pbverify.prover.inequalities.rewriting import factors, needs

_SAMPLES = 24
_SIDE_DEPTH = 2
_LARGEST = 120
_SIZE_PER_STEP = 15


@dataclasses.dataclass(frozen=True)
class Goal:
    """An expression to be shown >= 0, or > 0 if strict, with that many further reductions."""

    expression: sympy.Expr
    box: Box
    depth: int
    strict: bool = False

    def then(
        self, expression: sympy.Expr, box: Box | None = None, *, strict: bool | None = None
    ) -> Goal:
        """A hypothesis of a rule applied to this goal: one reduction deeper."""
        return Goal(
            expression,
            self.box if box is None else box,
            self.depth - 1,
            self.strict if strict is None else strict,
        )


Rule: TypeAlias = Callable[["Search", Goal], "str | None"]


class Search:
    """One search: its rules, what it may still spend, and what it has found so far."""

    def __init__(self, rules: Sequence[Rule], *, budget: int) -> None:
        self._rules = rules
        self._budget = budget
        self._proved: dict[tuple[sympy.Expr, Box, bool], str] = {}
        self._given_up: dict[tuple[sympy.Expr, Box, bool], int] = {}

    def copy(self) -> Search:
        """A search that has found the same so far and goes on by itself."""
        same = Search(self._rules, budget=self._budget)
        same._proved |= self._proved
        same._given_up |= self._given_up
        return same

    def attempt(self, goal: Goal, *, allowance: int) -> str | None:
        """Prove a goal while spending no more than a part of the budget."""
        kept = max(0, self._budget - allowance)
        self._budget -= kept
        found = self.prove(goal)
        self._budget += kept
        return found

    def prove(self, goal: Goal) -> str | None:
        """How the goal was proved, in a few words, or None."""
        goal = dataclasses.replace(goal, box=goal.box.only(goal.expression.free_symbols).real())
        key = (goal.expression, goal.box, goal.strict)
        if key in self._proved:
            return self._proved[key]
        if self._given_up.get(key, -1) >= goal.depth:
            return None
        self._given_up[key] = goal.depth
        found = self._attempt(goal)
        if found is not None:
            self._proved[key] = found
        return found

    def sign(self, expression: sympy.Expr, box: Box, *, depth: int) -> Sign | None:
        """The sign of an expression on a box, if it is constant and easily shown."""
        box = box.only(expression.free_symbols).real()
        value = self._sampled_sign(expression, box) or 1
        goal = Goal(value * expression, box, min(depth - 1, _SIDE_DEPTH), strict=True)
        if self.prove(goal) is not None:
            return Sign(value, strict=True)
        plain = _is_plain(dataclasses.replace(goal, strict=False))
        return None if plain is None else Sign(value, strict=False)

    def core(self, expression: sympy.Expr, box: Box, *, depth: int, strict: bool) -> sympy.Expr:
        """An expression whose sign implies that of the given one: known factors are dropped."""
        kept, value = [], 1
        parts = factors(expression)
        for factor in parts if len(parts) > 1 else ():
            sign = self._factor_sign(factor, box, depth)
            if sign is None or (strict and not sign.strict):
                kept.append(factor)
            else:
                value *= sign.value
        return value * sympy.Mul(*kept) if len(parts) > 1 else expression

    def holds(self, condition: Condition, box: Box, *, depth: int) -> bool:
        """Whether a condition is proved on a box."""
        expression = condition.expression
        if condition.need is Need.NONZERO:
            sign = self.sign(expression, box, depth=depth)
            return sign is not None and sign.strict
        strict = condition.need is Need.POSITIVE
        goal = Goal(expression, box, min(depth - 1, _SIDE_DEPTH), strict)
        return self.prove(goal) is not None

    def is_continuous(self, expression: sympy.Expr, box: Box, *, depth: int) -> bool:
        """Whether every operation of the expression is shown to be defined on the box."""
        return all(self.holds(condition, box, depth=depth) for condition in needs(expression))

    def _factor_sign(self, factor: sympy.Expr, box: Box, depth: int) -> Sign | None:
        base, exponent = factor.as_base_exp()
        if isinstance(factor, sympy.exp) or not exponent.is_Rational:
            return Sign(1, strict=True)
        sign = self.sign(base, box, depth=depth)
        if exponent.is_Integer and exponent % 2 == 0:
            return Sign(1, strict=exponent < 0 or (sign is not None and sign.strict))
        return sign

    def _attempt(self, goal: Goal) -> str | None:
        plain = _is_plain(goal)
        if plain is not None or goal.depth <= 0 or self._budget <= 0:
            return plain
        size = sympy.count_ops(goal.expression)
        if size > _LARGEST or is_sampled_false(goal):
            return None
        self._budget -= 1 + (size // _SIZE_PER_STEP) ** 2
        found = (rule(self, goal) for rule in self._rules)
        return next((evidence for evidence in found if evidence is not None), None)

    def _sampled_sign(self, expression: sympy.Expr, box: Box) -> int:
        for point in sample_points(box):
            value = enclose(expression, thin_values(point))
            if value.low > 0 or value.high < 0:
                return 1 if value.low > 0 else -1
        return 0


def sample_points(box: Box, count: int = _SAMPLES) -> list[Point]:
    """Some rational points of a box, in a fixed order."""
    choices = [range_.samples() for _, range_ in box.ranges]
    return [dict(zip(box.symbols, values, strict=True)) for values in lattice(choices, count)]


def is_sampled_false(goal: Goal) -> bool:
    """Whether a sample point contradicts the goal: then no rule need be tried."""
    run = program(goal.expression)
    if run is None:
        return False
    box = goal.box.only(goal.expression.free_symbols)
    values = (run(thin_values(point)) for point in sample_points(box))
    return any(value.high < 0 or (goal.strict and value.high <= 0) for value in values)


def _is_plain(goal: Goal) -> str | None:
    """The methods that need no reduction: exact sign of a constant, enclosure, real roots."""
    if not goal.box.ranges:
        sign = constants.sign(goal.expression)
        enough = sign is not None and (sign > 0 or (sign == 0 and not goal.strict))
        return "exact sign" if enough else None
    value = enclose(goal.expression, goal.box.enclosure())
    if value.low > 0 or (not goal.strict and value.low >= 0):
        return "enclosure"
    exact = rational_sign(goal.expression, goal.box)
    if exact is not None and exact.value > 0 and (exact.strict or not goal.strict):
        return "exact sign of a rational function"
    return None
