r"""A phase of Prudent-EXP3 with losses, laws and delays: what its regret is at most, on every path.

Its rounds are 1, ..., N, with delays d, actions, true losses l, estimates l^ = l/x at the action
and 0 elsewhere, laws x = alpha x^ + (1 - alpha) x^c, and x^_t proportional to exp(-gamma O_t),
where O_t adds up the estimates that have arrived. Feedback of round t is missing at the end of N if
t + d_t > N. With the clock n, Q = ln A/gamma + gamma n/(2 delta), and

    moved^ = sum_t sum_i x^_t(i) l^_t(i) (M^_t(i) + l^_t(i)/2),
    moved  = sum_t sum_i x^_t(i) l_t(i) (M_t(i) + l_t(i)/(2 x_t(i))),

where M^_t and M_t add up l^ and l of the rounds that are missing when t is played,

    moved <= n/(2 delta)                                                                   `MOVED`
    sum_t <l^_t, x^_t - x^c> <= ln A/gamma + gamma moved^                                   `SAFE`
    the same, less 2 R and sum over missing rounds of <l_u - l^_u, e_y - x^c>, if the
    phase exits: the gap to the arm y is above 2 R + m                                      `EXIT`
    sum_t <l^_t, x^_t - e_j> <= ln A/gamma + gamma moved^                                    `ARM`
    sum_t <l^_t, x^c - e_j> <= 2 R + 3 sqrt(size/delta) if alpha <= 1/2 and the clock is at most
    `size`: the gap was at most 2 R + m at the last test that did not end the phase        `OVER`
"""

from __future__ import annotations

from typing import Any

import z3

from pbverify.paper.theories.prudent_exp3 import clock as clocks
from pbverify.paper.theories.prudent_exp3 import exponential_weights as weights
from pbverify.paper.theories.prudent_exp3 import one_round, overshoot, tuning
from pbverify.prover.induction.facts import SQRT
from pbverify.prover.induction.terms import BOOL, INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

n, t, u, i, a = z3.Ints("n t u i a")
p, q, r = z3.Reals("p q r")


