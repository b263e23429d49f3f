r"""The nodes of the engine's trees of Prudent-EXP3 as those of `game_tree`.

Actions are drawn when their feedback arrives, those that are still missing at the end of their
phase there, in turn. What a draw adds to the balance is <l - l^, v>, where v adds up what the
estimate of the round is multiplied with: the mixture less the comparator; l/x for its square; and
for each round that is missing when the other is played the estimate of that round if it is drawn
already, and else its true loss. At the end of the phase these must be the vectors of `draws`, in
the order of the draws.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from flint import fmpq

from pbverify.numerics import Number, to_fmpq, working_precision
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.cases.prudent_exp3.game import PRECISION, Exp3Game, PathPhase, phases
from pbverify.paper.proofs.exp3_expectations import Sums
from pbverify.paper.proofs.mirror_descent import vertex
from pbverify.paper.theories.expectation.certified_games import node_values, why_refused
from pbverify.paper.theories.expectation.drawn_later import (
    Event,
    Node,
    OrderError,
    by_arrival,
    drawn,
)
from pbverify.paper.theories.expectation.expected_regret import QUANTITIES, Draw
from pbverify.paper.theories.expectation.expected_regret import n as arms_of_draw
from pbverify.paper.theories.prudent_exp3.game_tree import OVER, End, count
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import Function
from pbverify.prover.induction.tree import RootClaim, Tree

Vector = Sequence[Number]
NOTHING = fmpq(0)
_BALANCE = [str(each) for each in QUANTITIES].index("balance")


class Kinds(Protocol):
    """A tree of `game_tree` with all kinds of nodes."""

    @property
    def tree(self) -> Tree: ...
    @property
    def draw(self) -> Draw: ...
    @property
    def end(self) -> End: ...


@dataclasses.dataclass(frozen=True)
class Account:
    """What a phase adds to the regret and to the sharp account, and what the draws add to Y."""

    sums: Sums
    arm: int | None = None
    """The arm that the regret is to; the comparator if there is none."""

    @property
    def game(self) -> Exp3Game:
        return self.sums.game

    def paid(self, path: Path, phase: PathPhase) -> Number:
        """sum_t <l_t, x_t - comparator>."""
        return sum(
            (self.game.expected_loss(t, self.lead(row.played)) for t, row in phase.rows), NOTHING
        )

    def sharp(self, phase: PathPhase) -> Number:
        if self.arm is None:
            return self.sums.account_of(phase)
        alpha = to_fmpq(phase.first.alpha)
        over = self.sums.overshoot(phase, self.arm)
        return alpha * self.sums.cost(phase) + (1 - alpha) * over

    def lead(self, law: Vector) -> list[Number]:
        """A law less the one that it is compared with."""
        safe = self.game.comparator()
        other = safe if self.arm is None else vertex(self.arm, len(safe))
        return [x - y for x, y in zip(law, other, strict=True)]

    def vector(self, path: Path, u: int, order: Sequence[int | Event]) -> list[Number]:
        """v."""
        found = self.lead(path.rows[u - 1].played)
        if self.arm is None and self.sums.counts("exit", path, u):
            late = self.sums.vector("exit", path, u)
            found = [x - y for x, y in zip(found, late, strict=True)]
        return [x - y for x, y in zip(found, self.moves(path, u, order), strict=True)]

    def moves(self, path: Path, u: int, order: Sequence[int | Event]) -> list[Number]:
        """What the estimate of round u is multiplied with in alpha gamma moved^."""
        found, phase = self.sums.vector("squares", path, u), self.sums.phase_of(path, u)
        step = to_fmpq(phase.first.alpha) * self.game.stage(phase.first.stage).rate
        for other, row in phase.rows:
            first, later = sorted((other, u))
            if first == later or not self.game.is_missing(first, at=later - 1):
                continue
            share = path.rows[later - 1].base
            is_drawn = order.index(other) < order.index(u)
            for i, x in enumerate(share):
                known = self.game.loss(other, i)
                if is_drawn:
                    known = self.game.estimate(other, row) * int(row.action == i)
                found[i] = found[i] + step * x * known
        return found


class CostAccount(Account):
    """What the pathwise lemma charges for the phases."""

    def paid(self, path: Path, phase: PathPhase) -> Number:
        _, bound = self.sums.pathwise(path, phase)[0]
        return to_fmpq(phase.first.alpha) * bound

    def sharp(self, phase: PathPhase) -> Number:
        return to_fmpq(phase.first.alpha) * self.sums.cost(phase)

    def vector(self, path: Path, u: int, order: Sequence[int | Event]) -> list[Number]:
        return [-x for x in self.moves(path, u, order)]


@dataclasses.dataclass(frozen=True)
class Played:
    """A game, an account of it, and the tree of the theory that it must be one of."""

    kinds: Kinds
    account: Account
    limit: Callable[[PathPhase | None], Number] | None = None
    """The coarse account before the end of a phase; by default it is the sharp one."""
    of_phase: Callable[[PathPhase], dict[Any, Any]] = lambda phase: {}
    """Values for the other names of the end of a phase."""

    @property
    def game(self) -> Exp3Game:
        return self.account.game

    def order(self, path: Path) -> list[int | Event]:
        """Arrived rounds in the order of arrival, then missing ones, then the end of the phase."""
        found: list[int | Event] = self._once(("order", path.actions), lambda: self._ordered(path))
        return found

    def _ordered(self, path: Path) -> list[int | Event]:
        found: list[int | Event] = []
        for phase in phases(path):
            late = [u for u, _ in self.game.missing(phase, at=phase.end)]
            seen = by_arrival((u for u, _ in phase.rows if u not in late), self.game.delays)
            found += [*seen, *late, ("end", phase.first.start)]
        return found

    def phase_of(self, path: Path, item: int | Event) -> PathPhase:
        return self.account.sums.phase_of(path, item[1] if isinstance(item, tuple) else item)

    # The quantities of a node.

    def quantities(self, node: Node) -> list[Number]:
        """Regret and accounts that are still expected, and the balance."""
        key = node.past, node.paths[0].actions, len(node.paths)
        found: list[Number] = self._once(key, lambda: self._quantities(node))
        return found

    def _quantities(self, node: Node) -> list[Number]:
        number = len(node.past)

        def left(path: Path) -> list[PathPhase]:
            """The phases that have not ended."""
            items = self.order(path)[number:]
            return [self.phase_of(path, item) for item in items if isinstance(item, tuple)]

        def paid(path: Path) -> Number:
            return sum((self._paid(path, phase) for phase in left(path)), NOTHING)

        def sharp(path: Path) -> Number:
            return sum((self._sharp(path, phase) for phase in left(path)), NOTHING)

        account = node.expectation(sharp)
        coarse, limit = account, self.limit
        if limit is not None:
            coarse = node.known(lambda path: limit(next(iter(left(path)), None)))
        balance = node.known(lambda path: self._balance(path, node.past))
        return [node.expectation(paid), account, coarse, balance]

    def _balance(self, path: Path, past: Sequence[int | Event]) -> Number:
        """Y: what the draws of the phase that has not ended yet have added."""
        total: Number = NOTHING
        for item in past:
            total = NOTHING if isinstance(item, tuple) else total + self._bias(path, item)
        return total

    def _bias(self, path: Path, u: int) -> Number:
        """<l - l^, v>."""
        v, row = self._vector(path, u), path.rows[u - 1]
        return self.game.expected_loss(u, v) - self.game.estimate(u, row) * v[row.action]

    def _paid(self, path: Path, phase: PathPhase) -> Number:
        key = "paid", path.actions, phase.first.start
        return self._once(key, lambda: self.account.paid(path, phase))

    def _sharp(self, path: Path, phase: PathPhase) -> Number:
        key = "sharp", path.actions, phase.first.start
        return self._once(key, lambda: self.account.sharp(phase))

    def _vector(self, path: Path, u: int) -> list[Number]:
        key = "vector", path.actions, u
        found: list[Number] = self._once(
            key, lambda: self.account.vector(path, u, self.order(path))
        )
        return found

    def _once(self, key: Any, value: Callable[[], Any]) -> Any:
        if key not in self._known:
            self._known[key] = value()
        return self._known[key]

    @functools.cached_property
    def _known(self) -> dict[Any, Any]:
        return {}

    # Nodes.

    def refused(self, node: Node) -> tuple[Model, str]:
        """The node as one of the theory's, and why it is none; empty if it is one."""
        here = self.quantities(node)
        below = [self.quantities(child) for child in node.children]
        if node.round is not None:
            return self._draw(node, here, below)
        if node.next is None:
            tree = self.kinds.tree
            leaf = tree.kind(OVER)
            model = Model(tree.theory, {})
            is_one = model.accepts(leaf.claim.arg(0), dict(zip(QUANTITIES, here, strict=True)))
            return model, "" if is_one else f"the {OVER} is refused"
        path = node.paths[0]
        return self._end(path, self.phase_of(path, node.next), here, below[0])

    def _draw(
        self, node: Node, here: Sequence[Number], below: Sequence[Sequence[Number]]
    ) -> tuple[Model, str]:
        kind, u = self.kinds.draw, node.round
        assert u is not None
        arms = len(node.law)
        values = {
            **node_values(kind.fan, here, below),
            kind.names["A"]: arms,
            kind.names["x"]: rounds(node.law),
            kind.names["loss"]: rounds([self.game.loss(u, arm) for arm in range(arms)]),
            kind.names["v"]: rounds(node.known(lambda path: self._vector(path, u))),
            kind.names["eta"]: rounds([each[_BALANCE] - here[_BALANCE] for each in below]),
        }
        model = Model(kind.fan.theory, values)
        model.ask(kind.names["eta"], range(1, arms + 1))
        what = f"the draw of round {u}"
        return model, why_refused(model, kind.node, {arms_of_draw: arms}, what)

    def _end(
        self, path: Path, phase: PathPhase, here: Sequence[Number], below: Sequence[Number]
    ) -> tuple[Model, str]:
        end, start = self.kinds.end, phase.first.start - 1
        place = {u: number for number, u in enumerate(self.order(path))}
        values = {
            **node_values(end.fan, here, [below]),
            **phase_values(end, self.account, phase),
            end.draws.before: lambda a, b: place[start + a] < place[start + b],
            end.draws.v: lambda u, i: self._vector(path, start + u)[i - 1],
            **self.of_phase(phase),
        }
        model = Model(end.T, values)
        what = f"the end of the phase from round {phase.first.start}"
        return model, why_refused(model, end.node, {count: 1}, what)

    def on_path(self) -> tuple[str, frozenset[Function]]:
        """Why a phase of the only path ends as none of the theory's, and what was checked.

        After each of them nothing more is expected.
        """
        limit = self.limit or (lambda phase: NOTHING)
        with working_precision(PRECISION):
            [path] = self.game.paths.paths
            own, rest = phases(path), [NOTHING] * 2
            read = [
                self._end(path, phase, self._alone(path, phase), [*rest, limit(later), NOTHING])
                for phase, later in zip(own, [*own[1:], None], strict=True)
            ]
        wrong = next((complaint for _, complaint in read if complaint), "")
        return wrong, frozenset().union(*(model.checked for model, _ in read))

    def _alone(self, path: Path, phase: PathPhase) -> list[Number]:
        """The quantities before the end of a phase after which nothing is expected."""
        account = self._sharp(path, phase)
        coarse = account if self.limit is None else self.limit(phase)
        balance = sum((self._bias(path, u) for u, _ in phase.rows), NOTHING)
        return [self._paid(path, phase), account, coarse, balance]

    def read(self, claim: RootClaim, model: Model, more: dict[Any, Any] | None = None) -> Anchor:
        """The claim about the root of the engine's tree, each of whose nodes must be the theory's.

        `more` has values for what else the claim speaks of.
        """
        with working_precision(PRECISION):
            try:
                found, wrong, checked = self._root
            except OrderError as error:
                return Anchor(claim, (), str(error))
            values = dict(zip(QUANTITIES, found, strict=True))
            anchor = at(claim, model, {**values, **(more or {})})
        return also(anchor, wrong, checked)

    @functools.cached_property
    def _root(self) -> tuple[list[Number], str, frozenset[Function]]:
        """The root's quantities, why a node is refused, and whose assumptions were checked."""
        root = drawn(self.game, self.order)
        read = [self.refused(node) for node in root.nodes]
        wrong = next((complaint for _, complaint in read if complaint), "")
        return self.quantities(root), wrong, frozenset().union(*(m.checked for m, _ in read))


