"""Lower-bound games without an assumption: where they keep it they are the usual ones."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.verdict import Outcome
from pbverify.numerics import Truth, to_arb
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learner_in_game import DelayedStudy, Study
from pbverify.paper.lower_bound.learners import DELAYED, contender
from pbverify.paper.lower_bound.simulation import Convention, Simulation
from pbverify.paper.lower_bound.without_assumptions import (
    EagerStudy,
    LoudSimulation,
    bound_le_exp3,
    bound_le_slots,
    careless,
    eager,
    loud,
    thin,
    thin_delayed,
)
from pbverify.paper.sorts import SIMULATIONS, STUDIES

HALF = Fraction(1, 2)


def regrets_agree(both: Simulation):  # type: ignore[no-untyped-def]
    yield Pair(len(both.delayed.actions), len(both.batched.actions))


def share_is_one(study: Study):  # type: ignore[no-untyped-def]
    yield Pair(study.found.share(1), 1)


ON_STUDIES = Claim("share", Kind.EXPECTATION, "E[W] <= 1", (share_is_one,), about=STUDIES)
ON_DELAYED: Claim[DelayedStudy] = Claim("d", Kind.EXPECTATION, "", (bound_le_slots,))
ON_BOTH = Claim("both", Kind.PATHWISE, "", (regrets_agree,), about=SIMULATIONS)


def test_with_single_slots_nobody_is_early() -> None:
    """Blocks of one slot reveal a loss at once anyway: both studies agree; longer ones do not."""
    learner = contender("committer")
    for lengths, same in (((1, 1, 1), True), ((3,), False)):
        game = HardGame(lengths, Fraction(1, 4))
        shares = [kind(game, learner).found.share(-1) for kind in (Study, EagerStudy)]
        assert to_arb(shares[0]).overlaps(to_arb(shares[1])) is same


def test_an_eager_study_is_rebuilt() -> None:
    """From its own fields, as an eager one."""
    study = EagerStudy(HardGame((2,), HALF), contender("exp3"), Fraction(1, 100))
    again = EagerStudy.rebuild(study.witness_fields())
    assert isinstance(again, EagerStudy)
    assert again.witness_fields() == study.witness_fields()
    assert eager(ON_STUDIES, slots=2).verdict().outcome is Outcome.HOLDS


def test_bounds_that_no_learner_meets() -> None:
    """Far below the least margin B_Lambda exceeds the slots; with n = 400, what EXP3 guarantees."""
    for row in (thin(ON_STUDIES), thin_delayed(ON_DELAYED), careless(ON_STUDIES)):
        assert row.verdict().outcome is Outcome.REFUTED
    few = Study(HardGame((1,) * 100, Fraction(1, 6400)), contender("exp3"))
    assert next(bound_le_exp3(few)).truth is Truth.YES
    assert next(bound_le_slots(few)).truth is Truth.YES


def test_a_loud_prefix_is_heard() -> None:
    """Only rounds before b_j change; the batched game does not know, and the witness is rebuilt."""
    rows = ((HALF, HALF),)
    both = LoudSimulation(Bucketing((1, 1)), 2, Convention.BEFORE, rows, DELAYED["committer"], 0)
    assert both.delayed_losses == ((0, 1), (HALF, HALF))
    assert LoudSimulation.rebuild(both.witness_fields()) == both
    plain = dataclasses.replace(both, j=1, losses=rows * 2)
    assert plain.delayed_losses == plain.losses
    short = dataclasses.replace(ON_BOTH, then=(lambda both: iter([Pair(1, 0)]),))
    assert loud(short).verdict().outcome is Outcome.REFUTED
