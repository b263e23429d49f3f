r"""The certificates of expected regret for all horizons, arms, oblivious delays and losses.

The trees of `expected_regret` with the ends of phases of `certificates`. At the root nothing has
been drawn and the balance is 0, so regret <= sharp account <= coarse account. The trees are the
engine's: actions are drawn when their feedback arrives, those that are still missing at the end of
their phase there, in turn, and each node must be one of the theory's with the engine's numbers and
with the accounts of `bounds_in_expectation`.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import z3
from flint import fmpq

from pbverify.bandits.mirror_maps import regularizer
from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import BallArithmetic, Number, working_precision
from pbverify.paper.algorithm.engine import Path
from pbverify.paper.algorithm.prudent_banker import Round
from pbverify.paper.cases.all_paths import PRECISION, AllPaths, PathPhase
from pbverify.paper.cases.run import Run
from pbverify.paper.proofs import bounds_in_expectation as expected
from pbverify.paper.proofs.mirror_descent import vertex
from pbverify.paper.theories.banker import banker_path, ledger
from pbverify.paper.theories.expectation import certificates
from pbverify.paper.theories.expectation.certificates import (
    PhaseEnd,
    RegretEnd,
    RegretEndOfLearner,
    SafetyEnd,
)
from pbverify.paper.theories.expectation.drawn_later import (
    DEFERRED,
    Event,
    Node,
    OrderError,
    by_arrival,
    drawn,
)
from pbverify.paper.theories.expectation.expected_regret import (
    QUANTITIES,
    Draw,
    balance,
    coarse,
    cost,
    game_tree,
    n,
    regret,
    sharp,
)
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.theory import Theorem
from pbverify.prover.induction.tree import Fan, RootClaim, Tree

Vector = Sequence[Number]
_PSI, _BALLS = regularizer("negative-entropy"), BallArithmetic(PRECISION)


@dataclasses.dataclass(frozen=True)
class Certificate:
    """A tree with all kinds of nodes, and what it says of the root."""

    tree: Tree
    draw: Draw
    idle: Draw
    end: PhaseEnd
    claim: RootClaim


def certificate(name: str, kind: type[PhaseEnd]) -> Certificate:
    tree, draw, idle = game_tree(name)
    end = kind(tree)
    claim = tree.root(name, [], z3.And(regret <= sharp, sharp <= coarse), given=balance == 0)
    return Certificate(tree, draw, idle, end, claim)


SAFETY = certificate("regret to the comparator", SafetyEnd)
REGRET = certificate("regret", RegretEnd)
REGRET_OF_LEARNER = certificate("regret, with the gap of the learner", RegretEndOfLearner)


@dataclasses.dataclass(frozen=True)
class Account:
    """Whose regret is certified: against which law, in which phases, and by which accounts."""

    game: AllPaths
    to: Vector
    mirror: Callable[[PathPhase], Vector]
    """y."""
    factor: Callable[[PathPhase], Number]
    """k."""
    sharp: Callable[[PathPhase], Number]
    coarse: Callable[[PathPhase], Number]
    more: Callable[[PathPhase], dict[Any, Any]]
    """Values for the names of the kind of phase end."""
    counts: Callable[[PathPhase], bool] = lambda phase: True
    position: Callable[[Round], Vector] = lambda row: row.played
    """Whose regret it is: that of the played laws, or of the iterates."""
    hard: Number | None = None
    """What a hard restart adds to the coarse account, if not its cost."""

    # What a path adds to regret, sharp and coarse account, by the draw or event.

    def adds(self, path: Path, item: int | Event) -> Sequence[Number]:
        key = path.actions, item
        if key not in self._sums:
            self._sums[key] = self._added(path, item)
        return self._sums[key]

    def phases(self, path: Path) -> list[PathPhase]:
        """The phases of a path, in order."""
        if path.actions not in self._phases:
            self._phases[path.actions] = list(expected.phases(path))
        return self._phases[path.actions]

    @functools.cached_property
    def _sums(self) -> dict[Any, Sequence[Number]]:
        return {}

    @functools.cached_property
    def _phases(self) -> dict[tuple[int, ...], list[PathPhase]]:
        return {}

    def _added(self, path: Path, item: int | Event) -> Sequence[Number]:
        if isinstance(item, int):
            phase = self.phase_of(path, item)
            return (fmpq(0), *(self._share(phase, item) if phase is not None else [fmpq(0)] * 2))
        kind, t = item
        if kind == "hard":
            cost = expected.paid(self.game, [(t, path.rows[t - 1])], self.to)
            counted = cost if self._is_whole else fmpq(0)
            return counted, counted, counted if self.hard is None else self.hard
        phase = self.phase_of(path, t)
        assert phase is not None
        if not self.counts(phase):
            return [fmpq(0)] * 3
        shares = [self._share(phase, u) for u, _ in phase.rows]
        rest = [sum((share[i] for share in shares), fmpq(0)) for i in (0, 1)]
        paid = sum((self._lost(t, row) for t, row in phase.rows), fmpq(0))
        return paid, self.sharp(phase) - rest[0], self.coarse(phase) - rest[1]

    def _lost(self, t: int, row: Round) -> Number:
        """<l, x - o>."""
        loss = self.game.expected_loss
        return loss(t, self.position(row)) - loss(t, self.to)

    @property
    def _is_whole(self) -> bool:
        """Whether all phases count, and hard restarts with them."""
        return self.counts is Account.counts

    def _share(self, phase: PathPhase, t: int) -> list[Number]:
        """What the draw of a round adds to the accounts: w N and w C2/sigma."""
        row, w = dict(phase.rows)[t], self.weight(phase)
        C2 = self.game.constants[1]
        return [w * expected.immediate_cost(self.game, _PSI, t, row), w * C2 / row.sigma]

    def weight(self, phase: PathPhase) -> Number:
        return self.factor(phase) * int(self.counts(phase))

    def phase_of(self, path: Path, t: int) -> PathPhase | None:
        """The phase to which a round belongs; None if it restarts hard."""
        return next((p for p in self.phases(path) if any(t == u for u, _ in p.rows)), None)

    def vector(self, phase: PathPhase, t: int) -> list[Number]:
        """v: x - o, or k (x^ - y) if the round is missing at the end of its phase."""
        row, counted = dict(phase.rows)[t], int(self.counts(phase))
        if any(t == u for u, _ in self.game.missing(phase, at=phase.end)):
            pairs = zip(row.base, self.mirror(phase), strict=True)
            return [self.weight(phase) * (x - y) for x, y in pairs]
        return [counted * (x - o) for x, o in zip(self.position(row), self.to, strict=True)]

    def balance(self, path: Path, past: Sequence[int | Event]) -> Number:
        """Y: what the draws of the phase that has not ended yet have added."""
        total: Number = fmpq(0)
        for item in past:
            if isinstance(item, tuple):
                total = fmpq(0)
            elif (phase := self.phase_of(path, item)) is not None:
                row = path.rows[item - 1]
                total = total + self._bias(phase, item, row)
                total = total + self.weight(phase) * row.sigma * self._moved(item, row, row.action)
        return total

    def _bias(self, phase: PathPhase, t: int, row: Round) -> Number:
        """<l - l^, v>."""
        v, arm = self.vector(phase, t), row.action
        estimate = self.game.loss(t, arm) / row.played[arm]
        return self.game.expected_loss(t, v) - estimate * v[arm]

    def _moved(self, t: int, row: Round, arm: int) -> Number:
        """D(x^, z~) if the arm is drawn."""
        return _PSI.divergence(_BALLS, row.base, self.end_of_step(t, row, arm))

    def end_of_step(self, t: int, row: Round, arm: int) -> Vector:
        """z~ if the arm is drawn."""
        loss = self.game.loss(t, arm)
        if not loss:
            return row.base
        duals = _PSI.gradient(_BALLS, row.base)
        move = loss / row.played[arm] / row.sigma
        return _PSI.inverse(_BALLS, [d - move if i == arm else d for i, d in enumerate(duals)])

    def order(self, path: Path) -> list[int | Event]:
        """Arrived rounds in the order of arrival, then missing ones, then the end of the phase."""
        if path.actions not in self._orders:
            self._orders[path.actions] = self._ordered(path)
        return self._orders[path.actions]

    @functools.cached_property
    def _orders(self) -> dict[tuple[int, ...], list[int | Event]]:
        return {}

    def _ordered(self, path: Path) -> list[int | Event]:
        delays, found = self.game.instance.delays.to_json(), dict[int, list[int | Event]]()
        for phase in self.phases(path):
            late = [u for u, _ in self.game.missing(phase, at=phase.end)]
            seen = by_arrival((u for u, _ in phase.rows if u not in late), delays)
            found[phase.rows[0][0]] = [*seen, *late, ("end", phase.rows[0][0])]
        for t, _ in expected.hard_restarts(path):
            found[t] = [("hard", t), t]
        return [item for start in sorted(found) for item in found[start]]

    # A node of the engine's tree as one of the theory's.

    def quantities(self, node: Node) -> list[Number]:
        """Regret and accounts that are still expected, and the balance."""

        def left(path: Path, i: int) -> Number:
            items = self.order(path)[len(node.past) :]
            return sum((self.adds(path, item)[i] for item in items), fmpq(0))

        sums = [node.expectation(functools.partial(left, i=i)) for i in range(3)]
        return [*sums, node.known(lambda path: self.balance(path, node.past))]


def read(known: Certificate, account: Account) -> Anchor:
    """The claim about the root of the engine's tree, each of whose nodes must be the theory's."""
    with working_precision(PRECISION):
        try:
            root = drawn(account.game, account.order)
            wrong = next(filter(None, (_refused(known, account, node) for node in root.nodes)), "")
        except OrderError as error:
            return Anchor(known.claim, (), str(error))
        values = dict(zip(QUANTITIES, account.quantities(root), strict=True))
        anchor = at(known.claim, Model(known.tree.theory, {}), values)
    return dataclasses.replace(anchor, complaint=wrong or anchor.complaint)


def _refused(known: Certificate, account: Account, node: Node) -> str:
    """Why a node is none of the theory's; empty if it is one."""
    here = account.quantities(node)
    below = [account.quantities(child) for child in node.children]
    if node.round is not None:
        return _draw_refused(known, account, node, here, below)
    if not isinstance(node.next, tuple) or node.next[0] == "hard":
        name = "hard restart" if below else "end of the game"
        kind = known.tree.kind(name)
        values = dict(zip(QUANTITIES, here, strict=True))
        if isinstance(node.next, tuple):
            values |= dict(zip(known.tree.below.values(), below[0], strict=True))
            values[cost] = account.adds(node.paths[0], node.next)[0]
        is_one = Model(known.tree.theory, {}).accepts(kind.claim.arg(0), values)
        return "" if is_one else f"{name} is refused"
    return _end_refused(known, account, node, here, below)


