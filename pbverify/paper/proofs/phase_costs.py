r"""The accounts of a run: what each phase cost and left behind, and what they add up to.

With Q = C1 B + C2 sum 1/sigma_t, m the rounds missing at a phase's last test and theta = 2 R^ + xi^
its stage's threshold, the accounts of a run bound its expected regret (`bounds_in_expectation`).
"""

from __future__ import annotations

import abc
import dataclasses
import functools
import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction

from flint import fmpq

from pbverify.files.codec import Record
from pbverify.numerics import BallArithmetic, Number, Truth, leq
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import Schedule, Stage

PRECISION = 128


def stages_at_most(delay: int) -> int:
    """ceil(log2 D) + 1, on integers; one stage without delay."""
    return (delay - 1).bit_length() + 1 if delay else 1


def ceil_log2(budget: Number) -> int:
    """ceil(log2 R) for R >= 1: how many powers of two, from 1 on, lie below R."""
    return next(k for k in itertools.count() if leq(budget, 2**k) is Truth.YES)


@dataclasses.dataclass(frozen=True)
class Account:
    """What one phase cost and left behind; its rounds are start..end, all with a mixture."""

    stage: Stage
    number: int
    start: int
    end: int
    alpha: Number
    is_full: bool
    """Whether alpha has reached 1."""
    exits: bool
    """Whether it ended by a soft restart."""
    cost: Number
    """Q = C1 B + C2 sum 1/sigma_t: what the Banker lemma's proof adds up."""
    missing: int
    """m: its rounds whose feedback had not arrived by the end of round `end`."""
    last_arrivals: int
    """Its feedback items that arrived at the end of round `end`."""


def balance(accounts: Iterable[Account]) -> Number:
    """C = sum_k alpha_k (Q - (2 R^ + xi^ - m) 1{soft exit}) over some phases."""
    total: Number = fmpq(0)
    for account in accounts:
        credit = account.stage.threshold - account.missing if account.exits else fmpq(0)
        total = total + account.alpha * (account.cost - credit)
    return total


def certified(accounts: Iterable[Account], *, reading: Reading) -> Number:
    """The most that some phases can add to the regret against any arm, in expectation.

    That is alpha Q + G + m, or Q once alpha = 1 (see `ensemble_certificates`), where a gap G is at
    most the threshold, or what arrives in the last round beyond it, 1/(1 - alpha) an item. With a
    gap against the base iterates it is Q + (1 - alpha) (G + m).
    """
    total: Number = fmpq(0)
    for account in accounts:
        if account.is_full:
            total = total + account.cost
            continue
        rest = 1 - account.alpha
        beyond = account.last_arrivals / rest if account.exits else fmpq(0)
        late = account.stage.threshold + beyond + account.missing
        is_against_base = reading.gap == "learner"
        weights = (fmpq(1), rest) if is_against_base else (account.alpha, fmpq(1))
        total = total + weights[0] * account.cost + weights[1] * late
    return total


def certified_total(run: Accounted) -> Number:
    """All phases, and the rounds of hard restarts at 1 each; but no regret exceeds T.

    The accounts alone can exceed the printed sums, where these exceed T: with the threshold of the
    paper and a tiny delta, whose 1/delta the sum without delay does not have.
    """
    accounts = certified(run.accounts, reading=run.reading) + (run.stages - 1)
    return BallArithmetic().minimum([accounts, fmpq(run.rounds)])


class Accounted(Record, abc.ABC):
    """A run as its accounts show it: reading, size of the game, and what happened in order."""

    arms: int
    delta: Fraction
    reading: Reading

    @property
    @abc.abstractmethod
    def rounds(self) -> int:
        """T."""

    @property
    def most(self) -> int:
        """T: no path pays more."""
        return self.rounds

    @property
    def most_to_comparator(self) -> Number:
        """No path with these phases pays more against x^c: alpha a round, 1 at a hard restart."""
        lengths = ((account.alpha, account.end + 1 - account.start) for account in self.accounts)
        return sum((alpha * length for alpha, length in lengths), fmpq(len(self.restarts)))

    @property
    @abc.abstractmethod
    def total_delay(self) -> int:
        """D."""

    @property
    @abc.abstractmethod
    def events(self) -> tuple[Account | int, ...]:
        """Accounts in order, with the round of each hard restart between them."""

    def stage_at(self, estimate: int) -> Stage:
        """Budget and threshold at a delay estimate."""
        return self.schedule.stage(estimate, round=1)

    @functools.cached_property
    def schedule(self) -> Schedule:
        return Schedule.of(BallArithmetic(PRECISION), self.reading, self)

    @functools.cached_property
    def accounts(self) -> tuple[Account, ...]:
        """The phases that play at least one mixture, in order."""
        return tuple(account for account in self.events if isinstance(account, Account))

    @functools.cached_property
    def restarts(self) -> tuple[int, ...]:
        """The rounds of hard restarts, in order."""
        return tuple(event for event in self.events if isinstance(event, int))

    @property
    def stages(self) -> int:
        """Stages, also those without a phase."""
        return 1 + len(self.restarts)

    def of_stages(self) -> Iterator[list[Account]]:
        """The phases of each stage that has any."""
        found: list[Account] = []
        for event in self.events:
            if isinstance(event, Account):
                found.append(event)
            elif found:
                yield found
                found = []
        if found:
            yield found
