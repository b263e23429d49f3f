"""Families of runs: complete where they say so, and reaching what they promise."""

from __future__ import annotations

import collections
from collections.abc import Iterator

import hypothesis
import pytest
from hypothesis import given

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import Profile
from pbverify.claims.routes import Asked
from pbverify.numerics import Truth, less
from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.cases import run_families as families
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.cases.run_families import adversarial, near_equality, same_phases
from pbverify.paper.proofs.bounds_on_every_path import is_certain, is_decisive, least_regret
from pbverify.paper.proofs.phase_sums import estimates, gap, gaps, missing
from pbverify.paper.sorts import RUNS

EACH = pytest.mark.parametrize("name", sorted(PRESETS))


def test_every_short_run_is_there_once() -> None:
    """All delays and actions of at most T rounds appear, and their number is the closed form."""
    family = list(
        families.every_short_run(families.quickened(preset("appendix")), rounds=3, delay=1)
    )
    keys = {(tuple(r.delays), r.instance.actions) for r in family}
    assert len(keys) == len(family) == families.number_of_short_runs(rounds=3, delay=1) == 84


def test_only_kept_runs_are_computed_once() -> None:
    """The plain families follow an engine that changes, such as one with a planted fault."""
    reading = preset("appendix")
    for plain, kept in (
        (families.every_short_run, families.kept_short_runs),
        (families.restarting_runs, families.kept_restarting_runs),
    ):
        options = {"rounds": 2, "delay": 0} if plain is families.every_short_run else {"rounds": 2}
        first, again = (next(iter(plain(reading, **options))) for _ in range(2))
        assert first is not again
        first, again = (next(iter(kept(reading, **options))) for _ in range(2))
        assert first is again


@EACH
def test_restarting_runs_restart(name: str) -> None:
    """Under every preset the family has soft and hard restarts within one run, and alpha = 1."""
    seen: collections.Counter[str] = collections.Counter()
    for run in families.restarting_runs(preset(name)):
        endings = {phase.ended for phase in run.phases}
        seen["both"] += {"soft restart", "hard restart"} <= endings
        seen["full"] += any(alpha == 1 for alpha in run.trace["alpha"])
    assert seen["both"] >= 3
    assert seen["full"] >= 3


def test_first_soft_restart_is_found() -> None:
    """An undelayed lopsided run of 100 rounds restarts softly in round 94; one of 60 does not."""
    assert families.first_soft_restart(preset("appendix"), 100) == 94
    assert families.first_soft_restart(preset("appendix"), 60) is None
    instance = families.lopsided_instance([0] * 100)
    found = families.first_round(instance, preset("appendix"), lambda t, row: row.soft_restart)
    assert found is not None
    assert found[0] == 94
    assert families.first_round(instance, preset("appendix"), lambda t, row: t > 100) is None


def test_the_restarting_horizon_is_the_first() -> None:
    """In steps of 50: the appendix's run restarts at T = 100, the repaired one not before."""
    assert families.restarting_horizon(preset("appendix")) == 100
    T = families.restarting_horizon(preset("repaired"))
    assert families.first_soft_restart(preset("repaired"), T) is not None
    assert families.first_soft_restart(preset("repaired"), T - 50) is None


def test_a_bold_phase_misses_feedback() -> None:
    """The phase has alpha in (9/10, 1) and ends by a hard restart with one item missing."""
    run = families.bold_phase_cut_short(preset("appendix"), 4600)
    assert run is not None
    [bold] = [p for p in run.phases if 0.9 < float(run.alpha(p)) < 1]
    assert bold.ended == "hard restart"
    missing = [u for u in bold.played if run.is_missing(u, at=bold.end - 1)]
    assert len(missing) == 1
    assert families.bold_phase_cut_short(preset("appendix"), 300) is None


@EACH
def test_generated_runs_are_runs_of_the_reading(name: str) -> None:
    """Generated runs keep every option of the reading but the budget and the slack."""

    @hypothesis.settings(max_examples=20)
    @given(families.runs(preset(name)))
    def look(run: Run) -> None:
        plain = run.trace.reading.with_options(budget=preset(name).budget, slack=preset(name).slack)
        assert plain == preset(name)
        assert run.trace.precision is not None

    look()


def lasts_a_round(run: Run) -> Iterator[Pair]:
    yield Pair(1, run.instance.rounds)


