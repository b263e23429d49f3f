r"""Regret guarantee for Banker-OMD (lem:banker), with both step sizes.

Over a phase of N rounds whose delays sum to D, against any fixed comparator x,

    tuned          E[sum_t <l_t, x^_t - x>] <= sqrt(C1 C2) (3 sqrt(N) + 7 sqrt(2 D ln(D + 1)))
    untuned        ... <= (C1 + 2 C2) sqrt(N) + (3 C1 + 2 C2) sqrt(D ln(D + 1))
    decomposition  ... <= C1 B + C2 sum_t 1/sigma_t                             (eq:regret_decomp)

The last two are judged on Banker-OMD alone, exactly: over all action sequences of small games, for
every delay sequence of their length; and on games of one good arm, whose path of least regret is
known (`pbverify.banker_games`). Appendix: steps from the played law; main, repaired: from the base.

Kind: expectation. Uses: banker-pathwise, delayed-mass. Readings: all. The tuned bound is judged on
the algorithm with its own budget: on undelayed runs of one good arm that are a single phase on
every path, by the path of least regret; then on three instances with fresh seeds (`confidence`):
one good arm without and with delay, and an alternating one. There the phase that is measured, the
first of at least 100 rounds, was settled after a first choice (the first phase) had proved too
short to decide anything. On every path it is the same stage's first phase, so the choice does not
look ahead: hard restarts depend on the delays alone, and as feedback adds at most 1/(1 - alpha) to
the gap, none ends softly before round (1 - 1/R^) (2 R^ + xi^) >= 2 R^ - 2 > 100 of it. It may end
at random; then the bound's expectation is meant.

Erratum: all three are false for the appendix's algorithm, whose mirror step starts at the played
mixture: while alpha is small the base iterate stays near the comparator, and its regret grows
linearly. They hold on all instances tried when the step starts at the base iterate.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.bandits.loss_patterns import alternating
from pbverify.bandits.mirror_maps import regularizer
from pbverify.claims.claim import Claim, Kind, Pair, Side
from pbverify.claims.judging import sampled, visit
from pbverify.claims.profile import Profile
from pbverify.claims.verdict import Verdict
from pbverify.numerics import BallArithmetic, FloatArithmetic, Number, to_fmpq
from pbverify.numerics.confidence import mean_interval
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.banker_game import BankerGame, banker_games, steep_games
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided_instance
from pbverify.paper.cases.sample import FRESH_SEED, PhaseSums, Sample
from pbverify.paper.formulas.algorithm import BANKER_REGRET, BANKER_REGRET_UNTUNED
from pbverify.paper.proofs.bounds_on_every_path import is_certain, losses
from pbverify.paper.sorts import BANKER_GAMES, RUNS_OR_SAMPLES
from pbverify.paper.without.bounded_losses_and_margin import (
    hidden,
    likely_regret_le_paid,
    unbounded_banker,
)
from pbverify.paper.without.oblivious_adversary import base_regret_le_cost, told_losses
from pbverify.pytest_plugin import Judge

T = 600
FROM_BASE = {"appendix": False, "main": True, "repaired": True}


def bound_of(sample: Sample, phase: PhaseSums) -> float:
    """The lemma's right-hand side for the length and the delay of a phase."""
    arithmetic = FloatArithmetic()
    A, delta = float(sample.instance.arms), float(sample.instance.delta)
    C1, C2 = regularizer(sample.reading.regularizer).constants(arithmetic, A=A, delta=delta)
    length, delay = float(phase.length), float(phase.delay)
    return float(BANKER_REGRET(arithmetic, T=length, D=delay, C1=C1, C2=C2))


def base_regret_le_bound(subject: Run | Sample) -> Iterator[Pair]:
    """On every path of a certain run, or on average less the bound, in a sample."""
    yield from (certain if isinstance(subject, Run) else measured)(subject)  # type: ignore[arg-type]


