r"""Banker-OMD on every path with the engine's two regularizers (Theorem 4.2 of Huang et al.).

The theorem of `mirror_descent` for x_0 = (1/A, ..., 1/A) and

    negative entropy    psi(p) = p ln p         div(p, q) = p (ln p - ln q) + q - p
    1/2-Tsallis         psi(p) = -2 sqrt p      div(p, q) = (sqrt p - sqrt q)^2/sqrt q

whose divergences are those of their gradients and are >= 0: that is proved. A phase of the engine
supplies scales, credits, iterates and estimates, and its mirror maps the ends of the mirror steps.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import z3
from flint import fmpq

from pbverify.bandits.mirror_maps import regularizer
from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import BallArithmetic
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.proofs.mirror_descent import step_ends, vertex
from pbverify.paper.theories.banker import banker_rules, ledger, mirror_descent
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import Term
from pbverify.prover.induction.theory import Instance, Interpretation, Theorem, Theory


@dataclasses.dataclass(frozen=True)
class Regularized:
    """Banker-OMD with one regularizer: its theory, its sequences, and the theorems about them."""

    theory: Theory
    path: banker_rules.Path
    there: Interpretation
    statement: Theorem
    """sum <l_t, x^_t - y> <= B D(y, x_0) + sum sigma_t D(x^_t, z~_t) - sum v_u D(y, z_u)."""
    shorter: Theorem
    """The same without the last sum."""


def regularized(
    T: Theory,
    psi: Callable[[Term], Term],
    grad: Callable[[Term], Term],
    div: Callable[[Term, Term], Term],
    use: Callable[[Term, Term], Sequence[Instance]] = lambda p, q: (),
) -> Regularized:
    """The theorems for a regularizer; `use` helps to show that its divergence is >= 0."""
    M = mirror_descent
    path = banker_rules.path(T, grad, lambda x0, i, A: x0(i) * z3.ToReal(A) == 1)
    same = zip(M.PATH, path, strict=True)
    there = Interpretation(
        T, M.T, T.name, {M.psi: psi, M.grad: grad, M.div: div, **dict(same)}, use={M.div: use}
    )
    return Regularized(T, path, there, there(M.STATEMENT), there(M.SHORTER))


T1 = Theory("negative entropy")
GIBBS = T1.fact("p*(ln(p) - ln(q)) >= p - q", where=["p > 0", "q > 0"])
ENTROPY = regularized(
    T1,
    lambda p: z3.If(p == 0, 0, p * LN(p)),
    lambda q: 1 + LN(q),
    lambda p, q: z3.If(p == 0, q, p * (LN(p) - LN(q)) + q - p),
    lambda p, q: [GIBBS(p, q)],
)
T2 = Theory("1/2-Tsallis")
p, q, g, h = z3.Reals("p q g h")
INVERSE = T2.theorem("inverse", [h], 1 / h >= 0, given=h > 0)
PRODUCT = T2.theorem("product", [p, q], p * q >= 0, given=z3.And(p >= 0, q >= 0))
SQUARE = T2.theorem("square", [g], g * g >= 0)
QUOTIENT = T2.theorem(
    "quotient",
    [g, h],
    g * g / h >= 0,
    given=h > 0,
    use=[SQUARE(g), INVERSE(h), PRODUCT(g * g, 1 / h)],
)
ROOTS = T2.theorem(
    "roots",
    [p, q, g, h],
    (g - h) * (g - h) / h == -2 * g - -2 * h - -1 / h * (p - q),
    given=z3.And(h > 0, g * g == p, h * h == q),
)
TSALLIS = regularized(
    T2,
    lambda p: -2 * SQRT(p),
    lambda q: -1 / SQRT(q),
    lambda p, q: (SQRT(p) - SQRT(q)) * (SQRT(p) - SQRT(q)) / SQRT(q),
    lambda p, q: [
        ROOTS(p, q, SQRT(p), SQRT(q)),
        QUOTIENT(SQRT(p) - SQRT(q), SQRT(q)),
    ],
)
THEORIES = {"negative-entropy": ENTROPY, "tsallis": TSALLIS}


def recorded(run: Run, phase: PaperPhase, names: banker_rules.Path) -> dict[Any, Any]:
    """A phase as the trace has it, and the ends of its mirror steps."""
    psi, balls, arms = (
        regularizer(run.trace.reading.regularizer),
        BallArithmetic(),
        run.instance.arms,
    )
    ends = {t: step_ends(run, t, psi, balls) for t in phase.played}
    before = phase.start - 1

    def estimate(t: int, i: int) -> Any:
        return run.estimate(before + t) if run.action(before + t) == i - 1 else fmpq(0)

    return {
        **ledger.recorded(run, phase, names.ledger),
        names.A: arms,
        names.x0: lambda i: fmpq(1, arms),
        names.xh: lambda t, i: run.step(before + t).iterate[i - 1],
        names.loss: estimate,
        names.zf: lambda t, i: ends[before + t][0][i - 1],
        names.z: lambda t, i: ends[before + t][1][i - 1],
    }


def statement(run: Run) -> Iterator[Anchor]:
    """The theorem for every vertex y; the rules of the ledger are checked with the first one."""
    known = THEORIES[run.trace.reading.regularizer]
    arms, n = run.instance.arms, mirror_descent.n
    for phase in run.phases:
        values, last = recorded(run, phase, known.path), len(phase.played)
        for arm in range(arms):
            y = vertex(arm, arms)
            model = Model(known.theory, {**values, known.path.y: lambda i, y=y: y[i - 1]})
            if arm == 0:
                ledger.asked_everywhere(model, known.path.ledger, last)
            yield at(known.statement, model, {n: last})


def pathwise(*names: str) -> InductionProof:
    """The proof for these regularizers."""
    return InductionProof(
        [THEORIES[name].statement for name in names],
        statement,
        f"all phases, arms, delays, losses and comparators, {' and '.join(names)}",
        made_of=("banker-ledger",),
    )
