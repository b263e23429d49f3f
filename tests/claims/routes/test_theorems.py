"""Claims proved for all sizes: a proof counts for a claim only if both say the same of cases."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
import z3
from hypothesis import strategies as st

from pbverify.claims.claim import Claim, Kind, Pair, Side, leq
from pbverify.claims.judging import PROFILES
from pbverify.claims.lemma import Judging, Lemma, says
from pbverify.claims.routes import Asked, generated
from pbverify.claims.routes.theorems import InductionProof, NamedProof, for_all_sizes
from pbverify.claims.sort import Sort
from pbverify.claims.verdict import Evidence, Outcome, Verdict
from pbverify.files.codec import Record
from pbverify.prover.induction import INT, Anchor, Model, Theory, at, rounds
from pbverify.prover.induction.counterexample import Counterexample
from pbverify.prover.induction.theory import Theorem

n = z3.Int("n")
T = Theory("terms")
f = T.input("f", INT, INT, where=lambda f, r: z3.And(f(r) >= 0, f(r) <= 3))
F = T.sum("F", lambda r: f(r))
TRUE = T.theorem("total", [n], F(n) <= 3 * n, induct=n)
FALSE = T.theorem("short", [n], F(n) <= 2 * n, induct=n)


@dataclasses.dataclass(frozen=True)
class Terms(Record):
    """The case: numbers from 0 to 3."""

    values: tuple[int, ...]


CASES = st.lists(st.integers(0, 3), min_size=1, max_size=8).map(lambda v: Terms(tuple(v)))


def total_le(factor: int, *, more: int = 0) -> Claim[Terms]:
    def total(case: Terms) -> Iterator[Pair]:
        yield leq(sum(case.values) + more, factor * len(case.values))

    return Claim("total", Kind.COMBINATORIAL, "total", then=(total,), about=Sort.of(Terms))


def proof_of(theorem: Theorem, **options: Any) -> InductionProof:
    def read(case: Terms) -> Iterator[Anchor]:
        model = Model(T, {f: rounds(case.values)})
        yield at(theorem, model, {n: len(case.values)})

    return InductionProof([theorem], read, "all lists", **options)


def judged(claim: Claim[Terms], proof: InductionProof, cases: Any = CASES) -> Verdict:
    route = for_all_sizes(proof, cases)
    [verdict] = route.found(claim, Asked("any", PROFILES["quick"]))
    return verdict


def test_a_proved_claim_names_its_evidence() -> None:
    """Evidence, obligations, solvers, what is assumed, what it is made of, and the proof."""
    assuming = ("it rains",)
    verdict = judged(total_le(3), proof_of(TRUE, assuming=assuming, made_of=("other",)))
    assert verdict.outcome is Outcome.HOLDS
    assert verdict.evidence is Evidence.PROVED
    assert verdict.obligations == 2
    assert verdict.solvers == ("z3 (2)",)
    assert verdict.assuming == assuming
    assert verdict.made_of == ("other",)
    assert "assuming: it rains" in verdict.scope
    assert any("F(n) <= 3 * n" in line for line in verdict.proof)
    assert verdict.applicable > 0
    assert Verdict.from_json(verdict.to_json()) == dataclasses.replace(verdict, witness=None)


def test_a_proof_of_something_else_proves_nothing() -> None:
    """The claim's own numbers must come out: another constant is noticed."""
    verdict = judged(total_le(4), proof_of(TRUE))
    assert verdict.outcome is Outcome.UNDECIDED
    assert "the proof says" in verdict.reason


def test_other_inequalities_are_noticed() -> None:
    """A claim with more inequalities than the proof."""
    claim = total_le(3)
    twice = dataclasses.replace(claim, then=claim.then * 2)
    assert "1 inequalities of the proof for 2" in judged(twice, proof_of(TRUE)).reason


def test_what_is_read_is_proved() -> None:
    """A true theorem that is proved does not stand for another one that is read."""
    unproved = dataclasses.replace(proof_of(FALSE), results=[TRUE])
    verdict = judged(total_le(2), unproved, cases=lambda: [Terms((1,))])
    assert verdict.outcome is Outcome.UNDECIDED
    assert "short is not among" in verdict.reason
    nothing = dataclasses.replace(proof_of(TRUE), results=[])
    assert judged(total_le(3), nothing).outcome is Outcome.UNDECIDED


