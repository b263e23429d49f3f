r"""Why the paper's statements fail, drawn: one sketch per mechanism, named by the findings.

The curves are the formulas themselves, in doubles: a drawing decides nothing. Where a learner is
drawn, its estimates are replaced by their means.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from pbverify.report.sketch import Box, Line, Plot, Shape, Sketch, Text

LN2 = math.log(2)
_SKETCHES: dict[str, Callable[[], Sketch]] = {}


def mechanism(name: str) -> Sketch | None:
    """The sketch of that name."""
    return _SKETCHES[name]() if name in _SKETCHES else None


def names() -> tuple[str, ...]:
    """All sketches."""
    return tuple(_SKETCHES)


def _sketch(name: str, title: str) -> Callable[[Callable[[], Iterator[Shape]]], None]:
    def keep(shapes: Callable[[], Iterator[Shape]]) -> None:
        _SKETCHES[name] = lambda: Sketch(title, tuple(shapes()))

    return keep


def _learner(rounds: int, alpha: float, *, forgets: bool) -> list[float]:
    """The base iterate's chance of the good arm, round by round, for losses (1, 0)."""
    found, odds = [], 0.0
    for t in range(1, rounds + 1):
        chance = 1 / (1 + math.exp(-odds))
        found.append(chance)
        played = alpha * chance + (1 - alpha) / 2
        kept = math.log(played / (1 - played)) if forgets else odds
        sigma, following = (math.sqrt(2 / LN2 * each) for each in (t, t + 1))
        odds = (sigma * kept + 1) / following
    return found


@_sketch(
    "forgetful-learner",
    "With steps from the played mixture the learner stays at 1/2, and its regret passes the bound",
)
def _forgetful() -> Iterator[Shape]:
    rounds, alpha = 70, 1 / 40
    left = Plot(14, 24, 185, 136, (1, rounds), (0.45, 1.0))
    yield from left.axes("round", "chance of the good arm")
    kept, lost = (_learner(rounds, alpha, forgets=each) for each in (False, True))
    yield left.curve(lambda t: kept[int(t) - 1], range(1, rounds + 1), "good")
    yield left.curve(lambda t: lost[int(t) - 1], range(1, rounds + 1), "found")
    yield Text(62, 66, "step from its own iterate", "good", is_small=True)
    yield Text(62, 112, "step from the played mixture:", "found", is_small=True)
    yield Text(62, 125, "forgets, stays near x^c", "found", is_small=True)
    right = Plot(232, 24, 174, 136, (0, rounds), (0, 36))
    yield from right.axes("rounds", "regret to the good arm")
    sums = [sum(1 - chance for chance in lost[:t]) for t in range(rounds + 1)]
    yield right.curve(lambda t: sums[int(t)], range(rounds + 1), "found")
    yield right.curve(lambda t: 3 * math.sqrt(2 * LN2 * t), range(rounds + 1), "claimed")
    yield Text(250, 44, "claimed bound", "claimed", is_small=True)
    yield Text(330, 120, "found", "found", is_small=True)


@_sketch(
    "exit-without-gain", "The best arm's gap ends the phase, but the learner has earned little"
)
def _exit_without_gain() -> Iterator[Shape]:
    rounds, budget = 392, 96.2
    left = Plot(14, 24, 180, 136, (0, 600), (0, 300))
    yield from left.axes("round", "gap of the best arm to x^c")
    yield left.curve(lambda t: 0.5 * t, (0, rounds), "good")
    yield left.curve(lambda t: 196.4, (0, 600), "claimed")
    yield Text(20, 60, "restart threshold", "claimed", is_small=True)
    yield Text(138, 130, "soft restart", "good", is_small=True)
    yield Line((left.at(rounds, 0), left.at(rounds, 196.4)), "good")
    right = Plot(228, 24, 178, 136, (0, 600), (-1.2, 0.1))
    yield from right.axes("round", "regret of the phase to x^c")
    lost = _learner(rounds, 1 / budget, forgets=True)
    paid = [-sum(chance - 0.5 for chance in lost[:t]) / budget for t in range(rounds)]
    yield right.curve(lambda t: paid[int(t)], range(0, rounds, 8), "found")
    yield right.curve(lambda t: -1.0, (0, 600), "claimed")
    yield Text(236, 58, "found: the learner forgets,", "found", is_small=True)
    yield Text(236, 71, "so the phase earns little", "found", is_small=True)
    yield Text(236, 132, "claimed at the restart: −1", "claimed", is_small=True)  # noqa: RUF001


@_sketch(
    "phase-without-delay", "A phase without delay ends softly; a later round raises the estimate"
)
def _phase_without_delay() -> Iterator[Shape]:
    yield Box(20, 40, 300, 34, "good")
    yield Text(170, 61, "phase 1: rounds 1 to 92, no delay, D = 0", anchor="middle")
    yield Line(((320, 30), (320, 84)), "good")
    yield Text(316, 26, "soft restart", "good", anchor="end", is_small=True)
    yield Box(326, 40, 22, 34, "bad")
    yield Text(337, 30, "93", "bad", anchor="middle", is_small=True)
    yield Line(((337, 57), (405, 57)), "bad")
    yield Text(352, 50, "late by 2", "bad", is_small=True)
    yield Text(20, 112, "estimate of the stage:", is_small=True)
    yield Text(150, 112, "1", is_strong=True)
    yield Text(337, 112, "2", "bad", anchor="middle", is_strong=True)
    yield Line(((160, 108), (326, 108)), "faint")
    yield Text(20, 138, "claimed: next estimate < 2 · D of every phase", "claimed")
    yield Text(20, 160, "phase 1 has 2 D = 0, and 2 < 0 is false", "found", is_strong=True)


