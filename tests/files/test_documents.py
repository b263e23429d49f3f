"""JSON files: read exactly and within bounds, written whole or not at all, fields checked."""

from __future__ import annotations

import json
import os
import pathlib
import stat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify import PAPER_SHA256, __version__
from pbverify.errors import FileError, InputError
from pbverify.files.documents import (
    CONTAINER_LIMIT,
    SIZE_LIMIT,
    check_format,
    dumps,
    finite_or_none,
    integer_or_none,
    made_folder,
    parse_json,
    read_bytes,
    read_json,
    real_path,
    replacing,
    whole_number,
    write_json,
)
from pbverify.numerics.exact import Numeral

MANY_KEYS = ", ".join(f'"k{i}": 0' for i in range(100_000))


def parsed(text: str) -> Any:
    return parse_json(text.encode(), source="here.json")


def test_large_files_are_not_read(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file above the size limit is refused by name."""
    monkeypatch.chdir(tmp_path)
    with open("large.json", "wb") as file:
        file.truncate(SIZE_LIMIT + 1)
    with pytest.raises(InputError, match=r"at most 64 MiB but got file=large\.json"):
        read_json("large.json")


def test_containers_are_counted_before_parsing() -> None:
    """Millions of empty lists and objects are refused before they cost memory."""
    with pytest.raises(InputError, match=f"at most {CONTAINER_LIMIT} lists and objects"):
        parse_json(b"[" * (CONTAINER_LIMIT + 1), source="x")
    half = CONTAINER_LIMIT // 2 + 1
    with pytest.raises(InputError, match="lists and objects"):
        parse_json(b"[" * half + b"{" * half, source="x")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": [{"b": 1, "c": 2, "b": 1}]}', "each field once but got field=b"),
        ("{" + MANY_KEYS + ', "k99999": 1}', "each field once but got field=k99999"),
        ('{"a": "\u00e9"}', "Expected UTF-8 text but got file=here.json"),
        *(
            (deep, r"nested .*here\.json")
            for deep in ("[" * 10**5, "[" * 10**5 + "]" * 10**5, '{"a":' * 50_000)
        ),
    ],
)
def test_odd_documents_are_refused(text: str, message: str) -> None:
    """A field given twice, another encoding and deep nesting are errors, found at once."""
    with pytest.raises(InputError, match=message):
        parse_json(text.encode("latin-1"), source="here.json")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": [1, 2', "line 1 column 12"),
        ('{"a": 1,\n "b": }', "line 2 column 7"),
        ("", "line 1 column 1"),
        ("[1] 2", "line 1 column 5"),
        ("[01]", "line 1 column 3"),
    ],
)
def test_broken_json_is_located(text: str, place: str) -> None:
    """The message is one line with the file, the line and the column."""
    with pytest.raises(InputError, match=rf"\A[^\n]*{place}[^\n]*\Z") as caught:
        parsed(text)
    assert "file=here.json" in str(caught.value)


def test_only_regular_files_are_read(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing, a folder, a device, a pipe or no path at all is named, and not awaited."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError, match=r"Cannot read none\.json: No such file or directory\."):
        read_json("none.json")
    with pytest.raises(FileError, match=r"Is a directory\."):
        read_json(tmp_path)
    os.mkfifo("pipe")
    for path in ("pipe", ".", "/dev/zero", "a\0b"):
        with pytest.raises(FileError, match="Cannot read"):
            read_bytes(path)


@pytest.mark.parametrize("value", [0, -5, 2**63 - 1, 1 - 2**63])
def test_integers_are_read_from_numbers_and_numerals(value: int) -> None:
    """An integer below 2^63 in size is read, written either way."""
    assert integer_or_none(value) == integer_or_none(Numeral(value)) == value
    assert whole_number(Numeral(value), "seed") == value


@pytest.mark.parametrize(
    "value",
    [
        *(2**63, -(2**63), True, 1.0, "7", None, []),
        *map(Numeral, ("1.0", "1e3", 2**63, "9" * 10**6, "-" + "9" * 10**6, "1e999999999")),
        *parsed("[NaN, Infinity, -Infinity]"),
    ],
)
def test_other_values_are_no_integers(value: object) -> None:
    """Booleans, floats, strings, decimals, large integers and NaN are refused by field, at once."""
    assert integer_or_none(value) is None
    with pytest.raises(InputError, match=r"an integer below .* but got seed="):
        whole_number(value, "seed")


FIELDS: dict[str, Any] = {"name": "f-1", "required": {"a"}, "optional": {"b"}}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([1], "a JSON object but got document=list"),
        ({"a": 1}, 'Expected "f-1" but got format=None'),
        ({"format": "f-2", "a": 1}, "got format=f-2"),
        ({"format": "f-1", "b": 1}, "the field a but got fields=format, b"),
        ({"format": "f-1", "a": 1, "c": 1}, "but got field=c"),
    ],
)
def test_the_wrong_fields_are_named(document: object, message: str) -> None:
    """Optional fields and provenance may be there or not; anything else is refused by name."""
    for extra in ({}, {"b": 1}, {"version": "9", "paper_sha256": "0"}):
        check_format({"format": "f-1", "a": 1, **extra}, **FIELDS)
    with pytest.raises(InputError, match=message):
        check_format(document, **FIELDS)


def test_doubles_are_read_from_numerals() -> None:
    """A numeral within the range of doubles, however small, is a double, and nothing else is."""
    for text in ("0", "-1.5", "1e300", "1E-999999"):
        assert finite_or_none(Numeral(text)) == float(text)
    others = (Numeral("1e400"), Numeral("NaN"), "1", 1, 1.5, None, True)
    assert all(finite_or_none(value) is None for value in others)


def test_links_are_followed_as_far_as_they_lead(tmp_path: pathlib.Path) -> None:
    """A link to itself stays as it is; a path that no system accepts is a file error."""
    loop, link = tmp_path / "loop", tmp_path / "link"
    loop.symlink_to(loop)
    link.symlink_to(tmp_path / "target")
    assert (real_path(loop), real_path(link)) == (loop, tmp_path / "target")
    with pytest.raises(FileError, match="Cannot use"):
        real_path("a\0b")


def test_folders_are_made_or_refused(tmp_path: pathlib.Path) -> None:
    """All that are missing, again without complaint, and one line where there can be none."""
    assert made_folder(tmp_path / "a" / "b") == made_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=r"Cannot write .*file/c"):
        made_folder(tmp_path / "file" / "c")


NUMERALS = [
    *("0", "-0", "0.10", "1e-3", "1E+5", "-12.500", "1e999999999", "9" * 5000),
    *("0.1000000000000000055511151231257827", "123456789012345678901234567890"),
]

documents = st.recursive(
    st.none() | st.booleans() | st.text() | st.integers() | st.floats(-1e300, 1e300),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("text", NUMERALS)
def test_numbers_keep_their_text(text: str, tmp_path: pathlib.Path) -> None:
    """A number stays the text that was written, unlike a string, through files and back."""
    value = parsed(f'{{"format": ["1", {text}]}}')
    assert [type(entry) for entry in value["format"]] == [str, Numeral]
    assert value["format"][1] == text
    assert dumps(value) == f'{{"format": ["1", {text}]}}'
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    write_json(first, value)
    write_json(second, read_json(first))
    assert read_json(first)["format"] == ["1", text]
    assert first.read_bytes() == second.read_bytes()


@given(documents)
def test_written_documents_are_json(document: object) -> None:
    """What is written is what the standard library reads back as the same document."""
    assert json.loads(dumps(document)) == document


def test_writing_replaces_the_old_file(tmp_path: pathlib.Path) -> None:
    """A second write leaves the second document only: format, version, digest, permissions."""
    path, plain = tmp_path / "a.json", tmp_path / "plain"
    write_json(path, {"format": "f", "x": "old" * 1000})
    size = write_json(path, {"x": "new", "format": "f"})
    expected = {"format": "f", "version": __version__, "paper_sha256": PAPER_SHA256, "x": "new"}
    assert list(read_json(path).items()) == list(expected.items())
    assert path.stat().st_size == size
    assert os.listdir(tmp_path) == ["a.json"]
    plain.write_text("")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_a_failed_write_leaves_nothing(tmp_path: pathlib.Path) -> None:
    """A missing folder, one in the way, and what JSON cannot hold leave no temporary file."""
    with pytest.raises(FileError, match=r"\ACannot write [^\n]*No such file or directory\.\Z"):
        write_json(tmp_path / "none" / "a.json", {"format": "f"})
    for bad in (float("nan"), float("inf"), {1, 2}):
        with pytest.raises((TypeError, ValueError)):
            write_json(tmp_path / "a.json", {"format": "f", "x": bad})
    assert os.listdir(tmp_path) == []
    (tmp_path / "a.json").mkdir()
    with pytest.raises(FileError, match="Cannot write"):
        write_json(tmp_path / "a.json", {"format": "f"})
    assert os.listdir(tmp_path) == ["a.json"]


def test_an_interrupted_write_keeps_the_old_file(tmp_path: pathlib.Path) -> None:
    """An error in the middle of writing leaves the previous file and no temporary one."""
    path = tmp_path / "a.json"
    path.write_text("old")

    def interrupted() -> None:
        with replacing(path) as file:
            file.write(b"half of the new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_writing_obeys_its_limit(tmp_path: pathlib.Path) -> None:
    """A document of exactly the limit is written, one byte more is refused and leaves nothing."""
    document = {"format": "f", "x": "y" * 100}
    size = write_json(tmp_path / "a.json", document)
    assert write_json(tmp_path / "a.json", document, limit=size) == size
    with pytest.raises(InputError, match=f"bytes={size}"):
        write_json(tmp_path / "b.json", document, limit=size - 1)
    assert os.listdir(tmp_path) == ["a.json"]


def test_only_regular_files_are_replaced(tmp_path: pathlib.Path) -> None:
    """A link is followed to its target; a pipe or a folder is refused and left alone."""
    target, link, pipe = (tmp_path / name for name in ("target.json", "link.json", "pipe"))
    target.write_text("old")
    link.symlink_to(target)
    write_json(link, {"format": "x"})
    assert link.is_symlink()
    assert "old" not in target.read_text()
    os.mkfifo(pipe)
    with pytest.raises(FileError, match="not a regular file"):
        write_json(pipe, {"format": "x"})
    assert pipe.is_fifo()
