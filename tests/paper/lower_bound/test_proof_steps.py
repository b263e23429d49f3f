"""The chain of the batched bound: conclusions, cases, and where it is loose."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from pbverify.claims.claim import Pair
from pbverify.numerics import Truth, to_arb, working_precision
from pbverify.paper.formulas import lower
from pbverify.paper.lower_bound import proof_steps as chain
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learner_in_game import Study
from pbverify.paper.lower_bound.learners import contender

SQUARE = HardGame((2, 2), Fraction(1, 4))  # L_1 delta V = 4: everything is rational
LEARNERS = ("steady-1/4", "prober", "committer", "exp3")


def study(name: str, *, allowed: Fraction = Fraction(1, 10), game: HardGame = SQUARE) -> Study:
    return Study(game, contender(name), allowed)


def sides(pairs: Iterable[Pair]) -> list[tuple[object, object]]:
    return [(pair.lhs, pair.rhs) for pair in pairs]


@pytest.mark.parametrize("name", ["steady-1/4", "prober", "committer"])
@pytest.mark.parametrize(
    "conclusion",
    [chain.safety_regret_is_share, chain.best_arm_regret_is_share, chain.divergence_adds_up],
)
def test_identities_are_exact_for_rational_learners(name: str, conclusion: Any) -> None:
    """With a rational kappa both sides are rationals and their difference is 0, not a ball."""
    pairs = list(conclusion(study(name)))
    assert any(pair.truth is Truth.YES for pair in pairs)
    assert all(pair.lhs == 0 for pair in pairs)


@pytest.mark.parametrize("name", LEARNERS)
def test_links_show_where_the_chain_is_loose(name: str) -> None:
    """Every link holds; the bound 16 eps^2 gives away a factor of about two."""
    with working_precision(256):
        links = chain.links(study(name))
    assert all(link.lhs <= link.rhs + 1e-12 for link in links)
    ratios = {link.where: link.ratio for link in links}
    assert ratios["bound sum of 16 eps^2"] == pytest.approx(0.5, abs=0.06)
    assert ratios["bound 4 gamma sqrt(L_1 E+[W])"] == pytest.approx(0.5**0.5)
    assert {link.step for link in links} == {step.__name__ for step in chain.CHAIN}


def test_the_bound_of_long_constant_blocks() -> None:
    """With L_1 delta >= 1 and constant losses it is 3/256 sqrt(V) - Lambda, else B_Lambda."""
    long = HardGame((4,), Fraction(1, 2), constant=True)
    assert chain.bound_of(study("steady-0", game=long)) == fmpq(3, 64) - fmpq(1, 10)
    short = study("steady-0", game=HardGame((2,), Fraction(1, 4), constant=True))
    general, better = (chain.value(f, short) for f in (lower.B_LAMBDA, lower.BLOCK_BOUND))
    assert to_arb(chain.bound_of(short)).overlaps(to_arb(general))
    assert not to_arb(chain.bound_of(short)).overlaps(to_arb(better))


def test_looseness_is_a_table_with_a_column_per_learner() -> None:
    """Rows follow the chain, and each learner's ratios stand in its own column."""
    subjects = {name: study(name) for name in LEARNERS}
    with working_precision(256):
        rows = chain.looseness(subjects)
        first = chain.links(subjects[LEARNERS[0]])
        alone = chain.looseness({"exp3": subjects["exp3"]})
    assert [row["at"] for row in rows] == [link.where for link in first]
    assert all(list(row) == ["step", "at", *LEARNERS] for row in rows)
    assert rows[0][LEARNERS[0]] == f"{first[0].ratio:.3f}"
    assert [row["exp3"] for row in alone] == [row["exp3"] for row in rows]


def test_what_the_bound_is_claimed_for() -> None:
    """B_Lambda is claimed for the chosen gamma and delta >= L_1/(64 V); safe means allowed."""
    other = HardGame((1,), Fraction(1, 4), kappa_as_given=Fraction(1, 8))
    assert chain.has_chosen_signal(study("prober"))
    assert not chain.has_chosen_signal(study("prober", game=other))
    at, below = (HardGame((4, 2), Fraction(1, n)) for n in (320, 321))
    assert chain.margin_is_admissible(study("prober", game=at))
    assert not chain.margin_is_admissible(study("prober", game=below))
    assert not chain.is_safe(study("steady-1", allowed=Fraction(0)))
    assert chain.is_safe(study("steady-0", allowed=Fraction(0)))
    assert chain.case_is_decided(study("steady-1/4", allowed=Fraction(0)))


def test_formulas_are_taken_at_the_subject() -> None:
    """gamma enters through kappa, so that gamma sqrt(V) (W - delta) is kappa V (W - delta)."""
    value = chain.value(lower.SAFETY_REGRET, study("prober"), W=to_arb(1))
    assert to_arb(value).contains(to_arb(Fraction(3, 32)))


def test_an_unsafe_table_is_enough() -> None:
    """Always arm 2 loses more to x^c than is allowed, by a positive number and no matter which."""
    [pair] = chain.some_table_is_hard(study("steady-1"))
    assert (pair.lhs, pair.where) == (0, {"table": "unsafe"})
    assert pair.truth is Truth.YES
    [pair] = chain.some_table_is_hard(study("steady-1", allowed=Fraction(4)))
    assert pair.where == {"table": "costly"}


def test_conclusions_about_the_game_say_everything() -> None:
    """Each entry of x^c is at least delta and their sum is 1; each signal is at most 1/4."""
    some = study("prober")
    entries = [(SQUARE.delta, x) for x in SQUARE.comparator]
    assert sides(chain.comparator_is_valid(some)) == [*entries, (1, 1)]
    signals = [(SQUARE.signal(m), Fraction(1, 4)) for m in range(2)]
    assert sides(chain.signal_is_small(some)) == signals
    assert [pair.where["m"] for pair in chain.divergence_adds_up(some)] == [1, 2]


def test_every_transcript_has_a_share_between_zero_and_one() -> None:
    """The weights add up to 1, and 0 <= W <= 1 is asked of each transcript."""
    some = study("prober")
    shares = [some.found.weighted_plays(leaf) for leaf in some.found.leaves]
    bounds = [bound for W in shares for bound in ((0, W), (W, 1))]
    assert len(shares) > 1
    assert sides(chain.weights_sum_to_one(some)) == [(1, 1), *bounds]


def test_tables_are_asked_by_case() -> None:
    """A safe learner's regret shows in some table (case 2), an unsafe one's excess too (case 1)."""
    cases = [
        [pair.where for pair in chain.some_table_shows_it(study(name, allowed=Fraction(0)))]
        for name in ("steady-0", "steady-1")
    ]
    assert cases == [[{"case": 2, "max": "inside"}, {"case": 2, "max": "table"}], [{"case": 1}]]