class Phase:
    """The language of a phase, in any theory."""

    def __init__(self, T: Theory) -> None:
        self.T = T
        parameter, sequence = T.parameter, T.input
        self.A = A = parameter("A", INT, where=lambda f: f >= 2)
        self.delta = parameter(
            "delta", REAL, where=lambda f: z3.And(f > 0, f <= 1, z3.ToReal(A) * f <= 1)
        )
        self.alpha = parameter("alpha", REAL, where=lambda f: z3.And(f > 0, f <= 1))
        self.gamma = parameter("gamma", REAL, where=lambda f: f > 0)
        self.N = parameter("N", INT, where=lambda f: f >= 1)
        self.R = parameter("R", REAL, where=lambda f: f > 0)
        self.size = parameter("largest clock", REAL, where=lambda f: f >= 1)
        self.exits = parameter("exits", BOOL)
        self.best, self.arm = (
            parameter(name, INT, where=lambda f: z3.And(f >= 1, f <= A)) for name in ("y", "j")
        )
        self.d = d = sequence("d", INT, INT, where=lambda f, t: f(t) >= 0)
        self.act = sequence("act", INT, INT, where=lambda f, t: z3.And(f(t) >= 1, f(t) <= A))
        self.safe = sequence("safe", INT, REAL, where=lambda f, i: f(i) >= self.delta)
        self.est = est = sequence("l^", INT, INT, REAL, where=lambda f, t, i: f(t, i) >= 0)
        self.late = T.sum(
            "missing estimates",
            lambda r, t, i: z3.If(t <= r + d(r), est(r, i), 0),
            *(INT, INT),
            sort=REAL,
        )
        self.some_late = T.theorem(
            "missing estimates", [n, t, i], self.late(n, t, i) >= 0, induct=n, fuel=1
        )
        self.weights = Interpretation(
            T,
            weights.T,
            "weights",
            {weights.A: A, weights.gamma: self.gamma, weights.loss: est, weights.M: self.waits},
            use={weights.M: lambda t, i: [self.some_late(t - 1, t, i)]},
        )
        share = self.weights.read(weights.share(t, i))

        def is_law(f: Any, r: Term, j: Term) -> Term:
            own = f(r, j) == z3.substitute(share, (t, r), (i, j))
            return z3.And(f(r, j) > 0, z3.Implies(self.is_place(r, j), own))

        self.xh = sequence("x^", INT, INT, REAL, where=is_law)
        self.x = sequence(
            "x",
            INT,
            INT,
            REAL,
            where=lambda f, t, i: (
                f(t, i) == self.alpha * self.xh(t, i) + (1 - self.alpha) * self.safe(i)
            ),
        )
        self.loss = sequence("l", INT, INT, REAL, where=self._estimated)
        self.late_losses = T.sum(
            "missing losses",
            lambda r, t, i: z3.If(t <= r + d(r), self.loss(r, i), 0),
            *(INT, INT),
            sort=REAL,
        )
        self.items = T.sum("missing items", lambda r, t: z3.If(t <= r + d(r), 1, 0), INT)
        self.mass = T.sum("mass", lambda u: self.items(u - 1, u))
        self._sums()

    def waits(self, t: Term, i: Term) -> Term:
        """M^_t(i)."""
        return z3.If(t >= 1, self.late(t - 1, t, i), 0)

    def is_place(self, t: Term, i: Term) -> Term:
        return z3.And(t >= 1, i >= 1, i <= self.A)

    def _estimated(self, f: Any, t: Term, i: Term) -> Term:
        seen = z3.If(self.act(t) == i, f(t, i), 0)
        is_estimate = self.est(t, i) * self.x(t, i) == seen
        return z3.And(f(t, i) >= 0, f(t, i) <= 1, z3.Implies(self.is_place(t, i), is_estimate))

    def over_rounds(self, name: str, term: Any) -> tuple[Any, Any]:
        """The sum over arms 1..a of term(t, i) in round t, and its sum over rounds for all arms."""
        arms = self.T.sum(f"{name} in a round", lambda i, t: term(t, i), INT, sort=REAL)
        return arms, self.T.sum(name, lambda t: arms(self.A, t), sort=REAL)

    def _sums(self) -> None:
        T, xh, c, est, loss, over = (
            self.T,
            self.xh,
            self.safe,
            self.est,
            self.loss,
            self.over_rounds,
        )
        self.lost_in, self.lost = over("<l^, x^>", lambda t, i: xh(t, i) * est(t, i))
        self.safe_in, self.of_safe = over("<l^, x^c>", lambda t, i: c(i) * est(t, i))
        self.true_lost_in, self.true_lost = over("<l, x^>", lambda t, i: xh(t, i) * loss(t, i))
        self.true_safe_in, self.true_safe = over("<l, x^c>", lambda t, i: c(i) * loss(t, i))
        self.of_arm = self.weights[weights.L]
        self.true_arm = T.sum("true loss of an arm", lambda t, i: loss(t, i), INT, sort=REAL)
        self.moved_in, self.moved = over(
            "moved^",
            lambda t, i: xh(t, i) * (est(t, i) * (self.waits(t, i) + est(t, i) / 2)),
        )
        self.true_moved_in, self.true_moved = over(
            "moved",
            lambda t, i: (
                xh(t, i) * loss(t, i) * self.late_losses(t - 1, t, i)
                + xh(t, i) * loss(t, i) * loss(t, i) / self.x(t, i) / 2
            ),
        )
        self.seen_safe = T.sum(
            "arrived <l^, x^c>",
            lambda t, m: z3.If(m < t + self.d(t), 0, self.safe_in(self.A, t)),
            INT,
            sort=REAL,
        )
        self.seen_arm = T.sum(
            "arrived l^",
            lambda t, m, i: z3.If(m < t + self.d(t), 0, est(t, i)),
            *(INT, INT),
            sort=REAL,
        )
        self.lead = T.sum(
            "missing <l, e_y - x^c>",
            lambda t: z3.If(
                t + self.d(t) > self.N, loss(t, self.best) - self.true_safe_in(self.A, t), 0
            ),
            sort=REAL,
        )
        self.safe_sum = T.sum("sum of x^c", lambda i: c(i), sort=REAL)

    # What the phase adds; each is a term.

    def clock(self, t: Term) -> Term:
        """n."""
        return z3.ToReal(t) + 2 * self.delta * z3.ToReal(self.mass(t))

    @property
    def cost(self) -> Term:
        """Q."""
        return tuning.cost(self.clock(self.N), self.gamma, self.delta, self.A)

    @property
    def bound(self) -> Term:
        """ln A/gamma + gamma moved^: the right side of the pathwise lemma."""
        return tuning.log(self.A) / self.gamma + self.gamma * self.moved(self.N)

    @property
    def drift(self) -> Term:
        """gamma (moved^ - moved)."""
        return self.gamma * (self.moved(self.N) - self.true_moved(self.N))

    @property
    def overshoot(self) -> Term:
        """sum_t <l^_t, x^c - e_j>."""
        return self.of_safe(self.N) - self.of_arm(self.N, self.arm)

    @property
    def gap(self) -> Term:
        """The gap to the arm y at the end of the phase."""
        return self.seen_safe(self.N, self.N) - self.seen_arm(self.N, self.N, self.best)

    @property
    def missing(self) -> Term:
        """m at the end of the phase."""
        return z3.ToReal(self.items(self.N, self.N + 1))

    @property
    def surprise(self) -> Term:
        """sum over missing rounds of <l_u - l^_u, e_y - x^c>."""
        return self.surprise_until(self.N)

    def surprise_until(self, n: Term) -> Term:
        """The same, over the rounds 1..n."""
        late_arm = self.of_arm(n, self.best) - self.seen_arm(n, self.N, self.best)
        late_safe = self.of_safe(n) - self.seen_safe(n, self.N)
        return self.lead(n) - (late_arm - late_safe)

    @property
    def most_missing(self) -> Term:
        """xi."""
        return SQRT(self.size / self.delta)

    @property
    def is_tuned(self) -> Term:
        """Rate and budget are those of the largest clock."""
        known = self.size, self.delta, self.A
        return z3.And(self.gamma == tuning.rate(*known), tuning.budget(*known) == self.R)

    @property
    def tested(self) -> Term:
        """The last round whose test did not end the phase; 0 if there is none."""
        return z3.If(self.exits, self.N - 1, self.N)

    @property
    def passed(self) -> Term:
        """The gap to the arm j was at most 2 R + m then."""
        at = self.tested
        gap = self.seen_safe(at, at) - self.seen_arm(at, at, self.arm)
        return gap <= 2 * self.R + z3.ToReal(self.items(at, at + 1))


