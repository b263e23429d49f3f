"""A third text of Prudent-Banker, straight from the definitions, against both engines.

It keeps primal points, sums every counter anew in every round (O(T^2)) and shares no code with the
package, so that a misreading common to reference and kernel would show.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pbverify.bandits.instance import Instance
from pbverify.paper.algorithm.engine import run
from pbverify.paper.algorithm.readings import PRESETS, Reading, overrides
from pbverify.paper.kernels import run_compiled

Vector = npt.NDArray[np.float64]


class Oracle:
    """One run, round by round; `d`, `loss` and `a` are indexed from round 1."""

    def __init__(self, instance: Instance, reading: Reading) -> None:
        self.r = reading
        self.T, self.A = instance.rounds, instance.arms
        self.d = [0, *instance.delays.to_json()]
        self.a = [0, *(instance.actions or ())]
        self.loss = np.vstack([np.zeros(self.A), instance.losses.floats])
        self.xc = instance.comparator_floats
        self.delta = float(instance.delta)
        entropy = reading.regularizer == "negative-entropy"
        self.C1 = math.log(self.A) if entropy else 2 * (math.sqrt(self.A) - 1)
        self.C2 = (1 if entropy else 2) / self.delta
        self.x0 = np.full(self.A, 1 / self.A)
        self.x: dict[int, Vector] = {}
        self.xhat: dict[int, Vector] = {}
        self.sigma: dict[int, float] = {}

    def grad(self, x: Vector) -> Vector:
        entropy = self.r.regularizer == "negative-entropy"
        result: Vector = np.log(x) if entropy else -1 / np.sqrt(x)
        return result

    def project(self, theta: Vector) -> Vector:
        s: Vector = theta - theta.max()
        if self.r.regularizer == "negative-entropy":
            weights: Vector = np.exp(s) / np.exp(s).sum()
            return weights
        low, high = 1.0, math.sqrt(self.A)
        for _ in range(200):
            middle = (low + high) / 2
            is_left = (1 / (middle - s) ** 2).sum() > 1
            low, high = (middle, high) if is_left else (low, middle)
        point: Vector = np.power(low - s, -2.0)
        return point

    def budget(self, D: int) -> float:
        c, root = math.sqrt(self.C1 * self.C2), math.sqrt(D * math.log(D + 1))
        match self.r.budget:
            case "appendix":
                value = c * (3 * math.sqrt(self.T) + 7 * math.sqrt(2) * root)
            case "main":
                value = 10 * c * (math.sqrt(self.T) + root)
            case number:
                value = float(number)
        return 2.0 ** math.ceil(math.log2(value)) if self.r.rounding != "none" else value

    def slack(self, D: int) -> float:
        root = math.sqrt(8 * D + 1)
        match self.r.slack:
            case "paper":
                return (root - 1) / self.delta
            case "tight":
                return (root - 1) / 2 if self.r.delay_sum == "clairvoyant" else (root + 1) / 2
        return float(self.r.slack)

    def delay_sum(self, first: int, t: int) -> int:
        scope = range(first, t)
        arrived = sum(self.d[u] for u in scope if u + self.d[u] < t)
        match self.r.delay_sum:
            case "clairvoyant":
                return sum(self.d[u] for u in scope) + self.d[t]
            case "arrived":
                return arrived
        return arrived + sum(t - u for u in scope if u + self.d[u] >= t)

    def next_estimate(self, total: int, D: int) -> int:
        match self.r.estimate:
            case "twice":
                return 2 * total
            case "double":
                return 2 * D
        power = 1
        while power < total:
            power *= 2
        return power

    def outstanding(self, start: int, t: int) -> int:
        return sum(1 for u in range(start, t) if t <= u + self.d[u])

    def estimate(self, u: int) -> Vector:
        e, arm = np.zeros(self.A), self.a[u]
        e[arm] = self.loss[u, arm] / self.x[u][arm]
        return e

    def z(self, u: int) -> Vector:
        start = self.x[u] if self.r.update == "played" else self.xhat[u]
        return self.project(self.grad(start) - self.estimate(u) / self.sigma[u])

    def gap(self, start: int, t: int) -> float:
        arrived = [u for u in range(start, t + 1) if u + self.d[u] <= t]
        if self.r.gap == "learner":
            return sum(float(self.estimate(u) @ (self.xc - self.xhat[u])) for u in arrived)
        g = sum((self.estimate(u) for u in arrived), np.zeros(self.A))
        return float(g @ self.xc - g.min())

    def rows(self) -> list[dict[str, Any]]:
        s, k, D, start, stage_start = 1, 1, 1, 1, 1
        credit: dict[int, float] = {}
        rows: list[dict[str, Any]] = []
        for t in range(1, self.T + 1):
            total = self.delay_sum(start if self.r.delay_scope == "phase" else stage_start, t)
            is_hard = total > D
            if is_hard:
                s, k, D = s + 1, 1, self.next_estimate(total, D)
                start = stage_start = t + 1
                credit = {}
            R = self.budget(D)
            alpha = min(2 ** (k - 1) / R, 1.0)
            row: dict[str, Any] = {"stage": s, "phase": k, "delay_estimate": D, "alpha": alpha}
            row |= {"start": start, "hard_restart": is_hard, "soft_restart": False}
            rows.append(row)
            if is_hard:
                at_comparator = self.r.restart_round == "comparator"
                played = self.xc if at_comparator else alpha * self.x0 + (1 - alpha) * self.xc
                row |= {"sigma": math.nan, "borrowed": 0.0, "gap": 0.0}
                row |= {"base": self.x0, "played": played}
                continue
            self.sigma[t] = self.scale(start, t)
            borrowed, theta = self.draw(credit, start, t)
            credit[t] = self.sigma[t]
            self.xhat[t] = self.project(theta)
            self.x[t] = alpha * self.xhat[t] + (1 - alpha) * self.xc
            gap = self.gap(start, t)
            row |= {"sigma": self.sigma[t], "borrowed": borrowed, "gap": gap}
            row |= {"base": self.xhat[t], "played": self.x[t]}
            row["soft_restart"] = alpha < 1 and gap > 2 * R + self.slack(D)
            if row["soft_restart"]:
                k, start, credit = k + 1, t + 1, {}
        return rows

    def scale(self, start: int, t: int) -> float:
        d = self.outstanding(start, t)
        mass = sum(self.outstanding(start, r) for r in range(start, t + 1))
        late = d * math.sqrt(math.log(mass + 1) / mass) if d else 0.0
        return math.sqrt(self.C2 / self.C1) / (1 / math.sqrt(t - start + 1) + late)

    def draw(self, credit: dict[int, float], start: int, t: int) -> tuple[float, Vector]:
        need, theta = self.sigma[t], np.zeros(self.A)
        for u in range(start, t):
            if u + self.d[u] < t and min(credit[u], need) > 0:
                amount = min(credit[u], need)
                credit[u], need = credit[u] - amount, need - amount
                theta = theta + amount / self.sigma[t] * self.grad(self.z(u))
        return need, theta + need / self.sigma[t] * self.grad(self.x0)


def random_instance(seed: int) -> Instance:
    rng = np.random.default_rng(seed)
    T, A = int(rng.integers(10, 26)), int(rng.integers(2, 4))
    weights = [int(w) for w in rng.integers(1, 5, A)]
    losses = np.round(rng.random((T, A)), 2)
    losses[:, 1] *= 0.1
    return Instance.build(
        losses=losses,
        delays=np.where(rng.random(T) < 0.12, rng.integers(0, 6, T), 0),
        comparator=[Fraction(w, sum(weights)) for w in weights],
        seed=seed,
    )


def assert_same(rows: list[dict[str, Any]], trace: Any) -> None:
    for name in ("stage", "phase", "delay_estimate", "start", "hard_restart", "soft_restart"):
        assert [row[name] for row in rows] == trace[name].tolist(), name
    for name in ("alpha", "sigma", "borrowed", "gap"):
        expected = [row[name] for row in rows]
        np.testing.assert_allclose(trace[name], expected, rtol=1e-9, atol=1e-9, err_msg=name)
    for name in ("base", "played"):
        expected = [row[name] for row in rows]
        np.testing.assert_allclose(getattr(trace, name), expected, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_all_readings_agree_with_the_definitions(preset: str) -> None:
    """Presets, single overrides and pairs, with the paper's budgets and with small ones."""
    restarts = 0
    family = overrides(PRESETS[preset], depth=2, budget=Fraction(9, 4), slack=Fraction(1, 2))
    for seed, reading in enumerate(family):
        for chosen in (reading, reading.with_options(budget="3/2", slack="1/4")):
            drawn = run(random_instance(seed), chosen)
            fixed = drawn.instance.with_actions(drawn["action"])
            rows = Oracle(fixed, chosen).rows()
            assert_same(rows, drawn)
            assert_same(rows, run_compiled(fixed, chosen))
            restarts += sum(row["soft_restart"] for row in rows)
    assert restarts >= 10
