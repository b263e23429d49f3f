r"""Exponents that are not fixed: linear forms whose comparisons divide all values into cells.

    for cell, found in cells(lambda exponents: exponents["a"] > 2 * exponents["b"], ["a", "b"]): ...

`cells` calls a function with one exponent for each name. If an exponent is compared and both
answers are possible, the call goes on with one of them, and a later call with the other. So each
call is about one cell, all values that give these answers, and what it returns is true of the whole
cell; together the cells are all real values. Whether an answer is possible is a question about
linear inequalities, which z3 decides exactly: each impossible one is an obligation.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import z3

from pbverify.prover.induction.solver import Answer, Query

R = TypeVar("R")


@dataclasses.dataclass(frozen=True)
class _Choice:
    """The answer to a comparison, and whether the other one was possible as well."""

    fact: Any
    holds: bool
    is_free: bool

    @property
    def condition(self) -> Any:
        return self.fact if self.holds else z3.Not(self.fact)


class Cell:
    """The values of the exponents that give the same answers in every comparison."""

    def __init__(self, names: Sequence[str], choices: Sequence[_Choice] = ()) -> None:
        self._names = names
        self._ahead = list(reversed(choices))
        self._choices: dict[int, _Choice] = {}
        self.others: list[Sequence[_Choice]] = []
        """The cells on the other side of the comparisons that were new here."""
        self.obligations: list[Query] = []
        """What z3 showed to be impossible, so that it has no cell."""

    @property
    def conditions(self) -> list[Any]:
        """The linear conditions of which the cell consists."""
        return [choice.condition for choice in self._choices.values() if choice.is_free]

    def decide(self, fact: Any) -> bool:
        """Whether a linear fact holds in the cell; if it may or may not, the cell is divided."""
        fact = z3.simplify(fact)
        if z3.is_true(fact) or z3.is_false(fact):
            return bool(z3.is_true(fact))
        if fact.get_id() not in self._choices:
            choice = self._repeated(fact) if self._ahead else self._asked(fact)
            self._choices[fact.get_id()] = choice
        return self._choices[fact.get_id()].holds

    def _repeated(self, fact: Any) -> _Choice:
        choice = self._ahead.pop()
        if not choice.fact.eq(fact):
            raise RuntimeError(f"Expected the comparison {choice.fact} again but got {fact}.")
        return choice

    def _asked(self, fact: Any) -> _Choice:
        if not self._is_possible(fact):
            return _Choice(fact, holds=False, is_free=False)
        if not self._is_possible(z3.Not(fact)):
            return _Choice(fact, holds=True, is_free=False)
        other = _Choice(fact, holds=False, is_free=True)
        self.others.append([*self._choices.values(), other])
        return _Choice(fact, holds=True, is_free=True)

    def _is_possible(self, fact: Any) -> bool:
        query = Query("comparison", [*self.conditions, fact])
        is_possible = query.reply.answer is not Answer.PROVED
        if not is_possible:
            self.obligations.append(query)
        return is_possible

    def check_complete(self) -> None:
        """Raise an error if the run left out a comparison that an earlier one made."""
        if self._ahead:
            raise RuntimeError(f"Expected the comparison {self._ahead[-1].fact} again.")

    def point(self) -> dict[str, Fraction]:
        """Rational values in the cell."""
        solver = z3.Solver()
        solver.add(*self.conditions)
        if solver.check() != z3.sat:
            raise RuntimeError(f"Expected values with {self.conditions} but found none.")
        model = solver.model()
        values = {name: model.eval(z3.Real(name), model_completion=True) for name in self._names}
        return {name: value.as_fraction() for name, value in values.items()}


@dataclasses.dataclass(frozen=True, eq=False)
class Exponent:
    """A linear form in the exponents; rational numbers may stand in its place."""

    term: Any
    cell: Cell = dataclasses.field(repr=False)

    def __add__(self, other: Exponent | Fraction | int) -> Exponent:
        return Exponent(self.term + _term(other), self.cell)

    __radd__ = __add__

    def __mul__(self, factor: Fraction | int) -> Exponent:
        return Exponent(self.term * _term(factor), self.cell)

    __rmul__ = __mul__

    def __neg__(self) -> Exponent:
        return -1 * self

    def __sub__(self, other: Exponent | Fraction | int) -> Exponent:
        return self + -1 * other

    def __rsub__(self, other: Fraction | int) -> Exponent:
        return -self + other

    def __eq__(self, other: object) -> bool:
        return self.cell.decide(self.term == _term(other))

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Exponent | Fraction | int) -> bool:
        return self.cell.decide(self.term < _term(other))

    def __le__(self, other: Exponent | Fraction | int) -> bool:
        return self.cell.decide(self.term <= _term(other))

    def __gt__(self, other: Exponent | Fraction | int) -> bool:
        return self.cell.decide(self.term > _term(other))

    def __ge__(self, other: Exponent | Fraction | int) -> bool:
        return self.cell.decide(self.term >= _term(other))


def cells(
    run: Callable[[Mapping[str, Exponent]], R], names: Sequence[str]
) -> Iterator[tuple[Cell, R]]:
    """What the function returns in each cell of all values of the exponents."""
    waiting: list[Sequence[_Choice]] = [()]
    while waiting:
        cell = Cell(names, waiting.pop())
        found = run({name: Exponent(z3.Real(name), cell) for name in names})
        cell.check_complete()
        waiting += cell.others
        yield cell, found


def _term(value: object) -> Any:
    if isinstance(value, Exponent):
        return value.term
    exact = Fraction(value)  # type: ignore[call-overload]
    return z3.Q(exact.numerator, exact.denominator)
