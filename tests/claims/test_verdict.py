"""Verdicts and witnesses as data and as files."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
from typing import Any

import pytest

from pbverify.claims.verdict import (
    NO_CLOSE_FORM,
    TOUCHING_PAIRS,
    VACUOUS,
    VERDICTS_FORMAT,
    WITNESS_FORMAT,
    Evidence,
    Fate,
    Outcome,
    Verdict,
    Witness,
    merged,
    save_verdicts,
    settled,
)
from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json, read_json

WITNESS = Witness(
    claim="delayed-mass/identity",
    reading=None,
    subject={"parameters": {"delays": [0, 3], "start": 1, "end": 2}},
    where={"inequality": "total", "t": 2},
    lhs="4",
    rhs="[3.5 +/- 1e-20]",
    margin="1/2",
)
VERDICT = Verdict(
    claim="delayed-mass",
    reading="any",
    outcome=Outcome.HOLDS,
    evidence=Evidence.SURVIVED,
    cases=10,
    applicable=8,
    statement="M <= D",
    label="lem:delay-mass",
    worst_ratio=0.5,
    touching=1,
    reached={"late": 3},
    scope="10 generated",
    stronger=2,
)


def verdict(**changes: Any) -> Verdict:
    return dataclasses.replace(VERDICT, **changes)


def test_a_refutation_decides() -> None:
    """One refutation among other outcomes is the result, as it stands."""
    refuted = verdict(outcome=Outcome.REFUTED, evidence=Evidence.WITNESS, witness=WITNESS, cases=2)
    open_one = verdict(outcome=Outcome.UNDECIDED, evidence=None, reason="unclear")
    for order in ([VERDICT, open_one, refuted], [refuted, VERDICT, open_one]):
        assert merged(order) == refuted


def test_an_open_question_leaves_all_open() -> None:
    """Without a refutation anything undecided makes the whole undecided, with its reason."""
    open_one = verdict(outcome=Outcome.UNDECIDED, evidence=None, reason="unclear")
    for order in ([VERDICT, open_one], [open_one, VERDICT]):
        assert merged(order).outcome is Outcome.UNDECIDED
        assert merged(order).reason == "unclear"


@pytest.mark.parametrize(
    ("weak", "strong"),
    [
        (Evidence.SURVIVED, Evidence.EXHAUSTED),
        (Evidence.EXHAUSTED, Evidence.PROVED),
        (Evidence.CONFIDENCE, Evidence.SURVIVED),
    ],
)
def test_the_strongest_evidence_stands(weak: Evidence, strong: Evidence) -> None:
    """Of several grounds for a claim the strongest is named, in whichever order they come."""
    pair = [verdict(evidence=weak, scope="weak"), verdict(evidence=strong, scope="strong")]
    for order in (pair, pair[::-1]):
        whole = merged(order)
        assert (whole.outcome, whole.evidence) == (Outcome.HOLDS, strong)
        assert whole.scope == f"strong; {weak.value}: weak"


def test_counts_add_up_and_the_worst_ratio_stays() -> None:
    """Cases, applicable and reached ones and touching pairs are summed; ratios are maximised."""
    whole = merged(
        [
            VERDICT,
            verdict(cases=5, applicable=1, touching=2, worst_ratio=0.75, reached={"early": 1}),
            verdict(cases=1, applicable=1, touching=0, worst_ratio=None, reached={"late": 4}),
        ]
    )
    assert (whole.cases, whole.applicable, whole.touching) == (16, 10, 3)
    assert whole.worst_ratio == 0.75
    assert dict(whole.reached) == {"late": 7, "early": 1}


def test_one_refutation_of_a_strengthening_is_enough() -> None:
    """Fates of strengthenings are merged, and the tightest ratio of each conclusion stays."""
    whole = merged(
        [
            verdict(strengthenings={"a": Fate.SURVIVED, "b": Fate.REFUTED}, tightness={"x": 0.5}),
            verdict(strengthenings={"a": Fate.REFUTED, "c": Fate.SURVIVED}, tightness={"x": 0.25}),
            verdict(strengthenings={"b": Fate.SURVIVED}, tightness={"y": 0.125}),
        ]
    )
    assert whole.strengthenings == {"a": Fate.REFUTED, "b": Fate.REFUTED, "c": Fate.SURVIVED}
    assert whole.tightness == {"x": 0.5, "y": 0.125}


def test_all_witness_files_can_be_moved() -> None:
    """Its own and those of assumptions; what has none keeps none."""
    row = {"assumption": "order", "outcome": "needed", "looked at": "", "witness": "b"}
    both = verdict(witness_file="a", assumptions=(row, {**row, "witness": ""}))
    moved = both.with_files(lambda name: f"w/{name}")
    assert (both.witness_files, moved.witness_files) == (("a", "b"), ("w/a", "w/b"))
    assert verdict(witness_file=None).with_files(str.upper).witness_file is None


def test_a_vacuous_part_adds_its_cases_and_nothing_else() -> None:
    """It leaves what the others say, unless there are no others."""
    vacuous = verdict(
        outcome=Outcome.UNDECIDED, evidence=None, reason=VACUOUS, applicable=0, cases=5
    )
    whole = merged([vacuous, VERDICT])
    assert (whole.outcome, whole.cases, whole.applicable) == (Outcome.HOLDS, 15, 8)
    assert whole.scope == VERDICT.scope
    assert merged([vacuous, vacuous]).outcome is Outcome.UNDECIDED


def test_a_part_that_was_stopped_speaks() -> None:
    """Without a case seen, but for another reason, the whole is undecided."""
    stopped = verdict(outcome=Outcome.UNDECIDED, evidence=None, reason="time limit", applicable=0)
    assert merged([VERDICT, stopped]) == stopped


def test_a_situation_that_was_never_reached_leaves_a_claim_undecided() -> None:
    """Only what would hold; refutations, open verdicts and claims that reached all stay."""
    missed = {"late": 3, "early": 0}
    undecided = settled(verdict(reached=missed))
    assert (undecided.outcome, undecided.reason) == (Outcome.UNDECIDED, "never reached: early")
    assert undecided.evidence is None
    decided = verdict(touching=0)
    assert settled(decided) == decided
    for outcome in (Outcome.REFUTED, Outcome.UNDECIDED):
        other = verdict(outcome=outcome, reached=missed, reason="as it was")
        assert settled(other) == other


def test_touching_pairs_leave_a_claim_undecided_unless_it_is_proved() -> None:
    """Pairs that may be equal or may just fail are no evidence; a proof covers them."""
    undecided = settled(VERDICT)
    assert (undecided.outcome, undecided.evidence) == (Outcome.UNDECIDED, None)
    assert undecided.reason == f"1 {TOUCHING_PAIRS}"
    proved = verdict(evidence=Evidence.PROVED)
    assert settled(proved) == proved
    assert settled(merged([VERDICT, proved])).outcome is Outcome.HOLDS


def test_what_holds_without_a_close_stronger_form_says_so() -> None:
    """Proofs and refutations need none; the share of cases that could fail leaves trivial ones."""
    assert verdict(stronger=0).remark == NO_CLOSE_FORM
    assert not VERDICT.remark
    assert not verdict(stronger=0, evidence=Evidence.PROVED).remark
    assert not verdict(stronger=0, outcome=Outcome.REFUTED).remark
    assert VERDICT.could_fail == 1
    assert verdict(trivial=24).could_fail == 0.25
    assert VERDICT.counted == "8 of 10 cases applicable"
    assert verdict(trivial=24).counted.endswith("applicable, 24 trivial (25% could have failed)")
    assert verdict(applicable=0).could_fail is None


def test_nothing_is_claimed_by_default() -> None:
    """A new verdict has no stronger form refuted, nothing touching and no word of the checker."""
    plain = Verdict("a", "any", Outcome.HOLDS, Evidence.SURVIVED, 1, 1, "x <= x")
    assert (plain.stronger, plain.touching, plain.checker, plain.witness_file) == (0, 0, "", None)


def test_merging_one_changes_nothing() -> None:
    """A single verdict is its own summary, also without any ratio."""
    assert merged([VERDICT]) == VERDICT
    assert merged([verdict(worst_ratio=None)]).worst_ratio is None


@pytest.mark.parametrize("evidence", [*Evidence, None])
@pytest.mark.parametrize("outcome", Outcome)
def test_verdicts_round_trip(outcome: Outcome, evidence: Evidence | None) -> None:
    """A verdict survives its JSON form; of its witness only the file is kept."""
    before = verdict(
        outcome=outcome, evidence=evidence, reason="why", witness_file="w.json", worst_ratio=None
    )
    assert Verdict.from_json(json.loads(json.dumps(before.to_json()))) == before
    with_witness = dataclasses.replace(before, witness=WITNESS)
    assert Verdict.from_json(with_witness.to_json()) == before


def test_a_file_of_verdicts(tmp_path: pathlib.Path) -> None:
    """The file names its format and profile and holds one row per verdict, in order."""
    path = tmp_path / "verdicts.json"
    save_verdicts(path, [VERDICT, verdict(claim="other")], profile="quick")
    document = json.loads(path.read_text())
    assert (document["format"], document["profile"]) == (VERDICTS_FORMAT, "quick")
    assert [Verdict.from_json(row) for row in document["verdicts"]] == [
        VERDICT,
        verdict(claim="other"),
    ]
    fields = "claim reading outcome evidence cases applicable worst_ratio witness statement label"
    assert set(fields.split()) <= document["verdicts"][0].keys()


@pytest.mark.parametrize(
    "witness",
    [
        WITNESS,
        dataclasses.replace(WITNESS, subject={"instance": {"losses": []}}, reading={"gap": "x"}),
        dataclasses.replace(WITNESS, where={"D": 5 * 10**30, "t": -(2**63)}),
    ],
)
def test_witnesses_round_trip(witness: Witness, tmp_path: pathlib.Path) -> None:
    """A witness survives its file: the same text, the same places (of any size), the same name."""
    path = tmp_path / "w.json"
    witness.save(path)
    again = Witness.load(path)
    assert Witness.from_json(witness.to_json()) == witness
    assert (again.claim, again.lhs, again.rhs, again.margin) == (
        witness.claim,
        witness.lhs,
        witness.rhs,
        witness.margin,
    )
    assert again.where == witness.where
    assert dumps(again.to_json()) == dumps(witness.to_json())
    assert again.file_name == witness.file_name
    assert read_json(path)["format"] == WITNESS_FORMAT


def changed(**fields: Any) -> dict[str, Any]:
    return {**WITNESS.to_json(), **fields}


def without(*fields: str) -> dict[str, Any]:
    return {key: value for key, value in WITNESS.to_json().items() if key not in fields}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "a JSON object"),
        (changed(format="pbverify/trace-1"), "got format=pbverify/trace-1"),
        (changed(extra=1), "got field=extra"),
        (changed(instance={}), "either instance or parameters"),
        (without("parameters"), "either instance or parameters"),
        (without("lhs"), "the field lhs"),
        (without("reading"), "the field reading"),
        (without("where"), "the field where"),
        (changed(claim=3), "text but got claim=3"),
        (changed(lhs=4), "text but got lhs=4"),
        (changed(rhs=None), "text but got rhs=None"),
        (changed(margin=[]), "text but got margin="),
        (changed(where=[]), "an object but got where="),
        (changed(where={"t": 1.5}), "an integer .* but got where=1.5"),
        (changed(where={"t": True}), "an integer .* but got where=True"),
        (changed(where={"t": None}), "an integer .* but got where=None"),
    ],
)
def test_other_documents_are_no_witness(document: object, message: str) -> None:
    """Extra and missing fields, two subjects or none, and wrong types are refused by name."""
    with pytest.raises(InputError, match=message):
        Witness.from_json(document)


@pytest.mark.parametrize("field", ["lhs", "rhs", "margin", "claim"])
def test_a_bare_number_is_no_text(field: str) -> None:
    """A number in a file where decimal text belongs is refused."""
    text = dumps(changed(**{field: 4})).encode()
    with pytest.raises(InputError, match=f"text but got {field}=4"):
        Witness.from_json(parse_json(text, source="w.json"))


def test_the_file_name_depends_on_the_content() -> None:
    """Equal witnesses share a name; any difference in content gives another one."""
    assert dataclasses.replace(WITNESS).file_name == WITNESS.file_name
    others = [
        dataclasses.replace(WITNESS, claim="delayed-mass"),
        dataclasses.replace(WITNESS, claim="delayed-mass_identity"),
        dataclasses.replace(WITNESS, reading={"gap": "learner"}),
        dataclasses.replace(WITNESS, subject={"parameters": {}}),
        dataclasses.replace(WITNESS, where={"t": 3}),
        dataclasses.replace(WITNESS, lhs="5"),
        dataclasses.replace(WITNESS, rhs="5"),
        dataclasses.replace(WITNESS, margin="5"),
    ]
    assert len({w.file_name for w in [WITNESS, *others]}) == 1 + len(others)


@pytest.mark.parametrize(
    "claim", ["../x", "/etc/passwd", "a/b\\c", "..", "", "a\0b", "a\nb", "~", "C:x", "x!stronger"]
)
def test_hostile_ids_make_safe_file_names(claim: str) -> None:
    """Whatever the claim is called, the file lands in the directory it was meant for."""
    name = dataclasses.replace(WITNESS, claim=claim).file_name
    assert re.fullmatch(r"[\w@-]*-[0-9a-f]{8}\.json", name)
    assert pathlib.PurePath("dir", name).parent == pathlib.PurePath("dir")


def test_readable_ids_stay_readable() -> None:
    """Letters, digits, dashes and @ of an id are kept."""
    name = dataclasses.replace(WITNESS, claim="doubling-estimate@repaired").file_name
    assert name.startswith("doubling-estimate@repaired-")


@pytest.mark.parametrize("named", [{"witness": WITNESS}, {"witness_file": "w.json"}])
def test_a_witness_has_an_opinion_wherever_it_is(named: dict[str, Any]) -> None:
    """In memory or in a file, a witness stands on one program or two; no witness, on none."""
    assert verdict(**named).opinion == "confirmed by one program"
    assert verdict(checker="CONFIRMED", **named).opinion == "confirmed by two programs"
    assert verdict(checker="CONFIRMED").opinion == ""