@_sketch(
    "leftover-estimate",
    "A phase without delay lasts to the end, because its threshold comes from round 1",
)
def _leftover() -> Iterator[Shape]:
    plot = Plot(40, 46, 362, 116, (0, 1000), (0, 560))
    yield from plot.axes("round", "")
    yield Box(34, 30, 10, 132, "bad")
    yield Text(
        48, 24, "round 1 is late by 10^9: the stage's estimate is 2^30,", "bad", is_small=True
    )
    yield Text(48, 37, "so the restart threshold is out of reach", "bad", is_small=True)
    yield plot.curve(lambda t: 448.8, (0, 1000), "claimed")
    yield plot.curve(lambda t: 0.5 * t, (0, 1000), "found")
    yield Text(58, 64, "claimed 448.8, from the phase's own delay D = 0", "claimed", is_small=True)
    yield Text(246, 132, "regret of the phase: 499.5", "found", is_small=True)


@_sketch("alpha-gap", "Between alpha = 1/2 and 1 a missing item weighs up to 1/(1 - alpha), not 2")
def _alpha_gap() -> Iterator[Shape]:
    plot = Plot(30, 24, 370, 136, (0, 1), (0, 12))
    middle = plot.at(0.5, 0)[0]
    yield Box(middle, 24, plot.at(1, 0)[0] - middle, 136, "bad")
    yield from plot.axes("alpha", "weight of one missing item")
    yield plot.curve(lambda a: 1 / (1 - a), [n / 100 for n in range(92)], "found")
    yield plot.curve(lambda a: 2, (0, 1), "claimed")
    yield Text(40, 134, "claimed: at most 2", "claimed", is_small=True)
    yield Text(middle + 6, 38, "R^ is not rounded:", "bad", is_small=True)
    yield Text(middle + 6, 51, "alpha may lie here", "bad", is_small=True)
    yield Text(middle + 6, 84, "found: 1/(1 - alpha)", "found", is_small=True)
    yield Text(middle + 6, 97, "304 in the witness", "found", is_small=True)
    for k in range(1, 6):
        x = plot.at(0.93 / 2**k, 0)[0]
        yield Line(((x, 156), (x, 164)), "axis")
    x = plot.at(0.93, 0)[0]
    yield Line(((x, 150), (x, 170)), "bad")
    yield Text(x - 16, 184, "alpha doubles with each phase", "bad", anchor="end", is_small=True)
    yield Text(middle, 172, "1/2", anchor="middle", is_small=True)


@_sketch("silence", "If no feedback arrives nothing restarts: the regret passes every logarithm")
def _silence() -> Iterator[Shape]:
    yield Text(8, 16, "losses are late by more than T", is_small=True)
    for n in range(6):
        y = 28 + 16 * n
        yield Box(12 + 14 * n, y, 8, 8, "found")
        yield Line(((22 + 14 * n, y + 4), (168, y + 4)), "faint")
    yield Line(((150, 22), (150, 122)), "axis")
    yield Text(150, 134, "T", anchor="middle", is_small=True)
    yield Text(8, 152, "sum of arrived delays: 0", "bad", is_small=True)
    yield Text(8, 165, "restarts: none, ever", "bad", is_small=True)
    plot = Plot(206, 24, 200, 136, (1e5, 1e10), (3, 2000), is_log=True)
    yield from plot.axes("T (log)", "regret to x^c (log)")
    steps = [10 ** (5 + n / 4) for n in range(21)]
    budget = 10 * math.sqrt(LN2 * 6)
    yield plot.curve(lambda T: T / 3 / (budget * (math.sqrt(T) + math.sqrt(LN2))), steps, "found")
    yield plot.curve(lambda T: math.ceil(math.log2(T * (T + 1) / 2)) + 1, steps, "claimed")
    yield Text(216, 86, "claimed: log D", "claimed", is_small=True)
    yield Text(298, 44, "found: like √T", "found", is_small=True)


