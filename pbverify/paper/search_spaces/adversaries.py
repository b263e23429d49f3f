r"""Parametrised adversaries: losses, delays, comparator, horizon and actions of a run, by name.

Some choices answer the learner. Losses that switch `at restarts` make another arm the good one
after every restart; a `strike` delays a round relative to an event of the run without it (its first
soft restart, the first round with alpha > 1/2, ...), and kicks off a hard restart soon after. Both
are found by compiled runs, each of which repeats the one before it up to the change.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from pbverify.bandits.comparators import anchored
from pbverify.bandits.delay_models import bursts, constant, huge_first, non_increasing, none
from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.errors import ImprobableActionError
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.trace import Trace
from pbverify.paper.cases.run_families import quickened
from pbverify.paper.kernels import run_compiled
from pbverify.paper.search_spaces.settings import impossible
from pbverify.search.genomes import Axis, Choice, Whole

Genome = Mapping[str, Any]

SHORT = 64
"""Rounds of the longest run with a constant budget: its settings come at once."""
MOST_SWITCHES = 4
OWN = "own"

BUDGETS: dict[str, Axis] = {"budget": Choice((OWN, "5/4", "5/2", "4"))}
ACTIONS: dict[str, Axis] = {
    "actions": Choice(("drawn", "bad", "bad then good", "bad until the strike")),
    "turn": Whole(1, 100),
    "strike": Choice(
        ("none", "start", "first soft restart", "last soft restart", "bold phase", "end")
    ),
    "offset": Whole(0, 20),
    "late": Whole(1, 40),
    "kick": Whole(0, 8),
}
LAYOUT: dict[str, Axis] = {
    "arms": Whole(2, 4),
    "losses": Choice(("constant", "alternating", "switching", "at restarts")),
    "period": Whole(1, 200),
    "good": Choice(("0", "0", "1/2", "3/4")),
    "comparator": Choice(("on the bad arm", "on the good arm")),
    "margin": Whole(1, 100),
    "delays": Choice(
        ("none", "constant", "bursts", "periodic", "early block", "huge first", "stairs")
    ),
    "delay": Whole(1, 64),
    "every": Whole(1, 100),
    "seed": Whole(0, 2**16),
}

_BARE: dict[str, Axis] = {
    "budget": Choice((OWN,)),
    "arms": Choice((2,)),
    "losses": Choice(("constant", "at restarts")),
    "good": Choice(("0",)),
    "margin": Whole(1, 4),
    "comparator": Choice(("on the bad arm",)),
}
"""A bad arm that the comparator plays half of the time or more drives the gap fastest."""
_QUIET: dict[str, Axis] = {"delays": Choice(("none",)), "strike": Choice(("none",))}
_BOTH = "soft and hard restart in one run"
_STRUCK: dict[str, Axis] = {"delays": Choice(("none", "huge first"))}

AIMS: dict[str, Mapping[str, Axis]] = {
    "": {},
    "soft restart": {**_BARE, **_QUIET, "T": Whole(90, 3000), "actions": Choice(("bad",))},
    "late stage without local delay": {
        "budget": Choice((OWN,)),
        "T": Whole(60, 3000),
        "delays": Choice(("early block", "huge first")),
        "strike": Choice(("none",)),
    },
    _BOTH: {
        **_BARE,
        **_STRUCK,
        "T": Whole(300, 3000),
        "actions": Choice(("bad",)),
        "strike": Choice(("first soft restart", "last soft restart")),
    },
    "alpha in (1/2, 1)": {
        **_BARE,
        "T": Whole(4000, 6000),
        "delays": Choice(("early block",)),  # makes room for a late round that ends no stage
        "every": Choice((1,)),
        "delay": Whole(2, 4),
        "late": Whole(1, 4),
        "actions": Choice(("bad until the strike",)),
        "margin": Choice((1,)),
        "strike": Choice(("bold phase",)),
        "kick": Whole(1, 3),
    },
    "alpha = 1": {
        **_BARE,
        **_QUIET,
        "T": Whole(6_000, 14_000),
        "losses": Choice(("constant",)),
        "margin": Choice((1,)),
        "actions": Choice(("bad",)),  # until it is too improbable, which it is once alpha = 1
    },
}
"""Settings under the reading's own budget, and the axes that lead there; the first aims at none."""

