"""A session of `pytest lemmas`: its options are checked before, its verdicts kept after it."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable, Iterator, Sequence

import pytest

from pbverify.claims.library import REGISTER, lemma_files, session_file
from pbverify.claims.paper import NO_PAPER, Paper
from pbverify.claims.register import Register
from pbverify.claims.sources import NO_RECORD, changed_since, keep_sources
from pbverify.claims.time_limit import check_seconds
from pbverify.claims.verdict import Verdict, load_verdicts, save_verdicts
from pbverify.errors import InputError, PbverifyError
from pbverify.files.documents import made_folder, real_path
from pbverify.report.gather import (
    libraries,
    notes_beside,
    register_beside,
    write_report,
)
from pbverify.report.summary import changes, overview


def asked(config: pytest.Config) -> list[pathlib.Path]:
    """The files and folders that pytest was given."""
    return [config.invocation_params.dir / arg.split("::")[0] for arg in config.args]


def check_options(config: pytest.Config) -> None:
    """Complain, in one line, about what would fail after everything was judged."""
    try:
        if config.getoption("time_limit") is not None:
            check_seconds(config.getoption("time_limit"))
        folders = libraries(asked(config))
        chosen_claims(config)
        _check_readings(config.getoption("reading") or (), folders)
        if config.getoption("verdicts"):
            made_folder(pathlib.Path(config.getoption("verdicts")).parent)
        if config.getoption("report"):
            made_folder(pathlib.Path(config.getoption("report")))
    except PbverifyError as error:
        raise pytest.UsageError(str(error)) from error


def chosen_claims(config: pytest.Config) -> set[str]:
    """The claims that --claim names, by id, label or what ids begin with; none if it is absent."""
    folders, names = libraries(asked(config)), config.getoption("claim") or ()
    if not names or not folders:
        return set(names)
    register = Register.union([Register.load(folder / REGISTER) for folder in folders])
    return {id for name in names for id in register.named(name)}


def files_to_judge(config: pytest.Config) -> set[pathlib.Path] | None:
    """The lemma files that rest on what changed since the last full run; None if it is unknown."""
    found = [changed_since(folder) for folder in libraries(asked(config))]
    return {file for each in found if each for file in each.files} if all(found) else None


def change_lines(config: pytest.Config) -> Iterator[str]:
    """What --changed leaves to be judged, and why."""
    for folder in libraries(asked(config)):
        found = changed_since(folder)
        yield from [NO_RECORD] if found is None else found.lines(total=len(lemma_files(folder)))


def _check_readings(readings: Iterable[str], folders: Sequence[pathlib.Path]) -> None:
    known = {name for each in folders for name in Register.load(each / REGISTER).paper.readings}
    for reading in readings:
        if known and reading not in known:
            raise InputError(f"one of {', '.join(sorted(known))}", "reading", reading)


def closing_lines(
    config: pytest.Config, verdicts: Sequence[Verdict], *, has_summary: bool
) -> Iterator[str]:
    """The summary by statement, and what changed since the last full session."""
    folders = libraries(asked(config))
    if has_summary and folders:
        yield from overview(register_beside(folders), verdicts)
    if len(folders) == 1:
        yield from changed_lines(session_file(folders[0]), verdicts)


def changed_lines(last: pathlib.Path, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """What changed since the session that a file holds; nothing if it cannot be read."""
    if not last.is_file():
        return
    try:
        before = load_verdicts(last)
    except PbverifyError:
        return
    found = changes(before.verdicts, verdicts)
    if found:
        yield f"changed since the last full session (profile {before.profile}):"
    else:
        yield "no outcome or grade of evidence changed since the last full session"
    yield from (f"  {line}" for line in found)


def keep_session(
    config: pytest.Config, verdicts: Sequence[Verdict], *, profile: str
) -> Iterator[str]:
    """Write what was asked for, and say where it is."""
    target, pages = config.getoption("verdicts"), config.getoption("report")
    if target:
        paper = register_beside(asked(config)).paper
        save_verdicts(target, verdicts, profile=profile, paper_sha256=paper.sha256)
        yield f"verdicts: {target}"
    elif verdicts and keep_full_session(config, verdicts, profile=profile):
        yield "verdicts: kept; `pbverify show NAME` tells more"
    if pages:
        report_session(config, verdicts, profile=profile)
        yield f"report: {pathlib.Path(pages) / 'index.html'}"
    elif verdicts and not target:
        yield "report: `pbverify report -o pages` writes it"


def keep_full_session(config: pytest.Config, verdicts: Sequence[Verdict], *, profile: str) -> bool:
    """Save the verdicts where `show` and `report` look, if every known claim has its own."""
    folders = libraries(asked(config))
    register = register_beside(folders)
    known = {(row.id, reading) for row in register.rows.values() for reading in row.expected}
    if len(folders) != 1 or not known <= {(each.claim, each.reading) for each in verdicts}:
        return False
    if config.getoption("changed") and files_to_judge(config) is not None:
        return False
    save_session(
        session_file(folders[0]),
        verdicts,
        profile=profile,
        root=config.rootpath,
        paper=register.paper,
    )
    keep_sources(folders[0])
    return True


def report_session(config: pytest.Config, verdicts: Sequence[Verdict], *, profile: str) -> None:
    """Write the pages, with the registers of the folders that were run."""
    write_report(
        pathlib.Path(config.getoption("report")),
        verdicts,
        profile=profile,
        register=register_beside(asked(config)),
        folders=[config.rootpath],
        notes=notes_beside(asked(config)),
    )


def save_session(
    target: pathlib.Path,
    verdicts: Iterable[Verdict],
    *,
    profile: str,
    root: pathlib.Path,
    paper: Paper = NO_PAPER,
) -> None:
    """Write verdicts, with witness files named relative to the file's folder, not to `root`."""
    folder = real_path(made_folder(target.parent))

    def moved(name: str) -> str:
        return os.path.relpath(root / name, folder)

    rows = [each.with_files(moved) for each in verdicts]
    save_verdicts(target, rows, profile=profile, paper_sha256=paper.sha256)
