"""The third notebook: refuted claims computed again, their repairs and their pictures."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.library import Library
from pbverify.claims.register import Register, Row
from pbverify.claims.verdict import Outcome, Witness
from pbverify.errors import FileError
from pbverify.figures.notebook import collection, pictures
from pbverify.figures.notebook import counterexamples as cx
from pbverify.paper.algorithm.readings import PRESETS
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.lower_bound.simulation import Convention
from pbverify.paper.pictures.mechanisms import names
from pbverify.paper.sorts import PHASES

FALLS, STANDS = {"any": Outcome.REFUTED}, {"any": Outcome.HOLDS}


def first_is_short(phase: DelayedPhase) -> Iterator[Pair]:
    yield Pair(phase.local_delays[0], 1, where={"t": 1})


def first_is_below_total(phase: DelayedPhase) -> Iterator[Pair]:
    yield Pair(phase.local_delays[0], phase.total_delay, where={"t": 1})


def claim(id: str, then: object) -> Claim[DelayedPhase]:
    return Claim(id, Kind.COMBINATORIAL, id, then=(then,), about=PHASES)  # type: ignore[arg-type]


def row(id: str, expected: dict[str, Outcome]) -> Row:
    return Row(id, "", "", Kind.COMBINATORIAL, "stated", (), expected, f"why {id}")


def library() -> Library:
    claims = [claim("small", first_is_short), claim("small@repaired", first_is_below_total)]
    rows = [row("small", FALLS), row("small@repaired", STANDS)]
    register = Register({each.id: each for each in rows})
    return Library(register, {each.id: (each,) for each in claims}, {})


def witness(first: int) -> Witness:
    parameters = {"parameters": {"delays": [first, 1], "start": 1, "end": 2}}
    return Witness("small", None, parameters, {"t": 1}, str(first), "1", str(first - 1))


def test_both_sides_are_computed_again() -> None:
    """The printed claim fails on the case, its repair holds on the same case."""
    found = cx.refutation(library(), witness(3))
    assert (found.printed.lhs, found.printed.rhs) == (3.0, 1.0)
    assert found.repaired is not None
    assert (found.repaired.lhs, found.repaired.rhs) == (3.0, 4.0)
    assert found.erratum == "why small"


def test_a_repair_that_fails_on_the_case_is_not_drawn() -> None:
    """What speaks about other cases only is never shown as holding here."""
    broken = claim("small@repaired", first_is_short)
    known = library()
    with_broken = dataclasses.replace(known, claims={**known.claims, broken.id: (broken,)})
    assert cx.refutation(with_broken, witness(3)).repaired is None


def test_a_case_that_refutes_nothing_is_an_error() -> None:
    """Whatever its file states."""
    lying = dataclasses.replace(witness(1), lhs="3")
    with pytest.raises(FileError, match="does not refute"):
        cx.refutation(library(), lying)


def test_one_case_per_claim_is_kept(tmp_path: pathlib.Path) -> None:
    """Cases that refute are copied, stale and needless ones go, kept ones stay as they are."""
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    target.mkdir()
    for first in (1, 3):
        witness(first).save(source / f"{first}.json")
    (target / "stale.json").write_text((source / "1.json").read_text())
    assert cx.collect(library(), source, target).keys() == {"small"}
    [kept] = target.iterdir()
    before = kept.read_bytes()
    assert cx.witnesses_in(target)["small"].lhs == "3"
    witness(4).save(source / "4.json")
    cx.collect(library(), source, target)
    assert kept.read_bytes() == before


def test_repairs_are_tried_in_order() -> None:
    """The repaired form first, then another reading, then the statement that a step belongs to."""
    rows = [
        row("a", {"appendix": Outcome.REFUTED, "repaired": Outcome.HOLDS}),
        row("a@repaired", STANDS),
        row("a/step", FALLS),
    ]
    known = Library(Register({each.id: each for each in rows}), {}, {})
    assert list(cx.repairs_of(known, "a")) == [("a@repaired", None), ("a", "repaired")]
    assert list(cx.repairs_of(known, "a/step")) == [("a@repaired", None)]


def test_readings_are_recognised() -> None:
    """By the options that they share; constants of a witness survive a change of reading."""
    quick = PRESETS["main"].with_options(budget=3).to_json()
    assert cx.reading_name(quick) == "main"
    assert cx.reading_name(None) == "any"
    repaired = cx.mended(quick, "repaired")
    assert repaired == {**PRESETS["repaired"].to_json(), "budget": 3}


def test_stated_sides_are_read() -> None:
    """Enclosures by their middle, rationals as they are."""
    stated = dataclasses.replace(witness(3), lhs="[1.5 +/- 1e-9]", rhs="1/4")
    assert cx.stated_sides([stated]) == [("small", "any", 1.5, 0.25)]


def test_instances_can_be_lengthened() -> None:
    """Rounds are repeated, with their actions if there are any."""
    given = {"losses": [[0, 1]], "delays": [2], "actions": None, "seed": 1}
    assert cx.stretched(given, 2)["delays"] == [2, 2]
    assert cx.stretched({**given, "actions": [1]}, 3)["actions"] == [1, 1, 1]


def test_every_refuted_claim_has_a_case() -> None:
    """One file each, and none beside; an album without cases names what is missing.

    If this fails: `pbverify verify`, then
    `python -m pbverify.figures.notebook.keep_witnesses .pbverify/witnesses notebooks/witnesses`.
    """
    assert cx.refuted_ids(library()) == ["small"]
    shipped = collection.library_here()
    assert sorted(cx.witnesses_in(collection.kept_here())) == sorted(cx.refuted_ids(shipped))
    empty = collection.Album(shipped, ())
    assert "missing-feedback" in empty.missing
    assert empty.section(collection.REST) == []
    assert empty.rows() == []


def test_a_claim_about_rates_has_no_two_sides() -> None:
    """The table shows numbers only where a case has them."""
    shipped = collection.library_here()
    kept = cx.witnesses_in(collection.kept_here())
    ids = ("global/safety-order/hidden", "global/safety-order")
    album = collection.Album(shipped, tuple(cx.refutation(shipped, kept[id]) for id in ids))
    rows = {row["claim"]: row for row in album.rows()}
    assert rows["global/safety-order/hidden"]["left side"] is None
    assert (rows["global/safety-order"]["left side"], rows["global/safety-order"][""]) == (1, "<=")


def test_sections_cover_everything() -> None:
    """A claim that fits no beginning belongs to the rest; the first fitting section counts."""
    assert collection.section_of("banker-regret/untuned") == "credits and mirror steps"
    assert collection.section_of("corollary/linear-total-delay") == "lower bound"
    assert collection.section_of("corollary/no-delay") == "theorem"
    assert collection.section_of("something-new") == collection.REST
    assert collection.REST not in collection.SECTIONS


CHEAP = {
    "banker-pathwise": 2,
    "banker-regret/untuned": 2,
    "banker-regret/inverse-scale-sum": 2,
    "corollary/linear-total-delay/delayed": 3,
    "delay-to-batch/printed-arrival": 2,
    "doubling-estimate": 2,
    "lower-bound/rate": 2,
    "regularity/tsallis/per-path": 3,
}
"""One claim of each kind of subject, and how many panels its picture has."""


@pytest.fixture(scope="module")
def shipped() -> Library:
    return collection.library_here()


@pytest.mark.parametrize("id", CHEAP)
def test_every_kind_of_case_is_drawn(id: str, shipped: Library) -> None:
    """With as many panels as its story needs, and a caption that names claim and reason."""
    case = cx.refutation(shipped, cx.witnesses_in(collection.kept_here())[id])
    drawn = pictures.figure(case)
    assert len(drawn.axes) == CHEAP[id]
    assert drawn.get_supxlabel().startswith(id)
    assert case.erratum in pictures.caption_of(case)


def test_a_long_case_is_told_and_its_mechanism_drawn(shipped: Library) -> None:
    """Its statement's drawing stands beside the sides; the caption has the case, cut nowhere."""
    kept = cx.witnesses_in(collection.kept_here())
    for id, panels in (("global/safety", 2), ("extinction-phase", 2), ("experiment/blocks", 1)):
        case = cx.refutation(shipped, kept[id])
        assert len(pictures.figure(case).axes) == panels, id
        caption = pictures.caption_of(case)
        assert "..." not in caption.replace(case.printed.claim.statement, "")
        assert "The case: " in caption or "rounds" in caption or " arms" in caption


