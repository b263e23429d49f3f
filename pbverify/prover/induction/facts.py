"""Facts of the inequality prover as terms of the kernel, and the functions ln, exp and sqrt.

The kernel knows of sqrt that its square is its argument; all it learns about ln and exp comes from
facts, which the inequality prover proves for all real values.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy
import z3

from pbverify.prover.induction.solver import Answer, Reply
from pbverify.prover.induction.terms import REAL, TRUE, Function, Term, TheoryError
from pbverify.prover.inequalities import (
    Outcome,
    Relation,
    Statement,
    parse_inequality,
    prove_text,
)

LN, EXP, SQRT = (z3.Function(name, REAL, REAL) for name in ("ln", "exp", "sqrt"))
FUNCTIONS: tuple[Function, ...] = (LN, EXP, SQRT)
NUMBERS = frozenset(function.get_id() for function in FUNCTIONS)
MEANINGS: Mapping[Function, Callable[..., Term]] = {
    SQRT: lambda root, x: z3.Implies(x >= 0, z3.And(root >= 0, root * root == x)),
}
"""What the kernel knows of a function at each term that occurs."""

_SIGNS = ("<=", ">=", "<", ">")


@dataclasses.dataclass(frozen=True)
class FactQuery:
    """An inequality with its domain, to be settled by the inequality prover."""

    inequality: str
    where: tuple[str, ...] = ()
    integers: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        conditions = ", ".join(self.where)
        return f"{self.inequality} for {conditions}" if conditions else self.inequality

    @functools.cached_property
    def statement(self) -> tuple[tuple[Term, ...], Term, Term]:
        """The variables in alphabetical order, the domain and the inequality, as terms."""
        parsed = parse_inequality(self.inequality)
        names = sorted(symbol.name for symbol in parsed.variables)
        terms = {name: z3.Int(name) if name in self.integers else z3.Real(name) for name in names}
        domain = [self._condition(text, terms) for text in self.where]
        given = z3.And(*domain) if domain else TRUE
        return tuple(terms[name] for name in names), given, _comparison(parsed, terms)

    @property
    def reply(self) -> Reply:
        """The prover's answer; asked once for all theories."""
        return _reply(self)

    @staticmethod
    def _condition(text: str, terms: Mapping[str, Term]) -> Term:
        """`name sign number`, with spaces, which is what the prover reads as well."""
        words = text.split()
        if len(words) != 3 or words[0] not in terms or words[1] not in _SIGNS:
            raise TheoryError(f"Expected `variable {' | '.join(_SIGNS)} number` but got {text!r}.")
        left, right = _real(terms[words[0]]), z3.RealVal(words[2])
        return {"<=": left <= right, ">=": left >= right, "<": left < right, ">": left > right}[
            words[1]
        ]


@functools.cache
def _reply(query: FactQuery) -> Reply:
    start = time.process_time()
    proof = prove_text(query.inequality, query.where, query.integers)
    answers = {Outcome.PROVED: Answer.PROVED, Outcome.REFUTED: Answer.REFUTED}
    answer = answers.get(proof.outcome, Answer.UNKNOWN)
    point = {} if proof.point is None else {k: str(v) for k, v in proof.point.values}
    return Reply(answer, time.process_time() - start, point)


def _comparison(parsed: Statement, terms: Mapping[str, Term]) -> Term:
    lhs, rhs = (term_of(side, terms) for side in (parsed.lhs, parsed.rhs))
    return lhs <= rhs if parsed.relation is Relation.LEQ else lhs >= rhs


def _real(term: Term) -> Term:
    return z3.ToReal(term) if term.is_int() else term


def term_of(expression: sympy.Expr, terms: Mapping[str, Term]) -> Term:
    """A closed form as a term, over the terms that stand for its variables."""
    if expression.is_Symbol:
        return _real(terms[expression.name])
    if expression.is_Rational:
        return z3.RealVal(str(expression))
    parts = [term_of(part, terms) for part in expression.args]
    if expression.is_Add:
        return z3.Sum(*parts)
    if expression.is_Mul:
        return z3.Product(*parts)
    if expression.is_Pow and expression.args[1].is_Rational:
        return _power(parts[0], expression.args[1])
    named: dict[Any, Function] = {sympy.log: LN, sympy.exp: EXP}
    if expression.func in named:
        return named[expression.func](parts[0])
    raise TheoryError(f"Expected sums, products, powers, ln, exp or sqrt but got {expression}.")


def _power(base: Term, exponent: Any) -> Term:
    """Powers with exponents n and n/2; a negative one divides."""
    if exponent < 0:
        return z3.RealVal(1) / _power(base, -exponent)
    if exponent.q not in (1, 2):
        raise TheoryError(f"Expected an exponent n or n/2 but got {exponent}.")
    factors: Sequence[Term] = [base] * int(exponent) if exponent.q == 1 else []
    if exponent.q == 2:
        factors = [*[base] * (int(exponent.p) // 2), SQRT(base)]
    return z3.Product(*factors) if len(factors) > 1 else factors[0]
