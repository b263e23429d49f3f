r"""Sums along a path of Prudent-EXP3 whose expectations the estimates do not change.

Each is sum_u <l^_u, v_u> over some rounds u; with l_u in the place of the estimate l^_u its mean is
the same. The vector v_u, and whether round u counts, are

    regret      alpha (x^_u - x^c)                                  known when u is played
    squares     (alpha gamma / 2) x^_u(i) l_u(i) / x_u(i)           known when u is played
    products    alpha gamma x^_u(i) M_u(i)                          known when u is played
    waiting     sum over the rounds t of its phase in which u is missing of
                alpha gamma x^_t(i) l_t(i)                          known when u arrives
    exit        alpha (e_y - x^c) if u is missing when its phase exits, with y the best response
                to what has arrived                                 known when u arrives

`products` with true losses is `waiting` with estimates. The account of a path is the sum over its
phases of alpha (ln A/gamma + gamma n/(2 delta) - 2 R 1{exit}), with the last clock n.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from flint import fmpq

from pbverify.numerics import Number, to_fmpq
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.cases.prudent_exp3.game import Exp3Game, PathPhase, phases
from pbverify.paper.formulas import prudent_exp3 as formulas
from pbverify.paper.proofs.mirror_descent import vertex

KINDS = ("regret", "squares", "products", "waiting", "exit")
AT_ONCE = KINDS[:3]
"""The sums whose vectors are known when the round is played."""


class Sums:
    """The five sums of a game."""

    def __init__(self, game: Exp3Game) -> None:
        self.game = game
        self._safe = game.comparator()
        self._arms = range(game.instance.arms)

    def total(self, kind: str, path: Path, *, estimated: bool) -> Number:
        """The sum along a path, with estimates or with true losses."""
        terms = (
            self.term(kind, path, u, estimated=estimated)
            for u in range(1, len(path.rows) + 1)
            if self.counts(kind, path, u)
        )
        return sum(terms, fmpq(0))

    def term(self, kind: str, path: Path, u: int, *, estimated: bool) -> Number:
        """<l^_u, v_u> or <l_u, v_u>."""
        vector, row = self.vector(kind, path, u), path.rows[u - 1]
        if estimated:
            return self.game.estimate(u, row) * vector[row.action]
        return self.game.expected_loss(u, vector)

    def counts(self, kind: str, path: Path, u: int) -> bool:
        if kind != "exit":
            return True
        phase = self.phase_of(path, u)
        return phase.last.soft_restart and self.game.is_missing(u, at=phase.end)

    def vector(self, kind: str, path: Path, u: int) -> list[Number]:
        """v_u."""
        row, phase = path.rows[u - 1], self.phase_of(path, u)
        alpha = to_fmpq(phase.first.alpha)
        if kind == "regret":
            return [alpha * (x - c) for x, c in zip(row.base, self._safe, strict=True)]
        if kind == "exit":
            best = vertex(self.game.best_response(phase), len(self._safe))
            return [alpha * (y - c) for y, c in zip(best, self._safe, strict=True)]
        step = alpha * self.game.stage(phase.first.stage).rate
        if kind == "squares":
            shares = zip(row.base, row.played, strict=True)
            return [step / 2 * x * self.game.loss(u, i) / p for i, (x, p) in enumerate(shares)]
        if kind == "products":
            late = self.waiting_for(path, u)
            return [step * x * m for x, m in zip(row.base, late, strict=True)]
        later = [
            (t, other) for t, other in phase.rows if t > u and self.game.is_missing(u, at=t - 1)
        ]
        return [
            step * sum((other.base[i] * self.game.loss(t, i) for t, other in later), fmpq(0))
            for i in self._arms
        ]

    def waiting_for(self, path: Path, t: int) -> list[Number]:
        """M_t: the estimates of the phase that are missing when round t is played."""
        found: list[Number] = [fmpq(0)] * len(self._safe)
        for u, row in self.game.missing(self.phase_of(path, t), at=t - 1):
            found[row.action] = found[row.action] + self.game.estimate(u, row)
        return found

    def own_estimates(self, path: Path, phase: PathPhase) -> list[list[Number]]:
        """l^_t of each round of a phase, as vectors."""
        found = []
        for t, row in phase.rows:
            vector: list[Number] = [fmpq(0)] * len(self._safe)
            vector[row.action] = self.game.estimate(t, row)
            found.append(vector)
        return found

    def pathwise(self, path: Path, phase: PathPhase) -> list[tuple[Number, Number]]:
        """Both sides of the pathwise lemma in a phase, against each arm."""
        rate, own = self._rate(phase), self.own_estimates(path, phase)
        log = formulas.ENTROPY.enclosed(A=len(self._safe))
        lost = moved = fmpq(0)
        for (t, row), vector in zip(phase.rows, own, strict=True):
            late = self.waiting_for(path, t)
            for x, estimate, missing in zip(row.base, vector, late, strict=True):
                lost = lost + x * estimate
                moved = moved + x * estimate * (missing + estimate / 2)
        totals = [sum((vector[arm] for vector in own), fmpq(0)) for arm in self._arms]
        return [(lost - total, log / rate + rate * moved) for total in totals]

    def entropy(self, path: Path) -> Number:
        """sum over the phases of alpha ln A/gamma."""
        log = formulas.ENTROPY.enclosed(A=len(self._safe))
        return sum((to_fmpq(p.first.alpha) * log / self._rate(p) for p in phases(path)), fmpq(0))

    def gaps(self, path: Path) -> Number:
        """sum over the phases that exit of alpha times the gap at the exit."""
        return sum(
            (to_fmpq(p.first.alpha) * p.last.gap for p in phases(path) if p.last.soft_restart),
            fmpq(0),
        )

    def account(self, path: Path) -> Number:
        return sum(map(self.account_of, phases(path)), fmpq(0))

    def account_of(self, phase: PathPhase) -> Number:
        """alpha (Q - 2 R 1{exit})."""
        budget = self.game.stage(phase.first.stage).budget
        saved = 2 * budget if phase.last.soft_restart else fmpq(0)
        return to_fmpq(phase.first.alpha) * (self.cost(phase) - saved)

    def cost(self, phase: PathPhase) -> Number:
        """Q."""
        delta, rate = to_fmpq(self.game.instance.delta), self._rate(phase)
        log = formulas.ENTROPY.enclosed(A=len(self._safe))
        return log / rate + rate * to_fmpq(phase.last.clock) / (2 * delta)

    def overshoot(self, phase: PathPhase, arm: int) -> Number:
        """<L, x^c - e_arm>, with L the estimates of the phase, added up."""
        return sum(
            (
                self.game.estimate(t, row) * (self._safe[row.action] - int(row.action == arm))
                for t, row in phase.rows
            ),
            fmpq(0),
        )

    def unit(self, phase: PathPhase) -> Number:
        """2 R + 3 xi."""
        now = self.game.stage(phase.first.stage)
        size, delta = now.largest_clock, self.game.instance.delta
        return 2 * now.budget + 3 * formulas.MOST_MISSING.enclosed(N=size, delta=delta)

    def rest(self, path: Path, arm: int) -> Number:
        """sum over the phases of (1 - alpha) times their overshoot."""
        return sum(
            ((1 - to_fmpq(f.first.alpha)) * self.overshoot(f, arm) for f in phases(path)), fmpq(0)
        )

    def certificate(self, path: Path, arm: int) -> Number:
        """sum over the phases of alpha Q + (1 - alpha) <L, x^c - e_arm>."""
        costs = (to_fmpq(phase.first.alpha) * self.cost(phase) for phase in phases(path))
        return sum(costs, self.rest(path, arm))

    def most(self, path: Path) -> Number:
        """sum over the phases of alpha Q + (1 - alpha) (2 R + 3 xi)."""
        return sum(map(self.most_of, phases(path)), fmpq(0))

    def most_of(self, phase: PathPhase) -> Number:
        alpha = to_fmpq(phase.first.alpha)
        return alpha * self.cost(phase) + (1 - alpha) * self.unit(phase)

    def expected_account(self) -> Number:
        return self.game.paths.expectation(self.account)

    def _rate(self, phase: PathPhase) -> Number:
        return self.game.stage(phase.first.stage).rate

    def phase_of(self, path: Path, t: int) -> PathPhase:
        return self._phases[path.actions][t - 1]

    @functools.cached_property
    def _phases(self) -> dict[Sequence[int], list[PathPhase]]:
        """By path and round."""
        return {
            path.actions: [phase for phase in phases(path) for _ in phase.rows]
            for path in self.game.paths.paths
        }
