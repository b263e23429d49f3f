r"""How far the gap exceeds the threshold in the last round of a phase, on every path.

The test of `restart_test` lets a phase go on only while alpha < 1 implies gap <= B. In one round
<g, x^c> grows by at most 1/(1 - alpha) for each item that arrives (`phase_items`), and the least
total of an arm does not fall. So with l items that arrive in the last round, if alpha < 1,

    gap <= B + l/(1 - alpha) 1{soft restart}.

Nothing is assumed beyond the definitions of `restart_test` and `phase_rounds`.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.paper.cases.run import Run
from pbverify.paper.theories.phase.phase_items import SIZE, WEIGHT, caution
from pbverify.paper.theories.phase.phase_rounds import ARRIVED, ZERO, A, T, alpha, at, k, n
from pbverify.paper.theories.phase.restart_test import GAP, B, b, ended, gap, i, news, test, tested
from pbverify.prover.induction.anchors import Anchor

NOT_YET = T.theorem(
    "a round has not arrived before it is played",
    [n, b],
    ARRIVED.g(n + 1, b, n) == ARRIVED.g(n, b, n),
    given=n >= 0,
    fuel=1,
)
SAME = T.theorem(
    "the least total before a round is played",
    [k, n],
    ARRIVED.least(k, n + 1, n) == ARRIVED.least(k, n, n),
    given=n >= 0,
    induct=k,
    use=[NOT_YET(n, k), NOT_YET(n, 1)],
    fuel=1,
)
MORE = T.theorem(
    "totals grow",
    [n, b, at],
    ARRIVED.g(n, b, at) <= ARRIVED.g(n, b, at + 1),
    induct=n,
    use=[SIZE(n)],
)
LEAST = T.theorem(
    "the least total grows",
    [k, n, at],
    ARRIVED.least(k, n, at) <= ARRIVED.least(k, n, at + 1),
    given=n >= 0,
    induct=k,
    use=[MORE(n, k, at), MORE(n, 1, at)],
    fuel=1,
)
NEWS = T.theorem(
    "what arrives in a round",
    [n, at],
    caution * (ARRIVED.c.total(A, n, at + 1) - ARRIVED.c.total(A, n, at))
    <= z3.ToReal(news(n, at + 1)),
    induct=n,
    use=[
        ARRIVED.c.nothing(A, at),
        ARRIVED.c.nothing(A, at + 1),
        ARRIVED.c.grows(A, n - 1, at),
        ARRIVED.c.grows(A, n - 1, at + 1),
        WEIGHT(n),
    ],
    fuel=1,
)
ROUND = T.theorem(
    "the gap grows by what arrives",
    [n],
    caution * (ARRIVED.gap(n + 1, n + 1) - ARRIVED.gap(n, n)) <= z3.ToReal(news(n + 1, n + 1)),
    given=n >= 0,
    use=[
        NEWS(n + 1, n),
        ARRIVED.c.grows(A, n, n),
        SAME(A, n),
        LEAST(A, n + 1, n),
    ],
    fuel=0,
)
_x, _y = z3.Reals("_x _y")
SIDES = T.theorem(
    "both sides times 1 - alpha", [_x, _y], caution * _x <= caution * _y, given=_x <= _y, fuel=0
)
DIVIDED = T.theorem(
    "both sides over 1 - alpha",
    [_x, _y],
    _x <= _y * (1 / caution),
    given=z3.And(alpha < 1, caution * _x <= _y),
    use=[T.fact("x <= (x*z + h)/z", where=["z > 0", "h >= 0"])(_y - caution * _x, _x, caution)],
    fuel=0,
)
_news = z3.ToReal(news(i, i))
LAST = test.invariant(
    "the gap at the end of a phase",
    z3.Implies(alpha < 1, caution * gap - caution * B <= z3.If(ended, _news, ZERO)),
    claim=z3.Implies(alpha < 1, gap <= B + z3.If(ended, _news * (1 / caution), ZERO)),
    known=[GAP],
    use=[ROUND(i), SIDES(gap, B), SIDES(ZERO, B), DIVIDED(gap - B, _news)],
)


def last_gaps(run: Run, *, is_read: bool = True) -> Iterator[Anchor]:
    """The gap at the end of each phase, as the engine records it; or only that it is accepted."""
    for phase in run.phases:
        yield tested(LAST, run, phase, read=[len(phase.played)] if is_read else [])
