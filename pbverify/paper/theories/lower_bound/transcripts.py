r"""The tree of transcripts of any learner that pays for and then sees hidden 0/1 variables.

There are variables 1, ..., n; variable v is the loss of arm 2 in r(v) slots, and has the value b
with probability chance(v, b, s) in the environments E+ (s = 1) and E- (s = -1). A learner is its
tree of transcripts: nodes 1, ..., Z, numbered from the root downwards so that the children of node
h are last(h - 1) + 1, ..., last(h). These are definitions:

    no children       a full transcript
    reveals(h) = 0    the learner draws an action by its law x, which sums to 1 over the children
    reveals(h) = v    variable v, not seen before, is seen to be 0 (first child) or 1 (second)

N(z, v) is the number of slots of variable v in which arm 2 was played before node z. It does not
change once v is seen, and in a full transcript v is seen if and only if N(z, v) >= 1. When in the
tree a variable is seen does not matter. The probability of a node is the product w of the learner's
laws, times the chances of all that was seen:

    P(z, s) = w(z) q(n, z, s),   q(m, z, s) = product of chance(v, value, s) over seen v <= m.

Proved: if f(h) is the sum of f over the children of h wherever there are any, then f(1) is the sum
over full transcripts (`preserved`). So P sums to 1, and for every variable v

    E_s[1{v seen} (value - chance(v, 1, s))] = 0,   also with the factor N(., v).

Numbers z <= 0 are no nodes, but have a pattern of what is seen: -u has seen u = 1, nothing else.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import z3

from pbverify.paper.theories.lower_bound import tree_sums
from pbverify.prover.induction.terms import BOOL, INT, REAL, Function, Term
from pbverify.prover.induction.theory import Instance, Interpretation, Theorem, Theory

m, z, u, v, s, c = z3.Ints("m z u v s c")

T = Theory("transcripts")
n = T.parameter("n", INT, where=lambda n: n >= 1)
Z = T.parameter("Z", INT, where=lambda Z: Z >= 1)


def is_child(z: Term) -> Term:
    """Whether the number is one of a node, and not the root's."""
    return z3.And(z >= 2, z <= Z)


def is_node(z: Term) -> Term:
    """Whether the number is one of a node."""
    return z3.And(z >= 1, z <= Z)


def is_full(z: Term) -> Term:
    """Whether a node is a full transcript."""
    return last(z) == last(z - 1)


def is_sign(s: Term) -> Term:
    """Whether s stands for an environment."""
    return z3.Or(s == 1, s == -1)


def is_variable(v: Term) -> Term:
    """Whether v is one of the variables."""
    return z3.And(v >= 1, v <= n)


slots = T.input("r", INT, REAL, where=lambda r, v: r(v) >= 1)
chance = T.input(
    "chance",
    INT,
    INT,
    INT,
    REAL,
    where=lambda f, v, b, s: z3.Implies(
        z3.And(is_variable(v), is_sign(s)),
        z3.And(f(v, b, s) > 0, f(v, 0, s) + f(v, 1, s) == 1, f(v, 0, s) == f(v, 1, -s)),
    ),
)
reveals = T.input("reveals", INT, INT, where=lambda f, h: z3.And(f(h) >= 0, f(h) <= n))
law = T.input("x", INT, REAL, where=lambda x, z: x(z) >= 0)
laws = T.sum("X", lambda z: law(z), sort=REAL)
last, parent = tree_sums.children(T, Z, reveals, laws)
weight = T.input(
    "w",
    INT,
    REAL,
    where=lambda w, z: z3.And(
        z3.Implies(z == 1, w(z) == 1),
        z3.Implies(
            is_child(z), w(z) == z3.If(reveals(parent(z)) == 0, w(parent(z)) * law(z), w(parent(z)))
        ),
    ),
)
seen = T.input(
    "seen",
    INT,
    INT,
    BOOL,
    where=lambda f, z, v: z3.And(
        z3.Implies(z <= 0, f(z, v) == (v == -z)),
        z3.Implies(z == 1, z3.Not(f(z, v))),
        z3.Implies(
            z3.And(is_child(z), v >= 1),
            f(z, v) == z3.Or(f(parent(z), v), reveals(parent(z)) == v),
        ),
        z3.Implies(z3.And(z >= 1, v >= 1, reveals(z) == v), z3.Not(f(z, v))),
    ),
)
value = T.input(
    "value",
    INT,
    INT,
    INT,
    where=lambda f, z, v: z3.And(
        f(z, v) >= 0,
        f(z, v) <= 1,
        z3.Implies(z <= 0, f(z, v) == 1),
        z3.Implies(
            z3.And(is_child(z), v >= 1),
            f(z, v) == z3.If(reveals(parent(z)) == v, z - last(parent(z) - 1) - 1, f(parent(z), v)),
        ),
    ),
)
plays = T.input(
    "N",
    INT,
    INT,
    REAL,
    where=lambda f, z, v: z3.And(
        f(z, v) >= 0,
        f(z, v) <= slots(v),
        z3.Implies(
            z3.And(is_child(z), v >= 1, z3.Or(reveals(parent(z)) > 0, seen(parent(z), v))),
            f(z, v) == f(parent(z), v),
        ),
        z3.Implies(
            z3.And(z >= 1, z <= Z, v >= 1, v <= n, is_full(z)),
            z3.If(seen(z, v), f(z, v) >= 1, f(z, v) == 0),
        ),
    ),
)
chances = T.define(
    "q",
    (INT, INT, INT, REAL),
    zero=lambda z, s: 1,
    succ=lambda v, before, z, s: before * z3.If(seen(z, v), chance(v, value(z, v), s), 1),
)


