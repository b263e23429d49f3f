r"""The mirror-descent inequality of Banker-OMD on one phase, for one comparator y.

    sum_t <l_t, x^_t - y>  <=  B D(y, x_0) + sum_t sigma_t D(x^_t, z~_t) - sum_u v_u D(y, z_u)

B is the phase's total borrowing, v_u the credit of round u unspent at its end, z_u the projected
and z~_u the unconstrained end of round u's mirror step, and l_t the loss estimate of round t, also
where its feedback is still missing. The difference of the sides is linear in y, because the credits
left add up to B: it is enough to look at the vertices of the simplex. Where a round loses nothing
its step stays where it is, exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from pbverify.bandits.mirror_maps import Regularizer, Vector, regularizer
from pbverify.numerics import Arithmetic, BallArithmetic, Number
from pbverify.paper.cases.run import PaperPhase, Run


def vertex(arm: int, arms: int) -> list[fmpq]:
    """The vertex of the simplex at an arm."""
    return [fmpq(int(i == arm)) for i in range(arms)]


def estimated_regret(run: Run, phase: PaperPhase, arm: int) -> Number:
    """sum_t <l_t, x^_t - e_arm> over the phase."""
    total: Number = fmpq(0)
    for t in phase.played:
        action = run.action(t)
        total = total + run.estimate(t) * (run.step(t).iterate[action] - int(action == arm))
    return total


def unspent(run: Run, phase: PaperPhase) -> dict[int, Number]:
    """v_u for every round u of the phase: its scale less what later rounds drew from it.

    A credit that the ledger handed out whole is the same object, and leaves an exact 0.
    """
    credit: dict[int, Number] = {t: run.step(t).scale for t in phase.played}
    for t in phase.played:
        for u, amount in run.step(t).shares:
            credit[u] = fmpq(0) if amount is credit[u] else credit[u] - amount
    return credit


def bounds(run: Run, phase: PaperPhase) -> list[Number]:
    """The right-hand side at each vertex y, with sum_u v_u D(y, x_0) for B D(y, x_0)."""
    psi, balls = regularizer(run.trace.reading.regularizer), BallArithmetic()
    totals: list[Number] = [fmpq(0)] * run.instance.arms
    for t, credit in unspent(run, phase).items():
        free, projected = step_ends(run, t, psi, balls)
        cost = run.step(t).scale * psi.divergence(balls, run.step(t).iterate, free)
        for arm, total in enumerate(totals):
            totals[arm] = total + cost + credit * _approach(psi, balls, arm, projected)
    return totals


def last_sum(run: Run, phase: PaperPhase, arm: int) -> Number:
    """sum_u v_u D(y, z_u) at y = e_arm: without it the right-hand side is larger by as much."""
    psi, balls = regularizer(run.trace.reading.regularizer), BallArithmetic()
    total, y = fmpq(0), vertex(arm, run.instance.arms)
    for t, credit in unspent(run, phase).items():
        _, projected = step_ends(run, t, psi, balls)
        total = total + credit * psi.divergence(balls, y, projected)
    return total


def _approach(psi: Regularizer, arithmetic: Arithmetic, arm: int, point: Vector) -> Number:
    """D(y, x_0) - D(y, point) at y = e_arm; an exact 0 at x_0 itself."""
    if arithmetic.all_equal(point):
        return fmpq(0)
    arms = len(point)
    y, uniform = vertex(arm, arms), [fmpq(1, arms)] * arms
    return psi.divergence(arithmetic, y, uniform) - psi.divergence(arithmetic, y, point)


def step_ends(run: Run, t: int, psi: Regularizer, arithmetic: Arithmetic) -> tuple[Vector, Vector]:
    """z~_t and z_t: the ends of round t's mirror step, unconstrained and projected."""
    start = _start_of_step(run, t)
    move = run.estimate(t) / run.step(t).scale
    if move == 0:
        return start, start
    moved = _moved(psi.gradient(arithmetic, start), run.action(t), move)
    return psi.inverse(arithmetic, moved), psi.project(arithmetic, moved)


def _start_of_step(run: Run, t: int) -> Vector:
    is_base = run.trace.reading.update == "base"
    return run.step(t).iterate if is_base else run.law(t)


def _moved(dual: Sequence[Number], arm: int, move: Number) -> list[Number]:
    return [theta - move if i == arm else theta for i, theta in enumerate(dual)]
