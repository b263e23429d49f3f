"""`pbverify diff`: what differs between two traces or two files of verdicts."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

from pbverify.report.differences import differences


def print_differences(
    first: Annotated[pathlib.Path, typer.Argument(metavar="A")],
    second: Annotated[pathlib.Path, typer.Argument(metavar="B")],
) -> int:
    """One line per difference; exit code 0 if there is none, 1 if there is one.

    Real columns of traces may differ by 1e-9, relative to max(1, |value|).
    """
    found = differences(first, second)
    for line in found:
        typer.echo(line)
    if not found:
        typer.echo("no difference")
    return 1 if found else 0
