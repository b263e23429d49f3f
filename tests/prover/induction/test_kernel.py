"""The induction kernel: what is true is proved, and every attempt to cheat is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
import z3

from pbverify.prover.induction.counterexample import counterexample
from pbverify.prover.induction.solver import Answer, Query
from pbverify.prover.induction.terms import INT, REAL, TRUE, Term, TheoryError
from pbverify.prover.induction.theory import (
    Instance,
    Interpretation,
    NotProvedError,
    Theorem,
    Theory,
)

Sums: TypeAlias = tuple[Theory, Any, Any]

n, m, t = z3.Ints("n m t")
x, y = z3.Reals("x y")


@pytest.fixture
def sums() -> Sums:
    """Any sequence d >= 0, and its partial sums."""
    theory = Theory("sums")
    d = theory.input("d", INT, INT, where=lambda d, r: d(r) >= 0)
    return theory, d, theory.sum("D", lambda r: d(r))


def is_proved(theorem: Theorem) -> bool:
    try:
        return bool(theorem.prove())
    except NotProvedError:
        return False


def test_induction_proves_what_no_single_step_does(sums: Sums) -> None:
    """Partial sums of nonnegative terms are nonnegative; a step alone has a countermodel."""
    theory, _, D = sums
    assert is_proved(theory.theorem("by induction", [n], D(n) >= 0, induct=n))
    plain = theory.theorem("at once", [n], D(n) >= 0, given=n >= 0)
    with pytest.raises(NotProvedError, match="countermodel"):
        plain.prove()


def test_a_false_statement_has_a_real_counterexample(sums: Sums) -> None:
    """It is found by unrolling, with the values of the sequence."""
    theory, _, D = sums
    found = counterexample(theory.theorem("short", [n], D(n) <= 3, given=n >= 0), n)
    assert found is not None
    assert found.size == 1
    assert found.sequences["d"][0] > 3


def test_a_true_statement_has_no_counterexample(sums: Sums) -> None:
    """Unrolled up to six terms."""
    theory, _, D = sums
    assert counterexample(theory.theorem("true", [n], D(n) >= 0, given=n >= 0), n) is None


def test_the_base_case_is_needed(sums: Sums) -> None:
    """D(n) >= 1 is inductive, and false at n = 0."""
    theory, _, D = sums
    wrong = theory.theorem("from one", [n], D(n) >= 1, induct=n)
    with pytest.raises(NotProvedError, match="n = 0"):
        wrong.prove()


def test_a_theorem_falls_with_what_it_uses(sums: Sums) -> None:
    """A consequence of something unproved is not proved."""
    theory, _, D = sums
    wrong = theory.theorem("wrong", [n], D(n) <= 0, induct=n)
    follows = theory.theorem("follows", [n], D(n) <= 1, given=n >= 0, use=[wrong(n)])
    assert follows.obligations[0].reply.answer is Answer.PROVED
    assert not is_proved(follows)


def test_a_theorem_is_not_its_own_lemma(sums: Sums) -> None:
    """What is used must exist before: nothing can be used in its own proof."""
    theory, _, D = sums
    wrong = theory.theorem("wrong", [n], D(n) <= 0, induct=n)
    again = theory.theorem("wrong again", [n], D(n) <= 0, given=n >= 0, use=[wrong(n)])
    assert not is_proved(again)


def test_induction_reaches_no_negative_number(sums: Sums) -> None:
    """A theorem by induction holds from 0 on, and an instance at -1 says nothing."""
    theory, _, D = sums
    true = theory.theorem("nonnegative", [n], D(n) >= 0, induct=n)
    below = theory.theorem("below zero", [n], D(n) >= 0, given=n == -1, use=[true(n)])
    assert is_proved(true)
    assert not is_proved(below)


def test_definitions_say_nothing_below_zero(sums: Sums) -> None:
    """f(-1) may be anything, so f(0) = f(-1) + d(0) does not follow."""
    theory, d, D = sums
    assert not is_proved(theory.theorem("before the start", [], D(0) == D(-1) + d(0)))


def test_the_hypothesis_is_for_the_same_sequence(sums: Sums) -> None:
    """What holds for one sequence is not transferred to another by renaming."""
    theory, _, _ = sums
    e = theory.input("e", INT, INT)
    E = theory.sum("E", lambda r: e(r))
    assert not is_proved(theory.theorem("signed", [n], E(n) >= 0, induct=n))


def test_unsound_generalisation_in_the_hypothesis(sums: Sums) -> None:
    """Other variables may be instantiated in the hypothesis; the claim must hold for all."""
    theory, _, D = sums
    wrong = theory.theorem("any bound", [n, m], D(n) <= m, induct=n, at=[(0,)])
    assert not is_proved(wrong)


REFUSED = {
    "a name twice": lambda T, d, D: T.sum("D", lambda r: d(r)),
    "a name of an input": lambda T, d, D: T.sum("d", lambda r: D(r)),
    "an empty name": lambda T, d, D: T.sum("", lambda r: d(r)),
    "the kernel's own names": lambda T, d, D: T.sum("n!", lambda r: d(r)),
    "a definition by something undefined": lambda T, d, D: T.sum(
        "E", lambda r: z3.Function("E", INT, INT)(r)
    ),
    "a definition by itself": lambda T, d, D: T.define(
        "f", (INT, INT), zero=lambda: 0, succ=lambda n, before: z3.Function("sums.f", INT, INT)(n)
    ),
    "a definition with a free constant": lambda T, d, D: T.sum("E", lambda r: d(r) + m),
    "recursion on a real": lambda T, d, D: T.define(
        "f", (REAL, REAL), zero=lambda: 0, succ=lambda x, before: before
    ),
    "a contradictory assumption": lambda T, d, D: T.input(
        "e", INT, INT, where=lambda e, r: z3.And(e(r) > 0, e(r) < 0)
    ),
    "an assumption that contradicts another": lambda T, d, D: T.input(
        "e", INT, INT, where=lambda e, r: z3.And(e(r) == d(r), e(r) < 0)
    ),
    "an assumption on a free constant": lambda T, d, D: T.input(
        "e", INT, INT, where=lambda e, r: e(r) >= m
    ),
    "a contradictory parameter": lambda T, d, D: T.parameter("k", INT, where=lambda k: k != k),
    "hypotheses that nothing satisfies": lambda T, d, D: T.theorem(
        "vacuous", [n], D(n) == 17, given=z3.And(n > 0, n < 0)
    ),
    "hypotheses that the assumptions exclude": lambda T, d, D: T.theorem(
        "vacuous", [n], D(n) == 17, given=d(n) < 0
    ),
    "a claim with a free constant": lambda T, d, D: T.theorem("free", [n], D(n) >= m),
    "a claim about an unknown function": lambda T, d, D: T.theorem(
        "unknown", [n], z3.Function("sums.E", INT, INT)(n) >= 0
    ),
    "a function of the same name and another sort": lambda T, d, D: T.theorem(
        "homonym", [n], z3.Function("sums.D", INT, REAL)(n) >= 0
    ),
    "a variable twice": lambda T, d, D: T.theorem("twice", [n, n], D(n) >= 0),
    "a variable that is a term": lambda T, d, D: T.theorem("term", [n + 1], D(n) >= 0),
    "induction on what is no variable": lambda T, d, D: T.theorem(
        "other", [n], D(n) >= 0, induct=m
    ),
    "induction on a real": lambda T, d, D: T.theorem("real", [x], x >= 0, induct=x),
    "a formula in the place of a lemma": lambda T, d, D: T.theorem(
        "unproved", [n], D(n) == 17, use=[D(n) == 17]
    ),
    "a quantifier": lambda T, d, D: T.theorem("all", [n], z3.ForAll([m], D(m) >= 0)),
    "integer division": lambda T, d, D: T.theorem("half", [n], n / 2 <= n, given=n >= 0),
    "a power": lambda T, d, D: T.theorem("power", [x], x**2 >= 0),
    "an array": lambda T, d, D: T.theorem("array", [n], z3.Select(z3.Array("a", INT, INT), n) == n),
}


@pytest.mark.parametrize("attempt", REFUSED.values(), ids=REFUSED)
def test_refused(sums: Sums, attempt: Callable[..., object]) -> None:
    """Each is refused when it is declared."""
    with pytest.raises(TheoryError):
        attempt(*sums)


def test_a_parameter_is_no_variable() -> None:
    """A constant that an assumption speaks of is not generalised by a theorem."""
    theory = Theory("bounded")
    L = theory.parameter("L", INT, where=lambda L: L >= 0)
    d = theory.input("d", INT, INT, where=lambda d, r: d(r) <= L)
    with pytest.raises(TheoryError, match="parameter"):
        theory.theorem("for every L", [n, L], d(n) <= L)


def test_a_lemma_of_another_theory_is_refused(sums: Sums) -> None:
    """Even if its formula mentions only shared symbols."""
    theory, _, D = sums
    other = Theory("other")
    true = other.theorem("squares", [x], x * x >= 0)
    with pytest.raises(TheoryError, match="theorem of other"):
        theory.theorem("mixed", [n], D(n) >= 0, use=[true(x)])


def test_theorems_and_instances_are_made_by_rules_alone(sums: Sums) -> None:
    """No one can write down a theorem, change one, or forge an instance."""
    theory, _, D = sums
    true = theory.theorem("nonnegative", [n], D(n) >= 0, induct=n)
    with pytest.raises(TheoryError, match="only a rule"):
        Theorem(
            theory=theory,
            name="forged",
            claim=D(n) == 17,
            rule="plain",
            make=lambda: (),
            key=object(),
            variables=(n,),
            given=TRUE,
        )
    with pytest.raises(TheoryError, match="Only a theorem"):
        Instance(true, (n,), D(n) == 17, key=None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        true.claim = D(n) == 17  # type: ignore[misc]
    for copy in (true, true(n)):
        assert not hasattr(copy, "key")
        with pytest.raises(ValueError, match="InitVar"):
            dataclasses.replace(copy)  # type: ignore[call-arg]


def test_lemmas_are_those_of_the_declaration(sums: Sums) -> None:
    """A list that grows after the theorem was declared adds no lemma to its proof."""
    theory, _, D = sums
    wrong = theory.theorem("wrong", [n], D(n) <= 0, induct=n)
    use: list[Instance] = []
    late = theory.theorem("late", [n], D(n) <= 1, given=n >= 0, use=use)
    use.append(wrong(n))
    assert not is_proved(late)


def test_a_variable_has_no_name_of_a_symbol() -> None:
    """Not even of a parameter that comes later: its assumption would hold for a variable."""
    theory = Theory("late")
    with pytest.raises(TheoryError, match="expected variables"):
        theory.theorem("all", [z3.Int("late.k")], z3.Int("late.k") >= 5)


def test_a_carried_theorem_captures_no_parameter() -> None:
    """A variable named like the target's parameter would make the parameter any number."""
    source = Theory("source")
    source.parameter("h", INT, where=lambda h: h >= 5)
    with pytest.raises(TheoryError, match="expected variables"):
        source.theorem("all", [z3.Int("target.k")], z3.Int("target.k") >= 5)


