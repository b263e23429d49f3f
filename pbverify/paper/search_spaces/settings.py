r"""The settings of a run that a search has to reach, because many claims say little without them.

Every setting is counted twice: in all runs, and in those under the reading's own budget R^. With a
constant budget restarts come within a few rounds; with the paper's, a soft restart needs hundreds
and alpha = 1 thousands, tens of thousands if actions are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.algorithm.trace import Phase, Trace
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.sample import Sample
from pbverify.paper.kernels import run_compiled
from pbverify.search.space import Settings


def _soft(trace: Trace) -> bool:
    return bool(trace["soft_restart"].any())


def _hard(trace: Trace) -> bool:
    return bool(trace["hard_restart"].any())


def _restarts(trace: Trace) -> Iterator[tuple[int, int]]:
    """Start and end of every phase that a restart ends; a hard one after the last mixture."""
    for phase in trace.phases:
        if phase.ended != "horizon":
            yield phase.first, phase.last + (phase.ended == "hard restart")


def _is_quiet(trace: Trace, phase: Phase) -> bool:
    return not trace.instance.delays.values[phase.first - 1 : phase.last].any()


def _outstanding_at_restart(trace: Trace) -> bool:
    delays = trace.instance.delays.values
    return any(
        bool((np.arange(start, end + 1) + delays[start - 1 : end] > end).any())
        for start, end in _restarts(trace)
    )


def _after_horizon(trace: Trace) -> bool:
    T = trace.rounds
    return bool((np.arange(1, T + 1) + trace.instance.delays.values > T).any())


CONDITIONS: dict[str, Callable[[Trace], bool]] = {
    "soft restart": _soft,
    "hard restart": _hard,
    "soft and hard restart in one run": lambda trace: _soft(trace) and _hard(trace),
    "alpha in (1/2, 1)": lambda trace: any(
        0.5 < trace.alpha_of(phase) < 1 for phase in trace.phases
    ),
    "alpha = 1": lambda trace: any(trace.alpha_of(phase) == 1 for phase in trace.phases),
    "late stage without local delay": lambda trace: any(
        phase.stage > 1 and _is_quiet(trace, phase) for phase in trace.phases
    ),
    "feedback outstanding at a restart": _outstanding_at_restart,
    "restart in the first round": lambda trace: bool(
        trace["soft_restart"][0] or trace["hard_restart"][0]
    ),
    "restart in the last round": lambda trace: bool(
        trace["soft_restart"][-1] or trace["hard_restart"][-1]
    ),
    "feedback due after the horizon": _after_horizon,
}


def impossible(reading: Reading) -> tuple[str, ...]:
    """What no run of a reading reaches: with R^ a power of two, so is every alpha."""
    return ("alpha in (1/2, 1)",) if reading.rounding == "power-of-two" else ()


def settings_of(case: Any) -> list[str]:
    """The settings of a run, or of the first run of a sample; other cases have none."""
    trace = _trace_of(case)
    if trace is None:
        return []
    reached = [name for name, holds in CONDITIONS.items() if holds(trace)]
    is_own = isinstance(trace.reading.budget, str)
    return [*reached, *(RUN_SETTINGS.with_condition(name) for name in reached if is_own)]


def _trace_of(case: Any) -> Trace | None:
    if isinstance(case, Run):
        return case.trace
    if isinstance(case, Sample):
        return run_compiled(case.instance, case.reading, iterates=False)
    return None


def nearness(trace: Trace) -> float:
    """How far a run has come towards soft restarts and large alpha; more is nearer."""
    soft = int(trace["soft_restart"].sum())
    gap = max(0.0, float(trace["gap"][-1])) / trace.rounds
    return soft + max(map(trace.alpha_of, trace.phases), default=0.0) + min(gap, 1.0) / 10


def reading_named(name: str) -> Reading:
    """A preset; `any` stands for the default one, which the claim then does not look at."""
    return preset("appendix" if name == "any" else name)


RUN_SETTINGS = Settings(
    title="regime of runs",
    names=tuple(CONDITIONS),
    under="own budget",
    reached=settings_of,
    nearness=lambda run: nearness(run.trace),
    impossible=lambda reading: impossible(reading_named(reading)),
)
