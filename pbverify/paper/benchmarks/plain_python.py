r"""The appendix's pseudocode in plain Python, line by line (alg:Full-banker-omd-phased).

Every sum over rounds is taken as printed, from `start` to t, in every round. It is what somebody
would write who wants to run the experiment once, and what the benchmark compares with.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pbverify.bandits.instance import Instance
from pbverify.bandits.simulate import uniforms

Floats = npt.NDArray[np.float64]


def played_losses(instance: Instance) -> Floats:
    """<x_t, l_t> of every round, with negative entropy."""
    T, A, delta = instance.rounds, instance.arms, float(instance.delta)
    losses, xc = instance.losses.floats, instance.comparator_floats
    d, draw = instance.delays.to_json(), uniforms(instance)
    C1, C2 = math.log(A), 1 / delta
    x0 = np.full(A, 1 / A)

    def budget(D: int) -> float:
        tail = 7 * math.sqrt(2 * D * math.log(D + 1))
        return math.sqrt(C1 * C2) * (3 * math.sqrt(T) + tail)

    def slack(D: int) -> float:
        return (math.sqrt(8 * D + 1) - 1) / delta

    D, k, start = 1, 1, 0
    alpha = min(1 / budget(D), 1)
    action, sigma, v = [0] * T, [0.0] * T, [0.0] * T
    x: list[Floats] = [x0] * T
    log_z: list[Floats] = [x0] * T
    arrived = [False] * T
    estimate = [0.0] * T
    due: dict[int, list[int]] = {}
    mass = 0
    pseudo = np.empty(T)
    for t in range(T):
        due.setdefault(t + d[t], []).append(t)
        total = sum(d[start : t + 1])
        if total > D:
            D, k, start, mass = 2 ** math.ceil(math.log2(total)), 1, t + 1, 0
            alpha = min(1 / budget(D), 1)
            x[t] = alpha * x0 + (1 - alpha) * xc
            pseudo[t] = x[t] @ losses[t]
            action[t] = _drawn(x[t], draw[t])
            _receive(due.get(t, ()), arrived)
            continue
        missing = sum(1 for u in range(start, t) if not arrived[u])
        mass += missing
        late = missing * math.sqrt(math.log(mass + 1) / mass) if missing else 0.0
        sigma[t] = math.sqrt(C2 / C1) / (1 / math.sqrt(t - start + 1) + late)
        v[t] = b = sigma[t]
        dual = np.zeros(A)
        for u in range(start, t):
            if arrived[u]:
                share = min(v[u], b)
                v[u], b = v[u] - share, b - share
                if share:
                    dual += share / sigma[t] * log_z[u]
        dual += b / sigma[t] * np.log(x0)
        weights = np.exp(dual - dual.max())
        x[t] = alpha * weights / weights.sum() + (1 - alpha) * xc
        pseudo[t] = x[t] @ losses[t]
        action[t] = _drawn(x[t], draw[t])
        for u in due.get(t, ()):
            estimate[u] = losses[u, action[u]] / x[u][action[u]]
            if u >= start:
                log_z[u] = np.log(x[u])
                log_z[u][action[u]] -= estimate[u] / sigma[u]
        _receive(due.get(t, ()), arrived)
        g = np.zeros(A)
        for u in range(start, t + 1):
            if arrived[u]:
                g[action[u]] += estimate[u]
        if g @ xc - g.min() > 2 * budget(D) + slack(D) and alpha < 1:
            k, start, mass = k + 1, t + 1, 0
            alpha = min(2 ** (k - 1) / budget(D), 1)
    return pseudo


def _drawn(law: Floats, uniform: float) -> int:
    return min(int(np.searchsorted(np.cumsum(law), uniform, side="right")), law.size - 1)


def _receive(rounds: list[int] | tuple[int, ...], arrived: list[bool]) -> None:
    for u in rounds:
        arrived[u] = True
