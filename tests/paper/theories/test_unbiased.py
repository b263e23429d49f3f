"""Estimates in trees of draws: what is not provable, and engines whose trees are refused."""

import dataclasses
import functools
from typing import Any

import pytest
import z3

from pbverify import Instance, preset
from pbverify.bandits import simulate
from pbverify.bandits.protocol import Feedback
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.all_paths_families import exit_games, exits_while_missing
from pbverify.paper.cases.run_families import SKEWED, quickened
from pbverify.paper.theories.expectation import unbiased
from pbverify.paper.theories.expectation.drawn_later import drawn, when_observed, when_played
from pbverify.prover.induction.solver import Answer


def game(delays: Any = (0, 1, 0, 0)) -> AllPaths:
    """Four rounds of which a phase may end softly while one is missing."""
    losses = [[1, 0], [1, 0], [1, 0], [1, 0]]
    instance = Instance.build(losses=losses, delays=delays, comparator=SKEWED, seed=0)
    return AllPaths(instance, quickened(preset("repaired")))


def is_same(path: Any, other: Any) -> int:
    return int(other is path)


def complaints(anchors: Any) -> Any:
    return [anchor.complaint for anchor in anchors if anchor.complaint]


def test_the_lead_of_an_arm_may_exceed_a_half() -> None:
    """<l, e_y - x^c> <= 1/2 has a countermodel: the step from one arm to two."""
    T, own = unbiased.BOUNDED.fan.theory, unbiased.BOUNDED.inputs
    i = z3.Int("i")
    lead = own["l"](i) * (1 - own["c"](i))
    half = T.theorem("too small a lead", [i], lead <= z3.RealVal("1/2"), given=i == own["y"])
    assert [query.reply.answer for query in half.obligations] == [Answer.REFUTED]


def test_the_tree_of_the_engine_is_accepted() -> None:
    """Both orders give trees of the theory."""
    assert complaints(unbiased.estimates_of_a_phase(game())) == []
    assert complaints(unbiased.missing_rounds(game((0, 2, 0, 2)))) == []


def test_both_orders_have_the_same_expectations() -> None:
    """The mean of any function of the actions does not depend on when they are drawn."""
    case = game((0, 2, 1, 0))
    orders = when_played, when_observed(case)
    weights = [
        {path.actions: node.expectation(functools.partial(is_same, path)) for path in node.paths}
        for node in (drawn(case, order) for order in orders)
    ]
    assert all(weights[0][actions].overlaps(weights[1][actions]) for actions in weights[0])
    assert all(weights[1][path.actions].overlaps(path.probability) for path in case.paths.paths)


def test_rounds_that_end_a_phase_are_refused() -> None:
    """Feedback that arrives in a phase's last round may end it: then the sums differ."""
    case = next(filter(exits_while_missing, exit_games(preset("repaired"), rounds=5)))
    missing = unbiased.missing_counting(case)

    def earlier(path: Any, t: Any) -> Any:
        phase: Any = case.phase(path, 1)
        late = case.missing(phase, at=phase.end - 1) if phase.exits else ()
        return any(t == u for u, _ in late)

    counting = dataclasses.replace(missing, counts=earlier)
    assert unbiased.equal(counting).complaint


def test_an_engine_that_learns_at_once_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """If actions influence laws before their feedback is due, they cannot be drawn later."""

    def tell(self: Any, learner: Any, t: Any, actions: Any) -> Any:
        learner.observe(actions[t - 1], [Feedback(t, self.loss(t, actions[t - 1]))])

    monkeypatch.setattr(simulate.World, "tell", tell)
    assert "not known yet" in complaints(unbiased.missing_rounds(game((2, 2, 0, 0))))[0]


def test_an_estimate_by_another_law_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the recorded law is not the one that weights the paths, the sums are not the theory's."""
    case = game()
    paths = [
        dataclasses.replace(
            path, rows=tuple(row._replace(played=row.played[::-1]) for row in path.rows)
        )
        for path in case.paths.paths[:1]
    ]
    wrong = dataclasses.replace(case.paths, paths=(*paths, *case.paths.paths[1:]))
    monkeypatch.setitem(vars(case), "paths", wrong)
    assert complaints(unbiased.estimates_of_a_phase(case))
