"""The record of a run of Prudent-EXP3: one column per quantity, one entry per round.

Columns are arrays of length T: integers, booleans, and for the real quantities doubles or, after a
rigorous run, objects (Fraction, fmpq or arb). The last phase ends at the horizon; any other phase
that did not end softly was ended by the clock of its stage.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Literal

import numpy as np

from pbverify.bandits.instance import Instance
from pbverify.bandits.mirror_maps import Vector
from pbverify.bandits.simulate import at_rising_precision
from pbverify.files.documents import Path, write_json
from pbverify.numerics import (
    FIRST_PRECISION,
    Arithmetic,
    BallArithmetic,
    FloatArithmetic,
)
from pbverify.paper.algorithm.exp3_stages import Exp3Settings
from pbverify.paper.algorithm.prudent_exp3 import Exp3Round, rounds
from pbverify.paper.algorithm.trace import Column, as_float, rows_to_json

FORMAT = "pbverify/learner-trace-1"

INTEGERS = ("stage", "phase", "start", "missing", "action")
REALS = ("alpha", "clock", "gap")
COLUMNS = (
    *("stage", "phase", "alpha", "start", "clock", "missing", "gap"),
    "action",
    "soft_restart",
)

Ending = Literal["soft restart", "clock", "horizon"]


@dataclasses.dataclass(frozen=True, slots=True)
class Exp3Phase:
    """Rounds first..last of a phase; `number` counts within the stage."""

    stage: int
    number: int
    first: int
    last: int
    ended: Ending

    @property
    def rounds(self) -> range:
        return range(self.first, self.last + 1)


@dataclasses.dataclass(frozen=True)
class Exp3Trace:
    """A run of Prudent-EXP3 on an instance."""

    settings: Exp3Settings
    instance: Instance
    columns: dict[str, Column]
    base: Sequence[Vector] | Column | None
    played: Sequence[Vector] | Column | None
    engine: str
    precision: int | None = None
    """Bits of a rigorous run."""

    def __getitem__(self, column: str) -> Column:
        return self.columns[column]

    @property
    def rounds(self) -> int:
        return len(self.columns["stage"])

    @functools.cached_property
    def phases(self) -> tuple[Exp3Phase, ...]:
        """Every phase, in order; each round is in one of them."""
        starts = np.unique(self["start"]).tolist()
        ends = [*(start - 1 for start in starts[1:]), self.rounds]
        return tuple(self._phase(*span) for span in zip(starts, ends, strict=True))

    def _phase(self, first: int, last: int) -> Exp3Phase:
        ended: Ending = "horizon" if last == self.rounds else "clock"
        if self["soft_restart"][last - 1]:
            ended = "soft restart"
        at = first - 1
        return Exp3Phase(int(self["stage"][at]), int(self["phase"][at]), first, last, ended)

    def without_iterates(self) -> Exp3Trace:
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
            "learner": self.settings.to_json(),
            "instance": self.instance.to_json(),
            "rounds": {name: self._column_to_json(name) for name in COLUMNS},
            "base": rows_to_json(self.base),
            "played": rows_to_json(self.played),
        }

    def _column_to_json(self, name: str) -> list[object]:
        values = self.columns[name].tolist()
        return [as_float(value) for value in values] if name in REALS else list(values)


def run(instance: Instance, settings: Exp3Settings) -> Exp3Trace:
    """Reference run in doubles, with the instance's actions or drawn from its seed."""
    return _trace(FloatArithmetic(), settings, instance, precision=None)


def run_rigorously(
    instance: Instance, settings: Exp3Settings, *, precision: int = FIRST_PRECISION
) -> Exp3Trace:
    """Reference run in enclosures, from a first precision up to the limit."""

    def attempt(arithmetic: BallArithmetic) -> Exp3Trace:
        return _trace(arithmetic, settings, instance, precision=arithmetic.precision)

    return at_rising_precision(attempt, first=precision)


def _trace(
    arithmetic: Arithmetic, settings: Exp3Settings, instance: Instance, *, precision: int | None
) -> Exp3Trace:
    rows = list(rounds(arithmetic, settings, instance))
    return Exp3Trace(
        settings=settings,
        instance=instance,
        columns={name: _column(rows, name, precision) for name in COLUMNS},
        base=[row.base for row in rows],
        played=[row.played for row in rows],
        engine="rigorous" if precision else "reference",
        precision=precision,
    )


def _column(rows: Sequence[Exp3Round], name: str, precision: int | None) -> Column:
    values = [getattr(row, name) for row in rows]
    if name in INTEGERS:
        return np.array(values, dtype=np.int64)
    if name not in REALS:
        return np.array(values, bool)
    if precision is None:
        return np.array([float(value) for value in values])
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column
