"""Exponents that are not fixed: the cells are all values, and what a cell says is true in it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
import z3

from pbverify.prover.induction.solver import Answer, has_cvc5
from pbverify.prover.powers import Cell, Exponent, cells

NAMES = ("a", "b", "c")


def ranked(at: Mapping[str, Any]) -> list[tuple[bool, ...]]:
    """The order of three linear forms, which of them are equal, and their signs."""
    forms = [at["a"] + 2 * at["b"], 3 - at["c"], -at["a"]]
    pairs = itertools.combinations(forms, 2)
    return [(x > y, x < y, x == y, x >= 0) for x, y in pairs]


def in_a_circle(at: Mapping[str, Any]) -> bool:
    return bool(at["a"] > at["b"] and at["b"] > at["c"] and at["c"] > at["a"])


def compared(at: Mapping[str, Any]) -> tuple[bool, bool]:
    return at["a"] == at["b"], at["a"] < at["b"]


def has_no_model(*formulas: Any) -> bool:
    solver = z3.Solver()
    solver.add(*formulas)
    return bool(solver.check() == z3.unsat)


def test_the_cells_are_all_values_and_do_not_overlap() -> None:
    """No point is left out, and no point is in two cells."""
    found = [z3.And(*cell.conditions) for cell, _ in cells(ranked, NAMES)]
    assert len(found) > 20
    assert has_no_model(*map(z3.Not, found))
    for one, other in itertools.pairwise(found):
        assert has_no_model(one, other)


def test_a_cell_says_what_its_points_say() -> None:
    """The same function of the numbers of a point returns the same."""
    for cell, said in cells(ranked, NAMES):
        assert ranked(cell.point()) == said


def test_equality_is_a_cell_of_its_own() -> None:
    """a = b is told from both strict inequalities, and has a point."""
    found = {said: cell for cell, said in cells(compared, "ab")}
    assert found.keys() == {(True, False), (False, True), (False, False)}
    point = found[True, False].point()
    assert point["a"] == point["b"]


def test_what_is_impossible_is_an_obligation() -> None:
    """Of a > b > c > a nothing is left; every seed and the second solver agree."""
    found = list(cells(in_a_circle, NAMES))
    assert not any(said for _, said in found)
    [query] = [query for cell, _ in found for query in cell.obligations]
    assert all(query.asked(seed=seed).answer is Answer.PROVED for seed in range(5))
    assert query.second_opinion.answer is (Answer.PROVED if has_cvc5() else Answer.UNKNOWN)


def test_numbers_are_exponents_too() -> None:
    """A form without names is compared at once, also with a fraction on the left."""
    cell = Cell(())
    half = Exponent(z3.Q(1, 2), cell)
    assert half + half == 1
    assert Fraction(1, 3) < half < 1
    assert 1 - half == half - Fraction(0)
    assert (cell.conditions, cell.obligations) == ([], [])


def test_a_function_must_compare_the_same_every_time() -> None:
    """Otherwise cells might be missed."""
    turn = itertools.count()

    def changing(at: Mapping[str, Exponent]) -> bool:
        return at["a"] > next(turn)

    def shorter(at: Mapping[str, Exponent]) -> bool:
        return next(turn) < 1 and at["a"] > 0

    with pytest.raises(RuntimeError, match="again but got"):
        list(cells(changing, "a"))
    turn = itertools.count()
    with pytest.raises(RuntimeError, match="again"):
        list(cells(shorter, "a"))
