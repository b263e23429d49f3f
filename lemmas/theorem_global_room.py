r"""How much room the sums of the global theorem leave (no statement of the paper).

Written down because mutants of the sums survive: the accounts that certify the regret, on every
path and with T where that is less, stay below a half or 99/100 of the sums. `ROOM` and the tests
below hold what is more than counting.

Of a phase: l feedback items arrive at its last test and m are missing then, Q its cost, n rounds.
By banker-regret/tuned-sum, with D_k the mass of the phase, c = sqrt(C1 C2) and
b(D) = sqrt(D ln(D+1)),

    Q <= c (3 sqrt n + 7 sqrt 2 b(D_k)),   c >= sqrt(2 ln 2),   b(2D)^2 <= 2 ln 3/ln 2 b(D)^2 (D >= 1).

In the repaired reading l + m <= xi^ = (sqrt(8 D^ + 1) + 1)/2 and 1/(1 - alpha) <= 2, so a phase
with alpha < 1 has at most alpha Q + 2 R^ + 3 xi^. There are log2 R^ of them in a stage, their
alphas add up to less than 1, and their squares to less than 1/3.

**(a) No delay, repaired, 1/2.** One stage, n = log2 R^, xi^ = 2, l = 1, m = 0 and the 1/(1 - alpha)
add up to less than n + 2: at most 2 R^ (n + 1) + 3 n + 2. Half the sum is (n + 1) (2 R^ + 1) + R^/2,
which is more if 2 n + 1 <= R^/2, so if R^ >= 32. R^ = 16 needs T <= 3.

**(b) No delay, main text, 99/100.** Q <= 3/10 R^, so a phase adds at most 3/10 R^ + 2 R^ + 2/delta
+ 1. If 2/delta <= 8/5 R^, `main without delay`. Else R^ > 10 sqrt(T ln 2/delta) > 55 T.

**(c) Main text, D >= 1, 99/100.** Stage s ends with a sum above D^_s, all sums add up to at most D,
and the next estimate is twice the sum. So there are at most S stages, D^_s < D but in the last one,
which has R^ <= 9/5 R^(D) and xi^ at most the printed H = (sqrt(16 D + 1) - 1)/delta; in the others
R^ <= R^(D) and xi^ <= 71/100 H (`estimates double`). A phase has Q <= 99/100 R^(D)
(global/budgets), l + m <= M = (sqrt(8 D + 1) + 1)/2, and there are at most K in a stage. One stage
has D^ = 1: at most K (299/100 R + 2/delta + M) + 99/100 R, where H >= 3/delta. With more stages,
`main, budgets` and `main, slack`, per phase; restart rounds are covered by the 2 M of the sum.

**(d) Repaired, D >= 1, 1/2, all estimates <= D.** R^_s <= R, K - 1 phases, S stages: each at most
(K - 1) (2 R + 3 xi^(D)) + 2 R + 1. Half the sum has K (2 R + h) + R/2 with, as delta <= 1/2 and for
x = sqrt(8 D + 1), h >= sqrt(2 x^2 - 1) - 1 + (x + 1)/2 and 3 xi^(D) = 3 (x + 1)/2: `missing`, R/2.

**(e) Repaired, D >= 1, 1/2, the last estimate 2^(S-1) > D.** Not all of 1, 2, ..., 2^(S-1) are
estimates: the sums would add up to 2^(S-1) + S - 2 > D. So at most S - 1 stages, S >= 3, and only
the last one has R^ <= 2 R and K phases. The rounds of all phases add up to T, so that

    sum (alpha Q, or Q at alpha = 1)  <=  sqrt(4 (S - 1)/3) 3 c sqrt T + 2 sum_s 7 sqrt 2 c b(D^_s),

and half the sum less the budgets, 2 R (S - 2) + S R/2, is more (`test_late_estimates`). The rest by
`missing, D >= 3` for S - 2 halves and by `last slack` for the other two.

**(f) The closed form of the repaired chain, 1/2.** Estimates are different powers of two up to
2^(S-1), R^ <= 2 R_j and log2 R^ <= 2 + log2 R =: k for R_j = R^(2^j) before rounding. All stages:
at most k sum_j (4 R_j + 3 xi^_j) + 2 sum_j R_j + S. Half the closed form is (log2 D + 2)
(k (4 R + 3/4 (sqrt(16 D + 1) + 1) + 1) + 4 R + 1/2), and more by `test_sums_over_estimates`.
"""

from __future__ import annotations

