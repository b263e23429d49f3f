"""Mutants and assumptions as a report shows them."""

from __future__ import annotations

import dataclasses

from pbverify.claims.verdict import Evidence, Fate, Outcome, Verdict, Witness
from pbverify.report.strength import UNEXPLAINED, assumptions, strengths, survival

WITNESS = Witness("c!without order", None, {"parameters": {}}, {}, "2", "1", "1")
VERDICT = Verdict(
    "c",
    "any",
    Outcome.HOLDS,
    Evidence.SURVIVED,
    cases=1,
    applicable=1,
    statement="",
    mutants={"a: halved": Fate.REFUTED, "a: lowered": Fate.SURVIVED, "a: strict": Fate.SURVIVED},
    assumptions=(
        {"assumption": "order", "outcome": "needed", "looked at": "T <= 3", "witness": "w.json"},
        {"assumption": "size", "outcome": "not needed", "looked at": "T <= 3", "witness": ""},
    ),
)


def test_survivors_come_with_their_reasons() -> None:
    """Refuted mutants are counted, survivors named; one without a reason says so."""
    explained = {("c", "any", "a: lowered"): ("loose", "0.5")}
    [found] = strengths([VERDICT, dataclasses.replace(VERDICT, mutants={})], explained)
    assert (found.refuted, found.all) == (1, 3)
    assert [(each.kind, each.why) for each in found.survivors] == [
        ("loose", "0.5"),
        (UNEXPLAINED, ""),
    ]
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
