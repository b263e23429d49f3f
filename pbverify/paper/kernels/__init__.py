"""Compiled runs for long horizons."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pbverify.bandits.instance import Instance
from pbverify.bandits.mirror_maps import regularizer
from pbverify.bandits.simulate import uniforms
from pbverify.errors import ImprobableActionError, InputError
from pbverify.numerics import FloatArithmetic
from pbverify.paper.algorithm import exp3_trace
from pbverify.paper.algorithm.exp3_stages import Exp3Settings
from pbverify.paper.algorithm.readings import OPTIONS, Reading
from pbverify.paper.algorithm.schedule import PRINTED, Scales
from pbverify.paper.algorithm.trace import COLUMNS, Trace
from pbverify.paper.kernels import prudent_exp3
from pbverify.paper.kernels.prudent_banker import Columns, play
from pbverify.paper.kernels.prudent_exp3 import Exp3Columns, Exp3Options
from pbverify.paper.kernels.stages import CONSTANT, Options

TOTAL_DELAY_LIMIT = 2**61
"""Compiled delay sums are 64-bit integers: larger totals need the reference engine."""


def run_compiled(instance: Instance, reading: Reading, *, iterates: bool = True) -> Trace:
    """A run in doubles, with the instance's actions or drawn from its seed.

    Without `iterates` only the scalar columns are recorded.
    """
    columns = empty_columns(instance, iterates=iterates)
    fill(columns, instance, compiled_options(instance, reading))
    return _trace(columns, instance, reading)


def seeded_runs(instance: Instance, reading: Reading, *, count: int) -> Iterator[Trace]:
    """Runs that draw from the instance's seed and from those after it.

    All are recorded in the same place: a trace is valid until the next one is asked for.
    """
    assert instance.seed is not None
    columns, options = empty_columns(instance, iterates=True), compiled_options(instance, reading)
    for seed in range(instance.seed, instance.seed + count):
        seeded = dataclasses.replace(instance, seed=seed)
        fill(columns, seeded, options)
        yield _trace(columns, seeded, reading)


def _trace(columns: Columns, instance: Instance, reading: Reading) -> Trace:
    has_iterates = columns.base.size > 0
    return Trace(
        reading=reading,
        instance=instance,
        columns={name: getattr(columns, name) for name in COLUMNS},
        base=columns.base if has_iterates else None,
        played=columns.played if has_iterates else None,
        engine="kernel",
    )


def fill(columns: Columns, instance: Instance, options: Options) -> None:
    """Run all rounds of an instance into the columns."""
    given, drawn = choices(instance)
    losses, delays = instance.losses.floats, instance.delays.values
    played = play(options, losses, delays, instance.comparator_floats, given, drawn, columns)
    _check_complete(played, instance, given)


def run_exp3_compiled(
    instance: Instance, settings: Exp3Settings, *, iterates: bool = True
) -> exp3_trace.Exp3Trace:
    """A run of Prudent-EXP3 in doubles, as `run_compiled`."""
    columns = exp3_columns(instance, settings, iterates=iterates)
    return exp3_trace.Exp3Trace(
        settings=settings,
        instance=instance,
        columns={name: getattr(columns, name) for name in exp3_trace.COLUMNS},
        base=columns.base if iterates else None,
        played=columns.played if iterates else None,
        engine="kernel",
    )


def exp3_columns(
    instance: Instance, settings: Exp3Settings, *, iterates: bool = False, pseudo_loss: bool = False
) -> Exp3Columns:
    """The columns of a run of Prudent-EXP3."""
    T, width = instance.rounds, instance.arms if iterates else 0
    columns = Exp3Columns(
        stage=np.empty(T, np.int32),
        phase=np.empty(T, np.int32),
        alpha=np.empty(T),
        start=np.empty(T, np.int32),
        clock=np.empty(T),
        missing=np.empty(T, np.int32),
        gap=np.empty(T),
        action=np.empty(T, np.int32),
        soft_restart=np.empty(T, np.bool_),
        base=np.empty((T if width else 0, width)),
        played=np.empty((T if width else 0, width)),
        pseudo_loss=np.empty(T if pseudo_loss else 0),
    )
    given, drawn = choices(instance)
    losses, delays, options = (
        instance.losses.floats,
        instance.delays.values,
        exp3_options(instance, settings),
    )
    safe = instance.comparator_floats
    played = prudent_exp3.play(options, losses, delays, safe, given, drawn, columns)
    _check_complete(played, instance, given)
    return columns


def exp3_options(instance: Instance, settings: Exp3Settings) -> Exp3Options:
    """Settings of Prudent-EXP3 and an instance's margin in the form that compiled code takes."""
    delta = instance.delta
    return Exp3Options(
        safety=float(settings.safety),
        first_clock=float(settings.first_clock),
        budget=float(settings.budget or 0),
        threshold=float(settings.threshold),
        delta=float(delta),
        numerator=float(delta.numerator),
        denominator=float(delta.denominator),
    )


