r"""A delayed learner in a batched game, for every learner and all sizes (pblem:delay-to-batch).

A learner is any function of its history. Histories are numbered, in any way: `cons` makes a list of
feedback longer, `follows` adds a round (the action, the list of what arrived) to a history, and
`ask` the delay of the next round, which a clairvoyant learner is told. `law` and `draw` give the
law of the next action and the action, drawn with the uniform of its round. Feedback of round t
arrives at the end of round

    arrival(t) = t + d_t - c,    c = 1: before the action of round t + d_t,    c = 0: after it.

    h(n)        the history after n rounds of the delayed game, with actions a
    heard(n)    the same for the learner inside the batched one, with actions play; of round t it
                has only what is revealed when t's block ends: at the end of round shown(t), which
                is t itself before the first block, and the last round of t's bucket from then on
    differ(n)   in how many of n rounds the actions differ.

The buckets are those of `buckets`; that feedback is shown before it arrives follows from its
theorem AVAILABLE. Definitional are the histories before round t, past(t) = h(t - 1) and inside(t) =
heard(t - 1), and that actions are drawn, in both games with the same uniforms. Losses, laws,
delays, the first block j and the comparator x are arbitrary.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.lower_bound.simulation import Simulation
from pbverify.paper.theories.batches import buckets
from pbverify.paper.theories.batches.histories import Histories
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

i, k, m, n, t = z3.Ints("i k m n t")

T = Theory("simulation")
H = T.parameter("H", INT, where=lambda H: H >= 1)
d = T.input("d", INT, INT, where=lambda d, t: buckets.admissible(H, d, t))
CUT = Interpretation(T, buckets.T, "simulated", {buckets.H: H, buckets.d: d})
b = CUT[buckets.b]
j = T.parameter("j", INT, where=lambda j: j >= 1)
f = T.parameter("f", INT, where=lambda f: z3.And(f == b(j - 1), f >= 1, f <= H))
c = T.parameter("c", INT, where=lambda c: z3.And(c >= 0, c <= 1))
A = T.parameter("A", INT, where=lambda A: A >= 1)

g = T.input("g", INT, INT, REAL)
x = T.input("x", INT, REAL)
a = T.input("a", INT, INT)
play = T.input("play", INT, INT)
cons = T.input("cons", INT, INT, REAL, INT)
follows = T.input("follows", INT, INT, INT, INT)
ask = T.input("ask", INT, INT, INT)
law = T.input("law", INT, INT, REAL)


def loss(t: Term, arm: Term) -> Term:
    """Of the delayed game: 0 before the first block, then g."""
    return z3.If(t < f, z3.RealVal(0), g(t - f + 1, arm))


def arrival(t: Term) -> Term:
    return t + d(t) - c


def wait(t: Term) -> Term:
    """The delay that a clairvoyant learner is told before round t."""
    return arrival(t) - t


bucket = T.define(
    "bucket",
    (INT, INT),
    zero=lambda: 0,
    succ=lambda t, before: z3.If(t < b(before), before, before + 1),
)


def shown(t: Term) -> Term:
    return z3.If(t < f, t, b(bucket(t)) - 1)


items = T.define(
    "items",
    (INT, INT, INT),
    zero=lambda t: 0,
    succ=lambda u, before, t: z3.If(arrival(u) == t, cons(before, u, loss(u, a(u))), before),
)
known = T.define(
    "known",
    (INT, INT, INT),
    zero=lambda t: 0,
    succ=lambda u, before, t: z3.If(
        z3.And(arrival(u) == t, shown(u) <= t), cons(before, u, loss(u, play(u))), before
    ),
)
h = T.define(
    "h",
    (INT, INT),
    zero=lambda: ask(0, wait(z3.IntVal(1))),
    succ=lambda t, before: ask(follows(before, a(t), items(t, t)), wait(t + 1)),
)
heard = T.define(
    "heard",
    (INT, INT),
    zero=lambda: ask(0, wait(z3.IntVal(1))),
    succ=lambda t, before: ask(follows(before, play(t), known(t, t)), wait(t + 1)),
)


def is_round(t: Term) -> Term:
    return z3.And(t >= 1, t <= H)


past = T.input("past", INT, INT, where=lambda past, t: z3.Implies(is_round(t), past(t) == h(t - 1)))
inside = T.input(
    "inside", INT, INT, where=lambda inside, t: z3.Implies(is_round(t), inside(t) == heard(t - 1))
)
draw = T.input(
    "draw",
    *(INT, INT, INT),
    where=lambda draw, code, t: z3.Implies(
        is_round(t),
        z3.And(
            z3.Implies(code == past(t), draw(code, t) == a(t)),
            z3.Implies(code == inside(t), draw(code, t) == play(t)),
        ),
    ),
)
differ = T.sum("differ", lambda t: z3.If(a(t) == play(t), 0, 1))

LATER, AVAILABLE = CUT(buckets.LATER), CUT(buckets.AVAILABLE)
BUCKET = T.theorem(
    "the bucket of a round",
    [t],
    z3.And(
        bucket(t) >= 0,
        t < b(bucket(t)),
        z3.Implies(t >= 1, z3.And(bucket(t) >= 1, b(bucket(t) - 1) <= t)),
    ),
    given=t <= H,
    induct=t,
    use=[LATER(bucket(t)), LATER(bucket(t - 1))],
    fuel=1,
)
SHOWN = T.theorem(
    "feedback is shown before it arrives",
    [t],
    shown(t) <= arrival(t),
    given=is_round(t),
    use=[BUCKET(t), AVAILABLE(bucket(t), t, c)],
    fuel=0,
)
COUNTS = T.theorem("differences are counted", [n], differ(n) >= 0, induct=n, fuel=1)
GROWS = T.theorem(
    "differences stay", [k, n], differ(n + k) >= differ(n), given=n >= 0, induct=k, fuel=1
)
SAME_ACTION = T.theorem(
    "without differences actions agree",
    [t, n],
    play(t) == a(t),
    given=z3.And(t >= 1, t <= n, differ(n) == 0),
    use=[GROWS(n - t, t), COUNTS(t - 1)],
    fuel=1,
)
SAME_ITEMS = T.theorem(
    "without differences the same arrives",
    [k, t, n],
    known(k, t) == items(k, t),
    given=z3.And(k <= n, n <= H, differ(n) == 0),
    induct=k,
    use=[SAME_ACTION(k, n), SHOWN(k)],
    fuel=1,
)
DRAWN = T.theorem(
    "actions are drawn",
    [t],
    z3.And(draw(h(t - 1), t) == a(t), draw(heard(t - 1), t) == play(t)),
    given=is_round(t),
    fuel=1,
)
AGREE = T.theorem(
    "both games agree",
    [n],
    z3.And(differ(n) == 0, heard(n) == h(n)),
    given=n <= H,
    induct=n,
    use=[DRAWN(n), SAME_ITEMS(n, n, n)],
    fuel=1,
)
ACTIONS = T.theorem(
    "same actions",
    [t],
    draw(inside(t), t) == draw(past(t), t),
    given=is_round(t),
    use=[AGREE(t - 1)],
    fuel=0,
)
LAWS = T.theorem(
    "same laws",
    [t, i],
    law(inside(t), i) == law(past(t), i),
    given=is_round(t),
    use=[AGREE(t - 1)],
    fuel=0,
)

# Regrets to a comparator x; slot s of the batched game is round f - 1 + s.
mixed = T.sum("mixed", lambda i, t: x(i - 1) * loss(t, i - 1), INT, sort=REAL)
mixed_slot = T.sum("mixed_slot", lambda i, s: x(i - 1) * g(s, i - 1), INT, sort=REAL)
delayed = T.sum("delayed", lambda t: loss(t, a(t)) - mixed(A, t), sort=REAL)
batched = T.sum("batched", lambda s: g(s, play(f - 1 + s)) - mixed_slot(A, s), sort=REAL)
BEFORE = T.theorem(
    "the comparator loses nothing before the first block",
    [i, t],
    mixed(i, t) == 0,
    given=t < f,
    induct=i,
    fuel=1,
)
SLOT = T.theorem(
    "the comparator's loss in a slot",
    [i, t],
    mixed(i, t) == mixed_slot(i, t - f + 1),
    given=t >= f,
    induct=i,
    fuel=1,
)
NOTHING = T.theorem(
    "no regret before the first block",
    [n],
    delayed(n) == 0,
    given=n < f,
    induct=n,
    use=[BEFORE(A, n)],
    fuel=1,
)
SO_FAR = T.theorem(
    "regrets so far",
    [n],
    batched(n) == delayed(f - 1 + n),
    given=f - 1 + n <= H,
    induct=n,
    use=[NOTHING(f - 1), SLOT(A, f - 1 + n), AGREE(H), SAME_ACTION(f - 1 + n, H)],
    fuel=1,
)
REGRETS = T.theorem(
    "same regrets", [], batched(H + 1 - f) == delayed(H), use=[SO_FAR(H + 1 - f)], fuel=0
)


def anchors(case: Simulation) -> Iterator[Anchor]:
    """Actions and laws of the suffix, then the regrets to all arms; histories as recorded."""
    histories = Histories(case)
    suffix = range(case.first, case.bucketing.horizon + 1)
    values = model(case, histories)
    for round in suffix:
        yield at(ACTIONS, values, {t: round})
    values = model(case, histories)
    for round, arm in itertools.product(suffix, range(case.arms)):
        yield at(LAWS, values, {t: round, i: arm})
    for arm in range(case.arms):
        yield at(REGRETS, model(case, histories, arm=arm))


def model(case: Simulation, histories: Histories, *, arm: int = 0) -> Model:
    """The theory about a case, with an arm as comparator."""
    delayed, batched = histories.delayed, histories.batched
    return Model(
        T,
        {
            **{H: case.bucketing.horizon, d: rounds(case.bucketing.delays)},
            **{j: case.j, f: case.first, A: case.arms, c: buckets.EARLIER[case.convention]},
            **{g: lambda slot, arm: case.losses[slot - 1][arm], x: lambda i: int(i == arm)},
            **{a: rounds(delayed.actions), play: rounds(batched.actions)},
            **{past: rounds(delayed.codes), inside: rounds(batched.codes)},
            **{cons: histories.cons, follows: histories.follows, ask: histories.ask},
            **{law: histories.law, draw: histories.draw},
        },
    )


SAME_GAME = InductionProof(
    [ACTIONS, LAWS, REGRETS], anchors, "all learners, delays, losses and first blocks"
)
