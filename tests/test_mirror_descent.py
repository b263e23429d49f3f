"""The mirror-descent inequality: its parts against definitions, and its linearity."""

from __future__ import annotations

from flint import fmpq

from pbverify.algorithms.readings import preset
from pbverify.mirror_descent import borrowed, bound, estimated_regret, step_ends, unspent, vertex
from pbverify.numerics import BallArithmetic, Truth, leq, to_arb, working_precision
from pbverify.regularizers import regularizer
from pbverify.run_families import restarting_runs
from pbverify.runs import Run


def sample() -> Run:
    family = restarting_runs(preset("repaired"))
    return next(run for run in family if len(run.phases) >= 4)


def test_unspent_credit_is_what_was_borrowed() -> None:
    """At the end of a phase the credits left, arrived or not, add up to all borrowing."""
    run = sample()
    with working_precision(256):
        for phase in run.phases:
            left = sum((to_arb(v) for v in unspent(run, phase).values()), to_arb(0))
            assert left.overlaps(to_arb(borrowed(run, phase)))


def test_steps_follow_the_mirror_map() -> None:
    """The unconstrained end has one smaller coordinate; the projected one is its multiple."""
    run, balls = sample(), BallArithmetic()
    psi = regularizer("negative-entropy")
    with working_precision(256):
        for t in run.phases[0].played:
            free, projected = step_ends(run, t, psi, balls)
            start, arm = run.step(t).iterate, run.action(t)
            expected = to_arb(start[arm]) * (-run.estimate(t) / run.step(t).scale).exp()
            assert to_arb(free[arm]).overlaps(expected)
            assert to_arb(free[1 - arm]).overlaps(to_arb(start[1 - arm]))
            ratio = to_arb(projected[0]) / to_arb(projected[1])
            assert ratio.overlaps(to_arb(free[0]) / to_arb(free[1]))


def test_the_inequality_bites() -> None:
    """The bound holds, and is no more than a constant away on phases with losses."""
    run = sample()
    with working_precision(256):
        for phase in run.phases:
            for arm in range(2):
                lhs, rhs = estimated_regret(run, phase, arm), bound(run, phase, arm)
                assert leq(lhs, rhs + fmpq(1, 10**20)) is Truth.YES
                assert leq(rhs - lhs, 40) is Truth.YES


def test_vertices() -> None:
    """A vertex has one coordinate 1 and the others 0."""
    assert vertex(1, 3) == [0, 1, 0]
