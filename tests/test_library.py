"""Lemma files found and loaded."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.errors import FileError, InputError
from pbverify.library import Library, claims_of, find_claims, find_folder, lemma_files

LEMMAS = pathlib.Path(__file__).parent.parent / "lemmas"


def test_claims_come_with_their_file(small_lemmas: pathlib.Path) -> None:
    """Every claim is found by id, stronger forms too, with the file that names it."""
    library = Library.load(small_lemmas)
    assert set(library.claims) == {"small", "small@repaired", "theorem", "small@repaired!stronger"}
    assert {path.name for path in library.files.values()} == {"lemma_small.py"}
    [claim] = library.named("small")
    assert claim.statement == "d_s <= 1"


def test_the_projects_own_lemmas_load() -> None:
    """Conservation of delayed mass is there with three claims and their stronger forms."""
    found = [claim.id for claim in claims_of(LEMMAS / "lemma_delayed_mass.py")]
    assert [id for id in found if "!" not in id] == [
        "delayed-mass",
        "delayed-mass/identity",
        "delayed-mass/equality-cases",
    ]
    assert sum("!" in id for id in found) == 3


def test_unknown_claims_are_named(small_lemmas: pathlib.Path) -> None:
    """An id that no lemma file names is an input error."""
    with pytest.raises(InputError, match="a claim of the lemma files but got claim=large"):
        Library.load(small_lemmas).named("large")
    with pytest.raises(InputError, match="a claim of the lemma files but got claim=large"):
        find_claims(small_lemmas, "large")


def test_one_claim_is_found_without_loading_the_rest(small_lemmas: pathlib.Path) -> None:
    """The file that mentions a claim is loaded first, so a broken one elsewhere does no harm."""
    (small_lemmas / "lemma_broken.py").write_text("1 / 0")
    [claim], path = find_claims(small_lemmas, "small@repaired!stronger")
    assert (claim.id, path.name) == ("small@repaired!stronger", "lemma_small.py")


def test_the_folder_is_found_from_below(
    small_lemmas: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nearest `lemmas` with a register, here or above; a given folder wins."""
    below = small_lemmas.parent / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert find_folder() == small_lemmas
    assert find_folder(pathlib.Path("elsewhere")) == pathlib.Path("elsewhere")


def test_no_folder_is_one_line(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no register at all, the message says what to do."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError, match="name the folder with --lemmas"):
        find_folder()


def test_only_lemma_files_are_loaded(small_lemmas: pathlib.Path) -> None:
    """Other files of the folder are left alone."""
    (small_lemmas / "notes.py").write_text("raise RuntimeError")
    assert [path.name for path in lemma_files(small_lemmas)] == ["lemma_small.py"]


def test_a_broken_lemma_file_is_named(small_lemmas: pathlib.Path) -> None:
    """A lemma file that cannot be imported is a file error with its name and reason."""
    (small_lemmas / "lemma_broken.py").write_text("1 / 0")
    with pytest.raises(FileError, match=r"Cannot load lemma_broken.py: ZeroDivisionError"):
        Library.load(small_lemmas)
