r"""The tree of Prudent-EXP3 in which the coarse account is what the rest of the game may add.

Stage s has the largest clock N_s, the budget R_s and K_s phases with alpha = 2^(k-K_s). In phase k
of stage s the coarse account is

    2^k/2^K_s R_s + Lambda/(s + 1),

and 0 once the game is over. A phase that exits pays for the larger account of the next phase, and
the first account of stage s is at most Lambda/s. Hence E[regret to x^c] <= Lambda from the root.

By definition: the exit test, gamma_s and R_s, and 2^(K_s-1) >= R_s s (s + 1)/Lambda.
"""

from __future__ import annotations

import z3

from pbverify.paper.theories.delays import powers_of_two
from pbverify.paper.theories.expectation.expected_regret import balance, coarse, regret, sharp
from pbverify.paper.theories.prudent_exp3 import phase as phases
from pbverify.paper.theories.prudent_exp3.game_tree import SafeEnd, game_tree
from pbverify.prover.induction.terms import BOOL, INT, REAL, Term
from pbverify.prover.induction.theory import Instance, Interpretation, Theory
from pbverify.prover.induction.tree import RootClaim

a, b = z3.Ints("a b")
p, q, r = z3.Reals("p q r")


class Levels:
    """Powers of two and the phase k of K, in a theory; alpha = 2^k/2^K."""

    def __init__(self, T: Theory) -> None:
        self.powers = Interpretation(T, powers_of_two.T, "powers", {})
        self.over = T.parameter("over", BOOL)
        self.k = T.parameter("k", INT, where=lambda f: f >= 1)

    def power(self, k: Term) -> Term:
        return z3.ToReal(self.powers[powers_of_two.pow2](k))

    def share(self, k: Term, K: Term) -> Term:
        return self.power(k) / self.power(K)

    def rules(self, P: phases.Phase, K: Term) -> Term:
        """Phases are numbered up to K; only the last has alpha = 1, and it does not exit."""
        k = self.k
        return z3.And(k <= K, P.alpha == self.share(k, K), z3.Implies(P.exits, k < K))


class TargetEnd(SafeEnd):
    """The regret to x^c, and Lambda."""

    def declare(self) -> None:
        T = self.T
        self.levels = Levels(T)
        self.safety = T.parameter("Lambda", REAL, where=lambda f: f > 0)
        self.stage, self.K, self.next_K = (
            T.parameter(name, INT, where=lambda f: f >= 1) for name in ("s", "K", "next K")
        )
        self.next_R = T.parameter("next R", REAL, where=lambda f: f > 0)

    @property
    def rules(self) -> Term:
        P = self.phase
        own = z3.And(P.is_tuned, P.clock(P.N) <= P.size, self.levels.rules(P, self.K))
        return z3.And(super().rules, own)

    def limit(self, k: Term, K: Term, R: Term, s: Term) -> Term:
        return self.levels.share(k, K) * R + self.safety / z3.ToReal(s + 1)

    def accounts(self) -> tuple[Term, list[Instance]]:
        T, P, k, s, at = self.T, self.phase, self.levels.k, self.stage, self.levels
        later = self.limit(z3.IntVal(1), self.next_K, self.next_R, s + 1)
        next_ = z3.If(P.exits, self.limit(k + 1, self.K, P.R, s), later)
        share = z3.ToReal(s + 1) * (z3.ToReal(s + 1) + 1)
        is_enough = self.next_R * share <= self.safety * at.power(self.next_K - 1)
        changes = z3.And(
            self.here["coarse"] == self.limit(k, self.K, P.R, s),
            self.below["coarse"] == z3.If(at.over, 0, next_),
            is_enough,
        )
        positive, double = (
            at.powers(each) for each in (powers_of_two.POSITIVE, powers_of_two.DOUBLE)
        )
        part = T.theorem(
            "a part of the target",
            [p, q, r],
            q / p <= self.safety / r,
            given=z3.And(p > 0, r > 0, q * r <= self.safety * p),
        )
        first = T.theorem(
            "the first phase of a stage",
            [b],
            at.share(z3.IntVal(1), b) == 1 / at.power(b - 1),
            given=b >= 1,
            use=[double(b - 1), positive(b - 1)],
            fuel=2,
        )
        split = T.fact("x/(y*(y + 1)) <= x/y - x/(y + 1)", where=["x > 0", "y > 0"])
        opens = T.theorem(
            "the next stage",
            [],
            later <= self.safety / z3.ToReal(s + 1),
            given=is_enough,
            use=[
                first(self.next_K),
                positive(self.next_K - 1),
                split(self.safety, z3.ToReal(s + 1)),
                part(at.power(self.next_K - 1), self.next_R, share),
            ],
            fuel=0,
        )
        doubled = T.theorem(
            "the next phase",
            [a, b, p],
            at.share(a + 1, b) * p == 2 * (at.share(a, b) * p),
            given=z3.And(a >= 1, b >= 1),
            use=[double(a), positive(b)],
            fuel=0,
        )
        bound = T.theorem(
            "what a phase adds",
            [],
            self.sharp <= z3.If(P.exits, -(P.alpha * P.R), P.alpha * P.R),
            given=self.rules,
            use=[self.there(phases.BUDGET)(), self.scaled()(P.cost, P.R)],
            fuel=0,
        )
        stays = T.theorem(
            "the limit covers what a phase adds",
            [],
            self.sharp + self.below["coarse"] <= self.here["coarse"],
            given=z3.And(self.rules, changes),
            use=[
                bound(),
                doubled(k, self.K, P.R),
                opens(),
                T.theorem("a positive part", [p], self.safety / p > 0, given=p > 0)(
                    z3.ToReal(s + 1)
                ),
                T.theorem("alpha R", [], P.alpha * P.R > 0, fuel=0)(),
            ],
            fuel=0,
        )
        return changes, [stays()]


class Target:
    """The tree of the safety theorem, and what it says of the root."""

    def __init__(self) -> None:
        self.tree, self.draw = game_tree("safety of Prudent-EXP3")
        self.end = TargetEnd(self.tree)
        self.chain: RootClaim = self.tree.root(
            "regret and account", [], regret <= sharp, given=balance == 0
        )
        T = self.tree.theory
        powers = Interpretation(T, powers_of_two.T, "powers", {})
        self.K: Term = z3.Int("K")
        self.safety: Term = z3.Real("Lambda")
        self.R: Term = z3.Real("R")
        power = z3.ToReal(powers[powers_of_two.pow2](self.K - 1))
        self.claim: RootClaim = self.tree.root(
            "regret and target",
            [self.K, self.safety, self.R],
            regret <= self.safety,
            given=z3.And(
                *(balance == 0, self.K >= 1, self.safety > 0, self.R > 0),
                self.safety * power >= 2 * self.R,
                coarse == self.R / power + self.safety / 2,
            ),
            use=[
                powers(powers_of_two.POSITIVE)(self.K - 1),
                T.theorem(
                    "half of the target",
                    [p, q, r],
                    q / p <= r / 2,
                    given=z3.And(p >= 1, 2 * q <= r * p),
                )(power, self.R, self.safety),
            ],
            fuel=0,
        )


TARGET = Target()
