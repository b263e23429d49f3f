"""Games against an adversary that answers: oblivious rules are the old games, others are not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.verdict import Outcome
from pbverify.errors import InputError
from pbverify.numerics import to_arb
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.banker_game import BankerGame
from pbverify.paper.cases.run import Run
from pbverify.paper.proofs.bounds_in_expectation import regret, safety_certificate
from pbverify.paper.without import oblivious_adversary as answers
from pbverify.paper.without.bounded_losses_and_margin import quick

COMPARATOR = (Fraction(3, 4), Fraction(1, 4))
ROWS = ((1, 0), (0, 1), (1, 1))
DELAYS = (2, 0, 0)
READING = quick(budget=Fraction(9, 8))


def fixed(actions: answers.Actions) -> answers.Move:
    """A rule that looks at nothing but the round."""
    t = len(actions)
    return answers.Move(tuple(map(Fraction, ROWS[t - 1])), DELAYS[t - 1])


def echo(actions: answers.Actions) -> answers.Move:
    """The arm that was played a round ago loses."""
    last = actions[-2] if len(actions) > 1 else 0
    return answers.Move((Fraction(1 - last), Fraction(last)))


def game(rule: Any, rounds: int = 3) -> answers.AdaptiveGame:
    return answers.AdaptiveGame.of(rule, rounds=rounds, comparator=COMPARATOR, reading=READING)


def sides(game: AllPaths):  # type: ignore[no-untyped-def]
    yield Pair(regret(game, game.comparator()), safety_certificate(game))


def test_an_oblivious_rule_is_an_instance() -> None:
    """Both sides of a certificate are those of the enumeration of one instance."""
    instance = Instance.build(
        losses=[list(row) for row in ROWS],
        delays=list(DELAYS),
        comparator=list(COMPARATOR),
        seed=0,
    )
    [known] = sides(AllPaths(instance, READING))
    [found] = answers.over_branches(sides)(game(fixed))
    assert to_arb(found.lhs).overlaps(to_arb(known.lhs))
    assert to_arb(found.rhs).overlaps(to_arb(known.rhs))


def test_branches_follow_the_actions() -> None:
    """Every path is met once; along 0, 1, 0 the losses echo the actions a round later."""
    told = game(echo)
    chances = [path.probability for branch in told.branches for path in branch.paths.paths]
    assert len(chances) == 8
    assert to_arb(sum(chances, fmpq(0))).contains(1)
    [branch] = (branch for branch in told.branches if branch.instance.actions == (0, 1, 0))
    losses = [[branch.loss(t, arm) for arm in range(2)] for t in (1, 2, 3)]
    assert losses == [[1, 0], [1, 0], [0, 1]]
    assert told.witness_fields()["parameters"]["moves"]["10"] == [["0", "1"], 0]


@pytest.mark.parametrize(
    "change",
    [
        {"moves": []},
        {"moves": {"0": [["1", "0"], 0]}},
        {"moves": {"0": [["1", "0"]], "1": [["1", "0"], 0]}},
        {"moves": {"0": [["1", "x"], 0], "1": [["1", "0"], 0]}},
        {"moves": {"0": [["1", "0"], "late"], "1": [["1", "0"], 0]}},
        {"comparator": "even"},
    ],
)
def test_bad_fields_are_refused(change: dict[str, Any]) -> None:
    """A move that is missing or is none, and other kinds of values, are named."""
    fields = game(echo, rounds=1).witness_fields()
    with pytest.raises(InputError):
        answers.AdaptiveGame.rebuild({**fields, "parameters": {**fields["parameters"], **change}})


def reaches_phase_one(game: AllPaths):  # type: ignore[no-untyped-def]
    yield Pair(game.expectation(1, lambda phase: fmpq(1)), 2)


ARM_0, ARM_1 = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
ON_GAMES = Claim("sure", Kind.EXPECTATION, "P <= 2", then=(reaches_phase_one,))


def test_rules_by_hand() -> None:
    """Losses tell a missing round, feedback about arm 1 is late, or the played arm loses."""
    rule = answers.signal(1, 3, ((1, 0), (0, 1)), [3, 0, 0])
    assert [rule((a, 1, 1)) for a in (0, 1)] == [answers.Move(ARM_0), answers.Move(ARM_1)]
    assert rule((1,)) == answers.Move(ARM_0, 3)
    late = answers.late_if_played(2, (0, 1))
    assert [late(actions).delay for actions in ((1,), (1, 0), (1, 1), (1, 1, 1))] == [0, 0, 3, 0]
    [own] = answers.own_losses()
    assert own.moves == {(0,): answers.Move(ARM_0), (1,): answers.Move(ARM_1)}


def test_families_are_as_large_as_they_say() -> None:
    """Three signals, six replies and two delays; two readings, three lengths and six rules."""
    assert [game.rounds for game in answers.telling_losses()] == [4] * 36
    assert sorted({game.rounds for game in answers.telling_delays()}) == [2, 3, 4]
    assert sum(1 for _ in answers.telling_delays()) == 36


def test_paths_of_answers_are_runs_and_phases() -> None:
    """Each path keeps its actions; some delays differ from path to path."""
    assert all(isinstance(run, Run) for run in answers.realised_runs())
    assert {phase.total_delay for phase in answers.realised_delays()} == {0, 3}


def test_rows_name_what_they_drop() -> None:
    """A claim of runs is stated as it is; one of games is summed over branches, and holds."""
    row = answers.realised(Claim("r", Kind.PATHWISE, "", then=(lambda run: iter([Pair(0, 1)]),)))
    assert (row.assumption, row.why, row.verdict().cases) == (answers.LOSSES, answers.REALISED, 64)
    for told in (answers.told_losses, answers.told_delays):
        assert told(ON_GAMES, needed=False).verdict().outcome is Outcome.HOLDS
    [pair] = answers.answered(ON_GAMES).pairs(next(answers.own_losses()))
    assert (pair.lhs, pair.rhs) == (1, 4)


def test_the_base_regret_is_that_of_the_banker_alone() -> None:
    """Against an oblivious adversary, in a game whose only phase has alpha = 1/10."""
    rule = answers.signal(1, 2, ((0, 1), (0, 1)), [0, 2, 0])
    game = answers.AdaptiveGame.of(
        rule, rounds=3, comparator=[Fraction(1, 2)] * 2, reading=quick(budget=Fraction(10))
    )
    [summed] = answers.answered(ON_GAMES, (answers.base_regret_le_cost,)).then
    instance = Instance.build(
        losses=[[1, 0], [0, 1], [0, 1]], delays=[0, 2, 0], comparator=[Fraction(1, 2)] * 2, seed=0
    )
    alone = BankerGame(instance, Fraction(1, 10), tuned=True)
    for pair, found in zip(summed(game), alone.expected_regrets(), strict=True):
        assert to_arb(pair.lhs).overlaps(to_arb(found))
        assert to_arb(pair.rhs).overlaps(to_arb(alone.paid()))
