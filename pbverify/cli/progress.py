"""Progress on standard error for long work; silent unless somebody is watching a terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import Progress


@contextlib.contextmanager
def progress_bar(
    description: str, *, total: int, quiet: bool, every: int = 256
) -> Iterator[Callable[[int], None]]:
    """A function that takes how much of the total is done, and shows multiples of `every`."""
    console = Console(stderr=True)
    is_shown = console.is_terminal and not quiet
    with Progress(console=console, disable=not is_shown, transient=True) as progress:
        task = progress.add_task(description, total=total)

        def report(done: int) -> None:
            if done % every == 0:
                progress.update(task, completed=done)

        yield report


@contextlib.contextmanager
def spinner(description: str, *, quiet: bool = False) -> Iterator[None]:
    """A sign of life for work whose length is unknown."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield
        return
    with console.status(description):
        yield
