"""Claims about delays d_1..d_T and their greedy buckets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from .claims import Case, Unknown, case, claim, dropped
from .intervals import ln, number, sqrt
from .witness_file import BadFile, entries, fields, rationals, whole, wholes


@claim("banker-regret/inverse-scale-sum")
def inverse_scale_sum(witness: Any) -> Iterator[Case]:
    """sum of 1/sqrt(age) + missing sqrt(ln(M + 1)/M) <= 2 sqrt(N) + sqrt(2 D ln(D + 1)).

    Over a phase of N rounds whose delays add up to D; M is the number missing, summed so far.
    """
    given = fields(witness.get("parameters"), {"delays", "start", "end"})
    start, end, delays = whole(given["start"]), whole(given["end"]), wholes(given["delays"])
    if not 1 <= start <= end <= len(delays):
        raise BadFile("start and end are not rounds of the delay sequence")
    d, N = delays[start - 1 : end], end - start + 1
    cost, mass = number(0), 0
    for t in range(N):
        missing = sum(1 for u in range(t) if u + d[u] >= t)
        mass += missing
        late = missing * sqrt(ln(number(mass + 1)) / mass) if missing else 0
        cost = cost + 1 / sqrt(number(t + 1)) + late
    yield case(
        {"N": N}, cost, "<=", 2 * sqrt(number(N)) + sqrt(2 * sum(d) * ln(number(sum(d) + 1)))
    )


def buckets_of(delays: list[int]) -> list[tuple[int, int]]:
    """(first, end) of each bucket, which holds first..end-1; none unless 1 <= d_t <= T + 1 - t.

    The end is the number b with t + d_t >= b on first..b-1, with equality for some t.
    """
    T, spans, first = len(delays), [], 1
    if any(not 1 <= d <= T + 1 - t for t, d in enumerate(delays, start=1)):
        return []
    while first <= T:
        reach = T + 1
        for end in range(first + 1, T + 2):
            reach = min(reach, end - 1 + delays[end - 2])
            if reach == end:
                break
        spans.append((first, end))
        first = end
    return spans


def squares(lengths: list[int]) -> int:
    return sum(n * n for n in lengths)


# (bucket, lhs, rhs) of claims about the lengths L of the buckets and the sums M of their delays.
BUCKETS: dict[str, tuple[str, Callable[[int, list[int], list[int]], tuple[int, int]]]] = {
    "greedy-buckets/lengths": ("m", lambda m, L, M: (L[m], L[m - 1])),
    "greedy-buckets/delay-mass": ("m", lambda m, L, M: (M[m], L[m - 1] ** 2)),
    "delayed-lower-bound/hidden-delay": ("j", lambda j, L, M: (sum(M[j:]), squares(L[j - 1 :]))),
    "lower-bound/rate/at-most-horizon": (
        "j",
        lambda j, L, M: (squares(L[j - 1 :]), L[j - 1] * sum(L[j - 1 :])),
    ),
}


def on_buckets(witness: Any, *, of: str) -> Iterator[Case]:
    d = wholes(fields(witness.get("parameters"), {"delays"})["delays"])
    spans, (name, sides) = buckets_of(d), BUCKETS[of]
    if dropped(witness) == "non-increasing delays" or all(a >= b for a, b in pairwise(d)):
        L, M = [b - a for a, b in spans], [sum(d[a - 1 : b - 1]) for a, b in spans]
        for which in range(1, len(L) + (name == "j")):
            lhs, rhs = sides(which, L, M)
            yield case({name: which}, lhs, "<=", rhs)


for each in BUCKETS:
    claim(each, of=each)(on_buckets)


@claim("corollary/linear-total-delay/delayed")
def something_is_missing(witness: Any) -> Iterator[Case]:
    """If d_t = 1 in each of two rounds or more, then feedback is missing in some round.

    Feedback of round u arrives before the action of round u + d_u.
    """
    d = wholes(fields(witness.get("parameters"), {"delays"})["delays"])
    if len(d) > 1 and set(d) == {1}:
        rounds = range(1, len(d) + 1)
        most = max(sum(1 for u in range(1, t) if t < u + d[u - 1]) for t in rounds)
        yield case({"outstanding": "most"}, 1, "<=", most)


@claim("delay-to-batch/printed-arrival")
def printed_simulator(witness: Any) -> Iterator[Case]:
    """From bucket j on, the simulator plays what the learner plays in the delayed game.

    There, feedback of round u is delivered right before the action of round u + d_u. The printed
    simulator does so before bucket j, and one round later from then on. Losses before it are 0.
    """
    names = {"delays", "j", "convention", "losses", "learner", "seed"}
    given = fields(witness.get("parameters"), names)
    if given["learner"] != "committer":
        raise Unknown("of the learners only the committer is computed by this script")
    d, j = wholes(given["delays"]), whole(given["j"])
    losses, spans = [rationals(g) for g in entries(given["losses"])], buckets_of(d)
    if given["convention"] != "before" or not 1 <= j <= len(spans):
        return
    first, T = spans[j - 1][0], len(d)
    if len(losses) != T + 1 - first or {len(g) for g in losses} != {2}:
        raise BadFile("two losses for each round from bucket j on are expected")
    of_arm_1 = [Fraction(0)] * (first - 1) + [g[1] for g in losses]
    announced = committed(of_arm_1, [u + d[u - 1] for u in range(1, T + 1)])
    printed = committed(of_arm_1, [u + d[u - 1] + (u >= first) for u in range(1, T + 1)])
    for t in range(first, T + 1):
        where = {"action": "batched = delayed", "t": t}
        yield case(where, printed[t - 1], "=", announced[t - 1])


def committed(losses: list[Fraction], known: list[int]) -> list[int]:
    """A learner: arm 1 in round 1, then whenever the losses seen on it average below 1/2."""
    actions: list[int] = []
    for t in range(1, len(losses) + 1):
        seen = [losses[u - 1] for u in range(1, t) if known[u - 1] <= t and actions[u - 1] == 1]
        actions.append(int(t == 1 or sum(Fraction(1, 2) - loss for loss in seen) > 0))
    return actions
