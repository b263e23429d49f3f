"""`pbverify verify`: judge the claims of lemma files and compare every verdict with the register.

Each witness passes the paper's second program before its verdict is written.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import enum
import os
import pathlib
from collections.abc import Sequence
from typing import Annotated

import typer

from pbverify.claims.judge import Judged, exit_code, judge
from pbverify.claims.library import FOLDER, find_folders, home_of, lemma_files, load_register
from pbverify.claims.register import Register
from pbverify.claims.sources import NO_RECORD, changed_since, keep_sources
from pbverify.cli.options import Lemmas, Quiet, Scheduler, console, default_verdicts
from pbverify.cli.progress import judging
from pbverify.files.documents import real_path
from pbverify.pytest_plugin.session import changed_lines, save_session
from pbverify.report.summary import SHORT, overview
from pbverify.report.table import verdict_table


class ProfileName(enum.StrEnum):
    """How hard to look."""

    QUICK = "quick"
    DEFAULT = "default"
    THOROUGH = "thorough"


def verify_claims(
    claims: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="claims, labels, or what ids begin with"),
    ] = None,
    readings: Annotated[
        list[str] | None, typer.Option("--reading", help="only this one (may be repeated)")
    ] = None,
    profile: Annotated[ProfileName, typer.Option(help="how hard to look")] = ProfileName.DEFAULT,
    output: Annotated[
        pathlib.Path | None, typer.Option("--json", metavar="FILE", help="verdict file to write")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", metavar="SECONDS", help="of each check; then UNDECIDED"),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="processes (default: as many as processors)")
    ] = None,
    scheduler: Scheduler = None,
    changed: Annotated[
        bool,
        typer.Option("--changed", help="what rests on sources changed since the last full run"),
    ] = False,
    table: Annotated[bool, typer.Option("--table", help="one row per claim and reading")] = False,
    lemmas: Lemmas = None,
    quiet: Quiet = False,
) -> int:
    """Judge the claims (all, or those named) and compare the verdicts with the register.

    Ends with one line per statement, or with one row per verdict if they are few or --table is
    given; then what changed since the last full session. Exit code 0: every verdict is the expected
    one; 1: one differs; 3: one is undecided. Without claims and readings the verdicts also go to
    .pbverify/verdicts.json, where show and report look for them. With --changed, only the lemma
    files are judged that rest on a source, or on a row of the register, that is not as it was in
    the last full run; a full run alone renews the verdicts. With --scheduler, the workers of a Dask
    cluster judge the lemma files, which they find under the same path.
    """
    folders = find_folders(lemmas)
    register, home = load_register(folders), home_of(folders[0])
    files = _changed_files(folders, quiet=quiet) if changed else None
    is_full = not claims and not readings and files is None
    target = output or (default_verdicts(lemmas) if is_full else None)
    with _pool(scheduler) as pool, judging(quiet=quiet) as progress:
        judged = judge(
            *(claims or ()),
            lemmas=[real_path(folder) for folder in folders],
            readings=readings or (),
            files=files,
            profile=profile.value,
            jobs=jobs or os.cpu_count() or 1,
            pool=pool,
            time_limit=time_limit,
            witnesses=(real_path(target).parent if target else home / FOLDER) / "witnesses",
            progress=progress,
        )
    lines = list(changed_lines(default_verdicts(lemmas), judged.verdicts))
    if target is not None:
        paper = register.paper
        save_session(target, judged.verdicts, profile=profile.value, root=home, paper=paper)
    if is_full and output is None:
        for folder in folders:
            keep_sources(real_path(folder))
    if not quiet:
        _print(judged, register, table=table)
        for line in lines:
            typer.echo(line)
        if is_full and output is None:
            typer.echo("report: `pbverify report -o pages` writes it")
    return exit_code(judged, register)


def _pool(
    scheduler: str | None,
) -> contextlib.AbstractContextManager[concurrent.futures.Executor | None]:
    """The workers of a cluster, if one is named."""
    if scheduler is None:
        return contextlib.nullcontext()
    from pbverify.search.cluster import cluster_pool

    return cluster_pool(scheduler)


def _changed_files(folders: Sequence[pathlib.Path], *, quiet: bool) -> list[pathlib.Path] | None:
    """The lemma files that rest on what changed; None if no full run is recorded."""
    files: list[pathlib.Path] = []
    for folder in map(real_path, folders):
        found = changed_since(folder)
        if found is None:
            typer.echo(NO_RECORD, err=True)
            return None
        files += found.files
        for line in () if quiet else found.lines(total=len(lemma_files(folder))):
            typer.echo(line)
    return files


def _print(judged: Judged, register: Register, *, table: bool) -> None:
    if judged.verdicts and (table or len(judged.verdicts) <= SHORT):
        console().print(verdict_table(judged.verdicts))
    if len(judged.verdicts) > SHORT:
        typer.echo("\n".join(overview(register, judged.verdicts)))
    for complaint in judged.complaints:
        typer.echo(complaint, err=True)
