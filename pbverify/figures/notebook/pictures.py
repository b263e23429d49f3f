r"""The pictures of the third notebook: every refuted claim, its minimal case, its repair.

What is drawn depends on what the claim speaks about; a subject of another kind still shows the two
sides of the claim and of its repair.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from pbverify.bandits.delays import Delays
from pbverify.claims.closed_forms.bound import Bound, Point
from pbverify.figures.bounds import draw_two_sides
from pbverify.figures.counterexamples import (
    SIDES,
    Form,
    Panel,
    case_figure,
    cropped,
    draw_actions,
    draw_costs,
    draw_counts,
    draw_delays,
    draw_gap,
    draw_laws,
    draw_ratio,
    draw_regrets,
    draw_run,
    draw_sketch,
)
from pbverify.figures.notebook.counterexamples import Refutation, Sides
from pbverify.figures.notebook.curves import N, compared_by, curve, ratio_along, variables_of
from pbverify.figures.notebook.tour import columns_of
from pbverify.figures.style import Picture
from pbverify.numerics import working_precision
from pbverify.paper.cases.mirror_step import MirrorStep
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.sample import Sample
from pbverify.paper.kernels import run_compiled
from pbverify.paper.lower_bound.buckets import Bucketing, constant_delays
from pbverify.paper.lower_bound.growth import Limits
from pbverify.paper.lower_bound.simulation import Convention, Simulation
from pbverify.paper.pictures.mechanisms import mechanism
from pbverify.paper.pictures.telling import orders_of, tell
from pbverify.report.site.refutations import subject_of

SAMPLED = "blue: sample mean and its interval"
SHORT = 60
"""Characters of a field that a caption shows."""
FEW = 40
"""Runs of a sample that a picture shows."""


def figure(case: Refutation) -> Picture:
    """The picture of one refuted claim."""
    panels = (_drawn(case) or _mechanism)(case)
    is_curve = isinstance(case.printed.subject, Point | Limits)
    forms = [] if is_curve and panels else forms_of(case)
    sides = SAMPLED if isinstance(case.printed.subject, Sample) else SIDES
    return case_figure(panels, forms, caption=caption_of(case), sides=sides)


def _drawn(case: Refutation) -> Callable[[Refutation], list[Panel]] | None:
    """What draws the case itself; none if it is too long to draw."""
    return next((d for kind, d in _DRAWN.items() if isinstance(case.printed.subject, kind)), None)


NAMES = {
    "stated": "as printed",
    "proof step": "step of the proof",
    "variant": "printed nowhere",
    "repaired": "our repair",
    "new": "not in the paper",
}
"""What is drawn, by the claim's relation to the text."""


def name_of(case: Refutation) -> str:
    """Whose claim fails: the paper's, a step of its proof, a variant, or our own."""
    return NAMES.get(case.fidelity, case.fidelity)


def forms_of(case: Refutation) -> list[Form]:
    """The claim under its own name and its repair, as bars."""
    forms = [_form(name_of(case), case.printed, holds=False)]
    if case.repaired is not None:
        forms.append(_form("repaired", case.repaired, holds=True))
    return forms


def _form(name: str, sides: Sides, *, holds: bool) -> Form:
    return Form(name, sides.lhs, sides.rhs, sides.relation, holds, sides.radius)


def caption_of(case: Refutation) -> str:
    """The claim, where it fails, why, and what holds instead."""
    subject, where = case.printed.subject, dict(case.printed.where)
    if isinstance(subject, Point):
        where = {name: str(value) for name, value in subject.values}
    place = ", ".join(f"{key} = {value}" for key, value in where.items())
    under = "" if case.reading == "any" else f" (reading {case.reading})"
    words = name_of(case)
    parts = [f"{case.id}{under}. {words.capitalize()}: {case.printed.claim.statement}."]
    parts += _told(case) if _drawn(case) in (None, _limits) else []
    parts += [f"Fails at {place}."] if place and not isinstance(subject, Limits) else []
    parts.append(case.erratum)
    if case.repaired is not None:
        same = case.repaired.claim.id == case.printed.claim.id
        repair = "the same claim, other reading" if same else case.repaired.claim.statement
        parts.append(f"Repair ({case.repaired.claim.id}): {repair}.")
    return " ".join(parts)


