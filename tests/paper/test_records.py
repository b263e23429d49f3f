"""Every kind of case that a witness describes by its fields: what is written, and what is read."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pathlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest

import pbverify.paper
from pbverify.errors import InputError
from pbverify.files.codec import Record
from pbverify.files.documents import dumps, parse_json
from pbverify.paper.without.oblivious_adversary import Branch

WITNESSES = json.loads(pathlib.Path(__file__).with_name("records.json").read_text())
"""Fields of a witness of each kind, as they have always been written: a contract."""

THEORIES = pathlib.Path(pbverify.paper.__path__[0], "theories")
LEFT_OUT = (".commands", ".theories")
"""The command line loads its commands; importing a theory asks the solver about each theorem."""

for module in pkgutil.walk_packages(pbverify.paper.__path__, "pbverify.paper."):
    if not any(name in module.name for name in LEFT_OUT):
        importlib.import_module(module.name)


def subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for below in kind.__subclasses__():
        yield below
        yield from subclasses(below)


KINDS = {
    kind.__name__: kind
    for kind in subclasses(Record)
    if kind.__module__.startswith("pbverify.") and not kind.__name__.startswith("_")
    if not inspect.isabstract(kind) and kind is not Branch  # which no witness describes
}
JUNK: tuple[Any, ...] = (
    *(None, True, 0, -1, 3.5, 10**40, "", "x", "1/0", "1/3", "1e999", [], {}, [[]], [1, 0]),
    *([None], ["1/2", "1/2"], {"a": 1}, "9" * 300, "main"),
)


def in_a_file(fields: Any) -> Any:
    """The fields as a reader of the file sees them."""
    return parse_json(dumps(fields).encode(), source="")


def places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    children = value.items() if isinstance(value, dict) else ()
    for key, child in enumerate(value[:2]) if isinstance(value, list) else children:
        yield (*before, key)
        yield from places(child, (*before, key))


def damaged(fields: Any) -> Iterator[Any]:
    """The fields with one value replaced by another kind of thing, removed, or added."""
    for *above, last in places(fields):
        for junk in (*JUNK, ...):
            copy = json.loads(json.dumps(fields))
            parent = copy
            for key in above:
                parent = parent[key]
            if junk is ...:
                del parent[last]
            else:
                parent[last] = junk
            yield copy
    yield {**fields, "parameters": {**fields.get("parameters", {}), "more": 1}}


def test_every_kind_has_a_witness() -> None:
    """No kind of case is left out below."""
    assert WITNESSES.keys() == KINDS.keys()


def test_theories_hold_no_kind_of_case() -> None:
    """No public class of a theory derives from one, so nothing is left out with the theories."""
    trees = [ast.parse(path.read_bytes()) for path in THEORIES.rglob("*.py")]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    public = [each for each in classes if not each.name.startswith("_")]
    bases = {ast.unparse(base).split(".")[-1] for each in public for base in each.bases}
    assert "PhaseEnd" in bases
    assert not any(base.startswith("_") for base in bases)
    assert not bases & {"Record", *(kind.__name__ for kind in subclasses(Record))}


@pytest.mark.parametrize("name", WITNESSES)
def test_what_is_written_does_not_change(name: str) -> None:
    """A witness rebuilds its case, from a file or from memory, and the case writes the same."""
    fields, kind = WITNESSES[name], KINDS[name]
    case = kind.rebuild(in_a_file(fields))
    assert dumps(case.witness_fields()) == dumps(fields)
    assert kind.rebuild(fields) == kind.rebuild(in_a_file(case.witness_fields())) == case


@pytest.mark.parametrize("name", WITNESSES)
def test_damage_is_an_input_error_or_another_case(name: str) -> None:
    """Whatever stands in a field, a case is made that writes itself, or one line says why not."""
    for fields in map(in_a_file, damaged(WITNESSES[name])):
        try:
            case = KINDS[name].rebuild(fields)
        except InputError:
            continue
        assert KINDS[name].rebuild(in_a_file(case.witness_fields())) == case
