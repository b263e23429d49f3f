r"""What a phase costs at least, in expectation given that it ends softly: without any sampling.

Let there be two arms, of which arm 1 loses nothing where feedback is seen; let feedback come at
once or never, and the rounds without any, H, come first. When phase 1 ends softly all that is ever
seen has arrived, so that x* is arm 1, and the gap G satisfies theta < G <= theta + 1/(1 - alpha)
with theta = 2 R^ + xi^, because one item adds at most x^c(a)/x_t(a) <= 1/(1 - alpha).

In H nothing has been learnt: x^_u = x_0. And nobody learns A_u, which given the exit still has the
law x_u: the estimates of H add sum_H <l_u, x_0 - q> in expectation, to the regret to any q that
they do not influence. What is seen adds on every path, with rho a lower bound on all x^_t(0),

    to sum <l^_t, x^_t - x*>    gap against base iterates    at least 0
                                best response                at least rho theta/x^c(0),
    to sum <l^_t, x^_t - x^c>   gap against base iterates    -G
                                best response                at least -(1 - rho/x^c(0)) G,

as a best response has the gap x^c(0) g(0). With steps from the played mixture and H empty, the
Banker goes on from x_t(0) >= p = (1 - alpha) x^c(0) by an estimate of at most 1/p, and then only
nearer to x_0: the log-odds of x^_{t+1}(0) are at least min(0, log-odds of p) - 1/(p sigma_2).
"""

from __future__ import annotations

from flint import arb, fmpq

from pbverify.numerics import Number, Truth, less, to_arb, to_fmpq
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.proofs.bounds_on_every_path import losses


def ends_softly(run: Run) -> bool:
    """Whether phase 1 of stage 1 ends softly while alpha < 1, in a game as above."""
    return bool(run.phases) and _is_soft(run, run.phases[0]) and _is_one_sided(run)


def _is_soft(run: Run, phase: PaperPhase) -> bool:
    is_first = (phase.stage, phase.number, phase.ended) == (1, 1, "soft restart")
    return is_first and less(run.alpha(phase), 1) is Truth.YES


def _is_one_sided(run: Run) -> bool:
    hidden, T = len(_hidden(run)), run.instance.rounds
    return run.instance.arms == 2 and all(
        run.delays[t - 1] == 0 and losses(run, t)[1] == 0 for t in range(hidden + 1, T + 1)
    )


def _hidden(run: Run) -> range:
    """H: the first rounds, as long as their feedback does not come before the horizon."""
    T = run.instance.rounds
    return range(1, next((t for t in range(1, T + 1) if t + run.delays[t - 1] <= T), T + 1))


def least_base_regret(run: Run) -> Number:
    """What E[sum <l^_t, x^_t - x*> | soft exit] over phase 1 is at least."""
    phase = run.phases[0]
    seen: Number = fmpq(0)
    if run.trace.reading.gap == "best-response":
        seen = _least_base(run, phase) * run.stage_of(phase).threshold / _safe(run)
    return _hidden_regret(run, to=fmpq(0)) + seen


def least_regret_to_comparator(run: Run) -> Number:
    """What E[sum <l^_t, x_t - x^c> | soft exit] over phase 1 is at least."""
    phase = run.phases[0]
    alpha, theta = run.alpha(phase), run.stage_of(phase).threshold
    share: Number = fmpq(1)
    if run.trace.reading.gap == "best-response":
        share = 1 - _least_base(run, phase) / _safe(run)
    return alpha * (_hidden_regret(run, to=_safe(run)) - share * (theta + 1 / (1 - alpha)))


def _hidden_regret(run: Run, *, to: fmpq) -> fmpq:
    """sum_H <l_u, x_0 - q>, where q plays arm 0 with probability `to`."""
    leads = (row[0] - row[1] for row in (losses(run, u) for u in _hidden(run)))
    return (fmpq(1, 2) - to) * sum(leads, fmpq(0))


def _safe(run: Run) -> fmpq:
    """x^c(0)."""
    return to_fmpq(run.instance.comparator[0])


def _least_base(run: Run, phase: PaperPhase) -> Number:
    """rho, at most x^c(0); 0 where nothing is known."""
    if run.trace.reading.update != "played" or _hidden(run):
        return fmpq(0)
    p = to_arb((1 - run.alpha(phase)) * _safe(run))
    odds = (p / (1 - p)).log().min(arb(0)) - 1 / (p * run.step(2).scale)
    return (1 / (1 + (-odds).exp())).min(to_arb(_safe(run)))
