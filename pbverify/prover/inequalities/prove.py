"""The prover: is an inequality true at every point of a domain?

First a counterexample is looked for on a grid. If there is none, the part of the domain on which
the statement is defined is settled by the rules, and else by subdivision, once descents from the
lowest points of the grid have found no counterexample either. PROVED is a proof, REFUTED is a
point at which the violation is certain, and everything else is UNDECIDED, with the region named.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

import sympy

from pbverify.errors import InputError
from pbverify.numerics import Number, to_arb, working_precision
from pbverify.prover.inequalities.algebra import (
    drop_known_factors,
    exponentiate_logs,
    orient,
    resolve_absolute,
    square,
    substitute_roots,
    take_logs,
)
from pbverify.prover.inequalities.calculus import concave, grows, minimum_inside, monotone
from pbverify.prover.inequalities.constants import to_fraction
from pbverify.prover.inequalities.definedness import Part, defined_parts, parse_domain
from pbverify.prover.inequalities.domain import Box, Point, Range
from pbverify.prover.inequalities.exploration import Exploration, slack_at
from pbverify.prover.inequalities.grammar import Statement, parse_inequality
from pbverify.prover.inequalities.proof import Counterexample, Outcome, Proof, Undecided
from pbverify.prover.inequalities.rewriting import zeros
from pbverify.prover.inequalities.search import Goal, Rule, Search
from pbverify.prover.inequalities.subdivision import Cover, Hints, cover, joined
from pbverify.prover.inequalities.whole_numbers import settle_integers, whole_range

RULES: tuple[Rule, ...] = (
    orient,
    grows,
    resolve_absolute,
    substitute_roots,
    drop_known_factors,
    exponentiate_logs,
    square,
    minimum_inside,
    monotone,
    concave,
    take_logs,
)

_BITS = 128
_GOALS = 330
_MOST_BOXES = 1200
_FEWEST_BOXES = 200
_WORK = 100_000  # operations on intervals, roughly
_ATTEMPTS = 16
_MOST_LEFT = 3
_DENOMINATORS = (1, 2, 10, 100)
_LARGEST_HINT = 1000
_CLOSE = Fraction(1, 2**20)


class _FalseError(Exception):
    """A counterexample that an exploration found while a proof was tried."""

    def __init__(self, exploration: Exploration, point: Counterexample) -> None:
        super().__init__(str(point))
        self.exploration, self.point = exploration, point


def prove_text(inequality: str, where: Sequence[str] = (), integers: Sequence[str] = ()) -> Proof:
    """Read an inequality with conditions on its variables, and try to prove it."""
    statement = parse_inequality(inequality)
    names = sorted(symbol.name for symbol in statement.variables)
    for name in integers:
        if name not in names:
            raise InputError(f"a variable of the inequality ({_listed(names)})", "integer", name)
    return prove(statement, parse_domain(where, names), integers=integers)


def prove(
    statement: Statement, domain: Mapping[str, Range], *, integers: Collection[str] = ()
) -> Proof:
    """Try to prove a statement for all values of its variables in their ranges.

    A variable without a range takes all real values, or all integers if it is one of `integers`.
    """
    text = str(statement)
    statement, box = _with_domain(statement, domain, integers)
    exploration = Exploration(statement, box)
    if exploration.on_grid is not None:
        return Proof(text, Outcome.REFUTED, point=exploration.on_grid)
    try:
        settled = _settled(statement, box, exploration)
    except _FalseError as error:
        return Proof(text, Outcome.REFUTED, point=error.point)
    if not settled.left:
        return Proof(text, Outcome.PROVED, settled.regions)
    return _unsettled(text, statement, box, settled)


def _unsettled(text: str, statement: Statement, box: Box, settled: Cover) -> Proof:
    """A last look for counterexamples where the proof failed."""
    for part in settled.left[:_MOST_LEFT]:
        place = dataclasses.replace(part.box, integers=box.integers)
        point = Exploration(statement, place).point
        if point is not None:
            return Proof(text, Outcome.REFUTED, point=point)
    return Proof(text, Outcome.UNDECIDED, settled.regions, left=settled.left)


def _with_domain(
    statement: Statement, domain: Mapping[str, Range], integers: Collection[str]
) -> tuple[Statement, Box]:
    """The statement in symbols that know the signs of their ranges, and the box of the ranges."""
    change, ranges, whole = {}, [], set()
    for symbol in sorted(statement.variables, key=lambda symbol: symbol.name):
        range_ = domain.get(symbol.name, Range())
        if symbol.name in integers:
            range_ = whole_range(range_)
        if range_.is_empty is not False:
            raise InputError("a domain with points in it", "where", range_.describe(symbol.name))
        change[symbol] = _signed(symbol.name, range_)
        ranges.append((change[symbol], range_))
        whole |= {change[symbol]} if symbol.name in integers else set()
    return statement.replaced(change), Box(tuple(ranges), frozenset(whole))


def _signed(name: str, range_: Range) -> sympy.Symbol:
    if range_.low.is_Rational and range_.low >= 0:
        if range_.low > 0 or range_.low_open:
            return sympy.Symbol(name, positive=True)
        return sympy.Symbol(name, nonnegative=True)
    return sympy.Symbol(name, real=True)


def _settled(statement: Statement, box: Box, exploration: Exploration) -> Cover:
    search = Search(RULES, budget=_GOALS)

    @functools.cache
    def hints() -> Hints:
        if exploration.point is not None:
            raise _FalseError(exploration, exploration.point)
        return _hints(exploration.statement, exploration.lowest)

    def settle(statement: Statement, box: Box) -> Cover:
        nonlocal search
        before, here = search.copy(), Exploration(statement, box)

        def checked_hints() -> Hints:
            found = hints()
            if box != exploration.box and here.point is not None:
                raise _FalseError(here, here.point)
            return found

        try:
            parts = defined_parts(search, statement.conditions, box)
            found = joined([_settled_part(search, statement, p, checked_hints) for p in parts])
            if found.left:
                checked_hints()
            return found
        except _FalseError as error:
            if error.exploration is exploration:
                raise
            search = before  # as if nothing had been tried
            return Cover((), (Undecided(box, "false for real values"),))

    with working_precision(_BITS):
        return settle_integers(statement, box, settle)


def _settled_part(
    search: Search, statement: Statement, part: Part, hints: Callable[[], Hints]
) -> Cover:
    if part.reason is not None:
        return Cover((), (Undecided(part.box, part.reason),))
    points = {symbol: range_.low for symbol, range_ in part.box.ranges if range_.is_point}
    slack = statement.slack.xreplace(points)
    cost = (1 + sympy.count_ops(slack)) * (1 + len(part.box.ranges)) ** 2
    boxes = min(_MOST_BOXES, max(_FEWEST_BOXES, _WORK // cost))
    return cover(search, Goal(slack, part.box, 0), hints, boxes=boxes, attempts=_ATTEMPTS)


def _hints(statement: Statement, lowest: Sequence[Point]) -> Hints:
    """Where to cut: at points where the sides seem to touch, and where absolute values vanish."""
    hints = {}
    touching = [point for point in lowest if _is_tiny(slack_at(statement, point))]
    for symbol in statement.variables:
        marks = [mark for point in touching for mark in _rounded(point[symbol])]
        for part in statement.slack.atoms(sympy.Abs):
            marks += [to_fraction(r) for r in zeros(part.args[0], symbol)[:1] if r.is_Rational]
        hints[symbol] = tuple(dict.fromkeys(marks))
    return hints


def _is_tiny(slack: Number | None) -> bool:
    return slack is not None and bool(abs(slack) < to_arb(_CLOSE))


def _rounded(value: Fraction) -> list[Fraction]:
    """The simplest rational that is close to the value, if there is a simple one."""
    if abs(value) > _LARGEST_HINT:
        return []
    rounded = (value.limit_denominator(denominator) for denominator in _DENOMINATORS)
    return next(([r] for r in rounded if abs(r - value) <= _CLOSE), [])


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "it has none"
