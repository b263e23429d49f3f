r"""The expected regret of Prudent-EXP3 to the comparator, composed from what is proved of it.

A game has paths w = 1, ..., W with the probabilities p(w). Along each of them, with the sums of
`exp3_expectations` (est: with estimates, act: with true losses),

    est_regret <= entropy + est_squares + est_products - gaps + est_exit       (pathwise lemma)
    act_squares <= sum of alpha gamma/(2 delta) over the rounds,    act_exit <= late
    act_waiting <= sum of alpha gamma (missing items of the phase) over the rounds
    gaps >= saved + late                                                       (exit test)
    account = entropy + the two sums on the right - saved,

where `late` is the sum over exits of alpha m, and `saved` that of 2 alpha R. The estimates change
no mean: E[est] = E[act] for each sum, and act_products = est_waiting. Hence E[regret] <=
E[account], and E[regret] <= Lambda because no path's account exceeds Lambda.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import z3
from flint import fmpq

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import Number, to_fmpq
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.cases.prudent_exp3.game import Exp3Game, phases
from pbverify.paper.proofs.exp3_expectations import KINDS, Sums
from pbverify.paper.theories.expectation.drawn_later import DEFERRED
from pbverify.paper.theories.expectation.unbiased import UNBIASED
from pbverify.paper.theories.prudent_exp3 import account as accounts
from pbverify.paper.theories.prudent_exp3 import exponential_weights as weights
from pbverify.paper.theories.prudent_exp3.unbiased import SAME_SUMS
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT, REAL
from pbverify.prover.induction.theory import Theory

n = z3.Int("n")
x, y, q, regret = z3.Reals("x y q regret")
T = Theory("expected account of Prudent-EXP3")
W = T.parameter("W", INT, where=lambda W: W >= 1)
p = T.input("p", INT, REAL, where=lambda p, w: p(w) >= 0)


def sequence(name: str, where: Callable[..., Any] | None = None) -> Any:
    """A number for each path."""
    return T.input(name, INT, REAL, where=where)


act = {kind: sequence(f"act {kind}") for kind in KINDS}
est = {kind: sequence(f"est {kind}") for kind in KINDS[1:]}
entropy, saved = sequence("entropy"), sequence("saved")
late = sequence("late", lambda f, w: act["exit"](w) <= f(w))
gaps = sequence("gaps", lambda f, w: f(w) >= saved(w) + late(w))
est["regret"] = sequence(
    "est regret",
    lambda f, w: (
        f(w) <= entropy(w) + est["squares"](w) + est["products"](w) - gaps(w) + est["exit"](w)
    ),
)
squares = sequence("squares", lambda f, w: act["squares"](w) <= f(w))
waiting = sequence("waiting", lambda f, w: act["waiting"](w) <= f(w))
account = sequence("account", lambda f, w: f(w) == entropy(w) + squares(w) + waiting(w) - saved(w))

mean_act = {k: T.sum(f"E act {k}", lambda w, k=k: p(w) * act[k](w), sort=REAL) for k in KINDS}
mean_est = {k: T.sum(f"E est {k}", lambda w, k=k: p(w) * est[k](w), sort=REAL) for k in KINDS}
mean_account = T.sum("E account", lambda w: p(w) * account(w), sort=REAL)
cost = T.sum(
    "E cost",
    lambda w: p(w) * (entropy(w) + est["squares"](w) + est["products"](w)),
    sort=REAL,
)
most_cost = T.sum("E most cost", lambda w: p(w) * (entropy(w) + squares(w) + waiting(w)), sort=REAL)

SCALED = T.theorem(
    "weighted",
    [x, y, q],
    q * x <= q * y,
    given=z3.And(q >= 0, x <= y),
)
_unbiased = (
    est["regret"](n)
    - est["squares"](n)
    + act["squares"](n)
    - est["products"](n)
    + act["waiting"](n)
    - est["exit"](n)
    + act["exit"](n)
)
PATH = T.theorem("one path", [n], _unbiased <= account(n), fuel=4)
PATHS = T.theorem(
    "paths together",
    [n],
    mean_est["regret"](n)
    - (mean_est["squares"](n) - mean_act["squares"](n))
    - (mean_est["products"](n) - mean_act["waiting"](n))
    - (mean_est["exit"](n) - mean_act["exit"](n))
    <= mean_account(n),
    induct=n,
    use=[PATH(n), SCALED(_unbiased, account(n), p(n))],
    fuel=1,
)
COSTS = T.theorem(
    "costs of all paths",
    [n],
    cost(n)
    - (mean_est["squares"](n) - mean_act["squares"](n))
    - (mean_est["products"](n) - mean_act["waiting"](n))
    <= most_cost(n),
    induct=n,
    use=[
        SCALED(
            entropy(n) + act["squares"](n) + act["waiting"](n),
            entropy(n) + squares(n) + waiting(n),
            p(n),
        )
    ],
    fuel=1,
)
_UNBIASED = z3.And(
    *(mean_est[kind](W) == mean_act[kind](W) for kind in KINDS),
    mean_act["products"](W) == mean_est["waiting"](W),
)
COST = T.theorem(
    "what phases cost", [], cost(W) <= most_cost(W), given=_UNBIASED, use=[COSTS(W)], fuel=0
)
ACCOUNT = T.theorem(
    "regret and account",
    [],
    mean_act["regret"](W) <= mean_account(W),
    given=_UNBIASED,
    use=[PATHS(W)],
    fuel=0,
)

# The account of each path is at most Lambda, as `account` proves.
S = Theory("safety of Prudent-EXP3")
safety = S.parameter("Lambda", REAL)
count = S.parameter("W", INT, where=lambda W: W >= 1)
chance = S.input("p", INT, REAL, where=lambda p, w: p(w) >= 0)
total = S.input("account", INT, REAL, where=lambda f, w: f(w) <= safety)
mass = S.sum("mass", lambda w: chance(w), sort=REAL)
mean = S.sum("E account", lambda w: chance(w) * total(w), sort=REAL)
WEIGHTED = S.theorem("weighted", [x, y, q], q * x <= q * y, given=z3.And(q >= 0, x <= y))
MEAN = S.theorem(
    "the mean account so far",
    [n],
    mean(n) <= mass(n) * safety,
    induct=n,
    use=[WEIGHTED(total(n), safety, chance(n))],
    fuel=1,
)
SAFE = S.theorem(
    "regret and target",
    [regret],
    regret <= safety,
    given=z3.And(mass(count) == 1, regret <= mean(count)),
    use=[MEAN(count)],
    fuel=0,
)


def model(game: Exp3Game) -> Model:
    return Model(T, values(game))


def values(game: Exp3Game) -> dict[Any, Any]:
    """The numbers of each path of a game."""
    sums, paths = Sums(game), game.paths.paths
    delta = to_fmpq(game.instance.delta)

    def along(value: Callable[[Path], Number]) -> Callable[[int], Number]:
        return rounds([value(path) for path in paths])

    def over_rounds(path: Path, item: Callable[[int, Any], Number]) -> Number:
        steps = (
            to_fmpq(phase.first.alpha) * game.stage(phase.first.stage).rate * item(t, phase)
            for phase in phases(path)
            for t, _ in phase.rows
        )
        return sum(steps, fmpq(0))

    def over_exits(path: Path, item: Callable[[Any], Number]) -> Number:
        found = (phase for phase in phases(path) if phase.last.soft_restart)
        return sum((to_fmpq(phase.first.alpha) * item(phase) for phase in found), fmpq(0))

    def late_of(path: Path) -> Number:
        return over_exits(path, lambda phase: phase.last.missing)

    found: dict[Any, Any] = {W: len(paths), p: along(lambda path: path.probability)}
    for kind in KINDS:
        found[act[kind]] = along(functools.partial(sums.total, kind, estimated=False))
        found[est[kind]] = along(functools.partial(sums.total, kind, estimated=True))
    found |= {
        entropy: along(sums.entropy),
        gaps: along(sums.gaps),
        late: along(late_of),
        saved: along(lambda path: over_exits(path, lambda f: 2 * game.stage(f.first.stage).budget)),
        squares: along(lambda path: over_rounds(path, lambda t, phase: 1 / (2 * delta))),
        waiting: along(
            lambda path: over_rounds(path, lambda t, phase: len(game.missing(phase, at=t - 1)))
        ),
        account: along(sums.account),
    }
    return found


def regret_le_account(game: Exp3Game) -> Iterator[Anchor]:
    """The pathwise lemma in each phase of each path, and what the paths say together."""
    sums, arms = Sums(game), game.instance.arms
    for path in game.paths.paths:
        for phase in phases(path):
            own = sums.own_estimates(path, phase)
            late = [sums.waiting_for(path, t) for t, _ in phase.rows]
            values = {
                weights.A: arms,
                weights.gamma: game.stage(phase.first.stage).rate,
                weights.loss: lambda t, i, own=own: own[t - 1][i - 1],
                weights.M: lambda t, i, late=late: late[t - 1][i - 1],
            }
            read = Model(weights.T, values)
            for arm in range(1, arms + 1):
                place = {weights.n: len(phase.rows), weights.j: arm}
                yield at(weights.STATEMENT, read, place)
    yield at(ACCOUNT, model(game))


def cost_le_clock(game: Exp3Game) -> Iterator[Anchor]:
    yield at(COST, model(game))


def regret_le_safety(game: Exp3Game) -> Iterator[Anchor]:
    """Regret and account; the account of each path; hence the regret."""
    yield at(ACCOUNT, model(game))
    sums, paths = Sums(game), game.paths.paths
    for path in paths:
        outline = game.outline(path)
        place = {accounts.n: len(outline.of_stages())}
        yield at(accounts.WHOLE, accounts.model(outline), place)
    values = {
        safety: game.learner.safety,
        count: len(paths),
        chance: rounds([path.probability for path in paths]),
        total: rounds([sums.account(path) for path in paths]),
    }
    yield at(SAFE, Model(S, values), {regret: game.regret(game.comparator())})


SCOPE = "all horizons, arms, delays and oblivious losses"
PARTS = ("prudent-exp3/unbiased", "prudent-exp3/pathwise", "prudent-exp3/one-round")
ASSUMED = (DEFERRED, SAME_SUMS)
PHASES = InductionProof([COST, UNBIASED], cost_le_clock, SCOPE, ASSUMED, PARTS)
WHOLE = InductionProof(
    [ACCOUNT, UNBIASED, weights.STATEMENT], regret_le_account, SCOPE, ASSUMED, PARTS
)
SAFETY = InductionProof(
    [SAFE, ACCOUNT, UNBIASED, accounts.WHOLE],
    regret_le_safety,
    SCOPE,
    ASSUMED,
    ("prudent-exp3/account", "prudent-exp3/stage-account"),
)
