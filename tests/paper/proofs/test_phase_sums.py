"""What a phase costs and leaves behind: sums, accounts and the mirror-descent inequality."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest
from flint import arb, fmpq

from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.bandits.mirror_maps import regularizer
from pbverify.numerics import BallArithmetic, Number, Truth, equal, leq, to_arb, working_precision
from pbverify.paper.algorithm.readings import Reading, preset
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.cases.run_families import lopsided, quickened, restarting_runs
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.proofs import mirror_descent as descent
from pbverify.paper.proofs import phase_costs as costs
from pbverify.paper.proofs import phase_sums as sums


@pytest.fixture
def run() -> Run:
    """One phase of three rounds; round 2's feedback stays away."""
    instance = Instance.build(
        losses=[[1, 0]] * 3,
        delays=[0, 5, 1],
        comparator=[Fraction(3, 4), Fraction(1, 4)],
        actions=[0, 0, 1],
    )
    return Run.of(instance, Reading(budget=Fraction(4), slack=Fraction(0), delay_sum="arrived"))


@pytest.fixture
def phase(run: Run) -> PaperPhase:
    [phase] = run.phases
    return phase


def test_feedback_is_arrived_or_missing(run: Run, phase: PaperPhase) -> None:
    """Every round is on one of two lists; only round 2 is missing when round 3 is played."""
    assert sums.arrived(run, phase, at=3) == [1]
    assert sums.missing(run, phase, at=3) == [2, 3]
    assert sums.missing(run, phase, at=1) == []
    assert sums.outstanding_mass(run, phase) == 1


def test_a_phase_is_cautious_below_full_aggression(run: Run, phase: PaperPhase) -> None:
    """The phase has alpha = 1/4; with R^ = 1 it has alpha = 1."""
    assert list(sums.cautious(run)) == [phase]
    full = Run.of(run.instance, run.trace.reading.with_options(budget=Fraction(1)))
    assert full.phases
    assert list(sums.cautious(full)) == []


def test_the_gap_is_attained_at_the_best_response(run: Run) -> None:
    """Estimates add up per arm; max_x <g, x^c - x> is <g, x^c> less the least entry."""
    summed = sums.estimates(run, [1, 2, 3])
    assert to_arb(summed[0]).overlaps(to_arb(run.estimate(1) + run.estimate(2)))
    assert summed[1] == 0
    g = [fmpq(4), fmpq(1)]
    assert sums.best_response(g) == 1
    assert sums.gap(run, g) == fmpq(3) + fmpq(1, 4) - 1
    assert sums.inner(g, sums.comparator(run)) == fmpq(13, 4)


def test_gaps_follow_the_engine(run: Run, phase: PaperPhase) -> None:
    """Where feedback arrives the gap is the trace's own statistic."""
    for t, value in sums.gaps(run, phase):
        assert to_arb(value).overlaps(to_arb(run.trace["gap"][t - 1]))
    assert [t for t, _ in sums.gaps(run, phase)] == [1]


def test_sums_against_arms_and_comparator(run: Run, phase: PaperPhase) -> None:
    """<l_1, x_1 - e_1> is the first estimate times x_1(0), and likewise for x^c and x^."""
    assert sums.against(run, [1], 1, base=False) == run.estimate(1) * run.law(1)[0]
    assert sums.against(run, [1], 0, base=True) == run.estimate(1) * (run.base(1)[0] - 1)
    expected = run.estimate(1) * (run.law(1)[0] - fmpq(3, 4))
    assert sums.against_comparator(run, [1], base=False) == expected


def outline(delays: list[int], exits: tuple[int, ...], reading: str = "repaired") -> RunOutline:
    return RunOutline(Delays(delays), exits, 2, Fraction(1, 2), preset(reading))


def test_balance_credits_the_threshold_once_per_exit() -> None:
    """One phase of one round that ends: alpha (Q - theta), with nothing missing; else alpha Q."""
    [first, last] = outline([0, 0], (1,)).accounts
    assert to_arb(costs.balance([last])).overlaps(to_arb(last.alpha) * to_arb(last.cost))
    assert first.exits
    expected = to_arb(first.alpha) * (to_arb(first.cost) - to_arb(first.stage.threshold))
    assert to_arb(costs.balance([first])).overlaps(expected)
    assert to_arb(costs.balance([first])) < 0


def test_logarithms_on_integers() -> None:
    """ceil(log2 D) + 1 stages, one without delay; powers of two from 1 on below the budget."""
    assert [costs.stages_at_most(D) for D in range(6)] == [1, 1, 2, 3, 3, 4]
    assert [costs.ceil_log2(budget) for budget in (1, 2, 3, 4, 1025)] == [0, 1, 2, 2, 11]


def test_no_regret_exceeds_the_horizon() -> None:
    """Accounts of a short run certify T at most; phases of a stage stand together."""
    found = outline([0] * 20, tuple(range(1, 21)), "main")
    assert to_arb(costs.certified(found.accounts, reading=found.reading)) > 20
    assert costs.certified_total(found) == 20
    two = outline([0, 0, 7, 0, 0], (), "appendix")
    assert [[a.start for a in accounts] for accounts in two.of_stages()] == [[1], [4]]
    assert two.stages == 2


