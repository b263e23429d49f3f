r"""Trees of whole games with the state of the algorithm, and what pays for the regret.

The trees of `expected_regret`, with the state at each node: the stage s and its estimate E = 2^e.
The other quantities are

    regret, hards   what is still expected of the regret, and of what hard restarts bring in,
    balance         Y, of the phase that is being played,
    spent           alpha C2/sigma, summed over its draws so far,
    room            what the phases of the stage that are left may cost,
    cap, levels     what a stage brings in, and any L with D <= 2^L: the same in the whole tree.

At every node with room, cap >= 0, s >= 1 and s - 1 <= e <= L

    regret + spent <= room + hards + Y    and    hards <= (L + 1 - s) cap.

A draw adds alpha C2/sigma to what is spent and at most as much to the mean of Y. A hard restart
needs a delay sum above E, which is at most D, so E at least doubles; it brings in cap, which must
cover the room of the next stage and what the round itself costs. For the end of a phase,
`OwnScales` has that the algorithm's own scales and budget R give Q = C1 B + C2 sum 1/sigma <= R and
m <= xi (`budget`): the itemised ledger borrows no more than one that adds up all credit.

By definition, besides what `certificates` has: the scales, the number of missing items, R at least
the printed budget, and the elapsed delay sum of each phase, which exceeds E only in the round of a
hard restart.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import z3

from pbverify.paper.theories.banker import ledger, mirror_descent
from pbverify.paper.theories.delays import powers_of_two
from pbverify.paper.theories.expectation.certificates import PhaseEnd, count, n
from pbverify.paper.theories.expectation.expected_regret import Draw, means_of, stepping
from pbverify.paper.theories.sums import budget, roots, scales
from pbverify.paper.theories.sums.roots import over, slack
from pbverify.prover.induction.facts import LN
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theorem
from pbverify.prover.induction.tree import Fan, Tree

m, t, u, k = z3.Ints("m t u k")
regret, hards, room, balance, spent, cap = z3.Reals("regret hards room balance spent cap")
stage, exponent, estimate, levels = z3.Ints("stage exponent estimate levels")
QUANTITIES = (regret, hards, room, balance, spent, stage, exponent, estimate, levels, cap)
STATE = ("room", "stage", "exponent", "estimate", "levels", "cap")
EXPECTED = ("regret", "hards", "balance")
KEPT = ("hards", "stage", "exponent", "estimate", "levels", "cap")
"""What the end of a phase does not change."""
HOME = z3.IntVal(0)
"""The number of the phase, where a theory speaks of many."""


def is_state(q: Any) -> Term:
    is_in_order = z3.And(q["stage"] - 1 <= q["exponent"], q["exponent"] <= q["levels"])
    return z3.And(q["room"] >= 0, q["cap"] >= 0, q["stage"] >= 1, is_in_order)


def is_paid(q: Any) -> Term:
    within = q["regret"] + q["spent"] <= q["room"] + q["hards"] + q["balance"]
    return z3.Implies(is_state(q), z3.And(within, q["hards"] <= left(q)))


def left(q: Any) -> Term:
    """(L + 1 - s) cap."""
    return z3.ToReal(q["levels"] + 1 - q["stage"]) * q["cap"]


def same(here: Any, below: Any, names: Sequence[str]) -> Term:
    return z3.And(*(below[name] == here[name] for name in names))


def at(fan: Fan, number: Any) -> dict[str, Term]:
    """The quantities of a child."""
    return {name: child(number) for name, child in fan.child.items()}


def nothing_open(q: Any) -> Term:
    """No phase is being played."""
    return z3.And(q["balance"] == 0, q["spent"] == 0)


BEGINS = z3.And(balance == 0, spent == 0, stage == 1, exponent == 0, levels >= 0)
"""The root of a game."""


def end_of_game(tree: Tree) -> None:
    tree.leaf("end of the game", z3.And(regret == 0, hards == 0, nothing_open(tree.here)))


# Draws.
def _means(
    fan: Fan, x: Any, mass: Any, means: Any, *, spent: Term, arms: Term, alike: Theorem
) -> Theorem:
    """What the children's property says of their means, if they have the state of the node."""
    T, here, a = fan.theory, fan.node, z3.Int("a")
    p, q, r = z3.Reals("p q r")
    positive = T.theorem("probabilities", [a], x(a) > 0)
    scaled = T.theorem("scaled", [p, q, r], p * q <= p * r, given=z3.And(p > 0, q <= r))
    child, room = at(fan, a), here["room"] - spent
    one = T.theorem(
        "what the property says of a child",
        [a],
        z3.And(
            child["regret"] <= room + child["hards"] + child["balance"],
            child["hards"] <= left(here),
        ),
        given=z3.And(is_state(here), a >= 1, a <= arms),
        use=[alike(a)],
        fuel=0,
    )
    return T.theorem(
        "means",
        [a],
        z3.And(
            means["regret"](a) <= room * mass(a) + means["hards"](a) + means["balance"](a),
            means["hards"](a) <= left(here) * mass(a),
        ),
        given=z3.And(is_state(here), a <= arms),
        induct=a,
        use=[
            positive(a),
            one(a),
            scaled(x(a), child["regret"], room + child["hards"] + child["balance"]),
            scaled(x(a), child["hards"], left(here)),
        ],
        fuel=1,
    )