def _closed_form(case: Refutation) -> list[Panel]:
    values = {name: float(value) for name, value in case.printed.subject.values}
    panels = [functools.partial(_curve_panel, case.printed, values, f"{name_of(case)}: fails")]
    if case.repaired is not None:
        panels.append(functools.partial(_curve_panel, case.repaired, {}, "repaired: holds"))
    return list(panels)


def _curve_panel(sides: Sides, values: Mapping[str, float], title: str, axes: Any) -> None:
    bounds = [b for b in sides.claim.then if isinstance(b, Bound) and variables_of(b)]
    named = [b for b in bounds if b.name == sides.where.get("bound")]
    bound = (named or bounds)[-1]
    moving = variables_of(bound)[0]
    fixed = {name: value for name, value in values.items() if name != moving}
    sides_ = curve(bound, along=moving, fixed=fixed, span=1e3)
    draw_two_sides(axes, sides_, mark=values.get(moving))
    axes.set_title(f"{title}  ({bound.name})", loc="left", fontsize=10)
    axes.legend(frameon=False, fontsize=8)


def _window(case: Refutation) -> list[Panel]:
    window: DelayedPhase = case.printed.subject
    return [functools.partial(draw_delays, delays=window.local_delays, title="the phase")]


def _run(case: Refutation) -> list[Panel]:
    columns = columns_of(case.printed.subject.trace)
    if case.printed.subject.instance.rounds == 1:
        if np.allclose(columns["base"], columns["comparator"]):
            return []  # all laws are the same
        return [_laws_panel(case.printed, name_of(case)), *_repaired_laws(case)]
    places = [place for place in case.printed.where.values() if isinstance(place, int)]
    if not any(cropped(columns, max(places, default=1))["delays"]):
        return [functools.partial(draw_gap, columns=columns, title="the gap against its threshold")]
    title = "the run, around the place where it fails"
    return [functools.partial(draw_run, columns=columns, focus=max(places, default=1), title=title)]


def _repaired_laws(case: Refutation) -> list[Panel]:
    return [] if case.repaired is None else [_laws_panel(case.repaired, "repaired")]


def _laws_panel(sides: Sides, title: str) -> Panel:
    columns = columns_of(sides.subject.trace)
    laws = {
        "base $\\hat x_1$": columns["base"][0],
        "played $x_1$": columns["played"][0],
        "$x^c$": columns["comparator"],
    }
    update = sides.subject.trace.reading.update
    start = "played $x_1$" if update == "played" else "base $\\hat x_1$"
    return functools.partial(draw_laws, laws=laws, title=f"{title}: the step starts at {start}")


def _sample(case: Refutation) -> list[Panel]:
    kind = "base" if case.id.endswith("/base-regret") else "played"
    regrets = {case.reading: regrets_of(case.printed.subject, kind, case.printed.where)}
    if case.repaired is not None and case.repaired.subject is not case.printed.subject:
        regrets["repaired"] = regrets_of(case.repaired.subject, kind, case.repaired.where)
    title = f"{FEW} runs and their mean"
    return [functools.partial(draw_regrets, regrets=regrets, title=title, y=_NAMES[kind])]


_NAMES = {"base": "regret of $\\hat x_t$ to the arm", "played": "regret of $x_t$ to the arm"}


