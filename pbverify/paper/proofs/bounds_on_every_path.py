r"""Bounds on sums of true losses over a phase that hold on every path, hence for expectations.

With x_t = alpha x^_t + (1 - alpha) x^c, whatever the base iterate x^_t is,

    <l_t, x_t - x>    >= (1 - alpha) <l_t, x^c - x> + alpha min_a <l_t, e_a - x>,
    <l_t, x_t - x^c>  >= alpha min_a <l_t, e_a - x^c>,

and until the first feedback of the phase has arrived, x^_t = x_0. A bound on every path refutes
an expectation without any sampling, if the paths agree on where the phase begins and ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from pbverify.numerics import Number, Truth, leq, less, to_fmpq
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.run import PaperPhase, Run
from pbverify.paper.cases.sample import PhaseSums, Sample


def is_normal(phase: PhaseSums) -> bool:
    """Whether a phase with alpha < 1, of whatever number, lasts until the horizon."""
    return phase.ended == "horizon" and phase.alpha < 1


def first_and_last(run: Run) -> Iterator[PaperPhase]:
    """The run's last phase, if it is a normal one, and the first of its stage.

    Such phases do not depend on the path: stages depend on the delays alone, unless a path restarts
    softly.
    """
    for phase in run.phases[-1:]:
        is_first = phase.ended == "horizon" and phase.number == 1
        if is_first and less(run.alpha(phase), 1) is Truth.YES:
            yield phase


def is_decisive(subject: Run | Sample | AllPaths) -> bool:
    """A run of a single phase that all paths share, a sample whose runs all end in a normal one, or
    a game, in which all that may happen in a phase is added up.

    If some did not, to look at the others would be to condition on what they have seen, and under
    such a condition estimates are no longer unbiased. It has to be the same phase, with the same
    delay: then all runs have one bound.
    """
    if isinstance(subject, AllPaths):
        return True
    if isinstance(subject, Run):
        return is_certain(subject) and len(subject.phases) == len([*first_and_last(subject)]) == 1
    phases = list(subject.phases(is_normal))
    bounds = {(phase.stage, phase.number, phase.estimate, phase.delay) for phase in phases}
    return len(phases) == len(subject.runs) and len(bounds) == 1


def is_certain(run: Run) -> bool:
    """Whether no path restarts softly: feedback adds at most 1/(1 - alpha) to the gap.

    Stages then depend on the delays alone, and all paths have the phases of this run.
    """
    return all(_cannot_exit(run, phase) for phase in run.phases) or _is_steepest(run)


def _is_steepest(run: Run) -> bool:
    r"""Whether no path restarts softly because this one, which comes nearest to it, does not.

    Of two arms the first always loses 1 and is always played, the other loses nothing; nothing is
    late, and steps start at the base iterate. Let G be the estimates of arm 0 so far. Then
    x^(0) = 1/(1 + exp(G/sigma_t)) <= 1/2 <= x^c(0), and a play of arm 0 adds 1/x_t(0) to G and
    x^c(0)/x_t(0), or (x^c(0) - x^(0))/x_t(0), to the gap: all increase with G. So a path that
    plays arm 1 now and then has in every round at most the G and the gap of this one.
    """
    instance, rounds = run.instance, range(1, run.instance.rounds + 1)
    return (
        run.trace.reading.update == "base"
        and [phase.ended for phase in run.phases] == ["horizon"]
        and instance.comparator[0] * 2 >= 1
        and not any(run.delays)
        and all(run.action(t) == 0 and losses(run, t) == [1, 0] for t in rounds)
    )


def _cannot_exit(run: Run, phase: PaperPhase) -> bool:
    if less(run.alpha(phase), 1) is not Truth.YES:
        return True
    seen = sum(1 for u in phase.played if not run.is_missing(u, at=phase.end))
    reach = seen / (1 - run.alpha(phase))
    return leq(reach, run.stage_of(phase).threshold) is Truth.YES


def losses(run: Run, t: int) -> list[fmpq]:
    """l_t."""
    return run.losses[t - 1]


def safe_loss(run: Run, t: int) -> fmpq:
    """<l_t, x^c>."""
    pairs = zip(losses(run, t), run.instance.comparator, strict=True)
    return sum((loss * to_fmpq(c) for loss, c in pairs), fmpq(0))


def least_regret(run: Run, phase: PaperPhase, arm: int) -> Number:
    """What sum_t <l_t, x_t - e_arm> over the phase is at least, on every path."""
    comparator = [to_fmpq(c) for c in run.instance.comparator]
    rows = [losses(run, t) for t in phase.played]
    totals = [sum(column, fmpq(0)) for column in zip(*rows, strict=True)]
    safe = sum((c * total for c, total in zip(comparator, totals, strict=True)), fmpq(0))
    best = sum(map(min, rows), fmpq(0))
    alpha = run.alpha(phase)
    return (1 - alpha) * (safe - totals[arm]) + alpha * (best - totals[arm])


def least_safety_regret(run: Run, phase: PaperPhase) -> Number:
    """What sum_t <l_t, x_t - x^c> is at least on every path, wherever after its first feedback
    the phase ends: later terms are bounded by what is never positive, up to the horizon."""
    arrivals = [u + run.delays[u - 1] for u in phase.played]
    first, total = min(arrivals), fmpq(0)
    for t in range(phase.start, run.instance.rounds + 1):
        row = losses(run, t)
        least = min(row) if t > first else sum(row, fmpq(0)) / len(row)
        total = total + least - safe_loss(run, t)
    return run.alpha(phase) * total


def true_safety_regret(run: Run, phase: PaperPhase) -> Number:
    """sum_t <l_t, x_t - x^c> along the run."""
    total: Number = fmpq(0)
    for t in phase.played:
        played = sum(loss * x for loss, x in zip(losses(run, t), run.law(t), strict=True))
        total = total + played - safe_loss(run, t)
    return total