def draw(tree: Tree) -> Draw:
    def kept(fan: Fan, a: Any, most: Term) -> Term:
        child = at(fan, a)
        return z3.And(same(fan.node, child, STATE), child["spent"] == fan.node["spent"] + most)

    step = stepping(tree, EXPECTED, kept)
    fan, names, means = step.fan, step.names, step.means
    T, here, a = fan.theory, fan.node, z3.Int("a")
    alike = T.theorem(
        "children of a draw",
        [a],
        z3.And(
            kept(fan, a, step.most),
            fan.child["balance"](a) == here["balance"] + names["eta"](a),
        ),
        given=z3.And(a >= 1, a <= names["A"]),
        fuel=0,
    )
    theorem = _means(
        *(fan, names["x"], step.mass, means),
        spent=here["spent"] + step.most,
        arms=names["A"],
        alike=alike,
    )
    node = T.theorem(
        "a draw",
        [n],
        is_paid(here),
        given=z3.And(step.given, *(here[name] == means[name](n) for name in ("regret", "hards"))),
        use=[theorem(n), *step.use],
        fuel=0,
    )
    fan.close(node, n)
    return Draw(fan, node, names)


def idle(tree: Tree) -> Draw:
    """A draw that nothing depends on: that of a round that restarts hard."""
    fan = tree.fan("draw of no consequence")
    T, here, a = fan.theory, fan.node, z3.Int("a")
    arms = T.parameter("A", INT, where=lambda A: A >= 1)
    kept = (*STATE, "balance", "spent")

    def is_law(x: Any, i: Any) -> Term:
        return z3.And(x(i) > 0, z3.Implies(z3.And(i >= 1, i <= arms), same(here, at(fan, i), kept)))

    x = T.input("x", INT, REAL, where=is_law)
    means = means_of(fan, x, EXPECTED)
    alike = T.theorem(
        "children of a draw of no consequence",
        [a],
        z3.And(x(a) > 0, same(here, at(fan, a), kept)),
        given=z3.And(a >= 1, a <= arms),
        fuel=0,
    )
    mass = T.sum("mass", lambda i: x(i), sort=REAL)
    theorem = _means(fan, x, mass, means, spent=here["spent"], arms=arms, alike=alike)
    steady = T.theorem(
        "the mean of the balance",
        [a],
        means["balance"](a) == here["balance"] * mass(a),
        given=a <= arms,
        induct=a,
        use=[alike(a)],
        fuel=1,
    )
    node = T.theorem(
        "idle",
        [n],
        is_paid(here),
        given=z3.And(
            *(n == arms, mass(arms) == 1, nothing_open(here)),
            *(here[name] == means[name](n) for name in ("regret", "hards")),
        ),
        use=[theorem(n), steady(n)],
        fuel=0,
    )
    fan.close(node, n)
    return Draw(fan, node, {"A": arms, "x": x})


# Hard restarts.
@dataclasses.dataclass(frozen=True)
class HardRestart:
    """The round of a hard restart: its theory's names, and the theorem about the node."""

    fan: Fan
    node: Theorem
    names: dict[str, Any]


