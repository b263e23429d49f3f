"""The pictures of the first notebook: one delayed run, explained, and read in every way."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from pbverify.bandits import delay_models, loss_patterns
from pbverify.bandits.instance import Instance
from pbverify.errors import ImprobableActionError
from pbverify.figures.notebook.tables import Table
from pbverify.figures.runs import arrivals_figure, course_figure, readings_figure, strips_figure
from pbverify.figures.style import Picture
from pbverify.numerics.chance import generator
from pbverify.paper.algorithm.engine import run
from pbverify.paper.algorithm.readings import OPTIONS, PRESETS, Reading, overrides
from pbverify.paper.algorithm.trace import Trace
from pbverify.paper.pictures import thresholds

COMPARATOR = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
MEANS = (Fraction(7, 10), Fraction(1, 2), Fraction(1, 5))
"""Mean losses of the tour's arms: the comparator prefers the worst one."""

Columns = Mapping[str, Any]


def tour_instance(*, rounds: int = 60, delayed: float = 0.35, seed: int = 5) -> Instance:
    """Three arms with 0/1 losses, and geometric delays of a share of the rounds."""
    delays = delay_models.geometric(rounds, generator(seed, "delays"), delayed=delayed, p=0.4)
    losses = loss_patterns.bernoulli(rounds, 3, generator(seed, "losses"), means=MEANS)
    return Instance.build(
        losses=losses.tolist(), delays=delays.to_json(), comparator=list(COMPARATOR), seed=seed
    )


def quick(reading: Reading, *, budget: Fraction | int = 2, slack: Fraction | int = 1) -> Reading:
    """The reading with a constant budget and slack, so that short runs restart."""
    return reading.with_options(budget=Fraction(budget), slack=Fraction(slack))


def columns_of(trace: Trace) -> Columns:
    """One entry per round: delays, stages, phases, alpha, gap, threshold, credits, laws.

    `borrowed` and `repaid` add up to sigma_t: what round t takes from the bank, and from credits of
    rounds whose feedback has arrived. `owed` is the sum of the credits still lent out after it.
    """
    rounds = trace.to_json()["rounds"]
    assert isinstance(rounds, dict)
    estimates = rounds["delay_estimate"]
    repaid = [_repaid(step) for step in trace.steps or [None] * trace.rounds]
    return {
        **rounds,
        "delays": trace.instance.delays.to_json(),
        "threshold": thresholds(trace.instance, trace.reading, estimates),
        "repaid": repaid,
        "outstanding": trace.instance.delays.outstanding().tolist(),
        "played": np.array(trace.to_json()["played"]),
        "base": np.array(trace.to_json()["base"]),
        "comparator": [float(x) for x in trace.instance.comparator],
        "losses": trace.instance.losses.floats,
    }


def _repaid(step: Any) -> float:
    return 0.0 if step is None else float(sum(float(amount) for _, amount in step.shares))


def same_actions(instance: Instance, readings: Mapping[str, Reading]) -> dict[str, Columns]:
    """Every reading on the instance, all with the actions that the first one draws."""
    names = list(readings)
    first = run(instance, readings[names[0]])
    fixed = instance.with_actions(first["action"])
    rest = {name: run(fixed, readings[name]) for name in names[1:]}
    return {name: columns_of(trace) for name, trace in {names[0]: first, **rest}.items()}


def presets(**constants: Fraction | int) -> dict[str, Reading]:
    """The three readings with the tour's constants."""
    return {name: quick(reading, **constants) for name, reading in PRESETS.items()}


def single_changes(base: Reading, instance: Instance) -> dict[str, Columns]:
    """The base reading and every reading that differs from it in one option, on given actions.

    A reading under which a given action is all but impossible is left out.
    """
    found = {}
    for name, reading in _named_changes(base):
        try:
            found[name] = columns_of(run(instance, reading))
        except ImprobableActionError:
            continue
    return found