T = Theory("phase of Prudent-EXP3")
P = Phase(T)
A, N, gamma, alpha, delta = P.A, P.N, P.gamma, P.alpha, P.delta


def _reading() -> Interpretation:
    """One round, in a phase."""
    return Interpretation(
        T,
        one_round.T,
        "round",
        {
            one_round.A: A,
            one_round.delta: delta,
            one_round.alpha: alpha,
            one_round.c: P.safe,
            one_round.xh: P.xh,
            one_round.loss: P.loss,
        },
    )


# What has moved, with true losses.

ROUND = _reading()
_place = z3.And(t >= 1, a <= A)
SHARES = T.theorem(
    "laws in a round",
    [a, t],
    ROUND[one_round.mass](a, t) == P.weights[weights.shares](a, t),
    given=_place,
    induct=a,
    fuel=1,
)
LAW = T.theorem(
    "x^ is a law",
    [t],
    ROUND[one_round.mass](A, t) == 1,
    given=t >= 1,
    use=[SHARES(A, t), P.weights(weights.LAW)(t)],
    fuel=0,
)
waiting = T.sum(
    "<x^ l, missing losses>",
    lambda i, t, u: P.xh(t, i) * P.loss(t, i) * P.late_losses(u, t, i),
    *(INT, INT),
    sort=REAL,
)
ITEM = T.theorem(
    "one more item",
    [a, t, u],
    waiting(a, t, u)
    == waiting(a, t, u - 1) + z3.If(t <= u + P.d(u), ROUND[one_round.products](a, t, u), 0),
    given=u >= 1,
    induct=a,
    fuel=2,
)
NOTHING = T.theorem("no items", [a, t, u], waiting(a, t, u) == 0, given=u == 0, induct=a, fuel=2)
WAITING = T.theorem(
    "missing items cost at most 1 each",
    [u, t],
    waiting(A, t, u) <= z3.ToReal(P.items(u, t)),
    given=t >= 1,
    induct=u,
    use=[ITEM(A, t, u), NOTHING(A, t, u), ROUND(one_round.PRODUCTS)(t, u), LAW(t)],
    fuel=1,
)
SPLIT = T.theorem(
    "a round, split",
    [a, t],
    P.true_moved_in(a, t) == waiting(a, t, t - 1) + ROUND[one_round.squares](a, t) / 2,
    given=_place,
    induct=a,
    fuel=1,
)
PER_ROUND = T.theorem(
    "what moves in a round",
    [t],
    P.true_moved_in(A, t) <= z3.ToReal(P.items(t - 1, t)) + 1 / delta / 2,
    given=t >= 1,
    use=[SPLIT(A, t), WAITING(t - 1, t), ROUND(one_round.SQUARES)(t), LAW(t)],
    fuel=0,
)
MOVED_SO_FAR = T.theorem(
    "what moves in some rounds",
    [n],
    P.true_moved(n) <= z3.ToReal(P.mass(n)) + z3.ToReal(n) * (1 / delta / 2),
    induct=n,
    use=[PER_ROUND(n)],
    fuel=1,
)
MOVED = T.theorem(
    "what moves in the phase",
    [],
    P.true_moved(N) <= P.clock(N) / (2 * delta),
    use=[
        MOVED_SO_FAR(N),
        T.theorem(
            "divided by 2 delta",
            [p, q],
            p + q * (1 / delta / 2) == (q + 2 * delta * p) / (2 * delta),
        )(z3.ToReal(P.mass(N)), z3.ToReal(N)),
    ],
    fuel=0,
)
COST = T.theorem(
    "what the phase costs",
    [],
    P.bound <= P.cost + P.drift,
    use=[
        MOVED(),
        T.theorem(
            "times gamma",
            [p, q, r],
            gamma * p <= gamma * q / r,
            given=z3.And(r > 0, p <= q / r),
        )(P.true_moved(N), P.clock(N), 2 * delta),
    ],
    fuel=0,
)

