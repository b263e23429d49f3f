"""Witnesses of this paper in words: the game, what happens round by round, orders of growth."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbverify.claims.paper import Told
from pbverify.claims.verdict import Witness
from pbverify.files.documents import integer_or_none
from pbverify.paper.second_program.rates import LOGARITHMIC, RATES
from pbverify.paper.second_program.witness_file import BadFile

MOST_ROWS = 12
"""Rows of equal rounds that are told; a longer witness says how many there are."""

_COLUMNS = ("rounds", "losses", "delay", "action")


def tell(witness: Witness) -> Told | None:
    """The witness in words; None if nothing better is known, or can be read, than its fields."""
    try:
        return _told(witness)
    except (ValueError, TypeError, KeyError, IndexError, ZeroDivisionError, BadFile):
        return None


def _told(witness: Witness) -> Told | None:
    parameters = witness.subject.get("parameters")
    instance = witness.subject.get("instance")
    if instance is None and isinstance(parameters, dict):
        instance = parameters.get("instance")
    if isinstance(instance, dict) and instance.get("losses"):
        return _game(instance, parameters or {})
    if not isinstance(parameters, dict):
        return None
    if witness.claim in RATES:
        return _growth(witness)
    if parameters.keys() == {"T", "log_delay"}:
        return _long_delays(parameters)
    if parameters.keys() >= {"full", "exits", "share"}:
        return _ambush(parameters)
    if parameters.keys() >= {"turn", "share", "delta"}:
        return _reversal(parameters)
    if parameters.keys() == {"rounds", "delta"}:
        return _silence(parameters)
    if parameters.keys() >= {"runs_of", "own", "seeds"}:
        return _draws(witness, parameters)
    return None


def _game(instance: Mapping[str, Any], extra: Mapping[str, Any]) -> Told:
    losses, delays = instance["losses"], instance.get("delays") or []
    actions = instance.get("actions")
    runs = _runs(losses, delays, actions)
    facts = [
        ("game", f"{len(losses):,} rounds, {len(losses[0])} arms, total delay {_sum(delays)}"),
        ("baseline", f"x^c = {_vector(instance.get('comparator') or [])}"),
        *((name, str(value)) for name, value in extra.items() if name != "instance"),
    ]
    columns = _COLUMNS if actions is not None else _COLUMNS[:3]
    told = runs[:MOST_ROWS]
    if len(runs) > MOST_ROWS:
        rest = f"{len(runs) - MOST_ROWS} more runs of equal rounds"
        told.append((rest, *[""] * (len(columns) - 1)))
    return Told(facts=tuple(facts), columns=columns, rounds=tuple(told))


def _runs(
    losses: Sequence[Any], delays: Sequence[Any], actions: Sequence[int] | None
) -> list[tuple[str, ...]]:
    """Consecutive rounds that are equal, told once."""
    columns = [losses, delays, *([] if actions is None else [actions])]
    found, first = [], 1
    for (loss, delay, *action), group in itertools.groupby(zip(*columns, strict=True)):
        last = first + len(list(group)) - 1
        played = [f"arm {each}" for each in action]
        found.append((_rounds(first, last), _vector(loss), _delay(delay, len(losses)), *played))
        first = last + 1
    return found


def _delay(delay: Any, rounds: int) -> str:
    number = integer_or_none(delay)
    return f"{delay}" if number is None or number <= rounds else f"{number:,} (never arrives)"


def _rounds(first: int, last: int) -> str:
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"


def _vector(values: Sequence[Any]) -> str:
    return f"({', '.join(map(str, values))})"


def _sum(delays: Sequence[Any]) -> str:
    return f"{sum(integer_or_none(delay) or 0 for delay in delays):,}"


def exponents_of(witness: Witness) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """The exponents of T, D, A and 1/delta in n, of a witness about rates."""
    given = {name: Fraction(str(value)) for name, value in witness.subject["parameters"].items()}
    if "q" in given:
        q, N = given["q"], given["N"]
        return q + N, 2 * q + N, Fraction(0), given["margin"]
    return given["T"], given["D"], given["A"], given["margin"]


def orders_of(witness: Witness) -> tuple[Fraction, Fraction] | None:
    """The exponents of the smaller and of the larger side, if the witness compares powers of n."""
    if witness.claim not in RATES or witness.claim in LOGARITHMIC:
        return None
    small, large, *_ = RATES[witness.claim][1](*exponents_of(witness))
    return Fraction(small), Fraction(large)


def _growth(witness: Witness) -> Told:
    """Exponents of n: what is claimed and what the quantity grows like."""
    horizon, total, arms, margin = exponents_of(witness)
    path = [f"T = {_power(horizon)}", f"D = {_power(total)}"]
    if horizon == total:
        path = [f"T = D = {_power(horizon)}"]
    path += [f"A = {_power(arms)}"] if arms else []
    path.append(f"delta = {_power(-margin)}")
    name, orders = RATES[witness.claim][0], orders_of(witness)
    if orders is None:
        said = f"the {name.partition(' against ')[0]}: a power of log n too much."
    else:
        left, against, right = name.partition(" against ")
        small, large = (_power(each) for each in orders)
        words = (f"{right} grows like {large}", f"{left} like {small}")
        if not against:
            words = (f"{name} grows like {large}", f"the claimed rate like {small}")
        said = f"{words[0]}, {words[1]}. Constants and logarithms are left out."
    sentence = f"Along {', '.join(path)}: {said}"
    return Told(sentences=(sentence,), is_limit=True)


def _long_delays(parameters: Mapping[str, Any]) -> Told:
    """T is a power of n and D an exponential of one."""
    horizon, log_delay = (_power(Fraction(str(parameters[name]))) for name in ("T", "log_delay"))
    sentence = (
        f"Along T = {horizon}, D = exp({log_delay}), A = 2: log D grows like {log_delay}, and "
        f"every power of log {horizon} is smaller."
    )
    return Told(sentences=(sentence,), is_limit=True)


def _power(exponent: Fraction | int) -> str:
    if exponent == 0:
        return "1"
    text = str(exponent)
    return "n" if text == "1" else f"n^{text}" if text.isdigit() else f"n^({text})"


def _ambush(parameters: Mapping[str, Any]) -> Told:
    share, rounds, last = parameters["share"], int(parameters["rounds"]), parameters["last_delay"]
    late = f" The last round is late by {last}, which nothing can notice."
    return Told(
        sentences=(
            f"Two arms, x^c = (1/2, 1/2), {rounds:,} rounds, no delay."
            + (late if int(last) else ""),
            f"{parameters['runs']} runs from seed {parameters['seed']}, fixed before drawing; the "
            "left side is a confidence interval for the regret to x^c.",
        ),
        columns=("until", "losses", "what happens"),
        rounds=(
            (
                f"{parameters['full']} phases have ended",
                "(1, 0) in every round",
                "the learner forgets and stays near x^c: a phase that ends earns next to nothing",
            ),
            (
                f"{parameters['exits']} phases have ended",
                f"(1, 0), (0, {share}) in turn",
                "one more phase ends; alpha has doubled each time",
            ),
            (
                f"round {rounds:,}",
                "(1, 0), (0, 1) in turn",
                "each loss punishes the learner's last step; its cost is alpha times that",
            ),
        ),
    )


def _reversal(parameters: Mapping[str, Any]) -> Told:
    rounds, turn = int(parameters["rounds"]), int(parameters["turn"])
    delta, share = Fraction(str(parameters["delta"])), parameters["share"]
    late = f" The last round is late by {parameters['last_delay']}, which nothing can notice."
    return Told(
        sentences=(
            f"Two arms, x^c = ({1 - delta}, {delta}), {rounds:,} rounds, no delay."
            + (late if int(parameters["last_delay"]) else ""),
            f"{parameters['runs']} runs from seed {parameters['seed']}, fixed before drawing; the "
            "left side is a confidence interval for the regret to x^c.",
        ),
        columns=("rounds", "losses", "what happens"),
        rounds=(
            (_rounds(1, turn), "(1, 0)", "phase after phase ends, and earns next to nothing"),
            (
                _rounds(turn + 1, rounds),
                f"(0, {share})",
                "alpha is 1, the learner starts from (1/2, 1/2): to learn that x^c is good costs",
            ),
        ),
    )


def _draws(witness: Witness, parameters: Mapping[str, Any]) -> Told:
    """Draws of the experiment: how often they show what is claimed."""
    size = f"T = {int(parameters['T']):,}, A = {parameters['A']}"
    places = ", ".join(f"{value}" for value in witness.where.values())
    return Told(
        sentences=(
            f"{parameters['seeds']} draws of the experiment ({size}) from seed "
            f"{parameters['first']}, fixed before drawing; delays: {places}.",
            "Claimed of most draws, that is, of more than half; the interval is for the share of "
            f"draws that show it, for {parameters['own']}.",
        )
    )


def _silence(parameters: Mapping[str, Any]) -> Told:
    rounds, delta = int(parameters["rounds"]), Fraction(str(parameters["delta"]))
    return Told(
        sentences=(
            f"Two arms, x^c = ({1 - delta}, {delta}), {rounds:,} rounds. Nothing is random.",
            "No feedback arrives before the last round, so the sum of arrived delays stays 0, "
            "nothing restarts, and every base iterate is (1/2, 1/2).",
            "Each round costs alpha (1/2 - delta) more than x^c, so that the whole game costs "
            f"alpha T (1/2 - delta), while D = {rounds * (rounds + 1) // 2:,}.",
        ),
        columns=("rounds", "losses", "delay", "what happens"),
        rounds=((_rounds(1, rounds), "(0, 1)", "arrives in round T + 1", "nothing ever restarts"),),
    )
