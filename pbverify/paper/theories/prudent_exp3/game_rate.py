r"""The tree of Prudent-EXP3 in which the coarse account is what the rest of the game may cost.

Stages and phases are as in `game_target`. With xi_s = sqrt(N_s/delta), in phase k of stage s it is

    (K_s - k) (2 R_s + 3 xi_s) + R_s
        + sum over stages s < r <= S of (K_r - 1) (2 R_r + 3 xi_r) + R_r,

and 0 once the game is over. A stage ends only if the clock of one more round exceeds N_s = 2^(s-1)
N_0; this clock is at most that of all rounds, so s < S if 2^(S-1) N_0 is at least that. Hence, from
the root, E[regret to an arm] <= 32 K_S sqrt(ln A (T/delta + 2 D)).

Along a path without draws, `Paths` has, with sums over the phases,

    sum of alpha Q + (1 - alpha) sum_t <l^_t, x^c - e_j>
        <= sum of alpha Q + (1 - alpha) (2 R + 3 xi).

By definition: the exit test while alpha < 1, gamma_s and R_s, and K_s that does not decrease.
"""

from __future__ import annotations

import functools
from typing import Any

import z3

from pbverify.paper.theories.delays import delayed_mass, powers_of_two
from pbverify.paper.theories.expectation.expected_regret import balance, coarse, regret, sharp
from pbverify.paper.theories.prudent_exp3 import phase as phases
from pbverify.paper.theories.prudent_exp3 import regret_account
from pbverify.paper.theories.prudent_exp3.game_target import Levels
from pbverify.paper.theories.prudent_exp3.game_tree import OVER, ArmEnd, count, game_tree
from pbverify.prover.induction.facts import SQRT
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Instance, Interpretation, Theorem
from pbverify.prover.induction.tree import RootClaim, Tree

n, t, a, b = z3.Ints("n t a b")
p, q, r = z3.Reals("p q r")


class CappedEnd(ArmEnd):
    """The regret to an arm, in phases whose exit test and clock are the algorithm's."""

    def declare(self) -> None:
        T = self.T
        self.levels = Levels(T)
        self.K = T.input("K", INT, INT, where=regret_account.is_level)
        self.stage = T.parameter("s", INT, where=lambda f: f >= 1)

    @property
    def unit(self) -> Term:
        """2 R + 3 xi."""
        return 2 * self.phase.R + 3 * self.phase.most_missing

    @property
    def rules(self) -> Term:
        P = self.phase
        passed = z3.Or(self.levels.k == self.K(self.stage), P.passed)
        return z3.And(P.clock(P.N) <= P.size, passed, self.levels.rules(P, self.K(self.stage)))

    @functools.cached_property
    def capped(self) -> Theorem:
        """alpha Q + (1 - alpha) overshoot <= alpha Q + (1 - alpha) (2 R + 3 xi)."""
        T, P, at, K = self.T, self.phase, self.levels, self.K(self.stage)
        half = T.theorem(
            "alpha is at most a half",
            [a, b],
            z3.And(at.share(a, b) > 0, 2 * at.share(a, b) <= 1),
            given=z3.And(a >= 1, a < b),
            use=[
                at.powers(powers_of_two.POSITIVE)(a),
                at.powers(powers_of_two.POSITIVE)(b),
                at.powers(powers_of_two.DOUBLE)(a),
                at.powers(powers_of_two.GROW)(b - a - 1, a + 1),
            ],
            fuel=0,
        )
        whole = T.theorem(
            "alpha of the last phase",
            [a],
            at.share(a, a) == 1,
            given=a >= 1,
            use=[at.powers(powers_of_two.POSITIVE)(a)],
            fuel=0,
        )
        rest = T.theorem(
            "scaled by 1 - alpha", [p, q], (1 - P.alpha) * p <= (1 - P.alpha) * q, given=p <= q
        )
        return T.theorem(
            "what a phase adds at most",
            [],
            z3.And(
                z3.Implies(at.k == K, P.alpha == 1),
                z3.Implies(at.k < K, 2 * P.alpha <= 1),
                self.sharp <= P.alpha * P.cost + (1 - P.alpha) * self.unit,
            ),
            given=self.rules,
            use=[
                half(at.k, K),
                whole(at.k),
                self.there(phases.OVER)(),
                rest(P.overshoot, self.unit),
            ],
            fuel=0,
        )