probability = T.input(
    "P", INT, INT, REAL, where=lambda P, z, s: P(z, s) == weight(z) * chances(n, z, s)
)
SHAPE = {
    tree_sums.Z: Z,
    tree_sums.reveals: reveals,
    tree_sums.law: law,
    tree_sums.laws: laws,
    tree_sums.last: last,
    tree_sums.parent: parent,
}
PARENT = Interpretation(T, tree_sums.T, "shape", {**SHAPE, tree_sums.f: lambda *_: z3.RealVal(0)})(
    tree_sums.PARENT
)

# What is seen at a child.

DRAWN = T.theorem(
    "a draw shows nothing",
    [m, z, s],
    chances(m, z, s) == chances(m, parent(z), s),
    given=z3.And(is_child(z), reveals(parent(z)) == 0),
    induct=m,
)
NOT_YET = T.theorem(
    "variables before the revealed one",
    [m, z, s],
    chances(m, z, s) == chances(m, parent(z), s),
    given=z3.And(is_child(z), reveals(parent(z)) > m),
    induct=m,
)
REVEALED = T.theorem(
    "one more variable is seen",
    [m, z, s],
    chances(m, z, s)
    == chances(m, parent(z), s) * chance(reveals(parent(z)), value(z, reveals(parent(z))), s),
    given=z3.And(is_child(z), reveals(parent(z)) >= 1, reveals(parent(z)) <= m),
    induct=m,
    use=[NOT_YET(m - 1, z, s)],
)

# What the children share.


def is_second(z: Term) -> Term:
    """Whether a node shows the value 1 of a variable."""
    return z3.And(is_child(z), reveals(parent(z)) > 0, z == last(parent(z) - 1) + 2)


SIBLING = T.theorem(
    "the first of two children",
    [z],
    z3.And(
        parent(z - 1) == parent(z),
        z - 1 >= 2,
        value(z - 1, reveals(parent(z))) == 0,
        value(z, reveals(parent(z))) == 1,
    ),
    given=is_second(z),
    use=[PARENT(parent(z), z - 1)],
)
ROOT = T.theorem("the weight of the root", [], weight(z3.IntVal(1)) == 1)
DRAW_WEIGHT = T.theorem(
    "the weight after a draw",
    [z],
    weight(z) == weight(parent(z)) * law(z),
    given=z3.And(is_child(z), reveals(parent(z)) == 0),
)
SAME_WEIGHT = T.theorem(
    "the weight after a value",
    [z],
    weight(z) == weight(parent(z)),
    given=z3.And(is_child(z), reveals(parent(z)) >= 1),
)
DRAW = T.theorem(
    "the probability of an action",
    [z, s],
    probability(z, s) == probability(parent(z), s) * law(z),
    given=z3.And(is_child(z), reveals(parent(z)) == 0),
    use=[DRAWN(n, z, s), DRAW_WEIGHT(z)],
    fuel=0,
)
ONE = T.theorem(
    "the probability of a value",
    [z, s],
    probability(z, s)
    == probability(parent(z), s) * chance(reveals(parent(z)), value(z, reveals(parent(z))), s),
    given=z3.And(is_child(z), reveals(parent(z)) >= 1),
    use=[REVEALED(n, z, s), SAME_WEIGHT(z)],
    fuel=0,
)
PAIR = T.theorem(
    "the probability of both values",
    [z, s],
    probability(z - 1, s) + probability(z, s) == probability(parent(z), s),
    given=z3.And(is_second(z), is_sign(s)),
    use=[ONE(z, s), ONE(z - 1, s), SIBLING(z)],
    fuel=0,
)


