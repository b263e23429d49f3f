"""What is asked of z3, and what is believed of its answers."""

from __future__ import annotations

import pytest
import z3

from pbverify.prover.induction.solver import Answer, Query, satisfies

X, Y = z3.Real("x"), z3.Real("y")
F = z3.Function("f", z3.RealSort(), z3.RealSort())


def model_of(*formulas: z3.BoolRef) -> z3.ModelRef:
    solver = z3.Solver()
    solver.add(*formulas)
    assert solver.check() == z3.sat
    return solver.model()


def test_a_model_makes_every_formula_true() -> None:
    """A value that breaks a formula is no model, also where a function has no value of its own."""
    model = model_of(X == 1)
    assert satisfies(model, [X > 0, F(X) == F(1)])
    assert not satisfies(model, [X > 0, X > 1])
    assert not satisfies(model, [F(X) - F(1) == X])


def test_equal_queries_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """z3 is asked again only where a formula, an equation or the rewriting differs."""
    asked = []
    answer = Query.asked

    def counted(self: Query, *, seed: int) -> object:
        asked.append(self.name)
        return answer(self, seed=seed)

    monkeypatch.setattr(Query, "asked", counted)
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


@pytest.mark.parametrize(("rounds", "found"), [(0, "x 3.0"), (1, "y 3.0"), (2, "(f y) 3.0")])
def test_each_round_of_rewriting_replaces_what_the_last_one_left(rounds: int, found: str) -> None:
    """x becomes y in the first round and f(y) in the second."""
    query = Query("rewritten", [X > 3], equations=[(X, Y), (Y, F(Y))], rewritten=rounds)
    assert found in " ".join(query.smt2.split())
