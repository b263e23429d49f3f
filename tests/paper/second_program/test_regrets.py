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
from pbverify.paper.second_program.algorithm import Game, phases_of, play
from pbverify.paper.second_program.expectations import suffered

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
