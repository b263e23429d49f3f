"""Subjects of the statistical claims: the same learner met directly, in blocks, and on delays."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbverify.errors import InputError
from pbverify.numerics import to_arb
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learner_in_game import DelayedStudy, Study
from pbverify.paper.lower_bound.learners import contender
from pbverify.paper.lower_bound.quantities import MINUS, PLUS
from pbverify.paper.lower_bound.simulation import Convention

QUARTER = Fraction(1, 4)


def test_delays_that_end_with_their_bucket_are_blocks() -> None:
    """Delays that reveal a block at its end, delivered before the next action, are the game."""
    delayed = DelayedStudy(Bucketing((2, 1, 1)), 1, Convention.BEFORE, QUARTER, contender("prober"))
    batched = Study(HardGame((2, 1), QUARTER), contender("prober"))
    assert delayed.game == batched.game
    for sign in (PLUS, MINUS):
        assert str(delayed.found.share(sign)) == str(batched.found.share(sign))


def test_the_prefix_enters_with_its_probability() -> None:
    """Weights over all prefixes still give a law on every table."""
    study = DelayedStudy(Bucketing((1, 1, 1)), 3, Convention.AFTER, QUARTER, contender("prober"))
    leaves = study.found.leaves
    for table in study.game.tables():
        assert sum(leaf.weight for leaf in leaves if leaf.agrees(table)) == 1


def test_allowed_regret_is_log_d() -> None:
    """Lambda of the theorem is the logarithm of the total delay."""
    study = DelayedStudy(Bucketing((2, 1)), 1, Convention.AFTER, QUARTER, contender("exp3"))
    assert to_arb(study.limit).overlaps(to_arb(3).log())


@pytest.mark.parametrize(
    "study",
    [
        Study(HardGame((2, 1), QUARTER, 3, Fraction(1, 8)), contender("steady-1/3"), QUARTER),
        Study(HardGame((2,), QUARTER, constant=True), contender("exp3")),
        DelayedStudy(Bucketing((2, 1)), 1, Convention.AFTER, QUARTER, contender("exp3")),
    ],
    ids=["batched", "constant", "delayed"],
)
def test_witness_fields_rebuild(study: Study | DelayedStudy) -> None:
    """A subject survives the trip through a witness (a learner by its name)."""
    again = type(study).rebuild(study.witness_fields())
    assert again.game == study.game
    assert again.contender.name == study.contender.name
    assert again.witness_fields() == study.witness_fields()


@pytest.mark.parametrize(
    "change",
    [{"delta": "2"}, {"delta": 0.1}, {"arms": "2"}, {"learner": "x"}, {"lengths": [1, 2]}],
    ids=str,
)
def test_bad_parameters_are_refused(change: dict[str, object]) -> None:
    """Every field of a witness is checked."""
    fields = Study(HardGame((2, 1), QUARTER), contender("exp3")).witness_fields()
    fields["parameters"].update(change)
    with pytest.raises(InputError):
        Study.rebuild(fields)


def test_long_games_are_grouped_where_that_is_possible() -> None:
    """The committer, which only counts, is met in a game that is too long for any other learner."""
    game = HardGame((1,) * 12, QUARTER)
    assert len(Study(game, contender("committer")).found.leaves) == 13
    with pytest.raises(InputError, match="slots=12"):
        _ = Study(game, contender("prober")).found
