"""The experiment's data as CSV files that any table program opens.

`runs.csv` has a row per cell with its figures, `curves.csv` one per grid round of drawn cells,
`findings.csv` a row per printed observation, regime and reading. Numbers are written so that the
same results give the same bytes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from pbverify.paper.experiment.cells import Cell
from pbverify.paper.experiment.findings import Judged
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
