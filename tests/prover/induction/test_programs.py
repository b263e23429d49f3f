"""The program of a term computes what the term says, and asks for as much and no more."""

import functools
import itertools
import operator
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import z3
from flint import arb, fmpq

from pbverify.errors import TheoryError
from pbverify.numerics import Truth, equal, leq, less, to_arb, to_fmpq
from pbverify.prover.induction import BOOL, INT, REAL, Model, Theory
from pbverify.prover.induction.evaluation import agree

n, r, b = z3.Int("n"), z3.Real("r"), z3.Bool("b")
REALS = [fmpq(0), fmpq(1, 3), fmpq(2), arb(0, 1), arb(1), arb(2).sqrt(), arb(1, 2**-60), 1, -2]


class Plain:
    """The value of a term, subterm by subterm and without a program: slow, and easy to check.

    It is given functions and variables by name, and notes whether an undecided comparison is vague.
    """

    def __init__(self, values: Mapping[str, Callable[..., Any]]) -> None:
        self._values = values
        self.is_vague = False
        self.asked: set[tuple[str, tuple[Any, ...]]] = set()

    def value(self, term: Any) -> Any:
        kind, parts = term.decl().kind(), term.children()
        if kind == z3.Z3_OP_ANUM:
            return term.as_long() if z3.is_int(term) else to_fmpq(term.as_fraction())
        if kind == z3.Z3_OP_ITE:
            return self._branch(*parts)
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_IMPLIES):
            return self._connection(kind, parts)
        values = [self.value(part) for part in parts]
        if kind == z3.Z3_OP_UNINTERPRETED:
            name = term.decl().name().rpartition(".")[2]
            self.asked.add((name, tuple(values)))
            found = self._values[name](*values)
            self.is_vague |= found is Truth.UNKNOWN
            return found
        found = _OPERATIONS[kind](*values)
        if found is Truth.UNKNOWN and not any(isinstance(value, Truth) for value in values):
            pairs = itertools.combinations(values, 2)
            self.is_vague |= not all(agree(*pair) for pair in pairs)
        return found

    def _branch(self, test: Any, yes: Any, no: Any) -> Any:
        truth = self.value(test)
        if truth is not Truth.UNKNOWN:
            return self.value(yes if truth is Truth.YES else no)
        left, right = self.value(yes), self.value(no)
        if isinstance(left, Truth):
            return left if left is right else Truth.UNKNOWN
        return to_arb(left).union(to_arb(right))

    def _connection(self, kind: int, parts: list[Any]) -> Truth:
        is_and = kind == z3.Z3_OP_AND
        found = Truth.YES if is_and else Truth.NO
        for index, part in enumerate(parts):
            truth = self.value(part)
            if kind == z3.Z3_OP_IMPLIES and index == 0:
                truth = ~truth
            found = found & truth if is_and else found | truth
            if found is (Truth.NO if is_and else Truth.YES):
                break
        return found


def _same(left: Any, right: Any) -> Truth:
    if isinstance(left, Truth):
        other: Truth = right
        return (left & other) | (~left & ~other)
    return equal(left, right)


