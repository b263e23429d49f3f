"""Rules that use derivatives: monotonicity, a minimum at a known point, concavity.

Each rule checks that the function is continuous on the box and that the derivatives it uses exist
in the interior. The end of a range may be open or infinite: then the limit stands for the value.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import sympy

from pbverify.prover.inequalities.constants import vanishes
from pbverify.prover.inequalities.domain import SIDES, Side
from pbverify.prover.inequalities.grammar import written
from pbverify.prover.inequalities.limits import at_end, pinned
from pbverify.prover.inequalities.rewriting import derivative, linear_in, zeros
from pbverify.prover.inequalities.search import Goal, Search, is_sampled_false
from pbverify.prover.inequalities.sizes import expanded

_LARGEST = 120


def monotone(search: Search, goal: Goal) -> str | None:
    """f >= 0 if f, or f times a positive function, is monotone and >= 0 where it is least."""
    for scaled, words in _scalings(search, goal):
        for symbol in goal.box.symbols:
            for side in SIDES:
                found = _monotone_from(search, goal, scaled, symbol, side)
                if found is not None:
                    return f"{words}{found}"
    return None


def minimum_inside(search: Search, goal: Goal) -> str | None:
    """f >= 0 if the derivative in one variable has the sign of an increasing g with g(c) = 0,
    and f >= 0 where that variable is c; c may depend on the other variables."""
    for scaled, words in _scalings(search, goal):
        for symbol in goal.box.symbols:
            found = _minimum_in(search, goal, scaled, symbol)
            if found is not None:
                return f"{words}{found}"
    return None


def concave(search: Search, goal: Goal) -> str | None:
    """f >= 0 if f is concave in one variable and >= 0 at both ends of its range."""
    for symbol in () if goal.strict else goal.box.symbols:
        slope = _slope(goal.expression, symbol)
        bend = None if slope is None else _slope(slope, symbol)
        if bend is not None and _is_concave(search, goal, symbol, slope, bend):
            return f"concave in {symbol}, >= 0 at both ends"
    return None


def _is_concave(
    search: Search, goal: Goal, symbol: sympy.Symbol, slope: sympy.Expr, bend: sympy.Expr
) -> bool:
    bent = goal.then(-bend, goal.box.interior())
    return (
        not is_sampled_false(bent)
        and all(at_end(search, goal, goal.expression, symbol, side) for side in SIDES)
        and search.prove(bent) is not None
        and search.is_continuous(goal.expression, goal.box, depth=goal.depth)
        and search.is_continuous(slope, bent.box, depth=goal.depth)
        and search.is_continuous(bend, bent.box, depth=goal.depth)
    )


def _slope(expression: sympy.Expr, symbol: sympy.Symbol) -> sympy.Expr | None:
    """The derivative of an expression that is not too large to go on with."""
    return derivative(expression, symbol) if sympy.count_ops(expression) <= _LARGEST else None


def _scalings(search: Search, goal: Goal) -> Iterator[tuple[sympy.Expr, str]]:
    """The expression, and it divided by the coefficient of a logarithm or by an exponential.

    Each with the words that say by what it was divided: what is shown monotone is the quotient.
    """
    expression = goal.expression
    yield expression, ""
    for part in sorted(expression.atoms(sympy.log), key=str):
        plain, factor = linear_in(expression, part) or (expression, sympy.Integer(1))
        sign = search.sign(factor, goal.box, depth=goal.depth) if factor.free_symbols else None
        if sign is not None and sign.strict:
            scaled = sign.value * (expanded(plain / factor) + part)
            yield scaled, f"divided by {written(sign.value * factor)}, "
    for part in sorted(expression.atoms(sympy.exp), key=str):
        if part.free_symbols:
            yield expanded(expression / part), f"divided by {written(part)}, "


def _monotone_from(
    search: Search, goal: Goal, scaled: sympy.Expr, symbol: sympy.Symbol, side: Side
) -> str | None:
    """One end: the function must grow away from it, and be >= 0 there."""
    slope = _slope(scaled, symbol)
    if slope is None:
        return None
    growth = _growth(goal, slope if side == "low" else -slope, symbol, side)
    if is_sampled_false(growth) or not _is_smooth(search, goal, scaled, growth):
        return None
    value = at_end(search, goal, scaled, symbol, side)
    found = None if value is None else search.prove(growth)
    direction = "increasing" if side == "low" else "decreasing"
    return None if found is None else f"{direction} in {symbol} ({found}), {value}"


def _growth(goal: Goal, slope: sympy.Expr, symbol: sympy.Symbol, side: Side) -> Goal:
    """Growth makes a value > 0 only where the end is open; then it must be strict on every line."""
    if goal.strict and goal.box[symbol].is_open(side):
        return goal.then(slope, goal.box.replaced(symbol, goal.box[symbol].interior()))
    return goal.then(slope, goal.box.interior(), strict=False)


def _is_smooth(search: Search, goal: Goal, function: sympy.Expr, growth: Goal) -> bool:
    """Whether the function is continuous, and its derivative exists where it is to be >= 0."""
    return search.is_continuous(function, goal.box, depth=goal.depth) and search.is_continuous(
        growth.expression, growth.box, depth=goal.depth
    )


def _minimum_in(search: Search, goal: Goal, scaled: sympy.Expr, symbol: sympy.Symbol) -> str | None:
    inside = goal.box.interior()
    slope = _slope(scaled, symbol)
    guide = None if slope is None else search.core(slope, inside, depth=goal.depth, strict=False)
    bend = None if guide is None else _slope(guide, symbol)
    if bend is None or is_sampled_false(goal.then(bend, inside, strict=False)):
        return None
    places = (p for p in zeros(guide, symbol) if _is_zero_inside(search, goal, guide, symbol, p))
    place = next(places, None)
    if place is None or not _is_smooth(search, goal, scaled, goal.then(slope, inside)):
        return None
    how = _increases(search, goal, guide, bend)
    least = None if how is None else _least(search, goal, scaled, symbol, place)
    return least and f"least at {symbol} = {written(place)} (slope grows: {how}), {least}"


def _increases(search: Search, goal: Goal, guide: sympy.Expr, bend: sympy.Expr) -> str | None:
    growth = goal.then(bend, goal.box.interior(), strict=False)
    on_inside = dataclasses.replace(goal, box=growth.box)
    return search.prove(growth) if _is_smooth(search, on_inside, guide, growth) else None


def _is_zero_inside(
    search: Search, goal: Goal, guide: sympy.Expr, symbol: sympy.Symbol, place: sympy.Expr
) -> bool:
    """Whether the guide vanishes at the place, which stays in the closed range of its variable."""
    if symbol in place.free_symbols or place.has(sympy.I, sympy.zoo, sympy.nan):
        return False
    range_, rest = goal.box[symbol], goal.box.without(symbol)
    value = pinned(search, goal, guide, symbol, place)
    if value is None or not vanishes(value):
        return False
    gaps = [place - range_.low] if range_.low.is_finite else []
    gaps += [range_.high - place] if range_.high.is_finite else []
    return search.is_continuous(place, rest, depth=goal.depth) and all(
        search.prove(goal.then(gap, rest, strict=False)) for gap in gaps
    )


def _least(
    search: Search, goal: Goal, scaled: sympy.Expr, symbol: sympy.Symbol, place: sympy.Expr
) -> str | None:
    there = pinned(search, goal, scaled, symbol, place)
    if there is None:
        return None
    value = expanded(sympy.powsimp(there))
    if vanishes(value):
        return None if goal.strict else "where it is 0"
    found = search.prove(goal.then(value, goal.box.without(symbol)))
    return None if found is None else f"where: {found}"


def grows(search: Search, goal: Goal) -> str | None:
    """h(x + 1) - h(x) >= 0 if the derivative of h is >= 0 from x on."""
    terms = sympy.Add.make_args(goal.expression)
    for symbol in goal.box.symbols if len(terms) == 2 else ():
        for later, sooner in (terms, terms[::-1]):
            if vanishes(later + sooner.xreplace({symbol: symbol + 1})):
                found = _grows_by_one(search, goal, -sooner, symbol)
                if found is not None:
                    return found
    return None


def _grows_by_one(
    search: Search, goal: Goal, function: sympy.Expr, symbol: sympy.Symbol
) -> str | None:
    range_ = goal.box[symbol]
    longer = dataclasses.replace(range_, high=range_.high + 1)
    box = goal.box.replaced(symbol, longer)
    slope = _slope(function, symbol)
    if slope is None or goal.strict:
        return None
    growth = goal.then(slope, box.interior())
    smooth = _is_smooth(search, dataclasses.replace(goal, box=box), function, growth)
    found = search.prove(growth) if smooth else None
    return None if found is None else f"growth in {symbol} by a derivative >= 0 ({found})"
