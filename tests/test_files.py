"""JSON files: exact numbers, bounded reading, writing whole or not at all."""

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
from pbverify.files import (
    CONTAINER_LIMIT,
    SIZE_LIMIT,
    Numeral,
    check_format,
    dumps,
    integer_or_none,
    parse_json,
    read_json,
    replacing,
    whole_number,
    write_json,
)

NUMERALS = [
    "0",
    "-0",
    "0.10",
    "1e-3",
    "1E+5",
    "-12.500",
    "0.1000000000000000055511151231257827",
    "123456789012345678901234567890",
    "1e999999999",
    "9" * 5000,
]

documents = st.recursive(
    st.none() | st.booleans() | st.text() | st.integers() | st.floats(-1e300, 1e300),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def parsed(text: str) -> Any:
    return parse_json(text.encode(), source="here.json")


@pytest.mark.parametrize("text", NUMERALS)
def test_numbers_keep_their_text(text: str) -> None:
    """A number is read as the text that was written, and written as that text again."""
    value = parsed(f'{{"x": [{text}]}}')
    assert isinstance(value["x"][0], Numeral)
    assert value["x"][0] == text
    assert dumps(value) == f'{{"x": [{text}]}}'


def test_numbers_and_strings_stay_apart() -> None:
    """A string that looks like a number is not a numeral, and keeps its quotes."""
    value = parsed('["1", 1]')
    assert [type(entry) for entry in value] == [str, Numeral]
    assert dumps(value) == '["1", 1]'


@given(documents)
def test_written_documents_are_json(document: object) -> None:
    """What is written is what the standard library reads back as the same document."""
    assert json.loads(dumps(document)) == document


def test_reading_back_a_file_keeps_decimals(tmp_path: pathlib.Path) -> None:
    """Decimals survive file, reader and writer character by character."""
    path = tmp_path / "a.json"
    document = {"format": "f", "x": [Numeral(text) for text in NUMERALS]}
    write_json(path, document)
    again = read_json(path)
    assert [str(n) for n in again["x"]] == NUMERALS
    write_json(tmp_path / "b.json", again)
    assert (tmp_path / "b.json").read_bytes() == path.read_bytes()


def test_files_name_format_version_and_paper_first(tmp_path: pathlib.Path) -> None:
    """Every file opens with its format, then the version and the digest of the paper."""
    path = tmp_path / "a.json"
    size = write_json(path, {"x": None, "format": "f"})
    assert list(read_json(path)) == ["format", "version", "paper_sha256", "x"]
    assert read_json(path)["version"] == __version__
    assert read_json(path)["paper_sha256"] == PAPER_SHA256
    assert path.stat().st_size == size


def test_writing_replaces_the_old_file(tmp_path: pathlib.Path) -> None:
    """A second write leaves the second document and nothing else."""
    path = tmp_path / "a.json"
    write_json(path, {"format": "f", "x": "old" * 1000})
    write_json(path, {"format": "f", "x": "new"})
    assert read_json(path)["x"] == "new"
    assert os.listdir(tmp_path) == ["a.json"]


def test_written_files_have_ordinary_permissions(tmp_path: pathlib.Path) -> None:
    """A written file is as readable as any file made under the same umask."""
    write_json(tmp_path / "a.json", {"format": "f"})
    (tmp_path / "plain").write_text("")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a.json", "plain")}
    assert len(modes) == 1


def test_a_missing_directory_is_one_line(tmp_path: pathlib.Path) -> None:
    """Writing into a directory that does not exist names the file, and makes nothing."""
    with pytest.raises(FileError, match=r"Cannot write .*No such file or directory\.") as caught:
        write_json(tmp_path / "none" / "a.json", {"format": "f"})
    assert "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == []


def test_a_directory_in_the_way_leaves_no_temporary_file(tmp_path: pathlib.Path) -> None:
    """If the last step fails, the half-way file is gone too."""
    (tmp_path / "a.json").mkdir()
    with pytest.raises(FileError, match="Cannot write"):
        write_json(tmp_path / "a.json", {"format": "f"})
    assert os.listdir(tmp_path) == ["a.json"]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), {1, 2}])
