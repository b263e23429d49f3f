"""The palette, captions and the way pictures reach a notebook."""

from __future__ import annotations

import itertools
import struct

import pytest
from matplotlib.colors import to_rgb

from pbverify.figures.style import BLUE, CYCLE, FAILS, HOLDS, LHS, RHS, picture, png, readable

PNG = b"\x89PNG"


def luminance(colour: str) -> float:
    red, green, blue = to_rgb(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_pictures_show_themselves() -> None:
    """A notebook asks a picture for its PNG, at the stated size."""
    content = picture(4.0, 2.0)._repr_png_()
    assert content.startswith(PNG)
    assert struct.unpack(">II", content[16:24]) == (400, 200)


def test_captions_are_part_of_the_picture() -> None:
    """The whole caption is drawn, wrapped to the width."""
    figure = picture(4.0, 3.0, caption="word " * 60)
    label = figure.get_supxlabel()
    assert label.split() == ["word"] * 60
    assert "\n" in label
    assert png(figure).startswith(PNG)


@pytest.mark.parametrize(("one", "other"), [(LHS, RHS), (HOLDS, FAILS), (BLUE, FAILS)])
def test_colours_that_are_compared_differ_in_more_than_hue(one: str, other: str) -> None:
    """Pairs of meanings are told apart along the blue-yellow axis that most readers see."""
    yellow = [sum(to_rgb(colour)[:2]) / 2 - to_rgb(colour)[2] for colour in (one, other)]
    assert abs(yellow[0] - yellow[1]) > 0.25 or abs(luminance(one) - luminance(other)) > 0.2


def test_colours_are_distinct() -> None:
    """No colour of the cycle is repeated."""
    assert all(a != b for a, b in itertools.combinations(CYCLE, 2))


@pytest.mark.parametrize(
    ("plain", "printed"),
    [
        ("R^(D) <= 2 sqrt(D)", "R\u0302(D) \u2264 2 \u221a(D)"),
        ("xi^ and x^_t, alpha < 1", "\u03be\u0302 and x\u0302_t, \u03b1 < 1"),
        ("x^c - x", "x^c - x"),
        ("B_Lambda", "B_Lambda"),
        ("experiment/alpha-without-delay", "experiment/alpha-without-delay"),
    ],
)
def test_formulas_read_well(plain: str, printed: str) -> None:
    """Hats, Greek letters and signs as in print; the comparator keeps its index."""
    assert readable(plain) == printed
