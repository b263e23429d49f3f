"""EXP3-IX behind its safety wrapper, compiled: a second text of `algorithms.safe_exp3_ix`.

With alpha_safe = 1 nothing is asked of the budget, and what is left is EXP3-IX alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from pbverify.paper.kernels.mirror import entropy_point, inner
from pbverify.paper.kernels.prudent_banker import Floats, arrival_lists, draw_arm


@njit(cache=True)
def play(
    losses: Floats,
    delays: npt.NDArray[np.int64],
    given: npt.NDArray[np.int32],
    uniforms: Floats,
    default: int,
    reward: float,
    risk: float,
    rate: float,
    bias: float,
    action: npt.NDArray[np.int32],
    pseudo_loss: Floats,
    explored: npt.NDArray[np.bool_],
    credit: Floats,
) -> None:
    """Fill in action, <p_t, l_t>, whether EXP3-IX acted, and the credit after each round."""
    T, A = losses.shape
    head, following = arrival_lists(delays)
    logs, law = np.zeros(A), np.full(A, 1.0 / A)
    chance = np.empty(T)  # with which the arm of a round was drawn
    defaults, earned = 0, 0.0
    is_stale = False
    for t in range(T):
        # The product of the two counts comes first: it is exact where the test is a tie.
        explored[t] = defaults * reward + earned >= (1.0 - risk) * (t + 1.0) * reward
        if explored[t]:
            if is_stale:
                entropy_point(logs, law)
                is_stale = False
            pseudo_loss[t] = inner(law, losses[t])
            action[t] = given[t] if given.size else draw_arm(law, uniforms[t])
            chance[t] = law[action[t]]
        else:
            pseudo_loss[t] = losses[t, default]
            action[t] = given[t] if given.size else default
            defaults += 1
        u = head[t]
        while u >= 0:
            if explored[u]:
                arm = action[u]
                earned += 1.0 - losses[u, arm]
                logs[arm] -= rate * losses[u, arm] / (chance[u] + bias)
                is_stale = True
            u = following[u]
        credit[t] = defaults * reward + earned
