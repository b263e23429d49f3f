"""The findings page: one HTML file that needs nothing but itself, the same bytes for the same data.

It also names every other file that an experiment writes.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.resources
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import jinja2
from markupsafe import Markup

from pbverify import PAPER_SHA256, __version__
from pbverify.bandits.loss_patterns import block_rows
from pbverify.figures import experiment as figure
from pbverify.numerics import Truth
from pbverify.paper.experiment import findings
from pbverify.paper.experiment import total_delays as totals
from pbverify.paper.experiment.cells import Cell
from pbverify.paper.experiment.environment import REGIMES
from pbverify.paper.experiment.findings import Judged
from pbverify.paper.experiment.learners import Contender
from pbverify.paper.experiment.observations import OBSERVATIONS
from pbverify.paper.experiment.plan import Experiment

KEYS = ("seed", "regime", "algorithm", "reading", "threshold_scale", "budget_scale")


def tables(experiment: Experiment, judged: Sequence[Judged]) -> dict[str, bytes]:
    """Every CSV file by its name."""
    return {
        "runs.csv": _csv(_runs(experiment)),
        "curves.csv": _csv(_curves(experiment)),
        "findings.csv": _csv(_findings(judged)),
    }


def _csv(rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _keys(cell: Cell) -> list[object]:
    scales = cell.contender.scales
    named = [cell.seed, cell.regime, cell.contender.name, cell.contender.reading]
    return [*named, float(scales.threshold), float(scales.budget)]


def _runs(experiment: Experiment) -> Iterator[Sequence[object]]:
    names = list(dict.fromkeys(n for m in experiment.results.values() for n in m.figures))
    yield [*KEYS, *names]
    for cell in experiment.plan.cells:
        figures = experiment.results[cell].figures
        yield [*_keys(cell), *(_text(figures.get(name)) for name in names)]


def _curves(experiment: Experiment) -> Iterator[Sequence[object]]:
    names = ("round", "regret", "over_comparator", "alpha")
    yield [*KEYS, *names]
    for cell in _drawn(experiment):
        curves = experiment.results[cell].curves
        blank = (None,) * len(curves["round"])
        for row in zip(*(curves.get(name, blank) for name in names), strict=True):
            yield [*_keys(cell), *map(_text, row)]


def _drawn(experiment: Experiment) -> list[Cell]:
    """The cells that a figure shows: all but those of the scan at other scales."""
    shown = set(experiment.plan.contenders)
    if experiment.picture_scale is not None:
        shown.add(experiment.plan.scanned(experiment.picture_scale))
    return [cell for cell in experiment.plan.cells if cell.contender in shown]


def _findings(judged: Sequence[Judged]) -> Iterator[Sequence[object]]:
    yield [
        *("id", "reading", "regime", "printed", "verdict", "seeds_showing", "seeds"),
        *("least_chance", "greatest_chance", "measure", "median", "least", "most"),
    ]
    for row in judged:
        f = row.finding
        yield [
            *(f.observation.id, row.reading, f.regime, f.observation.printed, f.outcome.value),
            *(f.hits, f.seeds, _text(float(f.low)), _text(float(f.high)), f.observation.unit),
            *map(_text, (f.median, f.least, f.most)),
        ]


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.10g}"


def files(experiment: Experiment) -> dict[str, bytes]:
    """Every file of an experiment but its cells."""
    judged = findings.judged(experiment)
    pictures = figures(experiment)
    return {
        "findings.html": _rendered(experiment, judged, pictures).encode(),
        **pictures,
        **tables(experiment, judged),
    }


def figures(experiment: Experiment) -> dict[str, bytes]:
    """A picture per reading, and one at the scale where the printed picture appears."""
    plan = experiment.plan
    named = {f"figure-{reading}.png": plan.prudent(reading) for reading in plan.readings}
    if experiment.picture_scale is not None:
        named["figure-at-picture-scale.png"] = plan.scanned(experiment.picture_scale)
    return {
        name: figure.three_rows(experiment, own, caption=_caption(experiment, own))
        for name, own in named.items()
    }


def _caption(experiment: Experiment, own: Contender) -> str:
    plan = experiment.plan
    scales = f"threshold scale {own.scales.threshold}, budget scale {own.scales.budget}"
    return (
        f"T = {plan.settings.horizon:,}, A = {plan.settings.arms}, {plan.seeds} seeds, reading "
        f"{own.reading}, {scales}. Lines: medians over seeds; bands: 10th to 90th percentile. "
        "Top: cumulative pseudo-loss minus that of the best fixed arm. Middle: Prudent-Banker's "
        "minus the comparator's (below 0: less loss than the comparator). Bottom: alpha, log scale."
    )


def _rendered(
    experiment: Experiment, judged: list[findings.Judged], pictures: Mapping[str, bytes]
) -> str:
    style = importlib.resources.files("pbverify.report").joinpath("site", "templates", "style.css")
    css = style.read_text("utf-8") + _own("findings.css")
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_own), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["number"] = number
    plan = experiment.plan
    scale = experiment.picture_scale
    return environment.get_template("findings.html.j2").render(
        version=__version__,
        paper=PAPER_SHA256,
        style=Markup(css),
        style_hash=_digest(css),
        plan=plan,
        regimes=REGIMES,
        observations=OBSERVATIONS,
        judged={(r.reading, r.finding.observation.id, r.finding.regime): r.finding for r in judged},
        level=findings.LEVEL,
        constants=list(findings.constants_rows(experiment)),
        yes=Truth.YES,
        delays=list(findings.delay_rows(experiment)),
        delay_level=totals.LEVEL,
        regrets=list(findings.final_regrets(experiment)),
        short=findings.short_of_budget(experiment),
        blocks=len(block_rows(plan.settings.horizon, plan.settings.blocks)),
        scan=[(s, experiment.picture_counts(s)) for s in plan.scan],
        scale=scale,
        apart=[] if scale is None else findings.ends_apart(experiment, scale),
        images={name: _data_url(content) for name, content in pictures.items()},
    )


def number(value: float | Fraction) -> str:
    """A figure for people: three or four digits, thousands apart."""
    if isinstance(value, Fraction):
        return str(value)
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _own(name: str) -> str:
    return importlib.resources.files(__package__).joinpath("templates", name).read_text("utf-8")


def _data_url(content: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
