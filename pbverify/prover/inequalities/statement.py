"""What a text says: two expressions, how they compare, and what they need in order to be defined.

sympy rewrites as it builds (x/x becomes 1), so each expression carries the conditions under which
the text it came from is defined; on that set, and only there, text and expression agree.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping

import sympy


class Need(enum.Enum):
    """What a subexpression must satisfy for the text around it to be defined."""

    POSITIVE = "> 0"
    NONNEGATIVE = ">= 0"
    NONZERO = "!= 0"


@dataclasses.dataclass(frozen=True)
class Condition:
    """A need of a function or operation, such as the argument of ln being positive."""

    expression: sympy.Expr
    need: Need
    of: str

    def __str__(self) -> str:
        return f"{self.of} needs {written(self.expression)} {self.need.value}"

    def replaced(self, change: Mapping[sympy.Basic, sympy.Basic]) -> Condition:
        return dataclasses.replace(self, expression=self.expression.xreplace(change))


class Relation(enum.Enum):
    """How the left-hand side compares with the right-hand side."""

    LEQ = "<="
    GEQ = ">="
    LESS = "<"
    GREATER = ">"


@dataclasses.dataclass(frozen=True)
class Statement:
    """An inequality, the conditions under which its sides are defined, and the names in its text.

    A name may have cancelled in the expressions and still be a variable of the text.
    """

    lhs: sympy.Expr
    relation: Relation
    rhs: sympy.Expr
    conditions: tuple[Condition, ...]
    variables: frozenset[sympy.Symbol]

    @property
    def slack(self) -> sympy.Expr:
        """The larger side minus the smaller one: the inequality says that it is >= 0."""
        upward = self.relation in (Relation.LEQ, Relation.LESS)
        return self.rhs - self.lhs if upward else self.lhs - self.rhs

    def replaced(self, change: Mapping[sympy.Basic, sympy.Basic]) -> Statement:
        return Statement(
            self.lhs.xreplace(change),
            self.relation,
            self.rhs.xreplace(change),
            tuple(condition.replaced(change) for condition in self.conditions),
            frozenset(change.get(symbol, symbol) for symbol in self.variables),
        )

    def __str__(self) -> str:
        return f"{written(self.lhs)} {self.relation.value} {written(self.rhs)}"


def written(expression: sympy.Expr) -> str:
    """An expression in the notation of the grammar."""
    text = str(expression.xreplace({sympy.E: sympy.Symbol("exp(1)")}))
    return text.replace("log(", "ln(").replace("Abs(", "abs(")
