"""Statements typeset."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbverify.report.mathml import typeset

ANYTHING = st.text(st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc")))
NOTATION = st.lists(
    st.sampled_from(["M", "_", "^", "t", "(", ")", "{", "}", "<=", "<", ">", "~", "sqrt", "sum"])
    | st.sampled_from(
        ["d_end", "alpha", "over", " ", "...", "R-hat", "2", ",", "log2", "/", "[", "]"]
    )
).map("".join)


def parsed(statement: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<p>{typeset(statement)}</p>")


@given(ANYTHING | NOTATION)
def test_typesetting_never_fails(statement: str) -> None:
    """Any text becomes well-formed markup without a script."""
    assert parsed(statement).find(".//script") is None


@given(st.text("abcxyz012 +-=(),"))
def test_no_letter_or_digit_is_lost(statement: str) -> None:
    """What can be read in the statement can be read on the page."""
    shown = "".join(parsed(statement).itertext())
    assert [c for c in shown if c.isalnum()] == [c for c in statement if c.isalnum()]


@pytest.mark.parametrize(
    ("statement", "inside"),
    [
        ("M_t(s) <= d_end", "<msub><mi>M</mi><mi>t</mi></msub>"),
        ("a <= b", "<mo>≤</mo>"),
        ("L_m^2", "<msubsup><mi>L</mi><mi>m</mi><mn>2</mn></msubsup>"),
        ("D^_(s+1)", "<mrow><mi>s</mi><mo>+</mo><mn>1</mn></mrow></msub>"),
        ("R-hat", '<mover accent="true"><mi>R</mi>'),
        ("z~_t", '<mo stretchy="false">~</mo></mover><mi>t</mi></msub>'),
        ("3 sqrt N", "<mn>3</mn><msqrt><mi>N</mi></msqrt>"),
        ("sqrt(8 D + 1)", "<msqrt><mrow><mn>8</mn><mi>D</mi><mo>+</mo><mn>1</mn></mrow></msqrt>"),
        ("sigma_t", "<mi>σ</mi>"),  # noqa: RUF001
        ("C1", "<msub><mi>C</mi><mn>1</mn></msub>"),
        ("<l_t, x>", "<mo>⟨</mo>"),
        ("sum v_u", "<mo>∑</mo>"),
        ("d_s + ... + d_t", "<mo>⋯</mo>"),
    ],
)
def test_the_notation_of_the_lemma_files(statement: str, inside: str) -> None:
    """Each sign of the notation has its element."""
    assert inside in typeset(statement)


def test_prose_stays_prose() -> None:
    """Words outside formulas are plain text that can break over lines."""
    assert typeset("for every phase of a stage") == "for every phase of a stage"
    assert typeset("sum over r").startswith("sum over ")


def test_formulas_break_between_relations() -> None:
    """A chain of inequalities is several formulas, so that a phone can wrap it."""
    assert str(typeset("a <= b <= c")).count("<math>") == 3


def test_endless_statements_are_shown_as_they_are() -> None:
    """Very long or deeply nested texts are not parsed."""
    assert typeset("(" * 500) == f"<span>{'(' * 500}</span>"
    assert "<math>" not in typeset("x" * 3000 + " <= 1")
