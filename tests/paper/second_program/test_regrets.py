"""The second program on regrets: least ones over all paths, and runs without delay."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from pbverify.files.documents import dumps
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.banker_game import steep_games
from pbverify.paper.cases.run_families import lopsided_instance
from pbverify.paper.second_program import Finding, examine, parse
from pbverify.paper.second_program.algorithm import Game, calm_phases, phases_of, play
from pbverify.paper.second_program.every_path import is_steepest, never_exits
from pbverify.paper.second_program.expectations import suffered
from pbverify.paper.second_program.reversal import Reversal

STATED = {"format": "pbverify/witness-1", "lhs": "1", "rhs": "0", "margin": "1"}


def finding(claim: str, **fields: Any) -> Finding:
    """What the checker says of a witness against arm 1."""
    witness = {**STATED, "reading": None, "claim": claim, "where": {"x": 1}, **fields}
    return examine(parse(dumps(witness).encode()))


@pytest.mark.parametrize("id", ["banker-regret/decomposition", "banker-regret/untuned-regret"])
def test_least_regrets_of_games_are_computed(id: str) -> None:
    """Steps from the played law break both bounds; those from the base do not, nor few rounds."""
    tuned = id.endswith("decomposition")
    for from_base, seen in ((False, "fails"), (True, "is not seen to fail")):
        *_, long = steep_games(tuned=tuned, from_base=from_base)
        assert seen in finding(id, parameters=long.witness_fields()["parameters"]).detail
    few = next(steep_games(tuned=tuned, from_base=False)).witness_fields()["parameters"]
    assert "is not seen to fail" in finding(id, parameters=few).detail
    late = {**few, "instance": {**few["instance"], "delays": [1] * 20}}
    assert finding(id, parameters=late).status == "UNKNOWN CLAIM"


@pytest.mark.parametrize(
    ("rounds", "update", "detail"),
    [(70, "played", "fails"), (70, "base", "is not seen to fail"), (90, "played", "no such case")],
)
def test_least_base_regrets_are_computed(rounds: int, update: str, detail: str) -> None:
    """Seventy rounds are one phase on every path, and break the bound; ninety may be two."""
    instance = lopsided_instance([0] * rounds).to_json()
    reading = preset("appendix").with_options(update=update).to_json()
    assert detail in finding("banker-regret", instance=instance, reading=reading).detail


@pytest.mark.parametrize("delay_sum", ["clairvoyant", "arrived", "elapsed"])
@pytest.mark.parametrize("estimate", ["power-of-two", "twice", "double"])
def test_calm_phases_are_those_of_runs_without_exits(delay_sum: str, estimate: str) -> None:
    """Where no run restarts softly, delays alone tell stages, estimates, and where phases end."""
    reading = preset("appendix").with_options(
        delay_sum=delay_sum, delay_scope="stage", estimate=estimate
    )
    instance = lopsided_instance([0, 3, 0, 1, 40, 0, 7, 0, 2, 0, 0, 5] * 3, seed=1).to_json()
    game = Game({"instance": instance, "reading": reading.to_json()})
    actions = [0] * len(game.delays)
    played = Game({"instance": {**instance, "actions": actions}, "reading": reading.to_json()})

    def told(phases: Any) -> list[Any]:
        return [
            [(row.t, row.stage, row.phase, row.estimate, row.alpha, row.is_hard) for row in phase]
            for phase in phases
        ]

    calm = calm_phases(game)
    assert told(calm) == told(phases_of(play(played)))
    assert len(calm) > 2


@pytest.mark.parametrize(("budget", "stays"), [("30", True), ("12", False)])
def test_runs_that_end_softly_are_told_from_others(budget: str, stays: bool) -> None:  # noqa: FBT001
    """A path of largest gaps never exits exactly if it does not when it is played to its end."""
    reading = preset("appendix").with_options(
        update="base", gap="learner", budget=budget, slack="0", rounding="none"
    )
    instance = lopsided_instance([0] * 60, comparator=(Fraction(2, 3), Fraction(1, 3))).to_json()
    instance["actions"] = [0] * 60
    game = Game({"instance": instance, "reading": reading.to_json()})
    assert is_steepest(game)
    assert never_exits(game) is stays
    assert any(row.ends_softly for row in play(game)) is not stays


@pytest.mark.parametrize("budget", ["appendix", "5/2"])
def test_undelayed_phases_are_those_of_the_algorithm(budget: str) -> None:
    """What the short form says of a run's last phase is what the long one says of the same draw."""
    reading = preset("appendix").with_options(budget=budget)
    instance = lopsided_instance([0] * 300, comparator=(Fraction(2, 3), Fraction(1, 3)), seed=1)
    game = Game({"instance": instance.to_json(), "reading": reading.to_json()})
    losses = [[float(loss) for loss in row] for row in game.losses]
    for seed in range(5):
        *_, last = phases_of(play(game, float, Random(seed)))
        paid = sum(game.losses[row.t - 1][row.action] for row in last)
        assert suffered(game, losses, Random(seed)) == (last[-1].phase, paid)


def test_drawn_reversals_are_those_of_the_algorithm() -> None:
    """The short form of a run whose losses turn around costs what the long one costs."""
    reading = preset("appendix").with_options(budget="5/2", slack="0").to_json()
    losses = [[1, 0]] * 40 + [[0, "1/2"]] * 20
    board = {"losses": losses, "delays": [0] * 60, "comparator": ["3/4", "1/4"], "actions": None}
    game = Game({"instance": board, "reading": reading})
    given = {"rounds": 60, "turn": 40, "share": "1/2", "delta": "1/4", "last_delay": 0}
    short = Reversal({"parameters": {**given, "runs": 1, "seed": 0}, "reading": reading})
    phases = set()
    for seed in range(5):
        rows = play(game, float, Random(seed))
        phases.add(rows[-1].phase)
        pairs = zip(game.losses, rows, strict=True)
        total = sum(
            float(a - b) * (row.law[0] - float(game.comparator[0])) for (a, b), row in pairs
        )
        assert short.paid(Random(seed)) == pytest.approx(total, rel=1e-9)
    assert max(phases) > 1
