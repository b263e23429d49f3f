"""Certificates of expected regret: false variants, and engines whose trees are refused."""

import itertools
from typing import Any

import pytest
import z3

from pbverify import preset
from pbverify.paper.algorithm.banker import Banker
from pbverify.paper.algorithm.prudent_banker import PrudentBanker
from pbverify.paper.cases.theorem_families import games
from pbverify.paper.theories.expectation import certified_games as theory
from pbverify.prover.induction.solver import Answer

n = z3.Int("n")


def game(reading: Any = "repaired") -> Any:
    """Two rounds, of which the first may end the phase."""
    return next(iter(games(preset(reading).with_options(rounding="none"), 2)))


def complaint(anchors: Any) -> Any:
    return next(filter(None, (anchor.complaint for anchor in anchors)), "")


def is_refuted(theorem: Any) -> Any:
    return Answer.REFUTED in [query.reply.answer for query in theorem.obligations]


def test_missing_rounds_may_lead() -> None:
    """That missing rounds lead by at most 1/2 each has a countermodel."""
    end = theory.SAFETY.end
    P = end.phase
    half = end.T.theorem(
        "half a lead",
        [n],
        2 * P.loss(n, n) * (1 - P.safe(n)) <= 1,
        given=z3.And(n >= 1, n <= P.A),
    )
    assert is_refuted(half)


def test_a_draw_is_not_free() -> None:
    """Without what a draw pays for its mirror step, the regret exceeds the account."""
    draw = theory.SAFETY.draw
    T, here = draw.fan.theory, draw.fan.node
    w, x, child = draw.names["w"], draw.names["x"], draw.fan.child
    free = T.theorem(
        "one arm, nothing paid",
        [],
        here["regret"] <= here["sharp"] + here["balance"],
        given=z3.And(
            *(w > 0, x(1) == 1, child["balance"](1) == here["balance"] + w),
            *(here["regret"] == child["regret"](1), here["sharp"] == child["sharp"](1)),
        ),
    )
    assert is_refuted(free)


def test_the_trees_of_the_engine_are_accepted() -> None:
    """With and without a soft exit, against the comparator and against arms."""
    assert complaint(theory.safety(game())) == ""
    assert complaint(theory.regret_of_arms(game("main"))) == ""


def test_steps_of_twice_the_estimate_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Banker that moves too far is no mirror descent."""
    learn = Banker.learn
    monkeypatch.setattr(Banker, "learn", lambda self, u, arm, e: learn(self, u, arm, 2 * e))
    found = itertools.islice(games(preset("repaired").with_options(rounding="none"), 2), 1, 2)
    assert "xh" in complaint(theory.safety(next(found)))


def test_another_mixture_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A law that is not alpha x^ + (1 - alpha) x^c is refused."""
    monkeypatch.setattr(PrudentBanker, "_mixture", lambda self, base: self._comparator)
    assert complaint(theory.safety(game()))


def test_steps_from_the_played_law_are_refused() -> None:
    """The appendix's update is no mirror descent of the base iterates."""
    rules = preset("repaired").with_options(rounding="none", update="played")
    found = itertools.islice(games(rules, 2), 1, 2)
    assert complaint(theory.safety(next(found)))
