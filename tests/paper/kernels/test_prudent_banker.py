"""Three engines, one algorithm: reference in doubles, reference in balls, compiled kernel.

Agreement is the design's: the ball at p bits contains the midpoint at 2p bits (exact rationals are
equal), and every float column is within 1e-9, relative to max(1, |value|). Actions are drawn by one
run and given to the others.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from flint import arb, fmpq

from pbverify.bandits.instance import Instance
from pbverify.errors import ImprobableActionError, InputError
from pbverify.numerics import BallArithmetic
from pbverify.paper.algorithm.engine import run, run_rigorously
from pbverify.paper.algorithm.readings import PRESETS, Reading, overrides
from pbverify.paper.algorithm.trace import COLUMNS, FLAGS, INTEGERS, REALS, Trace
from pbverify.paper.kernels import run_compiled, seeded_runs

BUDGET, SLACK, HALVES = Fraction(5, 2), Fraction(1), [Fraction(1, 2)] * 2
READINGS = {
    name: list(overrides(preset, depth=2, budget=BUDGET, slack=SLACK))
    for name, preset in PRESETS.items()
}


def cases(preset: str) -> Iterator[tuple[Reading, Instance]]:
    """Every reading, as it is and with a small constant budget, where phases end within rounds."""
    for seed, reading in enumerate(READINGS[preset]):
        rng = np.random.default_rng(seed)
        yield reading, random_instance(rng, T=30, A=3)
        yield reading, lopsided(rng, T=90)
        yield reading.with_options(budget=BUDGET, slack=SLACK), lopsided(rng, T=80)


def random_instance(rng: np.random.Generator, *, T: int, A: int) -> Instance:
    weights = [int(w) for w in rng.integers(1, 5, A)]
    return Instance.build(
        losses=np.round(rng.random((T, A)), 3),
        delays=np.where(rng.random(T) < 0.3, rng.integers(0, 6, T), 0),
        comparator=[Fraction(w, sum(weights)) for w in weights],
        seed=int(rng.integers(10**6)),
    )


def one_good_arm(
    delays: Any, *, seed: int = 3, actions: Any = None, comparator: Any = HALVES
) -> Instance:
    T = len(delays)
    return Instance.build(
        losses=[[1, 0]] * T, delays=delays, comparator=comparator, actions=actions, seed=seed
    )


def lopsided(rng: np.random.Generator, *, T: int) -> Instance:
    """One good arm, a uniform comparator, and few delays: phases end by soft restarts."""
    late = (rng.random(T) < 0.02) * rng.integers(1, 6, T)
    return one_good_arm(late, seed=int(rng.integers(10**6)))


def doubles(values: Sequence[Any] | npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    to_float, flat = BallArithmetic().to_float, np.asarray(values, dtype=object).ravel()
    return np.array(
        [np.nan if v is None else v if isinstance(v, float) else to_float(v) for v in flat]
    )


def assert_close(left: Any, right: Any) -> None:
    a, b = doubles(left), doubles(right)
    np.testing.assert_array_equal(np.isnan(a), np.isnan(b))
    gap = np.abs(a - b) / np.maximum(1, np.abs(a))
    assert np.nanmax(gap, initial=0) <= 1e-9


def assert_agree(one: Trace, other: Trace) -> None:
    for name in (*INTEGERS, *FLAGS):
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)
    for name in REALS:
        assert_close(one[name], other[name])
    for name in ("base", "played"):
        assert_close(getattr(one, name), getattr(other, name))


def assert_contains(coarse: Trace, fine: Trace) -> None:
    """Every enclosure of the coarse run contains the midpoint of the fine one."""
    columns = [(coarse[name], fine[name]) for name in REALS]
    columns += [(entries(coarse.base), entries(fine.base))]
    columns += [(entries(coarse.played), entries(fine.played))]
    for wide, narrow in columns:
        for ball, finer in zip(wide, narrow, strict=True):
            if isinstance(ball, arb):
                assert ball.contains(finer.mid() if isinstance(finer, arb) else finer)
            else:
                assert ball == finer


def entries(rows: Any) -> npt.NDArray[Any]:
    flat = [entry for row in rows for entry in row]
    column = np.empty(len(flat), dtype=object)
    column[:] = flat
    return column


def settings_reached(trace: Trace) -> Iterator[str]:
    alpha = doubles(trace["alpha"])
    yield from {phase.ended for phase in trace.phases}
    if (alpha == 1).any():
        yield "alpha = 1"
    if ((alpha > 0.5) & (alpha < 1)).any():
        yield "alpha in (1/2, 1)"
    hard = trace["hard_restart"]
    if (hard[1:] & hard[:-1]).any():
        yield "two hard restarts in a row"


@pytest.mark.parametrize("preset", sorted(READINGS))
def test_engines_agree_in_all_readings(preset: str) -> None:
    """Presets, single overrides and pairs: all columns of all engines, restarts included."""
    reached: collections.Counter[str] = collections.Counter()
    for reading, instance in cases(preset):
        drawn = run(instance, reading)
        fixed = instance.with_actions(drawn["action"])
        rigorous = run_rigorously(fixed, reading)
        assert rigorous.precision is not None
        assert_agree(drawn, run_compiled(fixed, reading))
        assert_agree(drawn, rigorous)
        assert_contains(rigorous, run_rigorously(fixed, reading, precision=2 * rigorous.precision))
        reached.update(settings_reached(drawn))
    assert len(READINGS[preset]) >= 85
    for setting in ("soft restart", "hard restart", "horizon", "alpha = 1"):
        assert reached[setting] >= 50, (setting, reached)
    # With arrived delays a stage cannot end in its first round.
    assert reached["two hard restarts in a row"] >= (1 if preset == "appendix" else 0)
    # A budget rounded to a power of two never has alpha in (1/2, 1).
    assert reached["alpha in (1/2, 1)"] >= (5 if preset == "repaired" else 50), reached


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_engines_agree_over_long_runs(preset: str) -> None:
    """The paper's own budgets reach soft restarts; thousands of rounds stay within 1e-9."""
    delays = np.random.default_rng(11).integers(0, 4, 4000)
    instance, reading = one_good_arm(np.where(np.arange(4000) < 10, delays, 0)), PRESETS[preset]
    drawn = run(instance, reading)
    fixed = instance.with_actions(drawn["action"])
    assert_agree(drawn, run_compiled(fixed, reading))
    assert_agree(drawn, run_rigorously(fixed, reading))
    assert {"soft restart", "hard restart"} <= {phase.ended for phase in drawn.phases}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_kernel_draws_the_reference_actions(preset: str) -> None:
    """From one seed the kernel and the reference draw the same short action sequence."""
    instance, reading = random_instance(np.random.default_rng(2), T=200, A=4), PRESETS[preset]
    compiled = run_compiled(instance, reading)["action"]
    np.testing.assert_array_equal(compiled, run(instance, reading)["action"])