# The pathwise lemma.

SAME_LOST = T.theorem(
    "lost in a round",
    [a, t],
    z3.And(
        P.weights[weights.lost](a, t) == P.lost_in(a, t),
        P.weights[weights.moved](a, t) == P.moved_in(a, t),
    ),
    given=_place,
    induct=a,
    fuel=1,
)
SAME = T.theorem(
    "lost and moved",
    [n],
    z3.And(
        P.weights[weights.total_lost](n) == P.lost(n),
        P.weights[weights.total_moved](n) == P.moved(n),
    ),
    induct=n,
    use=[SAME_LOST(A, n)],
    fuel=1,
)
ARM = T.theorem(
    "regret to an arm",
    [i],
    P.lost(N) - P.of_arm(N, i) <= P.bound,
    given=z3.And(i >= 1, i <= A),
    use=[P.weights(weights.STATEMENT)(N, i), SAME(N)],
    fuel=0,
)
weighted = T.sum("x^c by arms", lambda i, t: P.safe(i) * P.of_arm(t, i), INT, sort=REAL)
BY_ARMS = T.theorem(
    "one more round, by arms",
    [a, t],
    weighted(a, t) == weighted(a, t - 1) + P.safe_in(a, t),
    given=t >= 1,
    induct=a,
    fuel=2,
)
EMPTY = T.theorem("no rounds, by arms", [a, t], weighted(a, t) == 0, given=t == 0, induct=a, fuel=2)
SWAPPED = T.theorem(
    "arms and rounds",
    [n],
    P.of_safe(n) == weighted(A, n),
    induct=n,
    use=[BY_ARMS(A, n), EMPTY(A, n)],
    fuel=1,
)
SCALED = T.theorem("scaled", [p, q, r], p * q <= p * r, given=z3.And(p >= 0, q <= r))
MEAN = T.theorem(
    "regret to some arms",
    [a],
    P.lost(N) * P.safe_sum(a) - weighted(a, N) <= P.bound * P.safe_sum(a),
    given=a <= A,
    induct=a,
    use=[ARM(a), SCALED(P.safe(a), P.lost(N) - P.of_arm(N, a), P.bound)],
    fuel=1,
)
SAFE = T.theorem(
    "regret to the comparator",
    [],
    P.lost(N) - P.of_safe(N) <= P.bound,
    given=P.safe_sum(A) == 1,
    use=[MEAN(A), SWAPPED(N)],
    fuel=0,
)

# Exits.

LOSSES = T.theorem("the comparator's loss", [a, t], P.true_safe_in(a, t) >= 0, induct=a, fuel=1)
LEADS = T.theorem(
    "missing rounds lead by at most 1 each",
    [n],
    P.lead(n) <= z3.ToReal(P.items(n, N + 1)),
    induct=n,
    use=[LOSSES(A, n)],
    fuel=1,
)
EXIT = T.theorem(
    "regret of a phase that exits",
    [],
    P.lost(N) - P.of_safe(N) <= P.bound - 2 * P.R - P.surprise,
    given=P.gap > 2 * P.R + P.missing,
    use=[ARM(P.best), LEADS(N)],
    fuel=0,
)

# What the comparator's estimates exceed those of an arm by.

