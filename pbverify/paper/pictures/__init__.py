"""Pictures of witnesses as inline SVG: rounds with their delays and arrivals, stages, gap.

Drawn from plain columns, one entry per round; colours are classes that the page's style sheet
defines for light and dark. Doubles are good enough here: a picture decides nothing.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from pbverify.bandits.instance import Instance
from pbverify.bandits.simulate import at_rising_precision
from pbverify.claims.verdict import Witness
from pbverify.files.documents import integer_or_none
from pbverify.numerics import BallArithmetic
from pbverify.paper import RUN_COLUMNS
from pbverify.paper.algorithm.engine import rounds as played_rounds
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.algorithm.trace import Trace, trace_of
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.report.markup import element, picture

LEFT, RIGHT, WIDTH = 64.0, 18.0, 720.0
MOST_ROUNDS, MOST_BARS = 400, 40
"""What a picture shows at most; it says so if there is more."""
MOST_COMPUTED = 10_000
"""Longer runs have no picture: its columns would take longer to compute than the verdict."""


@dataclasses.dataclass(frozen=True)
class Axis:
    """Rounds first..last from left to right."""

    first: int
    last: int

    @staticmethod
    def around(focus: int, rounds: int) -> Axis:
        """As many rounds as fit, with the one that matters among them."""
        first = max(1, min(focus - MOST_ROUNDS // 2, rounds - MOST_ROUNDS + 1))
        return Axis(first, min(rounds, first + MOST_ROUNDS - 1))

    @property
    def step(self) -> float:
        return min(40.0, (WIDTH - LEFT - RIGHT) / (self.last - self.first + 1))

    @property
    def width(self) -> float:
        return LEFT + RIGHT + self.step * (self.last - self.first + 1)

    def middle(self, t: float) -> float:
        return LEFT + (t - self.first + 0.5) * self.step

    def left(self, t: int) -> float:
        return LEFT + (t - self.first) * self.step

    @property
    def labels(self) -> list[int]:
        """Rounds worth a number: every one, or every 5th, 10th, ... and the first."""
        stride = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200) if n * self.step >= 30)
        shown = [t for t in range(self.first, self.last + 1) if t % stride == 0]
        return [1, *shown] if self.first == 1 < stride else shown

    def cut(self, values: Sequence[Any]) -> list[Any]:
        return list(values[self.first - 1 : self.last])

    def part(self, rounds: int) -> str:
        """Which rounds are shown; empty if all are."""
        whole = (self.first, self.last) == (1, rounds)
        return "" if whole else f"rounds {self.first:,} to {self.last:,} of {rounds:,}"


def timeline(
    delays: Sequence[int],
    *,
    start: int = 1,
    end: int | None = None,
    focus: int = 1,
    buckets: Sequence[int] = (),
) -> Markup:
    """A bar per round from when it is played to when its feedback arrives.

    Of many rounds only those with a delay get a bar. If every round's bucket is given, buckets are
    bands: no bar ends inside the band in which it begins.
    """
    axis = Axis.around(focus, len(delays))
    shown = [(t, d) for t, d in enumerate(axis.cut(delays), start=axis.first)]
    if len(shown) > MOST_BARS // 2:
        shown = [(t, d) for t, d in shown if d][:MOST_BARS]
    height = 24 + 16.0 * len(shown) + 26
    children = [*_window(axis, start, end, height), *_bands(axis, axis.cut(buckets), height)]
    children += _round_numbers(axis, height - 8)
    for row, (t, delay) in enumerate(shown):
        children += _bar(axis, t, delay, 24 + 16 * (row + 0.5))
    title = "Rounds, delays and arrivals"
    return _framed(axis, height, title, children, part=axis.part(len(delays)))


def _framed(
    axis: Axis, height: float, title: str, children: Sequence[Markup], *, part: str
) -> Markup:
    """The picture; if it shows a part of the rounds, a line below says which."""
    if not part:
        return picture(axis.width, height, title, children)
    note = element("text", part, x=axis.width - RIGHT, y=height + 10, class_="key")
    return picture(axis.width, height + 18, f"{title} ({part})", [*children, note])


def _bar(axis: Axis, t: int, delay: int, y: float) -> Iterator[Markup]:
    x, arrival = axis.middle(t), t + delay
    beyond = arrival > axis.last
    x_end = axis.width - RIGHT + 8 if beyond else axis.middle(arrival)
    if delay:
        yield element("line", x1=x, y1=y, x2=x_end, y2=y, class_="wait")
    yield element("circle", cx=x, cy=y, r=3, class_="play")
    if beyond:
        yield element("text", "›", x=x_end, y=y + 4, class_="late")  # noqa: RUF001
    else:
        yield element("rect", x=x_end - 3.5, y=y - 3.5, width=7, height=7, class_="arrive")
    yield element("text", f"d={_label(delay)}", x=LEFT - 8, y=y + 4, class_="key")


def _window(axis: Axis, start: int, end: int | None, height: float) -> Iterator[Markup]:
    if end is not None and axis.first <= start <= end <= axis.last:
        x, width = axis.left(start), axis.step * (end - start + 1)
        yield element("rect", x=x, y=14, width=width, height=height - 34, class_="window")


def _bands(axis: Axis, buckets: Sequence[int], height: float) -> Iterator[Markup]:
    at = axis.first
    for m, group in itertools.groupby(buckets):
        length = len(list(group))
        x, width = axis.left(at), axis.step * length
        box = {"x": x, "y": 14, "width": width, "height": height - 34}
        yield element("rect", **box, class_=f"phase phase-{m % 2}")
        if width > 22:
            yield element("text", f"B{m}", x=x + width / 2, y=11, class_="tick")
        at += length


def _round_numbers(axis: Axis, y: float) -> Iterator[Markup]:
    yield element("text", "round", x=LEFT - 8, y=y, class_="key")
    for t in axis.labels:
        yield element("text", str(t), x=axis.middle(t), y=y, class_="tick")


def course(columns: Mapping[str, Any], *, focus: int = 1, rounds: int = 0) -> Markup:
    """Stages and phases, the aggression alpha, and the gap against its threshold.

    Columns that begin in round `first` are drawn as they are, as a part of so many rounds.
    """
    first, given = columns.get("first", 1), len(columns["stage"])
    rounds = max(rounds, first + given - 1)
    axis = Axis(first, first + given - 1) if first > 1 else Axis.around(focus, given)
    names = (*RUN_COLUMNS, "threshold")
    cut = {name: columns[name] if first > 1 else axis.cut(columns[name]) for name in names}
    children = [*_phases(axis, cut), *_round_numbers(axis, 286)]
    children += _panel(axis, top=58, name="α", series={"alpha": cut["alpha"]})  # noqa: RUF001
    gaps = {"gap": cut["gap"], "threshold": cut["threshold"]}
    children += _panel(axis, top=168, name="gap", series=gaps)
    title = "Stages, phases, aggression, and gap against threshold"
    return _framed(axis, 296, title, children, part=axis.part(rounds))


def _phases(axis: Axis, columns: Mapping[str, Sequence[Any]]) -> Iterator[Markup]:
    yield element("text", "phase", x=LEFT - 8, y=36, class_="key")
    keys = list(zip(columns["stage"], columns["phase"], strict=True))
    at = axis.first
    for index, (key, group) in enumerate(itertools.groupby(keys)):
        length = len(list(group))
        x, width = axis.left(at), axis.step * length
        yield element("rect", x=x, y=20, width=width, height=24, class_=f"phase phase-{index % 2}")
        if width > 22:
            yield element("text", f"{key[0]}.{key[1]}", x=x + width / 2, y=36, class_="tick")
        at += length
    for t, (hard, soft) in enumerate(
        zip(columns["hard_restart"], columns["soft_restart"], strict=True), start=axis.first
    ):
        if hard or soft:
            kind, x = ("hard", axis.middle(t)) if hard else ("soft", axis.left(t + 1))
            yield element("line", x1=x, y1=14, x2=x, y2=268, class_=f"restart {kind}")


def _panel(
    axis: Axis, *, top: float, name: str, series: Mapping[str, Sequence[float]]
) -> Iterator[Markup]:
    """Step lines over the rounds on a scale from 0 to the largest value."""
    height = 92.0
    largest = max((abs(v) for values in series.values() for v in values), default=0.0) or 1.0
    y0 = top + height
    yield element("line", x1=LEFT, y1=y0, x2=axis.width - RIGHT, y2=y0, class_="axis")
    yield element("text", _label(largest), x=LEFT - 8, y=top + 12, class_="key")
    yield element("text", name, x=LEFT - 8, y=top + height / 2 + 4, class_="key strong")
    yield element("text", "0", x=LEFT - 8, y=y0, class_="key")
    for label, values in series.items():
        points, t = [], axis.first
        for y, group in itertools.groupby(f"{y0 - (height - 6) * v / largest:.1f}" for v in values):
            end = t + len(list(group))
            points += [f"{axis.left(t):.1f},{y}", f"{axis.left(end):.1f},{y}"]
            t = end
        yield element("polyline", points=" ".join(points), class_=f"series {label}")


def columns_of(witness: Witness) -> Mapping[str, Any] | None:
    """What the picture of a witness shows: a run, or delays that are cut into buckets."""
    if "instance" in witness.subject and witness.reading is not None:
        instance = Instance.from_json(witness.subject["instance"])
        if instance.rounds > MOST_COMPUTED:
            return None
        axis = Axis.around(_focus(witness), instance.rounds)
        columns = run_columns(instance, Reading.from_json(witness.reading), rounds=axis.last)
        shown = {name: [*map(_short, axis.cut(values))] for name, values in columns.items()}
        return {"first": axis.first, **shown}
    return (
        bucket_columns(witness.subject["parameters"]) if "parameters" in witness.subject else None
    )


def bucket_columns(parameters: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Delays and the bucket of every round, of delays that are cut into buckets."""
    if "delays" not in parameters or "start" in parameters:
        return None
    cut = Bucketing.rebuild({"parameters": {"delays": list(parameters["delays"])}})
    column = [m for m, bucket in enumerate(cut.buckets, start=1) for _ in bucket.rounds]
    return {"delays": list(cut.delays), "buckets": column}