def certain(run: Run) -> Iterator[Pair]:
    """The path of least regret: arm 0 loses, and is always played (`pbverify.banker_games`)."""
    instance, least = run.instance, sum((run.base(t)[0] for t in run.phases[0].played), fmpq(0))
    balls, A = BallArithmetic(), fmpq(instance.arms)
    psi = regularizer(run.trace.reading.regularizer)
    C1, C2 = psi.constants(balls, A=A, delta=to_fmpq(instance.delta))
    bound = BANKER_REGRET(balls, T=fmpq(instance.rounds), D=fmpq(0), C1=C1, C2=C2)
    yield Pair(least, bound, where={"x": 1}, side=Side.AT_LEAST)


def measured(sample: Sample) -> Iterator[Pair]:
    """Regret less bound, in the first long phase of each run."""
    phases = list(sample.phases(lambda phase: phase.length >= 100))
    bounds = np.array([bound_of(sample, phase) for phase in phases])
    low, high = -float(bounds.max()) - T, float(T)
    for arm in range(sample.instance.arms):
        excess = np.array([phase.base_to_arm[arm] for phase in phases]) - bounds
        yield Pair(mean_interval(excess, low=low, high=high), 0, where={"x": arm})


def is_decided(subject: Run | Sample) -> bool:
    """A sample, or a run of a single phase whose path, always arm 0, is the one of least regret."""
    if isinstance(subject, Sample):
        return True
    steps = range(1, subject.instance.rounds + 1)
    is_steep = all(subject.action(t) == 0 and losses(subject, t) == [1, 0] for t in steps)
    alone = len(subject.phases) == 1 and is_certain(subject)
    return is_steep and alone and not any(subject.delays)


def regrets(game: BankerGame) -> Iterator[tuple[int, Number, Side]]:
    """The expected regret to each arm; of a long game, what it is at least."""
    if game.is_small:
        for arm, regret in enumerate(game.expected_regrets()):
            yield arm, regret, Side.EXACT
    else:
        yield 1, game.least_regret(), Side.AT_LEAST


def regret_le_untuned_bound(game: BankerGame) -> Iterator[Pair]:
    N, D = game.instance.rounds, game.instance.delays.total
    C1, C2 = game.constants
    bound = BANKER_REGRET_UNTUNED(BallArithmetic(), T=fmpq(N), D=fmpq(D), C1=C1, C2=C2)
    for arm, regret, standing in regrets(game):
        yield Pair(regret, bound, where={"x": arm}, side=standing)


def regret_le_paid(game: BankerGame) -> Iterator[Pair]:
    for arm, regret, standing in regrets(game):
        yield Pair(regret, game.paid(), where={"x": arm}, side=standing)


def is_computed(game: BankerGame) -> bool:
    """All paths can be looked at, or the one of least regret is known."""
    return game.is_small or game.is_steep


def on_games(
    id: str, statement: str, then: Callable[[BankerGame], Iterator[Pair]]
) -> Claim[BankerGame]:
    return Claim(
        f"banker-regret/{id}",
        kind=Kind.EXPECTATION,
        statement=statement,
        then=(then,),
        given=(is_computed,),
        must_meet={
            "feedback missing at the end": lambda game: any(
                t + d > game.instance.rounds
                for t, d in enumerate(game.instance.delays.to_json(), start=1)
            ),
            "a fixed mixture with the comparator": lambda game: game.alpha < 1,
        },
        label="lem:banker",
        about=BANKER_GAMES,
    )


UNTUNED = on_games(
    "untuned-regret",
    "E[sum <l_t, x^_t - x>] <= (C1 + 2 C2) sqrt N + (3 C1 + 2 C2) sqrt(D ln(D + 1)), untuned sigma",
    regret_le_untuned_bound,
)
DECOMPOSITION = on_games(
    "decomposition", "E[sum <l_t, x^_t - x>] <= C1 B + C2 sum 1/sigma_t", regret_le_paid
)
STATEMENT = Claim(
    "banker-regret",
    kind=Kind.EXPECTATION,
    statement="E[sum <l_t, x^_t - x>] <= sqrt(C1 C2) (3 sqrt N + 7 sqrt(2 D ln(D + 1)))",
    then=(base_regret_le_bound,),
    given=(is_decided,),
    label="lem:banker",
    about=RUNS_OR_SAMPLES,
)
CLAIMS = (STATEMENT, UNTUNED, DECOMPOSITION)

