r"""How far the comparator's estimated loss in a phase with alpha < 1 can exceed that of an arm.

The phase has rounds t = 1, ..., n; round t adds v(t) = (l/x)(c - i), where c is the comparator's
share of the arm that was played, x >= (1 - alpha) c its probability, and i is 1 if it is the arm
compared with, else 0. Since alpha <= 1/2, v(t) <= 2. At the last test that the phase passed, m
items were missing and the others added up to at most 2 R + m. After it one more round is missing if
the phase then exits, and none otherwise: `e` is 1 or 0. With m + e <= xi,

    v(1) + ... + v(n) <= 2 R + m + 2 (m + e) <= 2 R + 3 xi.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import to_fmpq
from pbverify.paper.cases.prudent_exp3.game import Exp3Game, phases
from pbverify.paper.formulas.prudent_exp3 import MOST_MISSING
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import BOOL, INT, REAL, Term
from pbverify.prover.induction.theory import Theory

n, m, e = z3.Ints("n m e")

T = Theory("overshoot of Prudent-EXP3")
alpha = T.parameter("alpha", REAL, where=lambda f: z3.And(f >= 0, f <= 1))
HALVED = 2 * alpha <= 1
R = T.parameter("R", REAL)
xi = T.parameter("xi", REAL)
c = T.input("c", INT, REAL, where=lambda f, t: f(t) > 0)
x = T.input("x", INT, REAL, where=lambda f, t: f(t) >= (1 - alpha) * c(t))
loss = T.input("l", INT, REAL, where=lambda f, t: z3.And(f(t) >= 0, f(t) <= 1))
own = T.input("own", INT, BOOL)
late = T.input("late", INT, BOOL)


def item(t: Term) -> Term:
    """v(t)."""
    return loss(t) / x(t) * (c(t) - z3.If(own(t), 1, 0))


total = T.sum("total", item, sort=REAL)
arrived = T.sum("arrived", lambda t: z3.If(late(t), 0, item(t)), sort=REAL)
missing = T.sum("missing", lambda t: z3.If(late(t), 1, 0))

p, q, s = z3.Reals("p q s")
HALF = T.theorem(
    "twice the probability",
    [q, s],
    z3.And(q > 0, s <= 2 * q),
    given=z3.And(HALVED, s > 0, q >= (1 - alpha) * s),
    use=[T.theorem("half", [s], s <= 2 * (1 - alpha) * s, given=z3.And(HALVED, s > 0))(s)],
    fuel=0,
)
SHARE = T.theorem(
    "a share of a small probability",
    [p, q, s],
    z3.And(p / q * s <= 2, p / q * (s - 1) <= p / q * s),
    given=z3.And(p >= 0, p <= 1, q > 0, s > 0, s <= 2 * q),
)
ITEM = T.theorem(
    "an item is at most 2",
    [n],
    item(n) <= 2,
    given=HALVED,
    use=[HALF(x(n), c(n)), SHARE(loss(n), x(n), c(n))],
    fuel=2,
)
SPLIT = T.theorem(
    "arrived and missing items",
    [n],
    total(n) <= arrived(n) + 2 * z3.ToReal(missing(n)),
    given=HALVED,
    induct=n,
    use=[ITEM(n)],
    fuel=1,
)
STATEMENT = T.theorem(
    "the overshoot of a phase",
    [n, m, e],
    total(n) <= 2 * R + 3 * xi,
    given=z3.And(
        HALVED,
        n >= 0,
        e >= 0,
        e <= 1,
        missing(n) == m + e,
        z3.ToReal(m + e) <= xi,
        arrived(n) <= 2 * R + z3.ToReal(m),
    ),
    use=[SPLIT(n)],
    fuel=0,
)


def each_phase(game: Exp3Game) -> Iterator[Anchor]:
    """Each phase with alpha < 1 of each path, against each arm."""
    safe, delta = game.comparator(), game.instance.delta
    for path in game.paths.paths:
        for phase in phases(path):
            if phase.first.alpha == 1:
                continue
            now, exits = game.stage(phase.first.stage), phase.last.soft_restart
            test = phase.end - exits
            known: dict[Any, Any] = {
                alpha: to_fmpq(phase.first.alpha),
                R: now.budget,
                xi: MOST_MISSING.enclosed(N=now.largest_clock, delta=delta),
                c: rounds([safe[row.action] for _, row in phase.rows]),
                x: rounds([row.played[row.action] for _, row in phase.rows]),
                loss: rounds([game.loss(t, row.action) for t, row in phase.rows]),
                late: rounds([u > test or game.is_missing(u, at=test) for u, _ in phase.rows]),
            }
            place = {n: len(phase.rows), m: len(game.missing(phase, at=test)), e: int(exits)}
            for arm in range(game.instance.arms):
                mine = rounds([row.action == arm for _, row in phase.rows])
                yield at(STATEMENT, Model(T, {**known, own: mine}), place)


OVERSHOOT = InductionProof([STATEMENT], each_phase, "all phases, delays, losses and laws")
