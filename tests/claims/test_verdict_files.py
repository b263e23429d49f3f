"""Files of verdicts from anywhere."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import Any

import pytest

from pbverify.claims.verdict import Evidence, Fate, Outcome, Verdict, load_verdicts, save_verdicts
from pbverify.errors import InputError

VERDICT = Verdict(
    "a/b",
    "any",
    Outcome.REFUTED,
    Evidence.WITNESS,
    cases=3,
    applicable=2,
    statement="x <= y",
    worst_ratio=1.25,
    reached={"late": 1},
    stronger=1,
    witness_file="w.json",
    checker="CONFIRMED",
    strengthenings={"a: halved": Fate.REFUTED, "a: strict": Fate.SURVIVED},
    tightness={"a": 0.75},
    assumptions=(
        {"assumption": "order", "outcome": "needed", "looked at": "T <= 3", "witness": "v.json"},
    ),
)


def test_what_was_saved_is_loaded(tmp_path: pathlib.Path) -> None:
    """Verdicts survive their file, all fields included."""
    save_verdicts(tmp_path / "v.json", [VERDICT], profile="quick")
    found = load_verdicts(tmp_path / "v.json")
    assert (found.profile, found.verdicts) == ("quick", (VERDICT,))


def test_a_line_of_several_proofs_is_written_once(tmp_path: pathlib.Path) -> None:
    """Proofs that share lines come back whole, and the file has each line once."""
    path = tmp_path / "v.json"
    proofs = [("Theory t", "  a shared line", "  x"), ("Theory t", "  a shared line", "  y"), ()]
    saved = [dataclasses.replace(VERDICT, proof=proof) for proof in proofs]
    save_verdicts(path, saved, profile="quick")
    assert path.read_text().count("a shared line") == 1
    assert load_verdicts(path).verdicts == tuple(saved)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"proof": [0]}, "a number of a line below 0 but got proof=0"),
        ({"proof": [-1]}, "a number of a line below 0 but got proof=-1"),
        ({"proof": [None]}, "text but got proof=None"),
        ({"outcome": "PROVED"}, "one of HOLDS, REFUTED, UNDECIDED but got outcome=PROVED"),
        ({"evidence": "faith"}, "but got evidence=faith"),
        ({"cases": -1}, "a number >= 0 but got cases=-1"),
        ({"cases": 1.5}, "an integer"),
        ({"worst_ratio": "big"}, "a number or null but got worst_ratio=big"),
        ({"statement": None}, "text but got statement=None"),
        ({"regimes": []}, "an object but got regimes"),
        ({"checker": "yes"}, "but got checker=yes"),
        ({"mutants": []}, "an object but got mutants"),
        ({"mutants": {"a": "fled"}}, "one of refuted, survived but got mutants.a=fled"),
        ({"tightness": 1}, "an object but got tightness"),
        ({"tightness": {"a": "x"}}, "a number or null but got tightness.a=x"),
        ({"assumptions": [{"assumption": "order"}]}, "rows with assumption, outcome"),
        ({"mood": "good"}, "fields among"),
    ],
)
def test_wrong_fields_are_refused(
    change: dict[str, Any], message: str, tmp_path: pathlib.Path
) -> None:
    """A wrong or unknown field is named with its value."""
    row = {**VERDICT.to_json(), **change}
    document = {"format": "pbverify/verdicts-1", "profile": "quick", "verdicts": [row]}
    (tmp_path / "v.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match=message):
        load_verdicts(tmp_path / "v.json")


@pytest.mark.parametrize("rows", [{}, [7], [{"claim": "a"}]])
def test_wrong_shapes_are_refused(rows: Any, tmp_path: pathlib.Path) -> None:
    """Verdicts are a list of objects with the required fields."""
    document = {"format": "pbverify/verdicts-1", "profile": "quick", "verdicts": rows}
    (tmp_path / "v.json").write_text(json.dumps(document))
    with pytest.raises(InputError):
        load_verdicts(tmp_path / "v.json")


@pytest.mark.parametrize("table", [3, [3], [{"a": 1}], [{"a": "x"}, {"b": "y"}]])
def test_wrong_tables_are_refused(table: object, tmp_path: pathlib.Path) -> None:
    """A table is a list of rows of text with the same columns."""
    verdict = Verdict("c", "any", Outcome.HOLDS, Evidence.SURVIVED, 1, 1, "x").to_json()
    document = {
        "format": "pbverify/verdicts-1",
        "profile": "quick",
        "verdicts": [{**verdict, "table": table}],
    }
    (tmp_path / "v.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match="table"):
        load_verdicts(tmp_path / "v.json")
