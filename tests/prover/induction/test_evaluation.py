"""Attacks on evaluation and on instances: what is undecided or foreign is never taken as given."""

import gc
from typing import Any

import pytest
import z3
from flint import arb

from pbverify.errors import TheoryError
from pbverify.numerics import Truth
from pbverify.prover.induction import BOOL, INT, REAL, Model, Theory, at
from pbverify.prover.induction.solver import Answer
from pbverify.prover.induction.terms import fresh
from pbverify.prover.induction.theory import Instance

n = z3.Int("n")
ONE = z3.IntVal(1)


def wide() -> tuple[Theory, Any, Any, Model]:
    """A number between -1 and 1, whether it is <= 0 as a definition, and a model of both."""
    T = Theory("wide")
    x = T.input("x", INT, REAL)
    holds = T.define("holds", (INT, BOOL), zero=lambda: x(1) <= 0, succ=lambda n, before: before)
    return T, x, holds, Model(T, {x: lambda i: arb(0, 1)})


def test_a_wide_comparison_stays_undecided_when_it_is_read_again() -> None:
    """A truth that is kept from an earlier reading is as doubtful as when it was computed."""
    _, _, holds, model = wide()
    assert [model.accepts(holds(ONE)) for _ in range(3)] == [False] * 3


def test_an_undecided_hypothesis_is_no_hypothesis() -> None:
    """A theorem whose hypothesis is undecided says nothing, however often it is read."""
    T, _, holds, model = wide()
    theorem = T.theorem("one", [n], n <= 1, given=z3.And(holds(n), n == 1))
    assert [bool(at(theorem, model, {n: 1}).complaint) for _ in range(2)] == [True, True]


@pytest.mark.parametrize("kind", ["input", "parameter", "variable"])
def test_an_undecided_truth_is_not_accepted(kind: str) -> None:
    """Whoever supplies a truth value cannot leave it open."""
    T = Theory("open")
    b, p, v = T.input("b", INT, BOOL), T.parameter("p", BOOL), z3.Bool("v")
    model = Model(T, {b: lambda i: Truth.UNKNOWN, p: Truth.UNKNOWN})
    term = {"input": b(ONE), "parameter": p, "variable": v}[kind]
    assert not model.accepts(term, {v: Truth.UNKNOWN})


def test_an_undecided_choice_between_truths_is_undecided() -> None:
    """If the test is open and the branches differ, so is the whole."""
    _, x, _, model = wide()
    for last in (True, False):
        choice = z3.If(x(1) <= 0, z3.BoolVal(val=True), z3.BoolVal(val=last))
        assert model.value(choice) is (Truth.YES if last else Truth.UNKNOWN)


def test_programs_belong_to_their_terms() -> None:
    """Terms that are thrown away do not lend their programs to later ones."""
    model = Model(Theory("terms"), {})
    for value in range(300):
        assert model.value(n + value * n, {n: 2}) == 2 + 2 * value
        gc.collect(0)


def test_theories_of_one_name_do_not_mix() -> None:
    """Two theories may share a name and all symbols; neither uses the other's theorems."""
    first, second = Theory("twin"), Theory("twin")
    f = first.input("f", INT, INT, where=lambda f, i: f(i) >= 1)
    g = second.input("f", INT, INT, where=lambda f, i: f(i) >= 0)
    positive = first.theorem("positive", [n], f(n) >= 1)
    with pytest.raises(TheoryError, match="is a theorem of"):
        second.theorem("positive", [n], g(n) >= 1, use=[positive(n)])
    assert Model(first, {f: lambda i: 1}).value(f(ONE)) == 1
    assert Model(second, {g: lambda i: 0}).value(g(ONE)) == 0


def test_a_model_of_the_twin_is_refused() -> None:
    """A theorem is read in models of its own theory alone."""
    first, second = Theory("twin"), Theory("twin")
    f = first.input("f", INT, INT, where=lambda f, i: f(i) >= 1)
    g = second.input("f", INT, INT)
    positive = first.theorem("positive", [n], f(n) >= 1)
    with pytest.raises(TheoryError, match="expected a model of its theory"):
        at(positive, Model(second, {g: lambda i: 0}), {n: 1})


@pytest.mark.parametrize("name", ["foreign", "other theory", "the kernel's own"])
def test_an_instance_at_foreign_terms_is_refused(name: str) -> None:
    """The values of an instance are made of the theory's symbols and of the theorem's variables."""
    T, other = Theory("own"), Theory("other")
    T.input("f", INT, INT)
    g = other.input("g", INT, INT)
    values = {
        "foreign": z3.Int("foreign"),
        "other theory": g(n),
        "the kernel's own": fresh("n", INT),
    }
    square = T.theorem("square", [n], n * n >= 0)
    with pytest.raises(TheoryError, match="neither defined nor a variable"):
        T.theorem("used", [n], n * n >= 0, use=[square(values[name])])


def test_an_instance_cannot_be_changed() -> None:
    """Neither its values nor its formula, after a rule has seen it or before."""
    T = Theory("fixed")
    square = T.theorem("square", [n], n * n >= 0)
    instance: Any = square(n)
    with pytest.raises(AttributeError):
        instance.formula = z3.BoolVal(val=False)
    with pytest.raises((TypeError, AttributeError)):
        instance.values[0] = z3.Int("m")
    with pytest.raises(TheoryError, match="Only a theorem makes an instance"):
        Instance(square, (n,), z3.BoolVal(val=False), key=None)


def test_values_that_are_variables_of_the_induction_do_not_help() -> None:
    """An instance at n + 1 in a proof by induction on n says nothing of the claim itself."""
    T = Theory("ahead")
    f = T.input("f", INT, INT)
    known = T.theorem("known", [n], z3.Implies(f(n) >= 0, f(n) >= 0))
    wrong = T.theorem("wrong", [n], f(n) >= 0, induct=n, use=[known(n + 1), known(n)])
    assert any(each.reply.answer is not Answer.PROVED for each in wrong.obligations)
