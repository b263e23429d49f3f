"""The baseline learners against their definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Self

import pytest
from flint import arb, fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbverify.bandits.learners import exp3
from pbverify.bandits.learners import formulas as baselines
from pbverify.bandits.learners.conservative_ucb import ConservativeUCB
from pbverify.bandits.learners.safe_exp3_ix import SafeDefault, SafeExp3IX
from pbverify.bandits.protocol import Feedback
from pbverify.numerics import (
    Arithmetic,
    FloatArithmetic,
    Number,
    to_arb,
    to_fraction,
    working_precision,
)
from pbverify.numerics.formula import Formula

FLOATS = FloatArithmetic()
runs = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 4), st.floats(0, 1)), min_size=1, max_size=12
)


@given(runs)
def test_laws_follow_the_definition(run: list[tuple[int, int, float]]) -> None:
    """The law is the softmax of minus eta times the arrived importance-weighted losses."""
    eta, learner = 0.3, exp3.Exp3(FLOATS, arms=3, rate=0.3)
    laws: list[list[float]] = []
    for t, (arm, _, _) in enumerate(run, start=1):
        laws.append(list(learner.play()))
        assume(all(laws[-1]))  # doubles underflow after few rounds of a large rate
        known = [(u, run[u - 1]) for u in range(1, t) if u + run[u - 1][1] < t]
        estimate = [0.0, 0.0, 0.0]
        for u, (played, _, loss) in known:
            estimate[played] += loss / laws[u - 1][played]
        weights = [math.exp(-eta * x) for x in estimate]
        assert laws[-1] == pytest.approx([w / sum(weights) for w in weights], rel=1e-9)
        due = [u for u in range(1, t + 1) if u + run[u - 1][1] == t]
        learner.observe(arm, [Feedback(u, run[u - 1][2]) for u in due])


def test_the_rate_is_capped() -> None:
    """eta = sqrt(log A / (A T)), but never more than 1/2; the bias of EXP3-IX is eta/2."""
    assert exp3.exp3_rate(FLOATS, arms=2, horizon=1) == 0.5
    assert exp3.exp3_rate(FLOATS, arms=2, horizon=100) == pytest.approx(
        math.sqrt(math.log(2) / 200)
    )
    eta, gamma = exp3.tuning(FLOATS, arms=100, horizon=50_000)
    assert eta == pytest.approx(math.sqrt(math.log(100) / 5e6))
    assert gamma == eta / 2


def test_the_bias_lowers_the_estimate() -> None:
    """With a bias the loss is divided by more than the probability."""
    plain, biased = (exp3.Weights(FLOATS, arms=2, rate=1.0, bias=bias) for bias in (0.0, 0.5))
    for weights in (plain, biased):
        weights.draw(1, 0, probability=0.5)
        weights.learn(Feedback(1, 1.0))
    assert plain.law()[0] == pytest.approx(1 / (1 + math.exp(2)))
    assert biased.law()[0] == pytest.approx(1 / (1 + math.exp(1)))


def test_rigorous_laws_hold_the_doubles() -> None:
    """In ball arithmetic the laws enclose those in doubles and sum to 1."""
    with working_precision(128) as balls:
        rigorous, rough = exp3.exp3(balls, arms=2, horizon=5), exp3.exp3(FLOATS, arms=2, horizon=5)
        for t in range(1, 6):
            law, floats = rigorous.play(), rough.play()
            assert to_arb(sum(law)).contains(arb(1))
            assert [float(to_arb(p).mid()) for p in law] == pytest.approx(list(floats), rel=1e-12)
            rigorous.observe(t % 2, [Feedback(t, balls.exact(1))])
            rough.observe(t % 2, [Feedback(t, 1.0)])


def test_exp3_forks_are_independent() -> None:
    """Learning in a copy leaves the original's law unchanged."""
    learner = exp3.exp3(FLOATS, arms=2, horizon=4)
    learner.play()
    copy = learner.fork()
    copy.observe(0, [Feedback(1, 1.0)])
    learner.observe(0, [])
    assert copy.play()[0] < learner.play()[0] == 0.5


def test_the_first_update_by_hand() -> None:
    """After one loss of 1 EXP3-IX weighs exp(-eta / (1/2 + gamma)), as its bare weights do."""
    learner = exp3.exp3_ix(FLOATS, arms=2, horizon=1)
    weights = exp3.exp3_ix_weights(FLOATS, arms=2, horizon=1)
    learner.play()
    learner.observe(0, [Feedback(1, 1.0)])
    weights.draw(1, 0, probability=0.5)
    weights.learn(Feedback(1, 1.0))
    weight = math.exp(-0.5 / (0.5 + 0.5 / 2))
    assert learner.play()[0] == pytest.approx(weight / (1 + weight))
    assert weights.law() == learner.play()