def _named_changes(base: Reading) -> Iterator[tuple[str, Reading]]:
    budget, slack = base.budget, base.slack
    assert isinstance(budget, Fraction)
    assert isinstance(slack, Fraction)
    before = base.to_json()
    for reading in overrides(base, depth=1, budget=budget, slack=slack):
        after = reading.to_json()
        changed = [option for option in after if after[option] != before[option]]
        yield (f"{changed[0]} = {after[changed[0]]}" if changed else "as it is"), reading


ARRIVALS = """Arrivals. Each bar runs from the round in which an arm is played (dot) to the round
at whose end its loss becomes known (square); rounds without delay are not drawn. Bands are
phases, named stage.phase; dashed lines are soft restarts, solid ones hard restarts. Below, how
many losses are missing when round t is played."""

COURSE = """Credits, aggression, gap. Top: the scale sigma_t (dimensionless) of round t is paid
out of credits whose feedback has arrived; what is lacking is borrowed, and every borrowed unit
costs regret. Middle: x_t = alpha x^_t + (1 - alpha) x^c. Bottom: once the gap, the estimated loss
of x^c beyond the best response, exceeds the threshold, the phase ends softly and alpha doubles;
at alpha = 1 it is not tested any more."""

READINGS = """Three readings, the same losses, delays and actions. They part where feedback is
missing: they count delays differently (hard restarts), and only the main text compares with the
learner itself (gap). Bottom: cumulative expected loss of the played law less that of x^c, in
units of loss; below 0 is better than the comparator."""

STRIPS = """One strip per reading. First the three presets, then the repaired reading with a
single option changed; all with the same losses, delays and actions. Circles are soft, squares
hard restarts. With the paper's own budget (rows `budget = ...`) alpha stays near 0 and nothing
ever restarts softly on so short a run."""


@functools.lru_cache(maxsize=8)
def _columns(reading: str, budget: int, delayed: float) -> Columns:
    instance = tour_instance(delayed=delayed)
    return columns_of(run(instance, presets(budget=budget)[reading]))


def arrivals(*, delayed: float = 0.35, budget: int = 2, reading: str = "repaired") -> Picture:
    """Rounds, delays and arrivals of the run."""
    return arrivals_figure(_columns(reading, budget, delayed), caption=ARRIVALS)


def course(*, delayed: float = 0.35, budget: int = 2, reading: str = "repaired") -> Picture:
    """Credits, aggression, and gap against threshold of the run."""
    return course_figure(_columns(reading, budget, delayed), caption=COURSE)


def readings(*, budget: int = 2, slack: Fraction | int = 1) -> Picture:
    """The three presets on the same instance and actions."""
    return readings_figure(_runs(budget=budget, slack=slack), caption=READINGS)


def strips(*, budget: int = 2, slack: Fraction | int = 1) -> Picture:
    """The presets and every single change of the repaired reading."""
    runs = _runs(budget=budget, slack=slack)
    base = presets(budget=budget, slack=slack)["repaired"]
    instance = tour_instance()
    fixed = instance.with_actions(run(instance, base)["action"])
    changes = single_changes(base, fixed)
    del changes["as it is"]
    named = {f"{name} (preset)": columns for name, columns in runs.items()}
    return strips_figure({**named, **changes}, caption=STRIPS)


def _runs(**constants: Fraction | int) -> dict[str, Columns]:
    order = ["repaired", *(name for name in PRESETS if name != "repaired")]
    found = presets(**constants)
    return same_actions(tour_instance(), {name: found[name] for name in order})


def phases(trace: Trace) -> Table:
    """The phases of a run."""
    return Table(
        [
            {
                "stage.phase": f"{phase.stage}.{phase.number}",
                "rounds": f"{phase.first} to {phase.last}",
                "alpha": trace.alpha_of(phase),
                "ended by": phase.ended,
            }
            for phase in trace.phases
        ]
    )


def options() -> Table:
    """The choices in which the three readings differ."""
    chosen = {name: reading.to_json() for name, reading in PRESETS.items()}
    rows = [{"option": o, **{n: str(c[o]) for n, c in chosen.items()}} for o in OPTIONS]
    return Table([row for row in rows if len({row[name] for name in chosen}) > 1])