def test_both_families_are_judged() -> None:
    """Restarting runs and generated ones, each with a verdict under the name that is given."""
    claim = Claim("lasts", Kind.PATHWISE, "every run lasts a round", (lasts_a_round,), about=RUNS)
    asked = Asked("main", Profile("few", examples=10, exhaustive_size=1))
    [visited], [generated] = (
        list(route.verdicts(claim, asked)) for route in families.restarting_and_generated(share=2)
    )
    assert (visited.cases, visited.scope) == (132, "restarting runs")
    assert 0 < generated.cases <= 5
    assert {verdict.reading for verdict in (visited, generated)} == {"main"}


def exits_while_missing(run: Run) -> int:
    """The most rounds that are missing when a phase ends softly."""
    soft = [phase for phase in run.phases if phase.ended == "soft restart"]
    return max((len(missing(run, phase, at=phase.end)) for phase in soft), default=0)


@EACH
def test_adversarial_runs_have_restarts_and_narrow_margins(name: str) -> None:
    """Soft and hard restarts, hidden rounds, bursts and a margin of 1/10,000 all occur."""
    family = list(adversarial.adversarial_runs(preset(name)))
    endings = {phase.ended for run in family for phase in run.phases}
    assert endings == {"soft restart", "hard restart", "horizon"}
    assert min(run.instance.delta for run in family) * 10_000 == 1
    assert any(adversarial.NEVER in run.delays[1:] for run in family)
    bursts = adversarial.adversarial_delays(12)["bursts"]
    assert {t + d for t, d in enumerate(bursts[:6])} == {5}


@EACH
def test_waiting_runs_exit_while_rounds_are_missing(name: str) -> None:
    """With the reading's own slack a phase ends softly while several rounds are missing."""
    family = list(adversarial.waiting_runs(preset(name)))
    assert all(run.trace.reading.slack == preset(name).slack for run in family)
    assert max(map(exits_while_missing, family)) >= 4


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_a_gap_meets_its_threshold_exactly(name: str) -> None:
    """In exact rationals, one round before the end of a phase that goes on to the horizon."""
    [run] = adversarial.threshold_met(preset(name))
    phase = run.phases[-1]
    met, value = next(gaps(run, phase))
    assert (phase.ended, met) == ("horizon", phase.end - 1)
    assert value == run.stage_of(phase).threshold == 4


@pytest.mark.parametrize(("name", "rounds"), [("appendix", 1), ("repaired", 57)])
def test_delays_raise_the_estimate(name: str, rounds: int) -> None:
    """To a power of two, in the last of them and not before."""
    delays = adversarial.raising_delays(preset(name), 256)
    estimates = families.lopsided(preset(name), delays).trace["delay_estimate"]
    assert len(delays) == rounds
    assert estimates[-1] == 256
    assert all(estimate < 256 for estimate in estimates[:-1])


@pytest.mark.parametrize("name", ["appendix", "main"])
def test_bold_phases_miss_feedback(name: str) -> None:
    """In some run a phase with 9/10 < alpha < 1 misses a round one round before its end."""
    family = adversarial.bold_phases(preset(name), is_long=False)
    bold = [(r, p) for r in family for p in r.phases if 0.9 < float(r.alpha(p)) < 1]
    assert any(missing(run, phase, at=phase.end - 1) for run, phase in bold)


def test_single_runs_end_as_they_say() -> None:
    """A late favourite is missing, a swinging learner exits in time, bold phases exit or miss."""
    late = adversarial.late_favourites(preset("appendix"))
    assert [exits_while_missing(run) for run in late] == [1, 1]
    swinging = adversarial.swinging_run(preset("main"), rounds=2000, swing=40, quiet=1000)
    assert swinging.phases[0].ended == "soft restart"
    run = adversarial.bold_exit(preset("appendix"), rounds=4900)
    bold = [float(run.alpha(p)) for p in run.phases if p.ended == "soft restart"]
    assert 0.5 < max(bold) < 1
    [phase] = (short := adversarial.short_bold_run(preset("main"))).phases
    assert short.alpha(phase) * 21 == 20
    assert missing(short, phase, at=phase.end - 1) == [4]


@EACH
def test_long_runs_change_stages(name: str) -> None:
    """Some of them have many stages; all have the rounds that were asked for."""
    family = list(adversarial.long_runs(preset(name), rounds=5000))
    assert {run.instance.rounds for run in family} == {5000}
    assert max(len(run.stage_changes) for run in family) >= 10


