"""The bounds on one phase read in games: every node of the engine's tree is the theory's.

A game is read once for each phase with alpha < 1 that it reaches, and for each arm. The ends of
phases that end softly, and of later phases, are checked on recorded paths as in `repaired_nodes`.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import z3
from flint import fmpq

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import Number
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.cases.all_paths import AllPaths, PathPhase
from pbverify.paper.proofs import bounds_in_expectation as expected
from pbverify.paper.proofs import normal_phase as lemma
from pbverify.paper.proofs.mirror_descent import vertex
from pbverify.paper.proofs.normal_phase import Name
from pbverify.paper.theories.expectation import repaired_nodes
from pbverify.paper.theories.expectation import repaired_tree as trees
from pbverify.paper.theories.expectation.certified_games import Account, regret_account
from pbverify.paper.theories.expectation.drawn_later import Event, Node
from pbverify.paper.theories.expectation.expected_regret import Draw
from pbverify.paper.theories.expectation.one_phase import bounds
from pbverify.paper.theories.expectation.one_phase.ends import ALONE, OnePhaseEnd, PlayedEnd
from pbverify.paper.theories.expectation.regret_games import of_phase
from pbverify.paper.theories.expectation.repaired_nodes import (
    NOTHING,
    Played,
    State,
    soft_game,
)
from pbverify.prover.induction.anchors import Anchor
from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.tree import RootClaim, Tree

ELSEWHERE = "elsewhere"
"""The end of another phase, or a hard restart."""


@dataclasses.dataclass(frozen=True)
class OnePhase:
    """A tree with all kinds of nodes, and what it says of the root."""

    tree: Tree
    draw: Draw
    idle: Draw
    end: OnePhaseEnd
    claim: RootClaim
    hard: None = None


def _one_phase(kind: type[OnePhaseEnd]) -> OnePhase:
    name = f"one phase, {kind.__name__}"
    tree = Tree(name, trees.QUANTITIES, trees.is_paid)
    trees.end_of_game(tree)
    here, below = tree.here, tree.below
    tree.move(
        ELSEWHERE,
        z3.And(
            *(trees.nothing_open(here), trees.nothing_open(below)),
            trees.same(here, below, ("regret", "hards", *trees.STATE)),
        ),
    )
    kinds = trees.draw(tree), trees.idle(tree), kind(tree)
    begins = z3.And(trees.nothing_open(here), ALONE, trees.cap >= 0)
    claim = tree.root("the bound on a phase", [], trees.regret <= trees.hards, given=begins)
    return OnePhase(tree, *kinds, claim)


@dataclasses.dataclass(frozen=True)
class PlayedPhase(Played):
    """A game in which one phase counts."""

    name: Name = dataclasses.field(kw_only=True)
    bound: Callable[[PathPhase], Number] = lambda phase: NOTHING

    def state_after(self, path: Path, past: Sequence[int | Event]) -> State:
        return State(2 ** (self.name.number - 1), 1, self.name.estimate)

    def quantities(self, node: Node) -> list[Number]:
        if id(node) not in self._found:
            self._found[id(node)] = node, self._quantities(node)
        return self._found[id(node)][1]

    @functools.cached_property
    def _found(self) -> dict[int, tuple[Node, list[Number]]]:
        return {}

    def _quantities(self, node: Node) -> list[Number]:
        account = self.account

        def left(path: Path, value: Callable[[Path, Any], Number]) -> Number:
            items = account.order(path)[len(node.past) :]
            return sum((value(path, item) for item in items), NOTHING)

        return self._ordered(
            self.state_after(node.paths[0], node.past),
            regret=node.expectation(lambda p: left(p, lambda p, item: account.adds(p, item)[0])),
            hards=node.expectation(lambda path: left(path, self._allowed)),
            balance=node.known(lambda path: account.balance(path, node.past)),
            spent=node.known(lambda path: self.spent_by(path, node.past)),
        )

    def _ordered(self, now: State, **found: Number) -> list[Number]:
        return super()._ordered(now, exponent=0, levels=1, **found)

    def _counted(self, path: Path, item: int | Event | None) -> PathPhase | None:
        """The phase, if it is its end that is next."""
        if not isinstance(item, tuple) or item[0] == "hard":
            return None
        phase = self.account.phase_of(path, item[1])
        assert phase is not None
        return phase if self.account.counts(phase) else None

    def _allowed(self, path: Path, item: int | Event) -> Number:
        phase = self._counted(path, item)
        return NOTHING if phase is None else self.bound(phase)

    def brings(self, path: Path, event: Event) -> dict[str, Number]:
        return {**super().brings(path, event), "hards": self._allowed(path, event)}

    def refused(self, node: Node) -> str:
        is_elsewhere = isinstance(node.next, tuple) and not self._counted(node.paths[0], node.next)
        if not is_elsewhere:
            return super().refused(node)
        tree, [child] = self.kinds.tree, node.children
        kind = tree.kind(ELSEWHERE)
        pairs = zip(trees.QUANTITIES, self.quantities(node), strict=True)
        below = zip(tree.below.values(), self.quantities(child), strict=True)
        values = {**dict(pairs), **dict(below)}
        is_one = Model(tree.theory, {}).accepts(kind.claim.arg(0), values)
        return "" if is_one else f"{node.next} changes something"


# The kinds of bounds.


@dataclasses.dataclass(frozen=True)
class Bounded:
    """A bound of the lemma: its kind of phase end, whose regret it bounds, to what, and itself."""

    kind: type[OnePhaseEnd]
    bound: Callable[[AllPaths, PathPhase], Number]
    of_iterates: bool = False
    own_length: bool = False
    """Whether the bound has the rounds of the phase for the horizon."""
    to_comparator: bool = False

    @functools.cached_property
    def known(self) -> OnePhase:
        """The theory."""
        return _one_phase(self.kind)

    def lost_to(self, game: AllPaths) -> list[Sequence[Number]]:
        """Against what the regret is taken."""
        arms = game.instance.arms
        return [game.comparator()] if self.to_comparator else [vertex(a, arms) for a in range(arms)]

    def played(self, game: AllPaths, name: Name, to: Sequence[Number]) -> PlayedPhase:
        end = self.known.end
        bound = functools.partial(self.bound, game)
        counted = [
            bound(phase)
            for path in game.paths.paths
            for phase in expected.phases(path)
            if name.names(phase)
        ]
        return PlayedPhase(
            self.known,
            self._account(game, name, to, end),
            room=lambda now: NOTHING,
            cap=sum(counted, NOTHING),
            of_phase=functools.partial(self._of_phase, end, game),
            name=name,
            bound=bound,
        )

    def _account(
        self, game: AllPaths, name: Name, to: Sequence[Number], end: OnePhaseEnd
    ) -> Account:
        own = regret_account(game, 0, end)
        changes: dict[str, Any] = {"to": to, "mirror": lambda phase: to, "counts": name.names}
        changes |= dict.fromkeys(("sharp", "coarse"), lambda phase: NOTHING)
        if not isinstance(end, PlayedEnd):
            changes["more"] = lambda phase: {end.full: False, end.N: len(phase.rows)}
        if self.of_iterates:
            changes |= {"position": lambda row: row.base, "factor": lambda phase: fmpq(1)}
        return dataclasses.replace(own, **changes)

    def _of_phase(
        self, end: OnePhaseEnd, game: AllPaths, phase: PathPhase, now: State
    ) -> dict[Any, Any]:
        values = of_phase(end, game, phase, now)
        if self.of_iterates:
            values[end.budget] = self.bound(game, phase)
        if self.own_length:
            values[end.H] = len(phase.rows)
        return values

    def read(self, game: AllPaths) -> Iterator[Anchor]:
        """Each phase with alpha < 1 that is reached, against each arm."""
        claim = self.known.claim
        for name in lemma.cautious(game):
            for to in self.lost_to(game):
                anchor = self.played(game, name, to).read(claim)
                yield dataclasses.replace(anchor, complaint=anchor.complaint or self.paths_refused)

    @functools.cached_property
    def paths_refused(self) -> str:
        """Why a phase of a long path ends as none of the theory's: softly, or with the game."""
        return self.path_refused(soft_game(), 1) or self.path_refused(soft_game(), 2)

    def path_refused(self, game: AllPaths, number: int) -> str:
        played = self.played(game, Name(1, number), self.lost_to(game)[-1])
        return played.ends_refused(slice(number - 1, number))


def _bound(formula: Callable[..., Any]) -> Callable[[AllPaths, PathPhase], Number]:
    return lambda game, phase: lemma.bound_of(game, formula)(phase)


BOUNDS = {
    "with_estimate": Bounded(bounds.WithEstimate, _bound(lemma.with_estimate)),
    "combined": Bounded(bounds.Combined, _bound(lemma.combined)),
    "to_comparator": Bounded(bounds.ToComparator, lemma.share_of, to_comparator=True),
    "of_iterates": Bounded(bounds.OfIterates, lemma.own_budget, of_iterates=True),
    "banker": Bounded(bounds.OfIterates, lemma.banker_bound, of_iterates=True, own_length=True),
}


HOWEVER_IT_ENDS = (
    "in the mean over all actions, however the phase ends, without the round of a hard restart"
)
"""What the proofs say of a phase; given that it does not restart softly the mean is another."""


@functools.cache
def proof(bound: str) -> InductionProof:
    """The proof of a bound."""
    chosen = BOUNDS[bound]
    found = repaired_nodes.proof(chosen.known.claim, chosen.read)
    return dataclasses.replace(found, scope=f"{found.scope}, {HOWEVER_IT_ENDS}")
