"""`pbverify new-claim`: lemma files that run as they are written."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.claims.library import Library
from pbverify.claims.register import Register
from pbverify.cli.new_claim import new_claim
from pbverify.errors import FileError, InputError


def test_a_new_claim_is_a_library(tmp_path: pathlib.Path) -> None:
    """File and register name the same claim, whose stronger form is there too."""
    folder = tmp_path / "deep" / "lemmas"
    assert new_claim("my-first-claim", folder) == folder / "lemma_my_first_claim.py"
    library = Library.load(folder)
    assert set(library.claims) == {"my-first-claim", "my-first-claim!stronger"}
    assert set(library.register.rows) == {"my-first-claim"}


def test_another_claim_joins_the_register(tmp_path: pathlib.Path) -> None:
    """Rows that are there stay as they are, comments included."""
    new_claim("first", tmp_path)
    register = tmp_path / "paper.toml"
    register.write_text("# mine\n" + register.read_text() + "\n\n\n")
    new_claim("second", tmp_path)
    assert list(Register.load(register).rows) == ["first", "second"]
    assert register.read_text().startswith('# mine\n[[claim]]\nid = "first"\n')


@pytest.mark.parametrize(
    "name", ["", "Upper", "two words", "a/b", "../a", "a--b", "-a", "1a", "a\n", "x" * 61, "ä"]
)
def test_names_are_words_joined_by_dashes(name: str, tmp_path: pathlib.Path) -> None:
    """Nothing else becomes the name of a file."""
    with pytest.raises(InputError, match="lower-case words joined by dashes"):
        new_claim(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: pathlib.Path) -> None:
    """A file or a row that exists already is left alone."""
    new_claim("first", tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(FileError, match=r"lemma_first\.py exists already"):
        new_claim("first", tmp_path)
    (tmp_path / "lemma_first.py").rename(tmp_path / "elsewhere.py")
    with pytest.raises(InputError, match="a new id but got name=first"):
        new_claim("first", tmp_path)
    assert (tmp_path / "paper.toml").read_bytes() == before["paper.toml"]


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: pathlib.Path) -> None:
    """A file in the way is a file error."""
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="Cannot write"):
        new_claim("first", tmp_path / "file" / "lemmas")
