"""What pbverify writes satisfies the schemas that it ships, and wrong documents do not."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import jsonschema
import pytest
import referencing

from pbverify.bandits.instance import Instance
from pbverify.claims.verdict import Evidence, Outcome, Verdict, Witness, save_verdicts
from pbverify.files import schemas
from pbverify.files.schemas import NAMES, schema
from pbverify.paper.algorithm import exp3_trace
from pbverify.paper.algorithm.engine import run, run_rigorously
from pbverify.paper.algorithm.exp3_stages import Exp3Settings
from pbverify.paper.algorithm.readings import PRESETS
from pbverify.paper.kernels import run_compiled, run_exp3_compiled

FOLDER = pathlib.Path(schemas.__file__).parent


def check(path: pathlib.Path, name: str) -> Any:
    document = json.loads(path.read_text())
    jsonschema.validate(document, schema(name))
    return document


def small() -> Instance:
    third = Fraction(1, 3)
    return Instance.build(
        losses=[[0, 1], [third, 0.25]], delays=[2, 0], comparator=[third, 2 * third], seed=1
    )


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_schemas(name: str) -> None:
    """Each file is a valid schema and names its format."""
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert schema(name)["properties"]["format"]["const"] == f"pbverify/{name}-1"
    assert "$ref" not in json.dumps(schema(name))


def test_the_files_refer_to_each_other(tmp_path: pathlib.Path) -> None:
    """A validator that is given all files as they are decides as one with the whole schema."""
    files = {path.name: json.loads(path.read_text()) for path in FOLDER.glob("*.schema.json")}
    assert files.keys() == {f"{name}.schema.json" for name in (*NAMES, "common")}
    resources = [(name, referencing.Resource.from_contents(part)) for name, part in files.items()]
    registry = referencing.Registry[Any]().with_resources(resources)
    shared = jsonschema.Draft202012Validator(files["trace.schema.json"], registry=registry)
    run(small(), PRESETS["appendix"]).save(tmp_path / "trace.json")
    document = check(tmp_path / "trace.json", "trace")
    assert shared.is_valid(document)
    for wrong in spoilt(document):
        assert not shared.is_valid(wrong)
        assert not jsonschema.Draft202012Validator(schema("trace")).is_valid(wrong)


def spoilt(trace: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The trace with something wrong in each part that it shares with other formats."""
    for change in (
        {"reading": {**trace["reading"], "gap": "none"}},
        {"reading": {**trace["reading"], "budget": "1.5"}},
        {"instance": {**trace["instance"], "color": "red"}},
        {"instance": {**trace["instance"], "delta": "1/x"}},
        {"instance": {**trace["instance"], "actions": [-1]}},
        {"rounds": {**trace["rounds"], "stage": [0, 1]}},
        {"rounds": {**trace["rounds"], "alpha": ["1", "1"]}},
        {"rounds": {**trace["rounds"], "hard_restart": [0, 1]}},
        {"played": [1, 2]},
        {"paper_sha256": "0"},
    ):
        yield {**trace, **change}


def test_written_instance_fits(tmp_path: pathlib.Path) -> None:
    """An instance with rationals and decimals fits, provenance included; a field more does not."""
    small().save(tmp_path / "instance.json")
    document = check(tmp_path / "instance.json", "instance")
    assert len(document["paper_sha256"]) == 64
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**document, "color": "red"}, schema("instance"))


@pytest.mark.parametrize("engine", [run, run_rigorously, run_compiled])
def test_written_trace_fits(engine: Any, tmp_path: pathlib.Path) -> None:
    """Traces of all engines fit, hard-restart round included."""
    engine(small(), PRESETS["appendix"]).save(tmp_path / "trace.json")
    document = check(tmp_path / "trace.json", "trace")
    assert document["rounds"]["hard_restart"][0] is True
    assert document["rounds"]["sigma"][0] is None


@pytest.mark.parametrize("engine", [exp3_trace.run, exp3_trace.run_rigorously, run_exp3_compiled])
def test_written_trace_of_a_learner_fits(engine: Any, tmp_path: pathlib.Path) -> None:
    """Traces of Prudent-EXP3 fit, from all engines; one without its learner does not."""
    engine(small(), Exp3Settings()).save(tmp_path / "trace.json")
    document = check(tmp_path / "trace.json", "learner-trace")
    assert document["learner"]["name"] == "prudent-exp3"
    for wrong in ({**document, "learner": {}}, {**document, "rounds": {}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema("learner-trace"))


def test_written_witness_and_verdicts_fit(tmp_path: pathlib.Path) -> None:
    """Witness and verdict files fit."""
    witness = Witness("a/b", None, {"parameters": {"delays": [0]}}, {"t": 1}, "1", "0", "1")
    witness.save(tmp_path / "witness.json")
    check(tmp_path / "witness.json", "witness")
    verdict = Verdict(
        "a/b", "any", Outcome.HOLDS, Evidence.SURVIVED, 3, 2, "x <= y", worst_ratio=0.5
    )
    save_verdicts(tmp_path / "verdicts.json", [verdict], profile="quick")
    check(tmp_path / "verdicts.json", "verdicts")
