"""The three-row picture."""

from __future__ import annotations

import struct

from pbverify.experiment.contenders import TITLES
from pbverify.experiment.figure import STYLES, three_rows
from pbverify.experiment.plan import Experiment


def test_a_picture_has_its_size(small_experiment: Experiment) -> None:
    """A PNG file of 1300 by 920 dots (the test of the command compares its bytes)."""
    own = small_experiment.plan.prudent("appendix")
    picture = three_rows(small_experiment, own, caption="caption")
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (1300, 920)


def test_lines_differ_in_colour_and_dashes() -> None:
    """No two learners share a colour or a dash pattern."""
    assert STYLES.keys() == TITLES.keys()
    for property in ("color", "linestyle"):
        assert len({str(style[property]) for style in STYLES.values()}) == len(STYLES)
