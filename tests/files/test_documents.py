"""Reading JSON files: exact numbers, bounded size, and errors of one line."""

from __future__ import annotations

import os
import pathlib
from typing import Any

import pytest

from pbverify.errors import FileError, InputError
from pbverify.files.documents import (
    CONTAINER_LIMIT,
    SIZE_LIMIT,
    Numeral,
    check_format,
    dumps,
    finite_or_none,
    integer_or_none,
    made_folder,
    parse_json,
    read_bytes,
    read_json,
    real_path,
    whole_number,
)


def parsed(text: str) -> Any:
    return parse_json(text.encode(), source="here.json")


def test_numbers_and_strings_stay_apart() -> None:
    """A string that looks like a number is not a numeral, and keeps its quotes."""
    value = parsed('["1", 1]')
    assert [type(entry) for entry in value] == [str, Numeral]
    assert dumps(value) == '["1", 1]'


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


@pytest.mark.parametrize("text", ["0", "-1.5", "1e300", "1E-999999"])
def test_doubles_are_read_from_numerals(text: str) -> None:
    """Any number within the range of doubles, however small."""
    assert finite_or_none(Numeral(text)) == float(text)


@pytest.mark.parametrize("value", [Numeral("1e400"), Numeral("NaN"), "1", 1, 1.5, None, True])
def test_other_values_are_no_doubles(value: object) -> None:
    """Beyond the range of doubles, or not a number that stood in a file."""
    assert finite_or_none(value) is None


def test_pipes_are_not_waited_for(tmp_path: pathlib.Path) -> None:
    """Nor are folders and devices read: only regular files are."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, pathlib.Path("/dev/zero")):
        with pytest.raises(FileError, match="Cannot read"):
            read_bytes(path)


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