import pytest
import sympy
from flint import arb

from pbverify.closed_form import Bound
from pbverify.formulas.algorithm import SLACK_ELAPSED, D, R
from pbverify.formulas.theorem import S
from pbverify.formulas.upper import x
from pbverify.numerics import BallArithmetic, to_arb, to_fmpq
from pbverify.prover import Outcome
from pbverify.skeletons import stages_at_most

pytestmark = pytest.mark.closed_form

_n = sympy.Symbol("n", positive=True)
_log2 = sympy.log(R) / sympy.log(2)
_root, _q = sympy.sqrt(2 * x**2 - 1), sympy.Rational
_h, _slack = _root - 1 + (x + 1) / 2, 3 * (x + 1) / 2
ROOM = (
    Bound("phases without delay", 2 * _log2 + 1, R / 2, ("R >= 32",)),
    Bound(
        "main without delay",
        _q(3, 10) * R * (_n + 1) + _n * (_q(18, 5) * R + 1),
        _q(99, 100) * ((_n + 1) * (4 * R + 2) + R),
        ("n >= 1", "R >= 1"),
    ),
    Bound(
        "estimates double",
        sympy.sqrt(4 * D - 7) - 1,
        _q(71, 100) * (sympy.sqrt(8 * D + 1) - 1),
        ("D >= 4",),
    ),
    Bound(
        "main, budgets",
        (S - 1) * _q(299, 100) + 2 * _q(9, 5) + _q(99, 100),
        _q(396, 100) * S,
        ("S >= 2",),
    ),
    Bound("main, slack", (S - 1) * _q(71, 100) + 1, _q(99, 100) * S, ("S >= 2",)),
    Bound("missing", _slack - _h, _q(22, 25), ("x >= 3",)),
    Bound("R/2", _q(22, 25) * _log2, R / 2, ("R >= 16",)),
    Bound("missing, D >= 3", x + 2, _root, ("x >= 5",)),
    Bound("last slack", 3 * (_root + 1) / 2 + 2 * sympy.log(x) / sympy.log(2), 2 * _h, ("x >= 5",)),
)
MOST = 128
"""Up to this D sums over estimates are added up; beyond, they are geometric."""


@pytest.mark.parametrize("bound", ROOM, ids=lambda bound: bound.name)
def test_room(bound: Bound) -> None:
    """Each step that is more than counting."""
    assert bound.proof().outcome is Outcome.PROVED


def root_of_mass(delay: int) -> arb:
    """b(D)."""
    return (delay * arb(delay + 1).log()).sqrt()


def slack(delay: int) -> arb:
    return to_arb(SLACK_ELAPSED(BallArithmetic(), D=to_fmpq(delay)))


def test_late_estimates() -> None:
    """The costs in (e) stay below half the sum less the budgets.

    In units of R >= 3 c sqrt T + 7 sqrt 2 c b(D). Estimate 1 always occurs; the one that does not
    is at least 2. For S >= 8 all b(D^_s) <= b(D) but the last, at most 9/5 b(D), and
    2 (S - 2) + 18/5 <= 5/2 S - 4.
    """
    for delay in range(3, MOST + 1):
        most = stages_at_most(delay)
        left = arb(5 * most) / 2 - 4
        found = [root_of_mass(2**j) for j in range(most) if j != 1]
        is_late = delay < 2 ** (most - 1)
        assert not is_late or 2 * sum(found, arb(0)) <= left * root_of_mass(delay)
        assert not is_late or (arb(4 * (most - 1)) / 3).sqrt() <= left


def test_sums_over_estimates() -> None:
    """The two sums in (f) are less than what half the closed form has for them.

    Beyond, b(2^j) falls by sqrt 2 or more with j, so that the first is at most
    (9/5 + 2 + sqrt 2) b(D) <= 21/4 b(D), where log2 D + 2 >= 9, and the other is at most
    21 sqrt D + 2 (log2 D + 2).
    """
    unit = 28 * (4 * arb(2).log()).sqrt()  # 4 * 7 sqrt 2 c with the least c
    for delay in range(1, MOST + 1):
        most, count = stages_at_most(delay), arb(delay).log() / arb(2).log() + 2
        room = count * root_of_mass(delay) - sum((root_of_mass(2**j) for j in range(most)), arb(0))
        assert room > 0
        slacks = 3 * sum((slack(2**j) for j in range(most)), arb(0))
        assert slacks <= unit * room + count * (3 * (arb(16 * delay + 1).sqrt() + 1) / 4 + 1)
