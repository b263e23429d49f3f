r"""Importance-weighted estimates are unbiased, in every tree of draws.

At a node an action a is drawn from a law x. If the draw counts, it adds <l^, v> to one sum and
<l, v> to another, where l^ is l(a)/x(a) at a and 0 elsewhere, and the vector v and whether the draw
counts are known before. Then the expected sums are equal at every node of every tree, for any
losses and any number of arms. If v = e_y - x^c for an arm y and 0 <= l <= 1, then <l, v> <= 1, so
the first sum is at most the number of draws that count, each taken 2/delta times.

Which draws count, and the order, is what makes a statement of this: all rounds of a phase in the
order of play; or the rounds that are missing when a phase ends softly, each drawn when its feedback
arrives. By definition: x is a law without zeros, x^c one with margin 0 < delta <= 1.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import z3
from flint import fmpq

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import Number, to_fmpq, working_precision
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.cases.all_paths import PRECISION, AllPaths, PathPhase
from pbverify.paper.proofs.mirror_descent import vertex
from pbverify.paper.theories.expectation.drawn_later import (
    DEFERRED,
    Game,
    Node,
    Order,
    OrderError,
    drawn,
    when_observed,
    when_played,
)
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.terms import BOOL, INT, REAL
from pbverify.prover.induction.theory import Theorem
from pbverify.prover.induction.tree import Fan, RootClaim, Tree

n = z3.Int("n")
estimated, actual, most = z3.Reals("estimated actual most")


@dataclasses.dataclass(frozen=True)
class Draws:
    """A tree of draws with two expected sums, and the theorems about one of its nodes."""

    tree: Tree
    fan: Fan
    node: Theorem
    inputs: dict[str, Any]


def _draw(tree: Tree, other: z3.ArithRef) -> tuple[Fan, dict[str, Any]]:
    """A draw of an arm 1..n: its law, losses, and what the first sum expects."""
    tree.leaf("end", z3.And(estimated == 0, other == 0))
    fan = tree.fan("draw")
    T = fan.theory
    x = T.input("x", INT, REAL, where=lambda x, i: x(i) > 0)
    return fan, {"x": x, "counts": T.parameter("counts", BOOL)}


def _equal_means() -> Draws:
    tree = Tree("unbiased estimates", [estimated, actual], lambda q: q["estimated"] == q["actual"])
    fan, inputs = _draw(tree, actual)
    T, x, counts = fan.theory, inputs["x"], inputs["counts"]
    loss, v = T.input("l", INT, REAL), T.input("v", INT, REAL)
    mass = T.sum("mass", lambda i: x(i), sort=REAL)
    inner = T.sum("<l, v>", lambda i: loss(i) * v(i), sort=REAL)
    left = T.sum(
        "E estimated",
        lambda a: x(a) * (z3.If(counts, loss(a) / x(a) * v(a), 0) + fan.child["estimated"](a)),
        sort=REAL,
    )
    right = T.sum("E actual", lambda a: x(a) * fan.child["actual"](a), sort=REAL)
    LINEAR = T.theorem(
        "E estimated - E actual",
        [n],
        left(n) - right(n) == z3.If(counts, inner(n), 0),
        induct=n,
    )
    node = T.theorem(
        "a draw is unbiased",
        [n],
        fan.node["estimated"] == fan.node["actual"],
        given=z3.And(
            n >= 1,
            mass(n) == 1,
            fan.node["estimated"] == left(n),
            fan.node["actual"] == z3.If(counts, inner(n), 0) + right(n),
        ),
        use=[LINEAR(n)],
        fuel=0,
    )
    fan.close(node, n)
    return Draws(tree, fan, node, {**inputs, "l": loss, "v": v})


def _bounded_means() -> Draws:
    tree = Tree(
        "estimates of missing rounds", [estimated, most], lambda q: q["estimated"] <= q["most"]
    )
    fan, inputs = _draw(tree, most)
    T, x, counts = fan.theory, inputs["x"], inputs["counts"]
    loss = T.input("l", INT, REAL, where=lambda f, i: z3.And(f(i) >= 0, f(i) <= 1))
    delta = T.parameter("delta", REAL, where=lambda d: z3.And(d > 0, d <= 1))
    c = T.input("c", INT, REAL, where=lambda c, i: c(i) >= delta)
    y = T.parameter("y", INT)

    def v(i: Any) -> Any:
        return z3.If(i == y, 1, 0) - c(i)

    mass = T.sum("mass", lambda i: x(i), sort=REAL)
    inner = T.sum("<l, v>", lambda i: loss(i) * v(i), sort=REAL)
    left = T.sum(
        "E estimated",
        lambda a: x(a) * (z3.If(counts, loss(a) / x(a) * v(a), 0) + fan.child["estimated"](a)),
        sort=REAL,
    )
    right = T.sum("E most", lambda a: x(a) * fan.child["most"](a), sort=REAL)
    LEAD = T.theorem(
        "<l, e_y - x^c> <= 1",
        [n],
        inner(n) <= z3.If(n >= y, 1, 0),
        induct=n,
        given=y >= 1,
    )
    LINEAR = T.theorem(
        "E estimated - E most",
        [n],
        left(n) - right(n) <= z3.If(counts, inner(n), 0),
        induct=n,
    )
    LARGE = T.theorem("2/delta >= 1", [], 2 / delta >= 1)
    node = T.theorem(
        "a draw of a missing round",
        [n],
        fan.node["estimated"] <= fan.node["most"],
        given=z3.And(
            n >= 1,
            y >= 1,
            mass(n) == 1,
            fan.node["estimated"] == left(n),
            fan.node["most"] == z3.If(counts, 2 / delta, 0) + right(n),
        ),
        use=[LINEAR(n), LEAD(n), LARGE()],
        fuel=0,
    )
    fan.close(node, n)
    return Draws(tree, fan, node, {**inputs, "l": loss, "delta": delta, "c": c, "y": y})


EQUAL, BOUNDED = _equal_means(), _bounded_means()
UNBIASED = EQUAL.tree.root("equal expectations", [], estimated == actual)
AT_MOST = BOUNDED.tree.root("what missing rounds are expected to add", [], estimated <= most)


@dataclasses.dataclass(frozen=True)
class Counting:
    """Which draws of a game count, and against which vector, in which order they are made."""

    game: Game
    order: Order
    counts: Callable[[Path, int], bool]
    """Whether the draw of a round counts on a path."""
    vector: Callable[[Path, int], Sequence[Number]]
    """v, where it does."""

    def estimated(self, path: Path, t: int) -> Number:
        """What the draw of a round adds to the first sum, <l^, v>."""
        row, arm = path.rows[t - 1], path.rows[t - 1].action
        return self.game.loss(t, arm) / row.played[arm] * self.vector(path, t)[arm]

    def actual(self, path: Path, t: int) -> Number:
        """What it adds to the second, <l, v>."""
        return self.game.expected_loss(t, self.vector(path, t))

    def sums(self, node: Node, second: Callable[[Path, int], Number]) -> list[Number]:
        """The expected sums over the draws that count and are not made yet."""
        return [
            node.expectation(functools.partial(self._left, node=node, of=of))
            for of in (self.estimated, second)
        ]

    def _left(self, path: Path, *, node: Node, of: Callable[[Path, int], Number]) -> Number:
        terms = (self._term(path, t, of) for t in when_played(path) if t not in node.drawn)
        return sum(terms, fmpq(0))

    def _term(self, path: Path, t: int, of: Callable[[Path, int], Number]) -> Number:
        key = path.actions, t, of
        if key not in self._known:
            self._known[key] = of(path, t) if self.counts(path, t) else fmpq(0)
        return self._known[key]

    @functools.cached_property
    def _known(self) -> dict[Any, Number]:
        return {}


def read(
    claim: RootClaim,
    draws: Draws,
    counting: Counting,
    second: Callable[[Path, int], Number],
    more: Callable[..., dict[Any, Any]],
) -> Anchor:
    """The claim about the root of the engine's tree, each of whose nodes must be a draw."""
    with working_precision(PRECISION):
        try:
            root = drawn(counting.game, counting.order)
            wrong = _complaint(draws, counting, root, second, more)
        except OrderError as error:
            return Anchor(claim, (), str(error))
        sums = zip(draws.tree.quantities, counting.sums(root, second), strict=True)
        anchor = at(claim, Model(draws.tree.theory, {}), dict(sums))
    return dataclasses.replace(anchor, complaint=wrong or anchor.complaint)


