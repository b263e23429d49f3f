r"""The nodes of the engine's trees as those of `repaired_tree`, with the engine's numbers.

Games have the reading's own budget, so few rounds let no phase end softly. Each node of their
complete trees is checked. A phase that does end softly takes more rounds than can be enumerated:
there the end of the phase is checked on a recorded path, with nothing expected after it.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from flint import fmpq

from pbverify.bandits.instance import Instance
from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import Number, working_precision
from pbverify.paper.algorithm.engine import Enumeration, Path, follow
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import PRECISION, AllPaths, PathPhase
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided_instance
from pbverify.paper.proofs.phase_costs import stages_at_most
from pbverify.paper.theories.banker import ledger
from pbverify.paper.theories.expectation import certificates
from pbverify.paper.theories.expectation.certified_games import (
    MADE_OF,
    SCOPE,
    Account,
    ask_children,
    ask_gaps,
    draw_values,
    end_values,
    node_values,
    why_refused,
)
from pbverify.paper.theories.expectation.drawn_later import (
    DEFERRED,
    Event,
    Node,
    OrderError,
    drawn,
)
from pbverify.paper.theories.expectation.expected_regret import Draw, n
from pbverify.paper.theories.expectation.repaired_tree import QUANTITIES, HardRestart, OwnScales
from pbverify.paper.theories.expectation.stage_account import USED
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.tree import RootClaim, Tree

_BALANCE = [str(each) for each in QUANTITIES].index("balance")
NOTHING = fmpq(0)


class Kinds(Protocol):
    """A tree of `repaired_tree` with all kinds of nodes."""

    @property
    def tree(self) -> Tree: ...
    @property
    def draw(self) -> Draw: ...
    @property
    def idle(self) -> Draw: ...
    @property
    def hard(self) -> HardRestart | None: ...
    @property
    def end(self) -> OwnScales: ...


class State(NamedTuple):
    """The algorithm's state when something is drawn or happens."""

    power: int
    """2^(k-1) in phase k; 0 if no phase is left in the stage."""
    stage: int
    estimate: int


