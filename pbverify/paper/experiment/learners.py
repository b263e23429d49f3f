"""The learners that the experiment compares, by name: the paper's three, and four others."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction

from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.algorithm.schedule import PRINTED, Scales
from pbverify.paper.kernels import baselines as kernels
from pbverify.paper.kernels.baselines import Course

PRUDENT, UCB, SAFE = "prudent-banker", "conservative-ucb", "safe-exp3-ix"
BANKER, EXP3, COMPARATOR = "banker-omd", "exp3-ix", "comparator"
PRUDENT_EXP3 = "prudent-exp3"
RANDOM_TIES = "random-ties"
"""A reading of Conservative-UCB: the paper prints no rule for ties, and its first of equals is the
other one."""

TITLES = {
    PRUDENT: "Prudent-Banker",
    UCB: "Conservative-UCB",
    SAFE: "Safe-EXP3-IX",
    PRUDENT_EXP3: "Prudent-EXP3",
    BANKER: "Banker-OMD alone",
    EXP3: "EXP3-IX alone",
    COMPARATOR: "always the comparator",
}

_OTHERS: dict[str, Callable[[Instance], Course]] = {
    UCB: kernels.conservative_ucb_course,
    SAFE: kernels.safe_exp3_ix,
    PRUDENT_EXP3: kernels.prudent_exp3,
    BANKER: kernels.banker_omd,
    EXP3: kernels.exp3_ix_alone,
    COMPARATOR: kernels.comparator,
}


@dataclasses.dataclass(frozen=True)
class Contender:
    """A learner; Prudent-Banker with its reading (the name of a preset) and its scales.

    Conservative-UCB has a reading too: how it breaks ties.
    """

    name: str
    reading: str = ""
    scales: Scales = PRINTED

    @property
    def key(self) -> str:
        """A name for files and tables, such as `prudent-banker.appendix.threshold-1-512`."""
        factors = {"threshold": self.scales.threshold, "budget": self.scales.budget}
        scaled = [f"{k}-{f.numerator}-{f.denominator}" for k, f in factors.items() if f != 1]
        return ".".join([self.name, *filter(None, [self.reading]), *scaled])

    def course(self, instance: Instance) -> Course:
        """Its run on an instance."""
        if self.name == PRUDENT:
            return kernels.prudent_banker(instance, preset(self.reading), scales=self.scales)
        if (self.name, self.reading) == (UCB, RANDOM_TIES):
            return kernels.conservative_ucb_course(instance, random_ties=True)
        return _OTHERS[self.name](instance)

    def to_json(self) -> dict[str, str]:
        return {
            "name": self.name,
            "reading": self.reading,
            "threshold_scale": str(self.scales.threshold),
            "budget_scale": str(self.scales.budget),
        }


OTHERS = tuple(Contender(name) for name in _OTHERS)
"""Everything but Prudent-Banker."""


def from_key(key: str) -> Contender:
    """The learner of a key."""
    name, *rest = key.split(".")
    if name in _OTHERS and not rest:
        return Contender(name)
    if (name, rest) == (UCB, [RANDOM_TIES]):
        return Contender(name, RANDOM_TIES)
    if name != PRUDENT or not rest:
        raise InputError(f"a learner among {', '.join(TITLES)}", "contender", key)
    preset(rest[0])
    scales = dict(map(_factor, rest[1:]))
    found = Contender(name, rest[0], Scales(**scales))
    if found.key != key:
        raise InputError("a learner's key", "contender", key)
    return found


def _factor(text: str) -> tuple[str, Fraction]:
    kind, *numbers = text.split("-")
    if kind not in ("threshold", "budget") or not all(n.isdigit() for n in numbers):
        raise InputError("threshold-N-D or budget-N-D", "contender", text)
    numerator, denominator = (max(1, int(n)) for n in numbers)
    return kind, Fraction(numerator, denominator)