def run_columns(
    instance: Instance, reading: Reading, *, rounds: int | None = None
) -> Mapping[str, Any]:
    """Delays, stages, phases, aggression, and the gap against its threshold, round by round.

    If `rounds` is given, no more than the first so many rounds are played.
    """

    def attempt(arithmetic: BallArithmetic) -> Trace:
        rows = [*itertools.islice(played_rounds(arithmetic, instance, reading), rounds)]
        bits = arithmetic.precision
        return trace_of(rows, reading=reading, instance=instance, precision=bits)

    trace = at_rising_precision(attempt)
    return {
        "delays": instance.delays.to_json()[: trace.rounds],
        **{name: trace.column_to_json(name) for name in RUN_COLUMNS},
        "threshold": thresholds(instance, reading, trace.column_to_json("delay_estimate")),
    }


def thresholds(instance: Instance, reading: Reading, estimates: Sequence[int]) -> list[float]:
    """2 R^ + xi^ for each of the delay estimates, in doubles."""
    arithmetic = BallArithmetic()
    schedule = Schedule.of(arithmetic, reading, instance)
    found = {
        estimate: arithmetic.to_float(schedule.stage(estimate, round=1).threshold)
        for estimate in set(estimates)
    }
    return [found[estimate] for estimate in estimates]


