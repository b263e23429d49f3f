r"""Trees in which Prudent-EXP3 is played and its regret is certified, for all horizons and delays.

The trees of `expected_regret`: at every node

    regret <= sharp + Y    and    sharp <= coarse,

where regret, sharp and coarse account are what is still expected of them, and Y is the balance of
the phase that is being played. Each action is drawn when its feedback arrives, or when its phase
ends. A draw adds <l - l^, v> to Y, with a vector v that is known before, so it changes no mean. The
end of a phase adds to the regret and to the accounts, with the terms of `phase`:

                 regret                            sharp account
    `CostEnd`    alpha (ln A/gamma + gamma moved^)  alpha Q
    `SafeEnd`    sum_t <l_t, x_t - x^c>             alpha (Q - 2 R 1{exit})
    `ArmEnd`     sum_t <l_t, x_t - e_j>             alpha Q + (1 - alpha) sum_t <l^_t, x^c - e_j>

and Y must be what the draws of the phase have added, with the vectors v of `draws`. For every order
of the draws that is what the estimates in it are less their true values:

    `CostEnd`    alpha gamma (moved^ - moved)
    `SafeEnd`    the same + alpha sum_t <l_t - l^_t, x^_t - x^c>, and if the phase exits
                 - alpha sum over missing rounds of <l_u - l^_u, e_y - x^c>
    `ArmEnd`     the same as the first + sum_t <l_t - l^_t, x_t - e_j>.

By definition: the rules of a phase, laws, losses in [0, 1] and the margin delta of x^c.
"""

from __future__ import annotations

import abc
from typing import Any

import z3

from pbverify.paper.theories.expectation.expected_regret import (
    QUANTITIES,
    Draw,
    balance,
    certified_means,
    is_certified,
    means_of,
    n,
    regret,
    sharp,
)
from pbverify.paper.theories.prudent_exp3 import draws
from pbverify.paper.theories.prudent_exp3 import phase as phases
from pbverify.prover.induction.terms import INT, REAL, TRUE, Term
from pbverify.prover.induction.theory import Instance, Theorem
from pbverify.prover.induction.tree import RootClaim, Tree

count, a, t = z3.Ints("count a t")
p, q = z3.Reals("p q")
OVER = "end of the game"


def game_tree(name: str) -> tuple[Tree, Draw]:
    """A tree with all kinds of nodes but the end of a phase."""
    tree = Tree(name, QUANTITIES, is_certified)
    tree.leaf(OVER, z3.And(*(each == 0 for each in QUANTITIES)))
    return tree, _draw(tree)


def _draw(tree: Tree) -> Draw:
    fan = tree.fan("draw")
    T, here, child = fan.theory, fan.node, fan.child
    A = T.parameter("A", INT, where=lambda f: f >= 1)
    x = T.input("x", INT, REAL, where=lambda f, i: f(i) > 0)
    loss, v = T.input("loss", INT, REAL), T.input("v", INT, REAL)
    inner = T.sum("<l, v>", lambda i: loss(i) * v(i), sort=REAL)

    def adds(f: Any, a: Term) -> Term:
        new = f(a) == inner(A) - loss(a) / x(a) * v(a)
        moved = child["balance"](a) == here["balance"] + f(a)
        return z3.Implies(z3.And(a >= 1, a <= A), z3.And(new, moved))

    eta = T.input("eta", INT, REAL, where=adds)
    mass = T.sum("mass", lambda i: x(i), sort=REAL)
    drift = T.sum("drift", lambda a: x(a) * eta(a), sort=REAL)
    means = means_of(fan, x, child)
    e, f, g = z3.Reals("e f g")
    scalar = T.theorem("one arm", [e, f, g, p], p * (e - f / p * g) == e * p - f * g, given=p > 0)
    arm = T.theorem(
        "what an arm adds to the mean",
        [n],
        x(n) * eta(n) == inner(A) * x(n) - loss(n) * v(n),
        given=z3.And(n >= 1, n <= A),
        use=[scalar(inner(A), loss(n), v(n), x(n))],
        fuel=0,
    )
    split = T.theorem("one more arm", [e, p, q], e * (p + q) == e * p + e * q)
    level = T.theorem(
        "the mean of what is added",
        [n],
        drift(n) == inner(A) * mass(n) - inner(n),
        given=n <= A,
        induct=n,
        use=[arm(n), split(inner(A), mass(n - 1), x(n))],
        fuel=1,
    )
    balanced = T.theorem(
        "the mean of the balance",
        [n],
        means["balance"](n) == here["balance"] * mass(n) + drift(n),
        given=n <= A,
        induct=n,
        fuel=1,
    )
    kept = (here[name] == means[name](n) for name in ("regret", "sharp", "coarse"))
    node = T.theorem(
        "a draw",
        [n],
        is_certified(here),
        given=z3.And(n == A, mass(A) == 1, *kept),
        use=[certified_means(fan, x, means)(n), level(n), balanced(n)],
        fuel=0,
    )
    fan.close(node, n)
    return Draw(fan, node, {"A": A, "x": x, "loss": loss, "v": v, "eta": eta})


