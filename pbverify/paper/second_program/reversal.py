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
        self.roots = [math.sqrt(n) for n in range(self.T + 1)]
        self.shrinkages = [0.0, *(math.sqrt(1 - 1 / n) for n in range(1, self.T + 1))]

    def paid(self, rng: Random) -> float:
        """sum <l_t, x_t - x^c> of one run."""
        c, ratio, threshold, share, total = self.c, self.ratio, self.threshold, self.share, 0.0
        k, n, z, gap, alpha, safe = 0, 0, 0.0, 0.0, self.alphas[0], (1 - self.alphas[0]) * self.c
        draw, exp, log = rng.random, math.exp, math.log
        roots, shrinkages = self.roots, self.shrinkages
        for _ in range(self.turn):
            n += 1
            x = alpha / (1 + exp(-z * shrinkages[n])) + safe
            total += x - c
            z = log(x / (1 - x))
            if draw() < x:
                z -= 1 / (x * ratio * roots[n])
                gap += c / x
                if gap > threshold and alpha < 1:
                    k, n, z, gap = k + 1, 0, 0.0, 0.0
                    alpha, safe = self.alphas[k], (1 - self.alphas[k]) * c
        for m in range(n + 1, n + 1 + self.T - self.turn):
            x = alpha / (1 + exp(-z * shrinkages[m])) + safe
            total += share * (c - x)
            z = log(x / (1 - x))
            if draw() >= x:
                z += share / ((1 - x) * ratio * roots[m])
        return total

    def least(self) -> float:
        """What no run falls below, but with chance RARE.

        While alpha < 1, x is least if arm 0 is always played; this bounds what such a round earns,
        and the variance of the gap's steps. By Freedman's inequality the gaps of all phases are not
        passed much too early, so that few rounds before the turn have alpha = 1.
        """
        earned, variances, lowest = list[float](), list[float](), 1.0
        for alpha in self.alphas[:-1]:
            p = 0.5
            for n in range(1, self.turn + 1):
                x = alpha * p + (1 - alpha) * self.c
                earned.append(self.c - x)
                variances.append(self.c**2 * (1 / x - 1))
                lowest = min(lowest, x)
                z = math.log(x / (1 - x)) - 1 / (x * self.ratio * math.sqrt(n))
                p = 1 / (1 + math.exp(-z * math.sqrt(n / (n + 1))))
        V = sum(sorted(variances)[-self.turn :])
        b, level = self.c * max(1 / lowest - 1, 1), math.log(1 / RARE)
        s = b * level / 3 + math.sqrt((b * level / 3) ** 2 + 2 * V * level)
        earliest = ((len(self.alphas) - 1) * self.threshold - s) / self.c
        later = self.share * (1 - self.c) * (self.T - self.turn)
        full = self.c * max(0, math.ceil(self.turn - earliest))
        return -sum(sorted(earned)[-self.turn :]) - full - later


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
