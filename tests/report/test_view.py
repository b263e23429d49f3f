"""What a page shows before it is laid out: lines, cards, strength and what verdicts rest on."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from pbverify.claims.findings import Cell, Finding, Findings
from pbverify.claims.paper import NO_PAPER
from pbverify.claims.verdict import Evidence, Fate, Outcome, Verdict, Witness
from pbverify.paper import PAPER
from pbverify.paper.pictures import drawings
from pbverify.report import Material
from pbverify.report.dependencies import (
    expected_outcomes,
    foundations,
    repairs_of,
    rests_on,
    shaken_by,
)
from pbverify.report.site.engine_faults import EngineFaults
from pbverify.report.site.material import anchor
from pbverify.report.site.proofs import without_repetitions
from pbverify.report.site.refutations import Sides, subject_of
from pbverify.report.site.view import view_of
from pbverify.report.standing import NOT_JUDGED
from pbverify.report.strength import UNEXPLAINED, assumptions, strengths, survival


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
    """Outcomes are counted, worst first, and by fidelity; what is unexpected or open is marked."""
    view = view_of(material)
    assert list(view.counts.items()) == [("REFUTED", 2), ("UNDECIDED", 1), ("HOLDS", 2)]
    assert [row["id"] for row in view.unjudged] == ["later"]
    assert view.by_fidelity == {
        "stated": {"REFUTED": 1, "UNDECIDED": 1, "HOLDS": 1},
        "proof step": {"REFUTED": 1, "UNDECIDED": 0, "HOLDS": 0},
        "repaired": {"REFUTED": 0, "UNDECIDED": 0, "HOLDS": 1},
    }
    assert view.grades == {"proved": 1, "survived": 1}
    assert dict(view.opinions) == {"confirmed by two programs": 2}
    marked = {line.verdict.claim for line in view.lines if not line.is_expected}
    assert marked == {"lemma", "open"}


def test_statements_are_findings_or_stand_alone(material: Material) -> None:
    """A finding has its claims; a claim without one, judged or not, is a statement of its own."""
    view = view_of(material)
    assert [each.finding.id for each in view.statements] == ["lemma", "theorem", "open", "later"]
    lemma, theorem, _, later = view.statements
    assert {line.verdict.claim for line in lemma.lines} == {"lemma", "lemma@repaired", "lemma/run"}
    assert (lemma.standing.rests_on, lemma.used_by) == ((), ("theorem",))
    assert (theorem.standing.rests_on, theorem.used_by) == (("lemma",), ("later",))
    assert later.standing.status == NOT_JUDGED
    assert [each.finding.id for each in view.failing] == ["lemma"]


def test_what_the_suite_adds_is_told_apart(material: Material) -> None:
    """A statement whose claims are new is none of the paper's, whatever its outcome."""
    rows = [{**row, "fidelity": "new"} if row["id"] == "theorem" else row for row in material.rows]
    view = view_of(dataclasses.replace(material, rows=rows))
    assert [each.finding.id for each in view.own] == ["theorem"]
    assert [each.finding.id for each in view.of_the_paper] == ["lemma", "open", "later"]
    assert view.standing("holds") == 0


def test_a_result_that_holds_is_shaken_by_what_its_survivors_rest_on(material: Material) -> None:
    """A claim beside them may use what fails; without survivors any use counts."""
    assert view_of(material).by_id["theorem"].is_shaken
    finding = Finding("theorem", "T", covers=("theorem",), survives=(Cell("theorem", "any"),))
    findings = Findings.of([*material.findings.entries, finding], [])
    free = [{**row, "uses": []} if row["id"] == "theorem" else row for row in material.rows]
    for rows, is_shaken in ((material.rows, True), (free, False)):
        view = view_of(dataclasses.replace(material, findings=findings, rows=rows))
        assert view.by_id["theorem"].is_shaken is is_shaken


def test_the_list_of_uses_shows_the_worst_reading(material: Material) -> None:
    """A claim that one reading refutes is refuted there, whatever its first reading says."""
    held = dataclasses.replace(material.verdicts[3], outcome=Outcome.HOLDS, reading="appendix")
    view = view_of(dataclasses.replace(material, verdicts=[*material.verdicts, held]))
    assert {line.verdict.claim: outcome for line, outcome in view.using} == {
        "lemma/run": "REFUTED",
        "theorem": "HOLDS",
    }


def test_a_statement_has_its_counterexample_and_its_grade(material: Material) -> None:
    """The named witness, and the weakest evidence among what survives, with what is assumed."""
    lemma = view_of(material).by_id["lemma"]
    assert lemma.counterexample is not None
    assert lemma.counterexample.line.verdict.claim == "lemma"
    assert lemma.grade is not None
    assert str(lemma.grade).startswith("proved (assuming drawn late")
    assert lemma.grade.brief == "proved, 1 step argued"
    weaker = [dataclasses.replace(v, outcome=Outcome.UNDECIDED) for v in material.verdicts]
    assert view_of(dataclasses.replace(material, verdicts=weaker)).by_id["lemma"].grade is None


