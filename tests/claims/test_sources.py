"""What a lemma file rests on, and what changed since the last full run."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.claims.library import SOURCE
from pbverify.claims.sources import Changed, Sources, changed_since, keep_sources

MASS = SOURCE / "lemma_delayed_mass.py"


def changes(folder: pathlib.Path) -> Changed:
    found = changed_since(folder)
    assert found is not None
    return found


def test_a_lemma_file_rests_on_itself_the_judge_and_what_they_import() -> None:
    """At any depth, with the packages above; installed packages and the standard library apart."""
    found = Sources().of(MASS)
    named = {MASS.name, "pbverify", "pbverify.claims.judge", "pbverify.paper.cases.phase"}
    assert named <= set(found)
    assert "pbverify.bandits.delays" in found  # `from pbverify import Delays` names its home
    assert all(name == MASS.name or name.split(".")[0] == "pbverify" for name in found)


def test_a_proof_that_is_named_as_text_counts_as_imported() -> None:
    """So do the modules that its theory imports; theories of other lemma files do not."""
    found = Sources().of(MASS)
    assert "pbverify.paper.theories.delays.delayed_mass" in found
    assert "pbverify.prover.induction.theory" in found
    assert "pbverify.paper.theories.batches.buckets" not in found


def test_names_that_are_imported_for_types_alone_are_left_out(tmp_path: pathlib.Path) -> None:
    """They change no verdict."""
    file = tmp_path / "lemma_typed.py"
    file.write_text("if TYPE_CHECKING:\n    import pbverify.paper.pictures\n")
    assert "pbverify.paper.pictures" not in Sources().of(file)
    file.write_text("def later():\n    import pbverify.paper.pictures\n")
    assert "pbverify.paper.pictures" in Sources().of(file)


def test_without_a_full_run_nothing_is_known(small_lemmas: pathlib.Path) -> None:
    """Nor if what was recorded cannot be read."""
    assert changed_since(small_lemmas) is None
    keep_sources(small_lemmas)
    assert changes(small_lemmas) == Changed((), ())
    (small_lemmas.parent / ".pbverify" / "sources.json").write_text("{")
    assert changed_since(small_lemmas) is None


def test_a_changed_lemma_file_is_named(small_lemmas: pathlib.Path) -> None:
    """Other lemma files are not judged for it."""
    (small_lemmas / "lemma_other.py").write_text("from pbverify import Lemma\n")
    keep_sources(small_lemmas)
    file = small_lemmas / "lemma_small.py"
    file.write_text(f"{file.read_text()}\n")
    assert changes(small_lemmas) == Changed(("lemma_small.py",), (file,))


def test_a_changed_module_concerns_the_files_that_rest_on_it(
    small_lemmas: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package beside the lemma files is looked into like pbverify itself."""
    package = small_lemmas.parent / "own_cases"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "runs.py").write_text("SIZE = 1\n")
    user = small_lemmas / "lemma_user.py"
    user.write_text("def cases():\n    from own_cases import runs\n")
    monkeypatch.syspath_prepend(str(package.parent))
    keep_sources(small_lemmas)
    (package / "runs.py").write_text("SIZE = 2\n")
    assert changes(small_lemmas) == Changed(("own_cases.runs",), (user,))


def test_a_changed_row_of_the_register_concerns_the_file_of_its_claim(
    small_lemmas: pathlib.Path,
) -> None:
    """What is expected of a claim may have changed."""
    keep_sources(small_lemmas)
    register = small_lemmas / "paper.toml"
    register.write_text(register.read_text().replace("A first delay", "The first delay"))
    found = changes(small_lemmas)
    assert found == Changed(("row small",), (small_lemmas / "lemma_small.py",))
    assert next(found.lines(total=1)) == "changed since the last full run: row small"
