"""Writing JSON files: whole or not at all, and readable again."""

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
from pbverify.files.documents import Numeral, dumps, parse_json, read_json, replacing, write_json

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


@pytest.mark.parametrize("text", NUMERALS)
def test_numbers_keep_their_text(text: str) -> None:
    """A number is read as the text that was written, and written as that text again."""
    value = parse_json(f'{{"x": [{text}]}}'.encode(), source="here.json")
    assert isinstance(value["x"][0], Numeral)
    assert value["x"][0] == text
    assert dumps(value) == f'{{"x": [{text}]}}'


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


FIELDS: dict[str, Any] = {"name": "f-1", "required": {"a"}, "optional": {"b"}}


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