def _check_complete(played: int, instance: Instance, given: npt.NDArray[np.int32]) -> None:
    if played < instance.rounds:
        arm = int(given[played]) if given.size else "drawn"
        expected = "an arm of probability >= 2^-1000"
        raise ImprobableActionError(expected, f"actions[{played + 1}]", arm)


def choices(instance: Instance) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """The given actions, or else the uniforms that draw them; the other one is empty."""
    if instance.delays.total >= TOTAL_DELAY_LIMIT:
        raise InputError("a total delay below 2^61", "sum(delays)", instance.delays.total)
    if instance.actions is not None:
        return np.array(instance.actions, dtype=np.int32), np.empty(0)
    return np.empty(0, dtype=np.int32), uniforms(instance)


def compiled_options(instance: Instance, reading: Reading, scales: Scales = PRINTED) -> Options:
    """A reading and an instance's constants in the form that compiled code takes."""
    A, delta = float(instance.arms), float(instance.delta)
    C1, C2 = regularizer(reading.regularizer).constants(FloatArithmetic(), A=A, delta=delta)
    budget, budget_value = _choice("budget", reading.budget)
    slack, slack_value = _choice("slack", reading.slack)
    return Options(
        steps_from_base=reading.update == "base",
        delay_sum=OPTIONS["delay_sum"].index(reading.delay_sum),
        sums_over_stage=reading.delay_scope == "stage",
        estimate=OPTIONS["estimate"].index(reading.estimate),
        gap_of_learner=reading.gap == "learner",
        budget=budget,
        budget_value=budget_value,
        slack=slack,
        slack_value=slack_value,
        rounds_budget=reading.rounding == "power-of-two",
        restarts_at_comparator=reading.restart_round == "comparator",
        is_tsallis=reading.regularizer == "tsallis",
        T=instance.rounds,
        A=instance.arms,
        delta=delta,
        C1=C1,
        C2=C2,
        threshold_scale=float(scales.threshold),
        budget_scale=float(scales.budget),
    )


def _choice(option: str, value: str | Fraction) -> tuple[int, float]:
    if isinstance(value, Fraction):
        return CONSTANT, float(value)
    return OPTIONS[option].index(value), 0.0


def empty_columns(
    instance: Instance, *, iterates: bool = False, pseudo_loss: bool = False
) -> Columns:
    """Columns for a run of an instance; iterates and pseudo-losses only where they are wanted."""
    T, width = instance.rounds, instance.arms if iterates else 0
    return Columns(
        stage=np.empty(T, np.int32),
        phase=np.empty(T, np.int32),
        delay_estimate=np.empty(T, np.int64),
        alpha=np.empty(T),
        start=np.empty(T, np.int32),
        sigma=np.empty(T),
        borrowed=np.empty(T),
        gap=np.empty(T),
        action=np.empty(T, np.int32),
        hard_restart=np.empty(T, np.bool_),
        soft_restart=np.empty(T, np.bool_),
        base=np.empty((T if width else 0, width)),
        played=np.empty((T if width else 0, width)),
        pseudo_loss=np.empty(T if pseudo_loss else 0),
    )
