"""Sliders where a reader can move them, and the same picture where nobody can.

A `Scene` shows as widgets in a live notebook. Its output also carries the picture of the first
choices, so that a page without widgets, or an installation without ipywidgets, is complete.
"""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pbverify.figures.style import Picture


@dataclasses.dataclass(frozen=True)
class Still:
    """A picture that is a PNG file already."""

    content: bytes

    def _repr_png_(self) -> bytes:
        return self.content


Draw = Callable[..., Picture | Still]


@dataclasses.dataclass(frozen=True, repr=False)
class Scene:
    """A drawing function and the values that each of its arguments may take."""

    draw: Draw
    choices: Mapping[str, Sequence[Any]]

    @property
    def first(self) -> Picture | Still:
        """The picture of the first choices."""
        return self.draw(**{name: values[0] for name, values in self.choices.items()})

    def __repr__(self) -> str:
        return f"a picture with sliders for {', '.join(self.choices)}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        still = self.first._repr_png_()
        return {**_widgets(self, still), "image/png": base64.b64encode(still).decode()}


def explore(draw: Draw, **choices: Sequence[Any]) -> Scene:
    """Sliders over the choices of each argument, from the first ones on."""
    return Scene(draw, choices)


def _widgets(scene: Scene, still: bytes) -> Mapping[str, Any]:
    """Sliders above an image, which begins as the still; nothing without ipywidgets."""
    try:
        import ipywidgets
    except ImportError:
        return {}
    sliders = {
        name: ipywidgets.SelectionSlider(
            options=[(str(value), value) for value in sorted(values)],
            value=values[0],
            description=name,
            continuous_update=False,
        )
        for name, values in scene.choices.items()
    }
    image = ipywidgets.Image(value=still, format="png")

    def redraw(_: object) -> None:
        chosen = {name: slider.value for name, slider in sliders.items()}
        image.value = scene.draw(**chosen)._repr_png_()

    for slider in sliders.values():
        slider.observe(redraw, names="value")
    box = ipywidgets.VBox([*sliders.values(), image])
    bundle: Mapping[str, Any] = box._repr_mimebundle_()
    return bundle


def show(pictures: Iterable[object]) -> None:
    """Put several pictures, or other things that display themselves, below a cell."""
    from IPython.display import display

    for each in pictures:
        display(each)  # type: ignore[no-untyped-call]
