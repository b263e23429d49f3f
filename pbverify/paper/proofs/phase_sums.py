r"""The sums over one phase of a run that the proofs of the phase lemmas split and bound.

A sum of loss estimates over some rounds is kept as the vector g with g_a the total estimate of
arm a, so that sum_u <l_u, p - q> = <g, p - q> for fixed p and q.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from flint import fmpq

from pbverify.numerics import BallArithmetic, Number, Truth, less, to_fmpq
from pbverify.paper.cases.run import PaperPhase, Run

Weights = Sequence[Number]


def inner(g: Weights, x: Weights) -> Number:
    """<g, x>."""
    return sum((a * b for a, b in zip(g, x, strict=True)), fmpq(0))


def comparator(run: Run) -> list[fmpq]:
    """x^c."""
    return [to_fmpq(x) for x in run.instance.comparator]


def margin(run: Run) -> fmpq:
    """delta."""
    return to_fmpq(run.instance.delta)


def estimates(run: Run, rounds: Iterable[int]) -> list[Number]:
    """g: the loss estimates of some rounds, added up per arm."""
    g: list[Number] = [fmpq(0)] * run.instance.arms
    for u in rounds:
        g[run.action(u)] = g[run.action(u)] + run.estimate(u)
    return g


def gap(run: Run, g: Weights) -> Number:
    """The largest <g, x^c - x> over x, attained at the arm of least estimate."""
    return inner(g, comparator(run)) - BallArithmetic().minimum(list(g))


def best_response(g: Weights) -> int:
    """x*: the first arm of least estimate, as far as enclosures can tell."""
    return min(range(len(g)), key=lambda arm: BallArithmetic().to_float(g[arm]))


def cautious(run: Run) -> Iterator[PaperPhase]:
    """Phases with alpha < 1."""
    return (phase for phase in run.phases if less(run.alpha(phase), 1) is Truth.YES)


def arrived(run: Run, phase: PaperPhase, *, at: int) -> list[int]:
    """The phase's rounds whose feedback has arrived by the end of round `at`."""
    return [u for u in phase.played if u <= at and not run.is_missing(u, at=at)]


def missing(run: Run, phase: PaperPhase, *, at: int) -> list[int]:
    """The phase's rounds up to `at` whose feedback has not arrived by the end of it."""
    return [u for u in phase.played if u <= at and run.is_missing(u, at=at)]


def gaps(run: Run, phase: PaperPhase) -> Iterator[tuple[int, Number]]:
    """(t, phase_gap_t) for each round t in which feedback of the phase arrives."""
    arrivals: dict[int, list[int]] = {}
    for u in phase.played:
        arrivals.setdefault(u + run.delays[u - 1], []).append(u)
    g: list[Number] = [fmpq(0)] * run.instance.arms
    for t in phase.played:
        for u in arrivals.get(t, ()):
            g[run.action(u)] = g[run.action(u)] + run.estimate(u)
        if t in arrivals:
            yield t, gap(run, g)


def against(run: Run, rounds: Iterable[int], arm: int, *, base: bool) -> Number:
    """sum_t <l_t, p_t - e_arm> over the estimates, with p_t the base iterate or the played law."""
    total: Number = fmpq(0)
    for t in rounds:
        law = run.base(t) if base else run.law(t)
        action = run.action(t)
        total = total + run.estimate(t) * (law[action] - int(action == arm))
    return total


def against_comparator(run: Run, rounds: Iterable[int], *, base: bool) -> Number:
    """sum_t <l_t, p_t - x^c> over the estimates."""
    safe, total = comparator(run), fmpq(0)
    for t in rounds:
        law = run.base(t) if base else run.law(t)
        total = total + run.estimate(t) * (law[run.action(t)] - safe[run.action(t)])
    return total


def outstanding_mass(run: Run, phase: PaperPhase) -> int:
    """The rounds missing when round t is played, summed over the phase's rounds t."""
    last = phase.last_played
    return sum(min(run.delays[u - 1], last - u) for u in phase.played)
