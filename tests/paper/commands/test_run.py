"""`pbverify run`: traces of every engine, summaries, and hostile files."""

from __future__ import annotations

import json
import pathlib
import tracemalloc
from typing import Any

import pytest

from pbverify.cli import execute

SMALL = ["-T", "60", "--delays", "geometric:delayed=0.3", "--seed", "3"]


@pytest.fixture
def instance_file(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "instance.json"
    assert execute(["instance", "-o", str(path), *SMALL]) == 0
    return path


def run(instance_file: pathlib.Path, *arguments: str) -> Any:
    output = instance_file.with_name("trace.json")
    assert execute(["run", str(instance_file), "-o", str(output), *arguments]) == 0
    return json.loads(output.read_text())


@pytest.mark.parametrize("engine", ["auto", "reference", "kernel", "rigorous"])
def test_every_engine_writes_the_same_trace(engine: str, instance_file: pathlib.Path) -> None:
    """All engines agree on the restarts and, to 1e-9, on the gap."""
    reference = run(instance_file, "--set", "budget=2")["rounds"]
    rounds = run(instance_file, "--set", "budget=2", "--engine", engine)["rounds"]
    assert rounds["hard_restart"] == reference["hard_restart"]
    assert rounds["soft_restart"] == reference["soft_restart"]
    assert rounds["gap"] == pytest.approx(reference["gap"], rel=1e-9, abs=1e-9)
    assert any(rounds["hard_restart"])


def test_reading_and_overrides_reach_the_trace(instance_file: pathlib.Path) -> None:
    """The trace names the reading, overrides included; the default is the appendix."""
    assert run(instance_file)["reading"]["budget"] == "appendix"
    reading = run(instance_file, "--reading", "main", "--set", "slack=1/3", "--set", "gap=learner")
    assert reading["reading"]["slack"] == "1/3"
    assert reading["reading"]["update"] == "base"


@pytest.mark.parametrize("engine", ["auto", "kernel", "rigorous"])
def test_prudent_exp3_runs_on_every_engine(
    engine: str, instance_file: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The trace names the learner and its settings; the summary has a line per stage."""
    options = ["--learner", "prudent-exp3", "--set", "budget=1/4", "--engine", engine]
    trace = run(instance_file, *options)
    assert trace["learner"] == {
        "name": "prudent-exp3",
        "safety": "1",
        "first_clock": "1",
        "budget": "1/4",
        "threshold": "1",
    }
    assert trace["rounds"]["stage"] == run(instance_file, *options[:-2])["rounds"]["stage"]
    assert "stage 3: phase 1 rounds " in capsys.readouterr().out
    output = instance_file.with_name("trace.json")
    assert execute(["diff", str(output), str(output)]) == 0


@pytest.mark.parametrize(
    "wrong", [["--reading", "main"], ["--set", "slack=1"], ["--set", "safety=no"]]
)
def test_prudent_exp3_has_options_of_its_own(wrong: list[str], instance_file: pathlib.Path) -> None:
    """Readings and their options are refused."""
    command = ["run", str(instance_file), "-o", "x.json", "--learner", "prudent-exp3", *wrong]
    assert execute(command) == 2


def test_scalars_leave_out_iterates(instance_file: pathlib.Path) -> None:
    """With --scalars the iterates are null, in every engine."""
    for engine in ("reference", "kernel"):
        trace = run(instance_file, "--scalars", "--engine", engine)
        assert trace["base"] is trace["played"] is None


def test_summary_and_silence(
    instance_file: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run says what happened per stage; --quiet says nothing."""
    capsys.readouterr()
    run(instance_file, "--set", "budget=2", "--set", "slack=0")
    shown = capsys.readouterr().out
    assert "stage 1, delay estimate 1: phase 1 rounds 1-" in shown
    run(instance_file, "--quiet")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--reading", "printed"], "one of appendix, main, repaired but got reading=printed"),
        (["--set", "speed=9"], "option=value with an option among update"),
        (["--set", "update"], "option=value"),
        (["--set", "update=both"], "one of played, base but got update=both"),
        (["--set", "budget=-1"], "or a positive number from 1e-100 to 1e100 but got budget=-1"),
        (["--set", "slack=nan"], "if not 0 from 1e-100 to 1e100 but got slack=nan"),
        (["--reading", "main", "--set", "slack=tight"], "with slack=tight"),
        (["--engine", "warp"], "warp"),
    ],
)
def test_bad_readings_are_refused(
    arguments: list[str],
    message: str,
    instance_file: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A wrong reading exits with 2, one line, and no trace."""
    output = instance_file.with_name("trace.json")
    capsys.readouterr()
    assert execute(["run", str(instance_file), "-o", str(output), *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not output.exists()


def refused(path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that a bad file costs."""
    output = path.with_name("trace.json")
    assert execute(["run", str(path), "-o", str(output)]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert not output.exists()
    return captured.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "JSON, which breaks off at line 1 column 1"),
        ('{"format": "pbverify/instance-1", "losses": [[0', "breaks off at line 1 column 48"),
        ("[]", "a JSON object but got document=list"),
        ("[" * 100_000, "nested a few levels deep"),
        ('{"a":' * 50_000, "nested a few levels deep"),
        ('{"format": "x", "format": "y"}', "each field once but got field=format"),
        ("\x00", "JSON"),
    ],
)
def test_bad_files_cost_one_line(
    text: str, message: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Truncated, nested, repeated or meaningless files are refused in one line."""
    path = tmp_path / "bad.json"
    path.write_text(text)
    assert message in refused(path, capsys)


def test_a_huge_file_is_not_read(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of 100 MB is refused with bounded memory."""
    path = tmp_path / "huge.json"
    with open(path, "wb") as file:
        file.truncate(100_000_000)
    tracemalloc.start()
    assert "a file of at most 64 MiB" in refused(path, capsys)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200_000_000


def test_binary_and_missing_files(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is no text, and a folder, are refused in one line."""
    path = tmp_path / "binary.json"
    path.write_bytes(b"\xff\xfe\x00")
    assert "UTF-8 text" in refused(path, capsys)
    assert "Cannot read" in refused(tmp_path, capsys)


def test_improbable_actions_exit_with_two(
    instance_file: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A given action of vanishing probability is bad input."""
    document = json.loads(instance_file.read_text())
    document.update(
        losses=[[1, 0]] * 60, delays=[0] * 60, actions=[0] * 60, comparator=["1/2", "1/2"]
    )
    instance_file.write_text(json.dumps(document))
    capsys.readouterr()
    arguments = ["run", str(instance_file), "-o", str(instance_file.with_name("trace.json"))]
    assert execute([*arguments, "--set", "budget=1", "--set", "update=base"]) == 2
    assert "2^-1000 but got actions[" in capsys.readouterr().err