@pytest.mark.parametrize(("ratio", "bar"), [(None, None), (0.5, 50), (7.0, 100), (-1.0, 0)])
def test_the_bar_is_the_tightness(ratio: float | None, bar: int | None, material: Material) -> None:
    """Full when a bound is attained, missing without a ratio; a refuted claim shows its witness."""
    verdict = dataclasses.replace(material.verdicts[0], worst_ratio=ratio)
    [line] = view_of(dataclasses.replace(material, verdicts=[verdict])).lines
    assert line.bar == bar
    refuted = dataclasses.replace(verdict, outcome=Outcome.REFUTED)
    [line] = view_of(dataclasses.replace(material, verdicts=[refuted])).lines
    assert line.bar is None


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
    assert (first.witness, first.pictures, first.where, first.sides) == (None, (), "", None)


@pytest.mark.parametrize("delays", ["no list", [1.5], [None], {"a": 1}, []])
def test_odd_delays_are_not_drawn(delays: Any) -> None:
    """A timeline is drawn of whole numbers only."""
    assert drawings(witness(delays=delays), {}) == []


@pytest.mark.parametrize(
    ("lhs", "rhs", "told"),
    [
        ("2", "1", "2 ≤ 1"),
        ("4", "4", "4 < 4"),
        ("496", "500", "496 = 500"),
        ("[3.2608785 +/- 1.50]", "1", "3.261 ± 1.5 ≤ 1"),
        ("[30.709761462019926445 +/- 6.9e-19]", "1236807/2048", "30.7098 = 1236807/2048"),
    ],
)
def test_the_two_sides_keep_relation_and_radius(lhs: str, rhs: str, told: str) -> None:
    """A violated `<` or `=` is not shown as `<=`, and a wide enclosure shows its radius."""
    sides = Sides.of(dataclasses.replace(witness(D=1), lhs=lhs, rhs=rhs))
    assert f"{sides.lhs} {sides.claimed} {sides.rhs}" == told


def test_long_values_are_cut() -> None:
    """Equal entries are one with its number, short lists are spelled out, the rest is cut."""
    fields = dict(subject_of(witness(delays=[0] * 90 + [2], losses=[[1, 0]] * 4, few=[1, 2])))
    assert fields["delays"] == "[0 (x 90), 2]"
    assert fields["losses"] == "[[1, 0] (x 4)]"
    assert fields["few"] == "[1, 2]"
    [(key, shown)] = subject_of(witness(delays=list(range(1000))))
    assert key == "delays"
    assert len(shown) < 200


def test_anchors_are_distinct_and_plain() -> None:
    """Ids that differ in signs alone do not collide, and none breaks out of an attribute."""
    ids = ["a/b", "a-b", "a@b", '"><script>', "é" * 300]
    assert len({anchor(id) for id in ids}) == len(ids)
    assert all(set(anchor(id)) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for id in ids)


WITNESS = Witness("c!without order", None, {"parameters": {}}, {}, "2", "1", "1")
VERDICT = Verdict(
    *("c", "any", Outcome.HOLDS, Evidence.SURVIVED, 1, 1, ""),
    strengthenings={
        "a: halved": Fate.REFUTED,
        "a: lowered": Fate.SURVIVED,
        "a: strict": Fate.SURVIVED,
    },
    assumptions=(
        {"assumption": "order", "outcome": "needed", "looked at": "T <= 3", "witness": "w.json"},
        {"assumption": "size", "outcome": "not needed", "looked at": "T <= 3", "witness": ""},
    ),
)


def test_survivors_come_with_their_reasons() -> None:
    """Refuted strengthenings are counted, survivors named; one without a reason says so."""
    explained = {("c", "any", "a: lowered"): ("loose", "0.5")}
    [found] = strengths([VERDICT, dataclasses.replace(VERDICT, strengthenings={})], explained)
    assert (found.refuted, found.all) == (1, 3)
    reasons = [(each.kind, each.why) for each in found.survivors]
    assert reasons == [("loose", "0.5"), (UNEXPLAINED, "")]
    counted = survival([found])
    assert counted.counts == {"refuted": 1, "loose": 1, UNEXPLAINED: 1}
    assert counted.share == "33.3 %"
    assert survival([]).share == "none"


def test_assumptions_stand_once_per_claim() -> None:
    """Readings share them; the witness is named as the report files it."""
    readings = [VERDICT, dataclasses.replace(VERDICT, reading="main")]
    needed, other = assumptions(readings, {"w.json": WITNESS})
    assert (needed.text, needed.file) == ("order", f"witnesses/assumptions/{WITNESS.file_name}")
    assert (other.outcome, other.file) == ("not needed", "")


