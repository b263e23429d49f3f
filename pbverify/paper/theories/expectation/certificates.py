r"""What the end of a phase adds to the regret and to its accounts, for all phases and delays.

Let l^ be the estimates of all rounds of the phase, also of those that are missing at its end, x_t =
alpha x^_t + (1 - alpha) x^c, and let the regret be taken against a law o. For any law y and number
k, with e_t = x_t - o - k (x^_t - y), each round has

    <l, x - o> = <l - l^, k (x^ - y) + 1{arrived} e> + k <l^, x^ - y> + <l or l^, e>,

where l is meant in a missing round and else l^. The first terms add up to the bias, and for the
second mirror descent has sum <l^_t, x^_t - y> <= B D(y, x_0) + sum sigma_t D(x^_t, z~_t). So

    regret <= Y + k B D(y, x_0) + rest,    Y = bias + k sum sigma_t D(x^_t, z~_t),

and the last two terms are the sharp account, as far as the draws have not paid for it. The coarse
account has C1 = ln A for D(y, x_0) >= 0, and for the rest:

    o = x^c, k = alpha      rest <= -alpha (theta - m) after a soft exit, where y is the best
                            response; else y = x^c, and rest = 0
    any o, k = alpha < 1    y = x^c, rest <= G + m;  once alpha = 1, y = o and rest = 0
    any o, k = 1            y = o, rest <= (1 - alpha) (G + m)                (main text's gap)

and for the regret of the iterates x^_t themselves, with k = 1 and y = o, there is no rest.

By definition: the rules of Banker-OMD with negative entropy, the mixture, l^ = l/x_t at the action
and 0 elsewhere, 0 <= l <= 1, and what the gap G of a reading is.
"""

from __future__ import annotations

import abc
from typing import Any

import z3

from pbverify.paper.theories.banker import banker_path, mirror_descent
from pbverify.paper.theories.expectation.expected_regret import is_certified
from pbverify.prover.induction.facts import LN
from pbverify.prover.induction.terms import BOOL, INT, REAL, TRUE, Term
from pbverify.prover.induction.theory import Theorem, Theory
from pbverify.prover.induction.tree import Tree

n, m, t, i, a, count = z3.Ints("n m t i a count")
p, q, r, e, f, g, h = z3.Reals("p q r e f g h")


class Choice:
    """How alpha, x^c and o are related to y; by default not at all."""

    def of_alpha(self, alpha: Term) -> Term:
        return TRUE

    def of_safe(self, P: Phase, safe: Any, i: Term) -> Term:
        return TRUE

    def of_other(self, P: Phase, other: Any, i: Term) -> Term:
        return TRUE