def test_a_name_is_not_taken_while_it_is_defined(sums: Sums) -> None:
    """A definition within the definition would be replaced, or be part of itself."""
    theory, _, _ = sums

    def twice(number: Term, before: Term) -> Term:
        f = theory.define("f", (INT, INT), zero=lambda: 0, succ=lambda n, before: before)
        return f(number) + 1

    with pytest.raises(TheoryError, match="defined already"):
        theory.define("f", (INT, INT), zero=lambda: 1, succ=twice)

    def again(e: Any, r: Term) -> Term:
        theory.input("e", INT, INT)
        return e(r) >= 0

    with pytest.raises(TheoryError, match="defined already"):
        theory.input("e", INT, INT, where=again)

    def other(k: Term) -> Term:
        theory.parameter("k", INT)
        return k >= 0

    with pytest.raises(TheoryError, match="defined already"):
        theory.parameter("k", INT, where=other)


def test_a_theory_that_is_read_elsewhere_assumes_nothing_more() -> None:
    """Else a theorem could rest on an assumption that was never proved in the target."""
    source, target = Theory("source"), Theory("target")
    h = source.parameter("h", INT)
    large = source.theorem("large", [], h >= 5)
    there = Interpretation(target, source, "any", {h: target.parameter("k", INT)})
    with pytest.raises(TheoryError, match="read elsewhere"):
        source.parameter("g", INT, where=lambda g: z3.And(g == g, h >= 5))
    assert not is_proved(there(large))


