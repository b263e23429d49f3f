r"""Stages, phases and the delay estimate of Prudent-Banker (lem:delay-estimator), in every reading.

A machine whose step is a round. Before round t is played, the delay sum X of the rounds since b is
compared with the estimate E. If X > E, a new stage begins with round t + 1, whose estimate is
2^ceil(log2 X) or 2 X; else the round is played, and a new phase may begin after it. Which sum X is,
and whether b moves with each phase or with each stage, are fixed; where phases end is arbitrary, so
nothing is assumed of losses and actions. State, when round t is to be played:

    S, E, e    number of stages, estimate, and its exponent if it is a power of two
    a, b       where the phase starts, and where the delay sum does
    p, old     where the phase of round t - 1 started, and the estimate in that round
    hard, soft whether round t - 1 was a hard restart, and whether a soft one followed it

All that is assumed is that delays are >= 0 and 0 < delta <= 1; that every sum is at most the true
delays of its rounds is proved (`missing_count`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import to_fmpq
from pbverify.paper.cases.run import Run
from pbverify.paper.theories.delays import missing_count as phases
from pbverify.paper.theories.delays import powers_of_two as powers
from pbverify.prover.induction.anchors import Anchor, along
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.machine import Invariant, Machine
from pbverify.prover.induction.terms import INT, REAL
from pbverify.prover.induction.theory import Interpretation, Theory

T = Theory("stages")
d = T.input("d", INT, INT, where=lambda d, r: d(r) >= 0)
delta = T.parameter("delta", REAL, where=lambda delta: z3.And(delta > 0, delta <= 1))
DELAYS = Interpretation(T, phases.T, "delays", {phases.d: d})
POWERS = Interpretation(T, powers.T, "powers", {})
D, arrived, elapsed, m = (
    DELAYS[each] for each in (phases.D, phases.arrived, phases.elapsed, phases.m)
)
pow2 = POWERS[powers.pow2]
GROWS, ARRIVED, ELAPSED = map(DELAYS, (phases.GROWS, phases.ARRIVED, phases.ELAPSED))
SCAN, SCAN_ELAPSED = map(DELAYS, (phases.SCAN, phases.SCAN_ELAPSED))
POSITIVE, DOUBLE = map(POWERS, (powers.POSITIVE, powers.DOUBLE))
TWICE, MONOTONE = map(POWERS, (powers.TWICE, powers.MONOTONE))

t, S, E, e, a, b, p, old, L = z3.Ints("t S E e a b p old L")
hard, soft = z3.Bools("hard soft")
kind = z3.Int("kind")
"""Which delay sum: one of `KINDS`."""
is_twice, is_whole, is_tight = z3.Bools("is_twice is_whole is_tight")
"""Whether the update is 2 X, whether b stays during a stage, whether the slack is the tight one."""
KINDS = {"clairvoyant": 0, "arrived": 1, "elapsed": 2}

X = z3.If(
    kind == KINDS["clairvoyant"],
    D(t) - D(b - 1),
    z3.If(kind == KINDS["arrived"], arrived(t - 1, b, t - 1), elapsed(t, b, t)),
)

STAGES = Machine(
    T,
    "stages",
    state=[t, S, E, e, a, b, p, old, hard, soft],
    fixed=[kind, is_twice, is_whole, is_tight, L],
    start=z3.And(
        t == 1, S == 1, E == 1, e == 0, a == 1, b == 1, p == 1, old == 1, z3.Not(z3.Or(hard, soft))
    ),
)
_next = STAGES.after
STAGES.step = z3.And(
    _next(t) == t + 1,
    _next(hard) == (X > E),
    _next(p) == a,
    _next(old) == E,
    z3.Or(z3.Not(_next(hard)), z3.Not(_next(soft))),
    z3.If(
        X > E,
        z3.And(
            _next(S) == S + 1,
            _next(a) == t + 1,
            _next(b) == t + 1,
            z3.If(
                is_twice,
                _next(E) == 2 * X,
                z3.And(_next(E) == pow2(_next(e)), powers.is_log_up(_next(e), X, pow2)),
            ),
        ),
        z3.And(
            _next(S) == S,
            _next(E) == E,
            _next(e) == e,
            _next(a) == z3.If(_next(soft), t + 1, a),
            _next(b) == z3.If(z3.And(_next(soft), z3.Not(is_whole)), t + 1, b),
        ),
    ),
)

ORDER = STAGES.invariant(
    "where phases start",
    z3.And(b >= 1, b <= a, a <= t, p >= 1, p <= t, z3.Or(p < t, t == 1)),
    z3.Or(is_whole, a == b),
    z3.Or(z3.Not(hard), z3.Not(soft)),
)
TRUE_DELAYS = STAGES.invariant(
    "a delay sum is at most the true delays",
    claim=z3.And(D(t) - D(b - 1) >= X, D(b - 1) <= D(t), D(b - 1) >= 0),
    known=[ORDER],
    use=[
        ARRIVED(t - 1, b, t - 1),
        ELAPSED(t, b, t),
        GROWS(1, t - 1),
        GROWS(t - b + 1, b - 1),
        GROWS(b - 1, 0),
    ],
)
LEAST = STAGES.invariant("estimates are at least 1", E >= 1, use=[POSITIVE(_next(e))])
POWER = STAGES.invariant(
    "estimates at least double",
    z3.Or(is_twice, z3.And(e >= 0, pow2(e) == E)),
    z3.Implies(hard, 2 * old <= E),
    claim=z3.Implies(hard, 2 * old <= E),
    use=[TWICE(e, _next(e))],
)
BELOW_TWICE = STAGES.invariant(
    "an estimate is at most twice the delays so far",
    z3.Implies(hard, 2 * D(t - 1) >= E),
    claim=z3.Implies(hard, 2 * D(t - 1) >= E),
    known=[TRUE_DELAYS, LEAST],
    use=[DOUBLE(_next(e) - 1)],
)
DOES_NOT_DECREASE = STAGES.invariant(
    "estimates do not decrease",
    claim=z3.Implies(hard, old <= E),
    known=[LEAST, POWER],
)
BELOW_TWICE_THE_PHASE = STAGES.invariant(
    "an estimate is less than twice the delays of the last phase",
    z3.Implies(z3.And(hard, z3.Not(is_twice), z3.Not(is_whole)), 2 * (D(t - 1) - D(p - 1)) > E),
    claim=z3.Implies(
        z3.And(hard, z3.Not(is_twice), z3.Not(is_whole)), 2 * (D(t - 1) - D(p - 1)) > E
    ),
    known=[ORDER, TRUE_DELAYS, LEAST],
    use=[DOUBLE(_next(e) - 1)],
)

# Each stage that ended had a delay sum above its estimate, over rounds of its own.
COUNT = STAGES.invariant(
    "2^(S - 1) is at most the estimate and the delays before the stage",
    S >= 1,
    pow2(S - 1) <= E,
    z3.Or(S == 1, pow2(S - 1) <= D(b - 1)),
    claim=z3.Implies(D(t - 1) >= 1, pow2(S - 1) <= D(t - 1)),
    known=[ORDER, TRUE_DELAYS, POWER],
    use=[DOUBLE(S - 1), GROWS(t - b, b - 1)],
)
NUMBER = STAGES.invariant(
    "the number of stages",
    claim=z3.Implies(z3.And(D(t - 1) >= 1, powers.is_log_up(L, D(t - 1), pow2)), S <= L + 1),
    known=[COUNT],
    use=[MONOTONE(S - 1, L + 1), DOUBLE(L), POSITIVE(L)],
)
FLOOR = STAGES.invariant(
    "the number of stages, rounded down",
    claim=z3.Implies(z3.And(D(t - 1) >= 1, powers.is_log_down(L, D(t - 1), pow2)), S <= L + 1),
    known=[COUNT],
    use=[MONOTONE(S - 1, L + 1)],
)

# In a phase that no hard restart ends, the test was passed in its last round.
_is_covered = z3.And(z3.Not(hard), z3.Not(is_whole), kind == KINDS["clairvoyant"])
_is_mass_covered = z3.And(z3.Not(hard), z3.Not(is_whole), kind != KINDS["arrived"])
COVERED = STAGES.invariant(
    "the delays of a phase are at most the estimate",
    z3.Implies(_is_covered, D(t - 1) - D(p - 1) <= E),
    claim=z3.Implies(_is_covered, D(t - 1) - D(p - 1) <= E),
    known=[ORDER, LEAST],
)
MASS_COVERED = STAGES.invariant(
    "the elapsed delays of a phase are at most the estimate",
    z3.Implies(_is_mass_covered, elapsed(t - 1, p, t - 1) <= E),
    claim=z3.Implies(_is_mass_covered, elapsed(t - 1, p, t - 1) <= E),
    known=[ORDER, LEAST],
    use=[ELAPSED(t, a, t)],
)


def states(run: Run) -> list[Mapping[Any, Any]]:
    """What the trace records before each round, and after the last one."""
    trace, is_power = run.trace, run.trace.reading.estimate == "power-of-two"
    now: dict[Any, Any] = {t: 1, S: 1, E: 1, e: 0, a: 1, b: 1, p: 1, old: 1}
    found: list[Mapping[Any, Any]] = [{**now, hard: False, soft: False}]
    for r in range(1, trace.rounds + 1):
        row = {name: column[r - 1] for name, column in trace.columns.items()}
        is_hard, is_soft, estimate = row["hard_restart"], row["soft_restart"], row["delay_estimate"]
        starts_anew = is_hard or (is_soft and trace.reading.delay_scope == "phase")
        now = {
            t: r + 1,
            S: int(row["stage"]),
            E: int(estimate),
            e: int(estimate).bit_length() - 1 if is_power else 0,
            a: r + 1 if is_soft else int(row["start"]),
            b: r + 1 if starts_anew else now[b],
            p: now[a],
            old: now[E],
        }
        found.append({**now, hard: bool(is_hard), soft: bool(is_soft)})
    return found


def fixed(run: Run) -> dict[Any, Any]:
    """The options of the reading; the slack is one of the two formulas."""
    reading = run.trace.reading
    return {
        kind: KINDS[reading.delay_sum],
        is_twice: reading.estimate == "twice",
        is_whole: reading.delay_scope == "stage",
        is_tight: reading.slack == "tight",
    }


def read(
    invariant: Invariant, run: Run, *, at: list[int] | None = None, logarithm: int = 0
) -> Anchor:
    """An invariant after some rounds of a run, by default after the last one."""
    values = {d: rounds(run.delays), delta: to_fmpq(run.instance.delta)}
    kept = {**fixed(run), L: logarithm}
    return along(invariant, Model(T, values), states(run), fixed=kept, read=at)


def restarts(run: Run) -> list[int]:
    """The rounds of hard restarts."""
    return [change.round for change in run.stage_changes]


def ends(run: Run, *, but: str) -> list[int]:
    """The last rounds of phases, but of those that end in one way."""
    return [phase.end for phase in run.phases if phase.ended != but]


def estimate(run: Run) -> Iterator[Anchor]:
    yield read(DOES_NOT_DECREASE, run, at=restarts(run))
    yield read(BELOW_TWICE_THE_PHASE, run, at=restarts(run))


def repaired_estimate(run: Run) -> Iterator[Anchor]:
    yield read(POWER, run, at=restarts(run))
    yield read(BELOW_TWICE, run, at=restarts(run))


def number_of_stages(run: Run) -> Iterator[Anchor]:
    yield read(NUMBER, run, logarithm=(sum(run.delays) - 1).bit_length())


def number_of_stages_floor(run: Run) -> Iterator[Anchor]:
    yield read(FLOOR, run, logarithm=sum(run.delays).bit_length() - 1)


def covered(run: Run) -> Iterator[Anchor]:
    yield read(COVERED, run, at=ends(run, but="hard restart"))


def mass_covered(run: Run) -> Iterator[Anchor]:
    yield read(MASS_COVERED, run, at=ends(run, but="hard restart"))


SCOPE = "all T, all delays, all soft restarts"
ESTIMATE = InductionProof([DOES_NOT_DECREASE, BELOW_TWICE_THE_PHASE], estimate, SCOPE)
REPAIRED_ESTIMATE = InductionProof([POWER, BELOW_TWICE], repaired_estimate, SCOPE)
NUMBER_OF_STAGES = InductionProof([NUMBER], number_of_stages, SCOPE)
NUMBER_OF_STAGES_FLOOR = InductionProof([FLOOR], number_of_stages_floor, SCOPE)
DELAY_COVERED = InductionProof([COVERED], covered, SCOPE)
DELAY_COVERED_REPAIRED = InductionProof([MASS_COVERED], mass_covered, SCOPE)
