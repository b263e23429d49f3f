"""What makes a point a counterexample: it is certainly in the domain, defined, and false there."""

from __future__ import annotations

from pbverify.numerics import Number, to_arb, working_precision
from pbverify.prover.inequalities.domain import Box, Point, thin_values
from pbverify.prover.inequalities.evaluation import Values, enclose
from pbverify.prover.inequalities.interval import Interval
from pbverify.prover.inequalities.proof import Counterexample
from pbverify.prover.inequalities.statement import Condition, Need, Relation, Statement

BITS = 192
_MORE_BITS = 1024
_SIMPLE = 100  # denominators below this are left alone
_MOST_DIGITS = 25


def violation(statement: Statement, box: Box, point: Point) -> Counterexample | None:
    """The evidence that the statement is defined and false at a point of the box, if it is."""
    if not box.contains(point):
        return None
    values = thin_values(point)
    for bits in (BITS, _MORE_BITS):
        with working_precision(bits):
            slack = enclose(statement.slack, values)
            if slack.high < 0 and all(is_met(c, values) for c in statement.conditions):
                return _evidence(statement, point)
    return None


def simple_violation(statement: Statement, box: Box, point: Point) -> Counterexample | None:
    """The same, with the point rounded to few decimals as far as it stays a counterexample."""
    found = violation(statement, box, point)
    if found is None or all(value.denominator < _SIMPLE for value in point.values()):
        return found
    for digits in range(_MOST_DIGITS):
        rounded = {symbol: round(value, digits) for symbol, value in point.items()}
        simpler = violation(statement, box, rounded)
        if simpler is not None:
            return simpler
    return found


def is_met(condition: Condition, values: Values) -> bool:
    """Whether a condition certainly holds at a point, or everywhere on a box."""
    value = enclose(condition.expression, values)
    if condition.need is Need.POSITIVE:
        return bool(value.low > 0)
    if condition.need is Need.NONNEGATIVE:
        return bool(value.low >= 0)
    return bool(value.low > 0 or value.high < 0)


def _evidence(statement: Statement, point: Point) -> Counterexample | None:
    values = thin_values(point)
    lhs, rhs = (_number(enclose(side, values)) for side in (statement.lhs, statement.rhs))
    margin = lhs - rhs if statement.relation is Relation.LEQ else rhs - lhs
    named = tuple((symbol.name, value) for symbol, value in point.items())
    return Counterexample(named, lhs, rhs, margin) if margin > 0 else None


def _number(value: Interval) -> Number:
    return value.low if value.low == value.high else to_arb(value.low).union(to_arb(value.high))