_MAIN_AIMS = ("", "soft restart", "late stage without local delay", _BOTH)
"""Under the main text's budget, three times the appendix's, alpha > 1/2 takes 80,000 rounds."""


def aims_for(reading: Reading) -> tuple[str, ...]:
    """The aims that runs of at most 14,000 rounds reach."""
    names = _MAIN_AIMS if reading.budget == "main" else AIMS
    return tuple(name for name in names if name not in impossible(reading))


def aimed(reading: Reading, aim: str) -> Mapping[str, Axis]:
    """The axes of an aim; a soft restart takes 800 rounds and more under the larger budget."""
    is_slow = reading.budget == "main" and aim == "soft restart"
    return {**AIMS[aim], "T": Whole(800, 3000)} if is_slow else AIMS[aim]


SAMPLE_AIMS: dict[str, Mapping[str, Axis]] = {
    "": {},
    "soft restart": {**_BARE, **_QUIET, "T": Whole(500, 2000), "margin": Choice((1,))},
    "late stage without local delay": AIMS["late stage without local delay"],
}
"""The same for samples, whose actions are drawn."""


def reading_of(reading: Reading, genome: Genome) -> Reading:
    """The reading with its own budget, or with the genome's constant one."""
    budget = genome.get("budget", OWN)
    return reading if budget == OWN else quickened(reading, budget=Fraction(budget))


def instance_of(reading: Reading, genome: Genome) -> Instance:
    """The instance that a genome describes, given whom it plays against."""
    plan = _first_plan(genome)
    trace = None
    while genome["losses"] == "at restarts" and len(plan.switches) < MOST_SWITCHES:
        plan, trace = _played(plan, reading)
        after = _first_restart(trace, plan.switches)
        if after is None:
            break
        plan = dataclasses.replace(plan, switches=(*plan.switches, after))
    if genome.get("strike", "none") != "none":
        plan, trace = _played(plan, reading)
        plan = _struck(plan, trace)
    elif genome.get("actions") == "bad":
        plan, trace = _played(plan, reading)
    return plan.instance()


@dataclasses.dataclass(frozen=True)
class _Plan:
    """What a genome means in rounds: delays, switches of the good arm, the end of bad actions."""

    genome: Genome
    delays: tuple[int, ...]
    switches: tuple[int, ...]
    turn: int

    def instance(self) -> Instance:
        T, A, genome = len(self.delays), int(self.genome["arms"]), self.genome
        good = _good_arms(T, genome, self.switches)
        losses = np.ones((T, A))
        losses[np.arange(T), good] = float(Fraction(genome["good"]))  # dyadic, hence exact
        arm = 0 if genome["comparator"] == "on the bad arm" else 1
        is_drawn = genome.get("actions", "drawn") == "drawn"
        bad = (good + 1) % A
        return Instance.build(
            losses=losses,
            delays=list(self.delays),
            comparator=anchored(A, arm=arm, margin=Fraction(1, A * int(genome["margin"]))),
            actions=None if is_drawn else [*bad[: self.turn].tolist(), *good[self.turn :].tolist()],
            seed=int(genome["seed"]) if is_drawn else None,
        )


def _first_plan(genome: Genome) -> _Plan:
    is_own = genome.get("budget", OWN) == OWN
    T = int(genome["T"]) if is_own else min(int(genome["T"]), SHORT)
    turn = T * int(genome["turn"]) // 100 if genome.get("actions") == "bad then good" else T
    return _Plan(genome, tuple(_delays(T, genome)), _switches(T, genome), turn)