@dataclasses.dataclass(frozen=True)
class Played:
    """A game, whose regret it is, and what the quantities of a tree of the theory are there."""

    kinds: Kinds
    account: Account
    room: Callable[[State], Number]
    cap: Number
    of_stage: Callable[[int], dict[Any, Any]] = lambda estimate: {}
    """Values for the names of a hard restart that leads to this estimate."""
    of_phase: Callable[[PathPhase, State], dict[Any, Any]] = lambda phase, now: {}
    """More values for the names of the end of a phase."""

    def state_after(self, path: Path, past: Sequence[int | Event]) -> State:
        now = State(1, 1, 1)
        for kind, t in (item for item in past if isinstance(item, tuple)):
            if kind == "hard":
                now = State(1, now.stage + 1, path.rows[t - 1].delay_estimate)
            else:
                phase = self.account.phase_of(path, t)
                assert phase is not None
                now = now._replace(power=2 * now.power if phase.exits else 0)
        return now

    def spent_by(self, path: Path, past: Sequence[int | Event]) -> Number:
        """alpha C2/sigma of each draw of the phase that has not ended yet."""
        account, total = self.account, NOTHING
        for item in past:
            if isinstance(item, tuple):
                total = NOTHING
            elif (phase := account.phase_of(path, item)) is not None:
                C2, row = account.game.constants[1], path.rows[item - 1]
                total = total + account.weight(phase) * C2 / row.sigma
        return total

    def quantities(self, node: Node) -> list[Number]:
        """The quantities of a node, in the order of the theory."""
        account = self.account

        def left(path: Path, value: Any) -> Number:
            items = account.order(path)[len(node.past) :]
            return sum((value(path, item) for item in items), NOTHING)

        paid = node.expectation(lambda path: left(path, lambda p, item: account.adds(p, item)[0]))
        hards = node.expectation(lambda path: left(path, lambda p, item: fmpq(_is_hard(item))))
        return self._ordered(
            State(*node.known(lambda path: self.state_after(path, node.past))),
            regret=paid,
            hards=hards * self.cap,
            balance=node.known(lambda path: account.balance(path, node.past)),
            spent=node.known(lambda path: self.spent_by(path, node.past)),
        )

    def _ordered(self, now: State, **found: Number) -> list[Number]:
        """All quantities; those that are not given are 0."""
        known = {
            "room": self.room(now),
            "stage": now.stage,
            "exponent": now.estimate.bit_length() - 1,
            "estimate": now.estimate,
            "levels": stages_at_most(self.account.game.total_delay) - 1,
            "cap": self.cap,
            **found,
        }
        return [known.get(name, NOTHING) for name in self.kinds.tree.names]

    # Nodes.

    def refused(self, node: Node) -> str:
        """Why a node is none of the theory's; empty if it is one."""
        here = self.quantities(node)
        below = [self.quantities(child) for child in node.children]
        if node.round is not None:
            return self._draw_refused(node, here, below)
        if node.next is None:
            tree = self.kinds.tree
            leaf = tree.kind("end of the game")
            values = dict(zip(QUANTITIES, here, strict=True))
            is_one = Model(tree.theory, {}).accepts(leaf.claim.arg(0), values)
            return "" if is_one else "the end of the game is refused"
        assert isinstance(node.next, tuple)
        if _is_hard(node.next):
            return self._hard_refused(node, node.next[1], here, below)
        return self._end_refused(node.paths[0], node.past, node.next, here, below[0])

    def _draw_refused(
        self, node: Node, here: Sequence[Number], below: Sequence[Sequence[Number]]
    ) -> str:
        t, account = node.round, self.account
        assert t is not None
        phase = account.phase_of(node.paths[0], t)
        kind = self.kinds.idle if phase is None else self.kinds.draw
        values = {**node_values(kind.fan, here, below), kind.names["x"]: rounds(node.law)}
        values[kind.names["A"]] = len(node.law)
        if phase is not None:
            gains = [each[_BALANCE] - here[_BALANCE] for each in below]
            values |= draw_values(kind.names, account, node, phase, gains)
        model = Model(kind.fan.theory, values)
        if phase is not None:
            ask_children(model, kind.names)
        return why_refused(model, kind.node, {n: len(node.law)}, f"the draw of round {t}")

    def _hard_refused(
        self, node: Node, t: int, here: Sequence[Number], below: Sequence[Sequence[Number]]
    ) -> str:
        kind, path, game = self.kinds.hard, node.paths[0], self.account.game
        assert kind is not None
        rows = enumerate(path.rows[: t - 1], start=1)
        start = max((r for r, row in rows if row.soft_restart or row.hard_restart), default=0)
        values = {
            **node_values(kind.fan, here, below),
            kind.names["delay"]: rounds(game.instance.delays.to_json()),
            kind.names["H"]: game.rounds,
            kind.names["start"]: start,
            kind.names["N"]: t - 1 - start,
            kind.names["cost"]: self.account.adds(path, ("hard", t))[0],
            **self.of_stage(path.rows[t - 1].delay_estimate),
        }
        model = Model(kind.fan.theory, values)
        where = f"the hard restart in round {t}"
        return why_refused(model, kind.node, {certificates.count: 1}, where)

    def _end_refused(
        self,
        path: Path,
        past: Sequence[int | Event],
        event: Event,
        here: Sequence[Number],
        below: Sequence[Number],
    ) -> str:
        end, game = self.kinds.end, self.account.game
        phase = self.account.phase_of(path, event[1])
        assert phase is not None
        run, rows = Run(game.paths.trace(path)), [row for _, row in phase.rows]
        values = {
            **node_values(end.fan, here, [below]),
            **end_values(end, self.account, run, phase),
            end.H: game.rounds,
            end.N: len(rows),
            end.budget: game.stage_at(rows[0].delay_estimate).budget,
            end.scale: rounds([row.sigma for row in rows]),
            **self.of_phase(phase, self.state_after(path, past)),
        }
        model = Model(end.T, values)
        ledger.asked_everywhere(model, end.phase.path.ledger, len(rows))
        ask_gaps(model, end, game.instance.arms)
        model.ask(end.scale, range(1, len(rows) + 1))
        variables = {certificates.count: 1, certificates.n: len(rows)}
        where = f"the end of the phase from round {event[1]}"
        return why_refused(model, end.node, variables, where)

    # Whole games, and paths.

    def ends_refused(self, which: slice = slice(None)) -> str:
        """Why one of these phases of a path without hard restarts ends as none of the theory's."""
        with working_precision(PRECISION):
            [path] = self.account.game.paths.paths
            order = self.account.order(path)
            ends = [index for index, item in enumerate(order) if isinstance(item, tuple)][which]
            return next(filter(None, (self._path_refused(path, index) for index in ends)), "")

    def brings(self, path: Path, event: Event) -> dict[str, Number]:
        """What is expected of an event, and by quantity."""
        return {"regret": self.account.adds(path, event)[0]}

    def _path_refused(self, path: Path, index: int) -> str:
        """The same of what comes next on the path; nothing is expected after it."""
        order, account = self.account.order(path), self.account
        past, event = order[:index], order[index]
        assert isinstance(event, tuple)
        here = self._ordered(
            self.state_after(path, past),
            **self.brings(path, event),
            balance=account.balance(path, past),
            spent=self.spent_by(path, past),
        )
        below = self._ordered(self.state_after(path, order[: index + 1]))
        return self._end_refused(path, past, event, here, below)

    def read(self, claim: RootClaim, known: Mapping[Any, Any] | None = None) -> Anchor:
        """The claim about the root of the engine's tree, each of whose nodes must be the theory's.

        `known` has values for what else the claim speaks of.
        """
        theory, known = self.kinds.tree.theory, known or {}
        model = Model(theory, {k: v for k, v in known.items() if k.decl() in theory.parameters})
        with working_precision(PRECISION):
            try:
                root = drawn(self.account.game, self.account.order)
                wrong = next(filter(None, map(self.refused, root.nodes)), "")
            except OrderError as error:
                return Anchor(claim, (), str(error))
            values = dict(zip(QUANTITIES, self.quantities(root), strict=True))
            anchor = at(claim, model, {**known, **values})
        return dataclasses.replace(anchor, complaint=wrong or anchor.complaint)


def _is_hard(item: int | Event) -> bool:
    return isinstance(item, tuple) and item[0] == "hard"


# Paths that are too long for a tree.
@dataclasses.dataclass(frozen=True)
class _OnePath(AllPaths):
    """The one path of the instance's own actions."""

    @functools.cached_property
    def paths(self) -> Enumeration:
        return follow(self.instance, self.reading, precision=PRECISION)


def soft_game(**options: Any) -> AllPaths:
    """Arm 0 always loses and is always played; one item is missing when phase 1 ends softly."""
    delays = [*[0] * 128, 1, 3, *[0] * 10]
    return one_path(lopsided_instance(delays), **options)


def bold_game() -> AllPaths:
    """Arm 0 always loses and is always played; alpha = 1 in the last three rounds."""
    return one_path(lopsided_instance([0] * 3_613))


def one_path(instance: Instance, **options: Any) -> AllPaths:
    return _OnePath(instance, preset("repaired").with_options(**options))


def proof(claim: RootClaim, anchors: Callable[[AllPaths], Iterable[Anchor]]) -> InductionProof:
    return InductionProof(
        [claim],
        anchors,
        SCOPE,
        assuming=[DEFERRED],
        made_of=(*MADE_OF, "banker-ledger", *USED),
    )
