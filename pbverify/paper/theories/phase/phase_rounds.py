r"""The rounds of a phase, for any number of arms, any delays, any actions and any losses.

Rounds are numbered 1, 2, ... within the phase and arms 1, ..., A. What is assumed is how the
algorithm and the game define their quantities, for each round t and arm a:

    law     x_t(a) = alpha x^_t(a) + (1 - alpha) x^c(a), with 0 <= alpha <= 1
    l_t(a)  the loss of round t over x_t(a) if a = A_t is played, which has x_t(A_t) > 0, else 0
    losses in [0, 1]; x^_t(a), x^c(a) and the delays d_t are >= 0

Some lines speak of the phase's way to end: a soft restart is tested for only if alpha < 1.
`Totals` are sums over some of the rounds per arm, <g, x^c> and the least total of an arm, so that
max_x <g, x^c - x> = <g, x^c> - min_a g_a.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import z3

from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.proofs.phase_sums import comparator
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import BOOL, INT, REAL, Function, Term
from pbverify.prover.induction.theory import Theorem, Theory

n, t, k, at = z3.Ints("n t k at")
ZERO = z3.RealVal(0)

T = Theory("phase")
A = T.parameter("A", INT, where=lambda A: A >= 1)
alpha = T.parameter("alpha", REAL, where=lambda alpha: z3.And(alpha >= 0, alpha <= 1))
soft = T.parameter("soft", BOOL, where=lambda soft: z3.Implies(soft, alpha < 1))
c = T.input("c", INT, REAL, where=lambda c, a: c(a) >= 0)
base = T.input("base", INT, INT, REAL, where=lambda base, t, a: base(t, a) >= 0)


def mixture(t: Term, a: Term) -> Term:
    """alpha x^_t(a) + (1 - alpha) x^c(a)."""
    return alpha * base(t, a) + (1 - alpha) * c(a)


law = T.input("law", INT, INT, REAL, where=lambda law, t, a: law(t, a) == mixture(t, a))
action = T.input(
    "action",
    INT,
    INT,
    where=lambda action, t: z3.And(action(t) >= 1, action(t) <= A, mixture(t, action(t)) > 0),
)
loss = T.input("loss", INT, REAL, where=lambda loss, t: z3.And(loss(t) >= 0, loss(t) <= 1))
estimate = T.input(
    "estimate",
    INT,
    REAL,
    where=lambda estimate, t: estimate(t) * mixture(t, action(t)) == loss(t),
)
x = T.input("x", INT, REAL, where=lambda x, a: x(a) >= 0)
d = T.input("d", INT, INT, where=lambda d, t: d(t) >= 0)


def l(t: Term, a: Term) -> Term:  # noqa: E743
    """l_t(a)."""
    return z3.If(a == action(t), estimate(t), ZERO)


def is_late(t: Term, at: Term) -> Term:
    """The feedback of round t has not arrived by the end of round `at`."""
    return t + d(t) > at


def least(name: str, value: Callable[..., Term], *sorts: Term) -> Function:
    """The least of value(1, *p), ..., value(n, *p) for n >= 1."""
    return T.define(
        name,
        (INT, *sorts, REAL),
        zero=lambda *p: value(z3.IntVal(1), *p),
        succ=lambda n, before, *p: z3.If(value(n, *p) < before, value(n, *p), before),
    )


@dataclasses.dataclass(frozen=True)
class Product:
    """<g, v> over the arms 1..k, and how it grows with the rounds."""

    total: Function
    nothing: Theorem
    grows: Theorem


class Totals:
    """g: the estimates of the rounds 1..n that are kept, per arm, and what is made of them."""

    def __init__(self, name: str, keep: Callable[..., Term], *sorts: Term) -> None:
        """`keep(t, *p)` says which rounds are counted; the sorts are those of p."""
        self._name, self._keep, self._sorts = name, keep, (INT, *sorts)
        self._p = [at][: len(sorts)]
        self.g = T.sum(
            f"g, {name}",
            lambda t, a, *p: z3.If(keep(t, *p), l(t, a), ZERO),
            *self._sorts,
            sort=REAL,
        )
        self.least = least(f"min g, {name}", lambda a, n, *p: self.g(n, a, *p), *self._sorts)
        self.c = self._product("c", c, with_c)
        self.x = self._product("x", x, with_x)
        self.least_le = T.theorem(
            f"least total, {name}",
            [k, n, *self._p],
            self.least(k, n, *self._p) * mass(k) <= self.x.total(k, n, *self._p),
            given=n >= 0,
            induct=k,
            use=[GROWS(k - 1)],
        )
        self.largest = T.theorem(
            f"the gap is the largest <g, c - x>, {name}",
            [n, *self._p],
            self.c.total(A, n, *self._p) - self.x.total(A, n, *self._p) <= self.gap(n, *self._p),
            given=z3.And(n >= 0, mass(A) == 1),
            use=[self.least_le(A, n, *self._p)],
        )

    def gap(self, n: Any, *p: Any) -> Term:
        """max_x <g, x^c - x>, which is attained at an arm of least total."""
        return self.c.total(A, n, *p) - self.least(A, n, *p)

    def _product(self, name: str, vector: Function, one: Function) -> Product:
        total = T.sum(
            f"<g, {name}>, {self._name}",
            lambda a, n, *p: self.g(n, a, *p) * vector(a),
            *self._sorts,
            sort=REAL,
        )
        more = z3.If(self._keep(n + 1, *self._p), one(k, n + 1), ZERO)
        return Product(
            total,
            T.theorem(
                f"<g, {name}> of no rounds, {self._name}",
                [k, *self._p],
                total(k, 0, *self._p) == 0,
                induct=k,
            ),
            T.theorem(
                f"<g, {name}> of one round more, {self._name}",
                [k, n, *self._p],
                total(k, n + 1, *self._p) == total(k, n, *self._p) + more,
                given=n >= 0,
                induct=k,
            ),
        )


with_c = T.sum("<l, c>", lambda a, t: l(t, a) * c(a), INT, sort=REAL)
with_x = T.sum("<l, x>", lambda a, t: l(t, a) * x(a), INT, sort=REAL)
mass = T.sum("mass of x", lambda a: x(a), sort=REAL)
GROWS = T.theorem("mass of x", [k], mass(k) >= 0, induct=k)
EVERY = Totals("all rounds", lambda t: z3.BoolVal(val=True))
LATE = Totals("missing", is_late, INT)
ARRIVED = Totals("arrived", lambda t, at: z3.Not(is_late(t, at)), INT)


def length(phase: PaperPhase) -> int:
    """The rounds start..end of a phase, also that of a hard restart."""
    return phase.end - phase.start + 1


def values(run: Run, first: int, arm: int = 0) -> dict[Any, Any]:
    """The engine's numbers from round `first` on, which is round 1 here; x is an arm."""

    def of_arm(vector: Callable[[int], Any]) -> Callable[[int, int], Any]:
        return lambda t, a: vector(first - 1 + t)[a - 1]

    return {
        A: run.instance.arms,
        c: rounds(comparator(run)),
        x: lambda a: int(a == arm + 1),
        base: of_arm(run.base),
        law: of_arm(run.law),
        action: lambda t: run.action(first - 1 + t) + 1,
        loss: lambda t: run.instance.losses.exact(first - 2 + t, run.action(first - 1 + t)),
        estimate: lambda t: run.estimate(first - 1 + t),
        d: lambda t: run.delays[first - 2 + t],
    }


def model(run: Run, phase: PaperPhase, arm: int = 0) -> Model:
    """The theory about the rounds of a phase of a run; x is an arm, counted from 0."""
    own = {alpha: run.alpha(phase), soft: phase.ended == "soft restart"}
    found = Model(T, {**values(run, phase.start, arm), **own})
    for each in range(1, run.instance.arms + 1):  # also where only a proof speaks of x
        found.value(x(z3.IntVal(each)))
    return found
