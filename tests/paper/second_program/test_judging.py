"""The second program: its algorithm, honest witnesses of every kind, exit codes."""

from __future__ import annotations

import json
import pathlib
import tomllib
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.files.documents import dumps
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided_instance
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.proofs.phase_costs import balance
from pbverify.paper.second_program import BadFile, Finding, examine, parse
from pbverify.paper.second_program.__main__ import main
from pbverify.paper.second_program.algorithm import Game, drawn, play
from pbverify.paper.second_program.claims import CLAIMS
from pbverify.paper.second_program.expectations import EXPECTATIONS
from pbverify.paper.second_program.intervals import DOWN, UP
from pbverify.paper.without.bounded_losses_and_margin import misled

REGISTER = pathlib.Path(__file__).parents[3] / "lemmas" / "paper.toml"
STATED = {"lhs": "1", "rhs": "0", "margin": "1"}
PATH = {"q": "1", "N": "0", "margin": "1/2"}
WITNESS: dict[str, Any] = {"format": "pbverify/witness-1", "reading": None, **STATED}
SIMULATION = {
    "delays": [1, 1],
    "j": 1,
    "convention": "before",
    "losses": [["1/2", "0"], ["1/2", "0"]],
    "learner": "committer",
    "seed": 0,
}
STEP = {
    "psi": "tsallis",
    "base": ["1/32", "31/32"],
    "comparator": ["1/2", "1/2"],
    "losses": ["1", "0"],
    "alpha": "1",
    "sigma": "1024",
    "from_base": True,
}


def stage_adds_at_most_one(outline: RunOutline):  # type: ignore[no-untyped-def]
    for accounts in outline.of_stages():
        where = {"estimate": accounts[0].stage.estimate, "start": accounts[0].start}
        yield Pair(balance(accounts), 1, where=where)


CANCELLATION = Claim(
    "global/safety/cancellation", Kind.PATHWISE, "", then=(stage_adds_at_most_one,)
)


def finding(witness: Any) -> Finding:
    return examine(parse(dumps(witness).encode()))


def closed(claim: str, parameters: Any, where: Any, **stated: str) -> dict[str, Any]:
    fields = {"claim": claim, "parameters": parameters, "where": where}
    return {**WITNESS, **fields, **stated}


@pytest.mark.parametrize("name", ["appendix", "main", "repaired"])
@pytest.mark.parametrize("changes", [{}, {"budget": Fraction(5, 4), "slack": Fraction(0)}])
def test_its_runs_agree_with_the_packages(name: str, changes: dict[str, Any]) -> None:
    """Stages, phases and played laws of both implementations coincide round by round."""
    if name == "repaired":
        changes = {**changes, "rounding": "none"} if changes else {}
    reading = preset(name).with_options(**changes)
    instance = Instance.build(
        losses=[[1, 0, "1/3"]] * 14,
        delays=[0, 1, 0, 3, 0, 2, 0, 0, 1, 0, 0, 5, 0, 0],
        comparator=["1/2", "1/4", "1/4"],
        actions=[0, 0, 1, 0, 2, 0, 0, 1, 0, 0, 2, 0, 0, 1],
    )
    DOWN.prec = UP.prec = 50
    fields = {"instance": instance.to_json(), "reading": reading.to_json()}
    game = Game(parse(dumps(fields).encode()))
    theirs, plain = play(game), play(game, float)
    ours = Run.of(instance, reading)
    for rows in (theirs, plain):
        assert [r.stage for r in rows] == ours.trace["stage"].tolist()
        assert [r.phase for r in rows] == ours.trace["phase"].tolist()
        assert [r.estimate for r in rows] == ours.trace["delay_estimate"].tolist()
    for t, (row, in_floats) in enumerate(zip(theirs, plain, strict=True), start=1):
        for mine, also, other in zip(row.law, in_floats.law, ours.law(t), strict=True):
            assert float(mine.low) == pytest.approx(float(other), abs=1e-15)
            assert also == pytest.approx(float(other), abs=1e-12)


def run_witness(reading: str) -> dict[str, Any]:
    """Two delays of 1 have arrived when round 4 ends stage 1; twice their sum is the bound."""
    instance = lopsided_instance([1, 1, 0, 0, 0, 0])
    return {
        **WITNESS,
        "claim": "doubling-estimate",
        "reading": preset(reading).to_json(),
        "instance": instance.to_json(),
        "where": {"side": "upper", "t": 4},
        **{"lhs": "4", "rhs": "4", "margin": "0"},
    }