REPAIRED = preset("repaired")


def item(run: Run, u: int) -> float:
    """The largest <l_u, x^c - x> over x."""
    return float(gap(run, estimates(run, [u])))


def exit_of(run: Run) -> PaperPhase:
    [phase] = (phase for phase in run.phases if phase.ended == "soft restart")
    return phase


def test_an_arm_fades_until_its_item_is_nearly_two() -> None:
    """In round 21 with alpha = 1/2, whether its feedback comes at once or late."""
    family = list(near_equality.faded_runs(REPAIRED))
    assert [run.delays[20] for run in family] == [0, 1, 2]
    assert all(run.alpha(run.phases[0]) * 2 == 1 for run in family)
    assert all(1.999 < item(run, 21) < 2 for run in family)


def test_a_late_favourite_has_faded_before_the_exit() -> None:
    """Arm 1, with x^c(1) = 1/150, was played with a probability of nearly delta/2."""
    plain, late = near_equality.faded_exits(REPAIRED)
    assert exit_of(plain).end == plain.instance.rounds
    [u] = missing(late, exit_of(late), at=exit_of(late).end)
    delta = float(late.instance.delta)
    assert late.action(u) == 1
    assert delta / 2 < late.law(u)[1] < delta / 2 * 1.001


def test_a_crowd_has_faded_but_for_its_first() -> None:
    """Its items are 1, and then nearly 2; all are missing in the last round but one."""
    run = near_equality.crowded_phase(REPAIRED)
    phase = run.phases[-1]
    late = missing(run, phase, at=phase.end - 1)
    assert (len(late), phase.ended) == (near_equality.CROWD, "horizon")
    assert item(run, late[0]) == pytest.approx(1)
    assert all(1.999 < item(run, u) <= 2 for u in late[1:])


@pytest.mark.parametrize(("name", "m"), [("appendix", 179), ("repaired", 180)])
def test_a_crowd_is_missing_at_an_exit(name: str, m: int) -> None:
    """One more missing round would exceed the delay estimate."""
    run = near_equality.crowded_exit(preset(name))
    phase = exit_of(run)
    assert phase.end == run.instance.rounds
    assert run.stage_of(phase).estimate == near_equality.ROOM
    assert len(missing(run, phase, at=phase.end)) == m
    more = 3 if name == "appendix" else 1
    assert m * (m + more) // 2 <= near_equality.ROOM < (m + 1) * (m + 1 + more) // 2


def own(run: Run) -> tuple[Truth, Truth]:
    """Whether the least regret to arm 1 exceeds 99% of the threshold, and all of it."""
    [phase] = run.phases
    paid, threshold = least_regret(run, phase, 1), run.stage_of(phase).threshold
    return less(99 * threshold, 100 * paid), less(threshold, paid)


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_late_stages_end_without_delay(name: str) -> None:
    """The last phase has no delay, although its stage's estimate is large."""
    run = families.lopsided(preset(name), same_phases.late_stage(name))
    *_, phase = run.phases
    assert is_certain(run)
    assert run.delay_between(phase.start, phase.end) == 0
    assert run.stage_of(phase).estimate > 100


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_the_brink_is_within_a_hundredth_of_the_threshold(name: str) -> None:
    """The regret is nearly the threshold on every path, and one round more would be too many."""
    run = same_phases.brink_run(name)
    [phase] = run.phases
    assert is_decisive(run)
    assert own(run) == (Truth.YES, Truth.NO)
    reach = (run.instance.rounds + 2) / (1 - run.alpha(phase))
    assert less(run.stage_of(phase).threshold, reach) is Truth.YES


def test_a_flattering_gap_hides_a_regret_above_the_threshold() -> None:
    """Against the learner's own iterates the comparator is forgiven more than the threshold."""
    run = same_phases.flattered_run()
    assert is_decisive(run)
    assert own(run) == (Truth.YES, Truth.YES)


def test_what_is_hidden_is_never_noticed() -> None:
    """No feedback arrives, and nothing restarts."""
    for run in (same_phases.hidden_run(), same_phases.unseen_run()):
        assert is_decisive(run)
        assert not run.trace["hard_restart"].any()
        assert all(run.is_missing(u, at=run.instance.rounds) for u in (1, run.instance.rounds))
