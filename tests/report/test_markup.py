"""Markup, typeset statements and the graph, built from parts that may hold anything."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from pbverify.report.markup import element, joined
from pbverify.report.mathml import typeset
from pbverify.report.site.graph import Node, columns, drawing, parts
from pbverify.report.tex import typeset_prose

TEXT = st.text(st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc")))


@given(TEXT, TEXT)
def test_whatever_goes_in_comes_out_as_text(child: str, attribute: str) -> None:
    """A parser finds one element with exactly the given child and attribute."""
    parsed = ElementTree.fromstring(element("p", child, title=attribute))
    assert (parsed.tag, parsed.text or "", parsed.get("title")) == ("p", child, attribute)
    assert list(parsed) == []


def test_markup_is_not_escaped_twice() -> None:
    """Elements nest, plain text is escaped; names drop their underscore, coordinates are short."""
    assert element("b", element("i", "<")) == Markup("<b><i>&lt;</i></b>")
    assert joined(element("i", "x"), "<") == Markup("<i>x</i>&lt;")
    assert element("a", class_="x", aria_label="y") == '<a class="x" aria-label="y"></a>'
    assert element("a", x=1 / 3, y=2.0, z=7) == '<a x="0.33" y="2" z="7"></a>'


NOTATION = st.lists(
    st.sampled_from(["M", "_", "^", "t", "(", ")", "{", "}", "<=", "<", ">", "~", "sqrt", "sum"])
    | st.sampled_from(
        ["d_end", "alpha", "over", " ", "...", "R-hat", "2", ",", "log2", "/", "[", "]"]
    )
).map("".join)


def parsed(statement: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<p>{typeset(statement)}</p>")


@given(TEXT | NOTATION)
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
        ("sqrt y_i", "<msqrt><msub><mi>y</mi><mi>i</mi></msub></msqrt>"),
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
    """Words are plain text; a chain of inequalities is several formulas, which can wrap."""
    assert typeset("for every phase of a stage") == "for every phase of a stage"
    assert typeset("sum over r").startswith("sum over ")
    assert str(typeset("a <= b <= c")).count("<math>") == 3


def test_formulas_in_plain_sentences_are_typeset() -> None:
    """The words of a finding stay; its formulas become MathML, and nothing is markup by chance."""
    shown = str(typeset_prose("The regret is <= sqrt(D)/delta, with x^c <b>."))
    assert shown.startswith("The regret is <math")
    for part in ("<msqrt>", "&#x003B4;", "<msup>", "&#x0003C;"):
        assert part in shown
    assert "<b>" not in shown
    assert typeset_prose("Nothing fails.") == "Nothing fails."


def test_endless_statements_are_shown_as_they_are() -> None:
    """Very long or deeply nested texts are not parsed."""
    assert typeset("(" * 500) == f"<span>{'(' * 500}</span>"
    assert "<math>" not in typeset("x" * 3000 + " <= 1")


def node(id: str, *uses: str, outcome: str = "HOLDS", shaken: bool = False) -> Node:
    return Node(id, id, f"claims.html#{id}", outcome, uses, shaken)


CHAIN = [
    node("theorem", "lemma", "fact", shaken=True),
    node("lemma", "fact", outcome="UNDECIDED", shaken=True),
    node("fact", outcome="REFUTED"),
]


def classes(nodes: list[Node]) -> list[str]:
    root = ElementTree.fromstring(drawing(nodes))
    return [element.get("class") or "" for element in root.iter()]


def test_a_claim_stands_right_of_what_it_uses() -> None:
    """And as far to the right as its users allow, so that lines are short."""
    assert columns(CHAIN) == {"fact": 0, "lemma": 1, "theorem": 2}
    late = [*CHAIN[1:], node("theorem", "lemma", "detail"), node("detail")]
    assert columns(late)["detail"] == 1


def test_parts_are_drawn_apart_and_loners_not_at_all() -> None:
    """Connected claims stay together, the largest part first; a map shows the loners too."""
    found = parts([node("alone"), node("x", "y"), node("y"), *CHAIN, node("self", "self")])
    assert [[n.id for n in part] for part in found] == [["theorem", "lemma", "fact"], ["x", "y"]]
    assert "alone" not in drawing([*CHAIN, node("alone")])
    assert "alone" in drawing([*CHAIN, node("alone")], with_loners=True)


def test_no_two_boxes_overlap() -> None:
    """Claims of a column stand below one another, also over several parts."""
    many = [node(f"u{i}", f"v{i % 3}", f"w{i % 2}") for i in range(12)]
    many += [node(f"{kind}{i}") for kind in "vw" for i in range(3)]
    root = ElementTree.fromstring(drawing([*many, *CHAIN]))
    places = [(e.get("x"), e.get("y")) for e in root.iter("rect")]
    assert len(places) == len(set(places)) == 20


def test_every_use_is_an_edge_and_every_claim_a_link() -> None:
    """Nodes link to their rows; colour is the outcome, frame and edges what is shaken."""
    links = [element.get("href") for element in ElementTree.fromstring(drawing(CHAIN)).iter("a")]
    assert sorted(links, key=str) == [f"claims.html#{id}" for id in ("fact", "lemma", "theorem")]
    assert classes(CHAIN).count("edge bad") == 3
    found = {"node holds shaken", "node undecided shaken", "node refuted"}
    assert found <= set(classes(CHAIN))


def test_unknown_uses_and_cycles_are_drawn_without_end() -> None:
    """Rows from outside may name strangers or each other, hold anything, or not be there."""
    wild = [node("a", "b", "stranger"), node("b", "a"), node("c", "c")]
    assert classes(wild).count("edge") == 2
    assert drawing([]).startswith("<svg")
    assert "<script>" not in drawing([node("<script>", "x"), node("x")])
