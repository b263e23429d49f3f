"""Lemma files found and loaded."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.claims.library import (
    Library,
    claims_of,
    find_claims,
    find_folder,
    find_folders,
    home_of,
    installed_folders,
    lemma_files,
    likeliest_first,
)
from pbverify.cli.new_claim import new_claim
from pbverify.errors import FileError, InputError

LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"


def test_claims_come_with_their_file(small_lemmas: pathlib.Path) -> None:
    """Every claim is found by id, stronger forms too, with the file that names it."""
    library = Library.load(small_lemmas)
    assert set(library.claims) == {"small", "small@repaired", "theorem", "small@repaired!stronger"}
    assert {path.name for path in library.files.values()} == {"lemma_small.py"}
    [claim] = library.named("small")
    assert claim.statement == "d_s <= 1"


def test_the_projects_own_lemmas_load() -> None:
    """The delayed lower bound is there with three claims, a stronger form and ablations."""
    found = [claim.id for claim in claims_of(LEMMAS / "theorem_delayed_lower_bound.py")]
    assert [id for id in found if "!" not in id] == [
        "delayed-lower-bound",
        "delayed-lower-bound/hidden-delay",
        "delayed-lower-bound/second-bound",
    ]
    assert sum("!stronger" in id for id in found) == 1
    assert sum("!without" in id for id in found) == 2


def test_unknown_claims_are_named(small_lemmas: pathlib.Path) -> None:
    """An id that no lemma file names is an input error."""
    with pytest.raises(InputError, match="a claim of the lemma files but got claim=large"):
        Library.load(small_lemmas).named("large")
    with pytest.raises(InputError, match="a claim of the lemma files but got claim=large"):
        find_claims([small_lemmas], "large")


def test_one_claim_is_found_without_loading_the_rest(small_lemmas: pathlib.Path) -> None:
    """The file that mentions a claim is loaded first, so a broken one elsewhere does no harm."""
    (small_lemmas / "lemma_broken.py").write_text("1 / 0")
    [claim], path = find_claims([small_lemmas], "small@repaired!stronger")
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
    monkeypatch.setattr("pbverify.claims.library.SOURCE", tmp_path / "lemmas")
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


@pytest.fixture
def offered(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """An installed package that offers a lemma folder; the entry point file can be changed."""
    site = tmp_path / "site"
    new_claim("from-elsewhere", site / "their_lemmas")
    metadata = site / "theirs-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[pbverify.claims]\ntheirs = their_lemmas\n")
    monkeypatch.syspath_prepend(site)
    return metadata / "entry_points.txt"


def test_other_packages_offer_their_claims(
    offered: pathlib.Path, small_lemmas: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their claims stand beside those of the folder that is found; a given folder stands alone."""
    monkeypatch.chdir(small_lemmas.parent)
    library = Library.load(*find_folders())
    assert {"small", "from-elsewhere"} <= library.claims.keys()
    assert {"small", "from-elsewhere"} <= library.register.rows.keys()
    assert find_folders(small_lemmas) == (small_lemmas,)
    assert find_claims(find_folders(), "from-elsewhere")[1].name == "lemma_from_elsewhere.py"


@pytest.mark.parametrize("value", ["no_such_package", "json", "their.sub.package", "a..b"])
def test_a_bad_entry_point_is_named(value: str, offered: pathlib.Path) -> None:
    """A name that leads to no folder with a register is a file error."""
    offered.write_text(f"[pbverify.claims]\ntheirs = {value}\n")
    with pytest.raises(FileError, match=r"entry point theirs of pbverify\.claims names"):
        installed_folders()


def test_an_id_stands_in_one_register_only(
    offered: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two packages that use the same id are told apart by nobody, so that is an error."""
    new_claim("from-elsewhere", tmp_path / "lemmas")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"each id once but got claim\.id=from-elsewhere"):
        Library.load(*find_folders())


def test_the_papers_lemmas_ship_with_the_package(
    small_lemmas: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no `lemmas` is near, the shipped folder is found, and sessions leave files here."""
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    small_lemmas.rename(tmp_path / "_lemmas")
    monkeypatch.setattr("pbverify.claims.library.SHIPPED", tmp_path / "_lemmas")
    assert find_folder() == tmp_path / "_lemmas"
    assert home_of(find_folder()) == tmp_path / "empty"
    assert home_of(tmp_path / "mine" / "lemmas") == tmp_path / "mine"


def test_an_editable_install_finds_the_lemmas_of_its_clone(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outside the clone the paper's own lemma files are found; sessions stay in the clone."""
    monkeypatch.chdir(tmp_path)
    assert find_folder() == LEMMAS
    assert home_of(find_folder()) == LEMMAS.parent


def test_files_that_quote_a_claim_come_first(small_lemmas: pathlib.Path) -> None:
    """A lemma's id and a step, both quoted, are enough; other files follow."""
    (small_lemmas / "lemma_a.py").write_text("# small @repaired")
    found = likeliest_first([small_lemmas], "small@repaired")
    assert [path.name for path in found] == ["lemma_small.py", "lemma_a.py"]
