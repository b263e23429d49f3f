"""What the page shows, before it is laid out."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from pbverify.claims.verdict import Outcome, Witness
from pbverify.paper.pictures import drawings
from pbverify.report import Material
from pbverify.report.view import anchor, subject_of, view_of


def witness(**parameters: Any) -> Witness:
    return Witness("x", None, {"parameters": parameters}, {"t": 1}, "2", "1", "1")


def test_lines_follow_the_register(material: Material) -> None:
    """Claims come in the order of the register, unregistered ones last."""
    stray = dataclasses.replace(material.verdicts[0], claim="stray")
    view = view_of(dataclasses.replace(material, verdicts=[stray, *material.verdicts]))
    assert [line.verdict.claim for line in view.lines] == [
        *("lemma", "lemma@repaired", "lemma/run", "theorem", "open", "stray")
    ]


def test_counts_and_what_is_missing(material: Material) -> None:
    """Outcomes are counted, worst first; claims without a verdict are listed."""
    view = view_of(material)
    assert list(view.counts.items()) == [("REFUTED", 2), ("UNDECIDED", 1), ("HOLDS", 2)]
    assert [row["id"] for row in view.unjudged] == ["later"]


def test_verdicts_are_grouped_by_statement(material: Material) -> None:
    """A statement, its variants, steps and repairs are one group, with its outcomes."""
    view = view_of(material)
    assert [group.name for group in view.groups] == ["lemma", "theorem", "open"]
    assert view.groups[0].counts == {"REFUTED": 2, "HOLDS": 1}
    assert dict(view.opinions) == {"confirmed by two programs": 2}


@pytest.mark.parametrize(
    ("fidelity", "outcome", "folded"),
    [
        ("proof step", Outcome.HOLDS, 1),
        ("stated", Outcome.HOLDS, 0),
        ("proof step", Outcome.UNDECIDED, 0),
    ],
)
def test_only_steps_that_hold_may_be_folded(
    fidelity: str, outcome: Outcome, folded: int, material: Material
) -> None:
    """Whatever falls, is open or is stated stays in sight."""
    row = {**material.rows[0], "fidelity": fidelity}
    verdict = dataclasses.replace(material.verdicts[2], claim="lemma", outcome=outcome)
    [group] = view_of(dataclasses.replace(material, rows=[row], verdicts=[verdict])).groups
    assert group.steps == folded


def test_an_unexpected_verdict_is_marked(material: Material) -> None:
    """The register expects HOLDS of all: what differs says so."""
    marked = {line.verdict.claim for line in view_of(material).lines if not line.is_expected}
    assert marked == {"lemma", "open"}


@pytest.mark.parametrize(("ratio", "bar"), [(None, None), (0.5, 50), (7.0, 100), (-1.0, 0)])
def test_the_bar_is_the_tightness(ratio: float | None, bar: int | None, material: Material) -> None:
    """The bar is full when a bound is attained, and missing without a ratio."""
    verdict = dataclasses.replace(material.verdicts[0], worst_ratio=ratio)
    [line] = view_of(dataclasses.replace(material, verdicts=[verdict])).lines
    assert line.bar == bar


def test_a_disagreement_is_shown_with_the_counterexamples(material: Material) -> None:
    """A verdict that engine and checker dispute has a card of its own."""
    disputed = dataclasses.replace(
        material.verdicts[1], outcome=Outcome.UNDECIDED, evidence=None, checker="NOT CONFIRMED"
    )
    [card] = view_of(dataclasses.replace(material, verdicts=[disputed])).refutations
    assert card.line.verdict.checker == "NOT CONFIRMED"


def test_a_refutation_without_its_file_still_has_a_card(material: Material) -> None:
    """Nothing is drawn then, and nothing fails."""
    [first, _] = view_of(dataclasses.replace(material, witnesses={})).refutations
    assert (first.witness, first.pictures, first.where, first.subject) == (None, (), "", [])


@pytest.mark.parametrize("delays", ["no list", [1.5], [None], {"a": 1}, []])
def test_odd_delays_are_not_drawn(delays: Any) -> None:
    """A timeline is drawn of whole numbers only."""
    assert drawings(witness(delays=delays), {}) == []


def test_long_values_are_cut() -> None:
    """A page shows the beginning of what is too long to read."""
    [(key, shown)] = subject_of(witness(delays=list(range(1000))))
    assert key == "delays"
    assert len(shown) < 200


def test_repetitions_are_counted() -> None:
    """A long run of equal entries is one entry with its number; short lists are spelled out."""
    fields = dict(subject_of(witness(delays=[0] * 90 + [2], losses=[[1, 0]] * 4, few=[1, 2])))
    assert fields["delays"] == "[0 (x 90), 2]"
    assert fields["losses"] == "[[1, 0] (x 4)]"
    assert fields["few"] == "[1, 2]"


def test_anchors_are_distinct_and_plain() -> None:
    """Ids that differ in signs alone do not collide, and none breaks out of an attribute."""
    ids = ["a/b", "a-b", "a@b", '"><script>', "é" * 300]
    assert len({anchor(id) for id in ids}) == len(ids)
    assert all(set(anchor(id)) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for id in ids)
