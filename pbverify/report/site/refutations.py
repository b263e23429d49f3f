"""A refuted claim with its witness: the two sides, where it fails, told and drawn."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from pbverify.claims.paper import Told
from pbverify.claims.verdict import Outcome, Witness
from pbverify.report.dependencies import repairs_of
from pbverify.report.site.material import Line, Material
from pbverify.report.strength import place_of

_BALL = re.compile(r"\[(?P<middle>[^ ]+) \+/- (?P<radius>[^ \]]+)\]")
DIGITS = 6
"""Digits of a number that people read; the witness file has all."""


@dataclasses.dataclass(frozen=True)
class Sides:
    """The two sides of a violated pair, as people read them, and the relation that was claimed."""

    lhs: str
    rhs: str
    claimed: str

    @staticmethod
    def of(witness: Witness) -> Sides:
        return Sides(shown(witness.lhs), shown(witness.rhs), claimed_by(witness))


def claimed_by(witness: Witness) -> str:
    """The relation that a witness violates, which its file does not name: it follows from both."""
    lhs, rhs = value_of(witness.lhs), value_of(witness.rhs)
    return "≤" if lhs > rhs else "<" if lhs == rhs else "="


def radius_of(text: str) -> float:
    """The radius of an enclosure; 0 for a number."""
    ball = _BALL.fullmatch(text)
    return value_of(ball["radius"]) if ball else 0.0


def value_of(text: str) -> float:
    """The middle of an enclosure, or the number itself, to draw and to compare."""
    ball = _BALL.fullmatch(text)
    number = ball["middle"] if ball else text
    numerator, _, denominator = number.partition("/")
    try:
        return float(numerator) / float(denominator or 1)
    except (ValueError, ZeroDivisionError):
        return float("nan")


def shown(text: str) -> str:
    """A number of a witness in a few digits; its radius if that is as large as they are."""
    ball = _BALL.fullmatch(text)
    if ball is None:
        is_short = len(text) <= 2 * DIGITS
        return text if is_short else f"{value_of(text):.{DIGITS}g}"
    middle, radius = value_of(ball["middle"]), value_of(ball["radius"])
    if radius <= abs(middle) * 10.0**-DIGITS:
        return f"{middle:.{DIGITS}g}"
    return f"{middle:.4g} ± {radius:.2g}"


@dataclasses.dataclass(frozen=True)
class Refutation:
    """A refuted claim (or one that two programs dispute) with its witness and repaired forms."""

    line: Line
    witness: Witness | None
    file: str
    told: Told
    pictures: tuple[Markup, ...]
    columns: frozenset[str]
    repairs: tuple[Line, ...]

    @property
    def sides(self) -> Sides | None:
        """The two sides; none if the witness is told as orders of growth."""
        return None if self.witness is None or self.told.is_limit else Sides.of(self.witness)

    @property
    def where(self) -> str:
        if self.witness is None or self.told.is_limit:
            return ""
        places = self.witness.where.items()
        return ", ".join(f"{key} = {_grouped(value)}" for key, value in places)


def _grouped(value: int | str) -> str:
    """A number with its digits in groups of three."""
    return f"{value:,}" if isinstance(value, int) else value


def is_shown(line: Line) -> bool:
    """Whether a verdict has a counterexample to show."""
    return line.verdict.outcome is Outcome.REFUTED or line.verdict.checker == "NOT CONFIRMED"


def refutation_of(line: Line, lines: Sequence[Line], material: Material) -> Refutation:
    name = line.verdict.witness_file or ""
    witness = material.witnesses.get(name)
    repairs = repairs_of(line.verdict.claim, dict.fromkeys(each.verdict.claim for each in lines))
    return Refutation(
        line=line,
        witness=witness,
        file=place_of(witness) if witness else "",
        told=told_of(witness, material) if witness else Told(),
        pictures=_drawn(material, witness, name),
        columns=frozenset(material.pictures.get(name, ())) & {"buckets", "stage"},
        repairs=tuple(each for each in lines if each.verdict.claim in repairs),
    )


def _drawn(material: Material, witness: Witness | None, name: str) -> tuple[Markup, ...]:
    if witness is None or material.paper.pictures is None:
        return ()
    return tuple(material.paper.pictures.draw(witness, material.pictures.get(name) or {}))


def told_of(witness: Witness, material: Material) -> Told:
    """The witness as its paper tells it; else its fields."""
    pictures = material.paper.pictures
    told = pictures.tell(witness) if pictures is not None else None
    return told or Told(facts=tuple(subject_of(witness)))


def subject_of(witness: Witness) -> list[tuple[str, str]]:
    """What a witness is about, field by field, cut to a readable length."""
    document = witness.subject.get("parameters") or witness.subject.get("instance") or {}
    items = document.items() if isinstance(document, dict) else ()
    given = ((key, value) for key, value in items if value is not None)
    shown = [(key, _short(value)) for key, value in given if key not in _UNSHOWN]
    changes = witness.reading.items() if isinstance(witness.reading, Mapping) else ()
    return [*shown, *(("reading", f"{k} = {_short(v)}") for k, v in changes if k in _TELLING)]


def _runs(values: Sequence[object]) -> str:
    counted = [(text, len(list(group))) for text, group in itertools.groupby(map(_plain, values))]
    runs = (text if count == 1 else f"{text} (x {count})" for text, count in counted)
    return f"[{', '.join(runs)}]" if len(counted) < len(values) / 2 else _plain(values)


def _plain(value: object) -> str:
    return str(value).replace("'", "")


_UNSHOWN = {"format", "version", "paper_sha256", "seed"}
_TELLING = {"budget", "slack"}


def _short(value: object) -> str:
    """A value in a line or two; a list says how often an entry is repeated."""
    text = _runs(value) if isinstance(value, list | tuple) else _plain(value)
    return text if len(text) <= 160 else f"{text[:150]} ... ({len(text)} characters)"