class End(abc.ABC):
    """The end of a phase as a kind of node; one child goes on."""

    def __init__(self, tree: Tree) -> None:
        self.fan = fan = tree.fan("end of a phase")
        self.T, self.phase = fan.theory, phases.Phase(fan.theory)
        self.here, self.below = fan.node, {name: f(1) for name, f in fan.child.items()}
        self.there = phases.read_in(self.phase)
        self.draws = draws.Draws(self.phase, self.lead)
        self.of_draws = draws.read_in(self.draws, self.lead)
        self.declare()
        self.node = self._closed()

    def declare(self) -> None:  # noqa: B027 (most kinds have none)
        """Parameters of a subclass."""

    @property
    @abc.abstractmethod
    def paid(self) -> Term:
        """What the phase adds to the regret."""

    @property
    @abc.abstractmethod
    def sharp(self) -> Term:
        """What it adds to the sharp account."""

    @property
    @abc.abstractmethod
    def balance(self) -> Term:
        """Y."""

    @abc.abstractmethod
    def lead(self, u: Term, i: Term) -> Term:
        """v without what the estimate of round u is multiplied with in alpha gamma moved^."""

    @abc.abstractmethod
    def lead_in(self, a: Term, t: Term) -> Term:
        """<l_t - l^_t, lead> over the arms 1..a."""

    @abc.abstractmethod
    def leads(self, n: Term) -> Term:
        """Its sum over the rounds 1..n, for all arms."""

    @property
    def rules(self) -> Term:
        """What holds at the end of a phase."""
        return TRUE

    @abc.abstractmethod
    def pays(self) -> Theorem:
        """paid <= balance + sharp."""

    def accounts(self) -> tuple[Term, list[Instance]]:
        """How the coarse account changes, and why it stays above the sharp one."""
        return self.here["coarse"] == self.sharp + self.below["coarse"], []

    def scaled(self) -> Theorem:
        """alpha is positive."""
        alpha = self.phase.alpha
        return self.T.theorem("scaled by alpha", [p, q], alpha * p <= alpha * q, given=p <= q)

    def balances(self) -> Theorem:
        """What the draws have added is the balance."""
        T, P, D = self.T, self.phase, self.draws
        rounds = T.theorem(
            "<l - l^, lead> in a round",
            [a, t],
            D.lead_in(a, t) == self.lead_in(a, t),
            given=z3.And(t >= 1, a <= P.A),
            induct=a,
            fuel=1,
        )
        total = T.theorem(
            "<l - l^, lead>",
            [n],
            D.leads(n) == self.leads(n),
            induct=n,
            use=[rounds(P.A, n)],
            fuel=1,
        )
        return T.theorem(
            "the balance of a phase",
            [],
            D.added(P.N) == self.balance,
            use=[self.of_draws(draws.BALANCE)(), total(P.N)],
            fuel=0,
        )

    def _closed(self) -> Theorem:
        here, below = self.here, self.below
        changes, use = self.accounts()
        node = self.T.theorem(
            "the end of a phase",
            [count],
            is_certified(here),
            given=z3.And(
                *(count == 1, self.rules, changes),
                here["regret"] == self.paid + below["regret"],
                here["sharp"] == self.sharp + below["sharp"],
                here["balance"] == self.draws.added(self.phase.N),
                below["balance"] == 0,
            ),
            use=[self.pays()(), self.balances()(), *use],
            fuel=0,
        )
        self.fan.close(node, count)
        return node


class CostEnd(End):
    """What the pathwise lemma charges for a phase."""

    @property
    def paid(self) -> Term:
        return self.phase.alpha * self.phase.bound

    @property
    def sharp(self) -> Term:
        return self.phase.alpha * self.phase.cost

    @property
    def balance(self) -> Term:
        return self.phase.alpha * self.phase.drift

    def lead(self, u: Term, i: Term) -> Term:
        return z3.RealVal(0)

    def lead_in(self, a: Term, t: Term) -> Term:
        return z3.RealVal(0)

    def leads(self, n: Term) -> Term:
        return z3.RealVal(0)

    def pays(self) -> Theorem:
        P = self.phase
        return self.T.theorem(
            "what a phase costs",
            [],
            self.paid <= self.balance + self.sharp,
            use=[self.there(phases.COST)(), self.scaled()(P.bound, P.cost + P.drift)],
            fuel=0,
        )


