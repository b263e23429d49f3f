r"""The repaired theorem read in games: every node of the engine's tree is one of the theory's.

Games have the reading's own budget, so few rounds let no phase end softly. Each node of their
complete trees is checked with the engine's numbers. A phase that does end softly takes more rounds
than can be enumerated: there the end of the phase is checked on one recorded path, with nothing
expected after it.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from flint import fmpq

from pbverify.claims.routes.theorems import InductionProof
from pbverify.numerics import Number, working_precision
from pbverify.paper.algorithm.engine import Enumeration, Path, follow
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import PRECISION, AllPaths
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import lopsided_instance
from pbverify.paper.proofs.phase_costs import stages_at_most
from pbverify.paper.theories.banker import ledger
from pbverify.paper.theories.expectation import certificates
from pbverify.paper.theories.expectation.certified_games import (
    MADE_OF,
    Account,
    ask_children,
    draw_values,
    end_values,
    node_values,
    safety_account,
    why_refused,
)
from pbverify.paper.theories.expectation.drawn_later import (
    DEFERRED,
    Event,
    Node,
    OrderError,
    drawn,
)
from pbverify.paper.theories.expectation.expected_regret import n
from pbverify.paper.theories.expectation.repaired_safety import GAME, QUANTITIES
from pbverify.paper.theories.expectation.stage_account import USED
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.tree import RootClaim

_BALANCE = [str(each) for each in QUANTITIES].index("balance")


class State(NamedTuple):
    """The algorithm's state when something is drawn or happens."""

    power: int
    """2^(k-1) in phase k; 0 if no phase is left in the stage."""
    stage: int
    estimate: int


def state_after(account: Account, path: Path, past: Sequence[int | Event]) -> State:
    now = State(1, 1, 1)
    for kind, t in (item for item in past if isinstance(item, tuple)):
        if kind == "hard":
            now = State(1, now.stage + 1, path.rows[t - 1].delay_estimate)
        else:
            phase = account.phase_of(path, t)
            assert phase is not None
            now = now._replace(power=2 * now.power if phase.exits else 0)
    return now


def spent_by(account: Account, path: Path, past: Sequence[int | Event]) -> Number:
    """alpha C2/sigma of each draw of the phase that has not ended yet."""
    total: Number = fmpq(0)
    for item in past:
        if isinstance(item, tuple):
            total = fmpq(0)
        elif (phase := account.phase_of(path, item)) is not None:
            C2, row = account.game.constants[1], path.rows[item - 1]
            total = total + account.weight(phase) * C2 / row.sigma
    return total


def quantities(account: Account, node: Node) -> list[Number]:
    """What the theory calls regret, hards, power, balance, spent, and the state."""

    def left(path: Path, value: Any) -> Number:
        items = account.order(path)[len(node.past) :]
        return sum((value(path, item) for item in items), fmpq(0))

    paid = node.expectation(lambda path: left(path, lambda p, item: account.adds(p, item)[0]))
    hards = node.expectation(lambda path: left(path, lambda p, item: fmpq(_is_hard(item))))
    now = State(*node.known(lambda path: state_after(account, path, node.past)))
    return [
        paid,
        hards,
        fmpq(now.power),
        node.known(lambda path: account.balance(path, node.past)),
        node.known(lambda path: spent_by(account, path, node.past)),
        now.stage,
        now.estimate.bit_length() - 1,
        now.estimate,
        stages_at_most(account.game.total_delay) - 1,
    ]


def _is_hard(item: int | Event) -> bool:
    return isinstance(item, tuple) and item[0] == "hard"


# Nodes.
def refused(account: Account, node: Node) -> str:
    """Why a node is none of the theory's; empty if it is one."""
    here = quantities(account, node)
    below = [quantities(account, child) for child in node.children]
    if node.round is not None:
        return _draw_refused(account, node, here, below)
    if node.next is None:
        leaf = next(kind for kind in GAME.tree.holds().uses if kind.name == "end of the game")
        values = dict(zip(QUANTITIES, here, strict=True))
        is_one = Model(GAME.tree.theory, {}).accepts(leaf.claim.arg(0), values)
        return "" if is_one else "the end of the game is refused"
    assert isinstance(node.next, tuple)
    if _is_hard(node.next):
        return _hard_refused(account, node, node.next[1], here, below)
    return end_refused(account, node.paths[0], node.next, here, below[0])


