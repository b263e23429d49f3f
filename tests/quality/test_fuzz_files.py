"""Every file reader takes any bytes: it returns, or says in one line what is wrong."""

from __future__ import annotations

import contextlib
import pathlib
import resource
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbverify.bandits.instance import Instance
from pbverify.claims.library import REGISTER
from pbverify.claims.register import Register
from pbverify.claims.verdict import Witness, load_verdicts
from pbverify.errors import PbverifyError
from pbverify.files.documents import dumps
from pbverify.paper import PAPER
from pbverify.paper.second_program import BadFile, examine, parse
from pbverify.report.dependencies import expected_outcomes, foundations
from pbverify.report.differences import differences
from pbverify.report.gather import load_picture

EXAMPLES = 100
STATUSES = {"CONFIRMED", "NOT CONFIRMED", "UNKNOWN CLAIM"}


def read_witness(path: pathlib.Path) -> None:
    assert PAPER.second_program is not None
    PAPER.second_program.examine(dumps(Witness.load(path).to_json()).encode())


Spoil = Callable[[Any], st.SearchStrategy[bytes]]
READERS: dict[str, tuple[str, Callable[[pathlib.Path], Any]]] = {
    "instance": ("instance", Instance.load),
    "trace": ("trace", lambda path: differences(path, path)),
    "verdicts": ("verdicts", load_verdicts),
    "verdicts in diff": ("verdicts", lambda path: differences(path, path)),
    "witness": ("witness", read_witness),
    "picture": ("picture", lambda path: load_picture(path, PAPER)),
}
"""Name, format of the document that is spoiled, and what reads it."""


def complaint(read: Callable[[pathlib.Path], Any], path: pathlib.Path) -> str:
    """What one of our errors says, if the reader raises one; no other may escape."""
    try:
        read(path)
    except PbverifyError as error:
        return str(error)
    return ""


def survives(read: Callable[[pathlib.Path], Any], path: pathlib.Path) -> None:
    """The reader returns, or says in one printable line of some length what is wrong."""
    said = complaint(read, path)
    assert said.isprintable(), said
    assert len(said) < 500


@pytest.mark.parametrize("name", READERS)
def test_spoiled_documents(
    name: str, documents: dict[str, Any], hostile: Spoil, tmp_path: pathlib.Path
) -> None:
    """A valid document with one thing wrong."""
    format, read = READERS[name]
    path = tmp_path / "file.json"

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(hostile(documents[format]))
    def spoiled(data: bytes) -> None:
        path.write_bytes(data)
        survives(read, path)

    spoiled()


@given(data=st.binary(max_size=40))
def test_noise(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Bytes that were never a document."""
    path = tmp_path_factory.getbasetemp() / "noise"
    path.write_bytes(data)
    for _, read in READERS.values():
        survives(read, path)
    survives(Register.load, path)


def test_files_that_are_none(odd_files: list[pathlib.Path]) -> None:
    """Folders, pipes without a writer, links to themselves, devices: refused at once."""
    for path in odd_files:
        for read in (*(reader for _, reader in READERS.values()), Register.load):
            with pytest.raises(PbverifyError, match=r"^Cannot read .*\.$"):
                read(path)


BOMBS = {
    "deep lists": b'{"format": ' + b"[" * 10**6,
    "deep objects": b'{"a": ' * 10**5,
    "wide list": b'{"format": "pbverify/instance-1", "losses": [' + b"[],[]," * 10**6 + b"[]]}",
    "long number": b'{"format": "pbverify/instance-1", "losses": ' + b"9" * 10**7 + b"}",
    "long text": b'{"format": "' + b"a" * 10**7 + b'"}',
    "large exponent": b'{"format": "pbverify/verdicts-1", "profile": 1e999999999}',
    "many keys": b"{" + b",".join(b'"%d": 0' % i for i in range(10**5)) + b"}",
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(name: str, tmp_path: pathlib.Path) -> None:
    """Files that try to cost much are refused, and cost less than 400 MB and a few seconds."""
    path = tmp_path / "bomb.json"
    path.write_bytes(BOMBS[name])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(PbverifyError):
        Instance.load(path)  # all readers of JSON share what bounds it
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000


ROW = """
[[claim]]
id = "{id}"
label = ""
place = ""
kind = "pathwise"
fidelity = "stated"
uses = [{uses}]
expected = {{ any = "HOLDS" }}
erratum = ""
"""

TOML = st.one_of(
    st.sampled_from(
        [
            "claim = 1",
            "claim = [1]",
            "claim = [[]]",
            "[claim]",
            "x = " + "[" * 2000,
            "x = " + "{a=" * 2000,
            "x = " + "9" * 5000,
            "[[claim]]\nid = 2020-01-01",
            ".".join("a" * 3000) + " = 1",
            ROW.format(id="a", uses='"a"'),
            ROW.format(id="a", uses="1"),
            ROW.format(id="a", uses="").replace('"HOLDS"', "[]"),
            ROW.format(id="a", uses="").replace('"stated"', "{}"),
            ROW.format(id="a", uses="").replace('{ any = "HOLDS" }', "{}"),
            ROW.format(id="a", uses="") * 2,
        ]
    ),
    st.text(max_size=30),
    st.text(alphabet='[]{}=".#\n ax1', max_size=40),
)


@given(text=TOML)
def test_registers(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Hostile TOML is refused in one line."""
    path = tmp_path_factory.getbasetemp() / REGISTER
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    survives(Register.load, path)


def test_long_chains_of_uses(tmp_path: pathlib.Path) -> None:
    """A register whose claims rest on each other a thousand deep is read, and its status too."""
    path = tmp_path / REGISTER
    rows = [ROW.format(id=f"c{i}", uses=f'"c{i - 1}"' if i else "") for i in range(1500)]
    path.write_text("".join(reversed(rows)))
    entries = [row.to_json() for row in Register.load(path).rows.values()]
    assert len(foundations(entries)["c1499"]) == 1499
    assert len(expected_outcomes(entries)) == 1500


def test_the_standalone_checker(documents: dict[str, Any], hostile: Spoil) -> None:
    """It says what is wrong with a file in its own words, and never fails otherwise."""

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(hostile(documents["witness"]))
    def spoiled(data: bytes) -> None:
        finding = None
        with contextlib.suppress(BadFile):
            finding = examine(parse(data))
        assert finding is None or finding.status in STATUSES

    spoiled()
