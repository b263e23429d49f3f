r"""Trees in which a game is played and its regret is certified, for all horizons, arms and delays.

Each action is drawn when its feedback arrives, or when its phase ends. A node has four quantities:
what is still expected of the regret, of its sharp and of its coarse account, and the
balance Y of the phase that is being played. At every node

    regret <= sharp + Y    and    sharp <= coarse.

A draw of round t, with law x = alpha x^ + (1 - alpha) x^c, losses l, estimate l^, a vector v and a
weight w that are known before, has the mean immediate cost N = E[sigma D(x^, z~)] <= C2/sigma:

    Y' = Y + <l - l^, v> + w sigma D(x^, z~),    sharp = w N + E[sharp'],
    regret = E[regret'],                         coarse = w C2/sigma + E[coarse'].

Proved are the mean of Y', which is Y + w N, and the bound on N (`regularity`). A hard restart and a
draw of no consequence change nothing; the end of a phase is in `certificates`. By definition: laws,
losses in [0, 1], the margin delta of x^c, the mixture and the mirror step.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import z3

from pbverify.paper.theories.banker import regularity
from pbverify.prover.induction.facts import LN
from pbverify.prover.induction.terms import INT, REAL, TRUE
from pbverify.prover.induction.theory import Instance, Interpretation, Theorem
from pbverify.prover.induction.tree import Fan, Tree

n = z3.Int("n")
regret, sharp, coarse, balance, cost = z3.Reals("regret sharp coarse balance cost")
QUANTITIES = (regret, sharp, coarse, balance)
STEPS = regularity.THEORIES["negative-entropy", True]
MEAN = STEPS.statement.claim.arg(0).decl()


@dataclasses.dataclass(frozen=True)
class Draw:
    """A draw that counts: its theory's names, and the theorem about the node."""

    fan: Fan
    node: Theorem
    names: dict[str, Any]


def is_certified(q: Any) -> Any:
    return z3.And(q["regret"] <= q["sharp"] + q["balance"], q["sharp"] <= q["coarse"])


def game_tree(name: str) -> tuple[Tree, Draw, Draw]:
    """A tree with all kinds of nodes but the end of a phase."""
    tree = Tree(name, QUANTITIES, is_certified)
    tree.leaf("end of the game", z3.And(*(each == 0 for each in QUANTITIES)))
    below = tree.below
    tree.move(
        "hard restart",
        z3.And(
            regret == cost + below["regret"],
            sharp == cost + below["sharp"],
            coarse >= cost + below["coarse"],
            balance == below["balance"],
        ),
        variables=[cost],
    )
    return tree, _draw(tree), _idle(tree)


def means_of(fan: Fan, x: Any, names: Collection[str]) -> dict[str, Any]:
    """The means of some of the children's quantities, by name."""
    return {
        name: fan.theory.sum(f"E {name}", lambda a, name=name: x(a) * fan.child[name](a), sort=REAL)
        for name in names
    }


def certified_means(fan: Fan, x: Any, means: Mapping[str, Any]) -> Theorem:
    """What the children's property says of their means."""
    T = fan.theory
    positive = T.theorem("probabilities", [n], x(n) > 0)
    p, q, r = z3.Reals("p q r")
    scaled = T.theorem("scaled", [p, q, r], p * q <= p * r, given=z3.And(p > 0, q <= r))
    child = fan.child
    return T.theorem(
        "means",
        [n],
        is_certified({name: mean(n) for name, mean in means.items()}),
        induct=n,
        use=[
            positive(n),
            scaled(x(n), child["regret"](n), child["sharp"](n) + child["balance"](n)),
            scaled(x(n), child["sharp"](n), child["coarse"](n)),
        ],
    )


