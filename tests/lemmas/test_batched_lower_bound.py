"""The claims about the batched lower bound notice a wrong game, and their situations are right."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pbverify.claims.claim import Claim
from pbverify.claims.judging import visit
from pbverify.numerics import Number
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learner_in_game import Study
from pbverify.paper.lower_bound.learners import contender


class Flat(HardGame):
    """The signal ignores the block length."""

    def signal(self, m: int) -> Number:
        return self.kappa


@pytest.mark.parametrize("step", ["safety-identity", "best-arm-identity"])
def test_a_wrong_environment_is_caught(step: str, claim: Callable[[str], Claim[Any]]) -> None:
    """A signal that ignores the block length breaks both identities."""
    wrong = Study(Flat((2, 1), Fraction(1, 4)), contender("steady-0"))
    assert visit(claim(f"batched-lower-bound/{step}"), [wrong], scope="").witness is not None


@pytest.mark.parametrize(("delta", "name"), [((1, 160), "least"), ((1, 2), "largest")])
def test_margins_are_met_at_their_ends(
    delta: tuple[int, int], name: str, claim: Callable[[str], Claim[Any]]
) -> None:
    """With blocks of 2 and 1 and two arms, 2/(64 * 5) <= delta <= 1/2."""
    study = Study(HardGame((2, 1), Fraction(*delta)), contender("steady-0"))
    met = claim("batched-lower-bound").must_meet
    ends = {end for end in ("least", "largest") if met[f"the {end} margin"](study)}
    assert ends == {name}