def _chain(operation: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda *values: functools.reduce(operation, values)


def _different(*values: Any) -> Truth:
    pairs = itertools.combinations(values, 2)
    return functools.reduce(operator.and_, (~_same(*pair) for pair in pairs))


_OPERATIONS: Mapping[int, Callable[..., Any]] = {
    z3.Z3_OP_ADD: _chain(operator.add),
    z3.Z3_OP_SUB: _chain(operator.sub),
    z3.Z3_OP_MUL: _chain(operator.mul),
    z3.Z3_OP_UMINUS: operator.neg,
    z3.Z3_OP_LE: leq,
    z3.Z3_OP_LT: less,
    z3.Z3_OP_GE: lambda a, b: leq(b, a),
    z3.Z3_OP_GT: lambda a, b: less(b, a),
    z3.Z3_OP_EQ: _same,
    z3.Z3_OP_DISTINCT: _different,
    z3.Z3_OP_NOT: operator.invert,
    z3.Z3_OP_TRUE: lambda: Truth.YES,
    z3.Z3_OP_FALSE: lambda: Truth.NO,
    z3.Z3_OP_TO_REAL: lambda value: value,
}


class Terms:
    """Random terms in which earlier ones occur again."""

    def __init__(self, source: random.Random, f: Any, g: Any, p: Any) -> None:
        self._source = source
        self._f, self._g, self._p = f, g, p
        self._integers = [n, z3.IntVal(1), z3.IntVal(-2), f(n)]
        self._reals = [r, z3.RealVal("1/3"), z3.RealVal(2), g(n, n)]
        self._truths = [b, p(n), z3.BoolVal(val=True), n <= 1, r < 1]

    def grown(self, steps: int) -> Any:
        """A formula after so many new terms."""
        for _ in range(steps):
            kind = self._source.choice([self._integer, self._real, self._truth, self._truth])
            kind()
        return self._connected(4)

    def _integer(self) -> None:
        x, y = self._source.choices(self._integers, k=2)
        truth = self._source.choice(self._truths)
        new = [x + y + 1, x - y, -x, self._f(x), z3.If(truth, x, y), 2 * x]
        self._integers.append(self._source.choice(new))

    def _real(self) -> None:
        x, y = self._source.choices(self._reals, k=2)
        i, truth = self._source.choice(self._integers), self._source.choice(self._truths)
        new = [
            x + y,
            x - y - 1,
            x * y,
            -x,
            self._g(i, self._source.choice(self._integers)),
            z3.If(truth, x, y),
            z3.ToReal(i),
        ]
        self._reals.append(self._source.choice(new))

    def _truth(self) -> None:
        x, y = self._source.choices(self._source.choice([self._integers, self._reals]), k=2)
        i, truth = self._source.choice(self._integers), self._connected(3)
        other = self._source.choice(self._truths)
        compared = [x <= y, x < y, x >= y, x > y, x == y, x != y, self._p(i)]
        new = [*compared, truth, z3.Not(truth), truth == other, z3.If(truth, other, b)]
        self._truths.append(self._source.choice(new))

    def _connected(self, most: int) -> Any:
        parts = self._source.choices(self._truths, k=self._source.randint(2, most))
        connect = self._source.choice([z3.And, z3.Or, lambda x, y, *_: z3.Implies(x, y)])
        return connect(*parts)


@pytest.mark.parametrize("seed", range(150))
def test_programs_agree_with_a_plain_evaluation(seed: int) -> None:
    """In value, in vagueness, and in what they ask of the inputs."""
    source = random.Random(seed)
    reals, truths = source.choices(REALS, k=5), source.choices(list(Truth), k=3)
    given: dict[str, Callable[..., Any]] = {
        "f": lambda i: (3 * i + seed) % 7 - 2,
        "g": lambda i, j: reals[(i + 2 * j) % 5],
        "p": lambda i: truths[i % 3],
    }
    T = Theory("random terms")
    f = T.input("f", INT, INT)
    g = T.input("g", INT, INT, REAL)
    p = T.input("p", INT, BOOL)
    terms = Terms(source, f, g, p)
    for size in (3, 10, 40, 120):
        term = terms.grown(size)
        variables = {n: source.randint(-1, 3), r: source.choice(REALS), b: source.choice([*Truth])}
        own = {str(name): lambda value=value: value for name, value in variables.items()}
        plain = Plain({**given, **own})
        try:
            expected = plain.value(term)
        except (TypeError, ValueError):  # a ball where a function needs an integer
            continue
        heard: set[Any] = set()
        asked = {
            name: lambda *at, name=name, heard=heard: (heard.add((name, at)), given[name](*at))[1]
            for name in given
        }
        model = Model(T, {f: asked["f"], g: asked["g"], p: asked["p"]})
        assert model.value(term, variables) is expected
        accepted = expected is Truth.YES or (expected is Truth.UNKNOWN and not plain.is_vague)
        assert model.accepts(term, variables) == accepted
        assert _shown(heard) == _shown(each for each in plain.asked if each[0] in given)


def _shown(asked: Any) -> set[str]:
    return {str(each) for each in asked}


def test_what_is_not_needed_is_not_computed() -> None:
    """A later part may make no sense where an earlier one decides."""
    T = Theory("lazy")
    x = T.parameter("x", REAL)
    model = Model(T, {x: 0})
    wrong = 1 / x > 1
    for term in (z3.And(x > 0, wrong), z3.Implies(x > 0, wrong), z3.If(x > 0, wrong, x < 0)):
        assert model.value(term) is (Truth.YES if z3.is_implies(term) else Truth.NO)
    assert model.value(z3.Or(x == 0, wrong)) is Truth.YES
    with pytest.raises(TheoryError, match="quotient by zero"):
        model.value(z3.And(z3.Implies(x > 0, wrong), wrong))


def test_what_an_untaken_part_has_not_computed_is_computed_later() -> None:
    """A subterm that occurs in an untaken part and after it has its value."""
    T = Theory("again")
    f = T.input("f", INT, INT)
    model = Model(T, {f: lambda i: i + 1})
    term = z3.And(z3.Implies(n > 5, f(f(n)) > 0), z3.Implies(n > 4, f(f(n)) > 0), f(f(n)) == 2 + n)
    assert [model.value(term, {n: value}) for value in (0, 5, 6)] == [Truth.YES] * 3


def test_deep_terms_have_programs() -> None:
    """However deep connections and choices are nested."""
    term: Any = n >= 0
    for depth in range(1, 60):
        term = z3.Implies(n >= -depth, z3.And(n < depth, z3.Or(n > depth, term)))
    for depth in range(1, 60):
        term = z3.If(n >= depth, term, z3.And(term, n >= 0))
    plain = Plain({"n": lambda: 0})
    assert Model(Theory("deep"), {}).value(term, {n: 0}) is plain.value(term) is Truth.YES
