"""The theory of Banker-OMD on a path: what is not provable, and engines that it refuses."""

import pathlib
from typing import Any

import pytest
import z3

from pbverify import preset
from pbverify.claims.library import find_claims
from pbverify.claims.routes.theorems import disagreement
from pbverify.paper.algorithm.banker import Banker
from pbverify.paper.cases.run_families import SKEWED, lopsided, quickened
from pbverify.paper.theories.banker import banker_path, mirror_descent
from pbverify.prover.induction.facts import SQRT
from pbverify.prover.induction.solver import Answer
from pbverify.prover.induction.theory import NotProvedError, Theory

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"


@pytest.fixture(scope="module")
def claim() -> Any:
    return find_claims((LEMMAS,), "banker-pathwise")[0][0]


def run(reading: Any = "main", **options: Any) -> Any:
    """Seven rounds with delays, both arms played."""
    quick = quickened(preset(reading)).with_options(**options)
    return lopsided(quick, [0, 1, 0, 2, 0, 0, 0], actions=[0, 1, 0, 0, 1, 0, 0], comparator=SKEWED)


def test_the_last_sum_may_vanish() -> None:
    """A divergence from the comparator is >= 0 and may be 0."""
    M = mirror_descent
    a, u = z3.Ints("a u")
    more = M.T.theorem("more", [a, u], M.DZ(a, u) > 0, given=a >= 1, induct=a)
    assert Answer.REFUTED in [query.reply.answer for query in more.obligations]


def test_half_the_cost_is_not_enough() -> None:
    """What a round adds exceeds the bound with half of s_t D(x^_t, z~_t)."""
    M = mirror_descent
    half = M.T.theorem(
        "half",
        [M.a, M.t],
        2 * M.XZ(M.a, M.t, M.t) <= M.XF(M.a, M.t),
        given=z3.And(M.t >= 1, M.a == M.A),
        use=[M.PYTHAGORAS(M.a, M.t), M.FREE(M.a, M.t), M.AWAY(M.a, M.t, M.t)],
        fuel=0,
    )
    assert [query.reply.answer for query in half.obligations] == [Answer.REFUTED]


def test_a_divergence_must_be_that_of_the_gradient() -> None:
    """With another divergence the theorem cannot be carried over."""
    other = banker_path.regularized(
        Theory("another divergence"),
        lambda p: -2 * SQRT(p),
        lambda q: -1 / SQRT(q),
        lambda p, q: (SQRT(p) - SQRT(q)) * (SQRT(p) - SQRT(q)),
    )
    with pytest.raises(NotProvedError, match=r"assumption of mirror descent\.div"):
        other.statement.prove()


@pytest.mark.parametrize("regularizer", ["negative-entropy", "tsallis"])
def test_the_engine_agrees(claim: Any, regularizer: Any) -> None:
    """A run with either regularizer is read without complaint."""
    case = run("repaired", regularizer=regularizer)
    assert disagreement(claim, case, banker_path.statement(case)) == ""


def test_steps_from_the_played_mixture_are_refused(claim: Any) -> None:
    """The appendix's update is not the one of the theory."""
    case = run("appendix")
    assert "the assumption on" in disagreement(claim, case, banker_path.statement(case))


def test_an_average_without_its_last_share_is_refused(
    claim: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The iterate is the average of all that is drawn upon."""
    full = Banker._average
    monkeypatch.setattr(
        Banker, "_average", lambda self, scale, shares: full(self, scale, shares[:-1])
    )
    found = disagreement(claim, run(), banker_path.statement(run()))
    assert "the assumption on negative entropy.xh" in found
