"""Pictures of refuted claims, by what they speak about."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.claims.library import Library
from pbverify.figures.notebook.collection import library_here
from pbverify.figures.notebook.counterexamples import refutation, witnesses_in
from pbverify.figures.notebook.pictures import caption_of, figure, forms_of, missing
from pbverify.paper.lower_bound.simulation import Convention

KEPT = pathlib.Path(__file__).parents[3] / "notebooks" / "witnesses"
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
def library() -> Library:
    return library_here()


@pytest.mark.parametrize("id", CHEAP)
def test_every_kind_of_case_is_drawn(id: str, library: Library) -> None:
    """With as many panels as its story needs, and a caption that names claim and reason."""
    case = refutation(library, witnesses_in(KEPT)[id])
    drawn = figure(case)
    assert len(drawn.axes) == CHEAP[id]
    assert drawn.get_supxlabel().startswith(id)
    assert case.erratum in caption_of(case)


def test_bars_show_printed_and_repaired(library: Library) -> None:
    """The printed form fails, the repaired one holds, on the same case."""
    case = refutation(library, witnesses_in(KEPT)["banker-regret/inverse-scale-sum"])
    printed, repaired = forms_of(case)
    assert printed.lhs > printed.rhs
    assert repaired.lhs <= repaired.rhs
    assert (printed.holds, repaired.holds) == (False, True)


def test_missing_losses_depend_on_the_convention() -> None:
    """Delays of one round are no delays if feedback counts in round u + d_u."""
    assert missing((1, 1, 1), Convention.BEFORE) == [0, 0, 0]
    assert missing((1, 1, 1), Convention.AFTER) == [0, 1, 1]
