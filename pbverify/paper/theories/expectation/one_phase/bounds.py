r"""The bounds of the normal-phase lemma, for one phase with alpha < 1, however it ends.

With D the delays of the phase and E its stage's estimate, in the mean over all actions

    sum <l_t, x_t - x>    <= 4 R + (sqrt(16 E + 1) - 1)/delta + 2 sqrt(2 E + 1/4) + 1,
    sum <l_t, x_t - x>    <= alpha (R + 1) + (1 - alpha) (theta + 2 sqrt(2 D + 1/4) + 1),
    sum <l_t, x_t - x^c>  <= 2^(k-1),
    sum <l_t, x^_t - x>   <= any budget that is at least the printed one for D, with the horizon or
                             the rounds of the phase for T.

For the first two, l + m <= (sqrt(8 E + 1) + 1)/2, and the same with D for E (`budget`). For the
last two there is no rest, and Q is at most R, or the budget for D; the last needs neither alpha < 1
nor that the elapsed delay sum ends a stage, and is the main text's as well.
"""

from __future__ import annotations

import functools
from typing import Any

import z3

from pbverify.paper.theories.delays import powers_of_two
from pbverify.paper.theories.expectation.certificates import Phase, n, t
from pbverify.paper.theories.expectation.one_phase.ends import OnePhaseEnd, PlayedEnd, x, y
from pbverify.paper.theories.expectation.repaired_tree import HOME
from pbverify.paper.theories.sums import budget, roots
from pbverify.paper.theories.sums.roots import over, share
from pbverify.prover.induction.facts import SQRT
from pbverify.prover.induction.terms import INT, Term
from pbverify.prover.induction.theory import Interpretation, Theorem

QUARTER = z3.RealVal("1/4")


class WithEstimate(PlayedEnd):
    """The lemma's bound, with the stage's estimate for D."""

    def allowed(self, adds: Term) -> tuple[Term, Theorem]:
        T, P = self.T, self.phase
        E = z3.ToReal(self.estimate)
        root = SQRT(16 * E + 1)
        bound = 4 * self.budget + over(root - 1, P.delta) + 2 * SQRT(2 * E + QUARTER) + 1
        _, added = self.added(adds)
        quotient = T.theorem("a quotient", [x, y], over(x, y) >= 0, given=z3.And(x >= 0, y > 0))
        within = T.theorem(
            "what the phase adds is allowed",
            [n],
            adds <= bound,
            given=self.rules,
            use=[
                added(n),
                self.sum_of_items(),
                self.there(budget.LAST_ITEMS)(HOME),
                self.there(budget.MISSING)(HOME),
                self.positive,
                self.sign(P.alpha, self.threshold),
                T.fact("sqrt(8*x + 1) <= 2*sqrt(2*x + 1/4)", where=["x >= 0"])(E),
                T.fact("1 <= sqrt(16*x + 1)", where=["x >= 0"])(E),
                quotient(root - 1, P.delta),
            ],
            fuel=0,
        )
        return bound, within


class OwnDelays(OnePhaseEnd):
    """What `budget` says with the delays of the phase in the place of the estimate."""

    def declare_delays(self) -> Interpretation:
        T, P, N = self.T, self.phase, self.N
        d = P.path.ledger.d
        self.delays = total = T.sum("delays of the phase", d)
        cut = T.sum("cut", lambda r, t: z3.If(d(r) < t - r, d(r), t - r), INT)
        shift = T.theorem(
            "one round later",
            [n, t],
            cut(n, t + 1) == cut(n, t) + self.late(n, t + 1, HOME),
            given=n <= t,
            induct=n,
        )
        identity = T.theorem(
            "mass is truncated delay",
            [n],
            self.mass(n, HOME) == cut(n, n),
            induct=n,
            use=[shift(n - 1, n - 1)],
        )
        whole = T.theorem("cut off at t", [n, t], cut(n, t) <= total(n), given=n <= t, induct=n)
        self.some = T.theorem("delays add up", [n], total(n) >= 0, induct=n)
        known = {budget.C1: self.C1, budget.C2: 1 / P.delta, budget.H: self.H}
        E = z3.If(total(N) >= 0, total(N), 0)
        self.printed = z3.substitute(budget.printed(E), *known.items())
        return Interpretation(
            T,
            budget.T,
            "delays",
            {
                **known,
                budget.E: lambda k: E,
                budget.R: lambda k: self.printed,
                budget.d: lambda r, k: d(r),
                budget.late: self.late,
                budget.M: self.mass,
                budget.length: lambda k: z3.If(k == HOME, N, 0),
            },
            use={
                budget.C1: lambda: [self._positive(P.A)],
                budget.length: lambda k: [identity(N), whole(N, N)],
            },
            fuel=1,
        )


