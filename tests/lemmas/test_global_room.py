r"""How much room the sums of the global theorem leave (no statement of the paper).

Some strengthenings of the sums survive, because they are true: the accounts that certify the
regret, on every path and with T where that is less, stay below a half or 99/100 of the sums.
`lemmas/mutants.toml` refers to this argument by its letters. `ROOM` and the tests below check what
is more than counting.

Of a phase: l feedback items arrive at its last test and m are missing then, Q its cost, n rounds.
By banker-regret/tuned-sum (for the delays min(d_t, end - t), through which alone scales, borrowing
and costs depend on the delays, and whose total is the mass by delayed-mass/identity),
global/least-budget and the constant of global/stage-budget@repaired, with D_k the mass of the
phase, c = sqrt(C1 C2), b(D) = sqrt(D ln(D+1)) and D >= 1,

    Q <= c (3 sqrt n + 7 sqrt 2 b(D_k)),   c^2 = ln(A)/delta >= 2 ln 2,   b(2D) <= 9/5 b(D).

In the repaired reading l + m <= xi^ = (sqrt(8 D^ + 1) + 1)/2 and 1/(1 - alpha) <= 2, so a phase
with alpha < 1 has at most alpha Q + 2 R^ + 3 xi^. There are log2 R^ of them in a stage, their
alphas add up to less than 1, and their squares to less than 1/3.

**(a) No delay, repaired, 1/2.** One stage, n = log2 R^, xi^ = 2, l = 1, m = 0, and the sum of all
1/(1 - alpha) is less than n + 2: at most 2 R^ (n + 1) + 3 n + 2. Half the printed sum is
(n + 1) (2 R^ + 1) + R^/2, which is more if 2 n + 1 <= R^/2, so if R^ >= 32. R^ >= 16 always, and
R^ = 16 needs T <= 3.

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

**(g) The appendix, 1/2.** No accounts certify it, but its steps from the played x_t do no harm
against x^c: D(x^c, x_t) <= alpha D(x^c, x^_t) as D is convex, and E[sigma_t D(x_t, z~_t)] is at
most A/(2 sigma_t) <= C2/(2 sigma_t). Let V = C1 B and U = C2 sum 1/sigma_t, so Q = U + V. The items
of a phase that arrived before its last round, when the gap was at most theta, have an estimated
regret to x of at most that to x^c, alpha V + sum sigma_t D(x_t, z~_t), plus theta; the l + m <= M
others add at most <l^, x_t> <= 1 each. So a phase with alpha < 1 adds at most Q + theta + M to the
expected regret (`test_played_steps`, in small games), and one with alpha = 1 at most Q.

If alpha <= 1/2, let E = alpha E[sum sqrt(D(x^c, x^_t)/2)], by Pinsker no less than what the sum of
<l_t, x_t - x^c> is on average. An item adds at most 1/(1 - alpha) <= 2 to a gap, so the phase adds
at most E + theta + 2 l + m. Let Y_t be what round t spends, sum_u (share of u) D(x^c, z_u), so
sigma_t D(x^c, x^_t) <= Y_t + C1 b_t. All credits together, each with its D(x^c, z_u), lose Y_t in
round t and gain at most alpha (Y_t + C1 b_t) + C2/(2 sigma_t) + alpha sqrt(D(x^c, x^_t)/2) on
average, and are never negative: E[sum Y_t] <= V + U + 2 E. By Cauchy-Schwarz and C2 >= 2,
E <= alpha/2 sqrt(U (2 V + U + 2 E)) <= alpha/2 sqrt(Q^2 + 2 Q E), so E <= 2/3 alpha Q
(`forgetting`).

Let R = R_T + R_b be R^(D) with its two terms, or R^(1) if D = 0. As no regret exceeds T, let
T > 2 K S R; as R >= 3 c sqrt T, then R > 24 K S and R > 12 K S/delta. The at most two phases of a
stage with alpha > 1/2 share T rounds and a mass of D, so their Q add up to at most sqrt 2 R. A
stage with D^ <= max(D, 1) has at most K - 1 phases with alpha < 1 and adds at most 2/3 R + sqrt 2 R
<= 2.09 R to their theta and 2 M, while half the sum has 5/2 R more than (K - 1) 2 R. If the last
estimate is 2^(S-1) > D, there are at most S - 1 stages as in (e); the last one has
R^ <= R_T + 9/5 R_b, K phases, and adds at most 2.62 R (even 2.09 R, as its masses are at most D);
half the sum less the budgets is at least
(5/2 S - 4) R + 2/5 K R. What is left over, `late stage`, at least 2/5 R S or 2/5 R (S + K - 61/10),
covers the rest: the slacks add up to no more than S H/2 if D >= 3 (`test_sums_of_missing`), else to
at most 2/delta too much a phase; and half the sum has M a phase, which is as much as the phases
have on average if S >= 11, while else M <= 4 S, less than R/(6 K); the S - 1 restart rounds are
less than R/(24 K).

If D = 0 and R = R^(0), as global/regret has it, this is open where a power of two lies between
R^(0) and R^(1): then K phases have alpha < 1. 99/100 of the sum is still more than
K (3 R^(1) + 2/delta + 1) + R^(1), as R > 98/100 R^(1) where T exceeds the sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import pytest
import sympy
from flint import arb, fmpq

from pbverify.bandits.instance import Instance
from pbverify.bandits.mirror_maps import regularizer
from pbverify.claims.closed_forms.bound import Bound
from pbverify.numerics import BallArithmetic, Number, to_arb, to_fmpq
from pbverify.paper.algorithm.banker import Banker
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.algorithm.prudent_banker import Round
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import AllPaths, PathPhase
from pbverify.paper.cases.theorem_families import games
from pbverify.paper.formulas.algorithm import SLACK_ELAPSED, D, R
from pbverify.paper.formulas.theorem import K, S
from pbverify.paper.formulas.upper import x
from pbverify.paper.proofs.bounds_in_expectation import (
    alpha_of,
    hard_restarts,
    is_full,
    paid,
    phases,
    regret,
)
from pbverify.paper.proofs.mirror_descent import vertex
from pbverify.paper.proofs.phase_costs import stages_at_most
from pbverify.prover.inequalities import Outcome

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
    Bound(
        "forgetting",
        _n / 2 * sympy.sqrt(1 + 4 * _n / 3),
        2 * _n / 3,
        ("n > 0", "n <= 1/2"),
    ),
    Bound(
        "late stage",
        _q(209, 100) * (S - 2) + _q(262, 100),
        _q(5, 2) * S - 4 + _q(2, 5) * K,
        ("S >= 3", "K >= 5"),
    ),
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


def test_sums_of_missing() -> None:
    """In (g), the slacks and the missing items of all stages are within what half the sum has.

    Summed over the estimates, delta xi^ is at most S/2 (sqrt(16 D + 1) - 1), and 2 M at most S M.

    The estimates are all up to D, or all up to 2^(S-1) > D but one, which is at least 2. Beyond,
    the sums are geometric: at most 14 sqrt D where S >= 9, and 14 sqrt D + 5/4 S where S >= 12.
    """
    for delay in range(3, 2**11 + 1):
        most, room = stages_at_most(delay), slack(delay)
        half = most * (arb(16 * delay + 1).sqrt() - 1) / 2
        early = [j for j in range(most) if 2**j <= delay]
        for powers in (early, [j for j in range(most) if j != 1]):
            assert sum((arb(8 * 2**j + 1).sqrt() - 1 for j in powers), arb(0)) <= half
            missing = 2 * sum((slack(2**j) for j in powers), arb(0))
            assert room <= 4 * most if most < 11 else missing <= most * room


def at_most(game: AllPaths, phase: PathPhase, arm: int) -> Number:
    """What (g) lets a phase add to the regret against an arm, before anything is rounded up."""
    alpha, to = alpha_of(phase), vertex(arm, game.instance.arms)
    known = to if is_full(phase) else game.comparator()
    even, arithmetic = [fmpq(1, game.instance.arms)] * game.instance.arms, BallArithmetic()
    distance = regularizer(game.reading.regularizer).divergence(arithmetic, known, even)
    total = alpha * distance * sum((row.borrowed for _, row in phase.rows), fmpq(0))
    late = {phase.end, *(u for u, _ in game.missing(phase, at=phase.end - 1))}
    for u, row in phase.rows:
        total = total + step_cost(game, u, row)
        estimate = game.loss(u, row.action) / row.played[row.action]
        if u in late:
            total = total + estimate * (row.played[row.action] - to[row.action])
        else:
            total = total + estimate * (known[row.action] - to[row.action])
    return total


def step_cost(game: AllPaths, t: int, row: Round) -> Number:
    """E[sigma_t D(x_t, z~_t)] = sum over arms of x_t(a)^2 sigma_t (s + e^(-s) - 1)."""
    total: Number = fmpq(0)
    for arm, chance in enumerate(row.played):
        s = game.loss(t, arm) / (chance * row.sigma)
        total = total + chance * chance * row.sigma * (s + BallArithmetic().exp(-s) - 1)
    return total


def shortfalls(found: Iterable[AllPaths]) -> Iterator[arb]:
    """What (g) allows less what is paid, against each arm."""
    for game in found:
        for arm in range(2):

            def along(path: Path, game: AllPaths = game, arm: int = arm) -> Number:
                total = paid(game, hard_restarts(path), vertex(arm, 2))
                return sum((at_most(game, phase, arm) for phase in phases(path)), total)

            yield to_arb(game.paths.expectation(along)) - to_arb(regret(game, vertex(arm, 2)))


def gentle_game(rounds: int) -> AllPaths:
    """Small losses of one arm and alpha close to 1, so that steps add up and cost little."""
    half, loss = Fraction(1, 2), Fraction(1, 10)
    instance = Instance.build(
        losses=[[loss, 0]] * rounds, delays=[0] * rounds, comparator=[half, half], seed=0
    )
    options = {"budget": Fraction(33, 32), "slack": Fraction(0)}
    return AllPaths(instance, preset("appendix").with_options(**options))


def test_played_steps() -> None:
    """With steps from the played mixture, exactly and over all action sequences."""
    found = [*games(preset("appendix"), 4), gentle_game(9)]
    assert all(bool(left > 0) for left in shortfalls(found))


def test_reversed_steps_pay_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is about the learner: one that steps the wrong way violates it."""
    learn = Banker.learn
    monkeypatch.setattr(Banker, "learn", lambda self, u, arm, move: learn(self, u, arm, -move))
    assert any(bool(left < 0) for left in shortfalls([gentle_game(9)]))
