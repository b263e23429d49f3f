r"""The Banker's ledger for all phases, delays and scales (Lemma 4.5 of Huang et al.).

The rounds of the phase are numbered 1, 2, .... By definition of the algorithm, round t goes through
the earlier rounds u in ascending order and takes from each whose feedback has arrived

    w(t, u) = min(v(t - 1, u), s_t - paid(u - 1, t)),       paid(u, t) = w(t, 1) + ... + w(t, u),

where v(t, u) is the credit of round u after round t: s_u at first, less what is taken. The rest is
borrowed, b_t = s_t - paid(t - 1, t). That much is assumed; proved are

    0 <= w(t, u) <= v(t - 1, u) and v(t, u) = s_u - what rounds u + 1, ..., t took from it,
    v(n, 1) + ... + v(n, n) = b_1 + ... + b_n,
    v(t, u) = s_u while feedback is missing; v(t, u) = 0 if it has arrived and round t borrows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import BallArithmetic, Number
from pbverify.paper.algorithm.ledger import Ledger, is_zero
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT, REAL, Function, Term
from pbverify.prover.induction.theory import Interpretation, Theory

n, m, t, u, k = z3.Ints("n m t u k")


@dataclasses.dataclass(frozen=True)
class Books:
    """The sequences of a ledger, in a theory."""

    s: Function
    """Scale of a round."""
    d: Function
    """Delay of a round."""
    w: Function
    """w(t, u): what round t takes from round u."""
    paid: Function
    """paid(m, t): what round t takes from rounds 1, ..., m."""
    v: Function
    """v(t, u): credit of round u after round t."""
    b: Function
    """Borrowing of a round."""

    def is_missing(self, u: Term, t: Term) -> Term:
        """Whether the feedback of round u is missing when round t is played."""
        return u + self.d(u) >= t

    def __iter__(self) -> Iterator[Function]:
        return iter((self.s, self.d, self.w, self.paid, self.v, self.b))


def smaller(a: Term, b: Term) -> Term:
    return z3.If(a < b, a, b)


def books(
    T: Theory,
    scale: Callable[[Function, Term], Term] = lambda s, t: s(t) > 0,
    delay: Callable[[Function, Term], Term] = lambda d, t: d(t) >= 0,
) -> Books:
    """Any ledger that is kept by the rules of the algorithm, and what its scales and delays are."""
    s = T.input("s", INT, REAL, where=scale)
    d = T.input("d", INT, INT, where=delay)
    w = T.input("w", INT, INT, REAL)
    paid = T.sum("paid", lambda u, t: w(t, u), INT, sort=REAL)

    def kept(v: Function, t: Term, u: Term) -> Term:
        offered = z3.If(u + d(u) < t, smaller(v(t - 1, u), s(t) - paid(u - 1, t)), 0)
        takes = z3.And(w(t, u) == offered, v(t, u) == v(t - 1, u) - w(t, u))
        return z3.And(z3.Implies(z3.And(u >= 1, u < t), takes), z3.Implies(u == t, v(t, u) == s(u)))

    v = T.input("v", INT, INT, REAL, where=kept)
    b = T.input(
        "b",
        INT,
        REAL,
        where=lambda b, t: z3.Implies(t >= 1, b(t) == s(t) - paid(t - 1, t)),
    )
    return Books(s, d, w, paid, v, b)


T = Theory("ledger")
L = books(T)
s, d, w, paid, v, b = L

V = T.sum("V", lambda u, t: v(t, u), INT, sort=REAL)
B = T.sum("B", lambda t: b(t), sort=REAL)
owed = T.sum("owed", lambda u, t: z3.If(L.is_missing(u, t), s(u), 0), INT, sort=REAL)
drawn = T.sum("drawn", lambda j, u: w(u + j, u), INT, sort=REAL)

CREDIT = T.theorem("credits", [t, u], v(t, u) >= 0, given=z3.And(u >= 1, u <= t), induct=t)
REST = T.theorem(
    "the loop pays no more than the scale",
    [m, t],
    paid(m, t) <= s(t),
    given=m < t,
    induct=m,
    use=[CREDIT(t, m)],
)
TAKEN = T.theorem(
    "no credit is overdrawn",
    [t, u],
    z3.And(w(t, u) >= 0, w(t, u) <= v(t - 1, u)),
    given=z3.And(u >= 1, u < t),
    use=[CREDIT(t, u), CREDIT(t - 1, u), REST(u - 1, t)],
)
BORROWING = T.theorem("borrowing", [t], b(t) >= 0, given=t >= 1, use=[REST(t - 1, t)])
LOOP = T.theorem(
    "the loop moves what it pays",
    [m, t],
    V(m, t) == V(m, t - 1) - paid(m, t),
    given=m < t,
    induct=m,
)
BALANCE = T.theorem(
    "the credits left are the borrowing", [n], V(n, n) == B(n), induct=n, use=[LOOP(n - 1, n)]
)
UNTOUCHED = T.theorem(
    "credit whose feedback is missing",
    [t, u],
    v(t, u) == s(u),
    given=z3.And(u >= 1, u <= t, L.is_missing(u, t)),
    induct=t,
)
EMPTY = T.theorem(
    "a round that borrows leaves no arrived credit",
    [m, t],
    z3.Implies(paid(m, t) < s(t), V(m, t) == owed(m, t)),
    given=m < t,
    induct=m,
    use=[TAKEN(t, m), UNTOUCHED(t, m)],
)
STATEMENT = T.theorem(
    "borrowing is the own scale and those outstanding",
    [n],
    B(n) == s(n) + owed(n - 1, n),
    given=z3.And(n >= 1, b(n) > 0),
    use=[BALANCE(n), EMPTY(n - 1, n)],
)
SPENT = T.theorem(
    "credit is scale less what was drawn",
    [k, u],
    v(u + k, u) == s(u) - drawn(k, u),
    given=u >= 1,
    induct=k,
)
SPENT_ONCE = T.theorem(
    "no scale is spent twice",
    [k, u],
    s(u) - drawn(k, u) >= 0,
    given=z3.And(u >= 1, k >= 0),
    use=[SPENT(k, u), CREDIT(u + k, u)],
)


def read_in(target: Theory, other: Books) -> Interpretation:
    """This theory about the ledger of another one."""
    return Interpretation(target, T, "ledger", dict(zip(L, other, strict=True)))


def credits_after(run: Run, phase: PaperPhase) -> list[dict[int, Number]]:
    """The engine's ledger after each round of the phase, kept for the recorded scales."""
    ledger, found = Ledger(BallArithmetic()), []
    for t in phase.played:
        ledger.draw(t, run.step(t).scale)
        ledger.deposit(t, run.step(t).scale)
        found.append(dict(ledger.credits))
        for u in phase.played[: t - phase.start + 1]:
            if u + run.delays[u - 1] == t:
                ledger.release(u)
    return found


