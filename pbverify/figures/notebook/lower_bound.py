r"""The pictures of the fourth notebook: buckets, V_j/L_j, environments, simulation, rates."""

from __future__ import annotations

from fractions import Fraction

import sympy

from pbverify.figures.lower_bound import (
    bucket_figure,
    environments_figure,
    rates_figure,
    ratios_figure,
    simulation_figure,
)
from pbverify.figures.notebook.curves import N, values_along
from pbverify.figures.notebook.measured import drawn
from pbverify.figures.style import Picture
from pbverify.numerics import BallArithmetic
from pbverify.paper.formulas import lower as f
from pbverify.paper.lower_bound.buckets import Bucketing, all_admissible, constant_delays
from pbverify.paper.lower_bound.families import bucketings
from pbverify.paper.lower_bound.growth import Path
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learners import contender
from pbverify.paper.lower_bound.simulation import Convention, Simulation

FALLING = (9, 9, 7, 7, 7, 6, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1)
"""The delays of the first picture: non-increasing, as the construction needs."""

MARGINS = tuple(Fraction(n, 4) for n in range(4))
"""Exponents c of delta = n^-c/2 along the paths of `rates`."""

RATIOS = """Every dot is a delay sequence: all admissible ones with T up to 7, 150 generated ones,
and the corollary's d_t = min(q, T + 1 - t). The construction's leading term is 3/256
sqrt(V_j/(delta L_j)). Left: V_j/L_j never exceeds T, because no later bucket is longer than L_j.
Right: with long delays D grows and V_j/L_j does not."""

ENVIRONMENTS = """The two environments. Arm 1 always loses 1/2. Arm 2 loses more on average in E+
and less in E-, by eps_m = gamma L_m/sqrt(V) in block m (a band). A safe learner must hardly ever
try arm 2 in E+, so it cannot notice E-. A smaller margin delta allows a stronger signal."""

SIMULATION = """A delayed learner (above) and the batched one that simulates it (below) choose the
same arms, round by round. Arrows lead from a round to the round before whose end its loss is
known. Bands are buckets: no arrow ends inside the bucket in which it begins, so a batched
learner, which sees a block only when it is over, misses nothing. Grey: rounds before b_j, where
all losses are 0."""

RATES = """Four quantities along q = n^a (block length), N = n^b (blocks), delta = n^-c/2. The
claimed delay side (blue) runs away from the construction's own bound (vermillion) as soon as q
grows, even after constants and lower-order terms are forgiven (green: 3/256 sqrt(T/delta)). With
losses that are constant inside a block the bound (purple) does follow sqrt(D) + sqrt(T/delta)."""


def buckets(*, q: int = 0, N: int = 3) -> Picture:
    """Greedy buckets of the falling delays, or of the corollary's delays for some q."""
    cut = constant_delays(q=q, N=N) if q else Bucketing(FALLING)
    lengths = ", ".join(map(str, cut.lengths))
    name = f"delays min({q}, T + 1 - t)" if q else "falling delays"
    title = (
        f"{name}: T = {cut.horizon}, D = {cut.total}, bucket lengths {lengths}, "
        f"V$_1$/L$_1$ = {cut.squares() / cut.lengths[0]:.3g}"
    )
    return bucket_figure(cut.delays, [bucket.first for bucket in cut.buckets], title=title)


def sequences() -> list[Bucketing]:
    """The delay sequences that `ratios` shows."""
    family = [constant_delays(q=q, N=n) for q in (1, 2, 4, 8, 16, 32) for n in (1, 3, 7)]
    return [*all_admissible(horizon=7), *drawn(bucketings(), examples=150), *family]


def ratios() -> Picture:
    """max_j V_j/L_j against T and against D."""
    cuts = sequences()
    best = [
        max(cut.squares(j) / cut.lengths[j - 1] for j in range(1, len(cut.buckets) + 1))
        for cut in cuts
    ]
    return ratios_figure(
        [cut.horizon for cut in cuts], [cut.total for cut in cuts], best, caption=RATIOS
    )


def environments(*, delta: Fraction = Fraction(1, 4)) -> Picture:
    """The mean loss of the tested arm in both environments, for three sequences of blocks."""
    cut = Bucketing(FALLING)
    games = {
        f"blocks of the falling delays, $\\delta$ = {delta}": HardGame(cut.lengths, delta),
        "the least margin $L_1/(64 V)$": HardGame(cut.lengths, least_margin(cut)),
        "no delay: 18 blocks of one slot": HardGame((1,) * 18, delta),
    }
    return environments_figure(
        {name: (game.lengths, signals(game)) for name, game in games.items()},
        caption=ENVIRONMENTS,
    )


def least_margin(cut: Bucketing) -> Fraction:
    """The least margin that the theorem admits for the first bucket."""
    return Fraction(cut.lengths[0], 64 * cut.squares())


def signals(game: HardGame) -> list[float]:
    """eps_m of every block."""
    balls = BallArithmetic()
    return [float(balls.to_float(game.signal(m))) for m in range(len(game.lengths))]


def simulation(*, j: int = 2, learner: str = "prober", seed: int = 3) -> Picture:
    """A learner in the delayed game and its simulation in the batched one."""
    cut = Bucketing(FALLING)
    first = cut.buckets[j - 1].first
    losses = tuple(
        (Fraction(1, 2), Fraction((t * 7) % 3, 2)) for t in range(first, cut.horizon + 1)
    )
    both = Simulation(cut, j, Convention.BEFORE, losses, contender(learner), seed)
    edges = [*(bucket.first for bucket in cut.buckets), cut.horizon + 1]
    return simulation_figure(
        both.delayed.actions,
        both.batched.actions,
        first=first,
        edges=edges,
        arrivals=[t + d for t, d in enumerate(cut.delays, start=1)],
        caption=SIMULATION,
    )


def rates(*, margin: Fraction = Fraction(0)) -> Picture:
    """Claimed and supported rates along three paths."""
    paths = {
        "q = 1: D = T": Path(q=Fraction(0), N=Fraction(1), margin=margin),
        "q = N: D = T$^{3/2}$": Path(q=Fraction(1), N=Fraction(1), margin=margin),
        "one more bucket only (N = 1): D ~ T$^2$": Path(
            q=Fraction(1), N=Fraction(0), margin=margin
        ),
    }
    return rates_figure(N, {name: _lines(path) for name, path in paths.items()}, caption=RATES)


def _lines(path: Path) -> dict[str, list[float]]:
    log_delay = {f.Lambda: sympy.log(f.D)}
    leading = f.LEADING.expression.subs(f.V, f.T * f.L)
    expressions = {
        "claimed: $\\sqrt{D/\\delta}$": f.DELAY_RATE.expression,
        "construction: $B_{\\log D}$": f.B_LAMBDA.expression.subs(log_delay),
        "its leading term at most": leading,
        "block-constant losses": path.block_bound,
    }
    return {name: list(values_along(path, e)) for name, e in expressions.items()}
