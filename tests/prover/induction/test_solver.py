"""What is asked of z3, and what is believed of its answers."""

from __future__ import annotations

import pytest
import z3

from pbverify.prover.induction import solver
from pbverify.prover.induction.solver import Answer, Query, contradict, satisfies

X, Y = z3.Real("x"), z3.Real("y")
F = z3.Function("f", z3.RealSort(), z3.RealSort())


def model_of(*formulas: z3.BoolRef) -> z3.ModelRef:
    asked = z3.Solver()
    asked.add(*formulas)
    assert asked.check() == z3.sat
    return asked.model()


def test_a_model_makes_every_formula_true() -> None:
    """A value that breaks a formula is no model, also where a function has no value of its own."""
    model = model_of(X == 1)
    assert satisfies(model, [X > 0, F(X) == F(1)])
    assert not satisfies(model, [X > 0, X > 1])
    assert not satisfies(model, [F(X) - F(1) == X])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the queries that get a solver of their own."""
    found: list[str] = []
    answer = Query.asked

    def noted(self: Query, *, seed: int) -> object:
        found.append(self.name)
        return answer(self, seed=seed)

    monkeypatch.setattr(Query, "asked", noted)
    return found


def test_equal_queries_are_asked_once(monkeypatch: pytest.MonkeyPatch, asked: list[str]) -> None:
    """z3 is asked again only where a formula, an equation or the rewriting differs."""
    monkeypatch.setattr(solver, "AT_ONCE", 1)
    below = [X * X + Y * Y < 2 * X * Y, X >= 17]
    queries = [
        Query("first", below),
        Query("the same", below),
        Query("fewer formulas", below[:1]),
        Query("with an equation", below, equations=[(Y, F(X))]),
        Query("rewritten", below, equations=[(Y, F(X))], rewritten=1),
    ]
    assert {query.reply.answer for query in queries} == {Answer.PROVED}
    assert asked == ["first", "fewer formulas", "with an equation", "rewritten"]


def test_what_is_proved_at_once_is_asked_no_more(
    monkeypatch: pytest.MonkeyPatch, asked: list[str]
) -> None:
    """The first attempt may prove an obligation, and it neither refutes nor gives one up."""
    assert Query("easy", [X < Y, X + F(Y) > Y, F(Y) < 0]).reply.answer is Answer.PROVED
    assert Query("false", [X < Y, X + F(Y) > Y, F(Y) < 31]).reply.answer is Answer.REFUTED
    monkeypatch.setattr(solver, "AT_ONCE", 1)
    assert Query("left", [X < Y, X + F(Y) > Y, F(Y) < -1]).reply.answer is Answer.PROVED
    assert asked == ["false", "left"]


@pytest.mark.parametrize("effort", [1, solver.AT_ONCE])
def test_hypotheses_contradict_whatever_the_first_attempt_knows(
    monkeypatch: pytest.MonkeyPatch, effort: int
) -> None:
    """A first attempt without an answer leaves the question to a longer one."""
    monkeypatch.setattr(solver, "AT_ONCE", effort)
    assert contradict([X * X + Y * Y < 2 * X * Y, 30 + effort < X])
    assert not contradict([X * X + Y * Y == 2 * X * Y, 30 + effort < X])


@pytest.mark.parametrize(("rounds", "found"), [(0, "x 3.0"), (1, "y 3.0"), (2, "(f y) 3.0")])
def test_each_round_of_rewriting_replaces_what_the_last_one_left(rounds: int, found: str) -> None:
    """x becomes y in the first round and f(y) in the second."""
    query = Query("rewritten", [X > 3], equations=[(X, Y), (Y, F(Y))], rewritten=rounds)
    assert found in " ".join(query.smt2.split())
