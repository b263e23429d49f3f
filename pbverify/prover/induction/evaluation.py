"""Definitions are programs: the value of a term on concrete sequences.

Integers are computed exactly; reals exactly while they are rational, else as enclosures, so a
comparison may be undecided. That is what ties a theory to an engine: the engine's own counters go
in, and what the theory says of them comes out.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import z3
from flint import arb, fmpq

from pbverify.numerics import Truth, equal, less, to_arb, to_fmpq
from pbverify.prover.induction.nodes import Node, is_whole, node, number_of, symbol
from pbverify.prover.induction.programs import NO, UNKNOWN, YES, Value, program
from pbverify.prover.induction.terms import Function, Term, TheoryError
from pbverify.prover.induction.theory import Definition, Input, Theory

_CLOSE = arb(fmpq(1, 2**40))
"""Enclosures that overlap and are narrower than this, relative to their size, may be equal."""
_AS_IS = (int, fmpq, arb, Truth)
"""Values that programs compute with; other numbers become rationals."""

_RELATIONS = {
    z3.Z3_OP_EQ: ("=", False),
    z3.Z3_OP_LE: ("<=", False),
    z3.Z3_OP_LT: ("<", False),
    z3.Z3_OP_GE: ("<=", True),
    z3.Z3_OP_GT: ("<", True),
}
"""How a comparison is written, and whether its sides change places."""
_GENERATIONS = 3
"""Rounds of checks: where a claim asks an input, where its assumption asks one, and once more."""


class Model:
    """Values for the inputs and parameters of a theory, and what follows for every term."""

    def __init__(self, theory: Theory, values: Mapping[Any, Callable[..., Value] | Value]) -> None:
        self.theory = theory
        self._values = {number_of(key): value for key, value in values.items()}
        self.known: dict[tuple[Value, ...], Value] = {}
        """The values of functions and parameters: the number of the symbol, and the arguments."""
        self._last: dict[tuple[Value, ...], int] = {}
        """Up to which size a defined function is known: its symbol's number, further arguments."""
        self._asked: dict[Input, list[tuple[Value, ...]]] = {}
        """Where inputs with assumptions were asked since these were last checked."""
        self._checked: set[Input] = set()
        self._wrong = ""
        self._givers: dict[int, Callable[[tuple[Value, ...]], Value]] = {}
        self._is_vague = False

    def value(self, term: Term, variables: Mapping[Term, Value] | None = None) -> Value:
        """The value of a term at values of its variables."""
        return program(term)(self, _places(variables or {}))

    def accepts(self, formula: Term, variables: Mapping[Term, Value] | None = None) -> bool:
        """Whether a formula holds, as far as narrow enclosures can tell; wide ones do not count."""
        return self._accepts(formula, _places(variables or {}))

    def _accepts(self, formula: Term, at: Mapping[int, Value]) -> bool:
        self._is_vague = False
        truth = program(formula)(self, at)
        return truth is YES or (truth is UNKNOWN and not self._is_vague)

    def doubt(self, *values: Value) -> None:
        """Note a comparison that is undecided; it is vague unless the values may be equal."""
        pairs = itertools.combinations(values, 2)
        self._is_vague |= not all(agree(*pair) for pair in pairs)

    @property
    def checked(self) -> frozenset[Function]:
        """The inputs whose assumptions were looked at where they were asked for a value."""
        return frozenset(assumed.function for assumed in self._checked)

    def broken_assumption(self) -> str:
        """An assumption that fails where its input was asked or at a parameter; empty if none.

        No place is looked at twice.
        """
        self._wrong = self._wrong or self._broken_parameter or self._broken_input()
        return self._wrong

    @functools.cached_property
    def _broken_parameter(self) -> str:
        for parameter, assumed in self.theory.parameters.items():
            if assumed.where is not None and not self.accepts(assumed.where):
                return str(parameter.name())
        return ""

    def _broken_input(self) -> str:
        for _ in range(_GENERATIONS):
            asked, self._asked = self._asked, {}
            for assumed, places in asked.items():
                self._checked.add(assumed)
                for arguments in places:
                    at = dict(zip(assumed.numbers, arguments, strict=True))
                    if not self._accepts(assumed.where, at):
                        return f"{assumed.function.name()} at {', '.join(map(str, arguments))}"
        return ""

    def note(self) -> None:
        """Note a truth that is undecided and whose comparison is not seen here: it is vague."""
        self._is_vague = True

    def ask(self, function: Function, *ranges: Iterable[Value]) -> None:
        """Ask a function for its values where each argument is in its range.

        So what is assumed of it is checked there.
        """
        number = number_of(function)
        for arguments in itertools.product(*ranges):
            key = (number, *arguments)
            if key not in self.known:
                self.result(key)

    def result(self, key: tuple[Value, ...]) -> Value:
        """The value of a function or parameter that is not known yet; `key` as in `known`."""
        number, arguments = key[0], key[1:]
        giver = self._givers.get(number)
        if giver is None:
            giver = self._givers[number] = self._giver(number)
        found = giver(arguments)
        if arb not in map(type, arguments):
            self.known[key] = found
        return found

    def _giver(self, number: int) -> Callable[[tuple[Value, ...]], Value]:
        """What gives the values of a symbol: its definition, or the numbers of the case."""
        definition = self.theory.definition(number)
        if definition is not None:
            return functools.partial(self._recursive, number, definition)
        if number not in self._values:
            raise TheoryError(f"{symbol(number).name()} has no value.")
        given, is_integer = self._values[number], is_whole(number)
        found = self.theory.input_of(number)
        assumed = None if found is None or found.where is None else found

        def give(arguments: tuple[Value, ...]) -> Value:
            if assumed is not None:
                self._asked.setdefault(assumed, []).append(arguments)
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
        if (number, *rest) not in self._last:
            self.known[number, 0, *rest] = program(definition.zero)(self, at)
        last = self._last.get((number, *rest), 0)
        value, step = self.known[number, last, *rest], program(definition.succ)
        for k in range(last + 1, n + 1):
            at[size], at[before] = k, value
            value = self.known[number, k, *rest] = step(self, at)
        self._last[number, *rest] = n
        return value


