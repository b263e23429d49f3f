"""Losses (1, 0), and (0, share) after a turn: drawn regret to x^c = (1 - delta, delta).

Floats. Nothing is late but the last round, which nobody notices. A round's credit is spent by the
next, so round n of a phase starts from sqrt(1 - 1/n) z, where z is the log-odds of arm 0 at the end
of the mirror step before; steps start at the law that was played.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from .budgets import Setting
from .claims import Unknown
from .witness_file import BadFile, fields, rational, whole

NAMES = {"rounds", "turn", "share", "delta", "last_delay", "runs", "seed"}
RARE = 1e-12


class Reversal:
    """The losses that a witness describes, and the algorithm's numbers in stage 1."""

    def __init__(self, witness: Any) -> None:
        given = fields(witness.get("parameters"), NAMES)
        self.T, self.turn = whole(given["rounds"]), whole(given["turn"])
        self.D, share, delta = whole(given["last_delay"]), given["share"], rational(given["delta"])
        if not (0 < self.turn < self.T and self.D in (0, 1) and 0 < delta < Fraction(1, 2)):
            raise BadFile("turn < rounds, a last delay of 0 or 1 and delta < 1/2 are expected")
        setting = Setting(witness.get("reading"), self.T, 2, delta)
        known = setting.reading["update"], setting.reading["gap"], setting.reading["rounding"]
        if known != ("played", "best-response", "none") or self.T > 100_000:
            raise Unknown("only short runs of the appendix's update are computed by this script")
        self.c, self.share = float(1 - delta), float(rational(share))
        self.ratio = math.sqrt(1 / (float(delta) * math.log(2)))  # sqrt(C2/C1)
        self.alphas, is_full = list[float](), False
        while not is_full:
            alpha, is_full, threshold = setting.aggression(1, len(self.alphas) + 1, float)
            self.alphas.append(float(alpha))
        self.threshold = float(threshold)
        self.steps = [
            (n, math.sqrt(1 - 1 / n), 1 / (self.ratio * math.sqrt(n))) for n in range(1, self.T + 1)
        ]

    def paid(self, rng: Random) -> float:
        """sum <l_t, x_t - x^c> of one run.

        `odds` are exp(-z), those of arm 1: round n of a phase starts from odds ** shrinkage.
        """
        draw, exp, share, after = rng.random, math.exp, self.share, self.T - self.turn
        early = late = gap = 0.0  # sums of x before and after the turn; of 1/x in the phase
        n, left, odds, k = 0, self.turn, 1.0, 0
        alpha, safe, limit = self.pace(k)
        while left:
            for n, shrinkage, step in self.steps[:left]:  # noqa: B007
                x = alpha / (1 + odds**shrinkage) + safe
                early += x
                inverse = 1 / x
                odds = inverse - 1
                if draw() < x:
                    odds *= exp(step * inverse)
                    gap += inverse
                    if gap > limit:
                        break
            left -= n
            if gap > limit:
                n, odds, gap, k = 0, 1.0, 0.0, k + 1
                alpha, safe, limit = self.pace(k)
        for _, shrinkage, step in self.steps[n : n + after]:
            x = alpha / (1 + odds**shrinkage) + safe
            late += x
            odds = (1 - x) / x
            if draw() >= x:
                odds *= exp(-share * step / (1 - x))
        return early - self.c * self.turn + share * (self.c * after - late)

    def pace(self, k: int) -> tuple[float, float, float]:
        """alpha in phase k + 1, (1 - alpha) x^c(0), and the sum of 1/x above which it ends."""
        alpha = self.alphas[k]
        return alpha, (1 - alpha) * self.c, self.threshold / self.c if alpha < 1 else math.inf

    def least(self) -> float:
        """What no run falls below, but with chance RARE.

        While alpha < 1, x is least if arm 0 is always played; the rounds of least x bound what
        rounds earn, and the variance of the gap's steps. By Freedman's inequality the gaps of all
        phases are not passed much too early, so that few rounds before the turn have alpha = 1.
        """
        found = list[float]()
        for alpha in self.alphas[:-1]:
            odds, safe = 1.0, (1 - alpha) * self.c
            for _, shrinkage, step in self.steps[: self.turn]:
                x = alpha / (1 + odds**shrinkage) + safe
                found.append(x)
                odds = (1 / x - 1) * math.exp(step / x)
        worst = sorted(found)[: self.turn]
        lowest, V = worst[0], self.c**2 * sum(1 / x - 1 for x in worst)
        b, level = self.c * max(1 / lowest - 1, 1), math.log(1 / RARE)
        s = b * level / 3 + math.sqrt((b * level / 3) ** 2 + 2 * V * level)
        earliest = ((len(self.alphas) - 1) * self.threshold - s) / self.c
        later = self.share * (1 - self.c) * (self.T - self.turn)
        full = self.c * max(0, math.ceil(self.turn - earliest))
        return -sum(self.c - x for x in worst) - full - later


def experiment(witness: Any) -> tuple[int, dict[str, Any], float, Callable[[Random], float], float]:
    """The rounds of a run, where, c, how to draw value - bound >= -c, and the bound.

    The bound is ceil(log2 D) + 1 = 1. Rare paths are replaced by the least value, and their chance
    times T is taken off.
    """
    game = Reversal(witness)
    least = game.least()
    bound = 1 + RARE * game.T

    def excess(rng: Random) -> float:
        return max(game.paid(rng), least) - bound

    return game.T, {"D": game.D, "T": game.T}, bound - least, excess, 1.0
