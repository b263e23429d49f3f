"""`pbverify verify`: run the lemma files and compare every verdict with the register.

The files run under pytest in a process of their own; each witness passes the independent checker
before its verdict is written.
"""

from __future__ import annotations

import dataclasses
import enum
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from typing import Annotated

import typer

from pbverify.claims.library import PATTERNS, find_folders, home_of, load_register
from pbverify.claims.register import READINGS, Register
from pbverify.claims.verdict import Outcome, Verdict, VerdictFile, load_verdicts
from pbverify.cli.options import Lemmas, Quiet, console, default_verdicts
from pbverify.cli.progress import progress_bar
from pbverify.errors import FileError, InputError
from pbverify.files.documents import real_path
from pbverify.pytest_plugin.session import FOLDER, save_session
from pbverify.pytest_plugin.time_limit import check_seconds
from pbverify.report.table import verdict_table


class ProfileName(enum.StrEnum):
    """How hard to look."""

    QUICK = "quick"
    DEFAULT = "default"
    THOROUGH = "thorough"


def verify_claims(
    claims: Annotated[list[str] | None, typer.Argument(metavar="CLAIM")] = None,
    readings: Annotated[
        list[str] | None, typer.Option("--reading", help="only this one (may be repeated)")
    ] = None,
    profile: Annotated[ProfileName, typer.Option(help="how hard to look")] = ProfileName.DEFAULT,
    output: Annotated[
        pathlib.Path | None, typer.Option("--json", metavar="FILE", help="verdict file to write")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", metavar="SECONDS", help="of each test; then UNDECIDED"),
    ] = None,
    lemmas: Lemmas = None,
    quiet: Quiet = False,
) -> int:
    """Judge the claims (all, or those named) and compare the verdicts with the register.

    Exit code 0: every verdict is the known one; 1: one differs; 3: one is undecided. Without
    claims and readings the verdicts also go to .pbverify/verdicts.json, where show and report
    look for them.
    """
    folders = find_folders(lemmas)
    register, home = load_register(folders), home_of(folders[0])
    _check(claims or [], readings or [], register)
    is_full = not claims and not readings
    target = output or (default_verdicts(lemmas) if is_full else None)
    witnesses = (real_path(target).parent if target else home / FOLDER) / "witnesses"
    options = [f"--claim={id}" for id in claims or []] + [f"--reading={r}" for r in readings or []]
    options += [f"--profile={profile.value}", f"--witnesses={witnesses}"]
    if time_limit is not None:
        options.append(f"--time-limit={check_seconds(time_limit)}")
    session = _run([real_path(folder) for folder in folders], options, home=home, quiet=quiet)
    if target is not None:
        found = session.found
        save_session(target, found.verdicts, profile=found.profile, root=session.root)
    if not quiet:
        console().print(verdict_table(session.found.verdicts))
        typer.echo(session.complaint, nl=bool(session.complaint), err=True)
    return _exit_code(session, register)


@dataclasses.dataclass(frozen=True)
class Session:
    """What a run of pytest over the lemma files left."""

    code: int
    found: VerdictFile
    root: pathlib.Path
    complaint: str


def _check(claims: list[str], readings: list[str], register: Register) -> None:
    for id in claims:
        register.check(id)
    presets = sorted(READINGS - {"any"})
    for reading in readings:
        if reading not in presets:
            raise InputError(f"one of {', '.join(presets)}", "reading", reading)


def _run(
    folders: list[pathlib.Path], options: list[str], *, home: pathlib.Path, quiet: bool
) -> Session:
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "verdicts.json"
        command = [sys.executable, "-m", "pytest", "-v", "--no-header", "--tb=line"]
        command += ["-p", "no:cacheprovider", "--import-mode=importlib", "--color=no"]
        command += ["-o", f"python_files={' '.join(PATTERNS)}", f"--rootdir={home}"]
        command += [*options, f"--verdicts={file}", *map(str, folders)]
        code, lines = _watched(command, home, quiet=quiet)
        if code not in (0, 1) or not file.is_file():
            last = next((line for line in reversed(lines) if line.strip(" =")), "no output")
            raise FileError(f"pytest could not run the lemma files: {last}")
        failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        return Session(code, load_verdicts(file), home, "\n".join(failed))


def _watched(command: list[str], folder: pathlib.Path, *, quiet: bool) -> tuple[int, list[str]]:
    """Exit code and output of a pytest command, with a bar that follows its percentages."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with (
        progress_bar("judging", total=100, quiet=quiet, every=1) as report,
        subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process,
    ):
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            percent = _percent(line)
            if percent is not None:
                report(percent)
    return process.returncode, lines


def _percent(line: str) -> int | None:
    """The progress that pytest prints at the end of a line."""
    done = re.search(r"\[ *(\d+)%\]$", line.rstrip())
    return int(done[1]) if done else None


def _exit_code(session: Session, register: Register) -> int:
    unlike = list(_unlike(session.found.verdicts, register))
    if unlike and all(verdict.outcome is Outcome.UNDECIDED for verdict in unlike):
        return 3
    return 1 if unlike or session.code else 0


def _unlike(verdicts: Iterable[Verdict], register: Register) -> Iterable[Verdict]:
    for verdict in verdicts:
        row = register.rows.get(verdict.claim)
        if row is None or row.expected.get(verdict.reading) is not verdict.outcome:
            yield verdict
