r"""How many stages and phases Prudent-EXP3 has, for all horizons, delays and exits.

A machine whose step is a round. State after t rounds:

    s, k    stage and phase of the coming round
    c       the clock of its phase so far: 0 if the phase has no round yet
    W       t + 2 delta (items missing when a round was played, summed over all rounds)

A round finds `e` items missing, `o` of them of its own phase, so o <= e. If c + 1 + 2 delta o is
above N_s = 2^(s-1) N_0, the next stage begins in this round. A phase with k < K_s may exit after a
round. Proved is 2^(s-2) N_0 < W for s >= 2, hence s <= 1 + max(0, ceil(log2(W/N_0))), and k <= K_s.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.cases.prudent_exp3.outline import Exp3Account, Exp3Outline
from pbverify.paper.theories.delays import powers_of_two as powers
from pbverify.prover.induction.anchors import Anchor, along
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.machine import Machine
from pbverify.prover.induction.terms import INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

s, k, o, e, L, a, b = z3.Ints("s k o e L a b")
c, W = z3.Reals("c W")
leaves = z3.Bool("leaves")

T = Theory("stages of Prudent-EXP3")
POWERS = Interpretation(T, powers.T, "powers", {})
pow2 = POWERS[powers.pow2]
delta = T.parameter("delta", REAL, where=lambda delta: delta > 0)
first = T.parameter("N0", REAL, where=lambda first: first >= 1)
K = T.input("K", INT, INT, where=lambda K, s: K(s) >= 1)


def size(s: Term) -> Term:
    """N_s."""
    return z3.ToReal(pow2(s - 1)) * first


def cost(missing: Term) -> Term:
    """What a round adds to a clock."""
    return 1 + 2 * delta * z3.ToReal(missing)


ROUNDS = Machine(
    T,
    "rounds",
    state=[s, k, c, W],
    inputs=[o, e, leaves],
    fixed=[L],
    start=z3.And(s == 1, k == 1, c == 0, W == 0),
)
_next, _is_over = ROUNDS.after, c + cost(o) > size(s)
_stage, _phase = z3.If(_is_over, s + 1, s), z3.If(_is_over, 1, k)
ROUNDS.step = z3.And(
    o >= 0,
    o <= e,
    _next(W) == W + cost(e),
    _next(s) == _stage,
    z3.Implies(leaves, _phase < K(_stage)),
    _next(k) == z3.If(leaves, _phase + 1, _phase),
    _next(c) == z3.If(leaves, 0, z3.If(_is_over, 1, c + cost(o))),
)
COSTS = T.theorem(
    "more items cost more", [o, e], cost(o) <= cost(e), given=z3.And(o >= 0, o <= e), fuel=0
)
CLOCK = ROUNDS.invariant(
    "no clock is ahead of the whole", s >= 1, c >= 0, c <= W, use=[COSTS(o, e), COSTS(0, o)]
)
REACHED = ROUNDS.invariant(
    "the last stage but one was too short",
    z3.Implies(s >= 2, z3.ToReal(pow2(s - 2)) * first < W),
    known=[CLOCK],
    use=[COSTS(o, e), COSTS(0, e)],
)
SCALED = T.theorem(
    "powers, scaled",
    [a, b],
    a < b,
    given=z3.And(a >= 0, b >= 0, z3.ToReal(pow2(a)) * first < z3.ToReal(pow2(b)) * first),
    use=[POWERS(powers.MONOTONE)(a, b)],
    fuel=0,
)
STAGES = ROUNDS.invariant(
    "the number of stages",
    claim=z3.Implies(z3.And(L >= 0, z3.ToReal(pow2(L)) * first >= W), s <= 1 + L),
    known=[CLOCK, REACHED],
    use=[SCALED(s - 2, L)],
    fuel=0,
)
PHASES = ROUNDS.invariant(
    "the number of phases", z3.And(k >= 1, k <= K(s)), claim=k <= K(s), fuel=0
)


def recorded(outline: Exp3Outline) -> tuple[list[Mapping[Any, Any]], list[Mapping[Any, Any]]]:
    """States before each round and after the last one, and what each round finds."""
    late = outline.delays.outstanding(1, outline.rounds).tolist()
    rows = [(a, t) for a in outline.accounts for t in range(a.start, a.end + 1)]
    states: list[Mapping[Any, Any]] = [{s: 1, k: 1, c: 0, W: 0}]
    inputs: list[Mapping[Any, Any]] = []
    whole = 0
    for (account, t), missing in zip(rows, late, strict=True):
        exits = account.exits and t == account.end
        whole = whole + 1 + 2 * outline.delta * missing
        inputs.append({o: _own(rows, t), e: missing, leaves: exits})
        states.append(
            {
                s: account.stage.number,
                k: account.number + exits,
                c: 0 if exits else account.clocks[t - account.start],
                W: whole,
            }
        )
    return states, inputs


def _own(rows: list[tuple[Exp3Account, int]], t: int) -> int:
    """Missing items of the phase that round t finds, which may not be the phase that it plays."""
    if t == 1:
        return 0
    found, before = rows[t - 2]
    has_left = found.exits and before == found.end
    return 0 if has_left else found.missing[before - found.start]


def _run(outline: Exp3Outline, what: Any, read: list[int] | None, log: int) -> Anchor:
    states, inputs = recorded(outline)
    values = {
        delta: outline.delta,
        first: outline.learner.first_clock,
        K: lambda s: outline.stage(s).phases,
    }
    return along(what, Model(T, values), states, inputs, fixed={L: log}, read=read)


def stages(outline: Exp3Outline) -> Iterator[Anchor]:
    yield _run(outline, STAGES, None, outline.most_stages - 1)


def phases(outline: Exp3Outline) -> Iterator[Anchor]:
    """After each phase, where the machine says which phase comes next."""
    yield _run(outline, PHASES, [account.end for account in outline.accounts], 0)


NUMBER_OF_STAGES = InductionProof([STAGES], stages, "all horizons, delays and exits")
NUMBER_OF_PHASES = InductionProof([PHASES], phases, "all horizons, delays and exits")
