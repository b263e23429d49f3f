"""What the second program computes at length: expectations, budgets, accounts of phases."""

from __future__ import annotations

import itertools
import pathlib
from typing import Any

import pytest

from pbverify.claims.library import claims_of
from pbverify.files.documents import dumps
from pbverify.numerics import to_arb
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run_families import lopsided_instance, restarting_runs
from pbverify.paper.second_program import BadFile, Finding, examine, judging, parse
from pbverify.paper.second_program.claims import CLAIMS
from pbverify.paper.second_program.intervals import DOWN, UP

LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"

STATED = {"lhs": "1", "rhs": "0", "margin": "1"}
WITNESS: dict[str, Any] = {"format": "pbverify/witness-1", "reading": None, **STATED}


def finding(witness: Any) -> Finding:
    return examine(parse(dumps(witness).encode()))


def closed(claim: str, parameters: Any, where: Any, **stated: str) -> dict[str, Any]:
    fields = {"claim": claim, "parameters": parameters, "where": where}
    return {**WITNESS, **fields, **stated}


def sampled_witness(reading: str) -> dict[str, Any]:
    """An undelayed phase of 600 rounds, in which the appendix's learner hardly learns."""
    return {
        **WITNESS,
        "claim": "banker-regret",
        "reading": preset(reading).to_json(),
        "instance": lopsided_instance([0] * 600, seed=1).to_json(),
        "where": {"x": 1},
        **{"lhs": "[120 +/- 89]", "rhs": "0", "margin": "[120 +/- 89]"},
    }


def test_expectations_are_replicated() -> None:
    """Own runs reject a false expectation; a wrong mean, or an open one, is not confirmed."""
    witness = sampled_witness("appendix")
    assert finding(witness).status == "REPLICATED"
    for change in ({"lhs": "[20 +/- 9]"}, {"margin": "[+/- 900]"}, {"rhs": "1"}):
        assert finding({**witness, **change}).status == "NOT CONFIRMED"


def test_expectations_that_hold_are_not_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the step starts at the base iterate the bound holds, and no odds are won."""
    monkeypatch.setattr(judging, "MOST_ROUNDS", 12_000)
    found = finding(sampled_witness("repaired"))
    assert found.status == "NOT CONFIRMED"
    assert float(found.detail.split()[-1]) < 1


SILENCE = {"rounds": 10_000_000, "delta": "1/6"}
PRINTED = {"T": 50_000, "A": 100, "delta": "1/1000", "threshold_scale": "1", "budget_scale": "1"}


@pytest.mark.parametrize(
    ("claim", "name", "parameters", "where", "shown"),
    [
        ("global/safety", "main", SILENCE, {"D": 50_000_005_000_000, "T": 10_000_000}, "51.67"),
        ("global/safety", "repaired", SILENCE, {"D": 50_000_005_000_000, "T": 10_000_000}, ""),
        ("experiment/alpha-under-delay", "appendix", PRINTED, {"delay estimate": 1}, "94164.2"),
        (
            "experiment/alpha-under-delay",
            "main",
            {**PRINTED, "T": 10**9},
            {"delay estimate": 1},
            "",
        ),
    ],
)
def test_it_computes_budgets(
    claim: str, name: str, parameters: Any, where: Any, shown: str
) -> None:
    """Claims that budgets alone refute fail with the right numbers, and where they hold, do not."""
    witness = {**closed(claim, parameters, where), "reading": preset(name).to_json()}
    detail = finding(witness).detail
    assert f"fails: lhs = [{shown}" in detail if shown else "fails:" not in detail


def test_it_keeps_the_accounts_of_phases() -> None:
    """With the main text's slack a stage whose exits bank too little ends above 1."""
    outline = {
        "delays": [30 - t % 30 for t in range(79)],
        "exits": [50],
        "arms": 2,
        "delta": "1/2",
    }
    witness = closed("global/safety/cancellation", outline, {"estimate": 1, "start": 1})
    main = finding({**witness, "reading": preset("main").to_json()})
    assert "fails: lhs = [1.0796524" in main.detail
    repaired = finding({**witness, "reading": preset("repaired").to_json()})
    assert "fails:" not in repaired.detail


UPPER_RATES = {
    "global/rate": "sum over all stages",
    "global/rate/regret": "regret if round 1 is late by T",
}


@pytest.mark.parametrize("margin", ["0", "1"])
@pytest.mark.parametrize("claim", UPPER_RATES)
def test_upper_rates_fall_with_the_margin(claim: str, margin: str) -> None:
    """For a fixed margin sum and regret are of their rate; for one that shrinks they are not."""
    path = {"T": "4", "D": "4", "A": "0", "margin": margin}
    where, zero = {"limit": UPPER_RATES[claim]}, dict.fromkeys(STATED, "0")
    expected = "CONFIRMED" if margin == "1" else "NOT CONFIRMED"
    assert finding(closed(claim, path, where, **zero)).status == expected


def test_a_late_start_needs_as_much_delay_as_rounds() -> None:
    """Its regret is that of one round late by T."""
    path = {"T": "4", "D": "2", "A": "0", "margin": "1"}
    where = {"limit": UPPER_RATES["global/rate/regret"]}
    with pytest.raises(BadFile):
        finding(closed("global/rate/regret", path, where, **dict.fromkeys(STATED, "0")))


STEPS = ("lemma_normal_steps.py", "lemma_extinction_steps.py", "lemma_doubling_estimate.py")
ON_RUNS = {
    claim.id: claim for name in STEPS for claim in claims_of(LEMMAS / name) if claim.id in CLAIMS
}


@pytest.mark.parametrize("name", ["appendix", "main", "repaired"])
def test_both_programs_see_the_same_cases(name: str) -> None:
    """On runs with restarts of both kinds every claim has the same cases and sides in both."""
    assert len(ON_RUNS) >= 14
    DOWN.prec = UP.prec = 50
    for run in itertools.islice(restarting_runs(preset(name), step=20), 3):
        fields = parse(dumps(run.witness_fields()).encode())
        for id, claim in ON_RUNS.items():
            ours = {keyed(pair.where): (pair.lhs, pair.rhs) for pair in claim.pairs(run)}
            cases = CLAIMS[id](fields)
            theirs = {keyed(case.where): (case.lhs, case.rhs) for case in cases}
            assert theirs.keys() == ours.keys(), id
            for place, sides in theirs.items():
                for a, b in zip(sides, ours[place], strict=True):
                    assert float(a.low) == pytest.approx(float(to_arb(b)), abs=1e-12), id


def keyed(where: Any) -> tuple[Any, ...]:
    return tuple(sorted(where.items()))
