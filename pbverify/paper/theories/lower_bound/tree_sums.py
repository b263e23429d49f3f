r"""What is shared out along a tree: the sum over the leaves is the value at the root.

Nodes 1, ..., Z are numbered from the root downwards; the children of node h are last(h - 1) + 1,
..., last(h), and a node without any is a leaf. A node with reveals(h) = 0 draws a child by the law
x, any other node has two children. A function f is preserved if at each child

    f(z) = f(parent) x(z)             under a node that draws
    f(z - 1) + f(z) = f(parent)       for the second of two children

Then f(1) is the sum of f over the leaves. It has three arguments more, so that one theorem serves
a whole family of functions.
"""

from __future__ import annotations

import z3

from pbverify.prover.induction.terms import INT, REAL, Function, Term
from pbverify.prover.induction.theory import Theory

j, h, z, a, b, c = z3.Ints("j h z a b c")

T = Theory("sums over trees")
Z = T.parameter("Z", INT, where=lambda Z: Z >= 1)


reveals = T.input("reveals", INT, INT, where=lambda f, h: f(h) >= 0)
law = T.input("x", INT, REAL)
laws = T.sum("X", lambda z: law(z), sort=REAL)


def children(
    theory: Theory, Z: Term, reveals: Function, laws: Function
) -> tuple[Function, Function]:
    """The last child of the nodes up to h, and the parent of a node, as inputs of a theory."""
    last = theory.input(
        "last",
        INT,
        INT,
        where=lambda f, h: z3.And(
            f(h) >= 1,
            z3.Implies(h == 0, f(h) == 1),
            z3.Implies(h == Z, f(h) == Z),
            z3.Implies(h >= 1, f(h) >= f(h - 1)),
            z3.Implies(
                z3.And(h >= 1, f(h) > f(h - 1)),
                z3.If(reveals(h) == 0, laws(f(h)) - laws(f(h - 1)) == 1, f(h) == f(h - 1) + 2),
            ),
        ),
    )
    parent = theory.input(
        "parent",
        INT,
        INT,
        where=lambda f, z: z3.Implies(
            z3.And(z >= 2, z <= Z),
            z3.And(f(z) >= 1, f(z) < z, last(f(z) - 1) < z, z <= last(f(z))),
        ),
    )
    return last, parent


last, parent = children(T, Z, reveals, laws)


def is_child(z: Term) -> Term:
    """Whether the number is one of a node, and not the root's."""
    return z3.And(z >= 2, z <= Z)


def is_leaf(z: Term) -> Term:
    """Whether a node has no children."""
    return last(z) == last(z - 1)


f = T.input(
    "f",
    INT,
    INT,
    INT,
    INT,
    REAL,
    where=lambda f, z, a, b, c: z3.Implies(
        is_child(z),
        z3.And(
            z3.Implies(reveals(parent(z)) == 0, f(z, a, b, c) == f(parent(z), a, b, c) * law(z)),
            z3.Implies(
                z3.And(reveals(parent(z)) > 0, z == last(parent(z) - 1) + 2),
                f(z - 1, a, b, c) + f(z, a, b, c) == f(parent(z), a, b, c),
            ),
        ),
    ),
)
total = T.sum("S", lambda z, a, b, c: f(z, a, b, c), INT, INT, INT, sort=REAL)
leaves = T.sum(
    "leaves", lambda z, a, b, c: z3.If(is_leaf(z), f(z, a, b, c), 0), INT, INT, INT, sort=REAL
)

LATER = T.theorem(
    "later nodes have later children", [j, h], last(h) <= last(h + j), given=h >= 0, induct=j
)
INSIDE = T.theorem(
    "children are nodes", [h], last(h) <= Z, given=z3.And(h >= 0, h <= Z), use=[LATER(Z - h, h)]
)
PARENT = T.theorem(
    "the parent of a child",
    [h, z],
    parent(z) == h,
    given=z3.And(h >= 1, h <= Z, last(h - 1) < z, z <= last(h)),
    use=[
        LATER(parent(z) - 1 - h, h),
        LATER(h - 1 - parent(z), parent(z)),
        INSIDE(h),
        LATER(h - 1, 0),
    ],
)
DRAWN = T.theorem(
    "some children of a node that draws",
    [j, h, a, b, c],
    total(last(h - 1) + j, a, b, c) - total(last(h - 1), a, b, c)
    == f(h, a, b, c) * (laws(last(h - 1) + j) - laws(last(h - 1))),
    given=z3.And(h >= 1, h <= Z, reveals(h) == 0, last(h - 1) + j <= last(h)),
    induct=j,
    use=[PARENT(h, last(h - 1) + j), INSIDE(h)],
)
CHILDREN = T.theorem(
    "the children of a node",
    [h, a, b, c],
    total(last(h), a, b, c) - total(last(h - 1), a, b, c) == f(h, a, b, c),
    given=z3.And(h >= 1, h <= Z, last(h) > last(h - 1)),
    use=[DRAWN(last(h) - last(h - 1), h, a, b, c), PARENT(h, last(h)), INSIDE(h)],
    fuel=3,
)
FRONTIER = T.theorem(
    "leaves so far and nodes still open",
    [h, a, b, c],
    leaves(h, a, b, c) + total(last(h), a, b, c) - total(h, a, b, c) == f(1, a, b, c),
    given=h <= Z,
    induct=h,
    use=[CHILDREN(h, a, b, c)],
)
PRESERVED = T.theorem(
    "the sum over the leaves",
    [a, b, c],
    leaves(Z, a, b, c) == f(1, a, b, c),
    use=[FRONTIER(Z, a, b, c)],
)
