"""The claim about block-constant losses notices losses that are not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from pbverify.claims.claim import Claim
from pbverify.claims.judging import visit
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learner_in_game import Study
from pbverify.paper.lower_bound.learners import contender


class Slotwise(HardGame):
    """A variable per slot, as in the paper."""

    def variable(self, slot: int, m: int) -> int:
        return slot

    @property
    def block_of_variable(self) -> tuple[int, ...]:
        return tuple(m for m, block in enumerate(self.blocks) for _ in block)


def test_variables_of_their_own_are_caught(claim: Callable[[str], Claim[Any]]) -> None:
    """With a variable per slot the divergence exceeds 16 gamma^2."""
    wrong = Study(Slotwise((4, 4), Fraction(1, 2), constant=True), contender("steady-1"))
    block_game = claim("lower-bound/rate/block-game@repaired")
    assert visit(block_game, [wrong], scope="").witness is not None
