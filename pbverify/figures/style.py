"""What all figures share: one palette that colour-blind readers can tell apart, captions, size.

The colours are those of Okabe and Ito. A colour always means the same: what a claim says of its two
sides, whether it holds, where an algorithm restarts. Captions are part of the picture, so that it
explains itself wherever it is pasted.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILLION, PURPLE, GREY = "#0072B2", "#D55E00", "#CC79A7", "#7F7F7F"

LHS, RHS = BLUE, ORANGE
HOLDS, FAILS = GREEN, VERMILLION
CYCLE = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK)
DASHES = ("-", "--", "-.", ":")
"""Lines differ in dashes too: a picture survives a printer without colours."""
BANDS = ("#EAF2F8", "#FBF3E2")
"""Neighbouring phases or buckets, as pale backgrounds."""
FAILING = "#F6D9C8"
"""Where a claim fails, as a background."""

Style = dict[str, Any]
"""Keywords of a drawing call."""

DOTS_PER_INCH = 100
_LETTERS_PER_INCH = 14.5


class Picture(Figure):
    """A figure that notebooks show as it is, without a plotting session."""

    def _repr_png_(self) -> bytes:
        return png(self)


def picture(width: float, height: float, *, caption: str = "") -> Picture:
    """An empty picture in inches, with its caption below."""
    figure = Picture(figsize=(width, height), dpi=DOTS_PER_INCH, layout="constrained")
    if caption:
        text = readable(" ".join(caption.split()))
        lines = textwrap.wrap(text, int(width * _LETTERS_PER_INCH))
        place: dict[str, Any] = {"x": 0.01, "ha": "left", "fontsize": 9}
        figure.supxlabel("\n".join(lines), color="#333333", **place)
    return figure


_SIGNS = {
    r"<=": "\u2264",
    r">=": "\u2265",
    r"sqrt\(": "\u221a(",
    r"sqrt (?=\w)": "\u221a",
    r"\bsum\b(?= [<1_vou])": "\u03a3",
    r"\b([RDxl])\^(?=[\W_]|$)(?!c)": "\\1\u0302",
    r"\bxi\^": "\u03be\u0302",
    r"z~": "z\u0303",
    **{
        rf"(?<![\w$\\/]){name}(?![a-z]|-[a-z])": letter
        for name, letter in {
            "alpha": "\u03b1",
            "delta": "\u03b4",
            "sigma": "\u03c3",
            "gamma": "\u03b3",
            "Lambda": "\u039b",
        }.items()
    },
}


def readable(text: str) -> str:
    """Plain formulas with the letters and signs of print: R^ with its hat, alpha as a letter."""
    for pattern, sign in _SIGNS.items():
        text = re.sub(pattern, sign, text)
    return text


def png(figure: Figure) -> bytes:
    """The picture as a PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DOTS_PER_INCH)
    return buffer.getvalue()


def plain(axes: Axes, *, title: str = "", x: str = "", y: str = "") -> Axes:
    """Labels, a left-aligned title, and no more frame than needed."""
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def legend(axes: Axes, **place: Any) -> None:
    """A small legend without a box, if anything has a label."""
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize=8, **place)


def without_axes(each: Iterable[Axes]) -> None:
    """Leave places of a grid empty."""
    for axes in each:
        axes.set_axis_off()