def _draw_refused(
    account: Account, node: Node, here: Sequence[Number], below: Sequence[Sequence[Number]]
) -> str:
    t = node.round
    assert t is not None
    phase = account.phase_of(node.paths[0], t)
    kind = GAME.idle if phase is None else GAME.draw
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
    account: Account, node: Node, t: int, here: Sequence[Number], below: Sequence[Sequence[Number]]
) -> str:
    kind = GAME.hard
    rows = enumerate(node.paths[0].rows[: t - 1], start=1)
    start = max((r for r, row in rows if row.soft_restart or row.hard_restart), default=0)
    values = {
        **node_values(kind.fan, here, below),
        kind.names["delay"]: rounds(account.game.instance.delays.to_json()),
        kind.names["H"]: account.game.rounds,
        kind.names["start"]: start,
        kind.names["N"]: t - 1 - start,
    }
    model = Model(kind.fan.theory, values)
    return why_refused(model, kind.node, {certificates.count: 1}, f"the hard restart in round {t}")


def end_refused(
    account: Account,
    path: Path,
    event: Event,
    here: Sequence[Number],
    below: Sequence[Number],
) -> str:
    end, game = GAME.end, account.game
    phase = account.phase_of(path, event[1])
    assert phase is not None
    run, rows = Run(game.paths.trace(path)), [row for _, row in phase.rows]
    values = {
        **node_values(end.fan, here, [below]),
        **end_values(end, account, run, phase),
        end.H: game.rounds,
        end.N: len(rows),
        end.budget: game.stage_at(rows[0].delay_estimate).budget,
        end.scale: rounds([row.sigma for row in rows]),
    }
    model = Model(end.T, values)
    ledger.asked_everywhere(model, end.phase.path.ledger, len(rows))
    for number in range(1, len(rows) + 1):
        model.value(end.scale(n), {n: number})
    variables = {certificates.count: 1, certificates.n: len(rows)}
    return why_refused(model, end.node, variables, f"the end of the phase from round {event[1]}")


# A phase that ends softly.
@dataclasses.dataclass(frozen=True)
class _OnePath(AllPaths):
    """The one path of the instance's own actions."""

    @functools.cached_property
    def paths(self) -> Enumeration:
        return follow(self.instance, self.reading, precision=PRECISION)


def soft_game(**options: Any) -> AllPaths:
    """Arm 0 always loses and is always played; one item is missing when phase 1 ends softly."""
    delays = [*[0] * 128, 1, 3, *[0] * 10]
    return _OnePath(lopsided_instance(delays), preset("repaired").with_options(**options))


@functools.cache
def soft_end_refused() -> str:
    """Why a phase of a path with a soft restart ends as none of the theory's; empty if all do."""
    return ends_refused(soft_game())


def ends_refused(game: AllPaths) -> str:
    """The same of a path without hard restarts; after each phase nothing is expected."""
    with working_precision(PRECISION):
        account = safety_account(game, GAME.end)
        [path] = game.paths.paths
        order = account.order(path)
        ends = [index for index, item in enumerate(order) if isinstance(item, tuple)]
        return next(filter(None, (_end_refused(account, path, index) for index in ends)), "")


def _end_refused(account: Account, path: Path, index: int) -> str:
    order, nothing = account.order(path), fmpq(0)
    past, event, levels = order[:index], order[index], stages_at_most(account.game.total_delay) - 1
    assert isinstance(event, tuple)
    now, then = (state_after(account, path, each) for each in (past, order[: index + 1]))
    state = now.stage, now.estimate.bit_length() - 1, now.estimate, levels
    paid, balance = account.adds(path, event)[0], account.balance(path, past)
    here = [paid, nothing, fmpq(now.power), balance, spent_by(account, path, past), *state]
    below = [nothing, nothing, fmpq(then.power), nothing, nothing, *state]
    return end_refused(account, path, event, here, below)


def read(claim: RootClaim, game: AllPaths) -> Iterator[Anchor]:
    """The claim about the root of the engine's tree, each of whose nodes must be the theory's."""
    account = safety_account(game, GAME.end)
    with working_precision(PRECISION):
        try:
            root = drawn(game, account.order)
            wrong = next(filter(None, (refused(account, node) for node in root.nodes)), "")
        except OrderError as error:
            yield Anchor(claim, (), str(error))
            return
        values = dict(zip(QUANTITIES, quantities(account, root), strict=True))
        anchor = at(claim, Model(GAME.tree.theory, {}), values)
        wrong = wrong or soft_end_refused()
    yield dataclasses.replace(anchor, complaint=wrong or anchor.complaint)


def _proof(claim: RootClaim) -> InductionProof:
    return InductionProof(
        [claim],
        functools.partial(read, claim),
        "all horizons, arms, delays and oblivious losses",
        assuming=[DEFERRED],
        made_of=(*MADE_OF, "banker-ledger", *USED),
    )


CHAIN, BOUND = _proof(GAME.chain), _proof(GAME.bound)