def drawings(witness: Witness, columns: Mapping[str, Any] | None) -> list[Markup]:
    """The pictures of a witness: the course of its run, its delays and arrivals, its buckets."""
    focus, given = _focus(witness), columns or {}
    subject = witness.subject.get("parameters") or witness.subject.get("instance") or {}
    losses = subject.get("losses") if isinstance(subject, dict) else None
    rounds = len(losses) if isinstance(losses, list) else 0
    drawn = [course(given, focus=focus, rounds=rounds)] if "stage" in given else []
    delays = _whole_numbers(subject.get("delays") if isinstance(subject, dict) else None)
    if any(delays) or 0 < len(delays) <= MOST_BARS // 2:
        start, end = (integer_or_none(subject.get(key)) for key in ("start", "end"))
        buckets = given.get("buckets", ())
        drawn.append(timeline(delays, start=start or 1, end=end, focus=focus, buckets=buckets))
    return drawn


def _short(value: Any) -> Any:
    """A number with as many digits as a picture can show."""
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _label(value: float) -> str:
    """A number that fits beside an axis, such as 0.125, 4,096 or 4.67e6."""
    if isinstance(value, int) and abs(value) < 10**5:
        return f"{value:,}"
    digits, mark, exponent = f"{value:.3g}".partition("e")
    return f"{digits}e{int(exponent)}" if mark else digits


def _focus(witness: Witness) -> int:
    """The round that matters: the last one that the witness names."""
    return max((p for p in witness.where.values() if isinstance(p, int)), default=1)


def _whole_numbers(value: object) -> list[int]:
    numbers = [integer_or_none(item) for item in value] if isinstance(value, list) else []
    return [] if None in numbers else [n for n in numbers if n is not None]