class Phase:
    """The rounds 1, ..., n of a phase, its comparator y, and sums over its rounds."""

    def __init__(self, T: Theory, choice: Choice) -> None:
        self.T = T
        gibbs = T.fact("p*(ln(p) - ln(q)) >= p - q", where=["p > 0", "q > 0"])
        self.omd = banker_path.regularized(
            T,
            lambda p: z3.If(p == 0, 0, p * LN(p)),
            lambda q: 1 + LN(q),
            lambda p, q: z3.If(p == 0, q, p * (LN(p) - LN(q)) + q - p),
            lambda p, q: [gibbs(p, q)],
        )
        self.path, there, M = self.omd.path, self.omd.there, mirror_descent
        self.A, self.y, self.xh, self.est = self.path.A, self.path.y, self.path.xh, self.path.loss
        self.D0, self.cost = there[M.D0](self.A), there[M.cost]
        self.B, self.Ysum, self.lost, self.R = there[M.B], there[M.Y], there[M.lost], there[M.R]
        self.C1 = LN(z3.ToReal(self.A))
        self.alpha = T.parameter(
            "alpha", REAL, where=lambda f: z3.And(f > 0, f <= 1, choice.of_alpha(f))
        )
        self.delta = T.parameter("delta", REAL, where=lambda f: f > 0)
        self.counted = T.parameter("counted", REAL, where=lambda f: z3.Or(f == 0, f == 1))
        self.late = T.input("late", INT, BOOL)
        self.act = T.input("act", INT, INT)
        self.safe = T.input(
            "safe",
            INT,
            REAL,
            where=lambda f, i: z3.And(
                f(i) >= self.delta, z3.Implies(self.is_arm(i), choice.of_safe(self, f, i))
            ),
        )
        self.other = T.input(
            "o",
            INT,
            REAL,
            where=lambda f, i: z3.And(
                f(i) >= 0, z3.Implies(self.is_arm(i), choice.of_other(self, f, i))
            ),
        )
        self.x = T.input("x", INT, INT, REAL, where=self._mixed)
        self.loss = T.input("true loss", INT, INT, REAL, where=self._estimated)
        self.missing = T.sum("missing", lambda t: z3.If(self.late(t), 1, 0))
        self.other_sum = T.sum("sum of o", lambda i: self.other(i), sort=REAL)
        self.safe_sum = T.sum("safe sum", lambda i: self.safe(i), sort=REAL)

    def is_arm(self, i: Term) -> Term:
        return z3.And(i >= 1, i <= self.A)

    def is_place(self, t: Term, i: Term) -> Term:
        return z3.And(t >= 1, self.is_arm(i))

    def _mixed(self, x: Any, t: Term, i: Term) -> Term:
        mixture = self.alpha * self.xh(t, i) + (1 - self.alpha) * self.safe(i)
        return z3.And(x(t, i) > 0, z3.Implies(self.is_place(t, i), x(t, i) == mixture))

    def _estimated(self, loss: Any, t: Term, i: Term) -> Term:
        seen = z3.If(self.act(t) == i, loss(t, i), 0)
        is_estimate = self.est(t, i) * self.x(t, i) == seen
        bounds = z3.And(loss(t, i) >= 0, loss(t, i) <= 1)
        return z3.And(bounds, z3.Implies(self.is_place(t, i), is_estimate))

    def over_rounds(self, name: str, term: Any) -> tuple[Any, Any]:
        """The sum over arms 1..a of term(t, i) in round t, and its sum over rounds for all arms."""
        arms = self.T.sum(f"{name} in a round", lambda i, t: term(t, i), INT, sort=REAL)
        return arms, self.T.sum(name, lambda t: arms(self.A, t), sort=REAL)

    def leads(self, lead: Any, whole: Any, law: Any) -> Theorem:
        """whole <= the missing rounds, if `lead` over some arms is at most their share of a law."""
        T, A = self.T, self.A
        some = T.theorem(
            "lead of some arms", [a, t], lead(a, t) <= z3.If(self.late(t), law(a), 0), induct=a
        )
        return T.theorem(
            "missing rounds lead by at most 1 each",
            [n],
            whole(n) <= z3.ToReal(self.missing(n)),
            given=law(A) == 1,
            induct=n,
            use=[some(A, n)],
            fuel=1,
        )

    def at_most_the_entropy(self) -> Theorem:
        """D(y, x_0) <= ln A."""
        T, y, x0, Y, A = self.T, self.y, self.path.x0, self.Ysum, self.A
        real = z3.ToReal(A)
        whole = T.theorem("sums of y", [n], Y(n) >= 0, induct=n)
        part = T.theorem(
            "an entry of a law",
            [n, i],
            y(i) <= Y(n),
            given=z3.And(i >= 1, i <= n),
            induct=n,
            use=[whole(n - 1)],
        )
        below = T.fact("ln(p) <= p - 1", where=["p > 0"])
        inverse = T.fact("ln(1/p) >= -ln(p)", where=["p > 0"])
        arm = T.theorem(
            "divergence of an arm",
            [p, q, r, e],
            z3.If(p == 0, q, p * (LN(p) - LN(q)) + q - p) <= p * e + q - p,
            given=z3.And(p >= 0, p <= 1, q > 0, LN(q) >= -e),
            use=[below(p)],
        )
        start = T.theorem(
            "x_0", [i], LN(x0(i)) >= -LN(real), use=[inverse(real)], given=x0(i) == 1 / real
        )
        uniform = T.theorem("x_0 is uniform", [i], x0(i) == 1 / real)
        D0 = self.D0.decl()
        summed = T.theorem(
            "divergence of some arms",
            [n],
            D0(n) <= Y(n) * LN(real) + z3.ToReal(n) / real - Y(n),
            given=z3.And(n <= A, Y(A) == 1),
            induct=n,
            use=[
                part(A, n),
                uniform(n),
                start(n),
                arm(y(n), x0(n), 0, LN(real)),
            ],
            fuel=1,
        )
        return T.theorem(
            "D(y, x_0) <= ln A",
            [],
            self.D0 <= self.C1,
            given=Y(A) == 1,
            use=[summed(A)],
            fuel=0,
        )

    def borrowing_costs(self) -> Theorem:
        """B D(y, x_0) <= C1 B."""
        T, entropy = self.T, self.at_most_the_entropy()
        some = self.omd.there(mirror_descent.BORROWING)
        whole = T.theorem("total borrowing", [n], self.B(n) >= 0, induct=n, use=[some(n)], fuel=1)
        product = T.theorem("product", [p, q, r], p * q <= r * p, given=z3.And(p >= 0, q <= r))
        return T.theorem(
            "what borrowing costs",
            [n],
            self.B(n) * self.D0 <= self.C1 * self.B(n),
            given=z3.And(n >= 0, self.Ysum(self.A) == 1),
            use=[entropy(), whole(n), product(self.B(n), self.D0, self.C1)],
            fuel=0,
        )


