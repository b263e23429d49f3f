r"""Small drawings as data, which become SVG on pages and in notebooks, and TikZ in LaTeX.

A sketch has a frame of `width` x `height` points with the origin at the top left. Its shapes have
roles instead of colours; the page's style sheet, or the definitions of `TIKZ_STYLES`, say what a
role looks like.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence

from markupsafe import Markup

from pbverify.report.markup import element

Point = tuple[float, float]

ROLES = {
    "axis": "#7a828e",
    "claimed": "#b3222a",
    "found": "#0b57a4",
    "good": "#176f30",
    "bad": "#b3222a",
    "faint": "#d9dde3",
}
"""What a shape stands for, and its colour where no style sheet gives another."""

STYLE = "".join(
    [
        "text{font:11px sans-serif}",
        *(f".s-{role}{{stroke:{hue};fill:none;stroke-width:1.6}}" for role, hue in ROLES.items()),
        *(f".f-{role}{{fill:{hue};fill-opacity:.25}}" for role, hue in ROLES.items()),
        *(f".t-{role}{{fill:{hue}}}" for role, hue in ROLES.items()),
        ".s-claimed{stroke-dasharray:6 3}.small{font-size:9.5px}.strong{font-weight:700}",
    ]
)
"""The style of a sketch that stands alone."""

TIKZ_STYLES = "\n".join(
    rf"\definecolor{{pb{role}}}{{HTML}}{{{hue[1:].upper()}}}" for role, hue in ROLES.items()
)
r"""What a LaTeX preamble needs beside \usepackage{tikz}."""

_SCALE = 0.019
"""Centimetres per point in LaTeX."""


@dataclasses.dataclass(frozen=True)
class Line:
    """A line through points; `claimed` ones are dashed."""

    points: tuple[Point, ...]
    role: str = "axis"

    def svg(self) -> Markup:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)
        return element("polyline", points=points, class_=f"s-{self.role}")

    def tikz(self, height: float) -> str:
        path = " -- ".join(_at(x, y, height) for x, y in self.points)
        return rf"\draw[pb{self.role}{', dashed' * (self.role == 'claimed')}] {path};"


@dataclasses.dataclass(frozen=True)
class Box:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    role: str = "faint"

    def svg(self) -> Markup:
        return element(
            "rect",
            x=self.x,
            y=self.y,
            width=self.width,
            height=self.height,
            class_=f"f-{self.role}",
        )

    def tikz(self, height: float) -> str:
        low, high = (
            _at(self.x, self.y, height),
            _at(self.x + self.width, self.y + self.height, height),
        )
        return rf"\fill[pb{self.role}, fill opacity=.25] {low} rectangle {high};"


@dataclasses.dataclass(frozen=True)
class Text:
    """Words; `anchor` is start, middle or end."""

    x: float
    y: float
    words: str
    role: str = ""
    anchor: str = "start"
    is_small: bool = False
    is_strong: bool = False

    def svg(self) -> Markup:
        names = [f"t-{self.role}" if self.role else "", "small" * self.is_small]
        names.append("strong" * self.is_strong)
        options = {"class_": " ".join(filter(None, names))} if any(names) else {}
        return element("text", self.words, x=self.x, y=self.y, text_anchor=self.anchor, **options)

    def tikz(self, height: float) -> str:
        side = {"start": "base west", "middle": "base", "end": "base east"}[self.anchor]
        size = r"\tiny" if self.is_small else r"\scriptsize"
        colour = f", text=pb{self.role}" if self.role else ""
        words = self.words.translate(_TEX)
        where = _at(self.x, self.y, height)
        return rf"\node[anchor={side}, inner sep=0{colour}, font={size}] at {where} {{{words}}};"


_TEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "%&#_$"},
        **{"^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "≤": r"$\le$", "≥": r"$\ge$"},
        **{"√": r"$\surd$", "·": r"$\cdot$", "±": r"$\pm$", "→": r"$\to$", "∞": r"$\infty$"},
        **{"−": "$-$", "α": r"$\alpha$", "δ": r"$\delta$", "ξ": r"$\xi$", "<": "$<$", ">": "$>$"},  # noqa: RUF001
    }
)

Shape = Line | Box | Text


@dataclasses.dataclass(frozen=True)
class Sketch:
    """A drawing with the words that a screen reader says."""

    title: str
    shapes: tuple[Shape, ...]
    width: float = 420.0
    height: float = 190.0

    def svg(self, *, alone: bool = False) -> Markup:
        """For a page whose style sheet knows the roles, or with a style of its own."""
        style = [element("style", STYLE)] if alone else []
        size = {"width": f"{self.width:.0f}"} if alone else {}
        return element(
            "svg",
            element("title", self.title),
            *style,
            *(shape.svg() for shape in self.shapes),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {self.width:.0f} {self.height:.0f}",
            class_="sketch",
            role="img",
            aria_label=self.title,
            **size,
        )

    def tikz(self) -> str:
        r"""For a LaTeX file with \usepackage{tikz} and `TIKZ_STYLES`."""
        lines = [shape.tikz(self.height) for shape in self.shapes]
        return "\n".join([r"\begin{tikzpicture}", *lines, r"\end{tikzpicture}"])


def _at(x: float, y: float, height: float) -> str:
    return f"({x * _SCALE:.3f},{(height - y) * _SCALE:.3f})"


@dataclasses.dataclass(frozen=True)
class Plot:
    """A rectangle of a sketch with scales, logarithmic ones if asked."""

    left: float
    top: float
    width: float
    height: float
    xs: tuple[float, float]
    ys: tuple[float, float]
    is_log: bool = False

    def at(self, x: float, y: float) -> Point:
        u, v = (self._share(value, *ends) for value, ends in ((x, self.xs), (y, self.ys)))
        return self.left + u * self.width, self.top + (1 - v) * self.height

    def _share(self, value: float, low: float, high: float) -> float:
        if self.is_log:
            value, low, high = (math.log10(each) for each in (value, low, high))
        return min(max((value - low) / (high - low), 0.0), 1.0)

    def curve(self, f: Callable[[float], float], xs: Iterable[float], role: str) -> Line:
        return Line(tuple(self.at(x, f(x)) for x in xs), role)

    def axes(self, across: str, up: str) -> Sequence[Shape]:
        """Two axes with their names."""
        bottom, right = self.top + self.height, self.left + self.width
        corner = ((self.left, self.top), (self.left, bottom), (right, bottom))
        names = [
            Text(right, bottom + 13, across, anchor="end", is_small=True),
            Text(self.left, self.top - 5, up, is_small=True),
        ]
        return (Line(corner, "axis"), *(name for name in names if name.words))