def recorded(run: Run, phase: PaperPhase, names: Books = L) -> dict[Any, Any]:
    """The ledger of a phase, as the trace and the engine's own ledger have it."""
    before = phase.start - 1
    steps = [run.step(t) for t in phase.played]
    taken = [dict(step.shares) for step in steps]
    kept = credits_after(run, phase)
    return {
        names.s: rounds([step.scale for step in steps], beyond=1),
        names.d: rounds([run.delays[t - 1] for t in phase.played]),
        names.w: lambda t, u: taken[t - 1].get(before + u, 0),
        names.v: lambda t, u: kept[t - 1].get(before + u, 0) if t >= 1 else 0,
        names.b: rounds([step.borrowed for step in steps]),
    }


def asked_everywhere(values: Model, names: Books, last: int) -> Model:
    """The model, asked for all credits of rounds 1..last, so that the rules are checked there."""
    played = range(1, last + 1)
    for column in (names.s, names.d, names.b):
        values.ask(column, played)
    for now in played:
        values.ask(names.v, [now], range(1, now + 1))
    return values


def model(run: Run, phase: PaperPhase) -> Model:
    """The theory about a phase."""
    return asked_everywhere(Model(T, recorded(run, phase)), L, len(phase.played))


def borrowing(run: Run) -> Iterator[Anchor]:
    for phase in run.phases:
        values = model(run, phase)
        for round in phase.played:
            if not is_zero(run.step(round).borrowed):
                yield at(STATEMENT, values, {n: round - phase.start + 1})


def spent_once(run: Run) -> Iterator[Anchor]:
    for phase in run.phases:
        last, values = len(phase.played), model(run, phase)
        for round in range(1, last + 1):
            yield at(SPENT_ONCE, values, {u: round, k: last - round})


SCOPE = "all phases, delays and scales"
LEDGER = InductionProof([STATEMENT], borrowing, SCOPE)
ONCE = InductionProof([SPENT_ONCE], spent_once, SCOPE)
