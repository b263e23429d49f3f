r"""Runs whose phases all paths share, chosen against the normal-phase lemma.

No path of them restarts softly: too little feedback arrives, or the horizon is too short for the
threshold (`bounds_on_every_path.is_certain`). What holds on every path then holds in expectation.
"""

from __future__ import annotations

from fractions import Fraction

from pbverify.bandits.instance import Instance
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided
from pbverify.paper.cases.run_families.adversarial import NEVER

# Delays that drive the estimate up before rounds without delay: one huge delay where it is
# foreseen, many late rounds where age counts, a burst where only arrivals count.
_RISES = {
    "appendix": ([NEVER], 1_000),
    "repaired": ([300] * 80, 1_290),
    "main": (list(range(110, 0, -1)), 10_000),
}

# (rounds, 1/delta): the longest horizon at which T/(1 - alpha) is within the threshold.
_BRINKS = {"appendix": (4_627, 150), "repaired": (4_095, 150)}


def late_stage(reading: str) -> list[int]:
    """Delays whose last stage has a large estimate, and a phase without any delay."""
    rise, rounds = _RISES[reading]
    return [*rise, *[0] * (rounds - len(rise))]


def hidden_run() -> Run:
    """No feedback ever arrives, and the comparator is good: x^_t = x_0 throughout."""
    T = 4_000
    instance = Instance.build(
        losses=[[0, 1]] * T,
        delays=[NEVER] * T,
        comparator=[Fraction(5, 6), Fraction(1, 6)],
        actions=[0] * T,
    )
    return Run.of(instance, preset("main"))


def unseen_run() -> Run:
    """No feedback ever arrives, and x^c is as bad as x_0: the regret is T/2, the estimate 1."""
    return lopsided(preset("main"), [NEVER] * 10_000)


def brink_run(reading: str) -> Run:
    """The comparator plays the bad arm with 1 - delta, for as long as no path can notice.

    On every path the regret is about (1 - delta) T, where T is almost 2 R^ + xi^. Along this one
    the good arm is played, so that all its numbers are rational.
    """
    rounds, scale = _BRINKS[reading]
    comparator = (1 - Fraction(1, scale), Fraction(1, scale))
    return lopsided(preset(reading), [0] * rounds, actions=[1] * rounds, comparator=comparator)


def flattered_run() -> Run:
    """The main text's gap, against the learner itself, forgives x^c what the learner regrets.

    After T rounds it is sum <l_t, x^c - x^_t>, which is less than the regret (1 - delta) T of x^c
    to the good arm by the learner's own, about 2.37/delta; so that of x^c passes the threshold,
    although no path restarts: the one that always plays the bad arm comes nearest to it.
    """
    margin = Fraction(1, 130)
    return lopsided(preset("main"), [0] * 37_465, comparator=(1 - margin, margin))