def surprise(z: Term, s: Term, v: Term, c: Term) -> Term:
    """1{v seen} (value - chance), times N(z, v) unless c = 0."""
    excess = z3.ToReal(value(z, v)) - chance(v, 1, s)
    return z3.If(seen(z, v), excess * z3.If(c == 0, 1, plays(z, v)), 0)


SAME = T.theorem(
    "what is seen does not surprise again",
    [z, s, v, c],
    surprise(z, s, v, c) == surprise(parent(z), s, v, c),
    given=z3.And(is_child(z), is_variable(v), reveals(parent(z)) != v),
)
BALANCE = T.theorem(
    "both values balance",
    [z, s, v, c],
    probability(z - 1, s) * surprise(z - 1, s, v, c) + probability(z, s) * surprise(z, s, v, c)
    == 0,
    given=z3.And(is_second(z), is_sign(s), is_variable(v), reveals(parent(z)) == v),
    use=[ONE(z, s), ONE(z - 1, s), SIBLING(z)],
    fuel=0,
)


p, p0, p1, a, a0, a1, x = z3.Reals("p p0 p1 a a0 a1 x")
SCALED = T.theorem(
    "products", [p, p0, a, a0, x], p * a == p0 * a0 * x, given=z3.And(p == p0 * x, a == a0)
)
SPLIT = T.theorem(
    "sums of products",
    [p, p0, p1, a, a0, a1],
    p0 * a0 + p1 * a1 == p * a,
    given=z3.And(p0 + p1 == p, a0 == a, a1 == a),
)


def expected(z: Term, s: Term, v: Term, c: Term) -> Term:
    """What node z adds to the expected surprise."""
    is_meant = z3.And(is_sign(s), is_variable(v))
    return z3.If(is_meant, probability(z, s) * surprise(z, s, v, c), 0)


def _surprises(z: Term, s: Term, v: Term, c: Term) -> list[Term]:
    return [surprise(node, s, v, c) for node in (parent(z), z - 1, z)]


UNSURPRISED = T.theorem(
    "an action does not surprise",
    [z, s, v, c],
    expected(z, s, v, c) == expected(parent(z), s, v, c) * law(z),
    given=z3.And(is_child(z), reveals(parent(z)) == 0),
    use=[
        DRAW(z, s),
        SAME(z, s, v, c),
        SCALED(
            probability(z, s),
            probability(parent(z), s),
            surprise(z, s, v, c),
            surprise(parent(z), s, v, c),
            law(z),
        ),
    ],
    fuel=0,
)
FAIR_PAIR = T.theorem(
    "both values together do not surprise",
    [z, s, v, c],
    expected(z - 1, s, v, c) + expected(z, s, v, c) == expected(parent(z), s, v, c),
    given=is_second(z),
    use=[
        PAIR(z, s),
        SAME(z, s, v, c),
        SAME(z - 1, s, v, c),
        BALANCE(z, s, v, c),
        SIBLING(z),
        SPLIT(
            probability(parent(z), s),
            probability(z - 1, s),
            probability(z, s),
            *_surprises(z, s, v, c),
        ),
    ],
    fuel=0,
)


