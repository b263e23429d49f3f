r"""The expected regret of Prudent-EXP3 to a fixed arm, composed from what is proved of it.

Paths and their sums are as in `expected_account`. With L the estimates of a phase, added up, and

    rest = sum over phases of (1 - alpha) <L, x^c - e_j>,    C = entropy + squares + waiting + rest,

where `squares` and `waiting` bound the sums of that name, the pathwise lemma says

    sum_t <l^_t, x_t - e_j> <= entropy + est_squares + est_products + rest,

so E[regret to arm j] <= E[C]. If no phase with alpha < 1 overshoots by more than 2 R + 3 xi, then C
is at most the sum over phases of alpha Q + (1 - alpha) (2 R + 3 xi) (`CAPPED`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import z3
from flint import fmpq

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import Number, to_fmpq
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.cases.prudent_exp3.game import Exp3Game, phases
from pbverify.paper.proofs.exp3_expectations import Sums
from pbverify.paper.theories.expectation.drawn_later import when_played
from pbverify.paper.theories.expectation.unbiased import UNBIASED, Counting
from pbverify.paper.theories.prudent_exp3 import expected_account as paths
from pbverify.paper.theories.prudent_exp3.expected_account import (
    ASSUMED,
    SAFE,
    SCALED,
    SCOPE,
    T,
    W,
    act,
    entropy,
    est,
    mean_act,
    mean_est,
    n,
    p,
    sequence,
    squares,
    waiting,
)
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT, REAL
from pbverify.prover.induction.theory import Theory

rest, actual = sequence("rest"), sequence("regret to j")
estimated = sequence(
    "est regret to j",
    lambda f, w: f(w) <= entropy(w) + est["squares"](w) + est["products"](w) + rest(w),
)
certificate = sequence(
    "certificate", lambda f, w: f(w) == entropy(w) + squares(w) + waiting(w) + rest(w)
)
mean_actual = T.sum("E regret to j", lambda w: p(w) * actual(w), sort=REAL)
mean_estimated = T.sum("E est regret to j", lambda w: p(w) * estimated(w), sort=REAL)
mean_certificate = T.sum("E certificate", lambda w: p(w) * certificate(w), sort=REAL)
_unbiased = (
    estimated(n) - est["squares"](n) + act["squares"](n) - est["products"](n) + act["waiting"](n)
)
PATH = T.theorem("one path, to an arm", [n], _unbiased <= certificate(n), fuel=4)
PATHS = T.theorem(
    "paths together, to an arm",
    [n],
    mean_estimated(n)
    - (mean_est["squares"](n) - mean_act["squares"](n))
    - (mean_est["products"](n) - mean_act["waiting"](n))
    <= mean_certificate(n),
    induct=n,
    use=[PATH(n), SCALED(_unbiased, certificate(n), p(n))],
    fuel=1,
)
REGRET = T.theorem(
    "regret and certificate",
    [],
    mean_actual(W) <= mean_certificate(W),
    given=z3.And(
        mean_estimated(W) == mean_actual(W),
        mean_est["squares"](W) == mean_act["squares"](W),
        mean_est["products"](W) == mean_act["products"](W),
        mean_act["products"](W) == mean_est["waiting"](W),
        mean_est["waiting"](W) == mean_act["waiting"](W),
    ),
    use=[PATHS(W)],
    fuel=0,
)

P = Theory("phases of a path")
alpha = P.input("alpha", INT, REAL, where=lambda f, k: z3.And(f(k) > 0, f(k) <= 1))
cost, most = P.input("Q", INT, REAL), P.input("most", INT, REAL)
over = P.input("over", INT, REAL, where=lambda f, k: z3.Implies(alpha(k) < 1, f(k) <= most(k)))
charged = P.sum("C", lambda k: alpha(k) * cost(k) + (1 - alpha(k)) * over(k), sort=REAL)
capped = P.sum("most C", lambda k: alpha(k) * cost(k) + (1 - alpha(k)) * most(k), sort=REAL)
CAPPED = P.theorem("overshoots are capped", [n], charged(n) <= capped(n), induct=n, fuel=1)


def vector(game: Exp3Game, arm: int, path: Path, t: int) -> list[Number]:
    """x_t - e_j."""
    return [x - int(i == arm) for i, x in enumerate(path.rows[t - 1].played)]


def model(game: Exp3Game, arm: int) -> Model:
    """The numbers of each path, against an arm."""
    sums, found = Sums(game), game.paths.paths
    counting = Counting(
        game, when_played, lambda path, t: True, functools.partial(vector, game, arm)
    )
    every = range(1, game.rounds + 1)
    values: dict[Any, Any] = {
        **paths.values(game),
        rest: rounds([sums.rest(path, arm) for path in found]),
        estimated: rounds([sum(counting.estimated(w, t) for t in every) for w in found]),
        actual: rounds([sum(counting.actual(w, t) for t in every) for w in found]),
        certificate: rounds([sums.certificate(path, arm) for path in found]),
    }
    return Model(T, values)


def regret_of_arms(game: Exp3Game) -> Iterator[Anchor]:
    """Regret and certificate for each arm; what each path charges; the rate, with real budgets."""
    sums, arms = Sums(game), range(game.instance.arms)
    for arm in arms:
        yield at(REGRET, model(game, arm))
    for path in game.paths.paths:
        own = phases(path)
        for arm in arms:
            known = {
                alpha: rounds([to_fmpq(phase.first.alpha) for phase in own]),
                cost: rounds([sums.cost(phase) for phase in own]),
                over: rounds([sums.overshoot(phase, arm) for phase in own]),
                most: rounds([sums.unit(phase) for phase in own]),
            }
            yield at(CAPPED, Model(P, known), {n: len(own)})
    if game.learner.budget is None:
        yield from rates(game)


def rates(game: Exp3Game) -> Iterator[Anchor]:
    """The mean of what is at most the rate on every path is at most the rate."""
    sums, found = Sums(game), game.paths.paths
    values = {
        paths.safety: game.rate,
        paths.count: len(found),
        paths.chance: rounds([path.probability for path in found]),
        paths.total: rounds([sums.most(path) for path in found]),
    }
    for arm in range(game.instance.arms):
        to = [fmpq(int(i == arm)) for i in range(game.instance.arms)]
        yield at(SAFE, Model(paths.S, values), {paths.regret: game.regret(to)})


ARMS = InductionProof(
    [REGRET, CAPPED, SAFE, UNBIASED],
    regret_of_arms,
    SCOPE,
    ASSUMED,
    (*paths.PARTS, "prudent-exp3/overshoot", "prudent-exp3/regret-account"),
)