def regrets_of(
    sample: Sample, kind: str, where: Mapping[str, int | str]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Cumulative regret, one row per run, of the base or the played law."""
    instance, rows = sample.instance, []
    losses = instance.losses.floats
    against = losses[:, int(where.get("x", 0))]
    assert instance.seed is not None
    for number in range(FEW):
        drawn = dataclasses.replace(instance, seed=instance.seed + number)
        trace = run_compiled(drawn, sample.reading)
        laws = np.asarray(trace.base if kind == "base" else trace.played)
        rows.append(np.cumsum((losses * laws).sum(axis=1) - against))
    return np.array(rows)


def _bucketing(case: Refutation) -> list[Panel]:
    """The family of the corollary, a few rounds longer than the smallest case."""
    first = case.printed.subject.delays[0]
    panels = []
    for q, title in ((first, "as printed"), (first + 1, "beside it")):
        counts = {
            f"feedback usable {_USABLE[convention]}": missing(
                constant_delays(q=q, N=6 // q - 1).delays, convention
            )
            for convention in Convention
        }
        title = f"{title}: q = {q}, six rounds"
        panels.append(functools.partial(draw_counts, counts=counts, title=title))
    return list(panels)


_USABLE = {Convention.BEFORE: "in round $u+d_u$", Convention.AFTER: "after round $u+d_u$"}


def missing(delays: tuple[int, ...], convention: Convention) -> list[int]:
    """How many losses are missing when each round is played."""
    waits = [convention.arrival(t, d) - t for t, d in enumerate(delays, start=1)]
    return [int(n) for n in Delays(waits).outstanding()]


def _simulation(case: Refutation) -> list[Panel]:
    both: Simulation = case.printed.subject

    def printed(u: int, delay: int) -> int:
        rule = Convention.BEFORE if u < both.first else Convention.AFTER
        return rule.arrival(u, delay)

    plays = {
        "delayed learner": both.delayed.actions[both.first - 1 :],
        "simulator as printed": both.batched_with(printed).actions,
        "one convention": both.batched.actions,
    }
    return [functools.partial(draw_actions, plays=plays)]


def _mirror_step(case: Refutation) -> list[Panel]:
    step: MirrorStep = case.printed.subject
    laws = {
        "base $\\hat x_t$": [float(p) for p in step.base],
        "played $x_t$": [float(p) for p in step.law],
        "$x^c$": [float(p) for p in step.comparator],
    }
    with working_precision(128):
        costs = [float(step.cost(arm)) for arm in range(len(step.law))]
        expected, limit = float(step.expected_cost()), case.printed.rhs
    title = f"the laws, with $\\alpha$ = {step.alpha}"
    return [
        functools.partial(draw_laws, laws=laws, title=title),
        functools.partial(draw_costs, costs=costs, expected=expected, limit=limit),
    ]


def _limits(case: Refutation) -> list[Panel]:
    """How the two sides compare along the path: their ratio, and the slope that it tends to."""
    path: Limits = case.printed.subject
    orders = orders_of(case.witness)
    slope = None if orders is None else orders[1] - orders[0]
    panels = []
    for name, sides, bend in (
        (name_of(case), case.printed, slope),
        ("repaired", case.repaired, None),
    ):
        for compared in [] if sides is None else compared_by(sides.claim, path)[:1]:
            ratio = ratio_along(path, compared)
            title = f"{name}: {compared.large} / {compared.small}"
            draw = functools.partial(draw_ratio, n=N, ratio=ratio, title=title)
            panels.append(functools.partial(draw, slope=_directed(bend, ratio)))
    return list(panels)


def _directed(slope: Fraction | None, ratio: npt.NDArray[np.float64]) -> Fraction | None:
    """The slope with the sign of the ratio's course: of two sides either may be the larger."""
    if slope is None:
        return None
    return -abs(slope) if ratio[-1] < ratio[0] else abs(slope)


def _mechanism(case: Refutation) -> list[Panel]:
    """Why its statement fails, for a case that is too long to draw; the caption tells the case."""
    sketch = mechanism(MECHANISMS.get(case.id, case.mechanism))
    return [] if sketch is None else [functools.partial(draw_sketch, sketch=sketch)]


MECHANISMS = {
    **dict.fromkeys(["normal-phase/safety", "normal-phase/regret@repaired"], "silence"),
    **dict.fromkeys(["global/safety", "global/safety/order"], "ambush"),
    **dict.fromkeys(["normal-phase/combined", "global/safety/cancellation"], ""),
    **dict.fromkeys(["experiment/blocks", "experiment/columns"], ""),
    "experiment/conservative-ucb-at-zero": "",
    "experiment/below-comparator-under-geometric": "",
    "experiment/below-comparator-under-pareto": "",
}
"""Drawings of claims whose kept case fails for another reason than their statement, or none."""


def _told(case: Refutation) -> list[str]:
    """The case in sentences as its paper tells it, else its short fields."""
    told = tell(case.witness)
    if told is not None and told.sentences:
        return list(told.sentences)
    fields = subject_of(case.witness) if told is None else told.facts
    short = [f"{key} = {value}" for key, value in fields if len(value) <= SHORT]
    return [f"The case: {', '.join(short)}."] if short else []


_DRAWN: Mapping[type, Callable[[Refutation], list[Panel]]] = {
    Point: _closed_form,
    DelayedPhase: _window,
    Run: _run,
    Sample: _sample,
    Bucketing: _bucketing,
    Simulation: _simulation,
    MirrorStep: _mirror_step,
    Limits: _limits,
}
