"""The command line as a whole: help that teaches, and mistakes that cost one line."""

from __future__ import annotations

import ast
import pathlib
import subprocess
import sys

import pytest

from pbverify import __version__
from pbverify.cli import COMMANDS, execute
from pbverify.errors import UndecidedError
from pbverify.paper import PAPER

HEAVY = ("numpy", "scipy", "sympy", "numba", "z3", "flint", "matplotlib", "hypothesis", "pytest")


def imported_by(*arguments: str) -> set[str]:
    """What a command line imports, of what takes long."""
    code = (
        "import sys; from pbverify.cli import execute; "
        f"code = execute({list(arguments)!r}); "
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ast.literal_eval(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    """The list of commands is data: no command is imported to print it."""
    assert imported_by(*arguments) == set()


def test_commands_import_what_they_need(small_session: pathlib.Path) -> None:
    """After a session `show` and `claims` load no lemma file; `prove` asks no solver."""
    light = {"flint"}
    folder = ["--lemmas", str(small_session)]
    assert imported_by("claims", *folder) <= light
    assert imported_by("show", "small", *folder) <= light
    assert imported_by("show", "lem:small", *folder) <= light
    assert imported_by("prove", "x <= x + 1") <= {"flint", "sympy"}


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """--version prints one line and exits with 0."""
    assert execute(["--version"]) == 0
    assert capsys.readouterr().out == f"pbverify {__version__}\n"


def test_the_list_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the machinery and those of the paper, each with its line."""
    execute(["--help"])
    shown = capsys.readouterr().out
    for command in (*COMMANDS, *PAPER.commands):
        assert f"{command.name} " in shown
        assert command.line in shown


@pytest.mark.parametrize(
    "command",
    [[], ["bench", "engine"], *([each.name] for each in (*COMMANDS, *PAPER.commands))],
)
def test_help_exits_cleanly(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Every command explains itself with exit code 0."""
    assert execute([*command, "--help"]) == 0
    assert "Usage:" in capsys.readouterr().out


def test_help_lists_the_choices(capsys: pytest.CaptureFixture[str]) -> None:
    """The help of `instance` names every pattern, that of `run` every option of a reading."""
    execute(["instance", "--help"])
    shown = capsys.readouterr().out
    for name in ("blocks:blocks=500", "pareto:delayed=0.03,shape=2.5", "anchored:arm=0"):
        assert name in shown
    execute(["run", "--help"])
    assert "clairvoyant | arrived | elapsed" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["\x1b[31m"],
        ["run"],
        ["run", "--nonsense"],
        ["instance", "--rounds", "many", "-o", "x"],
    ],
)
def test_bad_usage_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Bad usage exits with 2 and one line on standard error."""
    assert execute(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("pbverify: ")
    assert captured.err.strip().isprintable()


def test_the_command_is_installed() -> None:
    """`python -m pbverify` runs the same program."""
    done = subprocess.run(
        [sys.executable, "-m", "pbverify", "run", "no-such-file", "-o", "x"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "pbverify: Cannot read no-such-file: No such file or directory.\n"


@pytest.mark.parametrize("command", [[], ["bench"]])
def test_a_group_without_a_command_prints_its_help(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Bare `pbverify` and `pbverify bench` teach, on standard output, over several lines."""
    assert execute(command) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("Usage:")
    assert captured.out.count("\n") > 5
    assert captured.err == ""


def test_a_full_disk_behind_standard_output_is_one_line(tmp_path: pathlib.Path) -> None:
    """An output that cannot be written exits with 2, without a traceback."""
    command = [sys.executable, "-m", "pbverify", "claims", "--json"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UndecidedError("the gap", round=3, precision=64), 3, "Round 3: the gap is undecided"),
        (MemoryError(), 2, "not enough memory"),
        (OSError(28, "No space left on device"), 2, "No space left on device"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_what_goes_wrong_has_its_code(
    error: BaseException,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Undecided branches, full memory, full disks and impatience cost one line each."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("pbverify.cli.app", fail)
    assert execute(["claims"]) == code
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1
