"""Counterexamples: a theorem's negation, with all definitions unrolled up to a small size.

What z3 finds is only a proposal: the caller computes it again with its own numbers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from fractions import Fraction

import z3

from pbverify.prover.induction.solver import EFFORT
from pbverify.prover.induction.terms import Function, Term, substituted
from pbverify.prover.induction.theory import Theorem

SIZES = range(7)


@dataclasses.dataclass(frozen=True)
class Counterexample:
    """Values at which a theorem fails: of its variables, parameters, and sequences from 1 on."""

    size: int
    variables: Mapping[str, int | Fraction]
    sequences: Mapping[str, tuple[int | Fraction, ...]]

    def __str__(self) -> str:
        values = [f"{name} = {value}" for name, value in self.variables.items()]
        values += [f"{n} = ({', '.join(map(str, s))})" for n, s in self.sequences.items()]
        return ", ".join(values)


def counterexample(
    theorem: Theorem, size: Term, *, sizes: Sequence[int] = SIZES
) -> Counterexample | None:
    """The smallest size at which z3 finds values that contradict the theorem, with those values."""
    for number in sizes:
        found = _at_size(theorem, size, number)
        if found is not None:
            return found
    return None


def _at_size(theorem: Theorem, size: Term, number: int) -> Counterexample | None:
    theory, at = theorem.theory, [(size, z3.IntVal(number))]
    negation = [substituted(theorem.given, at), z3.Not(substituted(theorem.claim, at))]
    solver = z3.Solver()
    solver.set("rlimit", EFFORT)
    solver.add(*theory.unrolled(negation, 2 * number + 4))
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    named = [v for v in theorem.variables if not v.eq(size)]
    named += [symbol() for symbol in theory.parameters]
    values = {_plain(term.decl()): _value(model, term) for term in named}
    return Counterexample(
        number,
        {str(size): number, **values},
        {
            _plain(function): tuple(_value(model, function(r)) for r in range(1, number + 1))
            for function in theory.inputs
            if function.arity() == 1
        },
    )


def _plain(function: Function) -> str:
    return str(function.name()).rpartition(".")[2]


def _value(model: Term, term: Term) -> int | Fraction:
    value = model.eval(term, model_completion=True)
    if z3.is_int_value(value):
        return int(value.as_long())
    if z3.is_algebraic_value(value):
        value = value.approx(20)
    return Fraction(value.as_fraction())