def by_hand(account: costs.Account, *, is_against_base: bool) -> arb:
    """alpha Q + theta + m + l/(1 - alpha), or Q + (1 - alpha) (theta + m) + l; Q at alpha = 1."""
    alpha, Q, theta = map(to_arb, (account.alpha, account.cost, account.stage.threshold))
    last = account.last_arrivals if account.exits else 0
    if account.is_full:
        return Q
    if is_against_base:
        return Q + (1 - alpha) * (theta + account.missing) + last
    return alpha * Q + theta + account.missing + last / (1 - alpha)


@pytest.mark.parametrize("name", ["main", "repaired"])
def test_certified_by_hand(name: str) -> None:
    """Phase by phase, with feedback missing at an exit, and alpha = 1 at the end."""
    found = outline([0, 1, 1, 0] + [0] * 26, tuple(range(2, 31)), name)
    assert found.accounts[0].missing
    assert found.accounts[-1].is_full
    for account in found.accounts:
        alone = to_arb(costs.certified([account], reading=found.reading))
        assert alone.overlaps(by_hand(account, is_against_base=name == "main"))
        assert alone.rad() < 1e-9


def test_a_hard_restart_costs_at_most_one() -> None:
    """The whole run is the sum of its phases, and 1 for each restart round, if T is larger."""
    quick = preset("repaired").with_options(budget=Fraction(2), slack=Fraction(0))
    found = RunOutline(Delays([3] + [0] * 59), (), 2, Fraction(1, 2), quick)
    phases = to_arb(costs.certified(found.accounts, reading=quick))
    assert found.stages == 2
    assert (phases + 1).overlaps(to_arb(costs.certified_total(found)))
    assert phases < 59


def sample() -> Run:
    family: Iterable[Run] = restarting_runs(preset("repaired"))
    return next(run for run in family if len(run.phases) >= 4)


def borrowed(run: Run, phase: PaperPhase) -> Number:
    """B: everything that the phase borrowed."""
    return sum((run.step(t).borrowed for t in phase.played), fmpq(0))


def test_unspent_credit_is_what_was_borrowed() -> None:
    """Credits left add up to all borrowing; one that is spent whole leaves an exact zero."""
    run = sample()
    with working_precision(256):
        for phase in run.phases:
            left = sum((to_arb(v) for v in descent.unspent(run, phase).values()), to_arb(0))
            assert left.overlaps(to_arb(borrowed(run, phase)))
    short = lopsided(quickened(preset("repaired")), [0, 0])
    first, second = descent.unspent(short, short.phases[0]).values()
    assert equal(first, 0) is Truth.YES
    assert leq(second, 0) is Truth.NO


def test_the_bound_is_the_printed_one() -> None:
    """B D(y, x_0) + sum sigma_t D(x^_t, z~_t) - sum v_u D(y, z_u), in this order."""
    run, balls, psi = sample(), BallArithmetic(), regularizer("negative-entropy")
    y = descent.vertex(0, 2)
    assert y == [1, 0]
    with working_precision(256):
        for phase in run.phases:
            credit = descent.unspent(run, phase)
            printed = borrowed(run, phase) * psi.divergence(balls, y, [fmpq(1, 2)] * 2)
            last: Number = fmpq(0)
            for t in phase.played:
                free, projected = descent.step_ends(run, t, psi, balls)
                stability = psi.divergence(balls, run.step(t).iterate, free)
                printed += run.step(t).scale * stability
                last += credit[t] * psi.divergence(balls, y, projected)
            assert to_arb(descent.bounds(run, phase)[0]).overlaps(to_arb(printed - last))
            assert to_arb(descent.last_sum(run, phase, 0)).overlaps(to_arb(last))


def test_a_round_without_loss_makes_both_sides_zero() -> None:
    """One round that loses nothing: the step stays at x_0, and 0 <= 0 in exact numbers."""
    run = lopsided(quickened(preset("repaired")), [0], actions=[1])
    phase = run.phases[0]
    assert equal(descent.estimated_regret(run, phase, 0), 0) is Truth.YES
    assert equal(descent.bounds(run, phase)[0], 0) is Truth.YES


def test_steps_follow_the_mirror_map() -> None:
    """The unconstrained end has one smaller coordinate; the projected one is its multiple."""
    run, balls = sample(), BallArithmetic()
    psi = regularizer("negative-entropy")
    with working_precision(256):
        for t in run.phases[0].played:
            free, projected = descent.step_ends(run, t, psi, balls)
            start, arm = run.step(t).iterate, run.action(t)
            expected = to_arb(start[arm]) * (-run.estimate(t) / run.step(t).scale).exp()
            assert to_arb(free[arm]).overlaps(expected)
            assert to_arb(free[1 - arm]).overlaps(to_arb(start[1 - arm]))
            ratio = to_arb(projected[0]) / to_arb(projected[1])
            assert ratio.overlaps(to_arb(free[0]) / to_arb(free[1]))


def test_the_inequality_bites() -> None:
    """The bound holds, and is no more than a constant away on phases with losses."""
    run = sample()
    with working_precision(256):
        for phase in run.phases:
            for arm in range(2):
                lhs, rhs = (
                    descent.estimated_regret(run, phase, arm),
                    descent.bounds(run, phase)[arm],
                )
                assert leq(lhs, rhs + fmpq(1, 10**20)) is Truth.YES
                assert leq(rhs - lhs, 40) is Truth.YES
