"""The mirror-descent inequality: its parts against definitions, and its linearity."""

from __future__ import annotations

from flint import fmpq

from pbverify.bandits.mirror_maps import regularizer
from pbverify.numerics import BallArithmetic, Number, Truth, equal, leq, to_arb, working_precision
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.cases.run_families import lopsided, quickened, restarting_runs
from pbverify.paper.proofs.mirror_descent import (
    bound,
    estimated_regret,
    last_sum,
    step_ends,
    unspent,
    vertex,
)


def sample() -> Run:
    family = restarting_runs(preset("repaired"))
    return next(run for run in family if len(run.phases) >= 4)


def borrowed(run: Run, phase: PaperPhase) -> Number:
    """B: everything that the phase borrowed."""
    return sum((run.step(t).borrowed for t in phase.played), fmpq(0))


def test_unspent_credit_is_what_was_borrowed() -> None:
    """At the end of a phase the credits left, arrived or not, add up to all borrowing."""
    run = sample()
    with working_precision(256):
        for phase in run.phases:
            left = sum((to_arb(v) for v in unspent(run, phase).values()), to_arb(0))
            assert left.overlaps(to_arb(borrowed(run, phase)))


def test_a_credit_spent_whole_leaves_an_exact_zero() -> None:
    """Without delay round 2 draws all of round 1, and only round 2 has credit left."""
    run = lopsided(quickened(preset("repaired")), [0, 0])
    first, second = unspent(run, run.phases[0]).values()
    assert equal(first, 0) is Truth.YES
    assert leq(second, 0) is Truth.NO


def test_the_bound_is_the_printed_one() -> None:
    """B D(y, x_0) + sum sigma_t D(x^_t, z~_t) - sum v_u D(y, z_u), in this order."""
    run, balls, psi = sample(), BallArithmetic(), regularizer("negative-entropy")
    with working_precision(256):
        for phase in run.phases:
            y, credit = vertex(0, 2), unspent(run, phase)
            printed = borrowed(run, phase) * psi.divergence(balls, y, [fmpq(1, 2)] * 2)
            last: Number = fmpq(0)
            for t in phase.played:
                free, projected = step_ends(run, t, psi, balls)
                stability = psi.divergence(balls, run.step(t).iterate, free)
                printed += run.step(t).scale * stability
                last += credit[t] * psi.divergence(balls, y, projected)
            assert to_arb(bound(run, phase, 0)).overlaps(to_arb(printed - last))
            assert to_arb(last_sum(run, phase, 0)).overlaps(to_arb(last))


def test_a_round_without_loss_makes_both_sides_zero() -> None:
    """One round that loses nothing: the step stays at x_0, and 0 <= 0 in exact numbers."""
    run = lopsided(quickened(preset("repaired")), [0], actions=[1])
    phase = run.phases[0]
    assert equal(estimated_regret(run, phase, 0), 0) is Truth.YES
    assert equal(bound(run, phase, 0), 0) is Truth.YES


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
