r"""Stages, phases, clocks and accounts of Prudent-EXP3, on every path. Not in the paper.

Stage s has N_s = 2^(s-1) N_0, R_s = sqrt(2 N_s ln A / delta) and K_s phases with alpha = 2^(k-K_s).
Whatever the delays, and wherever phases exit,

    m_t <= sqrt(N_s/delta) and m_{t-1} + 1 <= sqrt(N_s/delta)        (missing items, any round t),
    the last stage is at most S = 1 + max(0, ceil(log2((T + 2 delta D)/N_0))),
    the phase after round t is at most K_s,
    Q = ln A/gamma_s + gamma_s n/(2 delta) <= R_s                    (a phase of last clock n),
    sum over a stage of alpha (Q - 2 R_s 1{exit}) <= Lambda/(s (s+1)), all stages at most Lambda,
    sum over a stage of alpha Q + (1 - alpha) (2 R_s + 3 xi_s) <= (K_s - 1) (2 R_s + 3 xi_s) + R_s,
    all stages at most 32 K_S sqrt(ln A (T/delta + 2 D)) if N_0 <= 2 (T + 2 delta D),

with xi_s = sqrt(N_s/delta), where D adds up the items missing when rounds are played.
"""

import itertools
from fractions import Fraction

from flint import fmpq

from pbverify import Lemma, ProofsOf, chosen, every, for_all_sizes, generated, leq, says
from pbverify.bandits.delays import Delays
from pbverify.numerics import to_fmpq
from pbverify.paper.algorithm.exp3_stages import Exp3Settings
from pbverify.paper.cases.prudent_exp3.outline import Exp3Outline, exp3_outlines
from pbverify.paper.formulas.prudent_exp3 import MOST_MISSING
from pbverify.paper.sorts import EXP3_OUTLINES

clock = ProofsOf("pbverify.paper.theories.prudent_exp3.clock")
stages = ProofsOf("pbverify.paper.theories.prudent_exp3.stages")
account = ProofsOf("pbverify.paper.theories.prudent_exp3.account")
regret = ProofsOf("pbverify.paper.theories.prudent_exp3.regret_account")


def missing_le_root(outline):
    for phase in outline.accounts:
        most = MOST_MISSING.enclosed(N=phase.stage.largest_clock, delta=outline.delta)
        before = 0
        for t, missing in enumerate(phase.missing, start=phase.start):
            yield leq(missing, most, t=t, at="end")
            yield leq(before + 1, most, t=t, at="start")
            before = missing


def stages_le_logarithm(outline):
    yield leq(outline.accounts[-1].stage.number, outline.most_stages)


def phases_le_levels(outline):
    for phase in outline.accounts:
        yield leq(phase.number + phase.exits, phase.stage.phases, end=phase.end)


def cost_le_budget(outline):
    for phase in outline.accounts:
        yield leq(outline.cost(phase), phase.stage.budget, start=phase.start)


def stage_adds_its_share(outline):
    for s, phases in outline.of_stages().items():
        yield leq(added(outline, phases), to_fmpq(outline.learner.safety / (s * (s + 1))), stage=s)


def all_stages_add_the_target(outline):
    yield leq(added(outline, outline.accounts), to_fmpq(outline.learner.safety))


def stage_costs_its_phases(outline):
    for s, phases in outline.of_stages().items():
        costs = sum(map(outline.regret_cost, phases), fmpq(0))
        yield leq(costs, outline.most_regret(phases[0].stage), stage=s)


def all_stages_cost_the_rate(outline):
    """The last line needs N_0 <= 2 (T + 2 delta D)."""
    costs = sum(map(outline.regret_cost, outline.accounts), fmpq(0))
    stages = [phases[0].stage for phases in outline.of_stages().values()]
    total = sum(map(outline.most_regret, stages), fmpq(0))
    yield leq(costs, total, stages="all")
    if outline.has_rate:
        yield leq(total, outline.regret_bound(len(stages)), stages="rate")


