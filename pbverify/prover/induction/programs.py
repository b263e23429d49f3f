"""Terms as Python functions, written once for each term.

A program computes the value of a term from a model and the values of variables, by the numbers of
their symbols. Each subterm is a local variable, computed at most once and only where it is needed:
`and`, `or`, `implies` and `if` look at their parts in turn, and later parts may make no sense. A
comparison may be undecided; then the model is told the values (`doubt`).
"""

from __future__ import annotations

import collections
import functools
import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import z3
from flint import fmpq

from pbverify.numerics import Truth, equal, leq, less, to_arb, to_fmpq
from pbverify.prover.induction import facts
from pbverify.prover.induction.nodes import Node, node
from pbverify.prover.induction.terms import Term, TheoryError

if TYPE_CHECKING:
    from pbverify.prover.induction.evaluation import Model

Value = Any
"""int, fmpq or arb; a Truth for a formula."""
Program = Callable[["Model", Mapping[int, Value]], Value]

YES, NO, UNKNOWN = Truth  # a look into the class costs more than a comparison

_REPEATS = 3
"""A subterm is written so often where it may be known already; then it is a program of its own."""
_DEPTH = 12
"""Deeper inside `and`, `or`, `implies` and `if` a subterm is a program of its own."""
_PROGRAMS: dict[int, Program] = {}
"""Each term's program, by the term's number."""


def program(term: Term) -> Program:
    """The term as a function of a model and of values by the numbers of symbols."""
    whole = node(term)
    found = _PROGRAMS.get(whole.number)
    if found is None:
        found = _PROGRAMS[whole.number] = _Writer(whole).program()
    return found


class _Writer:
    """Writes the program of a term, line by line."""

    def __init__(self, whole: Node) -> None:
        self._whole = whole
        self._lines: list[str] = []
        self._depth = 0
        self._known: dict[int, str] = {}
        """The names of the subterms that are computed wherever the next line is reached."""
        self._written: collections.Counter[int] = collections.Counter()
        self._objects: dict[str, Any] = {}
        """What the lines name, besides `_NAMES`."""

    def program(self) -> Program:
        value = self._value(self._whole)
        unset = [f"v{number}" for number, times in self._written.items() if times > 1]
        lines = [
            "def run(model, at):",
            " known = model.known.get",
            *([f" {' = '.join(unset)} = None"] if unset else []),
            *self._lines,
            f" return {value}",
        ]
        names = {**_NAMES, **self._objects}
        exec("\n".join(lines), names)
        found: Program = names["run"]
        return found

    def _line(self, text: str) -> None:
        self._lines.append(f"{' ' * (self._depth + 1)}{text}")

    def _inner(self, head: str, write: Callable[[], None]) -> None:
        """Lines that may not be reached: what they compute need not be known after them."""
        outer, self._known = self._known, dict(self._known)
        self._line(head)
        self._depth += 1
        write()
        self._depth -= 1
        self._known = outer

    def _value(self, part: Node) -> str:
        """Lines that compute a subterm unless it is known; its name, or the constant itself."""
        if part.number not in self._known:
            self._known[part.number] = self._constant(part) or self._computed(part)
        return self._known[part.number]

    def _constant(self, part: Node) -> str:
        if part.kind == z3.Z3_OP_TO_REAL:
            return self._value(part.parts[0])
        if part.kind in _TRUTHS:
            return _TRUTHS[part.kind]
        if part.kind != z3.Z3_OP_ANUM:
            return ""
        if part.is_integer:
            return f"({part.term.as_long()})"
        return self._object(f"c{part.number}", to_fmpq(part.term.as_fraction()))

    def _object(self, name: str, value: Any) -> str:
        self._objects[name] = value
        return name

    def _computed(self, part: Node) -> str:
        name = f"v{part.number}"
        self._written[part.number] += 1
        if self._written[part.number] == 1:
            self._compute(name, part)
        else:
            self._inner(f"if {name} is None:", lambda: self._compute(name, part))
        return name

    def _compute(self, name: str, part: Node) -> None:
        is_apart = self._written[part.number] > _REPEATS or self._depth >= _DEPTH
        if is_apart and part.parts and part is not self._whole:
            self._line(f"{name} = apart({self._object(f't{part.number}', part.term)}, model, at)")
        elif part.is_named:
            self._named(name, part)
        elif part.kind == z3.Z3_OP_ITE:
            self._branch(name, *part.parts)
        elif part.kind in _LAZY:
            self._connection(name, part)
        else:
            self._operation(name, part, [self._value(each) for each in part.parts])

    def _named(self, name: str, part: Node) -> None:
        values = [self._value(each) for each in part.parts]
        if part.symbol in _FUNCTIONS:
            function = self._object(f"f{part.symbol_number}", _FUNCTIONS[part.symbol])
            self._line(f"{name} = {function}({values[0]})")
            return
        key = f"({', '.join([str(part.symbol_number), *values])},)"
        if values:
            self._line(f"{name} = known({key})")
        else:
            self._line(f"{name} = at.get({part.symbol_number})")
            self._line(f"if {name} is None: {name} = known({key})")
        self._line(f"if {name} is None: {name} = model.result({key})")
        if z3.is_bool(part.term):
            self._line(f"if {name} is UNKNOWN: model.note()")

    def _branch(self, name: str, test: Node, yes: Node, no: Node) -> None:
        truth = self._value(test)
        self._inner(f"if {truth} is not NO:", lambda: self._line(f"{name} = {self._value(yes)}"))

        def otherwise() -> None:
            value = self._value(no)
            self._line(f"{name} = {value} if {truth} is NO else hull({name}, {value})")

        self._inner(f"if {truth} is not YES:", otherwise)

    def _connection(self, name: str, part: Node) -> None:
        """`and`, `or` and `implies`; a loop that is left as soon as the value is certain."""
        go, stop = ("YES", "NO") if part.kind == z3.Z3_OP_AND else ("NO", "YES")
        if not part.parts:
            self._line(f"{name} = {go}")
            return
        first, *rest = part.parts
        truth = self._value(first)
        is_turned = part.kind == z3.Z3_OP_IMPLIES
        self._line(f"{name} = {_turned(truth) if is_turned else truth}")

        def others() -> None:
            for each in rest:
                self._line(f"if {name} is {stop}: break")
                truth = self._value(each)
                self._line(f"if {truth} is not {go}: {name} = {truth}")
            self._line("break")

        self._inner("while True:", others)

    def _operation(self, name: str, part: Node, values: list[str]) -> None:
        if part.kind in _SIGNS:
            self._line(f"{name} = {_SIGNS[part.kind].join(values)}")
        elif part.kind == z3.Z3_OP_UMINUS:
            self._line(f"{name} = -{values[0]}")
        elif part.kind == z3.Z3_OP_DIV:
            self._line(f"{name} = quotient({', '.join(values)})")
        elif part.kind == z3.Z3_OP_NOT:
            self._line(f"{name} = {_turned(values[0])}")
        elif z3.is_bool(part.parts[0].term):
            same = "same" if part.kind == z3.Z3_OP_EQ else "different"
            self._line(f"{name} = {same}({', '.join(values)})")
        elif part.kind == z3.Z3_OP_DISTINCT:
            self._line(f"{name} = different({', '.join(values)})")
            self._line(f"if {name} is UNKNOWN: model.doubt({', '.join(values)})")
        else:
            self._comparison(name, part, *values)

    def _comparison(self, name: str, part: Node, left: str, right: str) -> None:
        """Exact numbers compare at once."""
        sign, function = _COMPARISONS[part.kind]
        exact = " and ".join(_exact(left, right))
        inexact = f"compared(model, {function}, {left}, {right})"
        self._line(f"{name} = (YES if {left} {sign} {right} else NO) if {exact} else {inexact}")