class Bold(SafeDefault):
    """Plays arm 0 whenever a given pessimistic reward passes the test."""

    def _start(self, horizon: int) -> None:
        self.horizon = horizon

    def play(self, *, delay: int | None = None) -> Sequence[Number]:
        return self._certain(0 if self._is_safe(0.9) else self._default)

    def observe(self, action: int, arrived: Sequence[Feedback]) -> None:
        self._t += 1

    def fork(self) -> Self:
        return self


@pytest.mark.parametrize(
    ("reward", "risk", "rounds"),
    [(Fraction(1, 2), Fraction(1, 10), 2), (1, Fraction(1, 10), 1), (1, 1, 4)],
)
def test_the_floor_rises_with_the_rounds(
    reward: Fraction | int, risk: Fraction | int, rounds: int
) -> None:
    """A reward of 9/10 covers (1 - alpha)(t + 1) r_0, with equality; at alpha = 1 always."""
    learner = Bold(FLOATS, arms=3, horizon=7, default=2, default_reward=reward, risk=risk)
    played = []
    for _ in range(4):
        played.append(list(learner.play()).index(1.0))
        learner.observe(played[-1], [])
    assert played == [0] * rounds + [2] * (4 - rounds)
    assert learner.horizon == 7


def learner(arithmetic: Arithmetic, *, risk: Fraction = Fraction(1, 10)) -> SafeExp3IX:
    return SafeExp3IX(
        arithmetic, arms=2, horizon=30, default=1, default_reward=Fraction(1, 2), risk=risk
    )


def test_nine_default_rounds_pay_for_one() -> None:
    """With alpha = 1/10, k rounds of credit r_0 suffice if k >= 0.9 (k + 1), from k = 9 on."""
    with working_precision(64) as balls:
        safe = learner(balls)
        laws = []
        for _ in range(10):
            laws.append(list(safe.play()))
            safe.observe(1, [])
        assert laws[:9] == [[fmpq(0), fmpq(1)]] * 9
        assert laws[9] == [fmpq(1, 2), fmpq(1, 2)]


def test_rewards_count_when_they_arrive() -> None:
    """An explored round is worth nothing until its feedback is there, then 1 - loss."""
    safe = learner(FLOATS, risk=Fraction(1, 2))
    for _ in range(2):
        assert list(safe.play())[1] in (1.0, 0.5)
        safe.observe(1, [])
    # One default round of credit 1/2, one explored round outstanding: 1/2 < 3/4.
    assert list(safe.play()) == [0.0, 1.0]
    safe.observe(1, [Feedback(2, 0.0)])
    # Credit 1/2 + 1/2 + 1 = 2 >= 1: it explores again.
    assert list(safe.play()) != [0.0, 1.0]


def test_only_explored_rounds_teach() -> None:
    """Feedback of a default round changes neither credit nor weights."""
    heard, deaf = learner(FLOATS), learner(FLOATS)
    for t in range(1, 10):
        for safe, arrived in ((heard, [Feedback(t, 1.0)]), (deaf, [])):
            safe.play()
            safe.observe(1, arrived)
    assert list(heard.play()) == list(deaf.play()) == [0.5, 0.5]


def test_the_weight_of_an_explored_loss() -> None:
    """The estimate divides by the probability with which the arm was drawn, plus gamma."""
    safe = learner(FLOATS)
    for _ in range(9):
        safe.play()
        safe.observe(1, [])
    safe.play()
    safe.observe(0, [Feedback(10, 0.25)])
    eta, gamma = exp3.tuning(FLOATS, arms=2, horizon=30)
    weight = math.exp(-eta * 0.25 / (0.5 + gamma))
    # Credit 9/2 + 3/4 >= 0.9 (11)/2, so it explores again.
    assert list(safe.play()) == pytest.approx([weight / (1 + weight), 1 / (1 + weight)])


def test_safe_exp3_ix_forks_are_independent() -> None:
    """Credit earned by a copy stays with the copy."""
    safe = learner(FLOATS, risk=Fraction(1, 2))
    safe.play()
    copy = safe.fork()
    copy.observe(1, [])
    assert list(copy.play()) == [0.5, 0.5]
    assert safe.fork().play() == [0.0, 1.0]


A, T, R0 = 3, 40, 0.5


