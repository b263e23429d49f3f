r"""The repaired theorem itself: E[regret to x^c] <= E[stages] <= ceil(log2 D) + 1.

In the trees of `repaired_tree` the room is 2^(k-1) in phase k, and 0 when no phase is left; cap is
1. A phase ends with regret <= Y + alpha C1 B + rest (`certificates`). Since Q <= R and m <= xi, it
adds at most -2^(k-1) if it ends softly, and else 2^(k-1). By definition alpha = min(2^(k-1)/R, 1),
the threshold is 2 R + xi, the round of a hard restart plays x^c, and there are at least two arms.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import z3

from pbverify.paper.theories.expectation import repaired_tree as trees
from pbverify.paper.theories.expectation.certificates import SafetyEnd, count, n
from pbverify.paper.theories.expectation.expected_regret import Draw
from pbverify.paper.theories.expectation.repaired_tree import HardRestart, OwnScales, is_paid
from pbverify.paper.theories.sums import budget, roots
from pbverify.paper.theories.sums.roots import share
from pbverify.prover.induction.terms import Term
from pbverify.prover.induction.theory import Theorem
from pbverify.prover.induction.tree import Fan, RootClaim, Tree


def opens(fan: Fan, **known: Any) -> tuple[Term, Theorem, dict[str, Any]]:
    """A new stage has room 1, and the round of a hard restart costs nothing."""
    room, cap, cost = trees.at(fan, 1)["room"], fan.node["cap"], known["cost"]
    opened = z3.And(room == 1, cap == 1, cost == 0)
    within = z3.And(room >= 0, room + cost <= cap)
    return opened, fan.theory.theorem("a new stage", [], within, given=opened), {}


class RepairedEnd(OwnScales, SafetyEnd):
    """The end of a phase, against x^c."""

    def _closed(self) -> Theorem:
        T, P, fan = self.T, self.phase, self.fan
        here, below = fan.node, trees.at(fan, 1)
        self.declare_sums()
        bound, needs, rests = self.coarse()
        borrowed = P.borrowing_costs()
        items, covered = self.items(), self.covered()
        alpha, R, N, B = P.alpha, self.budget, self.N, P.B(n)
        whole = P.C1 * B + self.paid(n)
        threshold = 2 * R + self.slack
        credit = threshold - z3.ToReal(P.missing(n))
        worth = z3.If(self.exits, -here["room"], here["room"])
        scaled = T.theorem(
            "scaled by alpha",
            [roots.x, roots.y],
            alpha * roots.x <= alpha * roots.y,
            given=roots.x <= roots.y,
        )
        added = T.theorem(
            "what a phase adds",
            [n],
            alpha * (P.C1 * B) + alpha * self.paid(n) + bound <= worth,
            given=z3.And(
                *(n == N, P.A >= 2, here["room"] >= 0, here["estimate"] >= 1),
                *(alpha == share(here["room"], R), self.threshold == threshold),
                z3.Implies(self.exits, here["room"] < R),
            ),
            use=[
                covered(n),
                items(),
                self.there(budget.MISSING)(trees.HOME),
                self.reals(roots.BANKED)(whole - credit, here["room"], R),
                self.reals(roots.PAID)(whole, here["room"], R),
            ],
            fuel=0,
        )
        laws = z3.And(P.Ysum(P.A) == 1, P.safe_sum(P.A) == 1, P.other_sum(P.A) == 1)
        node = T.theorem(
            "the end of a phase",
            [count, n],
            is_paid(here),
            given=z3.And(
                *(count == 1, n == N, laws, needs, P.A >= 2, here["estimate"] >= 1),
                *(alpha == share(here["room"], R), self.threshold == threshold),
                z3.Implies(self.exits, here["room"] < R),
                here["regret"] == self.regret(n) + below["regret"],
                here["balance"] == self.bias(n) + alpha * P.cost(n),
                here["spent"] == alpha * self.paid(n),
                trees.nothing_open(below),
                below["room"] == z3.If(self.exits, 2 * here["room"], 0),
                trees.same(here, below, trees.KEPT),
            ),
            use=[
                self.pathwise(n),
                borrowed(n),
                rests(n),
                added(n),
                scaled(B * P.D0, P.C1 * B),
            ],
            fuel=0,
        )
        fan.close(node, count)
        return node


# The whole tree.
@dataclasses.dataclass(frozen=True)
class RepairedGame:
    """A tree with all kinds of nodes, and what it says of the root."""

    tree: Tree
    draw: Draw
    idle: Draw
    hard: HardRestart
    end: RepairedEnd
    chain: RootClaim
    """E[regret] <= E[stages] <= L + 1."""
    bound: RootClaim
    """E[regret] <= L + 1."""


def _game() -> RepairedGame:
    tree = Tree("repaired safety", trees.QUANTITIES, is_paid)
    trees.end_of_game(tree)
    kinds = trees.draw(tree), trees.idle(tree), trees.hard_restart(tree, opens), RepairedEnd(tree)
    regret, hards, most = trees.regret, trees.hards, z3.ToReal(trees.levels) + 1
    chain = z3.And(regret <= 1 + hards, 1 + hards <= most)
    claims = {"at most the stages": chain, "at most ceil(log2 D) + 1": regret <= most}
    begins = z3.And(trees.BEGINS, trees.room == 1, trees.cap == 1)
    return RepairedGame(
        tree, *kinds, *(tree.root(name, [], said, given=begins) for name, said in claims.items())
    )


GAME = _game()
