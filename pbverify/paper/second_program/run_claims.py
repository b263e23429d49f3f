"""Claims about budgets, and about runs with given actions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .algorithm import Game, Round, moved, phases_of, play, softmax
from .budgets import Setting
from .claims import Case, Unknown, case, claim, dropped
from .intervals import exp, ln, number
from .witness_file import entries, fields, rational, whole, wholes


@claim("experiment/alpha-without-delay")
@claim("experiment/alpha-under-delay")
def some_gap_can_pass(witness: Any) -> Iterator[Case]:
    """For alpha ever to rise: 2 R^ + xi^ < T/(1 - 1/R^) in the first stage.

    No loss estimate exceeds 1/(1 - alpha) times its share, so no gap exceeds T/(1 - alpha).
    """
    names = {"T", "A", "delta", "threshold_scale", "budget_scale"}
    given = fields(witness.get("parameters"), names)
    if [given["threshold_scale"], given["budget_scale"]] != ["1", "1"]:
        raise Unknown("scaled budgets are not computed by this script")
    delta = rational(given["delta"])
    setting = Setting(witness.get("reading"), whole(given["T"]), whole(given["A"]), delta)
    alpha, _, threshold = setting.aggression(1, 1, number)
    yield case({"delay estimate": 1}, threshold, "<", setting.T / (1 - alpha))


@claim("global/safety", order=False)
@claim("global/safety/order", order=True)
def silence(witness: Any, *, order: bool) -> Iterator[Case]:
    """Regret to x^c = (1 - delta, delta): at most ceil(log2 D) + 1, or 25 (1 + ln D).

    Losses are (0, 1), and d_t = T + 1 - t, so nothing arrives. A delay sum of what has arrived
    stays 0, the base iterate stays uniform, and every round costs alpha (1/2 - delta).
    """
    if fields(
        witness.get("parameters"),
        {"rounds"},
        {"delta", "full", "exits", "turn", "share", "last_delay", "runs", "seed"},
    ).keys() != {"rounds", "delta"}:
        raise Unknown("of these runs only those without feedback are computed by this script")
    T, delta = whole(witness["parameters"]["rounds"]), rational(witness["parameters"]["delta"])
    setting, D = Setting(witness.get("reading"), T, 2, delta), T * (T + 1) // 2
    if setting.reading["delay_sum"] == "arrived":
        alpha, _, _ = setting.aggression(1, 1, number)
        paid = alpha * (T * (Fraction(1, 2) - delta))
        bound = 25 * (1 + ln(number(D))) if order else (D - 1).bit_length() + 1
        yield case({"D": D, "T": T}, paid, "<=", bound)


@claim("global/safety/cancellation")
def cancellation(witness: Any) -> Iterator[Case]:
    """In each stage, sum_k alpha_k (Q - (2 R^ + xi^ - m) 1{soft exit}) <= 1.

    Q = C1 B + C2 sum 1/sigma_t, with B what is borrowed and m what is missing at the exit. Only
    delays and the rounds of soft exits enter, so the losses may be 0 and the exits are given.
    """
    told = {"told"} if dropped(witness) == "T is known" else set()
    given = fields(witness.get("parameters"), {"delays", "exits", "arms", "delta"} | told)
    A, T, exits = whole(given["arms"]), len(entries(given["delays"])), given["exits"]
    uniform = [f"1/{A}"] * min(A, 51)
    zero = {"losses": [[0] * len(uniform)] * T, "actions": [0] * T, "comparator": uniform}
    instance = {**zero, "delays": given["delays"], "delta": given["delta"]}
    game = Game({"instance": instance, "reading": witness.get("reading")})
    game.told = max(whole(given["told"]), 1) if told else game.T
    stages: dict[int, list[list[Round]]] = {}
    for phase in phases_of(play(game, exits=wholes(exits) if exits else [])):
        stages.setdefault(phase[0].stage, []).append(phase)
    for phases in stages.values():
        total = number(0)
        for phase in phases:
            played, end = [row for row in phase if not row.is_hard], phase[-1].t
            missing = sum(row.t + game.delays[row.t - 1] > end for row in played)
            cost = sum(
                row.borrowed * ln(number(A)) + 1 / (row.sigma * game.delta) for row in played
            )
            _, _, threshold = game.aggression(phase[0].estimate, 1, number)
            exit = threshold - missing if phase[-1].ends_softly else 0
            total = total + phase[0].alpha * (cost - exit)
        where = {"estimate": phases[0][0].estimate, "start": phases[0][0].t}
        yield case(where, total, "<=", 1)


@claim("doubling-estimate")
def doubling_estimate(witness: Any) -> Iterator[Case]:
    """When a stage ends: old estimate <= new estimate < 2 (delays of its last phase)."""
    game = Game(witness)
    rows = play(game)
    for before, row in pairwise([None, *rows]):
        if row is not None and row.is_hard:
            ended = [phase for phase in phases_of(rows) if phase[-1] is row]
            start = ended[0][0].t if ended else row.t
            old = before.estimate if before else 1
            yield case({"side": "lower", "t": row.t}, old, "<=", row.estimate)
            yield case(
                {"side": "upper", "t": row.t}, row.estimate, "<", 2 * game.delay(start, row.t)
            )


@claim("doubling-estimate/earlier-phases")
def doubling_last_phase(witness: Any) -> Iterator[Case]:
    """When a stage ends: new estimate <= 2 (delays of its last phase)."""
    game = Game(witness)
    rows = play(game)
    for phase in phases_of(rows):
        row = phase[-1]
        if row.is_hard:
            bound = 2 * game.delay(phase[0].t, row.t)
            yield case({"t": row.t}, row.estimate, "<=", bound)


@claim("doubling-estimate/roadmap-update")
def doubled_estimate(witness: Any) -> Iterator[Case]:
    """When a stage ends: new estimate = 2 (old estimate)."""
    for before, row in pairwise([None, *play(Game(witness))]):
        if row is not None and row.is_hard:
            old = before.estimate if before else 1
            yield case({"t": row.t}, row.estimate, "=", 2 * old)


@claim("doubling-estimate/printed-order")
def estimate_after_the_counter(witness: Any) -> Iterator[Case]:
    """When a stage ends: old estimate <= the new one, taken from the new stage's delay, 0."""
    for before, row in pairwise([None, *play(Game(witness))]):
        if row is not None and row.is_hard:
            yield case({"t": row.t}, before.estimate if before else 1, "<=", 0)


