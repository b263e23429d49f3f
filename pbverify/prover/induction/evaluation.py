"""Definitions are programs: the value of a term on concrete sequences.

Integers are computed exactly; reals exactly while they are rational, else as enclosures, so a
comparison may be undecided. That is what ties a theory to an engine: the engine's own counters go
in, and what the theory says of them comes out.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import z3
from flint import arb, fmpq

from pbverify.numerics import Truth, equal, leq, less, to_arb, to_fmpq
from pbverify.prover.induction import facts
from pbverify.prover.induction.terms import INT, Function, Term, TheoryError
from pbverify.prover.induction.theory import Theory, symbol_of

Value = Any
"""int, fmpq or arb; a Truth for a formula."""

_CLOSE = Fraction(1, 2**40)
"""Enclosures that overlap and are narrower than this, relative to their size, may be equal."""


_GENERATIONS = 2
"""Assumptions are checked where a claim asks an input, and where those assumptions ask one."""


class Model:
    """Values for the inputs and parameters of a theory, and what follows for every term."""

    def __init__(self, theory: Theory, values: Mapping[Any, Callable[..., Value] | Value]) -> None:
        self.theory = theory
        self._values = {symbol_of(key): value for key, value in values.items()}
        self._known: dict[tuple[Function, tuple[Any, ...]], Value] = {}
        self._asked: dict[tuple[Function, tuple[Any, ...]], None] = {}
        self._checked: dict[tuple[Function, tuple[Any, ...]], None] = {}
        self._is_vague = False

    def value(self, term: Term, variables: Mapping[Term, Value] | None = None) -> Value:
        """The value of a term at values of its variables."""
        at = {
            variable.decl(): _number(v, is_integer=variable.sort() == INT)
            for variable, v in (variables or {}).items()
        }
        return self._value(term, at, {})

    def accepts(self, formula: Term, variables: Mapping[Term, Value] | None = None) -> bool:
        """Whether a formula holds, as far as narrow enclosures can tell; wide ones do not count."""
        self._is_vague = False
        truth = self.value(formula, variables)
        return truth is Truth.YES or (truth is Truth.UNKNOWN and not self._is_vague)

    @property
    def asked(self) -> frozenset[Function]:
        """The inputs that were asked for a value."""
        return frozenset(symbol for symbol, _ in self._asked)

    def broken_assumption(self) -> str:
        """An assumption that fails where its input was asked or at a parameter; empty if none."""
        for symbol, assumed in self.theory.parameters.items():
            if assumed.where is not None and not self.accepts(assumed.where):
                return str(symbol.name())
        for _ in range(_GENERATIONS):
            for symbol, arguments in [key for key in self._asked if key not in self._checked]:
                self._checked[symbol, arguments] = None
                assumed = self.theory.inputs[symbol]
                if assumed.where is not None:
                    at = dict(zip(assumed.arguments, arguments, strict=True))
                    if not self.accepts(assumed.where, at):
                        return f"{symbol.name()} at {', '.join(map(str, arguments))}"
        return ""

    def _value(self, term: Term, at: Mapping[Function, Value], known: dict[int, Value]) -> Value:
        found = known.get(term.get_id())
        if found is None:
            found = known[term.get_id()] = self._computed(term, at, known)
        return found

    def _computed(self, term: Term, at: Mapping[Function, Value], known: dict[int, Value]) -> Value:
        kind, symbol = term.decl().kind(), term.decl()
        if z3.is_int_value(term):
            return term.as_long()
        if z3.is_rational_value(term):
            return _number(term.as_fraction())
        if symbol in at:
            return at[symbol]
        if kind == z3.Z3_OP_ITE:
            return self._branch(term, at, known)
        if kind in _LAZY:
            return self._connected(term, at, known)
        arguments = [self._value(child, at, known) for child in term.children()]
        if kind != z3.Z3_OP_UNINTERPRETED:
            found = _OPERATIONS[kind](*arguments)
            if found is Truth.UNKNOWN and not any(isinstance(a, Truth) for a in arguments):
                pairs = itertools.combinations(arguments, 2)
                self._is_vague |= not all(agree(*pair) for pair in pairs)
            return found
        return self._applied(symbol, tuple(arguments))

    def _branch(self, term: Term, at: Mapping[Function, Value], known: dict[int, Value]) -> Value:
        truth = self._value(term.arg(0), at, known)
        if truth is Truth.UNKNOWN:
            yes, no = (self._value(term.arg(i), at, known) for i in (1, 2))
            return yes if isinstance(yes, Truth) and yes is no else _hull(yes, no)
        return self._value(term.arg(1 if truth is Truth.YES else 2), at, known)

    def _connected(
        self, term: Term, at: Mapping[Function, Value], known: dict[int, Value]
    ) -> Truth:
        """`and`, `or` and `implies`, as far as needed: later parts may make no sense."""
        stop = Truth.NO if z3.is_and(term) else Truth.YES
        found = ~stop
        for index, child in enumerate(term.children()):
            truth = self._value(child, at, known)
            if z3.is_implies(term) and index == 0:
                truth = ~truth
            found = found & truth if stop is Truth.NO else found | truth
            if found is stop:
                break
        return found

    def _applied(self, symbol: Function, arguments: tuple[Value, ...]) -> Value:
        if any(isinstance(argument, arb) for argument in arguments):
            return self._result(symbol, arguments)
        key = symbol, arguments
        if key not in self._known:
            self._known[key] = self._result(symbol, arguments)
        return self._known[key]

    def _result(self, symbol: Function, arguments: tuple[Value, ...]) -> Value:
        if symbol in facts.FUNCTIONS:
            return _FUNCTIONS[symbol](arguments[0])
        if symbol in self.theory.definitions:
            return self._recursive(symbol, arguments)
        if symbol not in self._values:
            raise TheoryError(f"{symbol.name()} has no value.")
        given = self._values[symbol]
        if symbol in self.theory.inputs:
            self._asked[symbol, arguments] = None
        return _number(
            given(*arguments) if callable(given) else given, is_integer=symbol.range() == INT
        )

    def _recursive(self, symbol: Function, arguments: tuple[Value, ...]) -> Value:
        definition, (n, *rest) = self.theory.definitions[symbol], arguments
        if n < 0:
            raise TheoryError(f"{symbol.name()} has no value at {n}.")
        at = {name.decl(): value for name, value in zip(definition.rest, rest, strict=True)}
        steps = range(n, -1, -1)
        last = next((k for k in steps if (symbol, (k, *rest)) in self._known), -1)
        value = self._known[symbol, (last, *rest)] if last >= 0 else None
        for k in range(last + 1, n + 1):
            if k == 0:
                value = self._value(definition.zero, at, {})
            else:
                here = {**at, definition.n.decl(): k, definition.before.decl(): value}
                value = self._value(definition.succ, here, {})
            self._known[symbol, (k, *rest)] = value
        return value


def agree(left: Value, right: Value) -> bool:
    """Whether two values are one number, as far as enclosures can tell."""
    truth = equal(left, right)
    if truth is not Truth.UNKNOWN:
        return truth is Truth.YES
    a, b = to_arb(left), to_arb(right)
    size = to_arb(1) + abs(a) + abs(b)
    return all(less(x.rad(), to_arb(_CLOSE) * size) is Truth.YES for x in (a, b))


def sides(term: Term) -> tuple[Term, str, Term] | None:
    """The two sides of a comparison and its relation, written with <=, < or =."""
    if z3.is_eq(term) and term.arg(0).sort() != z3.BoolSort():
        return term.arg(0), "=", term.arg(1)
    kinds = {
        z3.Z3_OP_LE: ("<=", False),
        z3.Z3_OP_LT: ("<", False),
        z3.Z3_OP_GE: ("<=", True),
        z3.Z3_OP_GT: ("<", True),
    }
    found = kinds.get(term.decl().kind())
    if found is None:
        return None
    relation, is_turned = found
    left, right = (term.arg(1), term.arg(0)) if is_turned else (term.arg(0), term.arg(1))
    return left, relation, right


def _number(value: Any, *, is_integer: bool = False) -> Value:
    if is_integer:
        try:
            return operator.index(value)
        except TypeError:
            raise TheoryError(f"Expected an integer but got {value}.") from None
    if isinstance(value, bool):
        return Truth.YES if value else Truth.NO
    if isinstance(value, int | arb | Truth):
        return value
    return to_fmpq(value)


def _hull(left: Value, right: Value) -> arb:
    return to_arb(left).union(to_arb(right))


def _quotient(left: Value, right: Value) -> Value:
    if equal(right, 0) is Truth.YES:
        raise TheoryError("A quotient by zero has no value.")
    exact = isinstance(left, int | fmpq) and isinstance(right, int | fmpq)
    return fmpq(left) / fmpq(right) if exact else to_arb(left) / to_arb(right)


def _mixed(operation: Callable[[Any, Any], Any]) -> Callable[..., Value]:
    """An operation on any number of values; flint coerces integers and rationals to balls."""

    def computed(*values: Value) -> Value:
        return functools.reduce(operation, values)

    return computed


def _pairwise_distinct(*values: Value) -> Truth:
    found = Truth.YES
    for left, right in itertools.combinations(values, 2):
        found = found & ~_same(left, right)
    return found


def _same(left: Value, right: Value) -> Truth:
    if isinstance(left, Truth):
        other: Truth = right
        return (left & other) | (~left & ~other)
    return equal(left, right)


_LAZY = frozenset({z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_IMPLIES})
_OPERATIONS: Mapping[int, Callable[..., Value]] = {
    z3.Z3_OP_ADD: _mixed(operator.add),
    z3.Z3_OP_SUB: _mixed(operator.sub),
    z3.Z3_OP_MUL: _mixed(operator.mul),
    z3.Z3_OP_UMINUS: operator.neg,
    z3.Z3_OP_DIV: _quotient,
    z3.Z3_OP_LE: leq,
    z3.Z3_OP_LT: less,
    z3.Z3_OP_GE: lambda a, b: leq(b, a),
    z3.Z3_OP_GT: lambda a, b: less(b, a),
    z3.Z3_OP_EQ: _same,
    z3.Z3_OP_DISTINCT: _pairwise_distinct,
    z3.Z3_OP_NOT: lambda truth: ~truth,
    z3.Z3_OP_TRUE: lambda: Truth.YES,
    z3.Z3_OP_FALSE: lambda: Truth.NO,
    z3.Z3_OP_TO_REAL: lambda value: value,
}
_FUNCTIONS: Mapping[Function, Callable[[Value], Value]] = {
    facts.LN: lambda value: to_arb(value).log(),
    facts.EXP: lambda value: to_arb(value).exp(),
    facts.SQRT: lambda value: to_arb(value).sqrt(),
}


def rounds(values: Sequence[Value], *, beyond: Value = 0) -> Callable[[int], Value]:
    """A sequence whose first element has index 1; `beyond` outside."""
    return lambda r: values[r - 1] if 1 <= r <= len(values) else beyond
