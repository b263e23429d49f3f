"""The album leaves nothing refuted out."""

from __future__ import annotations

from pbverify.figures.notebook.collection import (
    REST,
    SECTIONS,
    Album,
    kept_here,
    library_here,
    section_of,
)
from pbverify.figures.notebook.counterexamples import refuted_ids, witnesses_in


def test_every_refuted_claim_has_a_case() -> None:
    """One file each, and none beside.

    If this fails: `pbverify verify`, then
    `python -m pbverify.figures.notebook.keep_witnesses .pbverify/witnesses notebooks/witnesses`.
    """
    assert sorted(witnesses_in(kept_here())) == sorted(refuted_ids(library_here()))


def test_sections_cover_everything() -> None:
    """A claim that fits no beginning belongs to the rest; the first fitting section counts."""
    assert section_of("banker-regret/untuned") == "credits and mirror steps"
    assert section_of("corollary/linear-total-delay") == "lower bound"
    assert section_of("corollary/no-delay") == "theorem"
    assert section_of("something-new") == REST
    assert REST not in SECTIONS


def test_an_album_knows_what_is_missing() -> None:
    """Refuted claims without a case are named."""
    empty = Album(library_here(), ())
    assert "missing-feedback" in empty.missing
    assert empty.section(REST) == []
    assert empty.rows() == []
