"""Elements of HTML, SVG and MathML as escaped text.

Whatever comes from a file reaches a page only as a child or an attribute of `element`, which
escapes it; markup is never glued together from strings.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

Attribute = str | int | float


def element(tag: str, *children: str, **attributes: Attribute) -> Markup:
    """An element; a trailing underscore of an attribute is dropped, inner ones become hyphens."""
    named = "".join(f' {_name(key)}="{escape(_text(v))}"' for key, v in attributes.items())
    inner = "".join(map(escape, children))
    return Markup(f"<{tag}{named}>{inner}</{tag}>")


def joined(*parts: str) -> Markup:
    """Parts in a row, each escaped unless it is markup already."""
    return Markup("").join(parts)


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _text(value: Attribute) -> str:
    """Numbers with two decimals at most, so that coordinates are short and stable."""
    return f"{round(value, 2):g}" if isinstance(value, float) else str(value)


def picture(width: float, height: float, title: str, children: Sequence[Markup]) -> Markup:
    """An SVG element that scales down with its column and says what it shows."""
    return element(
        "svg",
        element("title", title),
        *children,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        class_="picture",
        role="img",
        aria_label=title,
    )
