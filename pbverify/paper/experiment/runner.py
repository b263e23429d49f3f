"""Cells computed in parallel, a seed at a time, and gathered.

Every cell is stored as soon as it is done; a run that was interrupted goes on where it stopped.
What comes out does not depend on how many processes took part.
"""

from __future__ import annotations

import concurrent.futures
import functools
import multiprocessing
import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from pbverify.paper.experiment import store
from pbverify.paper.experiment.cells import Cell, Measured, measure

Results = Mapping[Cell, Measured]
_POLL = 0.3


def results(
    cells: Sequence[Cell], folder: pathlib.Path, *, jobs: int, report: Callable[[int], None]
) -> Results:
    """Every cell, from the folder or computed now; `report` is told how many there are."""
    found = {cell: store.load(folder, cell) for cell in cells}
    missing = [cell for cell, measured in found.items() if measured is None]
    report(len(cells) - len(missing))
    _compute(missing, folder, jobs=jobs, report=lambda n: report(len(cells) - len(missing) + n))
    for cell in missing:
        found[cell] = store.load(folder, cell)
    return {cell: measured for cell, measured in found.items() if measured is not None}


def _compute(
    cells: Sequence[Cell], folder: pathlib.Path, *, jobs: int, report: Callable[[int], None]
) -> None:
    groups: dict[object, list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.settings, cell.seed), []).append(cell)
    work = functools.partial(_keep, folder=folder)
    if jobs == 1 or len(groups) < 2:
        done = 0
        for group in groups.values():
            for count, _ in enumerate(work(group), start=1):
                report(done + count)
            done += len(group)
        return
    _spread(list(groups.values()), folder, jobs=jobs, report=report)


def _spread(
    groups: Sequence[Sequence[Cell]],
    folder: pathlib.Path,
    *,
    jobs: int,
    report: Callable[[int], None],
) -> None:
    paths = [folder / cell.path for group in groups for cell in group]
    for path in paths:
        path.unlink(missing_ok=True)  # a stale cell would be counted as done
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(min(jobs, len(groups)), spawn) as pool:
        waiting = {pool.submit(_keep_all, group, folder) for group in groups}
        try:
            while waiting:
                done, waiting = concurrent.futures.wait(waiting, timeout=_POLL)
                for future in done:
                    future.result()
                report(sum(path.is_file() for path in paths))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _keep_all(cells: Sequence[Cell], folder: pathlib.Path) -> None:
    for _ in _keep(cells, folder=folder):
        pass


def _keep(cells: Iterable[Cell], *, folder: pathlib.Path) -> Iterable[Cell]:
    for cell, measured in measure(cells):
        store.save(folder, cell, measured)
        yield cell
