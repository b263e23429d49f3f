r"""The end of the one phase that counts, in trees of the kind of `repaired_tree`.

A phase is named by the estimate E of its stage and its number k, and has alpha = 2^(k-1)/R < 1.
`hards` is what is still expected of its bound, and there is no room. Draws outside the phase, other
ends of phases and hard restarts change nothing. At the end of the phase `certificates` has

    regret <= Y + k C1 B + rest,

whose first terms the draws have paid for, but for k C2 sum 1/sigma. A kind of phase end says what
the rest is, and shows that k Q + rest is at most a bound.

Nothing is assumed by definition that `repaired_tree` and `repaired_regret` do not assume; where the
delays of the phase stand for E, the mass of the phase does not exceed them.
"""

from __future__ import annotations

import abc
from typing import Any

import z3

from pbverify.paper.theories.delays import powers_of_two
from pbverify.paper.theories.expectation import repaired_tree as trees
from pbverify.paper.theories.expectation.certificates import Phase, a, count, n, t
from pbverify.paper.theories.expectation.repaired_regret import RepairedRegretEnd
from pbverify.paper.theories.expectation.repaired_tree import HOME, is_paid
from pbverify.paper.theories.sums import budget, roots
from pbverify.paper.theories.sums.roots import share
from pbverify.prover.induction.terms import TRUE, Term
from pbverify.prover.induction.theory import Interpretation, Theorem

x, y = roots.x, roots.y
ALONE = z3.And(trees.stage == 1, trees.exponent == 0, trees.levels == 1, trees.room == 0)
"""The state of a whole game, of which nothing is needed here."""


class OnePhaseEnd(RepairedRegretEnd):
    """The end of the phase that counts, against any law o."""

    def of_alpha(self, alpha: Term) -> Term:
        return TRUE

    def of_safe(self, P: Phase, safe: Any, i: Term) -> Term:
        return TRUE

    def of_other(self, P: Phase, other: Any, i: Term) -> Term:
        return other(i) == P.y(i)

    @abc.abstractmethod
    def allowed(self, adds: Term) -> tuple[Term, Theorem]:
        """A bound, and the theorem that it is at least what the phase adds."""

    def no_rest(self) -> tuple[Term, Term, Theorem]:
        """`coarse`, where there is no rest."""
        T, A = self.T, self.phase.A
        parts = T.theorem(
            "rest of a round",
            [a, t],
            self.rest_of_round(a, t) == 0,
            given=z3.And(t >= 1, a <= A),
            induct=a,
        )
        rests = T.theorem("no rest", [n], self.rest(n) == 0, induct=n, use=[parts(A, n)], fuel=1)
        at_most = T.theorem(
            "bound on the rest", [n], self.rest(n) <= 0, given=n >= 0, use=[rests(n)], fuel=0
        )
        return z3.RealVal(0), n == self.N, at_most

    def _closed(self) -> Theorem:
        T, P, fan = self.T, self.phase, self.fan
        here, below, k = fan.node, trees.at(fan, 1), self.k
        self.declare_sums()
        rest, needs, rests = self.coarse()
        self.rules = z3.And(needs, self.is_phase())
        self.covers, self.sum_of_items, borrowed = self.covered(), self.items(), P.borrowing_costs()
        B = P.B(n)
        adds = k * (P.C1 * B) + k * self.paid(n) + rest
        bound, self.within = self.allowed(adds)
        laws = z3.And(P.Ysum(P.A) == 1, P.safe_sum(P.A) == 1, P.other_sum(P.A) == 1)
        scaled = T.theorem("scaled by k again", [x, y], k * x <= k * y, given=x <= y)
        one = T.theorem(
            "one stage is left",
            [a, t, x],
            z3.ToReal(a + 1 - t) * x == x,
            given=z3.And(a == 1, t == 1),
        )
        alone = z3.substitute(ALONE, *((z3.Const(q, v.sort()), v) for q, v in here.items()))
        node = T.theorem(
            "the end of the phase",
            [count, n],
            is_paid(here),
            given=z3.And(
                *(count == 1, laws, self.rules, alone, bound <= here["cap"]),
                here["regret"] == self.regret(n) + below["regret"],
                here["hards"] == bound + below["hards"],
                here["balance"] == self.bias(n) + k * P.cost(n),
                here["spent"] == k * self.paid(n),
                *(below["hards"] == 0, trees.nothing_open(below)),
                trees.same(here, below, trees.STATE),
            ),
            use=[
                self.pathwise(n),
                borrowed(n),
                rests(n),
                self.within(n),
                scaled(B * P.D0, P.C1 * B),
                one(here["levels"], here["stage"], here["cap"]),
            ],
            fuel=0,
        )
        fan.close(node, count)
        return node

    def is_phase(self) -> Term:
        """The phase is number k of a stage with the estimate E, and alpha < 1."""
        P, R, N = self.phase, self.budget, self.N
        self.powers = Interpretation(self.T, powers_of_two.T, "powers", {})
        pow2 = self.powers[powers_of_two.pow2]
        self.power = power = z3.ToReal(pow2(self.doublings))
        self.positive = self.powers(powers_of_two.POSITIVE)(self.doublings)
        return z3.And(
            *(N >= 1, P.A >= 2, self.fan.node["estimate"] >= 1),
            *(self.doublings >= 0, self.doublings <= self.rho, z3.ToReal(pow2(self.rho)) == R),
            *(z3.Not(self.full), power < R, P.alpha == share(power, R)),
        )


