"""A run in doubles in the shape of a rigorous one: what steers a search, and never decides.

Columns and iterates come from the compiled kernel and are handed out as exact images of their
doubles, when asked for. The Banker's steps, which the kernel does not keep, are computed rigorously
once a claim wants them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt
from flint import arb

from pbverify.bandits.instance import Instance
from pbverify.paper.algorithm.banker import Step
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.trace import REALS, Trace
from pbverify.paper.cases.run import Run
from pbverify.paper.kernels import run_compiled


class FloatRun(Run):
    """A run whose numbers are doubles; what it violates is a candidate."""

    @property
    def has_steps(self) -> bool:
        """Whether somebody asked for the Banker's steps."""
        return isinstance(self.trace.steps, _Steps) and self.trace.steps.is_computed


def float_run(instance: Instance, reading: Reading) -> FloatRun:
    """The compiled run of an instance, with its actions fixed."""
    trace = run_compiled(instance, reading)
    fixed = instance.with_actions(trace["action"])
    return FloatRun(
        Trace(
            reading=reading,
            instance=fixed,
            columns=_Columns(trace.columns),
            base=_Rows(np.asarray(trace.base)),
            played=_Rows(np.asarray(trace.played)),
            engine=trace.engine,
            steps=_Steps(fixed, reading),
        )
    )


class _Columns(dict[str, Any]):
    """Columns by name; real ones become objects when they are first asked for."""

    def __init__(self, columns: dict[str, npt.NDArray[Any]]) -> None:
        dict.__init__(self, {name: c for name, c in columns.items() if name not in REALS})
        self._columns = columns

    def __missing__(self, name: str) -> npt.NDArray[Any]:
        values = self._columns[name]
        images = {value: arb(value) for value in np.unique(values).tolist()}
        column = np.array([images.get(value) for value in values.tolist()], dtype=object)
        self[name] = column
        return column


class _Rows(Sequence[list[arb]]):
    """Rows of doubles as rows of enclosures."""

    def __init__(self, rows: npt.NDArray[np.float64]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> list[arb]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[list[arb]]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return _Rows(self._rows[index])
        return [arb(value) for value in self._rows[index].tolist()]


class _Steps(Sequence[Step | None]):
    """The Banker's steps of the rigorous run, computed on demand."""

    def __init__(self, instance: Instance, reading: Reading) -> None:
        self._instance = instance
        self._reading = reading
        self._steps: Sequence[Step | None] | None = None

    @property
    def is_computed(self) -> bool:
        return self._steps is not None

    def _computed(self) -> Sequence[Step | None]:
        if self._steps is None:
            self._steps = Run.of(self._instance, self._reading).trace.steps or ()
        return self._steps

    def __len__(self) -> int:
        return self._instance.rounds

    @overload
    def __getitem__(self, index: int) -> Step | None: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Step | None]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self._computed()[index]

    def __iter__(self) -> Iterator[Step | None]:
        return iter(self._computed())