class RateEnd(CappedEnd):
    """The regret to an arm, and the rate."""

    def declare(self) -> None:
        super().declare()
        T, P = self.T, self.phase
        self.first = T.parameter("N0", REAL, where=lambda f: f >= 1)
        self.last, self.start, self.H = (
            T.parameter(name, INT, where=lambda f: f >= 0) for name in ("S", "start", "H")
        )
        self.sizes = regret_account.doubling_in(
            T, first=self.first, margin=P.delta, arms=P.A, levels=self.K, power=self.pow2
        )

        def is_own(f: Any, t: Term) -> Term:
            own = z3.Implies(t > self.start, f(t) == P.d(t - self.start))
            return z3.And(f(t) >= 0, own)

        self.delay = T.input("delay", INT, INT, where=is_own)
        self.all = Interpretation(
            T, delayed_mass.T, "all rounds", {delayed_mass.d: self.delay}, fuel=1
        )

    @property
    def pow2(self) -> Any:
        return self.levels.powers[powers_of_two.pow2]

    def size(self, s: Term) -> Term:
        """N_s."""
        return self.sizes.read(regret_account.size(s))

    @property
    def whole(self) -> Term:
        """T + 2 delta D."""
        mass = self.all[delayed_mass.M](self.H)
        return z3.ToReal(self.H) + 2 * self.phase.delta * z3.ToReal(mass)

    @property
    def rules(self) -> Term:
        P, s = self.phase, self.stage
        ends = P.clock(P.N + 1) > P.size
        return z3.And(
            *(super().rules, P.is_tuned, P.size == self.size(s)),
            *(self.start + P.N <= self.H, s <= self.last, self.whole <= self.size(self.last)),
            z3.Or(self.levels.over, P.exits, z3.And(ends, self.start + P.N < self.H)),
        )

    def limit(self, k: Term, s: Term, unit: Term, R: Term) -> Term:
        costs = self.sizes[regret_account.costs]
        return z3.ToReal(self.K(s) - k) * unit + R + costs(self.last) - costs(s)

    def accounts(self) -> tuple[Term, list[Instance]]:
        T, P, k, s, at = self.T, self.phase, self.levels.k, self.stage, self.levels
        R, xi = (self.sizes.read(each(s + 1)) for each in (regret_account.root, regret_account.xi))
        later = self.limit(z3.IntVal(1), s + 1, 2 * R + 3 * xi, R)
        changes = z3.And(
            self.here["coarse"] == self.limit(k, s, self.unit, P.R),
            self.below["coarse"]
            == z3.If(at.over, 0, z3.If(P.exits, self.limit(k + 1, s, self.unit, P.R), later)),
        )
        mixed = T.theorem(
            "a mixture",
            [p, q, r],
            P.alpha * p + (1 - P.alpha) * r <= r,
            given=z3.And(p <= q, q <= r),
            use=[self.scaled()(p, r)],
            fuel=0,
        )
        paid = T.theorem(
            "what a phase costs at most",
            [],
            z3.And(self.sharp <= z3.If(k < self.K(s), self.unit, P.R), self.unit >= P.R),
            given=self.rules,
            use=[
                self.capped(),
                self.there(phases.BUDGET)(),
                mixed(P.cost, P.R, self.unit),
                T.theorem("roots", [p], SQRT(p) >= 0, given=p >= 0)(P.size / P.delta),
                T.theorem("a quotient", [p, q], p / q >= 0, given=z3.And(p >= 0, q > 0))(
                    P.size, P.delta
                ),
            ],
            fuel=0,
        )
        levels = T.theorem(
            "phases that are left",
            [a, p],
            z3.And(
                z3.ToReal(a) * p >= 0,
                z3.Implies(a >= 1, z3.ToReal(a) * p >= p),
                z3.ToReal(a - 1) * p == z3.ToReal(a) * p - p,
            ),
            given=z3.And(a >= 0, p >= 0),
        )
        stays = T.theorem(
            "the limit covers what a phase costs",
            [],
            self.sharp + self.below["coarse"] <= self.here["coarse"],
            given=z3.And(self.rules, changes),
            use=[
                paid(),
                levels(self.K(s) - k, self.unit),
                self.sizes(regret_account.MORE)(self.last - s, s),
                self.sizes(regret_account.MORE)(self.last - s - 1, s + 1),
                self.sizes(regret_account.NEXT_COST)(s + 1),
                self._one_stage_more()(),
            ],
            fuel=0,
        )
        return changes, [stays()]

    def _one_stage_more(self) -> Theorem:
        """A stage that ends before the game is not the last."""
        T, P, all_ = self.T, self.phase, self.all
        every, mass = all_[delayed_mass.late], all_[delayed_mass.M]
        some, grows = all_(delayed_mass.NONNEGATIVE), all_(delayed_mass.GROWS)
        fewer = T.theorem(
            "items of the phase",
            [n, t],
            P.items(n, t) <= every(self.start + n, self.start + t),
            induct=n,
            use=[some(self.start, self.start + t)],
            fuel=1,
        )
        masses = T.theorem(
            "masses",
            [n],
            P.mass(n) <= mass(self.start + n),
            induct=n,
            use=[fewer(n - 1, n), grows(self.start, 0)],
            fuel=1,
        )
        clock = T.theorem(
            "the clock is at most that of all rounds",
            [n],
            P.clock(n) <= self.whole,
            given=z3.And(n >= 0, self.start + n <= self.H),
            use=[
                masses(n),
                grows(self.H - self.start - n, self.start + n),
                T.theorem(
                    "scaled by 2 delta", [p, q], 2 * P.delta * p <= 2 * P.delta * q, given=p <= q
                )(z3.ToReal(P.mass(n)), z3.ToReal(mass(self.H))),
            ],
            fuel=0,
        )
        scaled = T.theorem(
            "powers, scaled",
            [a, b],
            a < b,
            given=z3.And(
                *(a >= 0, b >= 0),
                z3.ToReal(self.pow2(a)) * self.first < z3.ToReal(self.pow2(b)) * self.first,
            ),
            use=[self.levels.powers(powers_of_two.MONOTONE)(a, b)],
            fuel=0,
        )
        s, over = self.stage, z3.Or(self.levels.over, P.exits)
        return T.theorem(
            "a stage that ends is not the last",
            [],
            s < self.last,
            given=z3.And(self.rules, z3.Not(over)),
            use=[clock(P.N + 1), scaled(s - 1, self.last - 1)],
            fuel=0,
        )


