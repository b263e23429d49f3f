r"""Both games of pblem:delay-to-batch side by side, driven by the same uniforms.

Left, the delayed game on losses that are 0 before b_j and g afterwards; right, the batched game on
the buckets B_j, ..., B_M with losses g, played by the simulated learner. `simulate.World` plays
the left side and knows nothing of buckets.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pbverify.bandits.instance import Instance
from pbverify.bandits.simulate import World, generator, inverse_law
from pbverify.errors import InputError
from pbverify.files.codec import entries, exact, parameters
from pbverify.files.documents import whole_number
from pbverify.numerics import FloatArithmetic, Number
from pbverify.paper.lower_bound.batched_game import Losses, Transcript, play_batched
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.roster import Contender, contender
from pbverify.paper.lower_bound.simulated import Arrival, Convention, Simulated, before_suffix

_KEYS = {"delays", "j", "convention", "losses", "learner", "seed"}


@dataclasses.dataclass(frozen=True)
class Simulation:
    """A learner, delays, the first bucket j, losses g of its suffix, and a seed."""

    contender: Contender
    bucketing: Bucketing
    j: int
    convention: Convention
    losses: tuple[tuple[Fraction, ...], ...]
    seed: int

    def __post_init__(self) -> None:
        T, first = self.bucketing.horizon, self.first
        if len(self.losses) != T + 1 - first:
            raise InputError(f"{T + 1 - first} rows", "len(losses)", len(self.losses))

    @property
    def first(self) -> int:
        """b_j."""
        if not 1 <= self.j <= len(self.bucketing.buckets):
            raise InputError(f"1 <= j <= {len(self.bucketing.buckets)}", "j", self.j)
        return self.bucketing.buckets[self.j - 1].first

    @property
    def arms(self) -> int:
        return len(self.losses[0])

    @property
    def delayed_losses(self) -> Losses:
        """ell(g): zero before b_j, then g."""
        zero = (Fraction(0),) * self.arms
        return (*[zero] * (self.first - 1), *self.losses)

    @functools.cached_property
    def delayed(self) -> Transcript:
        """The delayed game, rounds 1..T."""
        world, learner = World(FloatArithmetic(), self._instance()), self._learner()
        actions: list[int] = []
        laws = []
        for t in range(1, self.bucketing.horizon + 1):
            laws.append(tuple(world.ask(learner, t)))
            actions.append(self._drawn(t, laws[-1]))
            world.tell(learner, t, actions)
        return Transcript(tuple(actions), tuple(laws))

    @functools.cached_property
    def batched(self) -> Transcript:
        """The batched game, all slots."""
        return self.batched_with(self.convention.arrival)

    def batched_with(self, arrival: Arrival) -> Transcript:
        """The batched game under another rule of arrival."""
        simulated = Simulated(self._learner(), self.bucketing, arrival=arrival)
        before_suffix(simulated, first=self.first, choose=self._drawn, zero=0.0)
        return play_batched(
            simulated,
            self.bucketing.lengths[self.j - 1 :],
            self.losses,
            lambda slot, law: self._drawn(self.first + slot, law),
            number=FloatArithmetic().exact,
        )

    def witness_fields(self) -> dict[str, Any]:
        parameters = {
            "delays": list(self.bucketing.delays),
            "j": self.j,
            "convention": self.convention.value,
            "losses": [[str(loss) for loss in row] for row in self.losses],
            "learner": self.contender.name,
            "seed": self.seed,
        }
        return {"parameters": parameters}

    @staticmethod
    def rebuild(fields: Mapping[str, Any]) -> Simulation:
        """The simulation that a witness describes."""
        given = parameters(fields, _KEYS)
        rows = [entries(row, "losses") for row in entries(given["losses"], "losses")]
        return Simulation(
            contender=contender(given["learner"]),
            bucketing=Bucketing.rebuild({"parameters": {"delays": given["delays"]}}),
            j=whole_number(given["j"], "j"),
            convention=Convention.named(given["convention"]),
            losses=tuple(tuple(exact(loss, "losses") for loss in row) for row in rows),
            seed=whole_number(given["seed"], "seed"),
        )

    def _learner(self) -> Any:
        return self.contender.make(FloatArithmetic(), self.arms, self.bucketing.horizon)

    @functools.cached_property
    def _uniforms(self) -> list[float]:
        drawn: list[float] = generator(self.seed, "actions").random(self.bucketing.horizon).tolist()
        return drawn

    def _drawn(self, t: int, law: Any) -> int:
        return inverse_law(FloatArithmetic(), law, self._uniforms[t - 1], round=t)

    def _instance(self) -> Instance:
        arrival = self.convention.arrival
        waits = [arrival(t, d) - t for t, d in enumerate(self.bucketing.delays, start=1)]
        uniform = [Fraction(1, self.arms)] * self.arms
        return Instance.build(
            losses=[list(row) for row in self.delayed_losses],
            delays=waits,
            comparator=uniform,
            seed=self.seed,
        )


def vertices(arms: int) -> list[tuple[Fraction, ...]]:
    """The pure comparators; a regret that agrees on them agrees on the simplex, being affine."""
    return [tuple(Fraction(int(i == arm)) for i in range(arms)) for arm in range(arms)]


def as_fractions(law: tuple[Number, ...]) -> list[Fraction]:
    """A law of doubles, each at face value."""
    return [Fraction(probability) for probability in law]
