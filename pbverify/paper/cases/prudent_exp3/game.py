r"""All paths of a small game of Prudent-EXP3 with their probabilities, in exact numbers.

A constant budget in the place of R_s makes phases exit within a few rounds; what is enumerated with
it holds whatever the budget is.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from pbverify.bandits.instance import Instance
from pbverify.bandits.simulate import Tree, at_rising_precision
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, Number, Truth, equal, to_fmpq, working_precision
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.algorithm.exp3_stages import Exp3Settings, Exp3Stage, stage
from pbverify.paper.algorithm.prudent_exp3 import Exp3Round, PrudentExp3, learner_of, rounds
from pbverify.paper.cases.prudent_exp3.outline import Exp3Outline

PRECISION = 128


@dataclasses.dataclass(frozen=True)
class Exp3Paths:
    """Every action sequence with its probability and rounds; `cut` bounds what was left out."""

    paths: tuple[Path, ...]
    cut: Number
    precision: int

    def expectation(self, value: Callable[[Path], Number]) -> Number:
        """The sum over all paths of probability times value; unknown if any branch was cut."""
        with working_precision(self.precision):
            if equal(self.cut, 0) is not Truth.YES:
                return arb.nan()
            return sum((path.probability * value(path) for path in self.paths), fmpq(0))


@dataclasses.dataclass(frozen=True)
class PathPhase:
    """A phase along one path: its rounds (1-based), and what they recorded."""

    rows: tuple[tuple[int, Any], ...]

    @property
    def first(self) -> Exp3Round:
        found: Exp3Round = self.rows[0][1]
        return found

    @property
    def last(self) -> Exp3Round:
        found: Exp3Round = self.rows[-1][1]
        return found

    @property
    def end(self) -> int:
        return self.rows[-1][0]


def phases(path: Path) -> list[PathPhase]:
    """The phases along a path, in order."""
    rows: Iterator[tuple[int, Any]] = enumerate(path.rows, start=1)
    groups = itertools.groupby(rows, key=lambda item: item[1].start)
    return [PathPhase(tuple(group)) for _, group in groups]


@dataclasses.dataclass(frozen=True)
class Exp3Game(Record):
    """An instance, and what the learner is told."""

    instance: Instance
    learner: Exp3Settings

    @property
    def rounds(self) -> int:
        """T."""
        return self.instance.rounds

    @functools.cached_property
    def delays(self) -> list[int]:
        return self.instance.delays.to_json()

    @functools.cached_property
    def paths(self) -> Exp3Paths:
        def attempt(arithmetic: BallArithmetic) -> Exp3Paths:
            tree: Tree[PrudentExp3, Any] = Tree(arithmetic, self.instance, lambda it, law: it.row)
            root = learner_of(arithmetic, self.learner, self.instance)
            paths = tuple(Path(*path) for path in tree.paths(root))
            return Exp3Paths(paths, tree.cut, arithmetic.precision)

        return at_rising_precision(attempt, first=PRECISION)

    def stage(self, number: int) -> Exp3Stage:
        """Rate, budget and number of phases of stage s."""
        return self._stages[number - 1]

    @functools.cached_property
    def _stages(self) -> list[Exp3Stage]:
        last = max(row.stage for path in self.paths.paths for row in path.rows)
        sizes: dict[str, Any] = {"arms": self.instance.arms, "delta": self.instance.delta}
        with working_precision(PRECISION) as balls:
            return [stage(balls, self.learner, s, **sizes) for s in range(1, last + 1)]

    def outline(self, path: Path) -> Exp3Outline:
        """Delays and exits of a path."""
        exits = tuple(phase.end for phase in phases(path) if phase.last.soft_restart)
        sizes = self.instance.arms, self.instance.delta
        return Exp3Outline(self.instance.delays, exits, *sizes, self.learner)

    @property
    def rate(self) -> Number:
        """32 K_S sqrt(ln A (T/delta + 2 D)) with the last stage S that any path can reach."""
        return self._whole.regret_bound(self._whole.most_stages)

    @property
    def has_rate(self) -> bool:
        """Whether N_0 <= 2 (T + 2 delta D); a longer first stage costs more than the rate."""
        return self._whole.has_rate

    @property
    def _whole(self) -> Exp3Outline:
        return self.outline(self.paths.paths[0])

    def loss(self, t: int, arm: int) -> fmpq:
        return to_fmpq(self.instance.losses.exact(t - 1, arm))

    def expected_loss(self, t: int, law: Sequence[Number]) -> Number:
        """<l_t, law>."""
        return sum((self.loss(t, arm) * x for arm, x in enumerate(law)), fmpq(0))

    def comparator(self) -> list[fmpq]:
        return [to_fmpq(x) for x in self.instance.comparator]

    def regret(self, to: Sequence[Number]) -> Number:
        """E[sum_t <l_t, x_t - to>]."""

        def along(path: Path) -> Number:
            gaps = (
                self.expected_loss(t, [x - y for x, y in zip(row.played, to, strict=True)])
                for t, row in enumerate(path.rows, start=1)
            )
            return sum(gaps, fmpq(0))

        return self.paths.expectation(along)

    def estimate(self, t: int, row: Any) -> Number:
        """The entry of the estimate l^_t at its action."""
        return self.loss(t, row.action) / row.played[row.action]

    def is_missing(self, u: int, *, at: int) -> bool:
        """Whether the feedback of round u has not arrived by the end of round `at`."""
        return u + self.delays[u - 1] > at

    def missing(self, phase: PathPhase, *, at: int) -> list[tuple[int, Any]]:
        """The phase's rounds up to `at` whose feedback has not arrived by its end."""
        return [(u, row) for u, row in phase.rows if u <= at and self.is_missing(u, at=at)]

    def best_response(self, phase: PathPhase) -> int:
        """The arm of least estimated loss on what has arrived by the end of the phase."""
        late = {u for u, _ in self.missing(phase, at=phase.end)}
        sums: list[Number] = [fmpq(0)] * self.instance.arms
        for u, row in phase.rows:
            if u not in late:
                sums[row.action] = sums[row.action] + self.estimate(u, row)
        return min(range(len(sums)), key=lambda arm: BallArithmetic().to_float(sums[arm]))


class FollowedGame(Exp3Game):
    """The one path of the instance's own actions, for games too long to enumerate."""

    @functools.cached_property
    def paths(self) -> Exp3Paths:
        def attempt(arithmetic: BallArithmetic) -> Exp3Paths:
            rows: tuple[Any, ...] = tuple(rounds(arithmetic, self.learner, self.instance))
            chance = math.prod((row.played[row.action] for row in rows), start=fmpq(1))
            path = Path(tuple(row.action for row in rows), chance, rows)
            return Exp3Paths((path,), fmpq(0), arithmetic.precision)

        return at_rising_precision(attempt, first=PRECISION)


def every_table(rounds: int, learner: Exp3Settings, safe: Sequence[Fraction]) -> Iterator[Exp3Game]:
    """All 0/1 losses of two arms and all delays d_t <= T - t + 1: 4^T (T + 1)! games."""
    late = [range(rounds - t + 2) for t in range(1, rounds + 1)]
    for losses in itertools.product(itertools.product((0, 1), repeat=2), repeat=rounds):
        for delays in itertools.product(*late):
            yield Exp3Game(
                Instance.build(losses=losses, delays=delays, comparator=safe, seed=0), learner
            )
