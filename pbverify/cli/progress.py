"""Progress on standard error for long work; silent unless a terminal or a notebook shows it."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

if TYPE_CHECKING:
    from pbverify.claims.judge import Step

WIDEST = 36
"""Characters for what is being done."""


@contextlib.contextmanager
def progress_bar(
    description: str, *, total: int, quiet: bool, every: int = 256
) -> Iterator[Callable[[int], None]]:
    """A function that takes how much of the total is done, and shows multiples of `every`."""
    with _shown(quiet=quiet) as progress:
        task = progress.add_task(description, total=total)

        def report(done: int) -> None:
            if done % every == 0:
                progress.update(task, completed=done)

        yield report


@contextlib.contextmanager
def judging(*, quiet: bool = False) -> Iterator[Callable[[Step], None]]:
    """A function that takes the steps of the judge: what is done, of how much, how long."""
    with _shown(quiet=quiet) as progress:
        task = progress.add_task("loading", total=None)

        def see(step: Step) -> None:
            doing = f"{step.doing:<{WIDEST}.{WIDEST}}" if step.doing else None
            progress.update(task, completed=step.done, total=step.total, description=doing)

        yield see


def _shown(*, quiet: bool) -> Progress:
    console = Console(stderr=True)
    is_seen = console.is_terminal or (
        console.is_jupyter and importlib.util.find_spec("ipywidgets") is not None
    )
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=16),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=quiet or not is_seen,
        transient=True,
    )


@contextlib.contextmanager
def spinner(description: str, *, quiet: bool = False) -> Iterator[None]:
    """A sign of life for work whose length is unknown."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield
        return
    with console.status(description):
        yield