def hard_restart(
    tree: Tree,
    opens: Callable[..., tuple[Term, Theorem, dict[str, Any]]],
) -> HardRestart:
    """The elapsed delay sum of N rounds since `start` and one more exceeds the estimate.

    `opens(fan, D=..., H=..., cost=..., pow2=...)` says what is known of the room of the next stage,
    of cap and of what the round costs, has names, and a theorem: if that is so and the next
    estimate is between 1 and 2 D, then the room is >= 0, and with the cost it is at most cap.
    """
    fan = tree.fan("hard restart")
    T, here, below = fan.theory, fan.node, at(fan, 1)
    powers = Interpretation(T, powers_of_two.T, "powers", {})
    pow2 = powers[powers_of_two.pow2]
    monotone = powers(powers_of_two.MONOTONE)
    delay = T.input("delay", INT, INT, where=lambda f, t: f(t) >= 0)
    D = T.sum("D", lambda t: delay(t))
    H, start, N = (T.parameter(name, INT, where=lambda f: f >= 0) for name in ("H", "start", "N"))

    def d(r: Term) -> Term:
        return delay(start + r)

    late = T.sum("late", lambda r, t: z3.If(t <= r + d(r), 1, 0), INT)
    M = T.sum("M", lambda u: late(u - 1, u))
    cut = T.sum("cut", lambda r, t: z3.If(d(r) < t - r, d(r), t - r), INT)
    shift = T.theorem(
        "one round later",
        [n, t],
        cut(n, t + 1) == cut(n, t) + late(n, t + 1),
        given=n <= t,
        induct=n,
    )
    identity = T.theorem(
        "mass is truncated delay", [n], M(n) == cut(n, n), induct=n, use=[shift(n - 1, n - 1)]
    )
    bound = T.theorem(
        "cut off at t", [n, t], cut(n, t) <= D(start + n) - D(start), given=n <= t, induct=n
    )
    grows = T.theorem("delays add up", [k, n], D(n) <= D(n + k), given=n >= 0, induct=k)
    delay_sum = T.theorem(
        "the delay sum is at most the total delay",
        [],
        M(N + 1) <= D(H),
        given=start + N < H,
        use=[
            identity(N + 1),
            bound(N, N + 1),
            grows(start, 0),
            grows(H - start - N, start + N),
        ],
        fuel=1,
    )
    x, cost = M(N + 1), T.parameter("cost", REAL, where=lambda f: f <= 1)
    opened, covers, names = opens(fan, D=D(H), H=H, cost=cost, pow2=pow2)
    exceeds = z3.And(
        *(start + N < H, D(H) <= pow2(here["levels"])),
        *(here["estimate"] == pow2(here["exponent"]), x > here["estimate"]),
        below["estimate"] == pow2(below["exponent"]),
        powers_of_two.is_log_up(below["exponent"], x, pow2),
    )
    doubles = T.theorem(
        "the next estimate",
        [],
        z3.And(
            *(here["exponent"] < below["exponent"], below["exponent"] <= here["levels"]),
            *(D(H) >= 1, below["estimate"] >= 1, below["estimate"] <= 2 * D(H)),
        ),
        given=z3.And(exceeds, here["exponent"] >= 0, here["levels"] >= 0),
        use=[
            delay_sum(),
            powers(powers_of_two.DOUBLE)(below["exponent"] - 1),
            powers(powers_of_two.POSITIVE)(here["exponent"]),
            monotone(here["exponent"], below["exponent"]),
            monotone(below["exponent"] - 1, here["levels"]),
        ],
        fuel=0,
    )
    moves = z3.And(
        *(nothing_open(here), nothing_open(below)),
        *(below["stage"] == here["stage"] + 1, same(here, below, ("levels", "cap"))),
        here["regret"] == cost + below["regret"],
        here["hards"] == here["cap"] + below["hards"],
    )
    p, q = z3.Reals("p q")
    fewer = T.theorem(
        "one stage fewer",
        [k, m, p, u, t, q],
        z3.ToReal(k + 1 - m) * p == p + z3.ToReal(u + 1 - t) * q,
        given=z3.And(u == k, t == m + 1, q == p),
    )
    pays = T.theorem(
        "what a hard restart brings in",
        [],
        is_paid(here),
        given=z3.And(
            *(moves, below["room"] >= 0, below["room"] + cost <= here["cap"]),
            *(here["exponent"] < below["exponent"], below["exponent"] <= here["levels"]),
        ),
        use=[
            fewer(*(q[name] for q in (here, below) for name in ("levels", "stage", "cap"))),
        ],
        fuel=0,
    )
    node = T.theorem(
        "a hard restart",
        [count],
        is_paid(here),
        given=z3.And(count == 1, exceeds, opened, moves),
        use=[doubles(), covers(), pays()],
        fuel=0,
    )
    fan.close(node, count)
    names |= {"delay": delay, "H": H, "start": start, "N": N, "cost": cost}
    return HardRestart(fan, node, names)


