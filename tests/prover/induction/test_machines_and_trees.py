"""Machines and trees: invariants of reachable states, and properties of all finite trees."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction

import pytest
import z3
from flint import arb

from pbverify.numerics import to_arb
from pbverify.prover.induction.anchors import Comparison, along, at
from pbverify.prover.induction.evaluation import Model, agree, rounds
from pbverify.prover.induction.machine import Invariant, Machine
from pbverify.prover.induction.sharpening import sharpened
from pbverify.prover.induction.solver import Answer
from pbverify.prover.induction.terms import INT, REAL, Term, TheoryError
from pbverify.prover.induction.theory import NotProvedError, Result, Theory
from pbverify.prover.induction.tree import Tree

n, c, total, d = z3.Ints("n c total d")
V, U = z3.Reals("V U")


def counter() -> Machine:
    """Counts positive inputs, and adds them up."""
    machine = Machine(
        Theory("counter"), "counter", state=[c, total], inputs=[d], start=z3.And(c == 0, total == 0)
    )
    more = z3.And(machine.after(c) == c + 1, machine.after(total) == total + d)
    machine.step = z3.And(d >= 1, more)
    return machine


def is_proved(result: Result) -> bool:
    try:
        return bool(result.prove())
    except NotProvedError:
        return False


def test_an_invariant_holds_in_reachable_states() -> None:
    """Each input is at least 1, so the total is at least the count."""
    assert is_proved(counter().invariant("sum", c >= 0, c <= total, claim=c <= total))


def test_an_invariant_must_hold_at_the_start_and_be_kept() -> None:
    """One that only holds later, and one that a step breaks."""
    for part in (c >= 1, total <= 10):
        assert not is_proved(counter().invariant("wrong", part, claim=part))


def test_a_claim_must_follow_from_the_invariant() -> None:
    """It is not enough that it is true at the start."""
    assert not is_proved(counter().invariant("weak", c >= 0, claim=total <= c))


def test_an_invariant_is_no_theorem_about_all_states() -> None:
    """It cannot be instantiated, nor used where states need not be reachable."""
    machine = counter()
    invariant = machine.invariant("sum", c >= 0, c <= total)
    assert not callable(invariant)
    with pytest.raises(TheoryError):
        machine.theory.theorem("all", [c, total], c <= total, use=[invariant])  # type: ignore[list-item]


def test_what_is_known_belongs_to_the_same_machine() -> None:
    """An invariant of another machine says nothing here."""
    known = counter().invariant("sum", c >= 0, c <= total)
    with pytest.raises(TheoryError, match="invariants of counter"):
        counter().invariant("next", total >= 0, known=[known])


def test_a_machine_has_one_step_and_can_make_it() -> None:
    """No second step; none that nothing satisfies; no invariant without one."""
    machine = counter()
    with pytest.raises(TheoryError, match="already"):
        machine.step = d >= 1
    stuck = Machine(Theory("stuck"), "stuck", state=[c], start=c == 0)
    with pytest.raises(TheoryError, match="no step"):
        stuck.invariant("none", c >= 0)
    stuck.step = z3.And(stuck.after(c) > c, stuck.after(c) < c)
    with pytest.raises(TheoryError, match="cannot"):
        stuck.invariant("all", c == 17)


def test_a_machine_stops_if_a_measure_falls() -> None:
    """A countdown stops; a counter does not."""
    down = Machine(Theory("countdown"), "countdown", state=[c], start=c == 5)
    down.step = z3.And(c > 0, down.after(c) == c - 1)
    assert is_proved(down.invariant("stops", c >= 0, falls=c))
    assert not is_proved(counter().invariant("stops", c >= 0, falls=c))


def test_a_recorded_run_is_one_of_the_machine() -> None:
    """Its claim is read in the states asked for; a wrong step is noticed."""
    machine = counter()
    invariant = machine.invariant("sum", c >= 0, c <= total, claim=c <= total)
    model = Model(machine.theory, {})
    states = [{c: 0, total: 0}, {c: 1, total: 3}, {c: 2, total: 4}]
    read = along(invariant, model, states, [{d: 3}, {d: 1}], read=[1, 2])
    assert not read.complaint
    assert [(each.lhs, each.rhs) for each in read.comparisons] == [(1, 3), (2, 4)]
    wrong = along(invariant, model, states, [{d: 3}, {d: 2}])
    assert "step 2" in wrong.complaint
    late = along(invariant, model, states[1:], [{d: 1}])
    assert "does not start" in late.complaint


def test_a_run_has_the_machines_own_variables() -> None:
    """A fixed value in the place of the state's, or a state without one, is noticed."""
    machine = counter()
    invariant = machine.invariant("sum", c >= 0, c <= total, claim=c <= total)
    model = Model(machine.theory, {})
    states = [{c: 0, total: 0}, {c: 1, total: 3}]
    for wrong in (
        along(invariant, model, states, [{d: 3}], fixed={c: 0}),
        along(invariant, model, states, [{d: 3, total: 0}]),
        along(invariant, model, [{c: 0, total: 0}, {c: 1}], [{d: 3}]),
    ):
        assert "other variables" in wrong.complaint
        assert not wrong.comparisons