ROWS = [
    {"id": "theorem", "uses": ["lemma"], "expected": {"main": "HOLDS", "appendix": "HOLDS"}},
    {"id": "lemma", "uses": ["step", "fact"], "expected": {"any": "HOLDS"}},
    {"id": "step", "uses": [], "expected": {"main": "REFUTED", "appendix": "HOLDS"}},
    {"id": "fact", "uses": ["step"], "expected": {"any": "REFUTED"}},
]
OUTCOMES = expected_outcomes(ROWS)


def on(id: str, reading: str, outcome: str = "REFUTED") -> tuple[str, ...]:
    below = foundations(ROWS)[id]
    return rests_on(id, reading, below=below, outcomes=OUTCOMES, outcome=outcome)


def test_foundations_reach_through_any_number_of_steps() -> None:
    """Uses of uses count, each once; where rows use each other the walk still ends."""
    assert foundations(ROWS)["theorem"] == ("lemma", "step", "fact")
    assert foundations(ROWS)["step"] == ()
    rows = [{"id": "a", "uses": ["b"]}, {"id": "b", "uses": ["a"]}]
    assert foundations(rows) == {"a": ("b", "a"), "b": ("a", "b")}


def test_a_theorem_rests_on_a_refuted_lemma_of_its_reading() -> None:
    """Refutations under `any` or its own reading count; a claim of `any` rests on every reading."""
    assert on("theorem", "main") == ("step", "fact")
    assert on("theorem", "appendix") == ("fact",)
    assert on("step", "main") == ()
    assert on("lemma", "any") == ("step", "fact")
    assert on("lemma", "any", outcome="UNDECIDED") == ()


def test_a_verdict_with_its_own_proof_rests_on_nothing_refuted(material: Material) -> None:
    """What the suite proves does not need the paper's proof; what it only tested does."""
    (theorem,) = [line for line in view_of(material).lines if line.verdict.claim == "theorem"]
    assert theorem.rests_on
    outcomes = {("lemma", "any"): "REFUTED"}
    assert shaken_by(theorem.verdict, below=["lemma"], outcomes=outcomes) == ("lemma",)
    proved = dataclasses.replace(theorem.verdict, evidence=Evidence.PROVED)
    assert shaken_by(proved, below=["lemma"], outcomes=outcomes) == ()


def test_a_statement_shows_first_what_its_finding_names(material: Material) -> None:
    """Among the printed claims the named ones lead, in the finding's order; the others follow."""
    rows = [{**row, "fidelity": "stated"} for row in material.rows]
    cells = (Cell("lemma/run", "any"), Cell("lemma@repaired", "any"))
    finding = dataclasses.replace(material.findings.entries[0], fails=cells)
    findings = Findings.of([finding, *material.findings.entries[1:]], [row["id"] for row in rows])
    view = view_of(dataclasses.replace(material, rows=rows, findings=findings))
    printed = view.statements[0].by_fidelity["stated"]
    found = [lines[0].verdict.claim for lines in printed]
    assert found == ["lemma/run", "lemma@repaired", "lemma"]


def test_repairs_are_found_by_id() -> None:
    """A claim's own repair first, else that of its statement; a repair has no further one."""
    ids = ["a", "a/step", "a@repaired", "a/step@repaired", "b/step", "b@repaired"]
    assert repairs_of("a", ids) == ("a@repaired",)
    assert repairs_of("a/step", ids) == ("a/step@repaired",)
    assert repairs_of("b/step", ids) == ("b@repaired",)
    assert repairs_of("a@repaired", ids) == ()
    assert repairs_of("c", ids) == ()


def test_every_fault_has_a_claim_and_every_name_is_known() -> None:
    """No row of the recorded table is empty or names a stranger; a paper may have no table."""
    found = EngineFaults.of(PAPER)
    assert found.caught
    assert all(found.caught.values())
    assert {id for caught in found.caught.values() for id in caught} <= set(found.claims)
    assert EngineFaults.from_json(found.to_json()) == found
    assert EngineFaults.of(NO_PAPER) == EngineFaults()


def test_a_page_prints_no_line_of_a_theory_twice() -> None:
    """Later proofs count the items that stand above; another theory's items are printed."""
    first = ["Theory t", "  a <= b", "    by x (1 obligation)", "  c", "    by y (1 obligation)"]
    second = [*first[:3], "  d", "    by x (1 obligation)", "Theory u", *first[1:3]]
    again, other = without_repetitions([first, second])
    assert again == [line.replace("<=", "≤") for line in first]
    shown = ["  a ≤ b", "    by x (1 obligation)"]
    assert other == [
        *("Theory t", "  (2 lines as above)", "  d", "    by x (1 obligation)"),
        *("Theory u", *shown),
    ]
