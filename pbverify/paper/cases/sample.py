r"""Many independent runs of one instance: the subject of expectation claims under long horizons.

Run i of a sample draws its actions from seed + i. For every phase (in the paper's sense, the
hard-restart round apart) a sample keeps pseudo-regrets, that is sums of <l_t, p - q> with the true
losses: by unbiasedness their expectation is that of the estimated ones. Given how a phase ends it
is not, so the regret to the comparator is kept with the estimated losses as well.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from pbverify.bandits.instance import Instance
from pbverify.files.codec import Record
from pbverify.numerics import FloatArithmetic
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.algorithm.trace import Phase, Trace
from pbverify.paper.kernels import seeded_runs

FRESH_SEED = 20_261_116
"""First seed of every sampled verdict. Instances were chosen while looking at other seeds; this one
was drawn only after they were final, so that the choice costs no error level."""

LATER_SEED = 964_225_251
"""The same for the samples of normal phases, which were chosen later: drawn when their instances
and intervals were final, and not looked at before."""

RUNS, ROUNDS = 1000, 5_000_000
"""Runs of a sample, or fewer if they would have more rounds together: an instance determines their
number, which makes a witness of an expectation replayable."""


@dataclasses.dataclass(frozen=True)
class PhaseSums:
    """What one phase of one run contributed; regrets against arm y have an entry per arm."""

    stage: int
    number: int
    length: int
    delay: int
    """d_start + ... + d_end, with the round of a hard restart that ends the phase."""
    estimate: int
    alpha: float
    ended: str
    base_to_arm: npt.NDArray[np.float64]
    played_to_arm: npt.NDArray[np.float64]
    played_to_comparator: float
    estimated_to_comparator: float
    """sum <l^_t, x_t - x^c>."""
    suffered: float
    """The losses of the played arms: the estimated regret to an arm that never loses."""


@dataclasses.dataclass(frozen=True)
class RunSums:
    """One run: its phases, and its total regret to the comparator."""

    phases: tuple[PhaseSums, ...]
    to_comparator: float


@dataclasses.dataclass(frozen=True)
class Sample(Record):
    """Runs of a reading on an instance, whose seed is the first of the sample's seeds."""

    instance: Instance
    reading: Reading

    def with_fresh_seed(self) -> Sample:
        """The same runs on the confirmation seed of this sample, which no search draws."""
        text = repr((self.instance.to_json(), self.reading.to_json()))
        seed = int.from_bytes(hashlib.sha256(f"confirm {text}".encode()).digest()[:6], "big")
        return dataclasses.replace(self, instance=dataclasses.replace(self.instance, seed=seed))

    @functools.cached_property
    def runs(self) -> tuple[RunSums, ...]:
        """The sums of every run."""
        return tuple(map(self._run, seeded_runs(self.instance, self.reading, count=self.count)))

    @property
    def count(self) -> int:
        """How many runs there are."""
        return min(RUNS, ROUNDS // self.instance.rounds)

    @functools.cached_property
    def schedule(self) -> Schedule:
        """Budgets and thresholds of the sample's reading, in doubles."""
        return Schedule.of(FloatArithmetic(), self.reading, self.instance)

    def phases(self, where: Callable[[PhaseSums], bool]) -> Iterator[PhaseSums]:
        """The first phase of each run that satisfies a condition, if it has one."""
        for run in self.runs:
            yield from [phase for phase in run.phases if where(phase)][:1]

    def _run(self, trace: Trace) -> RunSums:
        losses, actions = self.instance.losses.floats, trace["action"]
        base, law = np.asarray(trace.base), np.asarray(trace.played)
        suffered, chance = _at(losses, actions), _at(law, actions)
        played = self._expected(law)
        by_round = {
            "base": self._expected(base),
            "played": played,
            "lead": played - self.instance.comparator_losses,
            # <l^_t, x_t - x^c> = l_t(A_t) (1 - x^c(A_t)/x_t(A_t))
            "estimated": suffered * (1 - self.instance.comparator_floats[actions] / chance),
            "suffered": suffered,
        }
        return RunSums(
            phases=tuple(self._phase(trace, phase, by_round) for phase in trace.phases),
            to_comparator=float(by_round["lead"].sum()),
        )

    @functools.cached_property
    def _by_arm(self) -> npt.NDArray[np.float64]:
        """The losses of each arm, side by side: sums over rounds are fast."""
        return np.ascontiguousarray(self.instance.losses.floats.T)

    def _expected(self, laws: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """<l_t, law of round t>."""
        terms = (losses * chances for losses, chances in zip(self._by_arm, laws.T, strict=True))
        return functools.reduce(np.add, terms)

    def _phase(
        self, trace: Trace, phase: Phase, by_round: Mapping[str, npt.NDArray[np.float64]]
    ) -> PhaseSums:
        inside = slice(phase.first - 1, phase.last)
        end = phase.last + (phase.ended == "hard restart")
        to_arms = self._by_arm[:, inside].sum(axis=1)
        sums = {name: float(values[inside].sum()) for name, values in by_round.items()}
        return PhaseSums(
            stage=phase.stage,
            number=phase.number,
            length=phase.last - phase.first + 1,
            delay=int(self.instance.delays.values[phase.first - 1 : end].sum()),
            estimate=int(trace["delay_estimate"][phase.first - 1]),
            alpha=trace.alpha_of(phase),
            ended=phase.ended,
            base_to_arm=sums["base"] - to_arms,
            played_to_arm=sums["played"] - to_arms,
            played_to_comparator=sums["lead"],
            estimated_to_comparator=sums["estimated"],
            suffered=sums["suffered"],
        )


def _at(rows: npt.NDArray[np.float64], actions: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """The entries of some rounds at the arms that were played."""
    found: npt.NDArray[np.float64] = np.take(rows, np.arange(0, rows.size, rows.shape[1]) + actions)
    return found
