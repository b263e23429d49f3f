"""`pbverify verify`: judging from the command line, and its exit codes."""

from __future__ import annotations

import json
import pathlib
import shutil

import pytest

from pbverify.claims.verdict import load_verdicts
from pbverify.cli import execute


def verify(folder: pathlib.Path, *arguments: str) -> int:
    return execute(["verify", *arguments, "--profile", "quick", "--lemmas", str(folder)])


def changed(folder: pathlib.Path, before: str, after: str) -> None:
    for path in folder.iterdir():
        if path.is_file():
            path.write_text(path.read_text().replace(before, after))


def test_known_verdicts_exit_with_zero(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A full session prints the table and leaves verdicts and witnesses where others look."""
    assert verify(small_lemmas) == 0
    assert "REFUTED" in capsys.readouterr().out
    session = small_lemmas.parent / ".pbverify"
    found = {v.claim: v for v in load_verdicts(session / "verdicts.json").verdicts}
    assert set(found) == {"small", "small@repaired", "theorem"}
    file = found["small"].witness_file
    assert file is not None
    assert json.loads((session / file).read_text())["parameters"]["delays"] == [2]
    assert found["small"].checker == "UNKNOWN CLAIM"


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_a_cluster_gives_the_same_verdicts(small_lemmas: pathlib.Path, cluster: str) -> None:
    """Workers of a Dask scheduler judge like this process, and file the same witness."""
    session = small_lemmas.parent / ".pbverify"
    found = []
    for options in (["--jobs", "1"], ["--scheduler", cluster]):
        assert verify(small_lemmas, *options, "--quiet") == 0
        files = [session / "verdicts.json", *sorted((session / "witnesses").glob("*.json"))]
        found.append([path.read_bytes() for path in files])
        shutil.rmtree(session)
    assert found[0] == found[1]
    assert len(found[0]) == 3, "verdicts, and witnesses of the claim and of a stronger form"


def test_a_scheduler_that_is_none_is_an_error(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An address that is none is told in a line, before anything is judged."""
    assert verify(small_lemmas, "--scheduler", "nowhere") == 2
    assert "tcp://host:8786" in capsys.readouterr().err


def test_chosen_claims_only(small_lemmas: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Named claims are judged, into the named file; the last full session is left alone."""
    target = tmp_path / "out" / "some.json"
    assert verify(small_lemmas, "theorem", "--json", str(target)) == 0
    assert [v.claim for v in load_verdicts(target).verdicts] == ["theorem"]
    assert not (small_lemmas.parent / ".pbverify" / "verdicts.json").exists()


def test_only_the_file_of_a_named_claim_is_loaded(small_lemmas: pathlib.Path) -> None:
    """Another lemma file, which would fail, is left alone."""
    (small_lemmas / "lemma_other.py").write_text("raise RuntimeError")
    assert verify(small_lemmas, "small@repaired", "--quiet") == 0


def test_labels_name_all_their_claims(small_lemmas: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """`verify lem:small` judges what the paper prints under that label."""
    target = tmp_path / "some.json"
    assert verify(small_lemmas, "lem:small", "--json", str(target), "--quiet") == 0
    found = [v.claim for v in load_verdicts(target).verdicts]
    assert found == ["small", "small@repaired", "theorem"]


def test_a_verdict_that_differs_exits_with_one(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A claim that the register knows to hold and that falls is a failure."""
    changed(small_lemmas, '"REFUTED"', '"HOLDS"')
    assert verify(small_lemmas) == 1
    assert "small: expected HOLDS, got REFUTED" in capsys.readouterr().err


def test_an_undecided_verdict_exits_with_three(small_lemmas: pathlib.Path) -> None:
    """A claim that never applied is undecided."""
    changed(small_lemmas, "about=PHASES,", "about=PHASES, given=lambda phase: False,")
    changed(small_lemmas, '"REFUTED"', '"HOLDS"')
    changed(small_lemmas, ", stronger=sharpened(by=1)", "")
    assert verify(small_lemmas, "--quiet") == 3


def test_a_file_that_declares_nothing_is_named(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Claims of the old form, judged by test functions, are left to pytest, which is said."""
    (small_lemmas / "lemma_old.py").write_text("def test_it(judge): pass\n")
    assert verify(small_lemmas) == 2
    assert "lemma_old.py declares no Lemma: run it with pytest" in capsys.readouterr().err


def test_a_conclusion_that_fails_leaves_its_claim_undecided(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The other claims are judged, and the failure is told in one line."""
    changed(small_lemmas, "leq(phase.local_delays[0], 1,", "leq(phase.no_such_thing, 1,")
    assert verify(small_lemmas) == 3
    told = capsys.readouterr()
    assert "small[any]: AttributeError: 'DelayedPhase' object has no attribute" in told.err
    assert "theorem" in told.out


def test_several_processes_give_the_same_verdicts(
    small_lemmas: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """One process or two, the files are alike."""
    found = []
    for jobs in ("1", "2"):
        target = tmp_path / jobs / "v.json"
        assert verify(small_lemmas, "--jobs", jobs, "--json", str(target), "--quiet") == 0
        found.append(target.read_bytes())
    assert found[0] == found[1]


def test_quiet_says_nothing(small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --quiet only the exit code speaks."""
    assert verify(small_lemmas, "small", "--quiet") == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["large"], "a claim of the register but got claim=large"),
        (["--reading", "printed"], "but got reading=printed"),
        (["--profile", "endless"], "endless"),
        (["--time-limit", "nan"], "a positive number of seconds"),
    ],
)
def test_mistakes_cost_one_line(
    arguments: list[str],
    message: str,
    small_lemmas: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Unknown claims, readings and profiles exit with 2."""
    assert execute(["verify", "--lemmas", str(small_lemmas), *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_lemma_files_that_cannot_run_are_one_line(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A lemma file with a syntax error exits with 2."""
    (small_lemmas / "lemma_broken.py").write_text("def (")
    assert verify(small_lemmas) == 2
    assert capsys.readouterr().err.startswith("pbverify: Cannot load lemma_broken.py: SyntaxError")


def test_only_what_changed_is_judged(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--changed says what it judges and why, and leaves the last full session as it is."""
    assert verify(small_lemmas, "--changed", "--quiet") == 0
    assert "no full run is recorded" in capsys.readouterr().err
    session = small_lemmas.parent / ".pbverify" / "verdicts.json"
    before = session.read_bytes()
    assert verify(small_lemmas, "--changed") == 0
    assert "nothing changed since the last full run" in capsys.readouterr().out
    changed(small_lemmas, "HOLDS", "UNDECIDED")
    assert verify(small_lemmas, "--changed") == 1
    said = capsys.readouterr().out
    assert "row small@repaired" in said
    assert "judging 1 of 1 lemma files" in said
    assert session.read_bytes() == before