def _places(variables: Mapping[Term, Value]) -> dict[int, Value]:
    """Values by the numbers of the variables' symbols."""
    found = ((node(variable), value) for variable, value in variables.items())
    return {n.symbol_number: _number(value, is_integer=n.is_integer) for n, value in found}


def agree(left: Value, right: Value) -> bool:
    """Whether two values are one number, as far as enclosures can tell."""
    truth = equal(left, right)
    if truth is not UNKNOWN:
        return truth is YES
    a, b = to_arb(left), to_arb(right)
    most = _CLOSE * (1 + abs(a) + abs(b))
    return all(less(x.rad(), most) is YES for x in (a, b))


def sides(part: Node) -> tuple[Term, str, Term] | None:
    """The two sides of a comparison and its relation, written with <=, < or =."""
    relation, is_turned = _RELATIONS.get(part.kind, ("", False))
    if not relation or z3.is_bool(part.parts[0].term):
        return None
    left, right = (each.term for each in part.parts)
    return (right, relation, left) if is_turned else (left, relation, right)


def _number(value: Any, *, is_integer: bool = False) -> Value:
    if is_integer:
        try:
            return operator.index(value)
        except TypeError:
            raise TheoryError(f"Expected an integer but got {value}.") from None
    if isinstance(value, bool):
        return YES if value else NO
    return value if isinstance(value, _AS_IS) else to_fmpq(value)


def rounds(values: Sequence[Value], *, beyond: Value = 0) -> Callable[[int], Value]:
    """A sequence whose first element has index 1; `beyond` outside."""
    return lambda r: values[r - 1] if 1 <= r <= len(values) else beyond