def test_other_mechanisms_belong_to_refuted_claims(shipped: Library) -> None:
    """The exceptions name claims that are refuted, and drawings that exist."""
    assert pictures.MECHANISMS.keys() <= set(cx.refuted_ids(shipped))
    assert set(pictures.MECHANISMS.values()) - {""} <= set(names())


def test_a_slope_follows_its_ratio() -> None:
    """Down where the ratio falls, up where it rises, none where none is known."""
    rising, falling = np.array([1.0, 2.0]), np.array([2.0, 1.0])
    half = Fraction(1, 2)
    assert pictures._directed(half, rising) == half == pictures._directed(-half, rising)
    assert pictures._directed(half, falling) == -half
    assert pictures._directed(None, rising) is None


def test_bars_show_printed_and_repaired(shipped: Library) -> None:
    """The printed form fails, the repaired one holds, on the same case."""
    case = cx.refutation(
        shipped, cx.witnesses_in(collection.kept_here())["banker-regret/inverse-scale-sum"]
    )
    printed, repaired = pictures.forms_of(case)
    assert printed.lhs > printed.rhs
    assert repaired.lhs <= repaired.rhs
    assert (printed.holds, repaired.holds) == (False, True)


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("banker-pathwise", "step of the proof"),
        ("lower-bound/rate", "printed nowhere"),
        ("doubling-estimate", "as printed"),
    ],
)
def test_a_picture_says_whose_claim_fails(id: str, name: str, shipped: Library) -> None:
    """Only what the paper states is called printed."""
    case = cx.refutation(shipped, cx.witnesses_in(collection.kept_here())[id])
    assert pictures.name_of(case) == name
    assert pictures.forms_of(case)[0].name == name
    assert f" {name.capitalize()}: " in pictures.caption_of(case)


