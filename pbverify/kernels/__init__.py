"""Compiled runs for long horizons."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pbverify.algorithms.readings import OPTIONS, Reading
from pbverify.errors import ImprobableActionError, InputError
from pbverify.instance import Instance
from pbverify.kernels.prudent import Columns, play
from pbverify.kernels.stages import CONSTANT, Options
from pbverify.numerics import FloatArithmetic
from pbverify.regularizers import regularizer
from pbverify.simulate import uniforms
from pbverify.trace import COLUMNS, Trace

TOTAL_DELAY_LIMIT = 2**61
"""Compiled delay sums are 64-bit integers: larger totals need the reference engine."""


def run_compiled(instance: Instance, reading: Reading, *, iterates: bool = True) -> Trace:
    """A run in doubles, with the instance's actions or drawn from its seed.

    Without `iterates` only the scalar columns are recorded.
    """
    if instance.delays.total >= TOTAL_DELAY_LIMIT:
        raise InputError("a total delay below 2^61", "sum(delays)", instance.delays.total)
    T, A = instance.rounds, instance.arms
    columns = _empty_columns(T, A if iterates else 0)
    given = np.array(instance.actions if instance.actions is not None else (), dtype=np.int32)
    drawn = np.empty(0) if instance.actions is not None else uniforms(instance)
    played = play(
        compiled_options(instance, reading),
        instance.losses.floats,
        instance.delays.values,
        instance.comparator_floats,
        given,
        drawn,
        columns,
    )
    if played < T:
        arm = int(given[played]) if given.size else "drawn"
        expected = "an arm of probability >= 2^-1000"
        raise ImprobableActionError(expected, f"actions[{played + 1}]", arm)
    return Trace(
        reading=reading,
        instance=instance,
        columns={name: getattr(columns, name) for name in COLUMNS},
        base=columns.base if iterates else None,
        played=columns.played if iterates else None,
        engine="kernel",
    )


def compiled_options(instance: Instance, reading: Reading) -> Options:
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
    )


def _choice(option: str, value: str | Fraction) -> tuple[int, float]:
    if isinstance(value, Fraction):
        return CONSTANT, float(value)
    return OPTIONS[option].index(value), 0.0


def _empty_columns(T: int, width: int) -> Columns:
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
    )