def _idle(tree: Tree) -> Draw:
    """A draw that nothing depends on: that of a round that restarts hard."""
    fan = tree.fan("draw of no consequence")
    T = fan.theory
    x = T.input("x", INT, REAL, where=lambda x, i: x(i) > 0)
    means = means_of(fan, x, fan.child)
    theorem = certified_means(fan, x, means)
    given = z3.And(n >= 1, *(fan.node[name] == mean(n) for name, mean in means.items()))
    node = T.theorem("idle", [n], is_certified(fan.node), given=given, use=[theorem(n)], fuel=0)
    fan.close(node, n)
    return Draw(fan, node, {"x": x})


@dataclasses.dataclass(frozen=True)
class Stepping:
    """A draw before its node is closed: its means, and what is known of the balance."""

    fan: Fan
    names: dict[str, Any]
    means: dict[str, Any]
    mass: Any
    """mass(n): the probabilities of the first n arms."""
    immediate: Any
    """w N: the weighted mean immediate cost."""
    most: Any
    """w C2/sigma."""
    given: Any
    """That there are n arms, and that all laws are laws."""
    use: Sequence[Instance]
    """The mean of the balance is Y + w N, and w N <= w C2/sigma."""


def stepping(
    tree: Tree,
    averaged: Collection[str],
    kept: Callable[[Fan, Any, Any], Any] = lambda fan, a, most: TRUE,
) -> Stepping:
    """A draw, with the means of some quantities; `kept` relates a child to the node."""
    fan = tree.fan("draw")
    T = fan.theory
    A = T.parameter("A", INT, where=lambda A: A >= 1)
    alpha = T.parameter("alpha", REAL, where=lambda f: z3.And(f > 0, f <= 1))
    delta = T.parameter("delta", REAL, where=lambda f: f > 0)
    sigma = T.parameter("sigma", REAL, where=lambda f: f > 0)
    w = T.parameter("w", REAL, where=lambda f: f >= 0)
    base = T.input("base", INT, REAL, where=lambda f, i: f(i) > 0)
    safe = T.input("safe", INT, REAL, where=lambda f, i: f(i) >= delta)
    loss = T.input("loss", INT, REAL, where=lambda f, i: z3.And(f(i) >= 0, f(i) <= 1))
    x = T.input("x", INT, REAL, where=lambda f, i: f(i) == alpha * base(i) + (1 - alpha) * safe(i))
    v = T.input("v", INT, REAL)

    def move(a: Any) -> Any:
        return loss(a) / x(a) / sigma

    z = T.input(
        "z",
        INT,
        INT,
        REAL,
        where=lambda z, a, i: z3.And(
            z(a, i) > 0, LN(z(a, i)) == LN(base(i)) - z3.If(i == a, move(a), 0)
        ),
    )
    p, q, r = z3.Reals("p q r")
    i = z3.Int("i")
    positive = T.theorem(
        "laws are positive",
        [i],
        x(i) > 0,
        use=[],
    )
    quotient = T.theorem("quotient", [p, q], p / q * q == p, given=q > 0)
    there = Interpretation(
        T,
        STEPS.T,
        "step",
        {
            STEPS.A: A,
            STEPS.alpha: alpha,
            STEPS.delta: delta,
            STEPS.sigma: sigma,
            STEPS.base: base,
            STEPS.safe: safe,
            STEPS.loss: loss,
            STEPS.x: x,
            STEPS.p: base,
            STEPS.estimate: lambda i: loss(i) / x(i),
            STEPS.u: move,
            STEPS.z: z,
        },
        use={
            STEPS.estimate: lambda i: [positive(i), quotient(loss(i), x(i))],
            STEPS.u: lambda i: [quotient(loss(i) / x(i), sigma)],
        },
    )
    stability = there(STEPS.statement)
    D, mean = there[STEPS.D], there[MEAN]
    mass = T.sum("mass", lambda i: x(i), sort=REAL)
    inner = T.sum("<l, v>", lambda i: loss(i) * v(i), sort=REAL)
    child, most = fan.child["balance"], w * (1 / delta / sigma)

    def adds(f: Any, a: Any) -> Any:
        new = inner(A) - loss(a) / x(a) * v(a) + w * (sigma * D(A, a))
        is_arm = z3.And(a >= 1, a <= A)
        moved = child(a) == fan.node["balance"] + f(a)
        return z3.Implies(is_arm, z3.And(f(a) == new, moved, kept(fan, a, most)))

    eta = T.input("eta", INT, REAL, where=adds)
    drift = T.sum("drift", lambda a: x(a) * eta(a), sort=REAL)
    means = means_of(fan, x, averaged)
    e, f, g, h = z3.Reals("e f g h")
    term = T.theorem(
        "one arm",
        [e, f, g, h, p, q, r],
        p * (e - f / p * g + q * (r * h)) == e * p - f * g + q * (p * (r * h)),
        given=p > 0,
    )
    cost_of = sigma * D(A, n)
    arm = T.theorem(
        "what an arm adds to the mean",
        [n],
        x(n) * eta(n) == inner(A) * x(n) - loss(n) * v(n) + w * (x(n) * cost_of),
        given=z3.And(n >= 1, n <= A),
        use=[positive(n), term(inner(A), loss(n), v(n), D(A, n), x(n), w, sigma)],
        fuel=0,
    )
    d, e1, i1, j, k, m1, mu, u = z3.Reals("d e1 i1 j k m1 mu u")
    added = T.theorem(
        "one more arm",
        [d, e1, i1, j, k, m1, mu, p, q, u],
        d + u == e1 * (m1 + p) - (i1 + j) + q * (mu + k),
        given=z3.And(d == e1 * m1 - i1 + q * mu, u == e1 * p - j + q * k),
    )
    DRIFT = T.theorem(
        "the mean of what is added",
        [n],
        drift(n) == inner(A) * mass(n) - inner(n) + w * mean(n),
        given=n <= A,
        induct=n,
        use=[
            arm(n),
            added(
                *(drift(n - 1), inner(A), inner(n - 1), loss(n) * v(n), x(n) * cost_of),
                *(mass(n - 1), mean(n - 1), x(n), w, x(n) * eta(n)),
            ),
        ],
        fuel=1,
    )
    BALANCED = T.theorem(
        "the mean of the balance",
        [n],
        means["balance"](n) == fan.node["balance"] * mass(n) + drift(n),
        given=n <= A,
        induct=n,
        fuel=1,
    )
    laws = [there[each](A) == 1 for each in _laws()]
    WEIGHTED = T.theorem("weighted", [p, q], w * p <= w * q, given=p <= q)
    names = {
        **{"A": A, "alpha": alpha, "delta": delta, "sigma": sigma, "w": w, "base": base},
        **{"safe": safe, "loss": loss, "x": x, "v": v, "z": z, "eta": eta},
    }
    return Stepping(
        fan,
        names,
        means,
        mass,
        immediate=w * mean(n),
        most=most,
        given=z3.And(n == A, mass(A) == 1, *laws),
        use=[DRIFT(n), BALANCED(n), stability(), WEIGHTED(mean(A), 1 / delta / sigma)],
    )


def _draw(tree: Tree) -> Draw:
    step = stepping(tree, list(map(str, QUANTITIES)))
    fan, means = step.fan, step.means
    theorem = certified_means(fan, step.names["x"], means)
    node = fan.theory.theorem(
        "a draw",
        [n],
        is_certified(fan.node),
        given=z3.And(
            step.given,
            fan.node["regret"] == means["regret"](n),
            fan.node["sharp"] == step.immediate + means["sharp"](n),
            fan.node["coarse"] == step.most + means["coarse"](n),
        ),
        use=[theorem(n), *step.use],
        fuel=0,
    )
    fan.close(node, n)
    return Draw(fan, node, step.names)


def _laws() -> list[Any]:
    """The sums that the theorem on stability takes to be 1."""
    return [part.arg(0).decl() for part in STEPS.statement.given.children()]
