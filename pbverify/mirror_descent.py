r"""The mirror-descent inequality of Banker-OMD on one phase, for one comparator y.

    sum_t <l_t, x^_t - y>  <=  B D(y, x_0) + sum_t sigma_t D(x^_t, z~_t) - sum_u v_u D(y, z_u)

B is the phase's total borrowing, v_u the credit of round u unspent at its end, z_u the projected
and z~_u the unconstrained end of round u's mirror step, and l_t the loss estimate of round t, also
where its feedback is still missing. The difference of the sides is linear in y, because the credits
left add up to B: it is enough to look at the vertices of the simplex.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from pbverify.numerics import Arithmetic, BallArithmetic, Number
from pbverify.regularizers import Regularizer, Vector, regularizer
from pbverify.runs import PaperPhase, Run


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


def borrowed(run: Run, phase: PaperPhase) -> Number:
    """B: everything that the phase borrowed."""
    return sum((run.step(t).borrowed for t in phase.played), fmpq(0))


def unspent(run: Run, phase: PaperPhase) -> dict[int, Number]:
    """v_u for every round u of the phase: its scale less what later rounds drew from it."""
    credit: dict[int, Number] = {t: run.step(t).scale for t in phase.played}
    for t in phase.played:
        for u, amount in run.step(t).shares:
            credit[u] = credit[u] - amount
    return credit


def bound(run: Run, phase: PaperPhase, arm: int) -> Number:
    """The right-hand side at y = e_arm."""
    psi, balls = regularizer(run.trace.reading.regularizer), BallArithmetic()
    y, arms = vertex(arm, run.instance.arms), run.instance.arms
    uniform = [fmpq(1, arms)] * arms
    total = borrowed(run, phase) * psi.divergence(balls, y, uniform)
    credit = unspent(run, phase)
    for t in phase.played:
        free, projected = step_ends(run, t, psi, balls)
        total = total + run.step(t).scale * psi.divergence(balls, run.step(t).iterate, free)
        total = total - credit[t] * psi.divergence(balls, y, projected)
    return total


def step_ends(run: Run, t: int, psi: Regularizer, arithmetic: Arithmetic) -> tuple[Vector, Vector]:
    """z~_t and z_t: the ends of round t's mirror step, unconstrained and projected."""
    move = run.estimate(t) / run.step(t).scale
    start = psi.gradient(arithmetic, _start_of_step(run, t))
    moved = _moved(start, run.action(t), move)
    return psi.inverse(arithmetic, moved), psi.project(arithmetic, moved)


def _start_of_step(run: Run, t: int) -> Vector:
    is_base = run.trace.reading.update == "base"
    return run.step(t).iterate if is_base else run.law(t)


def _moved(dual: Sequence[Number], arm: int, move: Number) -> list[Number]:
    return [theta - move if i == arm else theta for i, theta in enumerate(dual)]
