"""What a z3 term consists of, read from z3 once for each term.

z3 keeps one copy of equal terms and numbers them. A question to z3 costs microseconds, and proofs
walk the same terms often, so the answers are kept with the term itself; a term that is kept keeps
its number and its place in memory, by which it is found.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator
from typing import Any

import z3

_OPERATIONS = frozenset(
    {
        *(z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_MUL, z3.Z3_OP_DIV),
        *(z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT),
        *(z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_NOT, z3.Z3_OP_IMPLIES, z3.Z3_OP_ITE),
        *(z3.Z3_OP_TRUE, z3.Z3_OP_FALSE, z3.Z3_OP_ANUM, z3.Z3_OP_TO_REAL),
        z3.Z3_OP_UNINTERPRETED,
    }
)
"""The operations of the kernel's language."""
_SORTS = frozenset({z3.Z3_INT_SORT, z3.Z3_REAL_SORT, z3.Z3_BOOL_SORT})


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Node:
    """A term with its parts."""

    term: Any
    number: int
    kind: int
    """The operation; negative if the term is no application."""
    symbol: Any
    """The function that is applied; the same object for equal functions."""
    symbol_number: int
    parts: tuple[Node, ...]
    names: frozenset[int]
    """The numbers of the named functions and constants that occur in the term."""
    is_integer: bool
    foreign: Any
    """A subterm that the kernel's language does not have, or None."""

    @property
    def is_named(self) -> bool:
        """Whether it is a constant or an application with a name of its own."""
        return bool(self.kind == z3.Z3_OP_UNINTERPRETED)


_NODES: dict[int, Node] = {}
"""By the places of the terms."""
_NUMBERS: dict[int, tuple[Any, int]] = {}
"""Functions and their numbers, by the places of the functions."""
_SYMBOLS: dict[int, Any] = {}


def node(term: Any) -> Node:
    """The term as a node."""
    place = term.ast.value
    found = _NODES.get(place)
    if found is None:
        found = _NODES[place] = _read(term)
    return found


def symbol(number: int) -> Any:
    """The named function or constant of this number."""
    return _SYMBOLS[number]


def number_of(key: Any) -> int:
    """The number of a symbol, which is given as a function, or as a constant term."""
    if z3.is_expr(key):
        return node(key).symbol_number
    found = _NUMBERS.get(key.ast.value)
    if found is None:
        found = _NUMBERS[key.ast.value] = key, int(key.get_id())
        _SYMBOLS.setdefault(found[1], key)
    return found[1]


@functools.cache
def is_whole(number: int) -> bool:
    """Whether the values of the symbol of this number are integers."""
    return bool(_SYMBOLS[number].range().kind() == z3.Z3_INT_SORT)


@functools.cache
def is_constant(number: int) -> bool:
    """Whether the symbol of this number has no arguments."""
    return bool(_SYMBOLS[number].arity() == 0)


def nodes(terms: Iterable[Any]) -> Iterator[Node]:
    """Every subterm once."""
    stack, seen = [node(term) for term in terms], set()
    while stack:
        each = stack.pop()
        if each.number not in seen:
            seen.add(each.number)
            yield each
            stack.extend(each.parts)


def _parts(term: Any) -> Iterator[Node]:
    """The arguments of an application; z3 makes an object only for what was not read before."""
    context, whole = term.ctx_ref(), term.as_ast()
    for index in range(z3.Z3_get_app_num_args(context, whole)):
        place = z3.Z3_get_app_arg(context, whole, index).value
        yield _NODES.get(place) or node(term.arg(index))


def _read(term: Any) -> Node:
    number = term.get_id()
    if not z3.is_app(term):
        return Node(term, number, -1, None, -1, (), frozenset(), is_integer=False, foreign=term)
    applied, parts = term.decl(), tuple(_parts(term))
    kind, symbol_number = applied.kind(), applied.get_id()
    applied = _SYMBOLS.setdefault(symbol_number, applied)
    names: frozenset[int] = frozenset().union(*(part.names for part in parts))
    if kind == z3.Z3_OP_UNINTERPRETED and symbol_number not in names:
        names |= {symbol_number}
    sort = term.sort_kind()
    is_known, is_integer = kind in _OPERATIONS and sort in _SORTS, sort == z3.Z3_INT_SORT
    within = (part.foreign for part in parts if part.foreign is not None)
    foreign = next(within, None) if is_known else term
    return Node(term, number, kind, applied, symbol_number, parts, names, bool(is_integer), foreign)
