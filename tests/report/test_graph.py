"""The dependency graph."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from pbverify.report.graph import Node, columns, drawing, parts


def node(id: str, *uses: str, outcome: str = "HOLDS", shaken: bool = False) -> Node:
    return Node(id, f"claim-{id}", outcome, uses, shaken)


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
    """Connected claims stay together, the largest part first."""
    found = parts([node("alone"), node("x", "y"), node("y"), *CHAIN, node("self", "self")])
    assert [[each.id for each in part] for part in found] == [
        ["theorem", "lemma", "fact"],
        ["x", "y"],
    ]


def test_no_two_boxes_overlap() -> None:
    """Claims of a column stand below one another, also over several parts."""
    many = [node(f"u{i}", f"v{i % 3}", f"w{i % 2}") for i in range(12)]
    many += [node(f"{kind}{i}") for kind in "vw" for i in range(3)]
    root = ElementTree.fromstring(drawing([*many, *CHAIN]))
    places = [(e.get("x"), e.get("y")) for e in root.iter("rect")]
    assert len(places) == len(set(places)) == 20


def test_every_use_is_an_edge_and_every_claim_a_link() -> None:
    """Nodes link to their rows; edges from what falls are marked."""
    root = ElementTree.fromstring(drawing(CHAIN))
    links = [element.get("href") for element in root.iter("a")]
    assert sorted(links, key=str) == ["#claim-fact", "#claim-lemma", "#claim-theorem"]
    assert classes(CHAIN).count("edge bad") == 3


def test_colour_is_the_outcome_and_the_frame_what_it_rests_on() -> None:
    """Own outcome and transitive status are told apart."""
    found = classes(CHAIN)
    assert {"node holds shaken", "node undecided shaken", "node refuted"} <= set(found)


def test_unknown_uses_and_cycles_are_drawn_without_end() -> None:
    """Rows from outside may name strangers or each other."""
    wild = [node("a", "b", "stranger"), node("b", "a"), node("c", "c")]
    assert classes(wild).count("edge") == 2


def test_an_empty_register_gives_an_empty_picture() -> None:
    """There is nothing to draw, and no error."""
    assert drawing([]).startswith("<svg")


def test_names_are_escaped() -> None:
    """An id may hold anything."""
    assert "<script>" not in drawing([node("<script>", "x"), node("x")])
