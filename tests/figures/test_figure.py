"""The three-row picture."""

from __future__ import annotations

import struct

from pbverify.figures.experiment import STYLES, three_rows
from pbverify.paper.experiment.learners import TITLES
from pbverify.paper.experiment.plan import Experiment


def test_a_picture_has_its_size(small_experiment: Experiment) -> None:
    """A PNG file of 1300 by 920 dots, up to rounding (the command's test compares its bytes)."""
    own = small_experiment.plan.prudent("appendix")
    picture = three_rows(small_experiment, own, caption="caption")
    assert picture.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", picture[16:24])
    assert width == 1300
    assert abs(height - 920) <= 1


def test_lines_differ_in_colour_and_dashes() -> None:
    """No two learners share a colour or a dash pattern."""
    assert STYLES.keys() == TITLES.keys()
    for property in ("color", "linestyle"):
        assert len({str(style[property]) for style in STYLES.values()}) == len(STYLES)
