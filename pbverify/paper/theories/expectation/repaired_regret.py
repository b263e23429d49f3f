r"""The repaired regret bound with explicit constants, against any law o and for every D >= 1.

In the trees of `repaired_tree` a stage with budget R = 2^rho has in phase k, with 2^(k-1) <= R,

    room = (rho - k + 1) (2 R + 3 xi + 2) + 2 R - 2^(k-1),

and none when no phase is left. A phase with alpha < 1 ends with regret <= Y + alpha C1 B + G + m
(`certificates`). The test let it go on after its last round but one, and what arrives in a round
adds at most 1/(1 - alpha) <= 2 an item to the gap G: so G <= theta + 2 l if it ends softly, and
else G <= theta. With Q <= R and l + m <= xi it adds at most 2 R + 3 xi + 2 + 2^(k-1). A phase with
alpha = 1 adds at most R. By `stage_size` the room of a stage and the round of a hard restart are at
most cap = (log2 R^ + 2) (8 R^ + 3 xi^ + 2) + 8 R^ + 1, with the budget R^ at D and xi^ at 2 D, so

    E[regret] <= (log2 D + 2) cap.

By definition: alpha = min(2^(k-1)/R, 1), R^(E) <= R = 2^rho < 2 R^(E), the threshold theta = 2 R +
xi, the restart test while alpha < 1, 2^(L-1) < D <= 2^L, and at least two arms.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import z3

from pbverify.paper.theories.delays import powers_of_two
from pbverify.paper.theories.expectation import repaired_tree as trees
from pbverify.paper.theories.expectation import stage_size
from pbverify.paper.theories.expectation.certificates import RegretEnd, count, n
from pbverify.paper.theories.expectation.expected_regret import Draw
from pbverify.paper.theories.expectation.repaired_tree import HOME, HardRestart, OwnScales, is_paid
from pbverify.paper.theories.sums import budget, roots
from pbverify.paper.theories.sums.roots import share
from pbverify.prover.induction.terms import BOOL, INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theorem, Theory
from pbverify.prover.induction.tree import Fan, RootClaim, Tree

a, i, m, t = z3.Ints("a i m t")
x, y = roots.x, roots.y
p, q, r, h, g = z3.Reals("p q r h g")


def sizes(
    T: Theory, H: Any, more: Mapping[Any, Any] | None = None
) -> tuple[Interpretation, dict[str, Any]]:
    """The theory of sizes, about constants of another one, and the names of these."""
    names = {name: T.parameter(name, REAL, where=lambda C: C > 0) for name in ("C1", "C2")}
    change = {stage_size.C1: names["C1"], stage_size.C2: names["C2"], stage_size.H: H}
    return Interpretation(T, stage_size.T, "sizes", {**change, **(more or {})}), names


def opens(fan: Fan, **known: Any) -> tuple[Term, Theorem, dict[str, Any]]:
    """A new stage, with its own budget."""
    T, below, cap = fan.theory, trees.at(fan, 1), fan.node["cap"]
    there, names = sizes(T, known["H"], {stage_size.pow2: known["pow2"]})
    rounded, rho = T.parameter("R", REAL), T.parameter("rho", INT)
    estimate, delay, room = below["estimate"], known["D"], below["room"]
    values = estimate, delay, rounded, rho, room, cap
    at = list(zip(stage_size.STAGE, values, strict=True))
    opened = z3.substitute(there.read(stage_size.OPENS), *at)
    new_stage = T.theorem(
        "the room of the next stage",
        [],
        z3.And(room >= 0, room + known["cost"] <= cap),
        given=z3.And(opened, delay >= 1, estimate >= 1, estimate <= 2 * delay),
        use=[there(stage_size.NEW_STAGE)(*values)],
        fuel=0,
    )
    return opened, new_stage, {**names, "R": rounded, "rho": rho}


class RepairedRegretEnd(OwnScales, RegretEnd):
    """The end of a phase, against any law o."""

    def declare(self) -> None:
        self.full, self.exits = (self.T.parameter(name, BOOL) for name in ("full", "exits"))
        self.G, self.threshold = (self.T.parameter(name, REAL) for name in ("G", "threshold"))
        self.best = self.T.parameter("best", INT)
        self.rho, self.doublings = (self.T.parameter(name, INT) for name in ("rho", "k - 1"))

    def _closed(self) -> Theorem:
        T, P, fan = self.T, self.phase, self.fan
        here, below = fan.node, trees.at(fan, 1)
        self.declare_sums()
        powers = Interpretation(T, powers_of_two.T, "powers", {})
        pow2 = powers[powers_of_two.pow2]
        bound, needs, rests = self.coarse()
        tested, self.grown = self._grown()
        borrowed, covered, items = P.borrowing_costs(), self.covered(), self.items()
        alpha, R, N, B = P.alpha, self.budget, self.N, P.B(n)
        whole = P.C1 * B + self.paid(n)
        power = z3.ToReal(pow2(self.doublings))
        unit = 2 * R + 3 * self.slack + 2
        rules = z3.And(
            *(n == N, N >= 1, P.A >= 2, here["estimate"] >= 1, needs, tested),
            *(self.doublings >= 0, self.doublings <= self.rho, z3.ToReal(pow2(self.rho)) == R),
            *(alpha == share(power, R), self.full == (power >= R)),
            *(self.threshold == 2 * R + self.slack, z3.Implies(self.exits, power < R)),
        )
        half = T.theorem(
            "at most twice as much",
            [p, q, r],
            p - q <= 2 * r,
            given=z3.And(2 * alpha <= 1, r >= 0, (1 - alpha) * (p - q) <= r),
        )
        small = T.theorem(
            "a share of at most a half",
            [x, y],
            2 * share(x, y) <= 1,
            given=z3.And(x > 0, 2 * x <= y),
            use=[T.fact("x/(2*x + h) <= 1/2", where=["x > 0", "h >= 0"])(y - 2 * x, x)],
            fuel=0,
        )
        news = z3.ToReal(self.news(N))
        added = T.theorem(
            "what a phase adds",
            [n],
            alpha * (P.C1 * B) + alpha * self.paid(n) + bound <= z3.If(power < R, unit + power, R),
            given=rules,
            use=[
                covered(n),
                items(),
                self.grown(),
                self.there(budget.MISSING)(HOME),
                self.there(budget.LAST_ITEMS)(HOME),
                self.reals(roots.PAID)(whole, power, R),
                powers(powers_of_two.POSITIVE)(self.doublings),
                powers(powers_of_two.TWICE)(self.doublings, self.rho),
                small(power, R),
                half(self.G, self.threshold, news),
            ],
            fuel=0,
        )
        least = T.theorem(
            "at least one of them",
            [x, y],
            z3.And(x * y >= y, (x - 1) * y >= 0),
            given=z3.And(x >= 1, y >= 0),
        )
        sign = T.theorem("a product", [x, y], x * y >= 0, given=z3.And(x >= 0, y >= 0))
        laws = z3.And(P.Ysum(P.A) == 1, P.safe_sum(P.A) == 1, P.other_sum(P.A) == 1)
        rest = z3.ToReal(self.rho - self.doublings)
        scaled = T.theorem("scaled by alpha", [x, y], alpha * x <= alpha * y, given=x <= y)
        node = T.theorem(
            "the end of a phase",
            [count, n],
            is_paid(here),
            given=z3.And(
                *(count == 1, laws, rules),
                here["room"] == rest * unit + 2 * R - power,
                below["room"] == z3.If(self.exits, here["room"] - unit - power, 0),
                here["regret"] == self.regret(n) + below["regret"],
                here["balance"] == self.bias(n) + alpha * P.cost(n),
                here["spent"] == alpha * self.paid(n),
                trees.nothing_open(below),
                trees.same(here, below, trees.KEPT),
            ),
            use=[
                self.pathwise(n),
                borrowed(n),
                rests(n),
                added(n),
                self.there(budget.MISSING)(HOME),
                least(rest, unit),
                sign(rest, unit),
                powers(powers_of_two.GROW)(self.rho - self.doublings, self.doublings),
                powers(powers_of_two.POSITIVE)(self.doublings),
                powers(powers_of_two.TWICE)(self.doublings, self.rho),
                powers(powers_of_two.MONOTONE)(self.doublings, self.rho),
                scaled(B * P.D0, P.C1 * B),
            ],
            fuel=0,
        )
        fan.close(node, count)
        return node

    def news(self, n: Term) -> Term:
        """Items of the first n rounds that arrive in the last one."""
        return self.there[budget.arrivals](n, self.N, HOME)

    def _grown(self) -> tuple[Term, Theorem]:
        """What the tests say, and that the gap then exceeds theta by at most l/(1 - alpha)."""
        T, P, N = self.T, self.phase, self.N
        A, c, est, d = P.A, P.safe, P.est, P.path.ledger.d
        caution = 1 - P.alpha
        before = T.sum(
            "g before", lambda t, i: z3.If(t + d(t) <= N - 1, est(t, i), 0), INT, sort=REAL
        )
        of_before = T.sum("<g before, x^c>", lambda i, m: c(i) * before(m, i), INT, sort=REAL)
        weight = T.sum("<l^, x^c>", lambda i, t: c(i) * est(t, i), INT, sort=REAL)
        scalar = T.theorem(
            "an estimate of the mixture",
            [p, q, r, h, g],
            z3.And(p >= 0, caution * (g * p) <= h),
            given=z3.And(
                *(p * q == h, h >= 0, q > 0, r >= 0, g >= 0),
                q == P.alpha * r + caution * g,
            ),
        )
        seen = z3.If(P.act(t) == i, P.loss(t, i), 0)
        entry = T.theorem(
            "an estimate",
            [t, i],
            z3.And(
                est(t, i) >= 0,
                caution * (c(i) * est(t, i)) <= z3.If(P.act(t) == i, z3.RealVal(1), 0),
            ),
            given=z3.And(t >= 1, i >= 1, i <= A),
            use=[scalar(est(t, i), P.x(t, i), P.xh(t, i), seen, c(i))],
            fuel=0,
        )
        one = T.theorem(
            "the comparator's estimate of a round",
            [a, t],
            caution * weight(a, t) <= z3.If(z3.And(P.act(t) >= 1, P.act(t) <= a), z3.RealVal(1), 0),
            given=z3.And(t >= 1, a <= A),
            induct=a,
            use=[entry(t, a)],
            fuel=1,
        )
        arrives = m + 1 + d(m + 1) == N
        gains = T.theorem(
            "what a round brings",
            [a, m],
            self.g_safe(a, m + 1) - of_before(a, m + 1)
            == self.g_safe(a, m) - of_before(a, m) + z3.If(arrives, weight(a, m + 1), 0),
            given=z3.And(m >= 0, m < N),
            induct=a,
            use=[self._own(m + 1)],
            fuel=2,
        )
        empty = T.theorem(
            "nothing is brought",
            [a, m],
            z3.And(self.g_safe(a, m) == 0, of_before(a, m) == 0),
            given=m == 0,
            induct=a,
        )
        total = T.theorem(
            "what the last round brings",
            [n],
            caution * (self.g_safe(A, n) - of_before(A, n)) <= z3.ToReal(self.news(n)),
            given=n <= N,
            induct=n,
            use=[empty(A, n), gains(A, n - 1), one(A, n)],
            fuel=1,
        )
        grows = T.theorem(
            "totals grow",
            [n, i],
            before(n, i) <= self.g(n, i),
            given=z3.And(n <= N, i >= 1, i <= A),
            induct=n,
            use=[self._own(n), entry(n, i)],
            fuel=1,
        )
        is_gap = self.g_safe(A, N) - self.g(N, self.best) == self.G
        tested = z3.And(
            *(self.best >= 1, self.best <= A, is_gap),
            z3.Or(self.full, of_before(A, N) - before(N, self.best) <= self.threshold),
            z3.Or(self.full, self.exits, self.threshold >= self.G),
        )
        sides = T.theorem(
            "times 1 - alpha", [x, y], caution * x <= caution * y, given=x <= y, fuel=0
        )
        excess = self.G - self.threshold
        grown = T.theorem(
            "the gap at the end of a phase",
            [],
            caution * excess <= z3.ToReal(self.news(N)),
            given=z3.And(tested, N >= 0, z3.Not(self.full)),
            use=[
                total(N),
                grows(N, self.best),
                sides(excess, self.g_safe(A, N) - of_before(A, N)),
            ],
            fuel=0,
        )
        return tested, grown


@dataclasses.dataclass(frozen=True)
class RepairedRegret:
    """A tree with all kinds of nodes, and what it says of the root."""

    tree: Tree
    draw: Draw
    idle: Draw
    hard: HardRestart
    end: RepairedRegretEnd
    bound: RootClaim
    names: dict[str, Any]


def _game() -> RepairedRegret:
    tree = Tree("repaired regret", trees.QUANTITIES, is_paid)
    trees.end_of_game(tree)
    kinds = (
        trees.draw(tree),
        trees.idle(tree),
        trees.hard_restart(tree, opens),
        RepairedRegretEnd(tree),
    )
    T = tree.theory
    H = T.parameter("H", INT, where=lambda f: f >= 0)
    there, names = sizes(T, H)
    of, levels, room, cap = stage_size, trees.levels, trees.room, trees.cap
    D, rounded, rho = of.delay, of.rounded, of.rho
    values = z3.IntVal(1), D, rounded, rho, room, cap
    at = list(zip(of.STAGE, values, strict=True))
    opened = z3.substitute(there.read(of.OPENS), *at)
    most = there.read(of.stages_most(D))
    total = T.theorem(
        "all stages",
        [*(trees.regret, room, trees.hards, cap), n, x],
        trees.regret <= x * cap,
        given=z3.And(
            *(room >= 0, room + 1 <= cap, n >= 0, z3.ToReal(n) + 1 <= x),
            *(trees.regret <= room + trees.hards, trees.hards <= z3.ToReal(n) * cap),
        ),
        use=[there(of.PRODUCT)(z3.ToReal(n) + 1, cap, x, cap)],
        fuel=0,
    )
    bound = tree.root(
        "the repaired regret bound",
        [D, rounded, rho],
        trees.regret <= most * there.read(of.stage_most(D)),
        given=z3.And(
            *(trees.BEGINS, trees.estimate == 1, D >= 1),
            powers_of_two.is_log_up(levels, D, there[of.pow2]),
            opened,
        ),
        use=[
            there(of.NEW_STAGE)(*values),
            there(of.NUMBER_OF_STAGES)(levels, D),
            total(trees.regret, room, trees.hards, cap, levels, most),
        ],
        fuel=0,
    )
    names |= {"H": H, "D": D, "R": rounded, "rho": rho}
    return RepairedRegret(tree, *kinds, bound, names)


GAME = _game()