@claim("doubling-estimate/every-phase")
def doubling_every_phase(witness: Any) -> Iterator[Case]:
    """The same upper bound with the delays of any phase of the stage."""
    game = Game(witness)
    rows = play(game)
    following = {row.stage - 1: row.estimate for row in rows if row.is_hard}
    for phase in phases_of(rows):
        start, end = phase[0].t, phase[-1].t
        if phase[0].stage in following:
            bound = 2 * game.delay(start, end)
            yield case({"start": start, "end": end}, following[phase[0].stage], "<", bound)


@claim("doubling-estimate/last-stage")
def last_estimate(witness: Any) -> Iterator[Case]:
    """The last stage's own estimate < 2 (delays of its last phase), which the horizon ends."""
    game = Game(witness)
    rows = play(game)
    for phase in phases_of(rows)[-1:]:
        if phase[-1] is rows[-1] and not phase[-1].is_hard and not phase[-1].ends_softly:
            start, end = phase[0].t, phase[-1].t
            bound = 2 * game.delay(start, end)
            yield case({"start": start, "end": end}, phase[0].estimate, "<", bound)


@claim("banker-pathwise")
def banker_pathwise(witness: Any) -> Iterator[Case]:
    """sum <l_t, x_t - y> <= B D(y, x_0) + sum sigma_t D(x_t, z~_t) - sum v_u D(y, z_u).

    At a vertex y; D is the divergence of negative entropy, so that D(y, z) = -ln z_y.
    """
    game = Game(witness)
    for phase in phases_of(play(game)):
        played = [row for row in phase if not row.is_hard]
        for y in range(game.A):
            regret, bound = number(0), number(0)
            for row in played:
                regret = regret + row.loss_estimate * (row.base[row.action] - int(row.action == y))
                from_base = game.reading["update"] == "base"
                dual = moved(row, [ln(x) for x in (row.base if from_base else row.law)])
                free = [exp(x) for x in dual]  # the step's end before it is projected
                triples = zip(row.base, dual, free, strict=True)
                distance = sum((x * (ln(x) - z) + e - x for x, z, e in triples), start=number(0))
                paid = row.borrowed * ln(number(game.A)) + row.sigma * distance
                bound = bound + paid + row.credit * ln(softmax(dual)[y])
            yield case({"start": phase[0].t, "y": y}, regret, "<=", bound)
