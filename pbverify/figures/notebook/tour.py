"""The pictures of the first notebook: one delayed run, explained, and read in every way."""

from __future__ import annotations

import functools
from fractions import Fraction

from pbverify.bandits.simulate import run
from pbverify.figures.notebook import courses
from pbverify.figures.notebook.tables import Table
from pbverify.figures.runs import arrivals_figure, course_figure, readings_figure, strips_figure
from pbverify.figures.style import Picture
from pbverify.paper.algorithm.readings import OPTIONS, PRESETS
from pbverify.paper.algorithm.trace import Trace

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
def _columns(reading: str, budget: int, delayed: float) -> courses.Columns:
    instance = courses.tour_instance(delayed=delayed)
    return courses.columns_of(run(instance, courses.presets(budget=budget)[reading]))


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
    base = courses.presets(budget=budget, slack=slack)["repaired"]
    instance = courses.tour_instance()
    fixed = instance.with_actions(run(instance, base)["action"])
    changes = courses.single_changes(base, fixed)
    del changes["as it is"]
    presets = {f"{name} (preset)": columns for name, columns in runs.items()}
    return strips_figure({**presets, **changes}, caption=STRIPS)


def _runs(**constants: Fraction | int) -> dict[str, courses.Columns]:
    order = ["repaired", *(name for name in PRESETS if name != "repaired")]
    presets = courses.presets(**constants)
    return courses.same_actions(courses.tour_instance(), {name: presets[name] for name in order})


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
