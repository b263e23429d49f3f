"""The audit of the paper: complete, in order, and made of claims that exist."""

from __future__ import annotations

import collections
import pathlib

import pytest

from pbverify.claims.findings import Finding
from pbverify.claims.register import Register
from pbverify.errors import FileError, InputError
from pbverify.report import audit
from pbverify.report.audit import (
    Display,
    displays_in,
    fingerprint,
    is_quoted,
    plain_quote,
    unlisted,
)

LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"
AUDIT = audit.load(LEMMAS / "displays.toml")
REGISTER = Register.load(LEMMAS / "paper.toml")
LINES = {
    "safety": "06a5b3f0",
    "experiment": "a4436da1",
    "price-of-safety": "1c2d9efe",
}
"""Fingerprints of quotes that are no display, which `is_quoted` found in the paper's text."""
PAPER = r"""
\[ before \]
\begin{document}
\[ a
   \le b \]
\begin{equation} \label{eq:c} c \end{equation} text
\begin{align*} d &= e \\ &\le f \end{align*}
\end{document}
\[ after \]
"""
DISPLAYS_PER_SECTION = {
    "Introduction to The Prudent-Banker Algorithm": 5,
    "Main Results and Analysis": 8,
    "Formal Description of Prudent-Banker": 3,
    "Further Insights in Prudent-Banker and in Banker-OMD": 4,
    "Proof Roadmap": 1,
    "Bound on Cumulative Outstanding Delay": 4,
    "Bound on Estimated Total Delay": 4,
    "Regret Guarantee for Banker-OMD": 13,
    "Bound on Missing Feedback Contribution": 12,
    "Regret Bound for Normal Phase": 12,
    "Negative Regret in Extinction Phase": 11,
    "Global Regret and Safety Guarantee": 11,
    "Examples of Different Regularizers": 19,
    "Greedy bucket properties": 12,
    "Safe lower bound for the batched bandit game": 55,
    "Uniform simulation of a delayed bandit algorithm": 24,
    "Delayed safety lower bound": 24,
    "A delay sequence with linear dependence on total delay": 11,
    "Experimental details": 8,
    "Evaluation metrics": 8,
    "Algorithms of the experiment": 16,
    "Interpretation of the figure": 3,
}
"""Counted in the paper's text by hand."""


def test_every_display_is_judged_or_is_no_claim() -> None:
    """Each of the paper's 268 displays names claims of the register, or its role."""
    named = {id for display in AUDIT for id in display.claims}
    assert named - REGISTER.rows.keys() == set()
    assert len(AUDIT) == sum(DISPLAYS_PER_SECTION.values()) == 268


@pytest.mark.parametrize("finding", REGISTER.findings.by_rank(), ids=lambda each: each.id)
def test_quotes_are_printed(finding: Finding) -> None:
    """A finding quotes a whole display, or a line that was compared by hand."""
    found = fingerprint(plain_quote(finding.quote))
    listed = {display.fingerprint for display in AUDIT}
    assert found == LINES[finding.id] if finding.id in LINES else found in listed


def test_quotes_are_sought_letter_by_letter() -> None:
    """White space and the dollar signs of a lone formula do not count; everything else does."""
    for quote in (r"$a \le b$", "$d  &= e$", r"text \begin{align*}"):
        assert is_quoted(PAPER, quote)
    for quote in (r"$a \leq b$", r"$a\le b$", "$f$ and $d$"):
        assert not is_quoted(PAPER, quote)


def test_the_displays_of_each_section_are_counted() -> None:
    """No section lost or gained a display."""
    assert collections.Counter(display.section for display in AUDIT) == DISPLAYS_PER_SECTION


def test_inequalities_are_never_definitions() -> None:
    """A display that states an inequality is judged, unless it is a hypothesis or a range."""
    for display in AUDIT:
        if display.role in ("definition", "quantity"):
            assert not any(sign in display.words for sign in (r"\le ", r"\leq", r"\ge ", r"\geq"))


def test_closed_form_steps_of_the_appendix_are_on_display() -> None:
    """A closed-form step that the paper prints is named by some display."""
    named = {id.partition("@")[0] for display in AUDIT for id in display.claims}
    printed = {
        row.id
        for row in REGISTER.rows.values()
        if row.kind.value == "closed-form"
        and row.fidelity == "proof step"
        and not row.erratum.startswith("Not in the paper")
    }
    assert printed - named == set()


def test_displays_are_found_in_order() -> None:
    """Brackets and environments, with white space made uniform, inside of the document only."""
    assert displays_in(PAPER) == [r"a \le b", r"\label{eq:c} c", r"d &= e \\ &\le f"]


def test_unlisted_displays_are_named() -> None:
    """A display that was added, changed or moved is not in its place."""
    listed = tuple(
        Display("s", fingerprint(each), each, (), "definition") for each in displays_in(PAPER)
    )
    assert unlisted(PAPER, listed) == []
    assert unlisted(PAPER, listed[:2]) == [r"d &= e \\ &\le f"]
    assert unlisted(PAPER.replace("c \\end", "g \\end"), listed) == [r"\label{eq:c} g"]


def test_texts_that_are_no_documents_are_refused() -> None:
    """Another text is an input error."""
    with pytest.raises(InputError, match="a LaTeX document"):
        displays_in("nothing")


@pytest.mark.parametrize(("claims", "role"), [((), ""), (("x",), "definition"), ((), "joke")])
def test_entries_are_checked(claims: tuple[str, ...], role: str) -> None:
    """An entry has claims or a known role, not both and not neither."""
    with pytest.raises(InputError):
        Display("s", "00000000", "a", claims, role)


def test_bad_files_are_named(tmp_path: pathlib.Path) -> None:
    """A missing file and one that is no TOML are told apart."""
    with pytest.raises(FileError, match="Cannot read"):
        audit.load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("[[")
    with pytest.raises(InputError, match="TOML"):
        audit.load(tmp_path / "bad.toml")
