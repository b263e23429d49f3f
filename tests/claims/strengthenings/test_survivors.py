"""Explanations of strengthenings that survive."""

from __future__ import annotations

import dataclasses
import pathlib

import pytest

from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.closed_forms.strengthenings import scaled, variants, wider
from pbverify.claims.library import Library
from pbverify.claims.strengthenings.survivors import Note, Notes, Why, automatic
from pbverify.claims.verdict import Evidence, Fate, Outcome, Verdict, refuted_share
from pbverify.errors import InputError
from pbverify.prover.inequalities import Outcome as ProofOutcome
from pbverify.report.strength import UNEXPLAINED, strengths, survival

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"
SHIPPED = Notes.load(LEMMAS)
VERDICT = Verdict(
    "c",
    "any",
    Outcome.HOLDS,
    Evidence.SURVIVED,
    cases=1,
    applicable=1,
    statement="",
    strengthenings={
        "a: halved": Fate.REFUTED,
        "a: lowered": Fate.SURVIVED,
        "a: strict": Fate.SURVIVED,
        "without it": Fate.SURVIVED,
    },
    tightness={"a": 0.75},
)


def kind(note: Note | None) -> str:
    return note.kind.value if note else ""


def test_numbers_explain_loose_bounds() -> None:
    """A ratio that a change would need explains its survival; nothing else is explained by it."""
    assert automatic(VERDICT, "a: lowered") == Note(Why.LOOSE, "the largest lhs/rhs met is 0.75")
    assert kind(automatic(VERDICT, "a: strict")) == "loose"
    assert automatic(VERDICT, "without it") is None
    tight = dataclasses.replace(VERDICT, tightness={"a": 1.0})
    assert automatic(tight, "a: strict") is None
    near = automatic(dataclasses.replace(VERDICT, tightness={"a": 1 - 1e-6}), "a: strict")
    assert near == Note(Why.LOOSE, "the largest lhs/rhs met is 1 - 1e-06")


def test_touching_pairs_and_samples_explain_strictness() -> None:
    """Enclosures that touch, and samples, never tell < from <=."""
    touching = dataclasses.replace(VERDICT, tightness={"a": 1.0}, touching=3)
    assert kind(automatic(touching, "a: strict")) == "touching"
    sample = dataclasses.replace(VERDICT, tightness={}, evidence=Evidence.CONFIDENCE)
    assert kind(automatic(sample, "a: strict")) == "loose"
    assert automatic(sample, "without it") is None


def test_a_note_covers_weaker_changes_if_it_says_true() -> None:
    """What is true when lowered is true when strict; a gap covers itself, a refuted one nothing."""
    true = Notes({("c", "a: lowered"): Note(Why.TRUE, "proof")})
    assert true.on(VERDICT, "a: strict") == Note(Why.TRUE, "proof")
    gap = Notes({("c", "a: lowered"): Note(Why.GAP, "short")})
    assert kind(gap.on(VERDICT, "a: lowered")) == "gap"
    assert kind(gap.on(VERDICT, "a: strict")) == "loose"
    elsewhere = Notes({("c", "a: halved"): Note(Why.TRUE, "under another reading")})
    assert kind(elsewhere.on(VERDICT, "a: lowered")) == "loose"


def test_a_note_may_be_about_one_reading(tmp_path: pathlib.Path) -> None:
    """It covers weaker changes under that reading only, where it comes before a general one."""
    own, general = '["c[main]"]\n"a: lowered" = "true: p"\n', '["c"]\n"a: lowered" = "gap: q"\n'
    (tmp_path / "mutants.toml").write_text(own + general)
    notes, main = Notes.load(tmp_path), dataclasses.replace(VERDICT, reading="main")
    assert [kind(notes.on(main, f"a: {name}")) for name in ("lowered", "strict")] == ["true"] * 2
    assert kind(notes.on(VERDICT, "a: lowered")) == "gap"
    assert notes.stale([VERDICT]) == [("c[main]", "a: lowered")]
    assert notes.stale([main]) == []


def test_the_counts_keep_the_reasons_apart() -> None:
    """The share leaves out only what is known to be true or equivalent."""
    notes = Notes({("c", "a: lowered"): Note(Why.TRUE, "proof")})
    found = survival(strengths([VERDICT], notes.explained([VERDICT])))
    assert found.counts == {"refuted": 1, "true": 2, UNEXPLAINED: 1}
    assert (sum(found.counts.values()), found.share) == (4, "50.0 %")
    assert refuted_share(found.refuted, found.survived) == 0.5
    assert refuted_share(0, {}) is None


def test_stale_notes_are_found() -> None:
    """A note on a strengthening that fell, or that is unknown, is stale."""
    notes = Notes({("c", "a: halved"): Note(Why.TRUE, ""), ("c", "a: strict"): Note(Why.TRUE, "")})
    assert notes.stale([VERDICT]) == [("c", "a: halved")]


def test_a_note_may_be_about_every_claim() -> None:
    """A star stands for all claims, and is never stale."""
    notes = Notes({("*", "without it"): Note(Why.EQUIVALENT, "technical")})
    assert kind(notes.on(VERDICT, "without it")) == "equivalent"
    assert notes.stale([]) == []


def test_survivors_are_explained_for_a_report() -> None:
    """By claim, reading and strengthening; what is unexplained is left out."""
    found = Notes({}).explained([VERDICT])
    assert found["c", "any", "a: lowered"] == ("loose", "the largest lhs/rhs met is 0.75")
    assert ("c", "any", "without it") not in found


def test_an_unknown_kind_is_refused(tmp_path: pathlib.Path) -> None:
    """With the kinds that there are; a folder without notes has none."""
    assert Notes.load(tmp_path).written == {}
    (tmp_path / "mutants.toml").write_text('["c"]\n"m" = "maybe: it is"\n')
    with pytest.raises(InputError, match="one of equivalent, true"):
        Notes.load(tmp_path)


def test_what_the_notes_call_proved_is_proved() -> None:
    """The prover settles every strengthening of a closed form that a note leaves to it."""
    library = Library.load(LEMMAS)
    noted = [key for key, note in SHIPPED.written.items() if note.why == "by the prover"]
    assert len(noted) > 40
    for id, strengthening in noted:
        bounds = (bound for claim in library.claims[id] for bound in claim.then)
        [found] = [
            variant.bound
            for bound in bounds
            if isinstance(bound, Bound)
            for variant in (*scaled(bound), *variants(bound), *wider(bound))
            if variant.name == strengthening
        ]
        assert found.proof().outcome is ProofOutcome.PROVED, (id, strengthening)