def node_values(
    fan: Fan, here: Sequence[Number], below: Sequence[Sequence[Number]]
) -> dict[Any, Any]:
    """The quantities of a node and of its children."""
    found: dict[Any, Any] = {}
    for i, name in enumerate(fan.tree.names):
        found[fan.node[name]] = here[i]
        found[fan.child[name]] = rounds([each[i] for each in below])
    return found


def why_refused(model: Model, theorem: Theorem, variables: dict[Any, Any], what: str) -> str:
    if not model.accepts(theorem.given, variables):
        return f"{what} is refused"
    broken = model.broken_assumption()
    return f"{what}: the assumption on {broken} does not hold" if broken else ""


def _draw_refused(
    known: Certificate,
    account: Account,
    node: Node,
    here: Sequence[Number],
    below: Sequence[Sequence[Number]],
) -> str:
    t = node.round
    assert t is not None
    phase = account.phase_of(node.paths[0], t)
    kind = known.idle if phase is None else known.draw
    values = {**node_values(kind.fan, here, below), kind.names["x"]: rounds(node.law)}
    if phase is not None:
        gains = [each[3] - here[3] for each in below]
        values |= draw_values(kind.names, account, node, phase, gains)
    model = Model(kind.fan.theory, values)
    if phase is not None:
        ask_children(model, kind.names)
    return why_refused(model, kind.node, {n: len(node.law)}, f"the draw of round {t}")