def test_symbols_of_two_theories_with_one_name_are_not_mixed_up() -> None:
    """What the source defines later is not read as what the target calls by the same name."""
    source, target = Theory("twin"), Theory("twin")
    there = Interpretation(target, source, "twin", {})
    f = source.define("f", (INT, INT), zero=lambda: 1, succ=lambda n, before: before)
    target.define("f", (INT, INT), zero=lambda: 0, succ=lambda n, before: before)
    one = source.theorem("one", [], f(0) == 1)
    assert is_proved(one)
    with pytest.raises(TheoryError, match="after it was made"):
        there(one)
    with pytest.raises(TheoryError, match="theorem of twin"):
        target.theorem("mixed", [], f(0) == 1, use=[one()])


def test_obligations_cannot_be_changed(sums: Sums) -> None:
    """What was asked of the solver stays what the theorem needs."""
    theory, _, D = sums
    wrong = theory.theorem("wrong", [n], D(n) <= 0, induct=n)
    assert all(isinstance(query.formulas, tuple) for query in wrong.obligations)  # type: ignore[union-attr]


def test_an_instance_has_all_values(sums: Sums) -> None:
    """One value for each variable, of its sort."""
    theory, _, D = sums
    true = theory.theorem("shifted", [n, m], D(n) + m * m >= 0, induct=n)
    for values in ((n,), (n, m, t), (n, x)):
        with pytest.raises(TheoryError):
            true(*values)


