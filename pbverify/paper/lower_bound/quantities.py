r"""The quantities of the proof of the batched lower bound, computed from all transcripts.

For a learner in a hard game: E+-[N_m], E+-[W], KL(P+ || P-), the total variation, the regrets in E+
and E-, and for every table of losses g the regrets R(x; g). None of them uses an identity of the
proof, so that each identity can be compared with it.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterable
from fractions import Fraction

from pbverify.numerics import BallArithmetic, Number, to_fmpq, working_precision
from pbverify.paper.lower_bound.hard_environments import HardGame, Table
from pbverify.paper.lower_bound.transcripts import Leaf

PLUS, MINUS = 1, -1
PRECISION = 256


@dataclasses.dataclass(frozen=True)
class Quantities:
    """What a hard game and all transcripts of a learner in it determine."""

    game: HardGame
    leaves: tuple[Leaf, ...]

    @functools.cached_property
    def _laws(self) -> dict[int, list[Number]]:
        """P+ and P- of every transcript."""
        return {sign: [self._chance(leaf, sign) for leaf in self.leaves] for sign in (PLUS, MINUS)}

    def _chance(self, leaf: Leaf, sign: int) -> Number:
        with working_precision(PRECISION):
            chances = (self.game.chance(v, value, sign) for v, value in leaf.seen)
            return _product(itertools.chain((leaf.weight,), chances))

    def expectation(self, value: Callable[[Leaf], Number], sign: int) -> Number:
        """E+ or E- of a function of the transcript."""
        with working_precision(PRECISION):
            pairs = zip(self._laws[sign], self.leaves, strict=True)
            return _total(p * value(leaf) for p, leaf in pairs)

    @functools.cached_property
    def plays(self) -> tuple[Number, ...]:
        """E+[N_m] of every block."""
        blocks = self.game.blocks
        return tuple(self.expectation(lambda x, b=b: x.plays(b), PLUS) for b in blocks)  # type: ignore[misc]

    @functools.cached_property
    def observations(self) -> tuple[Number, ...]:
        """In E+, the expected number of variables of every block that are seen."""
        blocks = range(len(self.game.lengths))
        return tuple(self.expectation(lambda x, m=m: self._seen(x, m), PLUS) for m in blocks)  # type: ignore[misc]

    def _seen(self, leaf: Leaf, m: int) -> int:
        return sum(self.game.block_of_variable[v] == m for v, _ in leaf.seen)

    @functools.cached_property
    def _shares(self) -> dict[int, Number]:
        return {sign: self.expectation(self.weighted_plays, sign) for sign in (PLUS, MINUS)}

    def share(self, sign: int) -> Number:
        """E+[W] or E-[W]."""
        return self._shares[sign]

    def weighted_plays(self, leaf: Leaf) -> Number:
        """W = sum of L_m N_m / V."""
        game = self.game
        pairs = zip(game.lengths, game.blocks, strict=True)
        return to_fmpq(Fraction(sum(n * leaf.plays(block) for n, block in pairs), game.V))

    @functools.cached_property
    def log_ratio(self) -> tuple[Number, ...]:
        """KL(P+ || P-) as coefficients of log((1/2 + eps_m)/(1/2 - eps_m)), one per block.

        A seen variable of block m adds that logarithm if its value is 1, and subtracts it if 0.
        """
        return tuple(
            self.expectation(lambda x, m=m: self._balance(x, m), PLUS)  # type: ignore[misc]
            for m in range(len(self.game.lengths))
        )

    def _balance(self, leaf: Leaf, m: int) -> int:
        owner = self.game.block_of_variable
        return sum(2 * value - 1 for v, value in leaf.seen if owner[v] == m)

    def log_odds(self, m: int) -> Number:
        with working_precision(PRECISION) as arithmetic:
            signal = self.game.signal(m)
            return arithmetic.log((1 + 2 * signal) / (1 - 2 * signal))

    @functools.cached_property
    def divergence(self) -> Number:
        """KL(P+ || P-)."""
        with working_precision(PRECISION):
            return _total(c * self.log_odds(m) for m, c in enumerate(self.log_ratio))

    @functools.cached_property
    def variation(self) -> Number:
        """TV(P+, P-)."""
        with working_precision(PRECISION):
            pairs = zip(self._laws[PLUS], self._laws[MINUS], strict=True)
            return _total(abs(p - q) for p, q in pairs) / 2

    @functools.cached_property
    def tables(self) -> dict[Table, tuple[Number, ...]]:
        """For every table g, the regrets R(e_i; g) to the pure comparators."""
        return {table: self._regrets(table) for table in self.game.tables()}

    def _regrets(self, table: Table) -> tuple[Number, ...]:
        with working_precision(PRECISION):
            losses = self.game.losses(table)
            own = _total(
                leaf.weight
                * to_fmpq(
                    sum((row[a] for row, a in zip(losses, leaf.actions, strict=True)), Fraction(0))
                )
                for leaf in self.leaves
                if leaf.agrees(table)
            )
            columns = zip(*losses, strict=True)
            return tuple(own - to_fmpq(sum(column, Fraction(0))) for column in columns)

    def safety_regret(self, table: Table) -> Number:
        """R(x^c; g)."""
        with working_precision(PRECISION):
            weighted = zip(self.game.comparator, self.tables[table], strict=True)
            return _total(to_fmpq(x) * regret for x, regret in weighted)

    def largest_regret(self, table: Table) -> Number:
        """max over the simplex of R(x; g): the largest regret to a pure comparator."""
        with working_precision(PRECISION) as arithmetic:
            return -arithmetic.minimum([-regret for regret in self.tables[table]])

    def worst(self, regret: Callable[[Table], Number]) -> Number:
        """The largest value over all tables."""
        with working_precision(PRECISION) as arithmetic:
            return -arithmetic.minimum([-regret(table) for table in self.tables])

    def average(self, value: Callable[[Table], Number], sign: int) -> Number:
        """The expectation over tables drawn from E+ or E-."""
        with working_precision(PRECISION):
            return _total(self._table_chance(table, sign) * value(table) for table in self.tables)

    def _table_chance(self, table: Table, sign: int) -> Number:
        return _product(self.game.chance(v, value, sign) for v, value in enumerate(table))

    @functools.cached_property
    def regret_to_comparator(self) -> Number:
        """R+(x^c)."""
        return self.average(self.safety_regret, PLUS)

    @functools.cached_property
    def regret_to_best(self) -> Number:
        """R-(e_2)."""
        return self.average(lambda table: self.tables[table][1], MINUS)


def _total(values: Iterable[Number]) -> Number:
    return sum(values, start=BallArithmetic().exact(0))


def _product(values: Iterable[Number]) -> Number:
    return functools.reduce(lambda a, b: a * b, values)
