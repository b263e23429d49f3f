"""A phase as the combinatorial lemmas see it: rounds start..end of a delay sequence."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterator

from flint import arb, fmpq
from hypothesis import strategies as st

from pbverify.bandits.delays import Delays
from pbverify.bandits.strategies import delay_sequences
from pbverify.claims.judging import Profile
from pbverify.claims.routes import Route, every
from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic
from pbverify.paper.formulas.algorithm import DELAY_TERM


@dataclasses.dataclass(frozen=True)
class DelayedPhase(Record):
    """Rounds start..end (1-based, inclusive) and the delays of the whole horizon."""

    delays: Delays
    start: int
    end: int

    def __post_init__(self) -> None:
        self.delays.check_span(self.start, self.end)

    @functools.cached_property
    def local_delays(self) -> tuple[int, ...]:
        """d_start..d_end."""
        return tuple(self.delays.values[self.start - 1 : self.end].tolist())

    @functools.cached_property
    def mass(self) -> tuple[int, ...]:
        """The cumulative outstanding count of the phase at t = start..end."""
        return tuple(self.delays.cumulative_outstanding(self.start, self.end).tolist())

    @functools.cached_property
    def missing(self) -> tuple[tuple[int, ...], ...]:
        """For each round of the phase, the rounds (0-based) whose feedback is missing then."""
        found: list[tuple[int, ...]] = []
        waiting: tuple[int, ...] = ()
        for t in range(len(self.local_delays)):
            waiting = tuple(u for u in waiting if u + self.local_delays[u] >= t)
            found.append(waiting)
            waiting = (*waiting, t)
        return tuple(found)

    @property
    def total_delay(self) -> int:
        """d_start + ... + d_end."""
        return sum(self.local_delays)

    @property
    def all_feedback_arrives(self) -> bool:
        """Whether every round's feedback arrives by the end of the phase."""
        return all(r + d <= self.end for r, d in enumerate(self.local_delays, start=self.start))


def inverse_scales(phase: DelayedPhase) -> list[arb]:
    """1/sigma_t = 1/sqrt(t~) + d_t sqrt(ln(M_t + 1)/M_t), untuned, for the rounds of the phase."""
    balls, values = BallArithmetic(), []
    missing = phase.delays.outstanding(phase.start, phase.end).tolist()
    for age, (count, mass) in enumerate(zip(missing, phase.mass, strict=True), start=1):
        late = DELAY_TERM(balls, d=fmpq(count), D=fmpq(mass)) if count else fmpq(0)
        values.append(1 / arb(age).sqrt() + late)
    return values


def borrowed(phase: DelayedPhase) -> list[arb]:
    """sigma_t and the scales outstanding at t, untuned, for each round t of the phase."""
    scales = [1 / inverse for inverse in inverse_scales(phase)]
    return [
        sum((scales[u] for u in missing), scale)
        for scale, missing in zip(scales, phase.missing, strict=True)
    ]


def undelayed(rounds: int) -> DelayedPhase:
    """A phase without delay: it borrows sqrt N, and its inverse scales add up to nearly 2 sqrt N.

    The sum of 1/sqrt(t) is 2 sqrt N - 1.46... + O(1/sqrt N), so bounds in sqrt N that are right to
    the leading order are met as closely as one likes.
    """
    return DelayedPhase(Delays([0] * rounds), start=1, end=rounds)


def all_at_the_end() -> Iterator[DelayedPhase]:
    """d_t = N - t for N = 1, 2, ...: nothing arrives before the end of the phase."""
    for N in itertools.count(1):
        yield DelayedPhase(Delays([N - t for t in range(1, N + 1)]), start=1, end=N)


def all_phases(*, length: int, delay: int) -> Iterator[DelayedPhase]:
    """Every phase of at most `length` rounds with delays up to `delay`, shortest first.

    The counters of a phase depend on its own delays alone, so it may as well start at round 1.
    """
    for rounds in range(1, length + 1):
        for delays in itertools.product(range(delay + 1), repeat=rounds):
            yield DelayedPhase(Delays(delays), start=1, end=rounds)


def number_of_phases(*, length: int, delay: int) -> int:
    """How many phases `all_phases` yields: the geometric sum of (delay + 1)^n."""
    base = delay + 1
    total: int = length if delay == 0 else (base ** (length + 1) - base) // delay
    return total


@functools.cache
@st.composite
def delayed_phases(draw: st.DrawFn, *, max_length: int = 40) -> DelayedPhase:
    """A phase start..end inside a delay sequence."""
    delays = draw(delay_sequences(max_length=max_length))
    start = draw(st.integers(1, len(delays)))
    end = draw(st.integers(start, len(delays)))
    if draw(st.booleans()):
        delays = _arriving_by(end, delays, leak=draw(st.booleans()))
    return DelayedPhase(delays, start=start, end=end)


def _arriving_by(end: int, delays: Delays, *, leak: bool) -> Delays:
    """The delays folded so that all feedback up to `end` arrives by then, or all but one item."""
    folded = [d % (end - r + 1) if r <= end else d for r, d in enumerate(delays.to_json(), start=1)]
    if leak:
        folded[end - 1] = 1
    return Delays(folded)


def every_phase(size: Callable[[Profile], int]) -> Route:
    """The route over all phases of up to `size` rounds with delays up to `size`."""

    def sizes(profile: Profile) -> dict[str, int]:
        return {"length": size(profile), "delay": size(profile)}

    return every(
        lambda profile: all_phases(**sizes(profile)),
        count=lambda profile: number_of_phases(**sizes(profile)),
        scope=lambda profile: "all phases of <= {length} rounds with delays <= {delay}".format(
            **sizes(profile)
        ),
    )
