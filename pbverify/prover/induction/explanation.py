"""A proof as a person reads it: inputs, definitions, then one line for each result."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import z3

from pbverify.prover.induction.machine import Invariant
from pbverify.prover.induction.nodes import Node, node, number_of
from pbverify.prover.induction.terms import RESERVED, Term, conjunction
from pbverify.prover.induction.theory import Definition, Input, Result, Theorem, Theory
from pbverify.prover.induction.tree import RootClaim

_NAMES = "rtuvwxyz"
"""Names of arguments that a definition or an assumption leaves open."""


def explained(results: Sequence[Result], *, with_times: bool = False) -> list[str]:
    """The theories that the results are about, and the results in the order of their proof."""
    needed = list(dict.fromkeys(each for result in results for each in result.rests_on))
    lines = []
    for theory in dict.fromkeys(result.theory for result in needed):
        own = [result for result in needed if result.theory is theory]
        lines += [f"Theory {theory.name}", *(f"  {line}" for line in _language(theory, own))]
        lines += [f"  {line}" for result in own for line in _result(result, with_times=with_times)]
    return lines


def _language(theory: Theory, results: Sequence[Result]) -> Iterator[str]:
    """The symbols that the results speak of, and those that these are defined by."""
    used = frozenset[int]().union(*(_spoken_of(theory, result) for result in results))
    for symbol, assumed in (*theory.parameters.items(), *theory.inputs.items()):
        if number_of(symbol) in used:
            yield f"any {_assumption(theory, symbol.name(), assumed)}"
    for symbol, definition in theory.definitions.items():
        if number_of(symbol) in used:
            yield from _definition(theory, definition)


@functools.cache
def _spoken_of(theory: Theory, result: Result) -> frozenset[int]:
    """The numbers of the symbols that occur, also in definitions and assumptions."""
    parameters = {number_of(symbol): assumed for symbol, assumed in theory.parameters.items()}
    todo = [*_terms(result)]
    found: set[int] = set()
    while todo:
        for number in node(todo.pop()).names - found:
            found.add(number)
            definition = theory.definition(number)
            if definition is not None:
                todo += [definition.zero, definition.succ]
            assumed = theory.input_of(number) or parameters.get(number)
            todo += [] if assumed is None or assumed.where is None else [assumed.where]
    return frozenset(found)


def _terms(result: Result) -> Iterator[Term]:
    """What the explanation of a result prints."""
    yield result.claim
    if isinstance(result, Invariant):
        yield from (result.machine.start, result.machine.step, *result.parts)
    if isinstance(result, Theorem | RootClaim):
        yield result.given


@functools.cache
def _assumption(theory: Theory, name: str, assumed: Input) -> str:
    names = [z3.Const(_NAMES[i], a.sort()) for i, a in enumerate(assumed.arguments)]
    head = f"{name}({', '.join(map(str, names))})" if names else name
    if assumed.where is None:
        return _plain(theory, head)
    return _plain(theory, f"{head} with {words(assumed.at(names))}")


@functools.cache
def _definition(theory: Theory, definition: Definition) -> tuple[str, str]:
    rest = [z3.Const(_NAMES[i], p.sort()) for i, p in enumerate(definition.rest)]
    n, name = z3.Int("n"), definition.function.name()
    before = definition.function(n - 1, *rest)
    tail = "".join(f", {each}" for each in rest)
    return (
        _plain(theory, f"{name}(0{tail}) = {words(definition.at_zero(rest))}"),
        _plain(theory, f"{name}(n{tail}) = {words(definition.at(n, rest, before))}"),
    )


def _result(result: Result, *, with_times: bool) -> Iterator[str]:
    text = f"{result.name}: {_statement(result)}"
    yield _plain(result.theory, text)
    used = ", ".join(dict.fromkeys(each.name for each in result.uses))
    by = f"{result.rule}, from {used}" if used else result.rule
    count = len(result.obligations)
    cost = f"{count} obligation{'' if count == 1 else 's'}"
    if with_times and count:
        seconds = sum(each.reply.seconds for each in result.obligations)
        cost += f", {1000 * seconds:.0f} ms"
    yield f"  by {by} ({cost})"
    if result.note:
        yield f"  {result.note}"


@functools.cache
def _statement(result: Result) -> str:
    if isinstance(result, Invariant):
        machine, claim = result.machine, words(result.claim)
        held = words(conjunction(result.parts)) if result.parts else "nothing more"
        return (
            f"always {claim}; start {words(machine.start)}; step {words(machine.step)}; "
            f"invariant {held}"
        )
    if isinstance(result, Theorem | RootClaim) and not z3.is_true(result.given):
        return f"{words(result.claim)} if {words(result.given)}"
    return words(result.claim)


def words(term: Term) -> str:
    """A term on one line, in ordinary notation."""
    return _written(node(term))


_BINARY = {
    z3.Z3_OP_LE: "<=",
    z3.Z3_OP_LT: "<",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_GT: ">",
    z3.Z3_OP_EQ: "=",
    z3.Z3_OP_DISTINCT: "!=",
    z3.Z3_OP_IMPLIES: "implies",
    z3.Z3_OP_AND: "and",
    z3.Z3_OP_OR: "or",
    z3.Z3_OP_ADD: "+",
    z3.Z3_OP_SUB: "-",
    z3.Z3_OP_MUL: "*",
    z3.Z3_OP_DIV: "/",
}
_LOOSE = {z3.Z3_OP_ADD, z3.Z3_OP_SUB}
_TIGHT = {z3.Z3_OP_MUL, z3.Z3_OP_DIV}


@functools.cache
def _written(term: Node) -> str:
    kind, parts = term.kind, term.parts
    if kind == z3.Z3_OP_ITE:
        condition, yes, no = map(_written, parts)
        return f"({yes} if {condition} else {no})"
    if kind == z3.Z3_OP_TO_REAL:
        return _written(parts[0])
    if kind == z3.Z3_OP_UMINUS:
        return f"-{_inner(parts[0], kind)}"
    if kind == z3.Z3_OP_NOT:
        return f"not {_inner(parts[0], kind)}"
    if kind in _BINARY:
        return f" {_BINARY[kind]} ".join(_inner(part, kind) for part in parts)
    if parts:
        return f"{term.symbol.name()}({', '.join(map(_written, parts))})"
    return str(term.symbol.name()) if term.is_named else str(term.term)


def _inner(term: Node, outer: int) -> str:
    """A part of a larger term, in parentheses where they are needed."""
    while term.kind == z3.Z3_OP_TO_REAL:
        term = term.parts[0]
    kind, text = term.kind, _written(term)
    is_simple = kind not in _BINARY or (kind in _TIGHT and outer in _LOOSE)
    is_compared = kind in _TIGHT | _LOOSE and outer not in _TIGHT | _LOOSE | {z3.Z3_OP_UMINUS}
    is_listed = kind not in _TIGHT | _LOOSE | {z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_IMPLIES}
    is_listed = is_listed and outer in (z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_IMPLIES)
    is_same = kind == outer and kind in (z3.Z3_OP_ADD, z3.Z3_OP_MUL, z3.Z3_OP_AND)
    return text if is_simple or is_compared or is_listed or is_same else f"({text})"


def _plain(theory: Theory, text: str) -> str:
    """Names without that of the theory before them."""
    return (
        text.replace(f"{theory.name}.", "")
        .replace(f"{RESERVED}after", "'")
        .replace(f"{RESERVED}below", "'")
    )