class Combined(OwnDelays, PlayedEnd):
    """The first line of step 4, with the delays of the phase for D."""

    def allowed(self, adds: Term) -> tuple[Term, Theorem]:
        T, P, R = self.T, self.phase, self.budget
        few = self._few_items()
        D, alpha = z3.ToReal(self.delays(self.N)), P.alpha
        root = SQRT(2 * D + QUARTER)
        bound = alpha * (R + 1) + (1 - alpha) * (self.threshold + (2 * root - 1) + 2)
        _, added = self.added(adds)
        product = [T.fact(f"x/y*y {sign} x", where=["y > 0"]) for sign in (">=", "<=")]
        whole = T.theorem(
            "a share of the whole",
            [x, y],
            share(x, y) * y == x,
            given=z3.And(x >= 0, x < y),
            use=[each(x, y) for each in product],
        )
        half = T.theorem(
            "a share of at most a half",
            [x, y],
            2 * share(x, y) <= 1,
            given=z3.And(x > 0, 2 * x <= y),
            use=[T.fact("x/(2*x + h) <= 1/2", where=["x > 0", "h >= 0"])(y - 2 * x, x)],
            fuel=0,
        )
        left = T.theorem(
            "at least half of it is left",
            [x, y],
            (1 - x) * y >= y / 2,
            given=z3.And(2 * x <= 1, y >= 0),
        )
        within = T.theorem(
            "what the phase adds is allowed",
            [n],
            adds <= bound,
            given=self.rules,
            use=[
                added(n),
                self.sum_of_items(),
                few(),
                self.positive,
                self.powers(powers_of_two.TWICE)(self.doublings, self.rho),
                whole(self.power, R),
                half(self.power, R),
                left(alpha, 2 * root + 1),
                T.fact("sqrt(8*x + 1) <= 2*sqrt(2*x + 1/4)", where=["x >= 0"])(D),
                T.fact("0 <= sqrt(2*x + 1/4)", where=["x >= 0"])(D),
            ],
            fuel=0,
        )
        return bound, within

    def _few_items(self) -> Theorem:
        """l + m <= (sqrt(8 D + 1) + 1)/2."""
        there, N = self.declare_delays(), self.N
        arrives = (of(budget.LEAVES)(N, N, HOME) for of in (there, self.there))
        items = z3.ToReal(self.news(N)) + z3.ToReal(self.late(N, N + 1, HOME))
        return self.T.theorem(
            "few items",
            [],
            z3.And(self.delays(N) >= 0, items <= roots.slack(z3.ToReal(self.delays(N)))),
            use=[there(budget.LAST_ITEMS)(HOME), self.some(N), *arrives],
            fuel=0,
        )


class ToComparator(OnePhaseEnd):
    """The regret of what is played to x^c."""

    def of_safe(self, P: Phase, safe: Any, i: Term) -> Term:
        return safe(i) == P.y(i)

    def coarse(self) -> tuple[Term, Term, Theorem]:
        return self.no_rest()

    def allowed(self, adds: Term) -> tuple[Term, Theorem]:
        Q = self.phase.C1 * self.phase.B(n) + self.paid(n)
        within = self.T.theorem(
            "what the phase adds is allowed",
            [n],
            adds <= self.power,
            given=self.rules,
            use=[
                self.covers(n),
                self.positive,
                self.reals(roots.PAID)(Q, self.power, self.budget),
            ],
            fuel=0,
        )
        return self.power, within


class OfIterates(OnePhaseEnd):
    """The regret of the base iterates, with the delays of the phase for E; R is its budget.

    That the mass of the phase is at most its delays, which `OwnDelays` proves, is assumed of N.
    """

    def factor(self) -> Term:
        return z3.RealVal(1)

    def position(self, t: Term, i: Term) -> Term:
        return self.phase.xh(t, i)

    def covering(self, rounds: Term) -> Term:
        total = self.delays(rounds)
        return z3.If(total >= 0, total, 0)

    @functools.cached_property
    def delays(self) -> Any:
        return self.T.sum("delays of the phase", self.phase.path.ledger.d)

    def coarse(self) -> tuple[Term, Term, Theorem]:
        return self.no_rest()

    def is_phase(self) -> Term:
        return z3.And(self.N >= 1, self.phase.A >= 2)

    def allowed(self, adds: Term) -> tuple[Term, Theorem]:
        within = self.T.theorem(
            "what the phase adds is allowed",
            [n],
            adds <= self.budget,
            given=self.rules,
            use=[self.covers(n)],
            fuel=0,
        )
        return self.budget, within