class PhaseEnd(Choice, abc.ABC):
    """The end of a phase as a kind of node; one child goes on. Subclasses bound the rest."""

    def __init__(self, tree: Tree) -> None:
        self.fan = tree.fan("end of a phase")
        self.T = T = self.fan.theory
        self.declare()
        self.phase = P = Phase(T, self)
        self.k = k = self.factor()
        xh, y, late = P.xh, P.y, P.late

        def extra(t: Term, i: Term) -> Term:
            return self.position(t, i) - P.other(i) - k * (xh(t, i) - y(i))

        def vector(t: Term, i: Term) -> Term:
            return k * (xh(t, i) - y(i)) + z3.If(late(t), 0, extra(t, i))

        own, self.regret = P.over_rounds(
            "regret of the phase", lambda t, i: P.loss(t, i) * (self.position(t, i) - P.other(i))
        )
        bias, self.bias = P.over_rounds(
            "bias", lambda t, i: (P.loss(t, i) - P.est(t, i)) * vector(t, i)
        )
        self.rest_of_round, self.rest = P.over_rounds(
            "rest", lambda t, i: z3.If(late(t), P.loss(t, i), P.est(t, i)) * extra(t, i)
        )
        self.pathwise = self._pathwise(own, bias)
        self.node = self._closed()

    def declare(self) -> None:
        """Parameters of a subclass."""

    def factor(self) -> Term:
        """k."""
        return self.phase.alpha

    def position(self, t: Term, i: Term) -> Term:
        """Whose regret it is."""
        return self.phase.x(t, i)

    @abc.abstractmethod
    def coarse(self) -> tuple[Term, Term, Theorem]:
        """A bound on the rest, what it needs, and the theorem `rest(n) <= bound`."""

    def _pathwise(self, own: Any, bias: Any) -> Theorem:
        T, P, k = self.T, self.phase, self.k
        split = T.theorem(
            "a round, split",
            [a, t],
            own(a, t) == bias(a, t) + k * P.lost(a, t) + self.rest_of_round(a, t),
            induct=a,
        )
        whole = T.theorem(
            "a phase, split",
            [n],
            self.regret(n) == self.bias(n) + k * P.R(n) + self.rest(n),
            induct=n,
            use=[split(P.A, n)],
            fuel=1,
        )
        scaled = T.theorem("scaled by k", [p, q], k * p <= k * q, given=p <= q)
        return T.theorem(
            "regret of the phase",
            [n],
            self.regret(n) <= self.bias(n) + k * P.cost(n) + k * (P.B(n) * P.D0) + self.rest(n),
            given=z3.And(n >= 0, P.Ysum(P.A) == 1),
            use=[whole(n), P.omd.shorter(n), scaled(P.R(n), P.B(n) * P.D0 + P.cost(n))],
            fuel=0,
        )

    def _closed(self) -> Theorem:
        T, P, k, fan = self.T, self.phase, self.k, self.fan
        here, below = fan.node, {name: child(1) for name, child in fan.child.items()}
        bound, needs, rests = self.coarse()
        borrowed = P.borrowing_costs()
        w = P.counted
        sharp = k * (P.B(n) * P.D0) + self.rest(n)
        coarse = k * (P.C1 * P.B(n)) + bound
        laws = z3.And(P.Ysum(P.A) == 1, P.safe_sum(P.A) == 1, P.other_sum(P.A) == 1)
        scaled = T.theorem("scaled by k again", [p, q], k * p <= k * q, given=p <= q)
        accounts = T.theorem(
            "the accounts of the phase",
            [n],
            sharp <= coarse,
            given=z3.And(n >= 0, laws, needs),
            use=[borrowed(n), rests(n), scaled(P.B(n) * P.D0, P.C1 * P.B(n))],
            fuel=0,
        )
        node = T.theorem(
            "the end of a phase",
            [count, n],
            is_certified(here),
            given=z3.And(
                *(count == 1, n >= 0, laws, needs),
                here["regret"] == w * self.regret(n) + below["regret"],
                here["balance"] == w * (self.bias(n) + k * P.cost(n)),
                here["sharp"] == w * sharp + below["sharp"],
                here["coarse"] == w * coarse + below["coarse"],
                below["balance"] == 0,
            ),
            use=[self.pathwise(n), accounts(n)],
            fuel=0,
        )
        fan.close(node, count)
        return node