def by_hand(actions: list[int], losses: list[float], delays: list[int], risk: float) -> int:
    """The arm of the next round from all that has been played."""
    t = len(actions)
    seen = [u for u in range(t) if u + 1 + delays[u] <= t]
    lower, upper = [], []
    for arm in range(A):
        rewards = [1 - losses[u] for u in seen if actions[u] == arm]
        if arm == 0:
            interval = (R0, R0)
        elif not rewards:
            interval = (0.0, 1.0)
        else:
            log = math.log(max(3.0, 2 * A * (t + 1) ** 2 * T))
            radius = math.sqrt(2 * log / len(rewards))
            mean = sum(rewards) / len(rewards)
            interval = (max(0.0, mean - radius), min(1.0, mean + radius))
        lower.append(interval[0])
        upper.append(interval[1])
    best = max(range(A), key=lambda arm: (upper[arm], -arm))
    kept = sum(lower[arm] for arm in actions) + lower[best]
    return best if kept >= (1 - risk) * (t + 1) * R0 else 0


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.25, 1.0]), st.integers(0, 6)), min_size=T, max_size=T
    ),
    st.sampled_from([Fraction(1, 2), Fraction(7, 8)]),
)
def test_plays_follow_the_rules(run: list[tuple[float, int]], risk: Fraction) -> None:
    """Round by round the point mass sits on the arm that the rules name."""
    learner = ConservativeUCB(
        FLOATS, arms=A, horizon=T, default=0, default_reward=Fraction(1, 2), risk=risk
    )
    losses, delays = [loss for loss, _ in run], [delay for _, delay in run]
    actions: list[int] = []
    for t in range(1, T + 1):
        law = list(learner.play())
        arm = by_hand(actions, losses, delays, float(risk))
        assert law == [float(i == arm) for i in range(A)]
        actions.append(arm)
        due = [u for u in range(1, t + 1) if u + delays[u - 1] == t]
        learner.observe(arm, [Feedback(u, losses[u - 1]) for u in due])


def test_first_rounds_are_default() -> None:
    """Nothing is known, so the first nine rounds build the budget for alpha = 1/10."""
    with working_precision(64) as balls:
        learner = ConservativeUCB(
            balls, arms=2, horizon=50, default=1, default_reward=Fraction(1, 3)
        )
        plays = []
        for _ in range(10):
            law = [to_fraction(p) for p in learner.play()]
            plays.append(law.index(Fraction(1)))
            learner.observe(plays[-1], [])
    assert plays == [1] * 9 + [0]


def test_equal_records_are_a_tie() -> None:
    """Two arms with the same observations have the same bound, also in enclosures."""
    with working_precision(64) as balls:
        reward = Fraction(1, 100)
        learner = ConservativeUCB(
            balls, arms=3, horizon=1000, default=0, default_reward=reward, risk=1
        )
        for t, arm in enumerate([1, 2] * 60, start=1):
            learner.play()
            learner.observe(arm, [Feedback(t, balls.exact(1))])
        assert [to_fraction(p) for p in learner.play()].index(Fraction(1)) == 1


def test_conservative_ucb_forks_are_independent() -> None:
    """What a copy was told is not known to the original."""
    learner = ConservativeUCB(FLOATS, arms=2, horizon=5, default=1, default_reward=1, risk=1)
    learner.play()
    copy = learner.fork()
    copy.observe(0, [Feedback(1, 1.0)])
    learner.observe(0, [])
    copy.play()
    with pytest.raises(KeyError):
        copy.observe(0, [Feedback(1, 1.0)])
    learner.play()
    learner.observe(0, [Feedback(1, 1.0)])


CASES: dict[str, tuple[dict[str, float], float]] = {
    "EXP3_RATE": ({"A": 100, "T": 50_000}, math.sqrt(math.log(100) / 5e6)),
    "UCB_LEVEL": ({"A": 3, "t": 4, "delta_ucb": 0.1}, 2 * 3 * 25 / 0.1),
    "UCB_RADIUS": ({"x": math.e**2, "N": 4}, 1.0),
    "SAFETY_FLOOR": ({"alpha": 0.1, "t": 9, "r_0": 0.5}, 4.5),
}


def test_formulas_by_hand() -> None:
    """Each formula of the module gives the number worked out by hand."""
    names = {name for name, value in vars(baselines).items() if isinstance(value, Formula)}
    assert names == CASES.keys()
    for name, (values, expected) in CASES.items():
        assert getattr(baselines, name)(FLOATS, **values) == pytest.approx(expected, rel=1e-12)