def test_a_part_of_a_claim_is_not_the_claim() -> None:
    """A narrower claim is refused, and a pair that can only refute is not proved."""
    with pytest.raises(ValueError, match="the whole claim"):
        for_all_sizes(proof_of(TRUE), CASES, such_that=lambda case: False)

    def bounded(case: Terms) -> Iterator[Pair]:
        yield from total_le(3).pairs(case)
        yield dataclasses.replace(leq(sum(case.values), 17), side=Side.AT_LEAST)

    proof = dataclasses.replace(
        proof_of(TRUE), anchors=lambda case: [*proof_of(TRUE).anchors(case)] * 2
    )
    claim = dataclasses.replace(total_le(3), then=(bounded,))
    assert "only be refuted" in judged(claim, proof).reason


def test_without_cases_nothing_is_tied() -> None:
    """A theorem that was read nowhere says nothing about the claim."""
    verdict = judged(total_le(3), proof_of(TRUE), cases=list)
    assert verdict.outcome is Outcome.UNDECIDED
    assert "read in no case" in verdict.reason


def test_cases_outside_the_assumptions_are_noticed() -> None:
    """The theory assumes f <= 3; a case with a 4 is none of its cases."""
    verdict = judged(total_le(3), proof_of(TRUE), cases=lambda: [Terms((0, 4))])
    assert "assumption on terms.f at 2" in verdict.reason


def test_a_failing_proof_shows_its_step() -> None:
    """And the claim is undecided, whatever the cases say."""
    verdict = judged(total_le(2), proof_of(FALSE), cases=lambda: [Terms((1,))])
    assert verdict.outcome is Outcome.UNDECIDED
    assert "n to n + 1" in verdict.reason
    assert "may be unreachable" in verdict.reason


def test_a_failing_proof_may_have_a_real_counterexample() -> None:
    """Then it is a case of the claim, and refutes it with a witness."""

    def case(found: Counterexample) -> Terms:
        return Terms(tuple(int(value) for value in found.sequences["f"]))

    verdict = judged(total_le(2), proof_of(FALSE, size=n, case=case))
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.witness is not None
    assert verdict.witness.subject == {"parameters": {"values": [3]}}


def test_a_case_that_violates_a_proved_claim_refutes_it() -> None:
    """A theory that is not the claim's cannot hide a violation."""
    verdict = judged(total_le(3, more=1), proof_of(TRUE), cases=lambda: [Terms((3,))])
    assert verdict.outcome is Outcome.REFUTED


@pytest.mark.parametrize("profile", ["quick", "thorough"])
def test_the_second_solver_is_asked_in_the_thorough_profile(profile: str) -> None:
    """How many obligations it discharges as well is part of the verdict."""
    pytest.importorskip("cvc5", reason="the second solver is an extra")
    route = for_all_sizes(proof_of(TRUE), CASES)
    [verdict] = route.found(total_le(3), Asked("any", PROFILES[profile]))
    assert ("cvc5 (2 of 2)" in verdict.solvers) == (profile == "thorough")


def looked_at(claim: Claim[Terms], theorem: Theorem, *, profile: str) -> dict[str, int]:
    """The cases of each route, where the proof is read in the list of one 3 alone."""
    proof = for_all_sizes(proof_of(theorem), lambda: [Terms((3,))])
    judging = Judging(claim, (generated(CASES), proof), "any")
    found = judging.by_route(PROFILES[profile])
    return {route.name: sum(v.cases for v in verdicts) for route, verdicts in found}


def test_a_proof_comes_first_and_leaves_less_to_look_at() -> None:
    """In the default profile the other routes then look at as many cases as in `quick`."""
    claim = dataclasses.replace(total_le(3), must_meet={"two numbers": has_two})
    found = looked_at(claim, TRUE, profile="default")
    assert found == {"forallsizes": 1, "generated": PROFILES["quick"].examples}
    assert list(found) == ["forallsizes", "generated"]


def test_without_a_proof_everything_is_looked_at() -> None:
    """A proof of something else spares no case."""
    found = looked_at(total_le(4), TRUE, profile="default")
    assert found["generated"] == PROFILES["default"].examples