# The end of a phase.
class OwnScales(PhaseEnd):
    """The end of a phase whose scales and budget are the algorithm's own."""

    def covered(self) -> Theorem:
        """Q <= R."""
        T, P = self.T, self.phase
        owed, paid = self._owed(), self._paid()
        return T.theorem(
            "Q <= R",
            [n],
            P.C1 * P.B(n) + self.paid(n) <= self.budget,
            given=z3.And(n == self.N, P.A >= 2),
            use=[
                owed(n),
                paid(n),
                self.there(budget.COVERED)(n, HOME),
                self.reals(roots.TIMES)(self.C1, P.B(n), self.owed(n)),
                self._positive(P.A),
            ],
            fuel=0,
        )

    @property
    def slack(self) -> Term:
        """xi."""
        return slack(z3.ToReal(self.estimate))

    def covering(self, rounds: Term) -> Term:
        """E: what the elapsed delay sum of that many rounds does not exceed."""
        E = self.fan.node["estimate"]
        return z3.If(E >= 0, E, 0)

    def declare_sums(self) -> None:
        """The horizon, the rounds of the phase, its estimate and budget, and its scales."""
        T, P = self.T, self.phase
        d = P.path.ledger.d
        self.C1 = z3.If(P.A >= 2, P.C1, z3.RealVal(1))
        C2 = 1 / P.delta
        self.H = T.parameter("H", INT, where=lambda f: f >= 0)
        self.late = T.sum("late items", lambda r, t, k: z3.If(t <= r + d(r), 1, 0), INT, INT)
        self.mass = T.sum("mass", lambda u, k: self.late(u - 1, u, k), INT)
        self.N = T.parameter(
            "N",
            INT,
            where=lambda f: z3.And(f >= 0, f <= self.H, self.mass(f, HOME) <= self.covering(f)),
        )
        self.estimate = self.covering(self.N)
        change = [(budget.C1, self.C1), (budget.C2, C2), (budget.H, self.H)]
        printed = z3.substitute(budget.printed(self.estimate), *change)
        self.budget = T.parameter("R", REAL, where=lambda f: z3.And(f > 0, f >= printed))
        self.reals = Interpretation(T, roots.T, "real", {})
        log = T.fact("1/2 <= ln(1 + x)", where=["x >= 1"])
        self._positive = T.theorem(
            "ln A > 0",
            [m],
            LN(z3.ToReal(m)) > 0,
            given=m >= 2,
            use=[log(z3.ToReal(m) - 1)],
            fuel=0,
        )
        self.there = Interpretation(
            T,
            budget.T,
            "budget",
            {
                budget.C1: self.C1,
                budget.C2: C2,
                budget.H: self.H,
                budget.E: lambda k: self.estimate,
                budget.R: lambda k: self.budget,
                budget.d: lambda r, k: d(r),
                budget.late: self.late,
                budget.M: self.mass,
                budget.length: lambda k: z3.If(k == HOME, self.N, 0),
            },
            use={budget.C1: lambda: [self._positive(P.A)]},
            fuel=1,
        )
        self.paid = T.sum("inverse scales", lambda t: 1 / P.delta / P.path.ledger.s(t), sort=REAL)
        there = self.there
        self._of_round = {
            name: there.read(budget.SCALES.read(term(t, k)))
            for name, term in (("scale", scales.scale), ("inverse", scales.inverse))
        }
        self._c = there.read(budget.c)

        def is_own(f: Any, t: Term) -> Term:
            rules = z3.And(
                P.path.ledger.s(t) == f(t),
                f(t) == self.of_round("scale", t),
                P.late(t) == (t + d(t) >= self.N + 1),
            )
            return z3.Implies(z3.And(t >= 1, t <= self.N), rules)

        self.scale = T.input("scale", INT, REAL, where=is_own)
        self._own = T.theorem(
            "a round of the phase",
            [t],
            z3.And(is_own(self.scale, t).arg(1), self.scale(t) > 0),
            given=z3.And(t >= 1, t <= self.N),
            fuel=0,
        )

    def owed(self, n: Term) -> Term:
        """What n rounds borrow if all credit that has arrived is added up."""
        return self.there[budget.owed](n, HOME)

    def of_round(self, name: str, r: Term) -> Term:
        """The scale of round r by the algorithm's formula, or c/sigma_r."""
        return z3.substitute(self._of_round[name], (t, r), (k, HOME))

    def _theorem(self, theorem: Theorem) -> Theorem:
        """A theorem about the scales, here."""
        return self.there(budget.SCALES(theorem))

    def _owed(self) -> Theorem:
        """B <= C: the itemised ledger borrows no more than the one that adds up all credit."""
        T, P, M = self.T, self.phase, mirror_descent
        books = P.omd.there[M.LEDGER[ledger.owed]]
        out = self.there[budget.SCALES[scales.out]]
        same_items = T.theorem(
            "outstanding scales",
            [n, u],
            books(n, u) == out(n, u, HOME),
            given=n <= self.N,
            induct=n,
            use=[self._own(n)],
            fuel=1,
        )
        statement, some = (
            P.omd.there(M.LEDGER(each)) for each in (ledger.STATEMENT, ledger.BORROWING)
        )
        return T.theorem(
            "what the phase borrows",
            [n],
            P.B(n) <= self.owed(n),
            given=n <= self.N,
            induct=n,
            use=[
                self._own(n),
                statement(n),
                some(n),
                same_items(n - 1, n),
                self._theorem(scales.BALANCE)(n - 1, HOME),
            ],
            fuel=1,
        )

    def items(self) -> Theorem:
        T, P = self.T, self.phase
        some = T.theorem(
            "missing items",
            [n],
            P.missing(n) == self.late(n, self.N + 1, HOME),
            given=n <= self.N,
            induct=n,
            use=[self._own(n)],
            fuel=1,
        )
        return T.theorem(
            "all missing items",
            [],
            P.missing(self.N) == self.late(self.N, self.N + 1, HOME),
            use=[some(self.N)],
            fuel=0,
        )

    def _paid(self) -> Theorem:
        """C2 sum 1/sigma_t."""
        T, P = self.T, self.phase
        p, q, r, h = z3.Reals("p q r h")
        inverses = self.there[budget.inverses]
        quotient = T.theorem(
            "one over a quotient",
            [h, p, q, r],
            h / r == h * (q * (1 / p)),
            given=z3.And(p > 0, q > 0, r == p * (1 / q)),
        )
        inverse = self.of_round("inverse", t)
        positive = T.theorem(
            "c and c/sigma are positive",
            [t],
            z3.And(self._c > 0, inverse > 0),
            given=z3.And(t >= 1, P.A >= 2),
            use=[
                self._theorem(scales.TERM)(t, HOME),
                self._positive(P.A),
                self.reals(roots.TUNING)(self.C1, 1 / P.delta),
            ],
            fuel=0,
        )
        one = T.theorem(
            "an inverse scale",
            [t],
            1 / P.delta / P.path.ledger.s(t) == 1 / P.delta * (inverse * (1 / self._c)),
            given=z3.And(t >= 1, t <= self.N, P.A >= 2),
            use=[
                self._own(t),
                positive(t),
                quotient(1 / P.delta, self._c, inverse, self.of_round("scale", t)),
            ],
            fuel=0,
        )
        return T.theorem(
            "C2 times the inverse scales",
            [n],
            self.paid(n) == 1 / P.delta * over(inverses(n, HOME), self._c),
            given=z3.And(n <= self.N, P.A >= 2),
            induct=n,
            use=[one(n)],
            fuel=1,
        )
