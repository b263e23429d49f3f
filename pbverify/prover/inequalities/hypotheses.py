"""Conditions on variables: each compares one variable with a constant, and cuts its range."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from pbverify.errors import InputError
from pbverify.prover.inequalities.constants import sign
from pbverify.prover.inequalities.grammar import parse_condition
from pbverify.prover.inequalities.ranges import Range
from pbverify.prover.inequalities.refutation import is_met
from pbverify.prover.inequalities.statement import Relation, Statement

LARGEST_BOUND = sympy.Integer(10) ** 1000
"""A bound other than 0 is smaller than this in magnitude, and larger than its reciprocal."""

_MIRRORED = {
    Relation.LEQ: Relation.GEQ,
    Relation.GEQ: Relation.LEQ,
    Relation.LESS: Relation.GREATER,
    Relation.GREATER: Relation.LESS,
}


def parse_domain(where: Sequence[str], names: Sequence[str]) -> dict[str, Range]:
    """The range of each variable that the conditions bound; several conditions intersect."""
    domain: dict[str, Range] = {}
    for text in where:
        name, range_ = _parse(text, names)
        domain[name] = domain.get(name, Range()).meet(range_)
        if domain[name].is_empty is not False:
            raise InputError("conditions that leave some value", "where", text)
    return domain


def _parse(text: str, names: Sequence[str]) -> tuple[str, Range]:
    condition = parse_condition(text)
    variable, relation, bound = _oriented(condition, text)
    if variable.name not in names:
        expected = f"a variable of the inequality ({', '.join(names) or 'it has none'})"
        raise InputError(expected, "where", text)
    if not _is_usable(condition, bound):
        raise InputError("a bound that is a real number of moderate size", "where", text)
    return variable.name, _range(relation, bound)


def _oriented(condition: Statement, text: str) -> tuple[sympy.Symbol, Relation, sympy.Expr]:
    """Variable, relation, constant, whichever side the variable is on."""
    lhs, rhs = condition.lhs, condition.rhs
    if len(condition.variables) == 1 and lhs.is_Symbol and not rhs.free_symbols:
        return lhs, condition.relation, rhs
    if len(condition.variables) == 1 and rhs.is_Symbol and not lhs.free_symbols:
        return rhs, _MIRRORED[condition.relation], lhs
    raise InputError("one variable compared with a constant", "where", text)


def _is_usable(condition: Statement, bound: sympy.Expr) -> bool:
    if not all(is_met(need, {}) for need in condition.conditions):
        return False
    size = sign(LARGEST_BOUND - sympy.Abs(bound))
    fine = sign(sympy.Abs(bound) - 1 / LARGEST_BOUND)
    return size == 1 and (fine == 1 or sign(bound) == 0)


def _range(relation: Relation, bound: sympy.Expr) -> Range:
    if relation in (Relation.GEQ, Relation.GREATER):
        return Range(low=bound, low_open=relation is Relation.GREATER)
    return Range(high=bound, high_open=relation is Relation.LESS)
