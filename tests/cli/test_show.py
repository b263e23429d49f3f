"""`pbverify show`: all that is known of one claim."""

from __future__ import annotations

import dataclasses
import pathlib

import pytest
import sympy

from pbverify.claims.claim import Claim, Kind
from pbverify.claims.closed_forms.bound import Bound, pretty
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.claims.library import session_file
from pbverify.claims.register import Register
from pbverify.claims.strengthenings.survivors import Notes
from pbverify.claims.verdict import (
    ASSUMPTION_COLUMNS,
    Evidence,
    Fate,
    Outcome,
    Verdict,
    load_verdicts,
    save_verdicts,
)
from pbverify.cli import execute
from pbverify.report.sheets import strength_facts


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
    assert "rests on    the refuted small" in shown("theorem", small_lemmas, capsys)


def test_after_a_session_its_verdicts_count(
    small_session: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then the status follows the verdicts, and the printed command confirms the witness."""
    assert "rests on    the refuted small" in shown("theorem", small_session, capsys)
    lines = shown("small", small_session, capsys).splitlines()
    assert any(line.startswith("witness     any; confirmed by one program;") for line in lines)
    assert any(line.split() == ["margin", "1"] for line in lines)
    [line] = [line for line in lines if line.startswith("again")]
    command = line.removeprefix("again").split()[1:]
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
    assert [(fact.name, fact.text) for fact in strength_facts([one], Notes({}))] == [
        ("stronger", "1 of 3 strengthenings refuted (reading any)"),
        ("", "a: lowered: loose, the largest lhs/rhs met is 0.75"),
        ("", "b: moved: unexplained"),
        ("without", "order: needed (T <= 3)"),
    ]
    assert list(strength_facts([], Notes({}))) == []


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
    lines = pretty(claim, unicode=False, width=80)
    assert lines[-1] == "where D >= 1"
    assert "\n".join(lines).isascii()
    assert pretty(claim, unicode=True, width=80) != lines


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_lines_fit_the_terminal(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line of a statement is longer than the terminal is wide."""
    monkeypatch.setenv("COLUMNS", str(columns))
    text = shown("lem:missing", LEMMAS, capsys)
    assert max(map(len, text.splitlines())) <= columns
    assert max(map(len, text.splitlines())) > columns - 12


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("lem:missing", ["Bound on missing feedback (missing-feedback)"]),
        (
            "thm:main",
            [
                "Main theorem: regret to the safe baseline (safety)",
                "Main theorem: regret to the best arm (regret)",
            ],
        ),
        ("safety", ["Main theorem: regret to the safe baseline (safety)"]),
    ],
)
def test_labels_and_findings_are_told(
    name: str, titles: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A label of the paper and the id of a finding show the statement, the gravest first."""
    lines = shown(name, LEMMAS, capsys).splitlines()
    assert [line for line in lines if line in titles] == titles
    assert sum(line.startswith("as printed") for line in lines) == len(titles)
    assert any("REFUTED" in line for line in lines)


def test_what_ids_begin_with_names_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    """`show global` lists the claims of that name, under the findings they belong to."""
    text = shown("global", LEMMAS, capsys)
    register = Register.load(LEMMAS / "paper.toml")
    own = [id for id in register.rows if id.startswith("global/")]
    assert own
    assert all(f" {id} " in text for id in own)


def test_a_proof_is_printed_on_request(
    small_session: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By default its length is told; --proof prints the lines that the verdict has."""
    path = session_file(small_session)
    found = load_verdicts(path)
    proved = [dataclasses.replace(v, proof=("first", "  second")) for v in found.verdicts]
    save_verdicts(path, proved, profile=found.profile)
    assert "--proof` prints its 2 lines" in shown("theorem", small_session, capsys)
    assert execute(["show", "theorem", "--proof", "--lemmas", str(small_session)]) == 0
    assert "proof       first\n              second" in capsys.readouterr().out


def test_a_lost_witness_is_told(
    small_session: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the file of a witness is gone, the sheet says so and goes on."""
    for path in (small_session.parent / ".pbverify" / "witnesses").iterdir():
        path.unlink()
    assert "Cannot find the witness file" in shown("small", small_session, capsys)