def shifted(
    where: Callable[..., Term] = lambda e, r: e(r) >= 1,
) -> tuple[Theory, Term, Any]:
    """A theory of another sequence, to which theorems about sums are carried."""
    target = Theory("shifted")
    s = target.parameter("s", INT, where=lambda s: s >= 1)
    e = target.input("e", INT, INT, where=where)
    return target, s, e


def test_a_theorem_is_carried_to_another_sequence(sums: Sums) -> None:
    """Once the assumption about the sequence is proved there; its definitions come along."""
    theory, d, D = sums
    true = theory.theorem("nonnegative", [n], D(n) >= 0, induct=n)
    target, s, e = shifted()
    there = Interpretation(target, theory, "from s on", {d: lambda r: e(s + r - 1)})
    carried = there(true)
    assert is_proved(carried)
    used = target.theorem("used", [n], there[D](n) + 1 > 0, given=n >= 0, use=[carried(n)])
    assert is_proved(used)


def test_a_carried_theorem_needs_its_assumption(sums: Sums) -> None:
    """A sequence that may be negative is none of the source's."""
    theory, d, D = sums
    true = theory.theorem("nonnegative", [n], D(n) >= 0, induct=n)
    target, s, e = shifted(where=lambda e, r: e(r) >= -1)
    carried = Interpretation(target, theory, "from s on", {d: lambda r: e(s + r - 1)})(true)
    with pytest.raises(NotProvedError, match=r"assumption of sums\.d"):
        carried.prove()


def test_a_carried_theorem_needs_the_assumption_that_its_proof_used() -> None:
    """Also if the statement does not mention the input."""
    source = Theory("source")
    h = source.parameter("h", INT, where=lambda h: h >= 5)
    large = source.theorem("large", [n], n + h >= 5, given=n >= 0)
    target = Theory("target")
    k = target.parameter("k", INT)
    carried = Interpretation(target, source, "any k", {h: k})(large)
    assert is_proved(large)
    assert not is_proved(carried)


def test_wrong_interpretations_are_refused(sums: Sums) -> None:
    """No replacement, a foreign symbol, a definition that is another, a theorem of elsewhere."""
    theory, d, _ = sums
    target, _, e = shifted()
    with pytest.raises(TheoryError, match="no replacement"):
        Interpretation(target, theory, "missing", {})
    with pytest.raises(TheoryError, match="neither defined"):
        Interpretation(target, theory, "foreign", {d: lambda r: d(r)})
    with pytest.raises(TheoryError, match="neither defined"):
        Interpretation(target, theory, "free", {d: lambda r: r + m})
    with pytest.raises(TheoryError, match="no symbol"):
        Interpretation(target, theory, "surplus", {d: e, z3.Function("f", INT, INT): e})
    there = Interpretation(target, theory, "whole", {d: e})
    with pytest.raises(TheoryError, match="no theorem"):
        there(target.theorem("own", [n], e(n) >= 1))


