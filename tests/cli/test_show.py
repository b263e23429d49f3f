"""`pbverify show`: all that is known of one claim."""

from __future__ import annotations

import pathlib

import pytest
import sympy

from pbverify.claims.claim import Claim, Kind
from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.claims.strengthenings.survivors import Notes
from pbverify.claims.verdict import ASSUMPTION_COLUMNS, Evidence, Fate, Outcome, Verdict
from pbverify.cli import execute
from pbverify.cli.show import strength_lines, typeset


def shown(claim: str, folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert execute(["show", claim, "--lemmas", str(folder)]) == 0
    return capsys.readouterr().out


def test_before_any_session(small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Statement, place, expectation, erratum, uses and repair come from register and files."""
    text = shown("small", small_lemmas, capsys)
    for part in ("d_s <= 1", "nowhere", "any: REFUTED", "A first delay may be long."):
        assert part in text
    assert "used by     theorem" in text
    assert "repaired as small@repaired" in text
    assert "none yet" in text


def test_a_theorem_says_what_it_rests_on(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before any session the status is that of the register, through all uses."""
    assert "rests on the refuted small" in shown("theorem", small_lemmas, capsys)


def test_after_a_session_its_verdicts_count(
    small_session: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then the status follows the verdicts, and the printed command confirms the witness."""
    assert "rests on the refuted small" in shown("theorem", small_session, capsys)
    lines = shown("small", small_session, capsys).splitlines()
    assert any(line.startswith("witness     any; confirmed by one program;") for line in lines)
    assert any(line.split() == ["margin", "1"] for line in lines)
    [line] = [line for line in lines if line.startswith("again")]
    command = line.removeprefix("again: pbverify ").split()
    assert execute([*command, "--lemmas", str(small_session)]) == 0


def test_strengthenings_and_assumptions_are_listed() -> None:
    """Survivors with their reasons, or that there is none; assumptions once for all readings."""
    row = dict(zip(ASSUMPTION_COLUMNS, ("order", "needed", "T <= 3", ""), strict=True))
    strengthenings = {
        "a: halved": Fate.REFUTED,
        "a: lowered": Fate.SURVIVED,
        "b: moved": Fate.SURVIVED,
    }
    one = Verdict(
        *("c", "any", Outcome.HOLDS, Evidence.SURVIVED, 1, 1, ""),
        strengthenings=strengthenings,
        tightness={"a": 0.75},
        assumptions=(row,),
    )
    assert list(strength_lines([one], Notes({}))) == [
        "\nstronger    1 of 3 strengthenings refuted (reading any)",
        "            a: lowered: loose, the largest lhs/rhs met is 0.75",
        "            b: moved: unexplained",
        "without     order: needed (T <= 3)",
    ]
    assert list(strength_lines([], Notes({}))) == []


def test_an_unknown_claim_is_one_line(
    small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An id that the register does not have exits with 2."""
    assert execute(["show", "large", "--lemmas", str(small_lemmas)]) == 2
    assert "claim=large" in capsys.readouterr().err


LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"


def test_formulas_are_typeset(capsys: pytest.CaptureFixture[str]) -> None:
    """A closed-form claim shows its formula in two dimensions, with its domain."""
    text = shown("normal-phase/lost-parentheses", LEMMAS, capsys)
    lines = text.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("formula"))
    formula = "\n".join(lines[first : first + 6])
    assert "\u221a" in formula or "\\/" in formula
    assert "\u2264" in formula or "<=" in formula
    assert "where D >= 1" in formula


def test_formulas_do_without_unicode() -> None:
    """A terminal that knows ASCII only gets ASCII."""
    D = sympy.Symbol("D", positive=True)
    claim = Claim(
        "x",
        Kind.CLOSED_FORM,
        "",
        then=(Bound("b", sympy.sqrt(D), 2 * D, ("D >= 1",)),),
        about=POINTS,
    )
    lines = typeset(claim, unicode=False)
    assert lines[-1] == "where D >= 1"
    assert "\n".join(lines).isascii()
    assert typeset(claim, unicode=True) != lines