def _complaint(
    draws: Draws,
    counting: Counting,
    root: Node,
    second: Callable[[Path, int], Number],
    more: Callable[..., dict[Any, Any]],
) -> str:
    """Why the engine's tree is none of the theory's; empty if it is one."""
    for node in root.nodes:
        if node.round is None:
            continue
        sums = [counting.sums(each, second) for each in (node, *node.children)]
        model = _model(draws, counting, node, sums, more)
        if not model.accepts(draws.node.given, {n: len(node.law)}):
            return f"the draw of round {node.round} is none of {draws.tree.name}"
        if broken := model.broken_assumption():
            return f"the assumption on {broken} does not hold"
    return ""


def _model(
    draws: Draws,
    counting: Counting,
    node: Node,
    sums: Sequence[Sequence[Number]],
    more: Callable[..., dict[Any, Any]],
) -> Model:
    """The theory of a draw with the numbers of a node and its children."""
    u = node.round
    assert u is not None
    counts = node.known(lambda path: counting.counts(path, u))
    losses = [counting.game.loss(u, arm) for arm in range(len(node.law))]
    values = {draws.inputs["counts"]: counts, draws.inputs["x"]: rounds(node.law)}
    values |= {draws.inputs["l"]: rounds(losses)}
    for i, name in enumerate(draws.tree.names):
        values[draws.fan.node[name]] = sums[0][i]
        values[draws.fan.child[name]] = rounds([each[i] for each in sums[1:]])
    return Model(draws.fan.theory, values | more(node, counts=counts))