def _exact(*names: str) -> Iterator[str]:
    """Tests of whether the numbers are exact; a constant needs none."""
    found = [f"type({name}) in EXACT" for name in names if name.startswith("v")]
    yield from found or ["True"]


def _turned(truth: str) -> str:
    return f"NO if {truth} is YES else YES if {truth} is NO else UNKNOWN"


def _apart(term: Term, model: Model, at: Mapping[int, Value]) -> Value:
    return program(term)(model, at)


def _compared(
    model: Model, compare: Callable[[Value, Value], Truth], left: Value, right: Value
) -> Truth:
    found = compare(left, right)
    if found is UNKNOWN:
        model.doubt(left, right)
    return found


def hull(left: Value, right: Value) -> Value:
    """What contains both values."""
    if isinstance(left, Truth):
        return left if left is right else UNKNOWN
    return to_arb(left).union(to_arb(right))


def _quotient(left: Value, right: Value) -> Value:
    if equal(right, 0) is YES:
        raise TheoryError("A quotient by zero has no value.")
    exact = isinstance(left, int | fmpq) and isinstance(right, int | fmpq)
    return to_fmpq(left) / to_fmpq(right) if exact else to_arb(left) / to_arb(right)


def _same(*values: Value) -> Truth:
    left, right = values
    if isinstance(left, Truth):
        other: Truth = right
        return (left & other) | (~left & ~other)
    return equal(left, right)


def _different(*values: Value) -> Truth:
    """Whether no two are equal."""
    pairs = itertools.combinations(values, 2)
    return functools.reduce(Truth.__and__, (~_same(*pair) for pair in pairs), YES)


_TRUTHS = {z3.Z3_OP_TRUE: "YES", z3.Z3_OP_FALSE: "NO"}
_LAZY = frozenset({z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_IMPLIES})
_SIGNS = {z3.Z3_OP_ADD: " + ", z3.Z3_OP_SUB: " - ", z3.Z3_OP_MUL: " * "}
_COMPARISONS = {
    z3.Z3_OP_LE: ("<=", "leq"),
    z3.Z3_OP_LT: ("<", "less"),
    z3.Z3_OP_GE: (">=", "geq"),
    z3.Z3_OP_GT: (">", "more"),
    z3.Z3_OP_EQ: ("==", "equal"),
}
_FUNCTIONS: Mapping[Any, Callable[[Value], Value]] = {
    facts.LN: lambda value: to_arb(value).log(),
    facts.EXP: lambda value: to_arb(value).exp(),
    facts.SQRT: lambda value: to_arb(value).sqrt(),
}
_NAMES: Mapping[str, Any] = {
    "YES": YES,
    "NO": NO,
    "UNKNOWN": UNKNOWN,
    "EXACT": frozenset({int, fmpq}),
    "apart": _apart,
    "compared": _compared,
    "different": _different,
    "equal": equal,
    "geq": lambda left, right: leq(right, left),
    "hull": hull,
    "leq": leq,
    "less": less,
    "more": lambda left, right: less(right, left),
    "quotient": _quotient,
    "same": _same,
}