@_sketch("ambush", "The phases that end earn next to nothing, so the last one is not paid for")
def _ambush() -> Iterator[Shape]:
    zero, unit = 84.0, 9.0
    yield Line(((16, zero), (408, zero)), "axis")
    yield Text(16, 20, "regret to x^c, phase by phase", is_small=True)
    for k in range(1, 5):
        x, promised = 24 + 62 * (k - 1), unit * 2 ** (k - 1)
        box = ((x, zero), (x, zero + promised), (x + 44, zero + promised), (x + 44, zero))
        yield Line(box, "claimed")
        yield Box(x, zero, 44, 2.5, "found")
        yield Text(x + 22, zero - 6, f"phase {k}", anchor="middle", is_small=True)
    yield Text(24, 176, "claimed: earns 1, 2, 4, ...", "claimed", is_small=True)
    yield Text(24, 122, "found: hardly anything", "found", is_small=True)
    yield Box(276, zero - 54, 56, 54, "bad")
    yield Text(304, zero - 59, "the last phase costs", "bad", anchor="middle", is_small=True)
    yield Text(338, zero - 34, "in all:", is_small=True)
    yield Text(338, zero - 20, "3.3 ± 1.5", "found", is_strong=True)
    yield Text(338, zero - 7, "claimed: ≤ 1", "claimed", is_small=True)


@_sketch("long-first-phase", "One late round makes the first phase as long as the slack")
def _long_first_phase() -> Iterator[Shape]:
    yield Text(8, 16, "round 1 is late by T, so D = T", is_small=True)
    yield Box(12, 26, 8, 12, "bad")
    yield Line(((20, 32), (190, 32)), "bad")
    yield Box(20, 52, 150, 18, "found")
    yield Text(95, 65, "phase 1", anchor="middle", is_small=True)
    yield Text(20, 86, "lasts until the gap passes", is_small=True)
    yield Text(20, 99, "the slack √D / δ", "found", is_small=True)
    yield Text(20, 122, "the rate allows √(D / δ)", "claimed", is_small=True)
    yield Text(20, 146, "δ = T^(-1/4) / 2:", is_small=True)
    yield Text(20, 160, "T^(3/4) against T^(5/8)", is_strong=True)
    plot = Plot(226, 24, 180, 136, (1e2, 1e10), (1, 30), is_log=True)
    yield from plot.axes("T (log)", "regret / claimed rate (log)")
    steps = [10.0**n for n in range(2, 11)]
    yield plot.curve(lambda T: T**0.125, steps, "found")
    yield plot.curve(lambda T: 1.0, steps, "claimed")
    yield Text(250, 70, "slope 1/8", "found", is_strong=True)
    yield Text(250, 152, "claimed: bounded", "claimed", is_small=True)


@_sketch("slack", "The slack grows like 1/delta, and the remark says like its root")
def _slack() -> Iterator[Shape]:
    plot = Plot(40, 24, 360, 136, (1, 1e4), (1, 2e4), is_log=True)
    yield from plot.axes("1/δ (log)", "slack at D = 1 (log)")
    steps = [10 ** (n / 2) for n in range(9)]
    yield plot.curve(lambda x: 2 * x, steps, "found")
    yield plot.curve(math.sqrt, steps, "claimed")
    yield Text(120, 70, "in the algorithm: √D / δ", "found", is_small=True)
    yield Text(230, 142, "in the remark: √(D / δ)", "claimed", is_small=True)


@_sketch("buckets", "The construction's lower bound stops growing with D once D passes T")
def _buckets() -> Iterator[Shape]:
    yield Text(8, 16, "greedy buckets: no later one is longer", is_small=True)
    x = 12.0
    for n, length in enumerate((60, 52, 40, 22)):
        yield Box(x, 30, length - 3, 24, "found" if n % 2 else "faint")
        yield Text(x + length / 2, 46, f"L{n + 1}", anchor="middle", is_small=True)
        x += length
    yield Text(12, 80, "V = L1² + L2² + ...  ≤  L1 · T", is_small=True)
    yield Text(12, 100, "so V / L1 ≤ T, whatever D is,", is_small=True)
    yield Text(12, 114, "and the bound is √(T / δ) at most", "found", is_small=True)
    plot = Plot(226, 24, 180, 136, (1, 1e4), (0.5, 200), is_log=True)
    yield from plot.axes("D / T (log)", "lower bound / √(T/δ) (log)")
    steps = [10 ** (n / 2) for n in range(9)]
    yield plot.curve(math.sqrt, steps, "claimed")
    yield plot.curve(lambda r: 1.0, steps, "found")
    yield Text(240, 60, "what optimality needs", "claimed", is_small=True)
    yield Text(262, 152, "what the construction gives", "found", is_small=True)


@_sketch(
    "threshold-out-of-reach",
    "In the experiment the restart threshold lies above any gap of 50,000 rounds",
)
def _out_of_reach() -> Iterator[Shape]:
    plot = Plot(96, 34, 300, 110, (0, 370_000), (0, 1))
    bars = {"appendix": 94_164, "repaired": 131_074, "main text": 306_615}
    yield Text(96, 22, "restart threshold 2 R^ + xi^ with the printed constants", is_small=True)
    for n, (name, value) in enumerate(bars.items()):
        y = 38 + 36 * n
        yield Box(96, y, plot.at(value, 0)[0] - 96, 22, "bad")
        yield Text(90, y + 15, name, anchor="end", is_small=True)
        yield Text(plot.at(value, 0)[0] + 5, y + 15, f"{value:,}", is_small=True)
    x = plot.at(50_001, 0)[0]
    yield Line(((x, 30), (x, 156)), "found")
    yield Text(x, 170, "no gap exceeds 50,001: alpha never rises", "found", is_small=True)