def also(anchor: Anchor, wrong: str, checked: frozenset[Function]) -> Anchor:
    """An anchor, with what else was refused or checked."""
    complaint = anchor.complaint or wrong
    return dataclasses.replace(anchor, complaint=complaint, checked=anchor.checked | checked)


def phase_values(end: End, account: Account, phase: PathPhase) -> dict[Any, Any]:
    """A phase that has ended."""
    game, P, start = account.game, end.phase, phase.first.start - 1
    rows, delays = [row for _, row in phase.rows], game.delays
    now = game.stage(phase.first.stage)

    def estimate(t: int, i: int) -> Number:
        is_seen = t <= len(rows) and rows[t - 1].action == i - 1
        return game.estimate(start + t, rows[t - 1]) if is_seen else NOTHING

    return {
        P.A: game.instance.arms,
        P.delta: game.instance.delta,
        P.alpha: to_fmpq(phase.first.alpha),
        P.gamma: now.rate,
        P.N: len(rows),
        P.R: now.budget,
        P.size: now.largest_clock,
        P.exits: phase.last.soft_restart,
        P.best: game.best_response(phase) + 1,
        P.arm: (account.arm or 0) + 1,
        P.d: lambda r: delays[start + r - 1] if start + r <= len(delays) else 0,
        P.act: rounds([row.action + 1 for row in rows], beyond=1),
        P.safe: rounds(game.comparator()),
        P.est: estimate,
        P.xh: lambda t, i: rows[t - 1].base[i - 1],
        P.x: lambda t, i: rows[t - 1].played[i - 1],
        P.loss: lambda t, i: game.loss(start + t, i - 1),
    }