class SafeEnd(End):
    """The regret to x^c."""

    @property
    def paid(self) -> Term:
        P = self.phase
        return P.alpha * (P.true_lost(P.N) - P.true_safe(P.N))

    @property
    def sharp(self) -> Term:
        P = self.phase
        return P.alpha * (P.cost - z3.If(P.exits, 2 * P.R, z3.RealVal(0)))

    @property
    def balance(self) -> Term:
        P = self.phase
        estimated = P.lost(P.N) - P.of_safe(P.N)
        late = z3.If(P.exits, P.surprise, z3.RealVal(0))
        return self.paid + P.alpha * (P.drift - estimated - late)

    def lead(self, u: Term, i: Term) -> Term:
        P = self.phase
        late = z3.If(i == P.best, z3.RealVal(1), z3.RealVal(0)) - P.safe(i)
        return P.alpha * (P.xh(u, i) - P.safe(i)) - self._if_late(u, P.alpha * late)

    def lead_in(self, a: Term, t: Term) -> Term:
        P = self.phase
        lost, safe = P.true_lost_in(a, t) - P.lost_in(a, t), P.true_safe_in(a, t) - P.safe_in(a, t)
        best = z3.If(P.best <= a, self.draws.bias(t, P.best), z3.RealVal(0))
        return P.alpha * (lost - safe) - self._if_late(t, P.alpha * (best - safe))

    def leads(self, n: Term) -> Term:
        P = self.phase
        lost, safe = P.true_lost(n) - P.lost(n), P.true_safe(n) - P.of_safe(n)
        late = z3.If(P.exits, P.alpha * P.surprise_until(n), z3.RealVal(0))
        return P.alpha * (lost - safe) - late

    def _if_late(self, u: Term, term: Term) -> Term:
        """The term if the phase exits while round u is missing."""
        P = self.phase
        return z3.If(z3.And(P.exits, u + P.d(u) > P.N), term, z3.RealVal(0))

    @property
    def rules(self) -> Term:
        P = self.phase
        leaves = z3.Implies(P.exits, P.gap > 2 * P.R + P.missing)
        return z3.And(P.safe_sum(P.A) == 1, leaves)

    def pays(self) -> Theorem:
        P, there = self.phase, self.there
        estimated = P.lost(P.N) - P.of_safe(P.N)
        late = z3.If(P.exits, P.surprise, z3.RealVal(0))
        charged = P.cost - z3.If(P.exits, 2 * P.R, z3.RealVal(0))
        return self.T.theorem(
            "regret of a phase to the comparator",
            [],
            self.paid <= self.balance + self.sharp,
            given=self.rules,
            use=[
                there(phases.COST)(),
                there(phases.SAFE)(),
                there(phases.EXIT)(),
                self.scaled()(0, P.drift - estimated - late + charged),
            ],
            fuel=0,
        )


class ArmEnd(End):
    """The regret to the arm j."""

    @property
    def paid(self) -> Term:
        return self._mixed(self.phase.true_lost, self.phase.true_safe, self.phase.true_arm)

    @property
    def sharp(self) -> Term:
        P = self.phase
        return P.alpha * P.cost + (1 - P.alpha) * P.overshoot

    @property
    def balance(self) -> Term:
        P = self.phase
        return self.paid - self._mixed(P.lost, P.of_safe, P.of_arm) + P.alpha * P.drift

    def lead(self, u: Term, i: Term) -> Term:
        P = self.phase
        own = z3.If(i == P.arm, z3.RealVal(1), z3.RealVal(0))
        return P.alpha * P.xh(u, i) + (1 - P.alpha) * P.safe(i) - own

    def lead_in(self, a: Term, t: Term) -> Term:
        P = self.phase
        lost, safe = P.true_lost_in(a, t) - P.lost_in(a, t), P.true_safe_in(a, t) - P.safe_in(a, t)
        own = z3.If(P.arm <= a, self.draws.bias(t, P.arm), z3.RealVal(0))
        return P.alpha * lost + (1 - P.alpha) * safe - own

    def leads(self, n: Term) -> Term:
        P = self.phase
        lost, safe = P.true_lost(n) - P.lost(n), P.true_safe(n) - P.of_safe(n)
        own = P.true_arm(n, P.arm) - P.of_arm(n, P.arm)
        return P.alpha * lost + (1 - P.alpha) * safe - own

    def _mixed(self, lost: Any, of_safe: Any, of_arm: Any) -> Term:
        """alpha <., x^> + (1 - alpha) <., x^c> - <., e_j>, summed over the rounds."""
        P = self.phase
        return P.alpha * lost(P.N) + (1 - P.alpha) * of_safe(P.N) - of_arm(P.N, P.arm)

    def pays(self) -> Theorem:
        P = self.phase
        return self.T.theorem(
            "regret of a phase to an arm",
            [],
            self.paid <= self.balance + self.sharp,
            use=[
                self.there(phases.COST)(),
                self.there(phases.ARM)(P.arm),
                self.scaled()(P.lost(P.N) - P.of_arm(P.N, P.arm), P.cost + P.drift),
            ],
            fuel=0,
        )


class Certificate:
    """A tree with all kinds of nodes, and what it says of the root."""

    def __init__(self, name: str, kind: type[End]) -> None:
        self.tree, self.draw = game_tree(name)
        self.end = kind(self.tree)
        self.claim: RootClaim = self.tree.root(name, [], regret <= sharp, given=balance == 0)


COST = Certificate("what phases cost", CostEnd)
ACCOUNT = Certificate("regret to the comparator, by accounts", SafeEnd)
ARM = Certificate("regret to an arm", ArmEnd)