def test_stated_numbers_keep_relation_and_radius(shipped: Library) -> None:
    """An equality is shown as one, and a sampled side with its interval."""
    kept = cx.witnesses_in(collection.kept_here())
    blocks = cx.refutation(shipped, kept["experiment/blocks"]).printed
    assert (blocks.lhs, blocks.relation, blocks.rhs, blocks.radius) == (496, "=", 500, 0)
    sampled = cx.refutation(shipped, kept["corollary/no-delay"]).printed
    assert sampled.relation == "≤"
    assert sampled.lhs - sampled.radius > sampled.rhs


def test_statements_that_fail_are_told_and_drawn(shipped: Library) -> None:
    """In order of their consequence, each with its drawing, as HTML and as text."""
    found = collection.Album(shipped, ()).findings()
    assert [each.finding.rank for each in found] == sorted(each.finding.rank for each in found)
    for each in found:
        page = each._repr_html_()
        assert "<svg" in page
        assert each.finding.title in repr(each)


def test_missing_losses_depend_on_the_convention() -> None:
    """Delays of one round are no delays if feedback counts in round u + d_u."""
    assert pictures.missing((1, 1, 1), Convention.BEFORE) == [0, 0, 0]
    assert pictures.missing((1, 1, 1), Convention.AFTER) == [0, 1, 1]
