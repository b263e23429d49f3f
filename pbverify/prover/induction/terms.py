"""The terms of the induction kernel: z3 terms of a small language, and functions that walk them.

The language has integers, reals and truth values, `+ - * /`, comparisons, `and or not implies if`,
and applications of named functions. Everything else is refused: no quantifier, no integer
division, no power. Division by zero has no value, and nothing is ever concluded about it that does
not hold for every value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import z3

from pbverify.errors import TheoryError as TheoryError

Term: TypeAlias = Any
"""A z3 expression."""
Function: TypeAlias = Any
"""A z3 function declaration."""

INT, REAL, BOOL = z3.IntSort(), z3.RealSort(), z3.BoolSort()
TRUE = z3.BoolVal(val=True)

_SORTS = (INT, REAL, BOOL)

RESERVED = "!"
"""No name of a user may contain it: the kernel's own constants do."""

_OPERATIONS = frozenset(
    {
        *(z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_MUL, z3.Z3_OP_DIV),
        *(z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT),
        *(z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_NOT, z3.Z3_OP_IMPLIES, z3.Z3_OP_ITE),
        *(z3.Z3_OP_TRUE, z3.Z3_OP_FALSE, z3.Z3_OP_ANUM, z3.Z3_OP_TO_REAL),
        z3.Z3_OP_UNINTERPRETED,
    }
)


def walk(terms: Iterable[Term]) -> Iterator[Term]:
    """Every subterm once."""
    stack, seen = list(terms), set()
    while stack:
        term = stack.pop()
        if term.get_id() not in seen:
            seen.add(term.get_id())
            yield term
            stack.extend(term.children())


def is_named(term: Term) -> bool:
    """Whether the term is a constant or an application with a name of its own."""
    return bool(z3.is_app(term)) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED


_SYMBOLS: dict[int, tuple[Term, frozenset[Function]]] = {}
"""The symbols of each term, by the term's number, which is its own as long as the term is kept."""


def symbols(term: Term) -> frozenset[Function]:
    """The named functions and constants that occur in a term."""
    found = _SYMBOLS.get(term.get_id())
    if found is None:
        parts = frozenset(symbol for child in term.children() for symbol in symbols(child))
        own = parts | {term.decl()} if is_named(term) else parts
        found = _SYMBOLS[term.get_id()] = term, own
    return found[1]


def applications(terms: Iterable[Term]) -> Iterator[Term]:
    """The applications of named functions, each once."""
    return (term for term in walk(terms) if is_named(term) and term.num_args())


def named(terms: Iterable[Term]) -> Iterator[Term]:
    """The named constants and applications, each once; refuses what the language does not have."""
    for term in walk(terms):
        kind = term.decl().kind() if z3.is_app(term) else None
        if kind not in _OPERATIONS or term.sort() not in _SORTS:
            raise TheoryError(f"Expected a term of the kernel's language but got {term}.")
        if kind == z3.Z3_OP_UNINTERPRETED:
            yield term


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
    known: dict[int, Term] = {}

    def visit(term: Term) -> Term:
        if term.get_id() not in known:
            children = [visit(child) for child in term.children()]
            swap = change.get(term.decl()) if is_named(term) else None
            if swap is not None:
                known[term.get_id()] = as_term(swap(*children), term.sort())
            else:
                known[term.get_id()] = term.decl()(*children) if children else term
        return known[term.get_id()]

    return visit(term)


def substituted(term: Term, change: Sequence[tuple[Term, Term]]) -> Term:
    """The term with other terms in the place of constants, all at once."""
    return z3.substitute(term, *change) if change else term


def fresh(name: str, sort: Term) -> Term:
    """A constant of the kernel's own."""
    return z3.Const(f"p{name}{RESERVED}", sort)