def test_the_same_run_refutes_in_one_reading_only() -> None:
    """Under the main text the estimate reaches its bound, under the appendix it stays below."""
    assert finding(run_witness("main")).status == "CONFIRMED"
    assert finding(run_witness("appendix")).status == "NOT CONFIRMED"


@pytest.mark.parametrize(
    ("D", "expected"), [("1", "CONFIRMED"), ("1/2", "NOT CONFIRMED"), ("3", "NOT CONFIRMED")]
)
def test_steps_of_proofs_are_checked_on_their_domain(D: str, expected: str) -> None:
    """A step fails at a point of its domain only if it is claimed there."""
    stated = {"lhs": "2", "rhs": "5/4", "margin": "3/4"}
    witness = closed("normal-phase/lost-parentheses", {"D": D}, {"bound": "cited"}, **stated)
    assert finding(witness).status == expected


def test_it_computes_the_sum_of_inverse_scales() -> None:
    """Seventeen rounds whose feedback all arrives at the end break the printed bound."""
    phase = {"delays": list(range(16, -1, -1)), "start": 1, "end": 17}
    found = finding(closed("banker-regret/inverse-scale-sum", phase, {"N": 17}))
    assert found.status == "NOT CONFIRMED"
    assert "fails: lhs = [45.01" in found.detail
    assert found.detail.endswith("differs in lhs, rhs, margin")


@pytest.mark.parametrize(
    ("delays", "expected"),
    [([1, 1], "CONFIRMED"), ([1], "NOT CONFIRMED"), ([2, 1], "NOT CONFIRMED")],
)
def test_unit_delays_miss_nothing(delays: list[int], expected: str) -> None:
    """Of the corollary's sequences only those of ones; a single round is none of them."""
    witness = closed(
        "corollary/linear-total-delay/delayed", {"delays": delays}, {"outstanding": "most"}
    )
    assert finding(witness).status == expected


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, "CONFIRMED"),
        ({"losses": [["1/2", "1"], ["1/2", "1"]]}, "NOT CONFIRMED"),
        ({"convention": "after"}, "NOT CONFIRMED"),
        ({"j": 3}, "NOT CONFIRMED"),
        ({"learner": "prober"}, "UNKNOWN CLAIM"),
    ],
)
def test_it_plays_the_printed_simulator(change: dict[str, Any], expected: str) -> None:
    """A good arm is heard of a round late; a bad one is left in time under both rules."""
    where = {"action": "batched = delayed", "t": 2}
    stated = {"lhs": "0", "rhs": "1"}
    witness = closed("delay-to-batch/printed-arrival", {**SIMULATION, **change}, where, **stated)
    assert finding(witness).status == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (PATH, "CONFIRMED"),
        ({**PATH, "margin": "0"}, "NOT CONFIRMED"),
        ({**PATH, "q": "1/4"}, "NOT CONFIRMED"),
    ],
)
def test_it_compares_rates_by_exponents(path: dict[str, str], expected: str) -> None:
    """T falls behind the combined bound once the margin shrinks, if lower orders are lower."""
    where = {"limit": "T against the combined bound"}
    zero = dict.fromkeys(STATED, "0")
    assert finding(closed("lower-bound/rate/combined", path, where, **zero)).status == expected


def test_mirror_steps_are_computed() -> None:
    """A step that costs too much is confirmed, one of the other regularizer or law is not."""
    numbers = {
        "lhs": "[0.0054939218110829849009 +/- 3.59e-23]",
        "rhs": "1/256",
        "margin": "[0.0015876718110829849009 +/- 3.59e-23]",
    }
    id = "regularity/tsallis/per-path"
    assert finding(closed(id, STEP, {"arm": 0}, **numbers)).status == "CONFIRMED"
    mixed = closed(id, {**STEP, "from_base": False, "alpha": "1/2"}, {"arm": 0}, **numbers)
    assert finding(mixed).status == "NOT CONFIRMED"
    with pytest.raises(BadFile, match="regularizer"):
        finding(closed(id, {**STEP, "psi": "negative-entropy"}, {"arm": 0}, **numbers))


def test_claims_are_checked_without_an_assumption() -> None:
    """A loss of 2 refutes what is said without that bound only; other bounds stay checked."""
    losing = {**STEP, "losses": ["2", "2"], "base": ["1/2", "1/2"], "sigma": "100"}
    numbers = {
        "lhs": "[0.055012552536953364644 +/- 2.18e-22]",
        "rhs": "1/25",
        "margin": "[0.015012552536953364644 +/- 2.18e-22]",
    }
    without = closed("regularity/tsallis!without losses <= 1", losing, {}, **numbers)
    assert finding(without).status == "CONFIRMED"
    for id in ("regularity/tsallis", "regularity/tsallis!without losses >= 0"):
        with pytest.raises(BadFile, match="losses in"):
            finding(closed(id, losing, {}, **numbers))
    assert (
        finding({**without, "claim": "regularity/tsallis!without hope"}).status == "UNKNOWN CLAIM"
    )