def test_exact_engine_stays_rational_until_feedback() -> None:
    """While the base iterate is x_0, the laws of a constant-budget run are exact rationals."""
    instance = one_good_arm([9] * 4, comparator=[Fraction(1, 3), Fraction(2, 3)])
    reading = Reading(budget=Fraction(4), slack=Fraction(0), delay_sum="arrived")
    trace = run_rigorously(instance, reading)
    assert trace.played is not None
    assert [list(law) for law in trace.played] == [[fmpq(3, 8), fmpq(5, 8)]] * 4


def test_scalars_only_are_the_same_scalars() -> None:
    """Leaving out the iterates changes no other column."""
    some = one_good_arm([0, 2, 1, 0, 0] * 20)
    full = run_compiled(some, PRESETS["repaired"])
    bare = run_compiled(some, PRESETS["repaired"], iterates=False)
    assert bare.base is None
    assert bare.played is None
    for name in COLUMNS:
        np.testing.assert_array_equal(full[name], bare[name])


def test_seeded_runs_are_those_of_their_seeds() -> None:
    """Run i is that of the instance's seed plus i, all columns and iterates, in the same place."""
    some, reading = one_good_arm([0, 2, 1, 0, 0] * 20, seed=5), PRESETS["repaired"]
    places = set()
    for offset, trace in enumerate(seeded_runs(some, reading, count=3)):
        alone = run_compiled(dataclasses.replace(some, seed=5 + offset), reading)
        assert trace.instance == alone.instance
        assert_agree(trace, alone)
        places.add(trace["action"].ctypes.data)
    assert offset == 2
    assert len(places) == 1


def test_what_the_kernel_refuses() -> None:
    """A given action below 2^-1000 is named; a total delay beyond its integers is an error."""
    reading = Reading(update="base", budget=Fraction(1), slack=Fraction(0))
    with pytest.raises(ImprobableActionError, match=r"actions\[\d+\]=0"):
        run_compiled(one_good_arm([0] * 3000, actions=[0] * 3000), reading)
    with pytest.raises(InputError, match="total delay below"):
        run_compiled(one_good_arm([2**53 - 1] * 600), PRESETS["appendix"])


def test_many_outstanding_rounds() -> None:
    """Hundreds of rounds in flight at once all keep their vectors: the reference agrees."""
    reading = Reading(delay_sum="elapsed", budget=Fraction(4), slack=Fraction(10**9))
    drawn = run(one_good_arm([300] * 2000), reading)
    trace = run_compiled(drawn.instance.with_actions(drawn["action"]), reading)
    assert_agree(drawn, trace)
    assert trace["hard_restart"].sum() >= 5