class BaseEnd(PhaseEnd):
    """Regret of the base iterates against any o."""

    def of_other(self, P: Phase, other: Any, i: Term) -> Term:
        return other(i) == P.y(i)

    def factor(self) -> Term:
        return z3.RealVal(1)

    def position(self, t: Term, i: Term) -> Term:
        return self.phase.xh(t, i)

    def coarse(self) -> tuple[Term, Term, Theorem]:
        T, A = self.T, self.phase.A
        parts = T.theorem(
            "rest of a round",
            [a, t],
            self.rest_of_round(a, t) == 0,
            given=a <= A,
            induct=a,
        )
        rests = T.theorem("no rest", [n], self.rest(n) == 0, induct=n, use=[parts(A, n)], fuel=1)
        bound = z3.RealVal(0)
        at_most = T.theorem(
            "bound on the rest", [n], self.rest(n) <= bound, given=n >= 0, use=[rests(n)], fuel=0
        )
        return bound, z3.BoolVal(val=True), at_most


class SafetyEnd(PhaseEnd):
    """Regret against x^c, with the gap of the best response."""

    def declare(self) -> None:
        self.exits = self.T.parameter("exits", BOOL)
        self.threshold = self.T.parameter("threshold", REAL)

    def of_safe(self, P: Phase, safe: Any, i: Term) -> Term:
        return z3.Implies(z3.Not(self.exits), safe(i) == P.y(i))

    def of_other(self, P: Phase, other: Any, i: Term) -> Term:
        return other(i) == P.safe(i)

    def coarse(self) -> tuple[Term, Term, Theorem]:
        T, P = self.T, self.phase
        A, alpha, late, y, c = P.A, P.alpha, P.late, P.y, P.safe
        gap, self.gap = P.over_rounds(
            "gap", lambda t, i: z3.If(late(t), 0, P.est(t, i) * (c(i) - y(i)))
        )
        lead, self.lead = P.over_rounds(
            "lead", lambda t, i: z3.If(late(t), P.loss(t, i) * (y(i) - c(i)), 0)
        )
        parts = T.theorem(
            "rest of a round",
            [a, t],
            self.rest_of_round(a, t) == alpha * (lead(a, t) - gap(a, t)),
            given=z3.And(t >= 1, a <= A),
            induct=a,
        )
        whole = T.theorem(
            "rest of a phase",
            [n],
            self.rest(n) == alpha * (self.lead(n) - self.gap(n)),
            induct=n,
            use=[parts(A, n)],
            fuel=1,
        )
        leads = P.leads(lead, self.lead, P.Ysum)
        nothing = T.theorem(
            "no lead over itself, in a round",
            [a, t],
            z3.And(lead(a, t) == 0, gap(a, t) == 0),
            given=z3.And(z3.Not(self.exits), a <= A),
            induct=a,
        )
        never = T.theorem(
            "no lead over itself",
            [n],
            z3.And(self.lead(n) == 0, self.gap(n) == 0),
            given=z3.Not(self.exits),
            induct=n,
            use=[nothing(A, n)],
            fuel=1,
        )
        bound = z3.If(self.exits, -alpha * (self.threshold - z3.ToReal(P.missing(n))), 0)
        needs = z3.Implies(self.exits, self.gap(n) > self.threshold)
        rests = T.theorem(
            "bound on the rest",
            [n],
            self.rest(n) <= bound,
            given=z3.And(n >= 0, P.Ysum(A) == 1, needs),
            use=[whole(n), leads(n), never(n)],
            fuel=0,
        )
        return bound, needs, rests