class PlayedEnd(OnePhaseEnd):
    """The regret of what is played: at most 2^(k-1) + (1 - alpha) theta + l + m in the mean."""

    def coarse(self) -> tuple[Term, Term, Theorem]:
        T, P = self.T, self.phase
        A, late, c, o, caution = P.A, P.late, P.safe, P.other, 1 - P.alpha
        gap, Gap = P.over_rounds("gap", lambda t, i: z3.If(late(t), 0, P.est(t, i) * (c(i) - o(i))))
        lead, Lead = P.over_rounds(
            "lead", lambda t, i: z3.If(late(t), P.loss(t, i) * (c(i) - o(i)), 0)
        )
        parts = T.theorem(
            "rest of a round",
            [a, t],
            self.rest_of_round(a, t) == caution * (lead(a, t) + gap(a, t)),
            given=z3.And(t >= 1, a <= A),
            induct=a,
        )
        whole = T.theorem(
            "rest of a phase",
            [n],
            self.rest(n) == caution * (Lead(n) + Gap(n)),
            induct=n,
            use=[parts(A, n)],
            fuel=1,
        )
        leads = P.leads(lead, Lead, P.safe_sum)
        most = self._gap_is_largest(gap, Gap)
        tested, self.grown = self._grown()
        rests = T.theorem(
            "bound on the rest",
            [n],
            self.rest(n) <= caution * (self.G + z3.ToReal(P.missing(n))),
            given=z3.And(n >= 0, P.safe_sum(A) == 1, P.other_sum(A) == 1, n == self.N),
            use=[whole(n), leads(n), most(n)],
            fuel=0,
        )
        is_threshold = self.threshold == 2 * self.budget + self.slack
        return rests.claim.arg(1), z3.And(n == self.N, tested, is_threshold), rests

    def added(self, adds: Term) -> tuple[Term, Theorem]:
        """2^(k-1) + (1 - alpha) theta + l + m, and that a phase adds no more."""
        T, P = self.T, self.phase
        self.sign = T.theorem("a product", [x, y], x * y >= 0, given=z3.And(x >= 0, y >= 0))
        missing = z3.ToReal(P.missing(n))
        most = self.power + (1 - P.alpha) * self.threshold + z3.ToReal(self.news(self.N)) + missing
        theorem = T.theorem(
            "what the phase adds",
            [n],
            adds <= most,
            given=self.rules,
            use=[
                self.covers(n),
                self.sum_of_items(),
                self.grown(),
                self.there(budget.MISSING)(HOME),
                self.reals(roots.PAID)(P.C1 * P.B(n) + self.paid(n), self.power, self.budget),
                self.positive,
                self.sign(P.alpha, missing),
            ],
            fuel=0,
        )
        return most, theorem
