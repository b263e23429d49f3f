"""Sharper statements, made mechanically: a proof that proves them too may prove too much.

    strict      < in the place of <=
    moved       an equation with 1 more on its right; an inequality < with rhs - 1
    without     the statement without one of its hypotheses, or an invariant without one part

Each is tried with the proof of the statement itself. It must fail; otherwise the sharper statement
is true as well, and somebody should know.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Sequence

import z3

from pbverify.prover.induction.explanation import words
from pbverify.prover.induction.machine import Invariant
from pbverify.prover.induction.solver import Answer
from pbverify.prover.induction.terms import TRUE, Term, TheoryError, conjunction, conjuncts
from pbverify.prover.induction.theory import NotProvedError, Result, Theorem
from pbverify.prover.induction.tree import RootClaim


@dataclasses.dataclass(frozen=True)
class Sharpened:
    """A sharper form of a result, and whether its proof closes."""

    name: str
    answer: Answer
    """PROVED if the sharper form is true; REFUTED with a countermodel of a step; else UNKNOWN."""


def sharpened(result: Result) -> Iterator[Sharpened]:
    """Every sharper form of a theorem or invariant, tried."""
    if isinstance(result, Theorem | RootClaim) and result.again is not None:
        again, whole = result.again, _hypotheses(result)
        for name, claim in _sharper(result.claim):
            yield _tried(name, functools.partial(again, claim, whole))
        parts = conjuncts(whole) if not z3.is_true(whole) else []
        for part in parts:
            left = conjunction([p for p in parts if not p.eq(part)] or [TRUE])
            yield _tried(f"without {words(part)}", functools.partial(again, result.claim, left))
    elif isinstance(result, Invariant):
        for name, claim in _sharper(result.claim):
            yield _tried(name, functools.partial(result.again, claim, result.parts))
        for part in result.parts:
            rest = [p for p in result.parts if not p.eq(part)]
            less = functools.partial(result.again, result.claim, rest)
            yield _tried(f"without {words(part)}", less)


def _hypotheses(result: Theorem | RootClaim) -> Term:
    declared = getattr(result, "hypotheses", None)
    return result.given if declared is None else declared


def _tried(name: str, make: Callable[[], Result]) -> Sharpened:
    try:
        make().prove()
    except NotProvedError as error:
        return Sharpened(name, error.obligation.reply.answer)
    except TheoryError:
        return Sharpened(name, Answer.REFUTED)
    return Sharpened(name, Answer.PROVED)


def _sharper(claim: Term) -> Iterator[tuple[str, Term]]:
    parts = conjuncts(claim)
    for index, part in enumerate(parts):
        for name, changed in _changes(part):
            yield f"{words(part)}: {name}", conjunction(_with(parts, index, changed))


def _with(parts: Sequence[Term], index: int, part: Term) -> list[Term]:
    return [*parts[:index], part, *parts[index + 1 :]]


def _changes(part: Term) -> Iterator[tuple[str, Term]]:
    if z3.is_implies(part):
        for name, changed in _changes(part.arg(1)):
            yield name, z3.Implies(part.arg(0), changed)
        return
    if z3.is_and(part):
        for name, changed in _sharper(part):
            yield name, changed
        return
    kind = part.decl().kind()
    if kind == z3.Z3_OP_LE:
        yield "strict", part.arg(0) < part.arg(1)
    elif kind == z3.Z3_OP_GE:
        yield "strict", part.arg(0) > part.arg(1)
    elif kind == z3.Z3_OP_LT:
        yield "moved", part.arg(0) < part.arg(1) - 1
    elif kind == z3.Z3_OP_GT:
        yield "moved", part.arg(0) > part.arg(1) + 1
    elif z3.is_eq(part) and part.arg(0).sort() != z3.BoolSort():
        yield "moved", part.arg(0) == part.arg(1) + 1