class RegretEndOfLearner(PhaseEnd):
    """Regret against any o, with the main text's gap."""

    def of_other(self, P: Phase, other: Any, i: Term) -> Term:
        return other(i) == P.y(i)

    def factor(self) -> Term:
        return z3.RealVal(1)

    def coarse(self) -> tuple[Term, Term, Theorem]:
        T, P = self.T, self.phase
        A, alpha, late, c, xh = P.A, P.alpha, P.late, P.safe, P.xh
        gap, self.gap = P.over_rounds(
            "gap", lambda t, i: z3.If(late(t), 0, P.est(t, i) * (c(i) - xh(t, i)))
        )
        lead, self.lead = P.over_rounds(
            "lead", lambda t, i: z3.If(late(t), P.loss(t, i) * (c(i) - xh(t, i)), 0)
        )
        parts = T.theorem(
            "rest of a round",
            [a, t],
            self.rest_of_round(a, t) == (1 - alpha) * (lead(a, t) + gap(a, t)),
            given=z3.And(t >= 1, a <= A),
            induct=a,
        )
        whole = T.theorem(
            "rest of a phase",
            [n],
            self.rest(n) == (1 - alpha) * (self.lead(n) + self.gap(n)),
            induct=n,
            use=[parts(A, n)],
            fuel=1,
        )
        leads = P.leads(lead, self.lead, P.safe_sum)
        bound = (1 - alpha) * (self.gap(n) + z3.ToReal(P.missing(n)))
        rests = T.theorem(
            "bound on the rest",
            [n],
            self.rest(n) <= bound,
            given=z3.And(n >= 0, P.safe_sum(A) == 1),
            use=[whole(n), leads(n)],
            fuel=0,
        )
        return bound, z3.BoolVal(val=True), rests