def test_an_unwritable_value_leaves_nothing(tmp_path: pathlib.Path, bad: object) -> None:
    """A value that JSON cannot hold fails before anything is written."""
    with pytest.raises((TypeError, ValueError)):
        write_json(tmp_path / "a.json", {"format": "f", "x": bad})
    assert os.listdir(tmp_path) == []


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


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 50_000])
def test_deep_nesting_is_refused(text: str) -> None:
    """A hundred thousand brackets end in an error message, not in a crash."""
    with pytest.raises(InputError, match=r"nested .*here\.json"):
        parsed(text)


def test_duplicate_keys_are_refused() -> None:
    """A field given twice is an error that names it, at any depth."""
    with pytest.raises(InputError, match="each field once but got field=b"):
        parsed('{"a": [{"b": 1, "c": 2, "b": 1}]}')


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
    with pytest.raises(InputError, match=place) as caught:
        parsed(text)
    assert "file=here.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_encodings_are_refused() -> None:
    """Bytes that are not UTF-8 are refused as such."""
    with pytest.raises(InputError, match="Expected UTF-8 text but got file=x"):
        parse_json('{"a": "\u00e9"}'.encode("latin-1"), source="x")


def test_a_missing_file_is_one_line(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is not there, or is a directory, is named with the reason."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError, match=r"Cannot read none\.json: No such file or directory\."):
        read_json("none.json")
    with pytest.raises(FileError, match=r"Is a directory\."):
        read_json(tmp_path)


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_of_other_dialects_are_no_integers(constant: str) -> None:
    """NaN and infinities come through as numerals that no reader takes for a number."""
    value = parsed(f"[{constant}]")[0]
    assert isinstance(value, Numeral)
    assert integer_or_none(value) is None


@pytest.mark.parametrize("value", [0, -5, 2**63 - 1, 1 - 2**63])
def test_integers_are_read_from_numbers_and_numerals(value: int) -> None:
    """An integer below 2^63 in size is read, written either way."""
    assert integer_or_none(value) == value
    assert integer_or_none(Numeral(value)) == value
    assert whole_number(Numeral(value), "seed") == value


@pytest.mark.parametrize(
    "value",
    [2**63, -(2**63), True, 1.0, "7", None, [], Numeral("1.0"), Numeral("1e3"), Numeral(2**63)],
)
def test_other_values_are_no_integers(value: object) -> None:
    """Booleans, floats, strings, decimals and large integers are refused by field."""
    assert integer_or_none(value) is None
    with pytest.raises(InputError, match=r"an integer below .* but got seed="):
        whole_number(value, "seed")


@pytest.mark.parametrize("text", ["9" * 10**6, "-" + "9" * 10**6, "1e999999999"])
def test_long_numerals_cost_nothing(text: str) -> None:
    """Digits by the million are not converted before they are refused."""
    assert integer_or_none(Numeral(text)) is None


FIELDS: dict[str, Any] = {"name": "f-1", "required": {"a"}, "optional": {"b"}}


@pytest.mark.parametrize("extra", [{}, {"b": 1}, {"version": "9", "paper_sha256": "0"}])
def test_the_right_fields_pass(extra: dict[str, object]) -> None:
    """Optional fields and provenance may be there or not."""
    check_format({"format": "f-1", "a": 1, **extra}, **FIELDS)


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
    """Another kind of document, another format, a missing or an unknown field are refused."""
    with pytest.raises(InputError, match=message):
        check_format(document, **FIELDS)


def test_many_keys_are_checked_quickly() -> None:
    """A duplicate among a hundred thousand keys is found at once."""
    keys = ", ".join(f'"k{i}": 0' for i in range(100_000))
    with pytest.raises(InputError, match="each field once but got field=k99999"):
        parse_json(("{" + keys + ', "k99999": 1}').encode(), source="x")


def test_a_path_with_a_nul_byte_is_refused() -> None:
    """A path that no system accepts is a file error."""
    with pytest.raises(FileError, match="Cannot read"):
        read_json("a\0b")


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
