"""The record of a run: one column per quantity, one entry per round, and its stages and phases.

Columns are arrays of length T: integers, booleans, and for the real quantities doubles or, after a
rigorous run, objects (fmpq or arb). `sigma` has no value in a hard-restart round: NaN among
doubles, None among objects, null in a file.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pbverify.bandits.instance import Instance
from pbverify.bandits.mirror_maps import Vector
from pbverify.files.documents import Path, write_json
from pbverify.numerics import BallArithmetic
from pbverify.paper.algorithm.banker import Step
from pbverify.paper.algorithm.prudent_banker import Round
from pbverify.paper.algorithm.readings import Reading

FORMAT = "pbverify/trace-1"

INTEGERS = ("stage", "phase", "delay_estimate", "start", "action")
REALS = ("alpha", "sigma", "borrowed", "gap")
FLAGS = ("hard_restart", "soft_restart")
COLUMNS = (
    *("stage", "phase", "delay_estimate", "alpha", "start", "sigma", "borrowed", "gap"),
    *("action", "hard_restart", "soft_restart"),
)

Ending = Literal["soft restart", "hard restart", "horizon"]
Column = npt.NDArray[Any]


@dataclasses.dataclass(frozen=True, slots=True)
class Phase:
    """Rounds first..last that share one Banker instance; `number` counts within the stage."""

    stage: int
    number: int
    first: int
    last: int
    ended: Ending


@dataclasses.dataclass(frozen=True, slots=True)
class StageSpan:
    """A stage, the hard-restart round that opened it (None for the first), and its phases."""

    number: int
    opened: int | None
    phases: tuple[Phase, ...]


MOST_SHOWN = 20
"""Phases that a notebook shows."""


@dataclasses.dataclass(frozen=True)
class Trace:
    """A run of a reading on an instance."""

    reading: Reading
    instance: Instance
    columns: dict[str, Column]
    base: Sequence[Vector] | Column | None
    played: Sequence[Vector] | Column | None
    engine: str
    precision: int | None = None
    """Bits of a rigorous run."""
    steps: Sequence[Step | None] | None = None
    """How the Banker paid for each round; reference runs only."""

    def __getitem__(self, column: str) -> Column:
        return self.columns[column]

    @property
    def rounds(self) -> int:
        return len(self.columns["stage"])

    @functools.cached_property
    def phases(self) -> tuple[Phase, ...]:
        """Every phase with at least one round; a hard-restart round belongs to none."""
        found: list[Phase] = []
        first = 1
        for last, ended, following in self._endings():
            if last >= first:
                stage, number = int(self["stage"][first - 1]), int(self["phase"][first - 1])
                found.append(Phase(stage, number, first, last, ended))
            first = following
        return tuple(found)

    @functools.cached_property
    def stages(self) -> tuple[StageSpan, ...]:
        """Every stage, also one that hard restarts left without a round."""
        opened: dict[int, int | None] = {1: None}
        for t in np.flatnonzero(self["hard_restart"]) + 1:
            opened[int(self["stage"][t - 1])] = int(t)
        spans = []
        for number, first in opened.items():
            phases = tuple(phase for phase in self.phases if phase.stage == number)
            spans.append(StageSpan(number, first, phases))
        return tuple(spans)

    def alpha_of(self, phase: Phase) -> float:
        """The aggression of a phase, as a double."""
        return as_float(self["alpha"][phase.first - 1])

    def _repr_html_(self) -> str:
        head = f"T = {self.rounds}, A = {self.instance.arms}, engine {self.engine}"
        names = ("stage", "phase", "rounds", "delay estimate", "alpha", "ended by")
        cells = [
            (
                *(p.stage, p.number, f"{p.first}-{p.last}", self["delay_estimate"][p.first - 1]),
                *(f"{self.alpha_of(p):.4g}", p.ended),
            )
            for p in self.phases[:MOST_SHOWN]
        ]
        rows = [f"<tr><th>{'</th><th>'.join(names)}</th></tr>"]
        rows += [f"<tr><td>{'</td><td>'.join(map(str, row))}</td></tr>" for row in cells]
        more = len(self.phases) - len(cells)
        rest = f"<p>and {more} more phases</p>" if more else ""
        return f"<p>{head}</p><table>{''.join(rows)}</table>{rest}"

    def without_iterates(self) -> Trace:
        """The scalar columns alone."""
        return dataclasses.replace(self, base=None, played=None)

    def save(self, path: Path) -> None:
        write_json(path, self.to_json())

    def to_json(self) -> dict[str, object]:
        """Real columns as doubles, also after a rigorous run."""
        return {
            "format": FORMAT,
            "engine": self.engine,
            "precision": self.precision,
            "reading": self.reading.to_json(),
            "instance": self.instance.to_json(),
            "rounds": {name: self.column_to_json(name) for name in COLUMNS},
            "base": rows_to_json(self.base),
            "played": rows_to_json(self.played),
        }

    def _endings(self) -> Iterator[tuple[int, Ending, int]]:
        """The last round of each phase, how it ends, and where the next one may start."""
        hard = self["hard_restart"]
        for t in (np.flatnonzero(hard | self["soft_restart"]) + 1).tolist():
            yield (t - 1, "hard restart", t + 1) if hard[t - 1] else (t, "soft restart", t + 1)
        yield self.rounds, "horizon", self.rounds + 1

    def column_to_json(self, name: str) -> list[Any]:
        """A column of round by round values, real ones as doubles."""
        values = self.columns[name].tolist()
        if name not in REALS:
            return list(values)
        hard = self.columns["hard_restart"] if name == "sigma" else np.zeros(self.rounds, bool)
        return [None if h else as_float(v) for v, h in zip(values, hard, strict=True)]


def trace_of(
    rows: Sequence[Round], *, reading: Reading, instance: Instance, precision: int | None
) -> Trace:
    """The trace made of a reference run's rows."""
    found = dict(zip(Round._fields, zip(*rows, strict=True), strict=True))
    columns = {name: np.array(found[name], bool) for name in FLAGS}
    columns |= {name: _integers(found[name]) for name in INTEGERS}
    for name in REALS:
        values = found[name]
        columns[name] = _objects(values) if precision else np.array(values, dtype=np.float64)
    return Trace(
        reading=reading,
        instance=instance,
        columns=columns,
        base=found["base"],
        played=found["played"],
        engine="rigorous" if precision else "reference",
        precision=precision,
        steps=found["step"],
    )


def _integers(values: Sequence[int]) -> Column:
    """64-bit integers where they fit, else Python's own; numpy would turn to doubles."""
    return np.array(values, dtype=np.int64) if max(values) < 2**63 else _objects(values)


def _objects(values: Sequence[object]) -> Column:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def as_float(value: Any) -> float:
    """A number of any engine as a double."""
    return float(value) if isinstance(value, float | Fraction) else BallArithmetic().to_float(value)


def rows_to_json(rows: Sequence[Vector] | Column | None) -> list[list[float]] | None:
    """Laws as doubles, or nothing."""
    if rows is None:
        return None
    if isinstance(rows, np.ndarray):
        return list(rows.tolist())
    return [[as_float(x) for x in row] for row in rows]