def draw_values(
    names: dict[str, Any], account: Account, node: Node, phase: PathPhase, gains: Sequence[Number]
) -> dict[Any, Any]:
    """The round whose action is drawn; `gains` is what each arm adds to the balance."""
    t, game, law = node.round, account.game, node.law
    assert t is not None
    row = node.row(node.paths[0])
    ends = [account.end_of_step(t, row, arm) for arm in range(len(law))]
    return {
        names["x"]: rounds(law),
        names["A"]: len(law),
        names["alpha"]: row.alpha,
        names["delta"]: game.instance.delta,
        names["sigma"]: node.known(lambda path: node.row(path).sigma),
        names["w"]: account.weight(phase),
        names["base"]: rounds(node.known(lambda path: node.row(path).base)),
        names["safe"]: rounds(game.comparator()),
        names["loss"]: rounds([game.loss(t, arm) for arm in range(len(law))]),
        names["v"]: rounds(node.known(lambda path: _vector(account, path, t))),
        names["z"]: lambda a, i: ends[a - 1][i - 1],
        names["eta"]: rounds(gains),
    }


def ask_children(model: Model, names: dict[str, Any]) -> None:
    """Ask for what each arm adds, so that its relation to the node is checked."""
    model.ask(names["eta"], range(1, int(model.value(names["A"])) + 1))


