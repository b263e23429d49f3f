"""Markup built from parts that may hold anything."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from pbverify.report.markup import element, joined

TEXT = st.text(st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc")))


@given(TEXT, TEXT)
def test_whatever_goes_in_comes_out_as_text(child: str, attribute: str) -> None:
    """A parser finds one element with exactly the given child and attribute."""
    parsed = ElementTree.fromstring(element("p", child, title=attribute))
    assert (parsed.tag, parsed.text or "", parsed.get("title")) == ("p", child, attribute)
    assert list(parsed) == []


def test_markup_is_not_escaped_twice() -> None:
    """Elements nest, and plain text beside them is escaped."""
    assert element("b", element("i", "<")) == Markup("<b><i>&lt;</i></b>")
    assert joined(element("i", "x"), "<") == Markup("<i>x</i>&lt;")


def test_attribute_names_and_numbers() -> None:
    """Names drop the underscore that keeps them from being keywords; coordinates are short."""
    assert element("a", class_="x", aria_label="y") == '<a class="x" aria-label="y"></a>'
    assert element("a", x=1 / 3, y=2.0, z=7) == '<a x="0.33" y="2" z="7"></a>'
