r"""The certificate of a whole run, for all delays and all soft restarts, in the repaired reading.

A run of H rounds has the delays delay_t, which add up to D(H), and stages s = 1, ..., S. The rounds
of phase p are start_p + 1, ..., start_p + len_p. Stages and phases are as in `stage_account`. By
definition of the algorithm

    E_1 = 1, and E_{s+1} is the least power of two that is at least x_s,
    x_s     the elapsed delay sum, over E_s, in the round of the hard restart that ends stage s,
    R_s     is the least power of two, 2^rho_s, that is at least the printed budget.

With D = D(H) >= 1 and R the printed budget at D, proved are E_s <= 2 D, R_s <= 4 R, and

    S <= log2 D + 2,   K_s <= log2 R + 2 phases with alpha < 1 in stage s,
    certificates + hard restarts <= (log2 D + 2) ((log2 R + 2) (8 R + 3 xi + 2) + 8 R + 1)

with xi = (sqrt(16 D + 1) + 1)/2.

The certificate has the threshold in the place of a phase's gap, with what arrives in the last round
of a phase that ends softly on top. That the expected regret is below the same bound is proved in
`repaired_regret`, without outlines.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.algorithm.schedule import Stage
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.proofs.phase_costs import Account, ceil_log2
from pbverify.paper.theories.delays import powers_of_two
from pbverify.paper.theories.expectation import stage_account, stage_size
from pbverify.paper.theories.sums import roots
from pbverify.paper.theories.sums.scales import real
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import BOOL, INT, REAL, Term
from pbverify.prover.induction.theory import Interpretation, Theory

n, t, p, j, s = z3.Ints("n t p j s")
x, y, z = roots.x, roots.y, roots.z

T = Theory("account of a run")
C1 = T.parameter("C1", REAL, where=lambda C: C > 0)
C2 = T.parameter("C2", REAL, where=lambda C: C > 0)
H = T.parameter("H", INT, where=lambda H: H >= 0)
S = T.parameter("S", INT, where=lambda S: S >= 1)
POWERS = Interpretation(T, powers_of_two.T, "powers", {})
pow2 = POWERS[powers_of_two.pow2]


SIZES = Interpretation(
    T,
    stage_size.T,
    "sizes",
    {stage_size.C1: C1, stage_size.C2: C2, stage_size.H: H, stage_size.pow2: pow2},
)


def printed(E: Term) -> Term:
    """The printed budget for the estimate E."""
    return z3.substitute(
        SIZES.read(stage_size.printed(stage_size.estimate)), (stage_size.estimate, E)
    )


delay = T.input("delay", INT, INT, where=lambda f, t: f(t) >= 0)
D = T.sum("D", lambda t: delay(t))
start = T.input("start", INT, INT, where=lambda f, p: f(p) >= 0)


def d(r: Term, p: Term) -> Term:
    return delay(start(p) + r)


late = T.sum("late", lambda r, t, p: z3.If(t <= r + d(r, p), 1, 0), INT, INT)
M = T.sum("M", lambda u, p: late(u - 1, u, p), INT)
of = T.input("of", INT, INT)
id_ = T.input("id", INT, INT, INT, where=lambda f, k, s: of(f(k, s)) == s)
phases = T.input("K", INT, INT, where=lambda f, s: f(s) >= 0)
delay_sum = T.input("x", INT, INT)
exponent = T.input("e", INT, INT, where=lambda f, s: f(s) >= 0)
E = T.input(
    "E",
    INT,
    INT,
    where=lambda E, s: z3.And(
        E(s) == pow2(exponent(s)),
        z3.Implies(s == 1, E(s) == 1),
        z3.Implies(
            z3.And(s >= 2, s <= S),
            z3.And(
                E(s - 1) < delay_sum(s - 1),
                delay_sum(s - 1) <= E(s),
                E(s) < 2 * delay_sum(s - 1),
            ),
        ),
    ),
)
length = T.input(
    "len",
    INT,
    INT,
    where=lambda f, p: z3.And(f(p) >= 0, start(p) + f(p) <= H, M(f(p), p) <= E(of(p))),
)
rho = T.input("rho", INT, INT, where=lambda f, s: f(s) >= 0)
R = T.input(
    "R",
    INT,
    REAL,
    where=lambda R, s: z3.And(
        R(s) == real(pow2(rho(s))), R(s) >= printed(E(s)), R(s) < 2 * printed(E(s))
    ),
)
is_soft = T.input(
    "exit",
    INT,
    INT,
    BOOL,
    where=lambda f, k, s: z3.And(
        z3.Implies(z3.And(k >= 1, k < phases(s)), f(k, s)),
        z3.Implies(f(k, s), real(pow2(k - 1)) < R(s)),
    ),
)


def last(s: Term) -> Term:
    """The last phase of a stage."""
    return id_(phases(s), s)


restart = T.input(
    "restart",
    INT,
    INT,
    where=lambda f, s: z3.Implies(
        z3.And(s >= 1, s < S),
        z3.And(
            f(s) == start(last(s)) + length(last(s)) + 1,
            f(s) <= H,
            delay_sum(s) == M(length(last(s)) + 1, last(s)),
        ),
    ),
)
"""The round of the hard restart that ends a stage."""

POSITIVE, MONOTONE = POWERS(powers_of_two.POSITIVE), POWERS(powers_of_two.MONOTONE)
STAGES = Interpretation(
    T,
    stage_account.T,
    "stages",
    {
        stage_account.C1: C1,
        stage_account.C2: C2,
        stage_account.H: H,
        stage_account.E: E,
        stage_account.R: R,
        stage_account.of: of,
        stage_account.id_: id_,
        stage_account.d: d,
        stage_account.late: late,
        stage_account.M: M,
        stage_account.length: length,
        stage_account.phases: phases,
        stage_account.is_soft: is_soft,
        stage_account.pow2: pow2,
    },
    use={
        stage_account.E: lambda s: [POSITIVE(exponent(s))],
        stage_account.R: lambda s: [POSITIVE(rho(s))],
    },
    fuel=1,
)
certificate, below = STAGES[stage_account.certificate], STAGES[stage_account.below]

# The delay sum of a phase is at most the total delay.
cut = T.sum("cut", lambda r, t, p: z3.If(d(r, p) < t - r, d(r, p), t - r), INT, INT)
SHIFT = T.theorem(
    "one round later",
    [n, t, p],
    cut(n, t + 1, p) == cut(n, t, p) + late(n, t + 1, p),
    given=n <= t,
    induct=n,
)
IDENTITY = T.theorem(
    "mass is truncated delay",
    [n, p],
    M(n, p) == cut(n, n, p),
    induct=n,
    use=[SHIFT(n - 1, n - 1, p)],
)
CUT = T.theorem(
    "cut off at t",
    [n, t, p],
    cut(n, t, p) <= D(start(p) + n) - D(start(p)),
    given=n <= t,
    induct=n,
)
ADD_UP = T.theorem("delays add up", [j, n], D(n) <= D(n + j), given=n >= 0, induct=j)
DELAY_SUM = T.theorem(
    "the delay sum at a hard restart",
    [s],
    delay_sum(s) <= D(H),
    given=z3.And(s >= 1, s < S),
    use=[
        IDENTITY(length(last(s)) + 1, last(s)),
        CUT(length(last(s)), length(last(s)) + 1, last(s)),
        ADD_UP(start(last(s)), 0),
        ADD_UP(H - restart(s) + 1, restart(s) - 1),
    ],
    fuel=1,
)

# Estimates, and the number of stages.
IN_RUN = z3.And(s >= 1, s <= S)
DELAYED = D(H) >= 1
ESTIMATE = T.theorem(
    "estimates",
    [s],
    z3.And(E(s) >= 1, E(s) <= 2 * D(H)),
    given=z3.And(IN_RUN, DELAYED),
    use=[DELAY_SUM(s - 1), POSITIVE(exponent(s))],
    fuel=0,
)
RISES = T.theorem(
    "each stage has a larger estimate",
    [s],
    z3.And(E(s) < E(s + 1), pow2(exponent(s)) < pow2(exponent(s + 1))),
    given=z3.And(s >= 1, s < S),
    fuel=0,
)
DOUBLES = T.theorem(
    "each stage doubles the estimate",
    [n],
    exponent(n + 1) >= n,
    given=n < S,
    induct=n,
    use=[RISES(n), MONOTONE(exponent(n), exponent(n + 1))],
    fuel=0,
)


def _at_delay(term: Term) -> Term:
    """A term of `stage_size` at the total delay."""
    return z3.substitute(SIZES.read(term), (stage_size.delay, D(H)))


STAGES_MOST = _at_delay(stage_size.stages_most(stage_size.delay))
NUMBER_OF_STAGES = T.theorem(
    "the number of stages",
    [],
    real(S) <= STAGES_MOST,
    given=DELAYED,
    use=[
        DOUBLES(S - 1),
        ESTIMATE(S),
        SIZES(stage_size.EXPONENT)(exponent(S), real(D(H))),
    ],
    fuel=0,
)

# All stages.
BELOW = T.theorem(
    "phases with alpha < 1",
    [n, s],
    z3.And(below(n, s) >= 0, below(n, s) <= z3.If(n <= rho(s), n, rho(s))),
    induct=n,
    use=[MONOTONE(n - 1, rho(s))],
    fuel=1,
)
STAGE_MOST = _at_delay(stage_size.stage_most(stage_size.delay))
STAGE_REGRET = STAGES(stage_account.STAGE_REGRET)
_unit = stage_size.unit(R(s), E(s))
SIZE, PRODUCT = SIZES(stage_size.SIZE), SIZES(stage_size.PRODUCT)
EMPTY = T.theorem(
    "a stage without phases",
    [s],
    certificate(phases(s), s) == 0,
    given=phases(s) == 0,
    fuel=1,
)
STAGE = T.theorem(
    "a stage and its restart",
    [s],
    z3.And(certificate(phases(s), s) + 1 <= STAGE_MOST, STAGE_MOST >= 0),
    given=z3.And(IN_RUN, DELAYED),
    use=[
        STAGE_REGRET(s, rho(s)),
        EMPTY(s),
        ESTIMATE(s),
        POSITIVE(rho(s)),
        BELOW(phases(s), s),
        SIZES(stage_size.SLACKS)(E(s), D(H)),
        SIZE(E(s), D(H), R(s), rho(s)),
        PRODUCT(real(below(phases(s), s)), _unit, real(rho(s)), _unit),
    ],
    fuel=0,
)
total = T.sum("total", lambda s: certificate(phases(s), s), sort=REAL)
ALL_STAGES = T.theorem(
    "all stages",
    [n],
    total(n) + real(n) <= real(n) * STAGE_MOST,
    given=z3.And(n <= S, DELAYED),
    induct=n,
    use=[STAGE(n)],
    fuel=1,
)
_paid = total(S) + real(S) - 1
CERTIFIED = T.theorem(
    "the certificate of a run",
    [],
    z3.If(_paid < real(H), _paid, real(H)) <= STAGES_MOST * STAGE_MOST,
    given=DELAYED,
    use=[
        ALL_STAGES(S),
        STAGE(z3.IntVal(1)),
        NUMBER_OF_STAGES(),
        PRODUCT(real(S), STAGE_MOST, STAGES_MOST, STAGE_MOST),
    ],
    fuel=0,
)


@dataclasses.dataclass(frozen=True)
class Played:
    """A stage as the engine played it; the last one may have no phase."""

    stage: Stage
    accounts: Sequence[Account]
    restart: int
    """The round of the hard restart that ends it; 0 if none does."""
    delay_sum: int
    """The elapsed delay sum of its last phase in that round; 0 if there is none."""


def played(outline: RunOutline) -> list[Played]:
    """The stages of an outline in order."""
    found: list[Played] = []
    stage, schedule = outline.stage_at(1), outline.schedule
    ends = [*outline.restarts, 0]
    for end in ends:
        after = found[-1].restart if found else 0
        accounts = [a for a in outline.accounts if after < a.start and (a.end < end or not end)]
        delay_sum = 0
        if end:
            delay_sum = int(outline.delays.cumulative_outstanding(accounts[-1].start, end)[-1])
        found.append(Played(accounts[0].stage if accounts else stage, accounts, end, delay_sum))
        estimate = schedule.next_estimate(delay_sum=delay_sum, estimate=found[-1].stage.estimate)
        stage = schedule.stage(estimate, round=end + 1) if end else stage
    return found


def model(outline: RunOutline) -> Model:
    """The theory about a whole outline."""
    stages, phase = played(outline), outline.accounts
    home = [number for number, each in enumerate(stages, start=1) for _ in each.accounts]
    values = Model(
        T,
        {
            C1: outline.schedule.constants[0],
            C2: outline.schedule.constants[1],
            H: outline.rounds,
            S: len(stages),
            delay: rounds(outline.delays.to_json()),
            start: lambda p: phase[p - 1].start - 1,
            of: lambda p: home[p - 1],
            id_: lambda k, s: home.index(s) + k,
            phases: lambda s: len(stages[s - 1].accounts),
            delay_sum: lambda s: stages[s - 1].delay_sum,
            exponent: lambda s: stages[s - 1].stage.estimate.bit_length() - 1,
            E: lambda s: stages[s - 1].stage.estimate,
            length: lambda p: phase[p - 1].end - phase[p - 1].start + 1,
            rho: lambda s: ceil_log2(stages[s - 1].stage.budget),
            R: lambda s: stages[s - 1].stage.budget,
            is_soft: lambda k, s: stages[s - 1].accounts[k - 1].exits,
            restart: lambda s: stages[s - 1].restart,
        },
    )
    for each in (E, R, restart):
        values.ask(each, range(1, len(stages) + 1))
    return values


def regret(outline: RunOutline) -> Iterator[Anchor]:
    values = model(outline)
    for number, each in enumerate(played(outline), start=1):
        if each.accounts:
            yield at(
                STAGE_REGRET, values, {s: number, stage_account.j: ceil_log2(each.stage.budget)}
            )
    if outline.total_delay:
        yield at(CERTIFIED, values)


WHOLE_RUN = InductionProof(
    [STAGE_REGRET, CERTIFIED],
    regret,
    "all horizons, delays and soft restarts",
    made_of=stage_account.USED,
)
