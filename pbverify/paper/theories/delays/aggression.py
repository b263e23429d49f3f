r"""The aggression of each phase, and how many phases of a stage have alpha < 1 (thm:main).

A machine whose step begins a phase: the next one of the stage, which only a phase with alpha < 1
has, or the first one of another stage, whose budget R > 0 may be any. State in phase k:

    alpha = min(2^(k-1)/R, 1)       as the algorithm sets it when the phase begins
    c                               the phases of the stage so far with alpha < 1

The cap on alpha is a definition; that c <= ceil(log2 R) is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import Number, Truth, less
from pbverify.paper.cases.run import Run
from pbverify.paper.proofs.phase_costs import Accounted, ceil_log2
from pbverify.paper.theories.delays import powers_of_two as powers
from pbverify.prover.induction.anchors import Anchor, along
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.machine import Machine
from pbverify.prover.induction.terms import Term
from pbverify.prover.induction.theory import Interpretation, Theory

T = Theory("phases of stages")
POWERS = Interpretation(T, powers.T, "powers", {})
pow2 = POWERS[powers.pow2]
MONOTONE = POWERS(powers.MONOTONE)

k, c, L = z3.Ints("k c L")
R, alpha = z3.Reals("R alpha")


def power(n: Term) -> Term:
    return z3.ToReal(pow2(n))


def cap(k: Term, R: Term) -> Term:
    """min(2^(k-1)/R, 1)."""
    return z3.If(power(k - 1) / R >= 1, z3.RealVal(1), power(k - 1) / R)


def cautious(alpha: Term) -> Term:
    return z3.If(alpha < 1, 1, 0)


PHASES = Machine(
    T,
    "phases",
    state=[k, R, alpha, c],
    fixed=[L],
    start=z3.And(k == 1, R > 0, alpha == cap(k, R), c == cautious(alpha)),
)
_next = PHASES.after
PHASES.step = z3.And(
    _next(alpha) == cap(_next(k), _next(R)),
    z3.Or(
        z3.And(
            alpha < 1,
            _next(k) == k + 1,
            _next(R) == R,
            _next(c) == c + cautious(_next(alpha)),
        ),
        z3.And(_next(k) == 1, _next(R) > 0, _next(c) == cautious(_next(alpha))),
    ),
)

CAPPED = PHASES.invariant(
    "alpha doubles up to one",
    alpha == cap(k, R),
    claim=alpha == cap(k, R),
)
COUNT = PHASES.invariant(
    "phases below one",
    z3.And(k >= 1, R > 0),
    z3.And(c >= 0, z3.Implies(alpha < 1, c == k), z3.Implies(c >= 1, power(c - 1) < R)),
    known=[CAPPED],
)
NUMBER = PHASES.invariant(
    "the number of phases with alpha < 1",
    claim=z3.Implies(powers.is_log_up(L, R, power), c <= L),
    known=[COUNT],
    use=[MONOTONE(c - 1, L)],
)


def states(phases: Sequence[tuple[int, Number, Number, bool]]) -> list[Mapping[Any, Any]]:
    """From k, R^, alpha and whether alpha < 1 of each phase, in order."""
    found: list[Mapping[Any, Any]] = []
    count = 0
    for number, budget, value, is_cautious in phases:
        count = is_cautious if number == 1 else count + is_cautious
        found.append({k: number, R: budget, alpha: value, c: int(count)})
    return found


def aggression(run: Run) -> Iterator[Anchor]:
    recorded = [
        (phase.number, run.stage_of(phase).budget, value, less(value, 1) is Truth.YES)
        for phase in run.phases
        for value in [run.alpha(phase)]
    ]
    if recorded:
        everywhere = range(len(recorded))
        yield along(CAPPED, Model(T, {}), states(recorded), fixed={L: 0}, read=everywhere)


def number_of_phases(outline: Accounted) -> Iterator[Anchor]:
    for accounts in outline.of_stages():
        budget = accounts[0].stage.budget
        recorded = [(a.number, a.stage.budget, a.alpha, not a.is_full) for a in accounts]
        yield along(NUMBER, Model(T, {}), states(recorded), fixed={L: ceil_log2(budget)})


AGGRESSION = InductionProof([CAPPED], aggression, "all stages, all budgets, all soft restarts")
NUMBER_OF_PHASES = InductionProof([NUMBER], number_of_phases, "all stages, all budgets")