def test_known_invariants_are_those_of_the_declaration() -> None:
    """A list that grows later adds nothing to the proof."""
    machine = counter()
    known: list[Invariant] = []
    late = machine.invariant("late", claim=total <= 0, known=known)
    known.append(machine.invariant("wrong", total <= 0))
    assert not is_proved(late)


def test_a_result_is_read_in_a_model_of_its_own_theory() -> None:
    """Another theory of the same name may assume less and define otherwise."""
    theory, other = Theory("twin"), Theory("twin")
    f = theory.input("f", INT, INT, where=lambda f, r: f(r) >= 0)
    other.input("f", INT, INT)
    true = theory.theorem("nonnegative", [n], f(n) >= 0)
    with pytest.raises(TheoryError, match="a model of its theory"):
        at(true, Model(other, {f: rounds([-1])}), {n: 1})
    with pytest.raises(TheoryError, match="a model of its theory"):
        along(counter().invariant("sum", c >= 0), Model(other, {}), [{c: 0, total: 0}])


def test_integers_are_integers() -> None:
    """A theorem about integers says nothing of 1/2."""
    theory = Theory("squares")
    f = theory.input("f", INT, INT)
    true = theory.theorem("square", [n], n * n + f(n) >= n + f(n))
    for model, value in ((Model(theory, {f: 0}), Fraction(1, 2)), (Model(theory, {f: V}), 1)):
        with pytest.raises(TheoryError, match="Expected an integer"):
            at(true, model, {n: value})


def test_wide_enclosures_satisfy_no_hypothesis() -> None:
    """Numbers that touch may be equal; an interval that reaches far below 0 is not >= 0."""
    theory = Theory("wide")
    z = theory.parameter("z", REAL, where=lambda z: z >= 0)
    true = theory.theorem("root", [V], V >= 0, given=V >= 0)
    for width, is_read in ((Fraction(1, 2**60), True), (Fraction(1), False)):
        around = arb(0).union(to_arb(width)) - to_arb(width / 2)
        assert ("hypotheses" in at(true, Model(theory, {z: 0}), {V: around}).complaint) != is_read
        assert ("assumption" in at(true, Model(theory, {z: around}), {V: 1}).complaint) != is_read


def test_comparisons_are_made_by_results_alone() -> None:
    """None can be written down or changed; an anchor that complains has none."""
    theory = Theory("plain")
    true = theory.theorem("square", [V], V * V >= 0)
    [comparison] = at(true, Model(theory, {}), {V: 2}).comparisons
    with pytest.raises(ValueError, match="InitVar"):
        dataclasses.replace(comparison, rhs=17)  # type: ignore[call-arg]
    with pytest.raises(TheoryError, match="makes a comparison"):
        Comparison(0, "<=", 17, true, key=None)


def test_a_theorem_is_read_where_its_hypotheses_hold() -> None:
    """Else the anchor complains, also about an assumption that the numbers break."""
    theory = Theory("sums")
    f = theory.input("f", INT, INT, where=lambda f, r: f(r) >= 0)
    F = theory.sum("F", lambda r: f(r))
    true = theory.theorem("nonnegative", [n], F(n) >= 0, induct=n)
    read = at(true, Model(theory, {f: rounds([2, 3])}), {n: 2})
    assert (read.comparisons[0].lhs, read.comparisons[0].rhs) == (0, 5)
    assert "hypotheses" in at(true, Model(theory, {f: rounds([2])}), {n: -1}).complaint
    assert "assumption" in at(true, Model(theory, {f: rounds([2, -3])}), {n: 2}).complaint


def test_numbers_agree_exactly_or_as_narrow_enclosures() -> None:
    """A wide enclosure agrees with nothing."""
    root = Model(Theory("roots"), {}).value(z3.Function("sqrt", REAL, REAL)(z3.RealVal(2)))
    assert agree(root, root)
    assert not agree(root, Fraction(14142, 10000))
    assert not agree(root.union(root + 1), root)