def added(outline, phases):
    """sum of alpha (Q - 2 R 1{exit})."""
    return sum(
        (
            to_fmpq(phase.alpha)
            * (outline.cost(phase) - (2 * phase.stage.budget if phase.exits else 0))
            for phase in phases
        ),
        fmpq(0),
    )


def small(profile):
    """All delays and all exits of a few rounds."""
    told = Exp3Settings(first_clock=Fraction(5))
    for rounds in range(1, longest(profile) + 1):
        for delays in itertools.product(range(rounds + 1), repeat=rounds):
            for exits in itertools.product((0, 1), repeat=rounds):
                ends = tuple(t for t, flag in enumerate(exits, start=1) if flag)
                yield Exp3Outline(Delays(delays), ends, 2, Fraction(1, 2), told)


def longest(profile):
    return 3 if profile.name == "quick" else 4


def number(profile):
    """(n + 1)^n delay sequences and 2^n sets of exits of n rounds."""
    return sum((2 * n + 2) ** n for n in range(1, longest(profile) + 1))


def full():
    """One stage, as long as its clock allows: of one round, or one in which nothing arrives."""
    whole = Exp3Settings(safety=Fraction(30), first_clock=Fraction(1))
    yield Exp3Outline(Delays([0]), (), 2, Fraction(1, 2), whole)
    for size in (12, 30):
        told = Exp3Settings(first_clock=Fraction(size * (size + 1), 2))
        yield Exp3Outline(Delays([99] * size), (), 2, Fraction(1, 2), told)


def routes(proof):
    return (
        for_all_sizes(proof, exp3_outlines()),
        every(
            small,
            count=number,
            scope=lambda profile: f"delays <= T and all exits, T <= {longest(profile)}",
        ),
        chosen(full, scope="full stages"),
        generated(exp3_outlines),
    )


def has_exit(outline):
    return any(phase.exits for phase in outline.accounts)


SITUATIONS = {
    "an exit": has_exit,
    "a second stage": lambda outline: outline.accounts[-1].stage.number > 1,
    "two items missing": lambda outline: any(max(a.missing) > 1 for a in outline.accounts),
}

LEMMA = Lemma(
    "prudent-exp3",
    says(
        "m_t <= sqrt(N_s/delta) and m_{t-1} + 1 <= sqrt(N_s/delta)",
        missing_le_root,
        step="missing-count",
        by=routes(clock.COUNTS),
    ),
    says(
        "the last stage is at most 1 + max(0, ceil(log2((T + 2 delta D)/N_0)))",
        stages_le_logarithm,
        step="number-of-stages",
        by=routes(stages.NUMBER_OF_STAGES),
    ),
    says(
        "stage s has at most K_s phases",
        phases_le_levels,
        step="number-of-phases",
        by=routes(stages.NUMBER_OF_PHASES),
    ),
    says(
        "ln A/gamma_s + gamma_s n/(2 delta) <= R_s",
        cost_le_budget,
        step="budget",
        by=routes(account.COSTS),
    ),
    says(
        "sum over stage s of alpha (Q - 2 R_s 1{exit}) <= Lambda/(s (s + 1)), in total <= Lambda",
        stage_adds_its_share,
        all_stages_add_the_target,
        step="stage-account",
        by=routes(account.STAGES),
    ),
    says(
        "sum over phases of alpha Q + (1 - alpha) (2 R + 3 xi) <= sum over stages of (K_s - 1) "
        "(2 R_s + 3 xi_s) + R_s <= 32 K_S sqrt(ln A (T/delta + 2 D)), the last if "
        "N_0 <= 2 (T + 2 delta D)",
        stage_costs_its_phases,
        all_stages_cost_the_rate,
        step="regret-account",
        by=routes(regret.ACCOUNTS),
    ),
    about=EXP3_OUTLINES,
    must_meet=SITUATIONS,
)
