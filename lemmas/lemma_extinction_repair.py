r"""What survives of the extinction lemma (lem:extinction), for steps from the base iterate.

The mirror-descent inequality holds on every path for all comparators at once, so the optimiser x*
may be random and the end of the phase a stopping time. With m the number of rounds missing at the
test that ends the phase, and Q = C1 B + C2 sum 1/sigma_t,

    E[1{reach k} sum <l_t, x_t - x^c>]
        <= alpha_k (E[1{reach k} Q] - (2 R^ + xi^) P(soft exit) + E[1{soft exit} m]),

checked exactly, over all action sequences of small instances, by way of the sharper account of
`pbverify.ensemble_certificates`. The last term replaces the paper's 2m/delta by m, because of the
identity `missing-identity`: while feedback of round u is missing, nothing depends on A_u, so given
the exit A_u still has the law x_u, and

    E[1{soft exit} sum_{u missing} <l^_u - l_u, x* - x^c>] = 0.

For rounds that were missing one round earlier, it fails: their feedback may cause the exit. Both
sides of the bound agree where nothing is lost, and nearly so in a long game (`drift`).

Step 3 (i) of the proof, the Banker lemma under the condition that the phase ends softly and with
the random x* (`base-regret`), is no consequence of that lemma. With Q in place of R^_s it survives
in the small games, and still is false. Let two even arms lose 1 and 0, without delay, and let the
slack be such that only the path that plays arm 0 throughout exits, in round T (`cascade`). As R^
falls to 1, x_t goes to x^_t along this path, and sum <l^_t, x^_t - x*> to T. For T = 10 this
exceeds Q = sqrt(2 ln 2) (sqrt(T) + sum 1/sqrt(t)) = 9.64. But x^_t(0) falls like a tower of
exponentials, so that no run gets beyond T = 5, where T/Q = 0.78.

Kind: expectation. Uses: banker-pathwise. Readings: repaired, with constant budgets.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from flint import fmpq

from pbverify.ablation_families import unbounded_games
from pbverify.adaptive_families import told_delays, told_losses
from pbverify.adversaries.parameters import Certified
from pbverify.algorithms.readings import Reading, preset
from pbverify.check import Profile, visit, visit_together
from pbverify.claims import Claim, Kind, Pair, Relation
from pbverify.ensemble_certificates import alpha_of, cost, paid, safety_value
from pbverify.ensembles import Ensemble, PathPhase
from pbverify.global_families import tight_games
from pbverify.instance import Instance
from pbverify.long_games import LongGame, drift
from pbverify.numerics import Number
from pbverify.pytest_plugin import Judge
from pbverify.run_families import lopsided_instance


def base_regret_given_exit(ensemble: Ensemble) -> Iterator[Pair]:
    """E[1{soft exit} sum <l^_t, x^_t - x*>] against E[1{soft exit} Q] in phases 1 and 2."""
    for k in (1, 2):
        if ensemble.expectation(k, lambda phase: fmpq(int(phase.exits))) != 0:
            regret, bound = (
                ensemble.expectation(k, lambda phase, of=of: phase.exits * of(ensemble, phase))  # type: ignore[misc]
                for of in (regret_to_best, cost)
            )
            yield Pair(regret, bound, where={"phase": k})


def regret_to_best(ensemble: Ensemble, phase: PathPhase) -> Number:
    """sum_t <l^_t, x^_t - x*> over the phase, with the estimates also of what is missing."""
    best, total = ensemble.best_response(phase), fmpq(0)
    for t, row in phase.rows:
        estimate = ensemble.loss(t, row.action) / row.played[row.action]
        total = total + estimate * (row.base[row.action] - int(row.action == best))
    return total


def telescoping_bound(ensemble: Ensemble | LongGame) -> Iterator[Pair]:
    """The regret of phase k against a sharp account of it, and that against Q and the threshold."""
    if isinstance(ensemble, LongGame):
        where: dict[str, int | str] = {"phase": 1, "bound": "sharp"}
        yield Pair(ensemble.safety_regret(), ensemble.safety_certificate(), where=where)
        return
    for k in (1, 2):
        if ensemble.expectation(k, lambda phase: fmpq(1)) == 0:
            continue
        regret, sharp, coarse = (
            ensemble.expectation(k, lambda phase, of=of: of(ensemble, phase))  # type: ignore[misc]
            for of in (regret_to_comparator, sharp_account, coarse_account)
        )
        yield Pair(regret, sharp, where={"phase": k, "bound": "sharp"})
        yield Pair(sharp, coarse, where={"phase": k, "bound": "coarse"})


def regret_to_comparator(ensemble: Ensemble, phase: PathPhase) -> Number:
    """sum_t <l_t, x_t - x^c> over the phase."""
    return paid(ensemble, phase.rows, ensemble.comparator())


def sharp_account(ensemble: Ensemble, phase: PathPhase) -> Number:
    """alpha V, with the divergences and immediate costs themselves."""
    return alpha_of(phase) * safety_value(ensemble, phase)


def coarse_account(ensemble: Ensemble, phase: PathPhase) -> Number:
    """alpha (Q - (2 R^ + xi^ - m) 1{soft exit})."""
    missing = len(ensemble.missing(phase, at=phase.end))
    credit = ensemble.stage.threshold - missing if phase.exits else fmpq(0)
    return alpha_of(phase) * (cost(ensemble, phase) - credit)


def missing_items_are_unbiased(ensemble: Ensemble) -> Iterator[Pair]:
    yield from unbiased(ensemble, before=0)


def items_missing_a_round_earlier_are_unbiased(ensemble: Ensemble) -> Iterator[Pair]:
    yield from unbiased(ensemble, before=1)


def unbiased(ensemble: Ensemble, *, before: int) -> Iterator[Pair]:
    """The identity for rounds missing `before` rounds before the end of phase 1."""

    def difference(phase: PathPhase, value: Callable[[int, int, Number], Number]) -> Number:
        if not phase.exits:
            return fmpq(0)
        best, safe = ensemble.best_response(phase), ensemble.comparator()
        total: Number = fmpq(0)
        for u, row in ensemble.missing(phase, at=phase.end - before):
            for arm in range(ensemble.instance.arms):
                weight = int(arm == best) - safe[arm]
                total = total + weight * value(u, arm, row)
        return total

    def estimate(u: int, arm: int, row: Number) -> Number:
        return ensemble.loss(u, arm) / row.played[arm] if row.action == arm else fmpq(0)

    estimated = ensemble.expectation(1, lambda phase: difference(phase, estimate))
    true = ensemble.expectation(
        1, lambda phase: difference(phase, lambda u, arm, row: ensemble.loss(u, arm))
    )
    yield Pair(estimated, true, Relation.EQUAL, where={"phase": 1, "before": before})


def exits_while_missing(ensemble: Ensemble | LongGame) -> bool:
    """On some path; in a long game no phase ends."""
    return isinstance(ensemble, Ensemble) and any(
        phase is not None and phase.exits and ensemble.missing(phase, at=phase.end)
        for phase in (ensemble.phase(path, 1) for path in ensemble.paths.paths)
    )


def reaches_phase_two(ensemble: Ensemble | LongGame) -> bool:
    return isinstance(ensemble, Ensemble) and any(
        ensemble.phase(path, 2) for path in ensemble.paths.paths
    )


def exits(ensemble: Ensemble) -> bool:
    return any(row.soft_restart for path in ensemble.paths.paths for row in path.rows)


IDENTITY = Claim(
    "extinction-phase/missing-identity",
    kind=Kind.EXPECTATION,
    statement="E[1{soft exit} sum_missing <l^_u - l_u, x* - x^c>] = 0",
    given=(exits_while_missing,),
    then=(missing_items_are_unbiased,),
    label="lem:extinction",
    rebuild=Ensemble.rebuild,
)
REPAIRED: Claim[Any] = Claim(
    "extinction-phase@repaired",
    kind=Kind.EXPECTATION,
    statement=(
        "E[1{reach k} sum <l_t, x_t - x^c>] <= "
        "alpha_k (E[1{reach k} Q] - (2 R^ + xi^) P(soft exit) + E[1{soft exit} m])"
    ),
    then=(telescoping_bound,),
    regimes={
        "a soft exit while feedback is missing": exits_while_missing,
        "phase 2 is reached": reaches_phase_two,
    },
    label="lem:extinction",
    rebuild=Certified((LongGame,), Ensemble, readings=("repaired",)),
)
GIVEN_EXIT = Claim(
    "extinction-phase/base-regret",
    kind=Kind.EXPECTATION,
    statement="E[1{soft exit} sum <l^_t, x^_t - x*>] <= E[1{soft exit} Q]",
    given=(exits,),
    then=(base_regret_given_exit,),
    regimes={"a soft exit while feedback is missing": exits_while_missing},
    label="lem:extinction",
    rebuild=Ensemble.rebuild,
)
CLAIMS = (IDENTITY, REPAIRED, GIVEN_EXIT)

# An adversary that answers breaks the identity; the bounds that rest on it have room to spare.
ABLATIONS = (
    told_losses(IDENTITY, needed=True),
    told_delays(IDENTITY, needed=True),
    *unbounded_games(IDENTITY, high=False, low=False, why="both sides are linear in the losses"),
    told_losses(REPAIRED, needed=False),
    told_delays(REPAIRED, needed=False),
    *unbounded_games(REPAIRED, high=True, low=True),
    told_losses(GIVEN_EXIT, needed=False),
    *unbounded_games(GIVEN_EXIT, high=True, low=True),
)

# Known false: the bounds are not that loose, and feedback that arrives in the exit round influences
# the exit.
TOO_LOW = REPAIRED.sharpened(telescoping_bound, by=2)
TOO_CHEAP = GIVEN_EXIT.sharpened(base_regret_given_exit, by=20)
TOO_EARLY = Claim(
    "extinction-phase/missing-identity!stronger",
    kind=Kind.EXPECTATION,
    statement="the identity for rounds missing one round earlier",
    given=(exits_while_missing,),
    then=(items_missing_a_round_earlier_are_unbiased,),
    rebuild=Ensemble.rebuild,
)


def small_games(reading: Reading, rounds: int) -> Iterator[Ensemble]:
    """Tiny horizons, constant budgets, delays that hide rounds at the exit."""
    patterns = [[0] * rounds, [1] * rounds, [0, 2] * rounds, [3, 0, 0] * rounds, [0, 0, 1] * rounds]
    for delays, budget in itertools.product(patterns, (Fraction(1, 1), Fraction(3, 2))):
        for rows in ([[1, 0]] * rounds, [[1, 0], [Fraction(1, 2), 1], [1, 0]] * rounds):
            instance = Instance.build(
                losses=rows[:rounds],
                delays=delays[:rounds],
                comparator=[Fraction(3, 4), Fraction(1, 4)],
                seed=0,
            )
            quick = reading.with_options(
                budget=budget + Fraction(1, 8), slack=Fraction(0), rounding="none"
            )
            yield Ensemble(instance, quick.with_options(estimate="twice"))


def cascade(reading: Reading) -> Ensemble:
    """Only the path that plays the bad arm five times exits; each time it costs almost 1."""
    rare = reading.with_options(budget=1 + Fraction(1, 10**9), slack=Fraction(10**5))
    return Ensemble(lopsided_instance([0] * 5, seed=0), rare.with_options(rounding="none"))


ROUNDS = {"quick": 5, "default": 6, "thorough": 7}


def games(profile: Profile) -> Iterator[Ensemble]:
    yield from small_games(patient(preset("repaired")), ROUNDS[profile.name])
    yield cascade(preset("repaired"))


def patient(reading: Reading) -> Reading:
    """Arrived delays only, so that short runs are not cut by hard restarts."""
    return reading.with_options(slack=Fraction(0), delay_sum="arrived", delay_scope="stage")


def test_repaired_forms(judge: Judge, profile: Profile) -> None:
    """Identity and bounds, exactly, over all action sequences of small games; then tight games."""
    rounds = ROUNDS[profile.name]
    verdicts = visit_together(
        (IDENTITY, GIVEN_EXIT, REPAIRED),
        games(profile),
        scope=f"all action sequences, T = {rounds}, constant budgets, arrived delay sum",
        reading="repaired",
    )
    own = preset("repaired")
    tight = itertools.chain(tight_games(own), [drift(own)])
    for verdict in verdicts[:-1]:
        judge(verdict)
    judge(verdicts[-1], visit(REPAIRED, tight, scope="tight games", reading="repaired"))


def test_a_cascade_costs_one_per_round() -> None:
    """On the path that exits, the base regret is almost T = 5."""
    game = cascade(preset("repaired"))
    [pair] = base_regret_given_exit(game)
    exit = game.expectation(1, lambda phase: fmpq(int(phase.exits)))
    assert abs(float(pair.lhs / exit) - 5) < 1e-3


def test_assumptions(judge: Judge) -> None:
    """The adversary answers what is played, and losses leave [0, 1]."""
    for ablation in ABLATIONS:
        judge.ablation(ablation)


def test_stronger_versions_are_refuted(judge: Judge, profile: Profile) -> None:
    """Each claim strengthened falls, and the witness replays."""
    claims = (TOO_EARLY, TOO_LOW, TOO_CHEAP)
    verdicts = visit_together(claims, games(profile), scope="")
    for verdict, claim in zip(verdicts, claims, strict=True):
        judge.teeth(verdict, of=claim)
