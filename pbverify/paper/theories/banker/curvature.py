r"""The two regularizers arm by arm: how far a mirror step goes.

    negative entropy    ln z = ln p - u                 div(p, z) <= p u^2/2
    1/2-Tsallis         1/sqrt z = 1/sqrt p + u         div(p, z) <= p^(3/2) u^2

for u >= 0, where the left column says that the gradient at z is the one at p, less u.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import z3

from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import Term
from pbverify.prover.induction.theory import Instance, Theorem, Theory

p, q, u, g, h, e = z3.Reals("p q u g h e")


@dataclasses.dataclass(frozen=True)
class Curved:
    """A regularizer, arm by arm."""

    div: Callable[[Term, Term], Term]
    moves: Callable[[Term, Term, Term], Term]
    """Whether the gradient at z is that at p, less u."""
    curvature: Callable[[Term], Term]
    C2: int
    """C2 delta."""
    helpful: Callable[[Theory], list[Instance]]
    """What helps to show div(p, q) <= curvature(p) u^2."""


def entropy_facts(T: Theory) -> list[Instance]:
    gibbs = T.fact("p*(ln(p) - ln(q)) >= p - q", where=["p > 0", "q > 0"])
    small = T.fact(
        "p*(ln(p) - ln(p*y)) + p*y - p <= p*(ln(p) - ln(p*y))**2/2",
        where=["p > 0", "y > 0", "y <= 1"],
    )
    return [gibbs(q, p), small(p, q / p)]


def tsallis_facts(T: Theory) -> list[Instance]:
    """With the roots g and h of p and q: g - h = h g u, so (g - h)^2/h = h g^2 u^2."""
    root = T.theorem("root", [g, p], g > 0, given=z3.And(g >= 0, g * g == p, p > 0))
    moved = T.theorem(
        "a root after the step",
        [g, h, u],
        z3.And(g - h == h * (g * u), h <= g),
        given=z3.And(g > 0, h > 0, u >= 0, 1 / h == 1 / g + u),
    )
    quotient = T.theorem(
        "square over h",
        [g, h, e],
        (g - h) * (g - h) / h == h * (e * e),
        given=z3.And(h > 0, g - h == h * e),
    )
    larger = T.theorem("larger", [g, h, e], h * (e * e) <= g * (e * e), given=h <= g)
    cube = T.theorem("cube", [p, g, u], p * g * u * u == g * (g * u * (g * u)), given=g * g == p)
    P, Q = SQRT(p), SQRT(q)
    return [
        root(P, p),
        root(Q, q),
        moved(P, Q, u),
        quotient(P, Q, P * u),
        larger(P, Q, P * u),
        cube(p, P, u),
    ]


ENTROPY = Curved(
    div=lambda p, z: p * (LN(p) - LN(z)) + z - p,
    moves=lambda z, p, u: LN(z) == LN(p) - u,
    curvature=lambda p: p / 2,
    C2=1,
    helpful=entropy_facts,
)
TSALLIS = Curved(
    div=lambda p, z: (SQRT(p) - SQRT(z)) * (SQRT(p) - SQRT(z)) / SQRT(z),
    moves=lambda z, p, u: 1 / SQRT(z) == 1 / SQRT(p) + u,
    curvature=lambda p: p * SQRT(p),
    C2=2,
    helpful=tsallis_facts,
)


def of_one_arm(T: Theory, psi: Curved) -> Theorem:
    """div(p, q) <= curvature(p) u^2."""
    return T.theorem(
        "one arm",
        [p, q, u],
        psi.div(p, q) <= psi.curvature(p) * u * u,
        given=z3.And(p > 0, q > 0, u >= 0, psi.moves(q, p, u)),
        use=psi.helpful(T),
    )


def at_most_linear(T: Theory, psi: Curved) -> Theorem:
    """0 <= curvature(p) <= p for probabilities."""
    return T.theorem(
        "curvature",
        [p],
        z3.And(psi.curvature(p) >= 0, psi.curvature(p) <= p),
        given=z3.And(p > 0, p <= 1),
    )
