r"""Runs of Prudent-Banker as columns that a figure can draw.

The instance of the tour is short, so a reading is given a constant budget R^ and a constant slack
xi^: with the paper's own constants nothing would restart softly within thousands of rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from pbverify.bandits import delay_models, loss_patterns
from pbverify.bandits.instance import Instance
from pbverify.bandits.simulate import generator, run
from pbverify.claims.witness import thresholds
from pbverify.errors import ImprobableActionError
from pbverify.paper.algorithm.readings import PRESETS, Reading, overrides
from pbverify.paper.algorithm.trace import Trace

COMPARATOR = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
MEANS = (Fraction(7, 10), Fraction(1, 2), Fraction(1, 5))
"""Mean losses of the tour's arms: the comparator prefers the worst one."""

Columns = Mapping[str, Any]


def tour_instance(*, rounds: int = 60, delayed: float = 0.35, seed: int = 5) -> Instance:
    """Three arms with 0/1 losses, and geometric delays of a share of the rounds."""
    delays = delay_models.geometric(rounds, generator(seed, "delays"), delayed=delayed, p=0.4)
    losses = loss_patterns.bernoulli(rounds, 3, generator(seed, "losses"), means=MEANS)
    return Instance.build(
        losses=losses.tolist(), delays=delays.to_json(), comparator=list(COMPARATOR), seed=seed
    )


def quick(reading: Reading, *, budget: Fraction | int = 2, slack: Fraction | int = 1) -> Reading:
    """The reading with a constant budget and slack, so that short runs restart."""
    return reading.with_options(budget=Fraction(budget), slack=Fraction(slack))


def columns_of(trace: Trace) -> Columns:
    """One entry per round: delays, stages, phases, alpha, gap, threshold, credits, laws.

    `borrowed` and `repaid` add up to sigma_t: what round t takes from the bank, and from credits of
    rounds whose feedback has arrived. `owed` is the sum of the credits still lent out after it.
    """
    rounds = trace.to_json()["rounds"]
    assert isinstance(rounds, dict)
    estimates = rounds["delay_estimate"]
    repaid = [_repaid(step) for step in trace.steps or [None] * trace.rounds]
    return {
        **rounds,
        "delays": trace.instance.delays.to_json(),
        "threshold": thresholds(trace.instance, trace.reading, estimates),
        "repaid": repaid,
        "outstanding": trace.instance.delays.outstanding().tolist(),
        "played": np.array(trace.to_json()["played"]),
        "base": np.array(trace.to_json()["base"]),
        "comparator": [float(x) for x in trace.instance.comparator],
        "losses": trace.instance.losses.floats,
    }


def _repaid(step: Any) -> float:
    return 0.0 if step is None else float(sum(float(amount) for _, amount in step.shares))


def same_actions(instance: Instance, readings: Mapping[str, Reading]) -> dict[str, Columns]:
    """Every reading on the instance, all with the actions that the first one draws."""
    names = list(readings)
    first = run(instance, readings[names[0]])
    fixed = instance.with_actions(first["action"])
    rest = {name: run(fixed, readings[name]) for name in names[1:]}
    return {name: columns_of(trace) for name, trace in {names[0]: first, **rest}.items()}


def presets(**constants: Fraction | int) -> dict[str, Reading]:
    """The three readings with the tour's constants."""
    return {name: quick(reading, **constants) for name, reading in PRESETS.items()}


def single_changes(base: Reading, instance: Instance) -> dict[str, Columns]:
    """The base reading and every reading that differs from it in one option, on given actions.

    A reading under which a given action is all but impossible is left out.
    """
    found = {}
    for name, reading in _named_changes(base):
        try:
            found[name] = columns_of(run(instance, reading))
        except ImprobableActionError:
            continue
    return found


def _named_changes(base: Reading) -> Iterator[tuple[str, Reading]]:
    budget, slack = base.budget, base.slack
    assert isinstance(budget, Fraction)
    assert isinstance(slack, Fraction)
    before = base.to_json()
    for reading in overrides(base, depth=1, budget=budget, slack=slack):
        after = reading.to_json()
        changed = [option for option in after if after[option] != before[option]]
        yield (f"{changed[0]} = {after[changed[0]]}" if changed else "as it is"), reading
