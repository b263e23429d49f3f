"""Anchors: what a result of the kernel says of one concrete case.

A theory speaks of sequences, an engine of runs. An anchor puts the numbers of a run into the
theory: the assumptions and hypotheses must be satisfied, every recorded step must be one of the
machine's, and what the result claims there are comparisons of concrete numbers. The caller compares
them with the inequalities of its own statement.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import z3

from pbverify.numerics import Truth
from pbverify.prover.induction.evaluation import Model, sides
from pbverify.prover.induction.machine import Invariant, State
from pbverify.prover.induction.nodes import Node, node
from pbverify.prover.induction.programs import Value
from pbverify.prover.induction.terms import Function, Term, TheoryError
from pbverify.prover.induction.theory import KEY, Result, Theorem
from pbverify.prover.induction.tree import RootClaim


@dataclasses.dataclass(frozen=True)
class Comparison:
    """lhs relation rhs, with concrete numbers; the relation is <=, < or =."""

    lhs: Value
    relation: str
    rhs: Value
    result: Result
    """The result that says so."""
    key: dataclasses.InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not KEY:
            raise TheoryError("Only a result that is read in a case makes a comparison.")


@dataclasses.dataclass(frozen=True)
class Anchor:
    """A result read in a case; `complaint` says why it does not apply there, or is empty."""

    result: Result
    comparisons: tuple[Comparison, ...]
    complaint: str = ""
    checked: frozenset[Function] = frozenset()
    """The inputs whose assumptions were checked somewhere."""


def at(
    theorem: Theorem | RootClaim, model: Model, variables: Mapping[Term, Any] | None = None
) -> Anchor:
    """A theorem at the values of a case."""
    _check_theory(theorem, model)
    values = dict(variables or {})
    if not model.accepts(theorem.given, values):
        return Anchor(theorem, (), f"the hypotheses of {theorem.name} do not hold")
    return _read(theorem, model, [values])


def along(
    invariant: Invariant,
    model: Model,
    states: Sequence[State],
    inputs: Sequence[State] = (),
    *,
    fixed: State | None = None,
    read: Sequence[int] | None = None,
) -> Anchor:
    """An invariant along a recorded run; its claim is read in the states numbered `read`.

    By default it is read in the last state. `inputs` belong to the steps, one fewer than states.
    """
    _check_theory(invariant, model)
    kept = dict(fixed or {})
    given = inputs or [{} for _ in states[1:]]
    complaint = invariant.machine.rejects(model, states, given, kept)
    if complaint:
        return Anchor(invariant, (), complaint)
    places = [len(states) - 1] if read is None else read
    return _read(invariant, model, [{**states[place], **kept} for place in places])


def _check_theory(result: Result, model: Model) -> None:
    if model.theory is not result.theory:
        raise TheoryError(f"{result.name}: expected a model of its theory, {result.theory.name}.")


def _read(result: Result, model: Model, places: Sequence[Mapping[Term, Any]]) -> Anchor:
    """What a result claims at some values, where the assumptions on what was asked hold."""
    comparisons = [
        Comparison(model.value(left, values), relation, model.value(right, values), result, KEY)
        for values in places
        for left, relation, right in _compared(node(result.claim), model, values)
    ]
    broken = model.broken_assumption()
    if broken:
        return Anchor(result, (), f"the assumption on {broken} does not hold")
    return Anchor(result, tuple(comparisons), checked=model.checked)


def _compared(
    part: Node, model: Model, values: Mapping[Term, Any]
) -> Iterator[tuple[Term, str, Term]]:
    """The comparisons of a claim; of an implication only if its premise holds."""
    if part.kind == z3.Z3_OP_AND:
        for each in part.parts:
            yield from _compared(each, model, values)
    elif part.kind == z3.Z3_OP_IMPLIES:
        premise, conclusion = part.parts
        if model.value(premise.term, values) is Truth.YES:
            yield from _compared(conclusion, model, values)
    else:
        found = sides(part)
        if found is None:
            raise TheoryError(f"Expected a comparison but got {part.term}.")
        yield found