def _vector(account: Account, path: Path, t: int) -> list[Number]:
    phase = account.phase_of(path, t)
    assert phase is not None
    return account.vector(phase, t)


def _end_refused(
    known: Certificate,
    account: Account,
    node: Node,
    here: Sequence[Number],
    below: Sequence[Sequence[Number]],
) -> str:
    assert isinstance(node.next, tuple)
    phase = account.phase_of(node.paths[0], node.next[1])
    assert phase is not None
    run = Run(account.game.paths.trace(node.paths[0]))
    values = end_values(known.end, account, run, phase)
    model = Model(known.end.T, {**node_values(known.end.fan, here, below), **values})
    ledger.asked_everywhere(model, known.end.phase.path.ledger, len(phase.rows))
    ask_gaps(model, known.end, account.game.instance.arms)
    variables = {certificates.count: 1, certificates.n: len(phase.rows)}
    return why_refused(model, known.end.node, variables, f"the end of the phase {node.next}")


def ask_gaps(model: Model, end: PhaseEnd, arms: int) -> None:
    """Ask the gap of every arm, so that the assumption that G is the largest is checked."""
    if isinstance(end, RegretEnd) and end.gap_of is not None:
        model.ask(end.gap_of, range(1, arms + 1))


def end_values(end: PhaseEnd, account: Account, run: Run, phase: PathPhase) -> dict[Any, Any]:
    """A phase of a run, which has ended."""
    game, P, start = account.game, end.phase, phase.rows[0][0]
    paper = next(each for each in run.phases if each.start == start)
    late = {u for u, _ in game.missing(phase, at=phase.end)}
    rows = [row for _, row in phase.rows]
    return {
        **banker_path.recorded(run, paper, P.path),
        P.y: rounds(account.mirror(phase)),
        P.other: rounds(account.to),
        P.safe: rounds(game.comparator()),
        P.alpha: rows[0].alpha,
        P.delta: game.instance.delta,
        P.counted: int(account.counts(phase)),
        P.late: rounds([u in late for u, _ in phase.rows], beyond=False),
        P.act: rounds([row.action + 1 for row in rows]),
        P.x: lambda t, i: rows[t - 1].played[i - 1],
        P.loss: lambda t, i: game.loss(start + t - 1, i - 1),
        **account.more(phase),
    }


# The accounts of the lemma files.


