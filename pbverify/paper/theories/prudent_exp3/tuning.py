r"""The rate and the budget of a stage, for all sizes: with N >= 1, delta > 0 and A >= 2,

gamma = sqrt(2 delta ln A / N),    R = sqrt(2 N ln A / delta) > 0,
ln A / gamma + gamma n / (2 delta) <= R      for every clock n <= N.
"""

from __future__ import annotations

import z3

from pbverify.prover.induction.facts import LN, SQRT
from pbverify.prover.induction.terms import Term
from pbverify.prover.induction.theory import Theory

arms = z3.Int("arms")
size, margin, clock = z3.Reals("size margin clock")

T = Theory("tuning of Prudent-EXP3")


def log(A: Term) -> Term:
    """ln A."""
    return LN(z3.ToReal(A))


def rate(N: Term, delta: Term, A: Term) -> Term:
    """gamma."""
    return SQRT(2 * delta * log(A) / N)


def budget(N: Term, delta: Term, A: Term) -> Term:
    """R."""
    return SQRT(2 * N * log(A) / delta)


def cost(clock: Term, gamma: Term, delta: Term, A: Term) -> Term:
    """Q = ln A / gamma + gamma n / (2 delta)."""
    return log(A) / gamma + gamma * clock / (2 * delta)


_KNOWN = size, margin, arms
_SIZES = z3.And(size >= 1, margin > 0, arms >= 2)
SOME = T.theorem(
    "ln A is positive",
    [arms],
    log(arms) > 0,
    given=arms >= 2,
    use=[T.fact("ln(x) >= 1 - 1/x", where=["x > 0"])(z3.ToReal(arms))],
    fuel=0,
)
TUNED = T.theorem(
    "the rate is tuned",
    [size, margin, arms],
    z3.And(
        rate(*_KNOWN) > 0,
        log(arms) / rate(*_KNOWN) == budget(*_KNOWN) / 2,
        rate(*_KNOWN) * size / (2 * margin) == budget(*_KNOWN) / 2,
    ),
    given=_SIZES,
    use=[SOME(arms)],
    fuel=0,
)
COVERED = T.theorem(
    "the budget covers the cost of a phase",
    [size, margin, arms, clock],
    z3.And(budget(*_KNOWN) > 0, cost(clock, rate(*_KNOWN), margin, arms) <= budget(*_KNOWN)),
    given=z3.And(_SIZES, clock <= size),
    use=[TUNED(size, margin, arms)],
    fuel=0,
)