def has_two(case: Terms) -> bool:
    return len(case.values) >= 2


def test_quick_stops_where_nothing_is_left_to_show() -> None:
    """It looks at more cases where a situation is unmet, or nothing of an inequality fell yet."""
    claim = total_le(3)
    assert looked_at(claim, TRUE, profile="quick") == {"forallsizes": 1}
    assert looked_at(total_le(4), NEAR, profile="quick") == {"forallsizes": 1}  # `strict` stands
    unmet = dataclasses.replace(claim, must_meet={"two numbers": has_two})
    assert "generated" in looked_at(unmet, TRUE, profile="quick")
    loose = dataclasses.replace(claim, then=(*claim.then, never_attained))
    proof = dataclasses.replace(proof_of(TRUE), results=[TRUE, LOOSE], anchors=both)
    routes = (for_all_sizes(proof, lambda: [Terms((3,))]), generated(CASES))
    found = Judging(loose, routes, "any").by_route(PROFILES["quick"])
    assert [route.name for route, _ in found] == ["forallsizes", "generated"]


def never_attained(case: Terms) -> Iterator[Pair]:
    yield leq(sum(case.values), 9 * len(case.values))


NEAR = T.theorem("near", [n], F(n) <= 4 * n, given=n >= 0, use=[TRUE(n)])
LOOSE = T.theorem("loose", [n], F(n) <= 9 * n, given=n >= 0, use=[TRUE(n)])


def both(case: Terms) -> Iterator[Anchor]:
    model = Model(T, {f: rounds(case.values)})
    for theorem in (TRUE, LOOSE):
        yield at(theorem, model, {n: len(case.values)})


def test_quick_reads_a_proof_where_something_is_new() -> None:
    """After ten cases only one with a new regime is read, and the scope tells how many were."""
    is_long = {"long": lambda case: len(case.values) > 4}
    claim = dataclasses.replace(total_le(3), must_meet=is_long)
    cases = [*[Terms((1,))] * 15, Terms((1,) * 5), Terms((1,) * 6)]
    verdict = judged(claim, proof_of(TRUE), cases=lambda: cases)
    assert verdict.outcome is Outcome.HOLDS
    assert verdict.scope.endswith("read in 11 of 17 cases")
    route = for_all_sizes(proof_of(TRUE), lambda: cases)
    [default] = route.found(claim, Asked("any", PROFILES["default"]))
    assert "read in" not in default.scope


def test_a_second_proof_is_read_in_as_many_cases() -> None:
    """Only routes that prove nothing look less hard after a proof."""
    routes = (for_all_sizes(proof_of(TRUE), CASES), for_all_sizes(proof_of(TRUE), CASES))
    found = Judging(total_le(3), routes, "any").by_route(PROFILES["default"])
    first, second = (verdict.cases for _, [verdict] in found)
    assert first == second == PROFILES["default"].examples // 10


def test_proofs_are_read_in_the_same_cases() -> None:
    """Claims whose proofs are read in cases of one strategy see the very same cases."""
    read: dict[str, list[Terms]] = {"first": [], "second": []}

    def proof(name: str) -> InductionProof:
        known = proof_of(TRUE)

        def anchors(case: Terms) -> Iterator[Anchor]:
            read[name].append(case)
            yield from known.anchors(case)

        return dataclasses.replace(known, anchors=anchors)

    for name in read:
        judged(dataclasses.replace(total_le(3), id=name), proof(name))
    assert len(read["first"]) > 1
    assert all(x is y for x, y in zip(*read.values(), strict=True))


def test_a_lemma_names_the_theories_of_most_of_its_proofs() -> None:
    """By their package, and nothing where a proof has no module."""
    proofs = [NamedProof("a.theories.sums.one", "X"), NamedProof("a.theories.sums.two", "X")]
    routes = [for_all_sizes(proof, CASES) for proof in (*proofs, NamedProof("a.late.one", "X"))]
    assert Lemma("total", says("all"), by=tuple(routes)).theories == "a.theories.sums"
    assert Lemma("total", says("all"), by=for_all_sizes(proof_of(TRUE), CASES)).theories == ""
