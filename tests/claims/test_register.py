"""The register: what is read, and what is refused."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from pbverify.claims.claim import Kind
from pbverify.claims.register import FIDELITIES, Register
from pbverify.claims.verdict import Outcome
from pbverify.errors import FileError, InputError

ROW: dict[str, Any] = {
    "id": "a",
    "label": "lem:a",
    "place": "appendix",
    "kind": "combinatorial",
    "fidelity": "stated",
    "uses": [],
    "expected": {"any": "HOLDS"},
    "erratum": "",
}


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)


def load(tmp_path: pathlib.Path, *rows: dict[str, Any]) -> Register:
    path = tmp_path / "paper.toml"
    tables = ["\n".join(["[[claim]]", *(f"{k} = {toml(v)}" for k, v in r.items())]) for r in rows]
    paper = '[paper]\nreadings = ["appendix", "main", "repaired"]'
    path.write_text("\n".join([paper, *tables]), encoding="utf-8")
    return Register.load(path)


def test_rows_are_read(tmp_path: pathlib.Path) -> None:
    """A row becomes typed data under its id."""
    second = {
        **ROW,
        "id": "b@repaired",
        "kind": "pathwise",
        "uses": ["a"],
        "fidelity": "repaired",
        "expected": {"appendix": "REFUTED", "main": "UNDECIDED"},
        "erratum": "a sign",
    }
    register = load(tmp_path, second, ROW)
    assert list(register.rows) == ["b@repaired", "a"]
    row = register.rows["b@repaired"]
    assert (row.id, row.label, row.place) == ("b@repaired", "lem:a", "appendix")
    assert (row.kind, row.fidelity) == (Kind.PATHWISE, "repaired")
    assert (row.uses, row.erratum) == (("a",), "a sign")
    assert row.expected == {"appendix": Outcome.REFUTED, "main": Outcome.UNDECIDED}


def test_the_expected_outcome_is_looked_up(tmp_path: pathlib.Path) -> None:
    """By claim and reading; an unknown claim or reading is an error that names it."""
    register = load(tmp_path, {**ROW, "expected": {"appendix": "REFUTED", "main": "HOLDS"}})
    assert register.expected("a", "appendix") is Outcome.REFUTED
    assert register.expected("a", "main") is Outcome.HOLDS
    with pytest.raises(InputError, match="a claim of the register but got claim=b"):
        register.expected("b", "main")
    with pytest.raises(InputError, match="among appendix, main but got a reading=any"):
        register.expected("a", "any")


def test_an_empty_register_is_allowed(tmp_path: pathlib.Path) -> None:
    """A file without claims has no rows."""
    assert load(tmp_path).rows == {}


def test_chains_and_diamonds_of_uses_are_allowed(tmp_path: pathlib.Path) -> None:
    """A claim may be used by several others, directly and through them."""
    uses = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}
    register = load(tmp_path, *({**ROW, "id": id, "uses": used} for id, used in uses.items()))
    assert register.rows["a"].uses == ("b", "c")


def test_unknown_uses_are_refused(tmp_path: pathlib.Path) -> None:
    """Using a claim that the register does not hold names both claims."""
    with pytest.raises(InputError, match=r"a claim of the register but got a\.uses=nowhere"):
        load(tmp_path, {**ROW, "uses": ["nowhere"]})


def test_rows_leave_out_what_is_known(tmp_path: pathlib.Path) -> None:
    """Empty fields and `stated`; label and kind are those of the statement of the id."""
    step = {"id": "a/step@repaired", "expected": {"any": "HOLDS"}, "fidelity": "repaired"}
    register = load(tmp_path, ROW, step)
    row = register.rows["a/step@repaired"]
    assert (row.label, row.kind) == (register.rows["a"].label, register.rows["a"].kind)
    assert (row.place, row.uses, row.erratum, row.fidelity) == ("", (), "", "repaired")
    with pytest.raises(InputError, match=r"exactly the fields .* but got claim=kind"):
        load(tmp_path, {"id": "b", "expected": {"any": "HOLDS"}})


@pytest.mark.parametrize(
    ("uses", "cycle"),
    [
        ({"a": ["a"]}, "a -> a"),
        ({"a": ["b"], "b": ["a"]}, "a -> b -> a"),
        ({"a": ["b"], "b": ["c"], "c": ["b"]}, "b -> c -> b"),
    ],
)
def test_cycles_are_refused(uses: dict[str, list[str]], cycle: str, tmp_path: pathlib.Path) -> None:
    """No claim may rest on itself, however long the way round."""
    with pytest.raises(InputError, match=f"no cycle in uses but got .*={cycle}"):
        load(tmp_path, *({**ROW, "id": id, "uses": used} for id, used in uses.items()))


def test_duplicate_ids_are_refused(tmp_path: pathlib.Path) -> None:
    """Two rows with one id are an error that names it, and no other."""
    with pytest.raises(InputError, match=r"each id once but got claim\.id=a\.$"):
        load(tmp_path, ROW, {**ROW, "label": "lem:other"}, {**ROW, "id": "b"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "guess"}, "a known kind and known outcomes but got a=.*guess"),
        ({"kind": 3}, "text but got kind=3"),
        ({"id": []}, r"text but got id=\[\]"),
        ({"uses": 3}, r"a list of ids but got a\.uses=3"),
        ({"uses": [[]]}, r"a list of ids but got a\.uses="),
        ({"expected": "HOLDS"}, r"outcomes by reading, .* but got a\.expected=HOLDS"),
        ({"expected": {}}, r"outcomes by reading, .* but got a\.expected="),
        ({"expected": {"anny": "HOLDS"}}, r"readings among any, appendix, main, repaired"),
        ({"expected": {"any": "MAYBE"}}, "known outcomes but got a=.*MAYBE"),
        ({"expected": {"any": "holds"}}, "known outcomes"),
        ({"fidelity": "roughly"}, "one of stated, .* but got fidelity=roughly"),
        ({"fidelity": ""}, "but got fidelity="),
        ({"extra": 1}, "exactly the fields .* but got claim=extra"),
    ],
)
def test_wrong_rows_are_refused(
    change: dict[str, Any], message: str, tmp_path: pathlib.Path
) -> None:
    """An unknown kind, outcome, fidelity or field is named."""
    with pytest.raises(InputError, match=message):
        load(tmp_path, {**ROW, **change})


@pytest.mark.parametrize("field", ["id", "kind", "expected"])
def test_missing_fields_are_named(field: str, tmp_path: pathlib.Path) -> None:
    """A row has an id, a kind and an expected outcome at least."""
    with pytest.raises(InputError, match=f"exactly the fields .* but got claim={field}"):
        load(tmp_path, {key: value for key, value in ROW.items() if key != field})


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("kind", Kind)
def test_every_kind_and_fidelity_is_known(
    kind: Kind, fidelity: str, tmp_path: pathlib.Path
) -> None:
    """All kinds and fidelities can be registered."""
    register = load(tmp_path, {**ROW, "kind": kind.value, "fidelity": fidelity})
    assert (register.rows["a"].kind, register.rows["a"].fidelity) == (kind, fidelity)


def test_unreadable_files_are_one_line(tmp_path: pathlib.Path) -> None:
    """A file that is missing is a file error; one that is no TOML is an input error."""
    with pytest.raises(FileError, match=r"Cannot read .*No such file or directory"):
        Register.load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("[[claim]\nid = ")
    with pytest.raises(InputError, match="Expected TOML but got") as caught:
        Register.load(tmp_path / "bad.toml")
    assert "\n" not in str(caught.value)


def test_the_papers_register_loads() -> None:
    """The register of this repository is valid, and each row expects something."""
    register = Register.load(pathlib.Path(__file__).parents[2] / "lemmas" / "paper.toml")
    assert "delayed-mass" in register.rows
    assert all(row.expected for row in register.rows.values())
    assert all(row.place and row.label for row in register.rows.values())


def test_wide_dependencies_load_quickly(tmp_path: pathlib.Path) -> None:
    """Fifty layers of two claims, each using both claims below, are checked once each."""
    rows = []
    for layer in range(50):
        below = [f"{layer - 1}a", f"{layer - 1}b"] if layer else []
        rows += [{**ROW, "id": f"{layer}{side}", "uses": below} for side in "ab"]
    assert len(load(tmp_path, *rows).rows) == 100


@pytest.mark.parametrize("text", ["[claim]\nid = 'a'", "[[claims]]\nid = 'a'", "claim = 3"])
def test_other_documents_are_refused(text: str, tmp_path: pathlib.Path) -> None:
    """A register has [[claim]] and [[finding]] tables, [paper], and nothing else."""
    path = tmp_path / "paper.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"\[\[claim\]\] tables"):
        Register.load(path)


def test_a_claim_that_is_spelled_alike_is_named(tmp_path: pathlib.Path) -> None:
    """A slip gets a guess, anything else none."""
    register = load(tmp_path, ROW)
    register.check(str(ROW["id"]))
    with pytest.raises(InputError, match=rf"perhaps {ROW['id']}"):
        register.check(f"{ROW['id']}s")
    with pytest.raises(InputError, match="a claim of the register but got claim=zzz"):
        register.check("zzz")


def test_names_stand_for_claims(tmp_path: pathlib.Path) -> None:
    """An id for itself; the part before a slash and a label for all claims that have it."""
    rows = [
        {**ROW, "id": "a"},
        {**ROW, "id": "a/step", "label": "eq:1"},
        {**ROW, "id": "b/one", "label": "lem:b"},
        {**ROW, "id": "b/two@repaired", "label": "lem:b"},
    ]
    register = load(tmp_path, *rows)
    assert register.named("a") == ("a",)
    assert register.named("lem:a") == ("a",)
    assert register.named("b") == register.named("lem:b") == ("b/one", "b/two@repaired")
    assert register.named("b/two") == ("b/two@repaired",)
    with pytest.raises(InputError, match=r"perhaps lem:b\) but got claim=lem:bb"):
        register.named("lem:bb")


def test_the_names_of_the_paper_stand_for_claims() -> None:
    """Labels that the paper prints, findings, and what ids begin with."""
    register = Register.load(pathlib.Path(__file__).parents[2] / "lemmas" / "paper.toml")
    for name in ("lem:missing", "thm:main", "global", "safety", "pbthm:delayed-safe-lb"):
        assert register.named(name), name
    assert "global/safety" in register.named("thm:main")
    labels = {label for each in register.findings.entries for label in each.labels}
    assert all(register.named(label) for label in labels)