def game(*, given: Callable[..., Term] = lambda f, pot: pot <= f.node["U"]) -> Tree:
    """Payoffs V under a potential U that no draw raises."""
    tree = Tree("game", [V, U], lambda q: q["V"] <= q["U"])
    tree.leaf("end", V <= U)
    fan = tree.fan("draw")
    theory = fan.theory
    law = theory.input("law", INT, REAL, where=lambda law, i: law(i) >= 0)
    value = theory.sum("value", lambda i: law(i) * fan.child["V"](i), sort=REAL)
    potential = theory.sum("potential", lambda i: law(i) * fan.child["U"](i), sort=REAL)
    below = theory.theorem("below", [n], value(n) <= potential(n), induct=n)
    relation = z3.And(n >= 0, fan.node["V"] == value(n), given(fan, potential(n)))
    goal = fan.node["V"] <= fan.node["U"]
    fan.close(theory.theorem("draw", [n], goal, given=relation, use=[below(n)]), n)
    return tree


def test_a_property_of_all_trees() -> None:
    """A potential that falls in the mean bounds the expected payoff; a rising one does not."""
    assert is_proved(game().root("bound", [], V <= 1, given=U == 1))
    rising = game(given=lambda f, pot: pot <= f.node["U"] + 1)
    assert not is_proved(rising.root("bound", [], V <= 1, given=U == 1))


def test_a_tree_needs_its_leaves_and_its_moves() -> None:
    """Every kind of node keeps the property; a kind that does not is noticed."""
    leaf = Tree("leaf", [V, U], lambda q: q["V"] <= q["U"])
    leaf.leaf("end", V <= U + 1)
    assert not is_proved(leaf.holds())
    move = Tree("move", [V, U], lambda q: q["V"] <= q["U"])
    move.leaf("end", V <= U)
    move.move("up", z3.And(move.below["V"] == V, move.below["U"] <= U + 1))
    assert not is_proved(move.holds())
    with pytest.raises(TheoryError, match="no kinds"):
        Tree("empty", [V, U], lambda q: q["V"] <= q["U"]).holds()


def test_a_property_is_about_the_quantities() -> None:
    """Not about a free constant, which each node could choose anew, nor one that nothing has."""
    with pytest.raises(TheoryError, match="neither defined"):
        Tree("free", [V], lambda q: q["V"] <= U)
    with pytest.raises(TheoryError, match="nothing has"):
        Tree("none", [V], lambda q: q["V"] < q["V"])


def test_a_property_is_read_once() -> None:
    """One that answers differently at each call is what it was at first."""
    answers = iter([V <= 0, z3.BoolVal(val=True)])
    tree = Tree("fickle", [V], lambda q: next(answers))
    tree.leaf("end", V <= 1)
    assert not is_proved(tree.holds())


def test_a_tree_has_leaves() -> None:
    """Without any there is no finite tree, and every property would hold at all nodes."""
    tree = Tree("endless", [V], lambda q: q["V"] <= 0)
    tree.move("same", tree.below["V"] == V)
    with pytest.raises(TheoryError, match="no leaves"):
        tree.holds()


def test_kinds_of_nodes_are_closed_by_rules_alone() -> None:
    """No unrelated theorem stands for a kind of node; no variable has a name of the kernel."""
    tree = Tree("game", [V], lambda q: q["V"] <= 0)
    assert not hasattr(tree, "add")
    with pytest.raises(TheoryError, match="expected variables"):
        tree.leaf("end", V <= 0, variables=[z3.Real("game.k")])


def test_a_fan_is_closed_by_its_own_theorem() -> None:
    """Not by a theorem of elsewhere, nor by one that claims less."""
    tree = Tree("game", [V, U], lambda q: q["V"] <= q["U"])
    fan, other = tree.fan("draw"), tree.fan("other")
    weak = fan.theory.theorem("weak", [n], fan.node["V"] <= fan.node["U"] + 1)
    foreign = other.theory.theorem("far", [n], other.node["V"] <= other.node["U"])
    for theorem in (weak, foreign):
        with pytest.raises(TheoryError, match="expected a theorem"):
            fan.close(theorem, n)


def test_sharper_statements_fail() -> None:
    """Of a theorem, an invariant and a claim about a root: each change is noticed."""
    theory = Theory("sums")
    f = theory.input("f", INT, INT, where=lambda f, r: f(r) >= 0)
    F = theory.sum("F", lambda r: f(r))
    results = [
        theory.theorem("nonnegative", [n], F(n) >= 0, induct=n),
        counter().invariant("sum", c >= 0, c <= total, claim=c <= total),
        game().root("bound", [], V <= 1, given=U == 1),
    ]
    found = [(each.name, each.answer) for result in results for each in sharpened(result)]
    true = {name for name, answer in found if answer is Answer.PROVED}
    assert true == {"without c >= 0"}  # the invariant does not need it
    assert len(found) == 6
