"""A theory inside a more special one: some symbols get a meaning, the others are declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbverify.prover.induction.terms import (
    Function,
    Term,
    TheoryError,
    replaced,
    substituted,
    symbols,
)
from pbverify.prover.induction.theory import (
    Definition,
    Input,
    Instance,
    Interpretation,
    Theory,
    symbol_of,
)


def embedded(
    target: Theory,
    source: Theory,
    name: str,
    meanings: Mapping[Any, Any],
    *,
    use: Mapping[Any, Callable[..., Sequence[Instance]]],
    fuel: int,
    instead: Mapping[Any, Callable[[Callable[[Any], Any]], Any]] | None = None,
) -> Interpretation:
    """The source in the target: what `meanings` leaves open is declared there as it is here.

    For some of it, `instead` declares something that has the same assumption as a consequence; it
    is given what stands in the target for symbols of the source. The interpretation proves all
    assumptions of the source, also those of what is declared as it is.
    """
    special = {symbol_of(key): value for key, value in (instead or {}).items()}
    known = {symbol_of(key): value for key, value in meanings.items()}
    todo: list[Input | Definition] = [
        *source.parameters.values(),
        *source.inputs.values(),
        *source.definitions.values(),
    ]
    todo = [each for each in todo if each.function not in known]
    needs = {each: _needs(source, each) for each in todo}
    while todo:
        ready = next((each for each in todo if needs[each] <= known.keys()), None)
        if ready is None:
            raise TheoryError(f"{name}: nothing can be declared next.")
        declare = special.get(ready.function)
        known[ready.function] = (
            _declared(target, ready, known)
            if declare is None
            else declare(lambda key: known[symbol_of(key)])
        )
        todo.remove(ready)
    return Interpretation(target, source, name, known, use=use, fuel=fuel)


def _needs(source: Theory, symbol: Input | Definition) -> set[Function]:
    """The symbols that occur in an assumption or in a definition."""
    if isinstance(symbol, Definition):
        terms = [symbol.zero, symbol.succ]
    else:
        terms = [] if symbol.where is None else [symbol.where]
    ours = {*source.parameters, *source.inputs, *source.definitions}
    return {each for term in terms for each in symbols(term)} & ours - {symbol.function}


def _declared(target: Theory, symbol: Input | Definition, known: Mapping[Function, Any]) -> Any:
    plain = symbol.function.name().partition(".")[2]
    sorts = [symbol.function.domain(i) for i in range(symbol.function.arity())]
    sorts.append(symbol.function.range())

    def read(term: Term, arguments: Sequence[Term], values: Sequence[Term], **more: Any) -> Term:
        return substituted(
            replaced(term, {**change, **more}), list(zip(arguments, values, strict=True))
        )

    change = {key: _builder(value) for key, value in known.items()}
    if isinstance(symbol, Definition):
        return target.define(
            plain,
            sorts,
            zero=lambda *rest: read(symbol.zero, symbol.rest, rest),
            succ=lambda n, before, *rest: read(
                symbol.succ, (symbol.n, symbol.before, *symbol.rest), (n, before, *rest)
            ),
        )
    if symbol.where is None:
        where = None
    else:

        def where(function: Any, *values: Term) -> Term:
            change[symbol.function] = _builder(function)
            return read(symbol.where, symbol.arguments, values)

    if symbol.function.arity():
        return target.input(plain, *sorts, where=where)
    return target.parameter(plain, sorts[0], where=where)


def _builder(value: Any) -> Callable[..., Any]:
    return value if callable(value) else lambda: value