class RegretEnd(PhaseEnd):
    """Regret against any o, with the gap G of the best response: the largest over the arms."""

    gap_of: Any = None
    """The gap of each arm, where it is needed."""

    def declare(self) -> None:
        self.full = self.T.parameter("full", BOOL)
        self.G = self.T.parameter("G", REAL)
        self.N = self.T.parameter("N", INT)

    def of_alpha(self, alpha: Term) -> Term:
        return z3.Implies(self.full, alpha == 1)

    def of_safe(self, P: Phase, safe: Any, i: Term) -> Term:
        return z3.Implies(z3.Not(self.full), safe(i) == P.y(i))

    def of_other(self, P: Phase, other: Any, i: Term) -> Term:
        return z3.Implies(self.full, other(i) == P.y(i))

    def coarse(self) -> tuple[Term, Term, Theorem]:
        T, P = self.T, self.phase
        A, late, c, o = P.A, P.late, P.safe, P.other
        gap, Gap = P.over_rounds("gap", lambda t, i: z3.If(late(t), 0, P.est(t, i) * (c(i) - o(i))))
        lead, Lead = P.over_rounds(
            "lead", lambda t, i: z3.If(late(t), P.loss(t, i) * (c(i) - o(i)), 0)
        )
        parts = T.theorem(
            "rest of a round",
            [a, t],
            self.rest_of_round(a, t) == z3.If(self.full, 0, lead(a, t) + gap(a, t)),
            given=z3.And(t >= 1, a <= A),
            induct=a,
        )
        whole = T.theorem(
            "rest of a phase",
            [n],
            self.rest(n) == z3.If(self.full, 0, Lead(n) + Gap(n)),
            induct=n,
            use=[parts(A, n)],
            fuel=1,
        )
        leads = P.leads(lead, Lead, P.safe_sum)
        most = self._gap_is_largest(gap, Gap)
        bound = z3.If(self.full, 0, self.G + z3.ToReal(P.missing(n)))
        needs = n == self.N
        rests = T.theorem(
            "bound on the rest",
            [n],
            self.rest(n) <= bound,
            given=z3.And(n >= 0, P.safe_sum(A) == 1, P.other_sum(A) == 1, needs),
            use=[whole(n), leads(n), most(n)],
            fuel=0,
        )
        return bound, needs, rests

    def _gap_is_largest(self, gap: Any, Gap: Any) -> Theorem:
        """sum over arrived rounds of <l^, x^c - o> <= G."""
        T, P = self.T, self.phase
        A, late, c, o = P.A, P.late, P.safe, P.other
        self.g = g = T.sum("g", lambda t, i: z3.If(late(t), 0, P.est(t, i)), INT, sort=REAL)
        self.g_safe = of_safe = T.sum("<g, x^c>", lambda i, m: c(i) * g(m, i), INT, sort=REAL)
        of_other = T.sum("<g, o>", lambda i, m: o(i) * g(m, i), INT, sort=REAL)

        def is_gap(f: Any, i: Term) -> Term:
            here = z3.And(f(i) == of_safe(A, self.N) - g(self.N, i), f(i) <= self.G)
            return z3.Implies(z3.And(i >= 1, i <= A), here)

        self.gap_of = gap_of = T.input("gap of an arm", INT, REAL, where=is_gap)
        mean = T.sum("mean gap", lambda i: o(i) * gap_of(i), sort=REAL)
        empty = T.theorem(
            "nothing seen",
            [a, m],
            z3.And(of_safe(a, m) == 0, of_other(a, m) == 0),
            given=m == 0,
            induct=a,
        )
        step = T.theorem(
            "one more round",
            [a, m],
            of_safe(a, m + 1) - of_other(a, m + 1)
            == of_safe(a, m) - of_other(a, m) + gap(a, m + 1),
            given=m >= 0,
            induct=a,
        )
        seen = T.theorem(
            "what has been seen",
            [n],
            Gap(n) == of_safe(A, n) - of_other(A, n),
            induct=n,
            use=[empty(A, n), step(A, n - 1)],
            fuel=1,
        )
        weighted = T.theorem("weighted", [p, q, r], p * q <= r * p, given=z3.And(p >= 0, q <= r))
        below = T.theorem(
            "the mean gap",
            [a],
            z3.And(
                mean(a) <= self.G * P.other_sum(a),
                mean(a) == of_safe(A, self.N) * P.other_sum(a) - of_other(a, self.N),
            ),
            given=a <= A,
            induct=a,
            use=[weighted(o(a), gap_of(a), self.G)],
            fuel=1,
        )
        return T.theorem(
            "the gap is the largest",
            [n],
            Gap(n) <= self.G,
            given=z3.And(n >= 0, n == self.N, P.other_sum(A) == 1),
            use=[seen(n), below(A)],
            fuel=0,
        )
