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
from pbverify.prover.induction.nodes import node
from pbverify.prover.induction.terms import INT, Function, Term, TheoryError
from pbverify.prover.induction.theory import Definition, Input, Theory, symbol_of

Value = Any
"""int, fmpq or arb; a Truth for a formula."""

YES, NO, UNKNOWN = Truth  # a look into the class costs more than a comparison
_CLOSE = Fraction(1, 2**40)
"""Enclosures that overlap and are narrower than this, relative to their size, may be equal."""


_GENERATIONS = 3
"""Rounds of checks: where a claim asks an input, where its assumption asks one, and once more."""


class Model:
    """Values for the inputs and parameters of a theory, and what follows for every term."""

    def __init__(self, theory: Theory, values: Mapping[Any, Callable[..., Value] | Value]) -> None:
        self.theory = theory
        self._values = {symbol_of(key): value for key, value in values.items()}
        self._known: dict[tuple[int, tuple[Value, ...]], Value] = {}
        self._asked: dict[int, dict[tuple[Value, ...], None]] = {}
        self._checked: set[tuple[int, tuple[Value, ...]]] = set()
        self._symbols: dict[int, Function] = {}
        self._givers: dict[int, Callable[[tuple[Value, ...]], Value]] = {}
        self._is_vague = False

    def value(self, term: Term, variables: Mapping[Term, Value] | None = None) -> Value:
        """The value of a term at values of its variables."""
        return program(term)(Scope(self, _places(variables or {})))

    def accepts(self, formula: Term, variables: Mapping[Term, Value] | None = None) -> bool:
        """Whether a formula holds, as far as narrow enclosures can tell; wide ones do not count."""
        return self._accepts(formula, _places(variables or {}))

    def _accepts(self, formula: Term, at: Mapping[int, Value]) -> bool:
        self._is_vague = False
        truth = program(formula)(Scope(self, at))
        return truth is YES or (truth is UNKNOWN and not self._is_vague)

    def doubt(self, *values: Value) -> None:
        """Note a comparison that is undecided; it is vague unless the values may be equal."""
        pairs = itertools.combinations(values, 2)
        self._is_vague |= not all(agree(*pair) for pair in pairs)

    @property
    def checked(self) -> frozenset[Function]:
        """The inputs whose assumptions were looked at where they were asked for a value."""
        return frozenset(self._symbols[number] for number, _ in self._checked)

    def broken_assumption(self) -> str:
        """An assumption that fails where its input was asked or at a parameter; empty if none."""
        for symbol, assumed in self.theory.parameters.items():
            if assumed.where is not None and not self.accepts(assumed.where):
                return str(symbol.name())
        for _ in range(_GENERATIONS):
            asked = {number: list(places) for number, places in self._asked.items()}
            for number, places in asked.items():
                assumed = self.theory.inputs[self._symbols[number]]
                wrong = None if assumed.where is None else self._broken(number, assumed, places)
                if wrong is not None:
                    return f"{assumed.function.name()} at {', '.join(map(str, wrong))}"
        return ""

    def _broken(
        self, number: int, assumed: Input, places: Sequence[tuple[Value, ...]]
    ) -> tuple[Value, ...] | None:
        """The first of the places, none of which is looked at twice, where the assumption fails."""
        for arguments in places:
            if (number, arguments) not in self._checked:
                self._checked.add((number, arguments))
                at = dict(zip(assumed.numbers, arguments, strict=True))
                if not self._accepts(assumed.where, at):
                    return arguments
        return None

    def applied(self, number: int, symbol: Function, arguments: tuple[Value, ...]) -> Value:
        """The value of a function or parameter; `number` is the symbol's own."""
        found = self._known.get((number, arguments))
        if found is None:
            found = self._result(number, symbol, arguments)
            if not any(isinstance(argument, arb) for argument in arguments):
                self._known[number, arguments] = found
        return self.noted(found)

    def noted(self, value: Value) -> Value:
        """The value; an undecided truth whose comparison is not seen here counts as vague."""
        self._is_vague |= value is UNKNOWN
        return value

    def _result(self, number: int, symbol: Function, arguments: tuple[Value, ...]) -> Value:
        giver = self._givers.get(number)
        if giver is None:
            giver = self._givers[number] = self._giver(number, symbol)
        return giver(arguments)

    def _giver(self, number: int, symbol: Function) -> Callable[[tuple[Value, ...]], Value]:
        """What gives the values of a symbol: its definition, or the numbers of the case."""
        definition = self.theory.definitions.get(symbol)
        if definition is not None:
            return functools.partial(self._recursive, number, definition)
        if symbol not in self._values:
            raise TheoryError(f"{symbol.name()} has no value.")
        given, is_integer = self._values[symbol], symbol.range() == INT
        is_input = symbol in self.theory.inputs
        if is_input:
            self._symbols[number] = symbol

        def give(arguments: tuple[Value, ...]) -> Value:
            if is_input:
                self._asked.setdefault(number, {})[arguments] = None
            return _number(given(*arguments) if callable(given) else given, is_integer=is_integer)

        return give

    def _recursive(
        self, number: int, definition: Definition, arguments: tuple[Value, ...]
    ) -> Value:
        n, *rest = arguments
        if n < 0:
            raise TheoryError(f"{definition.function.name()} has no value at {n}.")
        size, before, names = definition.numbers
        at = dict(zip(names, rest, strict=True))
        steps = range(n, -1, -1)
        last = next((k for k in steps if (number, (k, *rest)) in self._known), -1)
        value = self._known[number, (last, *rest)] if last >= 0 else None
        for k in range(last + 1, n + 1):
            if k == 0:
                value = program(definition.zero)(Scope(self, at))
            else:
                value = program(definition.succ)(Scope(self, {**at, size: k, before: value}))
            self._known[number, (k, *rest)] = value
        return value


