"""Budgets and thresholds of Prudent-Banker under the reading that a witness names."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .claims import Unknown
from .intervals import Real, is_less, ln, sqrt
from .witness_file import BadFile, fields, positive

TINY = Fraction(1, 10**9)  # what decimals may miss in a sum of 1
QUARTER = Fraction(1, 4)

READING: dict[str, tuple[str, ...]] = {
    "update": ("played", "base"),
    "delay_sum": ("clairvoyant", "arrived", "elapsed"),
    "delay_scope": ("phase", "stage"),
    "estimate": ("power-of-two", "twice", "double"),
    "gap": ("best-response", "learner"),
    "budget": (),  # "appendix", "main", or a number
    "slack": (),  # "paper", "tight", or a number
    "rounding": ("none", "power-of-two"),
    "restart_round": ("mixture", "comparator"),
    "regularizer": ("negative-entropy",),
}


def printed_budget(D: Any, T: Any) -> Any:
    """3 sqrt(T) + 7 sqrt(2 D ln(D + 1)), the budget R^(D) of the appendix without sqrt(C1 C2)."""
    return 3 * sqrt(T) + 7 * sqrt(2 * D * ln(D + 1))


class Setting:
    """Horizon, arms, margin and reading: what fixes budgets and thresholds."""

    def __init__(self, reading: Any, T: int, A: int, delta: Fraction) -> None:
        self.reading, self.T, self.A, self.delta = fields(reading, set(READING)), T, A, delta
        self.told = T  # the horizon by which budgets are set
        known = all(self.reading[key] in values for key, values in READING.items() if values)
        if not known or (self.reading["slack"], self.reading["delay_sum"]) == ("tight", "arrived"):
            raise Unknown("this reading of the algorithm is not computed by this script")
        if T < 1 or A < 2 or not 0 < delta <= Fraction(1, A) + TINY:
            raise BadFile("T >= 1, A >= 2 and 0 < delta <= 1/A are expected")

    def bound(self, D: int, N: int, real: Real) -> Any:
        """sqrt(C1 C2) (3 sqrt(N) + 7 sqrt(2 D ln(D + 1))) with C1 = ln A and C2 = 1/delta."""
        return sqrt(ln(real(self.A)) / real(self.delta)) * printed_budget(real(D), real(N))

    def budget(self, D: int, real: Real) -> Any:
        """R^(D): the bound above for T rounds, or another that the reading names."""
        choice, value = self.reading["budget"], self.bound(D, self.told, real)
        if choice == "main":
            scale = 10 * sqrt(ln(real(self.A)) / real(self.delta))
            value = scale * (sqrt(real(self.told)) + sqrt(D * ln(real(D + 1))))
        elif choice != "appendix":
            value = real(positive(choice))
        if self.reading["rounding"] == "none":
            return value
        power = 1
        while is_less(real(power), value):
            power *= 2
        return real(power)

    def slack(self, D: int, real: Real) -> Any:
        """xi^(D)."""
        root, choice = sqrt(real(8 * D + 1)), self.reading["slack"]
        if choice == "paper":
            return (root - 1) / real(self.delta)
        if choice == "tight":
            return (root - 1 if self.reading["delay_sum"] == "clairvoyant" else root + 1) / 2
        return real(positive(choice, or_zero=True))

    def aggression(self, D: int, k: int, real: Real) -> tuple[Any, bool, Any]:
        """alpha = min(2^(k-1)/R^(D), 1) in phase k, whether it is 1, and the gap's threshold."""
        R = self.budget(D, real)
        is_full = not is_less(real(2 ** (k - 1)), R)
        return real(1) if is_full else 2 ** (k - 1) / R, is_full, 2 * R + self.slack(D, real)


def normal_bound(game: Setting, D: int, real: Real) -> Any:
    """4 R^(D) + (sqrt(16 D + 1) - 1)/delta + 2 sqrt(2 D + 1/4) + 1."""
    slack = (sqrt(real(16 * D + 1)) - 1) / real(game.delta)
    return 4 * game.budget(D, real) + slack + 2 * sqrt(real(2 * D + QUARTER)) + 1


def combined(game: Setting, estimate: int, D: int, alpha: Any, real: Real) -> Any:
    """a (R^_s + 1) + (1 - a) (2 R^_s + xi^_s + 2 sqrt(2 D + 1/4) + 1)."""
    budget, (_, _, threshold) = game.budget(estimate, real), game.aggression(estimate, 1, real)
    late = 2 * sqrt(real(2 * D + QUARTER)) - 1
    return alpha * (budget + 1) + (1 - alpha) * (threshold + late + 2)