CLOCKS = Interpretation(
    T,
    clocks.T,
    "clock",
    {clocks.delta: delta, clocks.d: P.d, clocks.late: P.items, clocks.M: P.mass},
)
TEST = Interpretation(
    T,
    overshoot.T,
    "test",
    {
        overshoot.alpha: alpha,
        overshoot.R: P.R,
        overshoot.xi: P.most_missing,
        overshoot.c: lambda t: P.safe(P.act(t)),
        overshoot.x: lambda t: P.x(t, P.act(t)),
        overshoot.loss: lambda t: P.loss(t, P.act(t)),
        overshoot.own: lambda t: P.act(t) == P.arm,
        overshoot.late: lambda t: P.tested < t + P.d(t),
    },
)
seen = P.loss(t, P.act(t)) / P.x(t, P.act(t))
ESTIMATE = T.theorem(
    "an estimate",
    [t, i],
    P.est(t, i) == z3.If(P.act(t) == i, seen, 0),
    given=P.is_place(t, i),
    use=[
        T.theorem("divided", [p, q, r], p == r / q, given=z3.And(q > 0, p * q == r))(
            P.est(t, i), P.x(t, i), z3.If(P.act(t) == i, P.loss(t, i), 0)
        ),
        T.theorem(
            "a mixture is positive",
            [p, q],
            alpha * p + (1 - alpha) * q > 0,
            given=z3.And(p > 0, q > 0),
        )(P.xh(t, i), P.safe(i)),
    ],
    fuel=0,
)
SEEN = T.theorem(
    "the comparator's estimate of a round",
    [a, t],
    P.safe_in(a, t) == z3.If(P.act(t) <= a, seen * P.safe(P.act(t)), 0),
    given=_place,
    induct=a,
    use=[ESTIMATE(t, a)],
    fuel=1,
)
ITEM_OF_TEST = T.theorem(
    "an item of the test",
    [t],
    P.safe_in(A, t) - P.est(t, P.arm) == TEST.read(overshoot.item(t)),
    given=t >= 1,
    use=[SEEN(A, t), ESTIMATE(t, P.arm)],
    fuel=0,
)
SUMS = T.theorem(
    "sums of the test",
    [n],
    z3.And(
        TEST[overshoot.total](n) == P.of_safe(n) - P.of_arm(n, P.arm),
        TEST[overshoot.arrived](n) == P.seen_safe(n, P.tested) - P.seen_arm(n, P.tested, P.arm),
        TEST[overshoot.missing](n) == P.items(n, P.tested + 1),
    ),
    induct=n,
    use=[ITEM_OF_TEST(n)],
    fuel=1,
)
LAST = T.theorem(
    "after the last test",
    [],
    z3.And(
        P.seen_safe(N, P.tested) == P.seen_safe(P.tested, P.tested),
        P.seen_arm(N, P.tested, P.arm) == P.seen_arm(P.tested, P.tested, P.arm),
        P.items(N, P.tested + 1) == P.items(P.tested, P.tested + 1) + z3.If(P.exits, 1, 0),
    ),
    fuel=1,
)
OVER = T.theorem(
    "the overshoot of a phase",
    [],
    P.overshoot <= 2 * P.R + 3 * P.most_missing,
    given=z3.And(2 * alpha <= 1, P.passed, P.clock(N) <= P.size),
    use=[
        SUMS(N),
        LAST(),
        CLOCKS(clocks.MISSING)(N, P.size),
        CLOCKS(clocks.BEFORE)(N, P.size),
        TEST(overshoot.STATEMENT)(
            N, P.items(P.tested, P.tested + 1), z3.If(P.exits, z3.IntVal(1), z3.IntVal(0))
        ),
    ],
    fuel=0,
)
BUDGET = T.theorem(
    "the budget covers what the phase costs",
    [],
    P.cost <= P.R,
    given=z3.And(P.is_tuned, P.clock(N) <= P.size),
    use=[Interpretation(T, tuning.T, "tuning", {})(tuning.COVERED)(P.size, delta, A, P.clock(N))],
    fuel=0,
)


def read_in(other: Phase) -> Interpretation:
    """The theorems about a phase, in a theory with the same language."""
    return Interpretation(other.T, T, "phase", same_names(T, other.T), fuel=1)


def same_names(source: Theory, target: Theory) -> dict[Any, Any]:
    """The symbols of a theory that another one has too, by their names."""
    own, theirs = (_symbols(each) for each in (source, target))
    return {own[name]: theirs[name] for name in own if name in theirs}


def _symbols(theory: Theory) -> dict[str, Any]:
    """What a theory has declared or defined, by name."""
    every = (*theory.parameters, *theory.inputs, *theory.definitions)
    return {symbol.name().partition(".")[2]: symbol for symbol in every}
