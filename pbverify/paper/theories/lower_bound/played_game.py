"""The transcripts of a learner, as the engine lists them, read as numbers of the theory."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pbverify.numerics import Number, to_fmpq
from pbverify.paper.lower_bound.proof_steps import Statistical
from pbverify.paper.lower_bound.transcripts import Leaf
from pbverify.paper.theories.lower_bound import hard_game as game
from pbverify.paper.theories.lower_bound import loss_tables, table_regrets, transcripts
from pbverify.paper.theories.lower_bound.hard_game import symbol
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import Function

Step = tuple[str, int]
"""An action (`act`, arm), or a variable that is seen (`see`, variable)."""


@dataclasses.dataclass
class Node:
    """What happened up to a node, and the full transcripts that continue it."""

    parent: int
    steps: tuple[tuple[Step, int], ...]
    leaves: list[Leaf]
    children: range = range(0)
    reveals: int = 0

    @property
    def seen(self) -> dict[int, int]:
        """The variables that were seen, from 1, with their values."""
        return {which + 1: value for (kind, which), value in self.steps if kind == "see"}

    @property
    def actions(self) -> list[int]:
        return [arm for (kind, arm), _ in self.steps if kind == "act"]


class PlayedGame:
    """All transcripts of a learner in a hard game as a tree, its nodes numbered from the root."""

    def __init__(self, subject: Statistical) -> None:
        self.game, self.found = subject.game, subject.found
        self.nodes = [Node(0, (), list(self.found.leaves))]
        self.last = [1]
        for number, node in enumerate(self.nodes, start=1):
            self._grow(number, node)

    def path(self, leaf: Leaf) -> list[tuple[Step, int]]:
        """The actions of each block, then what was seen in it; equal actions stay together."""
        path: list[tuple[Step, int]] = []
        owner = self.game.block_of_variable
        for m, block in enumerate(self.game.blocks):
            path += [(("act", leaf.actions[slot]), 0) for slot in block]
            path += [(("see", v), value) for v, value in leaf.seen if owner[v] == m]
        return path

    def _grow(self, number: int, node: Node) -> None:
        depth = len(node.steps)
        following: dict[tuple[Step, int], list[Leaf]] = {}
        for leaf in node.leaves:
            path = self.path(leaf)
            if depth < len(path):
                following.setdefault(path[depth], []).append(leaf)
        first = len(self.nodes)
        for step in sorted(following, key=lambda step: (step[0], step[1])):
            self.nodes.append(Node(number, (*node.steps, step), following[step]))
        kinds = {step[0] for step in following}
        shown = [which for kind, which in kinds if kind == "see"]
        node.reveals = shown[0] + 1 if shown else 0
        node.children = range(first + 1, len(self.nodes) + 1)
        self.last.append(len(self.nodes))

    def weight(self, z: int) -> Number:
        """The probability of the actions: what draws share out, and what both values have."""
        return self._weights[z - 1]

    @functools.cached_property
    def _weights(self) -> list[Number]:
        found: list[Number] = [to_fmpq(0)] * len(self.nodes)
        for z in range(len(self.nodes), 0, -1):
            node = self.nodes[z - 1]
            below = [found[child - 1] for child in node.children]
            if node.reveals:
                found[z - 1] = below[0]
            else:
                own = below or [leaf.weight for leaf in node.leaves]
                found[z - 1] = sum(own, start=to_fmpq(0))
        return found

    def law(self, z: int) -> Number:
        """The probability with which the parent draws a node."""
        parent = self.nodes[z - 1].parent if 2 <= z <= len(self.nodes) else 0
        if not parent or self.nodes[parent - 1].reveals:
            return to_fmpq(0)
        return self.weight(z) / self.weight(parent)

    def probability(self, z: int, sign: int) -> Number:
        """P+ or P- of all transcripts that continue a node."""
        below = {id(leaf) for leaf in self.nodes[z - 1].leaves}
        return self.found.expectation(lambda leaf: int(id(leaf) in below), sign)

    def plays(self, z: int, v: int) -> int:
        """In how many slots of a variable arm 2 was played before a node."""
        actions = self.nodes[z - 1].actions if 1 <= z <= len(self.nodes) else []
        return sum(
            arm == 1 for arm, owner in zip(actions, self._owners, strict=False) if owner == v
        )

    @functools.cached_property
    def _owners(self) -> list[int]:
        """The variable of every slot, from 1."""
        blocks = enumerate(self.game.blocks)
        return [self.game.variable(slot, m) + 1 for m, block in blocks for slot in block]

    @functools.cached_property
    def leaf_numbers(self) -> list[int]:
        """The node of every full transcript, in the engine's order."""
        of = {id(leaf): z for z, node in enumerate(self.nodes, start=1) for leaf in node.leaves}
        return [of[id(leaf)] for leaf in self.found.leaves]

    def table(self, k: int) -> tuple[int, ...]:
        """Table k: the binary digits of k - 1, the lowest first."""
        return tuple(self.bit(k, v) for v in range(1, self.variables + 1))

    @staticmethod
    def bit(k: int, v: int) -> int:
        return (k - 1) >> (v - 1) & 1 if v >= 1 else 0

    @property
    def variables(self) -> int:
        return len(self.game.block_of_variable)

    def regret(self, c: int, k: int) -> Number:
        """A regret of the engine on table k."""
        table = self.table(k)
        if c == 2:
            return self.found.tables[table][1]
        return (self.found.safety_regret if c == 0 else self.found.largest_regret)(table)

    @functools.cached_property
    def model(self) -> Model:
        """The theory about this learner in this game; every node and every table is asked for."""
        model = Model(game.T, self.values())
        for function, ranges in self.points():
            model.ask(function, *ranges)
        return model

    def values(self) -> dict[Function, Any]:
        """What the symbols of the game's theory are here."""
        shared = {symbol(source): value for source, value in self.of_transcripts().items()}
        return {**self._of_game(), **shared}

    def of_transcripts(self) -> dict[Any, Any]:
        """What the symbols of the theories of transcripts and loss tables are here."""
        return {**self._of_tree(), **self._of_tables()}

    def points(self) -> Iterator[tuple[Function, Sequence[Iterable[int]]]]:
        """Where the theory assumes something of the nodes, the variables and the tables."""
        for source, ranges in self.points_of_transcripts():
            yield symbol(source), ranges
        yield game.block, [range(1, self.variables + 1)]

    def points_of_transcripts(self) -> Iterator[tuple[Any, Sequence[Iterable[int]]]]:
        """Those of them that the theories of transcripts and loss tables share."""
        variables, nodes = range(1, self.variables + 1), range(1, len(self.nodes) + 1)
        tables = range(1, 2**self.variables + 1)
        for f in (transcripts.reveals, transcripts.law, transcripts.last, transcripts.parent):
            yield f, [nodes]
        yield transcripts.probability, [nodes, (1, -1)]
        for f in (transcripts.seen, transcripts.value, transcripts.plays):
            yield f, [nodes, variables]
        yield table_regrets.pure, [range(1, self.game.arms + 1), tables]

    def _of_game(self) -> dict[Function, Any]:
        hard = self.game
        ends = [block + 1 for block in hard.block_of_variable]
        return {
            game.A.decl(): hard.arms,
            game.M.decl(): len(hard.lengths),
            game.constant.decl(): hard.constant,
            game.L: rounds(hard.lengths),
            game.delta.decl(): hard.delta,
            game.spread.decl(): hard.spread,
            game.kappa.decl(): hard.kappa,
            game.n.decl(): self.variables,
            game.slots: lambda v: self._owners.count(v) or 1,
            game.end: lambda m: sum(block <= m for block in ends),
            game.block: rounds(ends),
        }

    def _of_tree(self) -> dict[Any, Any]:
        Z = len(self.nodes)

        def node(z: int) -> Node:
            return self.nodes[z - 1]

        def seen(z: int, v: int) -> bool:
            return v == -z if z <= 0 else z <= Z and v in node(z).seen

        return {
            transcripts.Z: Z,
            transcripts.reveals: lambda h: node(h).reveals if 1 <= h <= Z else 0,
            transcripts.law: self.law,
            transcripts.last: lambda h: self.last[h] if 0 <= h <= Z else max(1, Z * (h > Z)),
            transcripts.parent: lambda z: node(z).parent if 1 <= z <= Z else 0,
            transcripts.weight: lambda z: self.weight(z) if 1 <= z <= Z else to_fmpq(0),
            transcripts.seen: seen,
            transcripts.value: lambda z, v: 1 if z <= 0 else node(z).seen.get(v, 0),
            transcripts.plays: self.plays,
            transcripts.probability: self.probability,
        }

    def _of_tables(self) -> dict[Any, Any]:
        return {
            loss_tables.top: lambda k: (k - 1).bit_length() - 1 if k >= 2 else 0,
            loss_tables.bit: self.bit,
            table_regrets.pure: lambda i, k: self.found.tables[self.table(k)][i - 1],
            table_regrets.regret: lambda c, k, a, e: self.regret(c, k),
        }
