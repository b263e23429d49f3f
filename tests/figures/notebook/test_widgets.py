"""Sliders, and the picture without them."""

from __future__ import annotations

import base64
import sys

import pytest

from pbverify.figures.notebook.widgets import Still, explore, show
from pbverify.figures.style import Picture, picture

WIDGET = "application/vnd.jupyter.widget-view+json"


def draw(*, width: int) -> Picture:
    return picture(width, 1.0)


def test_a_scene_carries_widgets_and_a_still() -> None:
    """A page that cannot show widgets shows the picture of the first choices."""
    bundle = explore(draw, width=[3, 2])._repr_mimebundle_()
    assert base64.b64decode(bundle["image/png"]) == draw(width=3)._repr_png_()
    assert WIDGET in bundle


def test_without_widgets_the_still_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where ipywidgets is not installed the picture alone is shown."""
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    bundle = explore(draw, width=[2])._repr_mimebundle_()
    assert list(bundle) == ["image/png"]


def test_scenes_say_what_moves() -> None:
    """Their text names the sliders."""
    assert repr(explore(draw, width=[2])) == "a picture with sliders for width"


def test_several_pictures_are_shown_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each goes to the notebook's display."""
    shown: list[object] = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    stills = [Still(b"1"), Still(b"2")]
    show(stills)
    assert shown == stills
    assert stills[0]._repr_png_() == b"1"
