"""Bad input to order: documents with one thing wrong, and files that are no documents."""

from __future__ import annotations

import copy
import json
import os
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import strategies as st

from pbverify.bandits.instance import Instance
from pbverify.claims.verdict import Evidence, Outcome, Verdict, Witness
from pbverify.claims.witness import PICTURE_FORMAT
from pbverify.files.documents import dumps
from pbverify.paper.algorithm.engine import run
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.pictures import run_columns

INSTANCE = Instance.build(
    losses=[[0, 1], [1, "1/2"], [0, 0]], delays=[1, 0, 2], comparator=["1/2", "1/2"], seed=7
)
READING = preset("repaired")
WITNESS = Witness(
    claim="delayed-mass!stronger",
    reading=None,
    subject={"parameters": {"delays": [0], "start": 1, "end": 1}},
    where={"inequality": "total", "t": 1},
    lhs="1",
    rhs="0",
    margin="1",
)
VERDICT = Verdict(
    "delayed-mass", "any", Outcome.HOLDS, Evidence.SURVIVED, 10, 8, "M <= D", worst_ratio=0.5
)


def _plain(document: Any) -> Any:
    return json.loads(dumps(document))


DOCUMENTS: dict[str, Callable[[], Any]] = {
    "instance": lambda: _plain(INSTANCE.to_json()),
    "trace": lambda: _plain(run(INSTANCE, READING).to_json()),
    "witness": lambda: _plain(WITNESS.to_json()),
    "verdicts": lambda: {
        "format": "pbverify/verdicts-1",
        "profile": "quick",
        "verdicts": [_plain(VERDICT.to_json())],
    },
    "picture": lambda: _plain({"format": PICTURE_FORMAT, **run_columns(INSTANCE, READING)}),
}
"""A valid document of each format."""

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from([2**53, 2**63, -(2**64), 10**400, 0.1, -0.0, 1e-320]),
    st.sampled_from(["", "1/3", "1/0", "-1", "nan", "1e400", "9" * 5000, "\x00", "\ud800", "ü\n"]),
    st.text(max_size=5),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)
LITERALS = st.sampled_from(["NaN", "-Infinity", "1e400", "1E-999999", "9" * 5000, "[" * 3000])
"""Texts that stand where a JSON value belongs; some are none."""

_MARK = "\u2603 here"


def places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways down to every value of a document."""
    yield path
    if isinstance(document, dict | list):
        for key in document if isinstance(document, dict) else range(len(document)):
            yield from places(document[key], (*path, key))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The document with another value in one place."""
    if not path:
        return value
    copied = copy.deepcopy(document)
    holder = copied
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return copied


@st.composite
def hostile_bytes(draw: st.DrawFn, document: Any) -> bytes:
    """A file that was valid before something was replaced, repeated, cut or flipped."""
    path = draw(st.sampled_from(sorted(places(document), key=repr)))
    kind = draw(st.sampled_from(["value", "literal", "twice", "cut", "flip", "bytes"]))
    if kind == "value":
        return _encoded(changed(document, path, draw(VALUES)))
    if kind == "literal":
        text = json.dumps(changed(document, path, _MARK))
        return text.replace(json.dumps(_MARK), draw(LITERALS)).encode()
    data = _encoded(document)
    if kind == "twice":
        return data.replace(b'"format"', b'"format": 1, "format"', 1)
    if kind == "bytes":
        return draw(st.binary(max_size=20)) + data
    at = draw(st.integers(0, len(data) - 1))
    return data[:at] if kind == "cut" else data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]


def _encoded(document: Any) -> bytes:
    return json.dumps(document).encode("utf-8", "surrogatepass")


@pytest.fixture(scope="session")
def documents() -> dict[str, Any]:
    """A valid document of each format."""
    return {name: make() for name, make in DOCUMENTS.items()}


@pytest.fixture(scope="session")
def hostile() -> Callable[[Any], st.SearchStrategy[bytes]]:
    """Makes the strategy that spoils a document."""
    return hostile_bytes


@pytest.fixture
def odd_files(tmp_path: pathlib.Path) -> list[pathlib.Path]:
    """Names that lead to no ordinary file: a folder, a pipe, a loop, a device, nothing."""
    pipe, loop, dangling = (tmp_path / name for name in ("pipe", "loop", "dangling"))
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    dangling.symlink_to(tmp_path / "nowhere")
    return [tmp_path, pipe, loop, dangling, pathlib.Path("/dev/zero"), tmp_path / "missing"]