def _played(plan: _Plan, reading: Reading) -> tuple[_Plan, Trace]:
    """The compiled run; where the bad arm has become too improbable to play, the good one is."""
    try:
        return plan, run_compiled(plan.instance(), reading, iterates=False)
    except ImprobableActionError as error:
        round = int(error.field.removeprefix("actions[").removesuffix("]"))
        if round > plan.turn:
            raise
        sooner = dataclasses.replace(plan, turn=round - 1)
        return sooner, run_compiled(sooner.instance(), reading, iterates=False)


def _good_arms(T: int, genome: Genome, switches: tuple[int, ...]) -> Any:
    """The good arm of each round: first arm 1, then in turn."""
    if genome["losses"] == "alternating":
        turns = np.arange(T) // int(genome["period"])
    else:
        turns = np.searchsorted(np.array(switches, dtype=np.int64), np.arange(1, T + 1), "right")
    return (1 + turns) % int(genome["arms"])


def _switches(T: int, genome: Genome) -> tuple[int, ...]:
    """Rounds at which the good arm changes, as far as they do not depend on the run."""
    if genome["losses"] != "switching":
        return ()
    step = max(1, T * int(genome["period"]) // 200)
    return tuple(range(1 + step, T + 1, step))[:MOST_SWITCHES]


def _first_restart(trace: Trace, switches: tuple[int, ...]) -> int | None:
    """The round after the first restart that follows every switch so far."""
    last = switches[-1] if switches else 0
    restarts = np.flatnonzero(trace["soft_restart"] | trace["hard_restart"]) + 1
    later = restarts[(restarts >= last) & (restarts < trace.rounds)]
    return int(later[0]) + 1 if len(later) else None


def _delays(T: int, genome: Genome) -> list[int]:
    delay, every = int(genome["delay"]), int(genome["every"])
    t = np.arange(T)
    models: dict[str, Callable[[], Delays]] = {
        "none": lambda: none(T),
        "constant": lambda: constant(T, delay=delay),
        "bursts": lambda: bursts(T, every=every, length=min(delay, every)),
        "periodic": lambda: Delays(np.where(t % every == every - 1, delay, 0)),
        "early block": lambda: Delays(np.where(t < every, delay, 0)),
        "huge first": lambda: huge_first(T, delay=10**9),
        "stairs": lambda: non_increasing(T, slope=1 / every),
    }
    return models[genome["delays"]]().to_json()


def _struck(plan: _Plan, trace: Trace) -> _Plan:
    """One late round at the event, a delay that ends the stage two rounds later, and the turn."""
    genome, event = plan.genome, _event(trace, str(plan.genome["strike"]))
    if event is None:
        return plan
    at = min(event + int(genome["offset"]), trace.rounds)
    delays = list(plan.delays)
    delays[at - 1] = max(delays[at - 1], int(genome["late"]))
    if int(genome["kick"]) and at + 2 <= trace.rounds:
        delays[at + 1] = max(delays[at + 1], int(genome["kick"]))
    is_over = genome["actions"] == "bad until the strike"
    turn = min(plan.turn, at + 1) if is_over else plan.turn
    return dataclasses.replace(plan, delays=tuple(delays), turn=turn)


def _event(trace: Trace, name: str) -> int | None:
    """The first round after the event; None if the run has none."""
    soft = np.flatnonzero(trace["soft_restart"]) + 2
    bold = np.flatnonzero((trace["alpha"] > 0.5) & (trace["alpha"] < 1)) + 1
    found = {
        "start": np.array([1]),
        "first soft restart": soft[:1],
        "last soft restart": soft[-1:],
        "bold phase": bold[:1],
        "end": np.array([max(1, trace.rounds - 8)]),
    }[name]
    return int(found[0]) if len(found) and found[0] <= trace.rounds else None
