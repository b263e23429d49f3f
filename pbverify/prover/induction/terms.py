"""The terms of the induction kernel: z3 terms of a small language, and functions that walk them.

The language has integers, reals and truth values, `+ - * /`, comparisons, `and or not implies if`,
and applications of named functions. Everything else is refused: no quantifier, no integer
division, no power. Division by zero has no value, and nothing is ever concluded about it that does
not hold for every value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import z3

from pbverify.errors import TheoryError as TheoryError
from pbverify.prover.induction.nodes import Node, node, nodes, symbol

Term: TypeAlias = Any
"""A z3 expression."""
Function: TypeAlias = Any
"""A z3 function declaration."""

INT, REAL, BOOL = z3.IntSort(), z3.RealSort(), z3.BoolSort()
TRUE = z3.BoolVal(val=True)

RESERVED = "!"
"""No name of a user may contain it: the kernel's own constants do."""


def is_named(term: Term) -> bool:
    """Whether the term is a constant or an application with a name of its own."""
    return node(term).is_named


def symbols(term: Term) -> frozenset[Function]:
    """The named functions and constants that occur in a term."""
    return frozenset(map(symbol, node(term).names))


def applications(terms: Iterable[Term]) -> Iterator[Node]:
    """The applications of named functions, each once."""
    return (each for each in nodes(terms) if each.is_named and each.parts)


def check_language(terms: Iterable[Term]) -> None:
    """Refuse what the language does not have."""
    for term in terms:
        if node(term).foreign is not None:
            found = node(term).foreign
            raise TheoryError(f"Expected a term of the kernel's language but got {found}.")


def unknown(terms: Iterable[Term], known: Collection[int]) -> Iterator[Function]:
    """The named functions and constants in the terms whose numbers are not among the known."""
    return (symbol(n) for term in terms for n in node(term).names if n not in known)


def as_term(value: Any, sort: Term) -> Term:
    """A number or a term as a term of a sort; an integer may stand where a real is expected."""
    if isinstance(value, bool):
        value = z3.BoolVal(value)
    elif isinstance(value, int | Fraction):
        value = z3.RealVal(str(value)) if sort == REAL else z3.IntVal(value)
    if sort == REAL and value.sort() == INT:
        value = z3.ToReal(value)
    if value.sort() != sort:
        raise TheoryError(f"Expected a term of sort {sort} but got {value} of {value.sort()}.")
    return value


def conjuncts(term: Term) -> list[Term]:
    """The parts of a conjunction; a term that is none is its only part."""
    if not z3.is_and(term):
        return [term]
    return [part for child in term.children() for part in conjuncts(child)]


def conjunction(parts: Sequence[Term]) -> Term:
    """All the parts together; a single one stays as it is."""
    return parts[0] if len(parts) == 1 else z3.And(*parts)


def replaced(term: Term, change: Mapping[Function, Callable[..., Term]]) -> Term:
    """The term with other functions or constants in the place of named ones, inside out."""
    changed = {function.get_id(): build for function, build in change.items()}
    known: dict[int, Term] = {}

    def visit(each: Node) -> Term:
        if changed.keys().isdisjoint(each.names):
            return each.term
        if each.number not in known:
            parts = [visit(part) for part in each.parts]
            swap = changed.get(each.symbol_number) if each.is_named else None
            if swap is not None:
                known[each.number] = as_term(swap(*parts), each.term.sort())
            else:
                known[each.number] = each.symbol(*parts) if parts else each.term
        return known[each.number]

    return visit(node(term))


def substituted(term: Term, change: Sequence[tuple[Term, Term]]) -> Term:
    """The term with other terms in the place of constants, all at once."""
    return z3.substitute(term, *change) if change else term


def fresh(name: str, sort: Term) -> Term:
    """A constant of the kernel's own."""
    return z3.Const(f"p{name}{RESERVED}", sort)
