"""Conservative UCB compiled: a second text of `algorithms.conservative_ucb`.

With t rounds already played, an arm's interval is its mean observed reward plus or minus
sqrt(2 ln(max(3, 2 A (t+1)^2 / delta_ucb)) / N), cut to [0, 1]; the default arm's is its known
reward. Of several arms with the largest upper end the first is the candidate; or, if numbers in
[0, 1) are given, one that they draw uniformly.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from numba import njit

from pbverify.paper.kernels.prudent_banker import Floats, arrival_lists


@njit(cache=True)
def drawn_equal(uppers: Floats, largest: float, number: int) -> int:
    """The arm that has the largest upper end and `number` such arms before it."""
    for i in range(len(uppers)):
        if uppers[i] == largest:
            if number == 0:
                return i
            number -= 1
    return 0


@njit(cache=True)
def play(
    losses: Floats,
    delays: npt.NDArray[np.int64],
    given: npt.NDArray[np.int32],
    default: int,
    reward: float,
    risk: float,
    ties: Floats,
    chosen: npt.NDArray[np.int32],
    explored: npt.NDArray[np.bool_],
) -> None:
    """Fill in the arm that the rule picks in each round, and whether it is the candidate.

    With given actions those are played; otherwise the picked arms are.
    """
    T, A = losses.shape
    head, following = arrival_lists(delays)
    plays, seen = np.zeros(A, np.int64), np.zeros(A, np.int64)
    means = np.zeros(A)  # of the observed rewards
    sums = np.zeros(A)
    lowers, uppers = np.empty(A), np.empty(A)
    played = np.empty(T, np.int32)
    for t in range(T):
        width = 2.0 * math.log(max(3.0, 2.0 * A * (t + 1.0) ** 2 * max(T, 2)))
        kept = candidate_lower = 0.0
        candidate, candidate_upper, equals = 0, -1.0, 0
        for i in range(A):
            lower, upper = 0.0, 1.0
            if i == default:
                lower = upper = reward
            elif seen[i] > 0:
                radius = math.sqrt(width / seen[i])
                lower, upper = max(0.0, means[i] - radius), min(1.0, means[i] + radius)
            kept += plays[i] * lower
            lowers[i], uppers[i] = lower, upper
            if upper > candidate_upper:
                candidate, candidate_lower, candidate_upper = i, lower, upper
                equals = 0
            equals += upper == candidate_upper
        if ties.size:
            candidate = drawn_equal(uppers, candidate_upper, int(ties[t] * equals))
            candidate_lower = lowers[candidate]
        # The product of the two counts comes first: it is exact where the test is a tie.
        explored[t] = kept + candidate_lower >= (1.0 - risk) * (t + 1.0) * reward
        chosen[t] = candidate if explored[t] else default
        played[t] = given[t] if given.size else chosen[t]
        plays[played[t]] += 1
        u = head[t]
        while u >= 0:
            arm = played[u]
            seen[arm] += 1
            sums[arm] += 1.0 - losses[u, arm]
            means[arm] = sums[arm] / seen[arm]
            u = following[u]