WHY = "x is fixed; given the past, estimates and immediate costs have the means they had before"
ABLATIONS = (
    *unbounded_banker(UNTUNED, tuned=False),
    *unbounded_banker(DECOMPOSITION, tuned=True),
    hidden(DECOMPOSITION, likely_regret_le_paid),
    told_losses(DECOMPOSITION, needed=False, why=WHY, then=(base_regret_le_cost,)),
)

# Known false: regret grows with the number of rounds, so some negative constant is too low.
TOO_STRONG = STATEMENT.sharpened(base_regret_le_bound, by=400)
TOO_CHEAP = (
    UNTUNED.sharpened(regret_le_untuned_bound, by=7),
    DECOMPOSITION.sharpened(regret_le_paid, by=5),
)


def instances() -> dict[str, Instance]:
    """Chosen on other seeds: undelayed, bursts of delays, and alternating losses."""
    bursts = [3, 2, 1, 0, 0, 0, 0, 0, 0, 0] * (T // 10)
    turning = Instance.build(
        losses=alternating(T, 2, period=40),
        delays=[0] * T,
        comparator=[Fraction(1, 2)] * 2,
        seed=FRESH_SEED,
    )
    return {
        "one good arm": lopsided_instance([0] * T, seed=FRESH_SEED),
        "one good arm, bursts of delays": lopsided_instance(bursts, seed=FRESH_SEED),
        "alternating losses": turning,
    }


def single_phases(reading: str) -> Iterator[Run]:
    """One good arm under the reading's own budget, 10, 20, ..., 80 rounds: too few to restart."""
    for rounds in range(10, 90, 10):
        yield Run.of(lopsided_instance([0] * rounds), preset(reading))


def test_statement(reading: str, judge: Judge) -> None:
    """Every path of short runs; if that refutes nothing, samples of each instance."""
    found = [visit(STATEMENT, single_phases(reading), scope="every path", reading=reading)]
    if found[0].witness is None:
        found = [on_sample(name, instance, reading) for name, instance in instances().items()]
    judge(*found)


def on_sample(name: str, instance: Instance, reading: str) -> Verdict:
    verdict = sampled(STATEMENT, Sample(instance, preset(reading)), reading=reading)
    return dataclasses.replace(verdict, scope=f"{name}, T = {T}, {verdict.scope}")


def test_assumptions(judge: Judge) -> None:
    """Losses leave [0, 1], x^c its margin, or losses answer what is played."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_a_stronger_version_is_refuted(judge: Judge) -> None:
    """A bound lower by 400 is refuted."""
    sample = Sample(instances()["one good arm"], preset("repaired"))
    judge.teeth(sampled(TOO_STRONG, sample, reading="repaired"))


def test_games(reading: str, judge: Judge, profile: Profile) -> None:
    """Every delay sequence up to 2 of four rounds, untuned; both scales for the decomposition."""
    rounds = 3 if profile.name == "quick" else 4
    untuned = list(banker_games(rounds=rounds, tuned=False))
    both = itertools.chain(banker_games(rounds=3, tuned=True), untuned[::5])
    scope = f"all delays <= 2 and all actions, T = {rounds}"
    judge(on_games_of(UNTUNED, untuned, reading, tuned=False, scope=scope))
    judge(on_games_of(DECOMPOSITION, both, reading, tuned=True, scope="both scales"))


def on_games_of(
    claim: Claim[BankerGame],
    small: Iterable[BankerGame],
    reading: str,
    *,
    tuned: bool,
    scope: str,
) -> Verdict:
    """Steps from the played law are tried on long games, those from the base on small ones."""
    if FROM_BASE[reading]:
        return visit(claim, small, scope=scope, reading=reading)
    steep = steep_games(tuned=tuned, from_base=False)
    return visit(claim, steep, scope="one good arm, every path", reading=reading)


@pytest.mark.parametrize("claim", TOO_CHEAP, ids=lambda claim: claim.id)
def test_cheaper_bounds_are_refuted(claim: Claim[BankerGame], judge: Judge) -> None:
    """A bound lower by a constant falls in a game of three rounds, and the witness replays."""
    judge.teeth(visit(claim, banker_games(rounds=3, tuned=False), scope=""), of=claim)
