r"""One cell of the experiment: a learner on the instance of a seed and a regime.

    regret to the best arm       R*_B(t) = L_B(t) - L_*(t),   L_B(t) = sum over s <= t of <p_s, l_s>
    advantage over comparator    L_B(t) - L_c(t)              (negative: less loss than x^c)
    aggression                   alpha_t                      (the learners that have one)

A cell keeps these on a grid of rounds, and figures that every round went into.
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pbverify.bandits.instance import Instance
from pbverify.errors import PbverifyError
from pbverify.files.documents import (
    PROVENANCE,
    dumps,
    made_folder,
    parse_json,
    read_json,
    write_json,
)
from pbverify.paper.experiment.environment import Settings, instances
from pbverify.paper.experiment.learners import Contender
from pbverify.paper.kernels.baselines import RISK, Course, comparator, default_arm, default_reward

GRID = 500
"""Rounds at which curves are kept, the last one among them."""

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Cell:
    """What is to be run."""

    settings: Settings
    seed: int
    regime: str
    contender: Contender

    @property
    def path(self) -> str:
        """Where a store keeps it."""
        return f"seed-{self.seed}/{self.regime}/{self.contender.key}.json"

    def to_json(self) -> dict[str, object]:
        return {
            "settings": self.settings.to_json(),
            "seed": self.seed,
            "regime": self.regime,
            "contender": self.contender.to_json(),
        }


@dataclasses.dataclass(frozen=True)
class Measured:
    """What came out: figures of the whole run, and curves on the grid (alpha may be missing)."""

    figures: dict[str, float]
    curves: dict[str, tuple[float, ...]]


def measure(cells: Iterable[Cell]) -> Iterator[tuple[Cell, Measured]]:
    """Run cells of one settings and seed; the loss table is drawn once."""
    wanted = list(cells)
    if not wanted:
        return
    regimes = list(dict.fromkeys(cell.regime for cell in wanted))
    yardstick = None
    for regime, instance in instances(wanted[0].settings, wanted[0].seed, regimes):
        yardstick = yardstick or Yardstick.of(instance)
        for cell in wanted:
            if cell.regime == regime:
                course = cell.contender.course(instance)
                yield cell, measured(course, yardstick, total_delay=instance.delays.total)


@dataclasses.dataclass(frozen=True)
class Yardstick:
    """What learners of a seed are held against, whatever the delays."""

    best_arm: int
    best: Floats
    """l_{t,i*}."""
    safe: Floats
    """<x^c, l_t>."""
    reward: float
    """r_0."""

    @staticmethod
    def of(instance: Instance) -> Yardstick:
        arm = default_arm(instance)
        best = np.ascontiguousarray(instance.losses.floats[:, arm])
        return Yardstick(arm, best, comparator(instance).pseudo_loss, default_reward(instance))


def measured(course: Course, yardstick: Yardstick, *, total_delay: int) -> Measured:
    """Figures and curves of a run."""
    T = yardstick.best.size
    regret = np.cumsum(course.pseudo_loss - yardstick.best)
    over = np.cumsum(course.pseudo_loss - yardstick.safe)
    at = grid(T)
    curves = {"round": at + 1, "regret": regret[at], "over_comparator": over[at]}
    if course.columns is not None:
        curves["alpha"] = course.columns.alpha[at]
    figures = {
        "total_delay": total_delay,
        "best_arm": yardstick.best_arm,
        "regret": regret[-1],
        "regret_at_half": regret[T // 2 - 1],
        "over_comparator": over[-1],
        "most_over_comparator": over.max(),
        "least_over_comparator": over.min(),
        "share_below_comparator": np.mean(over < 0),
        **_safety(course, yardstick.reward),
        **_aggression(course),
    }
    return Measured(
        {name: float(value) for name, value in figures.items()},
        {name: tuple(map(float, values)) for name, values in curves.items()},
    )


def grid(T: int) -> npt.NDArray[np.int64]:
    """The 0-based rounds at which curves are kept."""
    return np.unique(np.linspace(0, T - 1, min(T, GRID)).round().astype(np.int64))


def _safety(course: Course, reward: float) -> dict[str, float]:
    """How a learner stands to the budget (1 - alpha_safe) r_0 t, in rewards that it really had."""
    floor = (1 - float(RISK)) * reward
    ahead = np.cumsum(1.0 - course.pseudo_loss - floor)
    shares = {"share_short_of_budget": float(np.mean(ahead < 0)), "least_ahead": ahead.min()}
    if course.explored is not None:
        shares["share_exploring"] = float(np.mean(course.explored))
    return shares


def _aggression(course: Course) -> dict[str, float]:
    columns = course.columns
    if columns is None:
        return {}
    alpha, at_one = columns.alpha, np.flatnonzero(columns.alpha == 1.0)
    return {
        "alpha_most": alpha.max(),
        "alpha_last": alpha[-1],
        "alpha_cycles": cycles(alpha),
        "alpha_falls": float(np.any(np.diff(alpha) < 0)),
        "share_at_one": at_one.size / alpha.size,
        "soft_restarts": columns.soft_restart.sum(),
        "hard_restarts": columns.stage[-1] - 1,
        "most_gap": columns.gap.max(),
    }


def cycles(alpha: Floats) -> int:
    """How often alpha falls after it had risen since its last fall."""
    moves = np.sign(np.diff(alpha))
    moves = moves[moves != 0]
    return int(np.sum((moves[1:] < 0) & (moves[:-1] > 0)))


FORMAT = "pbverify/cell-1"


def save(folder: pathlib.Path, cell: Cell, measured: Measured) -> None:
    """Keep a cell."""
    path = folder / cell.path
    made_folder(path.parent)
    write_json(
        path,
        {
            "format": FORMAT,
            "cell": cell.to_json(),
            "figures": measured.figures,
            "curves": {name: list(values) for name, values in measured.curves.items()},
        },
    )


def load(folder: pathlib.Path, cell: Cell) -> Measured | None:
    """A kept cell, or None if it must be computed."""
    try:
        document = read_json(folder / cell.path)
        return _measured(document, cell)
    except (PbverifyError, LookupError, TypeError, ValueError, AttributeError):
        return None


def _measured(document: Any, cell: Cell) -> Measured | None:
    asked = parse_json(dumps(cell.to_json()).encode(), source=cell.path)
    head = {"format": FORMAT, **PROVENANCE, "cell": asked}
    if {name: document[name] for name in head} != head:
        return None
    return Measured(
        {name: float(text) for name, text in document["figures"].items()},
        {name: tuple(map(float, texts)) for name, texts in document["curves"].items()},
    )