def test_a_replaced_definition_must_be_the_same(sums: Sums) -> None:
    """Sums of other terms do not inherit theorems about D."""
    theory, d, D = sums
    true = theory.theorem("nonnegative", [n], D(n) >= 0, induct=n)
    target, _, e = shifted()
    same = target.sum("same", lambda r: e(r))
    other = target.sum("other", lambda r: e(r) - 2)
    assert is_proved(Interpretation(target, theory, "same", {d: e, D: same})(true))
    assert not is_proved(Interpretation(target, theory, "other", {d: e, D: other})(true))


def test_a_replacement_is_read_once(sums: Sums) -> None:
    """A builder that answers differently each time cannot smuggle in another term."""
    theory, d, _ = sums
    target, s, e = shifted()
    answers = iter([e(s), z3.IntVal(-1), z3.IntVal(-1), z3.IntVal(-1)])
    there = Interpretation(target, theory, "fickle", {d: lambda r: next(answers)})
    assert there[d](n).eq(e(s))
    assert next(answers).eq(z3.IntVal(-1))


def test_facts_come_from_the_inequality_prover() -> None:
    """A true inequality becomes a theorem about all reals, a false one is not proved."""
    theory = Theory("logarithms")
    tangent = theory.fact("ln(y) <= y - 1", where=["y > 0"])
    assert is_proved(tangent)
    assert not is_proved(theory.fact("ln(y) <= y - 2", where=["y > 0"]))
    with pytest.raises(TheoryError):
        theory.fact("ln(y) <= y - 1", where=["y is positive"])


def test_a_fact_holds_on_its_domain_alone() -> None:
    """Outside it says nothing."""
    theory = Theory("logarithms")
    small = theory.fact("ln(y) <= 0", where=["y > 0", "y <= 1"])
    ln = z3.Function("ln", REAL, REAL)
    assert is_proved(theory.theorem("inside", [x], ln(x) <= 0, given=x == 1, use=[small(x)]))
    assert not is_proved(theory.theorem("outside", [x], ln(x) <= 0, given=x == 2, use=[small(x)]))


def test_nothing_is_concluded_from_division_by_zero() -> None:
    """1/0 is no number of which anything is known."""
    theory = Theory("quotients")
    zero = z3.RealVal(0)
    assert not is_proved(theory.theorem("equal", [x], x / zero == 0))
    assert not is_proved(theory.theorem("root", [x], z3.Function("sqrt", REAL, REAL)(x) >= 0))
    assert is_proved(theory.theorem("one", [x], x / x == 1, given=x > 0))


def test_the_second_solver_reads_roots() -> None:
    """Names that it reserves for itself are renamed on the way."""
    pytest.importorskip("cvc5", reason="the second solver is an extra")
    theory = Theory("roots")
    root = z3.Function("sqrt", REAL, REAL)
    square = theory.theorem("square", [x], root(x) * root(x) == x, given=x >= 0)
    assert [each.second_opinion.answer for each in square.prove()] == [Answer.PROVED]  # type: ignore[union-attr]


def test_a_query_does_not_depend_on_what_was_built_before() -> None:
    """The solver gets the same text, whatever other terms the process has made."""

    def text() -> str:
        theory = Theory("same")
        d = theory.input("d", INT, INT, where=lambda d, r: d(r) >= 0)
        total = theory.sum("total", lambda r: d(r) * (1 + d(r)))
        [_, step] = theory.theorem("nonnegative", [n], total(n) >= 0, induct=n).obligations
        assert isinstance(step, Query)
        return step.smt2

    first = text()
    r = z3.Int("r")
    junk = [z3.Function("same.d", INT, INT)(r + k) * (k + r) + n for k in range(50)]
    assert text() == first
    assert junk
