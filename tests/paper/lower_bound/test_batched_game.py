"""The batched game: losses are shown at the end of a block, and not before."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Self

from hypothesis import given
from hypothesis import strategies as st

from pbverify.paper.lower_bound.batched_game import BatchedLearner, Transcript, play_batched

HALF = Fraction(1, 2)


class Recorder(BatchedLearner):
    """Notes the order of what happens to it."""

    def __init__(self) -> None:
        self.story: list[object] = []

    def play(self) -> Sequence[float]:
        self.story.append("play")
        return [0.5, 0.5]

    def act(self, action: int) -> None:
        self.story.append(action)

    def reveal(self, losses: Sequence[float]) -> None:
        self.story.append(list(losses))

    def fork(self) -> Self:
        return self


def test_a_block_is_revealed_when_it_has_ended() -> None:
    """Blocks of 2 and 1: two plays, then both losses, then one play and its loss."""
    learner = Recorder()
    losses = [[Fraction(0), Fraction(1)], [Fraction(1, 4), HALF], [Fraction(3, 4), HALF]]
    transcript = play_batched(learner, [2, 1], losses, lambda slot, law: 1 - slot % 2, number=float)
    assert learner.story == ["play", 1, "play", 0, [1.0, 0.25], "play", 1, [0.5]]
    assert transcript.actions == (1, 0, 1)
    assert transcript.laws == ((0.5, 0.5),) * 3


@given(st.lists(st.tuples(st.integers(0, 1), st.fractions(0, 1), st.fractions(0, 1)), min_size=1))
def test_regret_is_what_was_lost_more(rows: list[tuple[int, Fraction, Fraction]]) -> None:
    """Regret to a mixture is the same mixture of the regrets to its arms."""
    losses = [[a, b] for _, a, b in rows]
    transcript = Transcript(tuple(action for action, _, _ in rows), ())
    third = Fraction(1, 3)
    pure = [transcript.regret(losses, [Fraction(1 - arm), Fraction(arm)]) for arm in range(2)]
    mixed = transcript.regret(losses, [third, 1 - third])
    assert mixed == third * pure[0] + (1 - third) * pure[1]
    own = sum(row[1 + row[0]] for row in rows)
    assert pure[0] == own - sum(a for _, a, _ in rows)