def preserved(
    name: str, f: Callable[..., Term], use: Callable[..., Sequence[Instance]]
) -> tuple[Function, Theorem]:
    """The sum over full transcripts of a preserved function, and that it is the root's value."""
    there = Interpretation(
        T, tree_sums.T, name, {**SHAPE, tree_sums.f: f}, use={tree_sums.f: use}, fuel=0
    )
    return there[tree_sums.leaves], there(tree_sums.PRESERVED)


def named(
    name: str, sorts: Sequence[Term], of: Callable[..., Term]
) -> tuple[Callable[..., Term], Theorem]:
    """A name for a real term, which a proof opens by the theorem and else leaves closed."""
    function = T.define(
        name, (INT, *sorts, REAL), zero=of, succ=lambda k, before, *arguments: before
    )
    variables = [z3.Const(f"y{i}", sort) for i, sort in enumerate(sorts)]
    means = function(z3.IntVal(0), *variables) == of(*variables)
    opened = T.theorem(f"what {name} is", variables, means, fuel=1)
    return lambda *arguments: function(z3.IntVal(0), *arguments), opened


@dataclasses.dataclass(frozen=True)
class Sum:
    """A sum over full transcripts: f(m, ...) is the sum of at(z, ...) over the nodes z <= m."""

    f: Function
    at: Callable[..., Term]
    OPEN: Theorem

    def __call__(self, *arguments: Any) -> Term:
        return self.f(*arguments)


def over_transcripts(name: str, of: Callable[..., Term], *sorts: Term) -> Sum:
    """The sum of a function of the node over full transcripts."""

    def term(z: Term, *rest: Term) -> Term:
        return z3.If(is_full(z), of(z, *rest), 0)

    at, opened = named(f"{name} at a node", (INT, *sorts), term)
    return Sum(T.sum(name, at, *sorts, sort=REAL), at, opened)


_mass, _MASS = preserved(
    "probability",
    lambda z, s, b, c: z3.If(is_sign(s), probability(z, s), 0),
    lambda z, s, b, c: [DRAW(z, s), PAIR(z, s)],
)
_surprises, _SURPRISES = preserved(
    "surprise", expected, lambda *at: [UNSURPRISED(*at), FAIR_PAIR(*at)]
)
mass = over_transcripts("mass", probability, INT)
surprises = over_transcripts("surprises", expected, INT, INT, INT)
SAME_MASS = T.theorem(
    "the mass of full transcripts",
    [m, s],
    mass(m, s) == _mass(m, s, 0, 0),
    given=is_sign(s),
    induct=m,
    use=[mass.OPEN(m, s)],
    fuel=1,
)
SAME_SURPRISES = T.theorem(
    "the surprises of full transcripts",
    [m, s, v, c],
    surprises(m, s, v, c) == _surprises(m, s, v, c),
    induct=m,
    use=[surprises.OPEN(m, s, v, c)],
    fuel=1,
)
NOTHING = T.theorem("the root has seen nothing", [m, s], chances(m, z3.IntVal(1), s) == 1, induct=m)
LAW = T.theorem(
    "probabilities sum to 1",
    [s],
    mass(Z, s) == 1,
    given=is_sign(s),
    use=[SAME_MASS(Z, s), _MASS(s, 0, 0), NOTHING(n, s), ROOT()],
    fuel=0,
)
FAIR = T.theorem(
    "the expected surprise is 0",
    [s, v, c],
    surprises(Z, s, v, c) == 0,
    given=z3.And(is_sign(s), is_variable(v)),
    use=[SAME_SURPRISES(Z, s, v, c), _SURPRISES(s, v, c)],
    fuel=0,
)
POSITIVE = T.theorem(
    "what is seen can be seen",
    [m, z, s],
    chances(m, z, s) > 0,
    given=z3.And(m <= n, is_sign(s)),
    induct=m,
)
WEIGHT = T.theorem(
    "probabilities of actions are not negative",
    [m, z],
    weight(z) >= 0,
    given=z3.And(z >= 1, z <= m, z <= Z),
    induct=m,
    at=[(z,), (parent(z),)],
)
NONNEGATIVE = T.theorem(
    "probabilities are not negative",
    [z, s],
    probability(z, s) >= 0,
    given=z3.And(z >= 1, z <= Z, is_sign(s)),
    use=[POSITIVE(n, z, s), WEIGHT(Z, z)],
    fuel=0,
)