def _places(variables: Mapping[Term, Value]) -> dict[int, Value]:
    """Values by the numbers of the variables' symbols."""
    found = ((node(variable), value) for variable, value in variables.items())
    return {n.symbol_number: _number(value, is_integer=n.is_integer) for n, value in found}


class Scope:
    """A model with values of variables, by the numbers of their symbols."""

    __slots__ = ("at", "known", "model")

    def __init__(self, model: Model, at: Mapping[int, Value]) -> None:
        self.model, self.at = model, at
        self.known: dict[int, Value] = {}
        """What was computed already, by the numbers of the terms."""


Program = Callable[[Scope], Value]
_PROGRAMS: dict[int, tuple[Term, Program]] = {}
"""Each term's program, by the term's number, which is its own as long as the term is kept."""


def program(term: Term) -> Program:
    """The term as a function; reading a z3 term anew each time would cost a hundred times more."""
    number = term.get_id()
    found = _PROGRAMS.get(number)
    if found is None:
        found = _PROGRAMS[number] = term, _program(term)
    return found[1]


def _program(term: Term) -> Program:
    if z3.is_int_value(term) or z3.is_rational_value(term):
        constant = term.as_long() if z3.is_int_value(term) else _number(term.as_fraction())
        return lambda scope: constant
    kind, parts = term.decl().kind(), [program(child) for child in term.children()]
    if kind == z3.Z3_OP_UNINTERPRETED:
        return _once(term, _call(term.decl(), parts)) if parts else _name(term.decl())
    if kind == z3.Z3_OP_ITE:
        return _once(term, _branch(*parts))
    if kind in _LAZY:
        turned = range(1) if kind == z3.Z3_OP_IMPLIES else range(0)
        return _once(term, _connection(parts, is_and=kind == z3.Z3_OP_AND, turned=turned))
    return _once(term, _operation(_OPERATIONS[kind], parts))


def _once(term: Term, compute: Program) -> Program:
    """A program that is run once in each scope, however often the term occurs."""
    number = term.get_id()

    def run(scope: Scope) -> Value:
        found = scope.known.get(number)
        if found is None:
            found = scope.known[number] = compute(scope)
        return found

    return run


def _name(symbol: Function) -> Program:
    number = symbol.get_id()

    def run(scope: Scope) -> Value:
        if number in scope.at:
            return scope.model.noted(scope.at[number])
        return scope.model.applied(number, symbol, ())

    return run


def _call(symbol: Function, parts: Sequence[Program]) -> Program:
    if symbol in _FUNCTIONS:
        function, (part,) = _FUNCTIONS[symbol], parts
        return lambda scope: function(part(scope))
    number = symbol.get_id()
    return lambda scope: scope.model.applied(number, symbol, tuple(part(scope) for part in parts))


def _operation(compute: Callable[..., Value], parts: Sequence[Program]) -> Program:
    def run(scope: Scope) -> Value:
        values = [part(scope) for part in parts]
        found = compute(*values)
        if found is UNKNOWN and not any(isinstance(value, Truth) for value in values):
            scope.model.doubt(*values)
        return found

    return run


def _branch(test: Program, yes: Program, no: Program) -> Program:
    def run(scope: Scope) -> Value:
        truth = test(scope)
        if truth is UNKNOWN:
            return _hull(yes(scope), no(scope))
        return yes(scope) if truth is YES else no(scope)

    return run


def _connection(parts: Sequence[Program], *, is_and: bool, turned: range) -> Program:
    """`and`, `or` and `implies`, as far as needed: later parts may make no sense."""
    stop = NO if is_and else YES

    def run(scope: Scope) -> Truth:
        found = ~stop
        for index, part in enumerate(parts):
            truth = ~part(scope) if index in turned else part(scope)
            found = found & truth if is_and else found | truth
            if found is stop:
                break
        return found

    return run


def agree(left: Value, right: Value) -> bool:
    """Whether two values are one number, as far as enclosures can tell."""
    truth = equal(left, right)
    if truth is not UNKNOWN:
        return truth is YES
    a, b = to_arb(left), to_arb(right)
    size = to_arb(1) + abs(a) + abs(b)
    return all(less(x.rad(), to_arb(_CLOSE) * size) is YES for x in (a, b))


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
        return YES if value else NO
    if isinstance(value, int | arb | Truth):
        return value
    return to_fmpq(value)


def _hull(left: Value, right: Value) -> Value:
    if isinstance(left, Truth):
        return left if left is right else UNKNOWN
    return to_arb(left).union(to_arb(right))


def _quotient(left: Value, right: Value) -> Value:
    if equal(right, 0) is YES:
        raise TheoryError("A quotient by zero has no value.")
    exact = isinstance(left, int | fmpq) and isinstance(right, int | fmpq)
    return fmpq(left) / fmpq(right) if exact else to_arb(left) / to_arb(right)


def _mixed(operation: Callable[[Any, Any], Any]) -> Callable[..., Value]:
    """An operation on any number of values; flint coerces integers and rationals to balls."""

    def computed(*values: Value) -> Value:
        return functools.reduce(operation, values)

    return computed


def _pairwise_distinct(*values: Value) -> Truth:
    found = YES
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
    z3.Z3_OP_TRUE: lambda: YES,
    z3.Z3_OP_FALSE: lambda: NO,
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