def estimates_of_a_phase(game: AllPaths) -> Iterator[Anchor]:
    """For phases 1 and 2 of the first stage, and every arm as x."""
    for k, arm in itertools.product((1, 2), range(game.instance.arms)):
        to = vertex(arm, game.instance.arms)

        def is_in_phase(path: Path, t: int, k: int = k) -> bool:
            row = path.rows[t - 1]
            return row.stage == 1 and row.phase == k and not row.hard_restart

        def lead(path: Path, t: int, to: Sequence[Number] = to) -> list[Number]:
            return [x - y for x, y in zip(path.rows[t - 1].base, to, strict=True)]

        yield equal(Counting(game, when_played, is_in_phase, lead))


def missing_rounds(game: AllPaths) -> Iterator[Anchor]:
    yield equal(missing_counting(game))


def missing_total(game: AllPaths) -> Iterator[Anchor]:
    counting, item = missing_counting(game), 2 / to_fmpq(game.instance.delta)

    def more(node: Node, *, counts: bool) -> dict[Any, Any]:
        best = node.known(lambda path: game.best_response(_phase(game, path))) if counts else 0
        own = BOUNDED.inputs
        safe = game.comparator()
        return {own["c"]: rounds(safe), own["delta"]: game.instance.delta, own["y"]: best + 1}

    yield read(AT_MOST, BOUNDED, counting, lambda path, t: item, more)


def equal(counting: Counting) -> Anchor:
    def more(node: Node, *, counts: bool) -> dict[Any, Any]:
        zero = [fmpq(0)] * len(node.law)
        v = node.known(lambda path: counting.vector(path, node.round or 0)) if counts else zero
        return {EQUAL.inputs["v"]: rounds(v)}

    return read(UNBIASED, EQUAL, counting, counting.actual, more)


def _phase(game: AllPaths, path: Path) -> PathPhase:
    phase = game.phase(path, 1)
    assert phase is not None
    return phase


def missing_counting(game: AllPaths) -> Counting:
    """The rounds of phase 1 that are missing when it ends softly, against e_y - x^c."""
    safe = game.comparator()

    def is_missing(path: Path, t: int) -> bool:
        phase = game.phase(path, 1)
        if phase is None or not phase.exits:
            return False
        return any(t == u for u, _ in game.missing(phase, at=phase.end))

    def lead(path: Path, t: int) -> list[Number]:
        best = vertex(game.best_response(_phase(game, path)), game.instance.arms)
        return [y - c for y, c in zip(best, safe, strict=True)]

    return Counting(game, when_observed(game), is_missing, lead)


SCOPE = "all horizons, arms, delays and losses"
PHASE = InductionProof([UNBIASED], estimates_of_a_phase, SCOPE)
MISSING = InductionProof([UNBIASED], missing_rounds, SCOPE, assuming=[DEFERRED])
MISSING_TOTAL = InductionProof([AT_MOST], missing_total, SCOPE, assuming=[DEFERRED])
