"""Games against an adversary that answers: oblivious rules are the old games, others are not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.claims.claim import Pair
from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json
from pbverify.numerics import to_arb
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.proofs.bounds_in_expectation import regret, safety_certificate
from pbverify.paper.without.bounded_losses_and_margin import quick
from pbverify.paper.without.oblivious_adversary import Actions, AdaptiveGame, Move, over_branches

COMPARATOR = (Fraction(3, 4), Fraction(1, 4))
ROWS = ((1, 0), (0, 1), (1, 1))
DELAYS = (2, 0, 0)
READING = quick(budget=Fraction(9, 8))


def fixed(actions: Actions) -> Move:
    """A rule that looks at nothing but the round."""
    t = len(actions)
    return Move(tuple(map(Fraction, ROWS[t - 1])), DELAYS[t - 1])


def echo(actions: Actions) -> Move:
    """The arm that was played a round ago loses."""
    last = actions[-2] if len(actions) > 1 else 0
    return Move((Fraction(1 - last), Fraction(last)))


def game(rule: Any, rounds: int = 3) -> AdaptiveGame:
    return AdaptiveGame.of(rule, rounds=rounds, comparator=COMPARATOR, reading=READING)


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
    [found] = over_branches(sides)(game(fixed))
    assert to_arb(found.lhs).overlaps(to_arb(known.lhs))
    assert to_arb(found.rhs).overlaps(to_arb(known.rhs))


def test_the_branches_have_probability_one() -> None:
    """Every path is met once, whatever the adversary does."""
    chances = [path.probability for branch in game(echo).branches for path in branch.paths.paths]
    assert len(chances) == 8
    assert to_arb(sum(chances, fmpq(0))).contains(1)


def test_moves_follow_the_actions() -> None:
    """Along the actions 0, 1, 0 the losses echo them a round later."""
    branch = next(b for b in game(echo).branches if b.instance.actions == (0, 1, 0))
    losses = [[branch.loss(t, arm) for arm in range(2)] for t in (1, 2, 3)]
    assert losses == [[1, 0], [1, 0], [0, 1]]


def test_a_witness_says_what_is_needed() -> None:
    """A game written to a file comes back as it was."""
    told = game(echo, rounds=2)
    fields = parse_json(dumps(told.witness_fields()).encode(), source="")
    assert AdaptiveGame.rebuild(fields) == told
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
        AdaptiveGame.rebuild({**fields, "parameters": {**fields["parameters"], **change}})