def safety_account(game: AllPaths, end: SafetyEnd | None = None, **options: Any) -> Account:
    """Against x^c; the end of a phase is that of the certificate, or another one."""
    end = end or _safety_end()

    def mirror(phase: PathPhase) -> Vector:
        best = game.best_response(phase)
        return vertex(best, game.instance.arms) if phase.exits else game.comparator()

    def coarse(phase: PathPhase) -> Number:
        stage = game.stage_at(phase.rows[0][1].delay_estimate)
        late = len(game.missing(phase, at=phase.end))
        credit = stage.threshold - late if phase.exits else fmpq(0)
        return expected.alpha_of(phase) * (expected.cost(game, phase) - credit)

    def more(phase: PathPhase) -> dict[Any, Any]:
        stage = game.stage_at(phase.rows[0][1].delay_estimate)
        return {end.exits: phase.exits, end.threshold: stage.threshold}

    return Account(
        game,
        to=game.comparator(),
        mirror=mirror,
        factor=expected.alpha_of,
        sharp=lambda phase: expected.alpha_of(phase) * expected.safety_value(game, phase),
        coarse=coarse,
        more=more,
        **options,
    )


def _safety_end() -> SafetyEnd:
    assert isinstance(SAFETY.end, SafetyEnd)
    return SAFETY.end


def safety(game: AllPaths) -> Iterator[Anchor]:
    yield read(SAFETY, safety_account(game))


def extinction(game: AllPaths) -> Iterator[Anchor]:
    """Phases 1 and 2 of the first stage, if they are reached."""
    for k in (1, 2):
        if game.expectation(k, lambda phase: fmpq(1)) != 0:
            account = safety_account(game, counts=functools.partial(_is_number, k))
            yield read(SAFETY, account)


def _is_number(k: int, phase: PathPhase) -> bool:
    row = phase.rows[0][1]
    return row.stage == 1 and row.phase == k


def regret_account(game: AllPaths, arm: int, end: RegretEnd | None = None) -> Account:
    """Against an arm, with the reading's own gap; the end of a phase is as in `safety_account`."""
    end = end or _regret_end()
    to, safe = vertex(arm, game.instance.arms), game.comparator()
    of_learner = game.reading.gap == "learner"

    def coarse(phase: PathPhase) -> Number:
        alpha, Q = expected.alpha_of(phase), expected.cost(game, phase)
        late = phase.rows[-1][1].gap + len(game.missing(phase, at=phase.end))
        if expected.is_full(phase):
            return Q
        return Q + (1 - alpha) * late if of_learner else alpha * Q + late

    def more(phase: PathPhase) -> dict[Any, Any]:
        g = expected.estimates(game, phase)
        seen = sum((x * c for x, c in zip(g, safe, strict=True)), fmpq(0))
        return {
            end.full: expected.is_full(phase),
            end.G: phase.rows[-1][1].gap,
            end.N: len(phase.rows),
            end.gap_of: rounds([seen - each for each in g]),
        }

    return Account(
        game,
        to=to,
        mirror=lambda phase: to if of_learner or expected.is_full(phase) else safe,
        factor=(lambda phase: fmpq(1)) if of_learner else expected.alpha_of,
        sharp=lambda phase: expected.regret_value(game, phase, arm),
        coarse=coarse,
        more=(lambda phase: {}) if of_learner else more,
        hard=fmpq(1),
    )


def _regret_end() -> RegretEnd:
    assert isinstance(REGRET.end, RegretEnd)
    return REGRET.end


def regret_of_arms(game: AllPaths) -> Iterator[Anchor]:
    known = REGRET_OF_LEARNER if game.reading.gap == "learner" else REGRET
    for arm in range(game.instance.arms):
        yield read(known, regret_account(game, arm))


SCOPE = "all horizons, arms, oblivious delays and losses"
MADE_OF = ("banker-pathwise", "regularity/negative-entropy")


def proof(anchors: Callable[[AllPaths], Iterator[Anchor]], *known: Certificate) -> InductionProof:
    claims = [each.claim for each in known]
    return InductionProof(claims, anchors, SCOPE, assuming=[DEFERRED], made_of=MADE_OF)


SAFETY_CERTIFICATE = proof(safety, SAFETY)
EXTINCTION = proof(extinction, SAFETY)
REGRET_CERTIFICATE = proof(regret_of_arms, REGRET, REGRET_OF_LEARNER)
