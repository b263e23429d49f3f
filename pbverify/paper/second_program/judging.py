"""What the cases of a claim, or drawn runs, say about a witness."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from . import (  # noqa: F401  (each adds its functions to CLAIMS)
    delays,
    every_path,
    phase_claims,
    proof_steps,
    prudent_exp3,
    rates,
    reversal,
    run_claims,
)
from .algorithm import Game
from .claims import CLAIMS, DROPPED, Case, Unknown, dropped
from .expectations import EXPECTATIONS, Excess
from .intervals import DOWN, UP, Number, Unclear, number
from .witness_file import BadFile, fields, interval_of, place, text, whole

DIGITS = (34, 150, 800)  # of intervals; more are tried whenever two numbers overlap
LEVEL, MOST_ROUNDS = 1e9, 2_000_000  # rounds of all runs together
TURNED, TURNED_LEVEL, TURNED_ROUNDS = "global/safety", 1e6, 30_000_000  # for runs of `reversal`


@dataclass(frozen=True)
class Finding:
    """The result of checking one witness: its status, and the numbers or the reason."""

    status: str
    detail: str


def examine(witness: Any) -> Finding:
    """Compute a witness again, with more digits as long as intervals overlap."""
    subject = {"instance", "parameters"} & witness.keys() if isinstance(witness, dict) else set()
    required = {"format", "claim", "reading", "where", "lhs", "rhs", "margin", *subject}
    fields(witness, required, {"version", "paper_sha256"})
    if witness["format"] != "pbverify/witness-1" or len(subject) != 1:
        raise BadFile("a pbverify/witness-1 with an instance or with parameters is expected")
    id, without, reason = text(witness["claim"]).partition("!without ")[0], dropped(witness), ""
    for digits in DIGITS:
        DOWN.prec = UP.prec = digits
        try:
            if id in EXPECTATIONS and are_drawn(witness) and not without:
                return replicated(witness, *described(witness))
            if id == TURNED and is_turned(witness) and not without:
                return replicated(witness, *reversal.experiment(witness), TURNED_LEVEL)
            if id not in CLAIMS or (without and without not in DROPPED):
                raise Unknown(f"{witness['claim']!r} is not computed by this script")
            return judged(witness, list(CLAIMS[id](witness)))
        except Unknown as error:
            return Finding("UNKNOWN CLAIM", str(error))
        except (Unclear, ArithmeticError, ValueError) as error:
            reason = f"undecided at {digits} digits: {error or type(error).__name__}"
    return Finding("NOT CONFIRMED", reason)


def are_drawn(witness: Any) -> bool:
    """Whether the witness states no actions, so that they are to be drawn."""
    instance = witness.get("instance")
    return isinstance(instance, dict) and instance.get("actions") is None


def is_turned(witness: Any) -> bool:
    """Whether the witness describes losses that turn around, and runs to be drawn."""
    given = witness.get("parameters")
    return isinstance(given, dict) and given.keys() == reversal.NAMES


def judged(witness: Any, found: list[Case]) -> Finding:
    """Confirmed if the case that the witness names fails, and by the numbers that it states."""
    there = [each for each in found if each.where == place(witness["where"])]
    failing = next((each for each in there if each.fails), None)
    if failing is None and any(each.is_open for each in there):
        raise Unclear("the two sides are too close to be told apart")
    if failing is None:
        shown = "; ".join(map(numbers, there[:3])) or "the claim has no such case here"
        return Finding("NOT CONFIRMED", shown)
    computed = {"lhs": failing.lhs, "rhs": failing.rhs, "margin": failing.margin}
    wrong = [name for name, value in computed.items() if not is_stated(witness[name], value)]
    if wrong:
        shown = f"{numbers(failing)}; the file differs in {', '.join(wrong)}"
        return Finding("NOT CONFIRMED", shown)
    return Finding("CONFIRMED", numbers(failing))


def numbers(found: Case) -> str:
    verdict = "fails" if found.fails else "is not seen to fail"
    shown = f"lhs = {found.lhs}, rhs = {found.rhs}, margin = {found.margin}"
    return f"lhs {found.relation} rhs {verdict}: {shown}"


def is_stated(value: Any, computed: Number) -> bool:
    """Whether a stated number is known to 1e-6, and can be the computed one."""
    low, high = interval_of(value)
    is_narrow = high - low <= 2 * max(abs(high + low) / 2, Fraction(1)) / 10**6
    return is_narrow and number(low).low <= computed.high and computed.low <= number(high).high


def described(witness: Any) -> tuple[int, dict[str, Any], float, Excess, float]:
    """The rounds of a run, where, and what `expectations` says of the claim."""
    describe, where = EXPECTATIONS[witness["claim"]]
    game, place = Game(witness), where or fields(witness["where"], {"x"})
    arm = whole(place.get("x", 0))
    if arm >= game.A:
        raise BadFile("where names no case of the claim")
    return (game.T, place, *describe(game, arm))


def replicated(
    witness: Any,
    T: int,
    place: dict[str, Any],
    c: float,
    excess_of: Excess,
    exact_rhs: float,
    level: float = LEVEL,
) -> Finding:
    """Play until the claim is rejected or the rounds are used up.

    Let Z >= -c with E[Z] <= 0. The product over runs of 1 + 0.9 Z/c stays positive and does not
    grow on average, so the chance that it ever exceeds 10^9 is at most 10^-9.
    """
    if place != witness["where"]:
        raise BadFile("where names no case of the claim")
    (low, high), margin = interval_of(witness["lhs"]), interval_of(witness["margin"])
    rhs, stated = Fraction(exact_rhs), interval_of(witness["rhs"])
    is_rhs = max(abs(stated[0] - rhs), abs(stated[1] - rhs)) <= max(abs(rhs), Fraction(1)) / 10**6
    if not is_rhs or low <= rhs or margin[0] <= 0:
        return Finding("NOT CONFIRMED", f"the file does not state lhs above rhs = {exact_rhs:.9g}")
    rng, odds, found = Random(1), 1.0, list[float]()
    for _ in range((MOST_ROUNDS if level == LEVEL else TURNED_ROUNDS) // T):
        excess = excess_of(rng)
        if excess is not None:
            found.append(excess)
            odds *= 1 + 0.9 * excess / c
        if odds >= level:
            break
    mean = Fraction(sum(found) / len(found)) if found else Fraction(0)
    shown = f"lhs - rhs = {float(mean):.6g} on average in {len(found)} own runs, odds {odds:.3g}"
    is_stated = low <= mean + rhs <= high and margin[0] <= mean <= margin[1]
    return Finding("REPLICATED" if odds >= level and is_stated else "NOT CONFIRMED", shown)