@pytest.mark.parametrize(
    ("id", "delays", "where", "lhs", "rhs"),
    [
        ("greedy-buckets/lengths", [1, 2, 1], {"m": 1}, 2, 1),
        ("greedy-buckets/delay-mass", [1, 2, 1], {"m": 1}, 3, 1),
        ("lower-bound/rate/at-most-horizon", [1, 2, 1], {"j": 1}, 5, 3),
        ("delayed-lower-bound/hidden-delay", [1, 2, 4, 1, 1, 1], {"j": 1}, 9, 8),
    ],
)
def test_buckets_of_delays_that_rise(
    id: str, delays: list[int], where: dict[str, int], lhs: int, rhs: int
) -> None:
    """The claim without the order of the delays fails there; with it, there is no such case."""
    numbers = {"lhs": str(lhs), "rhs": str(rhs), "margin": str(lhs - rhs)}
    free = closed(f"{id}!without non-increasing delays", {"delays": delays}, where, **numbers)
    assert finding(free).status == "CONFIRMED"
    assert finding({**free, "claim": id}).status == "NOT CONFIRMED"


def test_a_learner_that_is_told_another_horizon() -> None:
    """Told T = 1 its account exceeds 1 within 30 rounds; the plain claim knows no such field."""
    verdict = misled(CANCELLATION, rounds=30).verdict()
    assert verdict.witness is not None
    witness = verdict.witness.to_json()
    assert finding(witness).status == "CONFIRMED"
    with pytest.raises(BadFile):
        finding({**witness, "claim": CANCELLATION.id})


def test_arms_are_drawn_from_the_law() -> None:
    """Frequencies follow the probabilities, the last arm included."""
    rng = Random(5)
    arms = [drawn([0.5, 0.2, 0.3], rng) for _ in range(10_000)]
    assert [arms.count(arm) / 10_000 for arm in range(3)] == pytest.approx(
        [0.5, 0.2, 0.3], abs=0.03
    )


BEYOND = {
    "experiment/below-comparator-under-geometric": "64 drawn runs of 50,000 rounds",
    "experiment/below-comparator-under-pareto": "drawn runs of three programs, 50,000 rounds each",
    "experiment/conservative-ucb-at-zero": "20 drawn runs of two programs, 50,000 rounds each",
    "corollary/no-delay": "400 runs of 40,000 rounds, and a bound on rare paths",
    "global/safety/growth": "160 runs of 100,000 rounds and 90 of 400,000",
}
"""Refuted by samples that a plain script cannot draw in reasonable time; it says UNKNOWN CLAIM."""


def test_it_knows_every_refuted_claim() -> None:
    """No claim that the register calls refuted is unknown to the checker, but for those named."""
    rows = tomllib.loads(REGISTER.read_text())["claim"]
    refuted = {row["id"] for row in rows if "REFUTED" in row["expected"].values()}
    known = CLAIMS.keys() | EXPECTATIONS.keys()
    assert refuted - known == refuted & BEYOND.keys()


@pytest.mark.parametrize(("T", "found"), [(50_000, "496"), (49_901, "is not seen to fail")])
def test_it_counts_blocks(T: int, found: str) -> None:
    """The printed index leaves out the last blocks, unless the horizon fits."""
    assert found in finding(closed("experiment/blocks", {"T": T, "B": 500}, {})).detail


def test_exit_codes(tmp_path: pathlib.Path) -> None:
    """0 confirmed, 1 not confirmed, 3 nothing but unknown claims; unknown ones do no harm."""
    where = {"outstanding": "most"}
    base = closed("corollary/linear-total-delay/delayed", {"delays": [1, 1]}, where)
    codes = {}
    for name, change in {"ok": {}, "no": {"lhs": "9"}, "new": {"claim": "new"}}.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({**base, **change}))
        codes[name] = main([str(path)])
    assert codes == {"ok": 0, "no": 1, "new": 3}
    paths = {name: str(tmp_path / f"{name}.json") for name in ("ok", "no", "new")}
    assert main([paths["ok"], paths["new"]]) == 0
    assert main([*paths.values()]) == 1
    assert main([*paths.values(), str(tmp_path / "none.json")]) == 2
