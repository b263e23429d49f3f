r"""Stability of a mirror step for all laws, losses, scales, aggressions and numbers of arms.

The step of round t starts at the base iterate or at the played law x = alpha x^ + (1 - alpha) x^c,
call it p, and ends, if action a is drawn, at the z with grad(z_i) = grad(p_i), except that
grad(z_a) = grad(p_a) - u_a, with u_a = l_a/(x_a sigma); that is its definition. Proved are

    per arm     div(p_a, z_a) <= k(p_a) u_a^2 with k(p) = p/2 or p sqrt p, and 0 for other arms,
    drawn       sigma^2 x_a D(p, z) <= p_a/x_a, because l_a <= 1 and k(p) <= p,
    summed      p/x <= alpha + (1 - alpha) p/delta, so sum p_a/x_a <= alpha A + (1 - alpha)/delta,
                and that is at most 1/delta, because delta A <= 1. From x itself the sum is A.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.mirror_step import MirrorStep
from pbverify.paper.theories.banker import curvature
from pbverify.paper.theories.banker.curvature import ENTROPY, TSALLIS, Curved
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT, REAL, Function, Term
from pbverify.prover.induction.theory import Theorem, Theory

n, i, a = z3.Ints("n i a")
p, q, u, d, k, e, x, y, s, c = z3.Reals("p q u d k e x y s c")


class Steps:
    """The theory of mirror steps with a regularizer, from the base iterate or the played law."""

    def __init__(self, name: str, psi: Curved, *, from_base: bool) -> None:
        self.psi, self.from_base = psi, from_base
        self.T = T = Theory(name)
        self.A = T.parameter("A", INT, where=lambda A: A >= 1)
        self.alpha = T.parameter("alpha", REAL, where=lambda f: z3.And(f > 0, f <= 1))
        self.delta = T.parameter("delta", REAL, where=lambda f: f > 0)
        self.sigma = T.parameter("sigma", REAL, where=lambda f: f > 0)
        self.base = T.input("base", INT, REAL, where=lambda f, i: f(i) > 0)
        self.safe = T.input("safe", INT, REAL, where=lambda f, i: f(i) >= self.delta)
        self.loss = T.input("loss", INT, REAL, where=lambda f, i: z3.And(f(i) >= 0, f(i) <= 1))
        self.x = T.input(
            "x", INT, REAL, where=lambda f, i: f(i) == self.mixed(self.base, self.safe, i)
        )
        self.p = T.input("p", INT, REAL, where=lambda f, i: f(i) == self.start(i))
        self.estimate = T.input(
            "estimate", INT, REAL, where=lambda f, i: f(i) * self.x(i) == self.loss(i)
        )
        self.u = T.input("u", INT, REAL, where=lambda f, i: f(i) * self.sigma == self.estimate(i))
        self.z = T.input("z", INT, INT, REAL, where=self.ends)
        self.D = T.sum("D", lambda i, a: psi.div(self.p(i), self.z(a, i)), INT, sort=REAL)
        self.B, self.C, self.P = (
            T.sum(name, lambda i, f=f: f(i), sort=REAL)
            for name, f in (("B", self.base), ("C", self.safe), ("P", self.p))
        )
        self.ratios = T.sum("ratios", lambda i: self.p(i) / self.x(i), sort=REAL)
        self.positive = T.theorem("probabilities", [i], z3.And(self.x(i) > 0, self.p(i) > 0))
        self.moved = self._moved()
        self.second_order = self._second_order()
        self.statement = self._stability()

    def mixed(self, base: Function, safe: Function, i: Term) -> Term:
        return self.alpha * base(i) + (1 - self.alpha) * safe(i)

    def start(self, i: Term) -> Term:
        return self.base(i) if self.from_base else self.x(i)

    def ends(self, z: Function, a: Term, i: Term) -> Term:
        """z(a, i): where arm i ends if arm a is drawn."""
        move = z3.If(i == a, self.u(a), 0)
        return z3.And(z(a, i) > 0, self.psi.moves(z(a, i), self.p(i), move))

    def _moved(self) -> Theorem:
        """D(p, z~) <= curvature(p_a) u_a^2 if arm a is drawn: the other arms stay."""
        T, psi = self.T, self.psi
        quotient = T.theorem("quotient", [p, q], p >= 0, given=z3.And(q > 0, p * q >= 0))
        quotients = [quotient(self.estimate(i), self.x(i)), quotient(self.u(i), self.sigma)]
        moves = T.theorem("moves", [i], self.u(i) >= 0, use=[self.positive(i), *quotients])
        arm = curvature.of_one_arm(T, psi)
        bound = psi.curvature(self.p(a)) * self.u(a) * self.u(a)
        return T.theorem(
            "only the drawn arm moves",
            [n, a],
            self.D(n, a) <= z3.If(z3.And(a >= 1, a <= n), bound, 0),
            induct=n,
            use=[
                self.positive(n),
                moves(a),
                *(arm(self.p(n), self.z(a, n), move) for move in (self.u(a), 0)),
            ],
        )

    def _second_order(self) -> Theorem:
        """sigma D(p, z~) <= l^_a^2 curvature(p_a)/sigma."""
        T, sigma, estimate, curved = self.T, self.sigma, self.estimate(a), self._curved(a)
        scaled = T.theorem(
            "scaled",
            [s, d, k, u, e],
            s * d <= e * e * k / s,
            given=z3.And(s > 0, d <= k * u * u, u * s == e),
        )
        return T.theorem(
            "second order",
            [a],
            sigma * self.D(self.A, a) <= estimate * estimate * curved / sigma,
            given=z3.And(a >= 1, a <= self.A),
            use=[
                self.moved(self.A, a),
                scaled(sigma, self.D(self.A, a), curved, self.u(a), estimate),
            ],
            fuel=1,
        )

    def _curved(self, a: Term) -> Term:
        return self.psi.curvature(self.p(a))

    def _stability(self) -> Theorem:
        """The expectation over the arm that is drawn is at most C2/sigma."""
        T, A, sigma = self.T, self.A, self.sigma
        mean = T.sum("mean", lambda a: self.x(a) * (sigma * self.D(A, a)), sort=REAL)
        laws = z3.And(self.B(A) == 1, self.C(A) == 1)
        part, whole = self._sums()
        drawn = T.theorem(
            "an arm that is drawn",
            [s, d, k, u, e, x, y, p],
            s * (x * (s * d)) <= p / x,
            given=z3.And(
                *(s > 0, x > 0, d <= k * u * u, u * s == e, e * x == y),
                *(y >= 0, y <= 1, k >= 0, k <= p),
            ),
        )
        here = sigma, self.D(A, n), self._curved(n), self.u(n), self.estimate(n)
        expected = T.theorem(
            "the mean is at most the ratios",
            [n],
            sigma * mean(n) <= self.ratios(n),
            given=z3.And(n <= A, laws),
            induct=n,
            use=[
                self.positive(n),
                part(A, n),
                whole(A),
                curvature.at_most_linear(T, self.psi)(self.p(n)),
                self.moved(A, n),
                drawn(*here, self.x(n), self.loss(n), self.p(n)),
            ],
            fuel=1,
        )
        return T.theorem(
            "stability",
            [],
            mean(A) <= self.psi.C2 / self.delta / sigma,
            given=laws,
            use=[expected(A), self._bounded_ratios()(A)],
            fuel=0,
        )

    def _sums(self) -> tuple[Theorem, Theorem]:
        """The probabilities of the start are parts of their sum, and what that is."""
        T, B, C, P = self.T, self.B, self.C, self.P
        sums = T.theorem("sums", [n], P(n) >= 0, induct=n, use=[self.positive(n)])
        part = T.theorem(
            "a probability is part of the sum",
            [n, i],
            self.p(i) <= P(n),
            given=z3.And(i >= 1, i <= n),
            induct=n,
            use=[self.positive(n), sums(n - 1)],
        )
        total = B(n) if self.from_base else self.mixed(B, C, n)
        return part, T.theorem("the sum of the start", [n], P(n) == total, induct=n)

    def _bounded_ratios(self) -> Theorem:
        """delta sum p_i/x_i is at most 1 - alpha + alpha, or 1, for laws."""
        T, alpha, delta = self.T, self.alpha, self.delta
        share = T.theorem(
            "share of an arm",
            [p, c, x],
            delta * (p / x) <= (1 - alpha) * p + alpha * delta,
            given=z3.And(p > 0, c >= delta, x == alpha * p + (1 - alpha) * c),
        )
        limit = (1 - alpha) * self.B(n) + alpha * self.C(n) if self.from_base else self.C(n)
        return T.theorem(
            "the ratios",
            [n],
            delta * self.ratios(n) <= limit,
            induct=n,
            use=[self.positive(n), share(self.base(n), self.safe(n), self.x(n))],
        )


THEORIES = {
    (name, from_base): Steps(f"{name}, {start}", psi, from_base=from_base)
    for name, psi in (("negative-entropy", ENTROPY), ("tsallis", TSALLIS))
    for start, from_base in (("from the base iterate", True), ("from the played law", False))
}


def model(step: MirrorStep) -> Model:
    """The theory about a step."""
    names = THEORIES[step.psi, step.from_base]
    moves = list(zip(step.losses, step.law, strict=True))
    ends = [step.end(arm) for arm in range(len(step.law))]
    per_arm = {
        names.base: step.base,
        names.safe: step.comparator,
        names.loss: step.losses,
        names.x: step.law,
        names.p: step.start,
        names.estimate: [loss / x for loss, x in moves],
        names.u: [loss / (x * step.sigma) for loss, x in moves],
    }
    numbers = {
        names.A: len(step.law),
        names.alpha: step.alpha,
        names.delta: step.delta,
        names.sigma: step.sigma,
        names.z: lambda a, i: ends[a - 1][i - 1],
    }
    values = Model(names.T, {**numbers, **{f: rounds(each) for f, each in per_arm.items()}})
    for function in per_arm:
        values.ask(function, range(1, len(step.law) + 1))
    return values


def stability(step: MirrorStep) -> Iterator[Anchor]:
    yield at(THEORIES[step.psi, step.from_base].statement, model(step))


def second_order(step: MirrorStep) -> Iterator[Anchor]:
    theorem, values = THEORIES[step.psi, step.from_base].second_order, model(step)
    for arm in range(1, len(step.law) + 1):
        yield at(theorem, values, {a: arm})


SCOPE = "all arms, laws, losses, scales and aggressions"


def proof_of_stability(psi: str, *, from_base: bool) -> InductionProof:
    return InductionProof([THEORIES[psi, from_base].statement], stability, SCOPE)


def proof_of_second_order(psi: str, *, from_base: bool) -> InductionProof:
    return InductionProof([THEORIES[psi, from_base].second_order], second_order, SCOPE)
