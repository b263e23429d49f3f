"""Rules that rewrite a goal: each theorem is stated in the docstring of its rule."""

from __future__ import annotations

import math

import sympy

from pbverify.prover.inequalities.constants import normal, sign
from pbverify.prover.inequalities.domain import Range, Side
from pbverify.prover.inequalities.rewriting import (
    conjugate_parts,
    exponentiated,
    log_terms,
    radicands,
)
from pbverify.prover.inequalities.search import Goal, Search
from pbverify.prover.inequalities.sizes import expanded

_LARGEST_LOG_COEFFICIENT = 12
_LARGEST_ROOT = 12


def drop_known_factors(search: Search, goal: Goal) -> str | None:
    """If f = p g with p > 0, or p >= 0 and nothing strict is asked, then g >= 0 gives f >= 0."""
    core = search.core(goal.expression, goal.box, depth=goal.depth, strict=goal.strict)
    if core == goal.expression:
        return None
    found = search.prove(Goal(core, goal.box, goal.depth, goal.strict))
    if found is None or found == "exact sign":
        return found and "signs of the factors"
    return f"factors of known sign left out, {found}"


def resolve_absolute(search: Search, goal: Goal) -> str | None:
    """|a| is a or -a: where the sign of a is not known, the goal must hold with both."""
    parts = sorted(goal.expression.atoms(sympy.Abs), key=sympy.count_ops)
    if not parts:
        return None
    inside = parts[0].args[0]
    known = search.sign(inside, goal.box, depth=goal.depth)
    values = [known.value] if known is not None else [1, -1]
    branches = [goal.expression.xreplace({parts[0]: value * inside}) for value in values]
    found = [search.prove(goal.then(branch)) for branch in branches]
    return None if None in found else f"signs of absolute values, {found[0]}"


def orient(search: Search, goal: Goal) -> str | None:
    """On a range without negative numbers a variable is |x|; on one without positive ones, -|x|."""
    for symbol, range_ in goal.box.ranges:
        known = symbol.is_nonnegative or symbol.is_positive
        direction = 0 if known else 1 if sign(range_.low) in (0, 1) else -1
        if direction == 1 or (direction == -1 and sign(range_.high) in (0, -1)):
            size = _sized(symbol.name if direction == 1 else f"(-{symbol.name})", range_, direction)
            box = goal.box.renamed({symbol: size}).replaced(size, range_.scaled(direction))
            expression = goal.expression.xreplace({symbol: direction * size})
            return search.prove(Goal(expression, box, goal.depth, goal.strict))
    return None


def _sized(name: str, range_: Range, direction: int) -> sympy.Symbol:
    nearest: Side = "low" if direction == 1 else "high"
    if range_.is_open(nearest) or sign(range_.end(nearest)) != 0:
        return sympy.Symbol(name, positive=True)
    return sympy.Symbol(name, nonnegative=True)


def substitute_roots(search: Search, goal: Goal) -> str | None:
    """f(x) >= 0 for x in a range of nonnegative numbers if f(t**q) >= 0 for t in its q-th root."""
    for symbol, range_ in goal.box.ranges:
        order = _root_order(goal.expression, symbol)
        if 1 < order <= _LARGEST_ROOT and sign(range_.low) in (0, 1):
            root = _root_symbol(symbol, order)
            box = goal.box.renamed({symbol: root}).replaced(root, _root_range(range_, order))
            found = search.prove(goal.then(goal.expression.xreplace({symbol: root**order}), box))
            return None if found is None else f"in terms of {root}: {found}"
    return None


def _root_symbol(symbol: sympy.Symbol, order: int) -> sympy.Symbol:
    base, _, inner = symbol.name.partition("**(1/")
    name = f"{base}**(1/{order * int(inner.removesuffix(')') or 1)})"
    if symbol.is_positive:
        return sympy.Symbol(name, positive=True)
    return sympy.Symbol(name, nonnegative=True)


def _root_order(expression: sympy.Expr, symbol: sympy.Symbol) -> int:
    powers = [p.exp for p in expression.atoms(sympy.Pow) if p.base == symbol]
    return math.lcm(*(int(exponent.q) for exponent in powers if exponent.is_Rational))


def _root_range(range_: Range, order: int) -> Range:
    low, high = (sympy.root(end, order) for end in (range_.low, range_.high))
    return Range(low, high, low_open=range_.low_open, high_open=range_.high_open)


def exponentiate_logs(search: Search, goal: Goal) -> str | None:
    """A sum of c_i ln(a_i) is >= 0 exactly if the product of the a_i**c_i is >= 1."""
    terms = log_terms(normal(goal.expression)) or log_terms(goal.expression)
    if not terms or max(abs(c.p * c.q) for c in terms.values()) > _LARGEST_LOG_COEFFICIENT:
        return None
    found = search.prove(goal.then(exponentiated(terms)))
    return None if found is None else f"logarithms removed, {found}"


def take_logs(search: Search, goal: Goal) -> str | None:
    """a - b >= 0 for a, b > 0 exactly if ln a - ln b >= 0; used where a or b is one product."""
    if not goal.expression.has(sympy.exp):
        return None
    terms = sympy.Add.make_args(expanded(goal.expression))
    signs = [search.sign(term, goal.box, depth=goal.depth) for term in terms]
    for value in (1, -1):
        alone = [
            t for t, s in zip(terms, signs, strict=True) if s and s.strict and s.value == value
        ]
        rest = -value * (sympy.Add(*terms) - sympy.Add(*alone))
        if len(alone) == 1 and alone[0].has(sympy.exp) and len(terms) > 1:
            found = _compare_logs(search, goal, value * alone[0], rest, value)
            if found is not None:
                return found
    return None


def _compare_logs(
    search: Search, goal: Goal, alone: sympy.Expr, rest: sympy.Expr, value: int
) -> str | None:
    if search.prove(goal.then(rest, strict=True)) is None:
        return None
    logs = (sympy.expand_log(sympy.log(part)) for part in (alone, rest))
    first, second = logs
    found = search.prove(goal.then(value * (first - second)))
    return None if found is None else f"logarithms taken, {found}"


def square(search: Search, goal: Goal) -> str | None:
    """A + B sqrt(C) >= 0 if A >= 0 and A**2 >= B**2 C, or if B >= 0 and B**2 C >= A**2."""
    numerator = sympy.fraction(sympy.together(goal.expression))[0]
    for radicand in radicands(numerator) if numerator == goal.expression else []:
        parts = conjugate_parts(goal.expression, radicand)
        if parts is not None:
            plain, root = parts
            gap = expanded(plain**2 - root**2 * radicand)
            for leading, squares in ((plain, gap), (root, -gap)):
                first = search.prove(goal.then(leading, strict=False))
                second = first and search.prove(goal.then(squares))
                if second:
                    return f"squared, {second}"
    return None
