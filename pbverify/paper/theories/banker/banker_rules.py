r"""The rules of Banker-OMD, as assumptions on the sequences of one phase.

The rounds of the phase are numbered 1, 2, ..., the arms 1, ..., A. With the gradient grad of a
separable regularizer, in each round t, by definition of the algorithm,

    xh_t    s_t grad(xh_t) = sum of w(t, u) grad(z_u) + b_t grad(x0) + a constant over the arms,
    zf_t    s_t grad(zf_t) = s_t grad(xh_t) - l_t,
    z_t     grad(z_t) = grad(zf_t) + a constant over the arms,

xh_t and z_t are laws, and s, w, v and b are a ledger's. Nothing else is assumed of a phase.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import z3

from pbverify.paper.theories.banker import ledger
from pbverify.prover.induction.terms import INT, REAL, Function, Term
from pbverify.prover.induction.theory import Theory

ONE = z3.IntVal(1)


@dataclasses.dataclass(frozen=True)
class Path:
    """The sequences of a phase of Banker-OMD and of a comparator, in a theory."""

    ledger: ledger.Books
    A: Term
    """Number of arms."""
    y: Function
    """Comparator."""
    x0: Function
    z: Function
    """z(t, i): the projected end of round t's mirror step."""
    theta: Function
    """theta(m, t, i): w(t, 1) grad(z_1) + ... + w(t, m) grad(z_m)."""
    xh: Function
    """xh(t, i): the iterate of round t."""
    X: Function
    Z: Function
    loss: Function
    """loss(t, i): the loss estimate of round t."""
    zf: Function
    """zf(t, i): the unconstrained end of round t's mirror step."""

    def __iter__(self) -> Iterator[Any]:
        own = (getattr(self, field.name) for field in dataclasses.fields(self)[1:])
        return itertools.chain(self.ledger, own)


def path(T: Theory, grad: Callable[[Term], Term], start: Callable[..., Term]) -> Path:
    """Any phase in which the rules of Banker-OMD are kept, with this gradient.

    `start(x0, i, A)` is what is assumed of x0.
    """
    L = ledger.books(T)
    s, b, w = L.s, L.b, L.w
    A = T.parameter("A", INT, where=lambda A: A >= 1)
    y = T.input("y", INT, REAL, where=lambda y, i: y(i) >= 0)
    x0 = T.input("x0", INT, REAL, where=lambda x0, i: z3.And(x0(i) > 0, start(x0, i, A)))
    z = T.input("z", INT, INT, REAL, where=lambda z, t, i: z(t, i) > 0)
    theta = T.sum("theta", lambda u, t, i: w(t, u) * grad(z(u, i)), INT, INT, sort=REAL)
    Z = T.sum("Z", lambda i, t: z(t, i), INT, sort=REAL)

    def is_place(t: Term, i: Term) -> Term:
        return z3.And(t >= 1, i >= 1, i <= A)

    def averages(xh: Function, t: Term, i: Term) -> Term:
        """The dual of the iterate is the average of duals, up to one number for all arms."""

        def lift(i: Term) -> Term:
            return s(t) * grad(xh(t, i)) - theta(t - 1, t, i) - b(t) * grad(x0(i))

        return z3.And(xh(t, i) > 0, z3.Implies(is_place(t, i), lift(i) == lift(ONE)))

    xh = T.input("xh", INT, INT, REAL, where=averages)
    X = T.sum("X", lambda i, t: xh(t, i), INT, sort=REAL)
    loss = T.input("loss", INT, INT, REAL)

    def steps(zf: Function, t: Term, i: Term) -> Term:
        """The mirror step, its projection, and that iterate and projection are laws."""

        def shift(i: Term) -> Term:
            return grad(zf(t, i)) - grad(z(t, i))

        here = z3.And(
            s(t) * grad(zf(t, i)) == s(t) * grad(xh(t, i)) - loss(t, i),
            shift(i) == shift(ONE),
            X(A, t) == 1,
            Z(A, t) == 1,
        )
        return z3.And(zf(t, i) > 0, z3.Implies(is_place(t, i), here))

    zf = T.input("zf", INT, INT, REAL, where=steps)
    return Path(L, A, y, x0, z, theta, xh, X, Z, loss, zf)