class Rate:
    """The tree of the regret bound, and what it says of the root."""

    def __init__(self) -> None:
        self.tree, self.draw = game_tree("regret of Prudent-EXP3")
        self.end = RateEnd(self.tree)
        T = self.tree.theory
        self.first = T.parameter("N0", REAL, where=lambda f: f >= 1)
        self.margin = T.parameter("delta", REAL, where=lambda f: f > 0)
        self.arms = T.parameter("A", INT, where=lambda f: f >= 2)
        self.K = T.input("K", INT, INT, where=regret_account.is_level)
        sizes = regret_account.doubling_in(
            T, first=self.first, margin=self.margin, arms=self.arms, levels=self.K
        )
        self.last: Term = z3.Int("S")
        self.whole: Term = z3.Real("whole")
        most = sizes.read(regret_account.most_regret(self.last, self.whole))
        self.claim: RootClaim = self.tree.root(
            "regret and rate",
            [self.last, self.whole],
            regret <= most,
            given=z3.And(
                *(balance == 0, self.last >= 1),
                sizes.read(regret_account.size(self.last)) <= 2 * self.whole,
                coarse == sizes[regret_account.costs](self.last),
            ),
            use=[sizes(regret_account.TOTAL)(self.last, self.whole)],
            fuel=0,
        )


class PathEnd(CappedEnd):
    """Phases of a path, on which nothing is drawn: the accounts alone."""

    def _closed(self) -> Theorem:
        here, below, P = self.here, self.below, self.phase
        most = P.alpha * P.cost + (1 - P.alpha) * self.unit
        node = self.T.theorem(
            "the end of a phase",
            [count],
            here["sharp"] <= here["coarse"],
            given=z3.And(
                *(count == 1, self.rules),
                here["sharp"] == self.sharp + below["sharp"],
                here["coarse"] == most + below["coarse"],
            ),
            use=[self.capped()],
            fuel=0,
        )
        self.fan.close(node, count)
        return node


class Paths:
    """The phases of a path as a tree without branches."""

    def __init__(self) -> None:
        self.tree = Tree("accounts of a path", [sharp, coarse], lambda q: q["sharp"] <= q["coarse"])
        self.tree.leaf(OVER, z3.And(sharp == 0, coarse == 0))
        self.end = PathEnd(self.tree)
        self.claim: RootClaim = self.tree.root("accounts of a path", [], sharp <= coarse)


RATE, PATHS = Rate(), Paths()
