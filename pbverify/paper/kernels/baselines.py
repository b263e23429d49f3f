r"""The learners of the paper's experiment, compiled, on one instance each.

All see the same losses, delays and uniforms. What is compared is the pseudo-loss <p_t, l_t> of the
law that a learner plays in round t. The default arm i* of the safety-aware baselines is the arm on
which the comparator puts most, and r_0 its mean reward over the whole horizon.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pbverify.bandits.instance import Instance
from pbverify.bandits.learners.exp3 import tuning
from pbverify.numerics import FloatArithmetic
from pbverify.paper.algorithm.exp3_stages import UNTOLD, Exp3Settings
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import PRINTED, Scales
from pbverify.paper.kernels import (
    choices,
    compiled_options,
    conservative_ucb,
    empty_columns,
    exp3_columns,
    exp3_ix,
    fill,
)
from pbverify.paper.kernels.prudent_banker import Columns
from pbverify.paper.kernels.prudent_exp3 import Exp3Columns
from pbverify.paper.kernels.stages import CONSTANT

RISK = Fraction(1, 10)
"""alpha_safe: the share of the default reward that the safety-aware baselines may risk."""

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Course:
    """A learner's pseudo-losses, round by round, and what else there is to know of its run."""

    pseudo_loss: Floats
    action: npt.NDArray[np.int32] | None = None
    columns: Columns | Exp3Columns | None = None
    """Of Prudent-Banker, of the Banker alone, and of Prudent-EXP3."""
    explored: npt.NDArray[np.bool_] | None = None
    """Of the safety-aware baselines: the rounds in which the safety test did not intervene."""
    credit: Floats | None = None
    """Of Safe-EXP3-IX, after each round."""


def prudent_banker(instance: Instance, reading: Reading, *, scales: Scales = PRINTED) -> Course:
    """Prudent-Banker under a reading, its constants as printed or scaled."""
    columns = empty_columns(instance, pseudo_loss=True)
    fill(columns, instance, compiled_options(instance, reading, scales))
    return Course(columns.pseudo_loss, columns.action, columns=columns)


def prudent_exp3(instance: Instance, settings: Exp3Settings = UNTOLD) -> Course:
    """Prudent-EXP3, told neither horizon nor delays, or otherwise as the settings say."""
    columns = exp3_columns(instance, settings, pseudo_loss=True)
    return Course(columns.pseudo_loss, columns.action, columns=columns)


def banker_omd(instance: Instance) -> Course:
    """The Banker alone: Prudent-Banker at alpha = 1 whose delay estimate nothing exceeds."""
    columns = empty_columns(instance, pseudo_loss=True)
    options = compiled_options(instance, Reading(update="base"))
    alone = options._replace(budget=CONSTANT, budget_value=1.0, first_estimate=2**62)
    fill(columns, instance, alone)
    return Course(columns.pseudo_loss, columns.action, columns=columns)


def conservative_ucb_course(
    instance: Instance, *, risk: Fraction = RISK, random_ties: bool = False
) -> Course:
    """Conservative UCB; its law is a point mass.

    Of several arms with the largest UCB it plays the first, or one that the instance's seed draws.
    """
    T, losses = instance.rounds, instance.losses.floats
    given, uniforms = choices(instance)
    chosen, explored = np.empty(T, np.int32), np.empty(T, np.bool_)
    conservative_ucb.play(
        losses,
        instance.delays.values,
        given,
        default_arm(instance),
        default_reward(instance),
        float(risk),
        uniforms if random_ties else uniforms[:0],
        chosen,
        explored,
    )
    action = given if given.size else chosen
    return Course(losses[np.arange(T), chosen], action, explored=explored)


def safe_exp3_ix(instance: Instance, *, risk: Fraction = RISK) -> Course:
    """EXP3-IX behind the safety wrapper."""
    T = instance.rounds
    given, uniforms = choices(instance)
    rate, bias = tuning(FloatArithmetic(), arms=instance.arms, horizon=T)
    action, pseudo_loss, credit = np.empty(T, np.int32), np.empty(T), np.empty(T)
    explored = np.empty(T, np.bool_)
    exp3_ix.play(
        instance.losses.floats,
        instance.delays.values,
        given,
        uniforms,
        default_arm(instance),
        default_reward(instance),
        float(risk),
        rate,
        bias,
        action,
        pseudo_loss,
        explored,
        credit,
    )
    return Course(pseudo_loss, action, explored=explored, credit=credit)


def exp3_ix_alone(instance: Instance) -> Course:
    """EXP3-IX with nothing to watch over it."""
    return safe_exp3_ix(instance, risk=Fraction(1))


def comparator(instance: Instance) -> Course:
    """The comparator in every round."""
    return Course(instance.comparator_losses)


def default_arm(instance: Instance) -> int:
    """i*: where the comparator puts most."""
    return int(np.argmax(instance.comparator_floats))


def default_reward(instance: Instance) -> float:
    """r_0 = (1/T) sum of 1 - l_{t,i*}."""
    return float(np.mean(1.0 - instance.losses.floats[:, default_arm(instance)]))
