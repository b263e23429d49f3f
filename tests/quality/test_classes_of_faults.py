"""Properties that catch whole classes of faults which single examples had missed.

Probabilities of all plays add up to one; a branch of a tree is the run of its own actions; an
enclosure contains the truth at any point of its arguments; what is proved is true on a dense grid,
at the ends and far out; intervals round outwards.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
import sympy
from flint import arb, fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pbverify.bandits.instance import Instance
from pbverify.bandits.protocol import Learner
from pbverify.bandits.simulate import Tree, played
from pbverify.numerics import BallArithmetic, Truth, equal, leq, to_arb, working_precision
from pbverify.numerics.arithmetic import enclose_root
from pbverify.paper.algorithm.engine import enumerate_paths
from pbverify.paper.algorithm.readings import PRESETS
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.learners import DELAYED, steady
from pbverify.paper.lower_bound.simulation import in_blocks
from pbverify.paper.lower_bound.transcripts import transcripts
from pbverify.paper.second_program import intervals
from pbverify.prover.inequalities import (
    Box,
    Outcome,
    Range,
    Statement,
    Undecided,
    parse_inequality,
    prove_text,
)
from pbverify.prover.inequalities.calculus import concave
from pbverify.prover.inequalities.polynomials import orthant_sign
from pbverify.prover.inequalities.search import Goal, Search
from pbverify.prover.inequalities.subdivision import Cover, cover
from pbverify.prover.inequalities.whole_numbers import settle_integers

RARE = Fraction(1, 100)


def instance(delays: Sequence[int], *, comparator: Sequence[Fraction]) -> Instance:
    """Two arms that take turns, with one rare arm in the comparator."""
    losses = [[t % 2, (t + 1) % 2] for t in range(len(delays))]
    return Instance.build(losses=losses, delays=delays, comparator=comparator, seed=0)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("delays", [(0, 0, 0), (1, 0, 2), (2, 1, 0)])
def test_the_probabilities_of_all_paths_add_up_to_one(name: str, delays: tuple[int, ...]) -> None:
    """Also if an arm is played once in a hundred rounds: no branch and no factor is left out."""
    game = instance(delays, comparator=[1 - RARE, RARE])
    own = PRESETS[name].with_options(budget=Fraction(21, 20), slack=Fraction(0))
    found = enumerate_paths(game, own)
    assert len(found.paths) == 2 ** len(delays)
    with working_precision(found.precision):
        total = to_arb(found.expectation(lambda path: fmpq(1)))
        assert total.contains(1)
        assert leq(total.rad(), Fraction(1, 2**40)) is Truth.YES


@pytest.mark.parametrize("name", DELAYED)
def test_a_branch_is_the_run_of_its_own_actions(name: str) -> None:
    """A copy that shares anything with its twin would remember the actions of another branch."""
    game = instance((1, 0, 2, 0), comparator=[Fraction(1, 2)] * 2)
    with working_precision(128) as balls:
        learner = DELAYED[name].make(balls, 2, game.rounds)
        tree: Tree[Learner, list[arb]] = Tree(
            balls, game, lambda learner, law: [to_arb(p) for p in law]
        )
        for actions, probability, laws in list(tree.paths(learner)):
            alone = DELAYED[name].make(balls, 2, game.rounds)
            again = list(played(balls, game.with_actions(actions), alone))
            chance = balls.exact(1)
            for law, own, action in zip(laws, again, actions, strict=True):
                assert all(x.overlaps(to_arb(y)) for x, y in zip(law, own, strict=True))
                chance = chance * own[action]
            assert to_arb(probability).overlaps(to_arb(chance))


@pytest.mark.parametrize("share", [Fraction(1, 200), Fraction(1, 3), Fraction(199, 200)])
@pytest.mark.parametrize("lengths", [(1,), (2, 1), (1, 1, 1)])
def test_the_weights_of_all_transcripts_add_up_to_one(
    share: Fraction, lengths: tuple[int, ...]
) -> None:
    """In each environment, the transcripts' probabilities, exactly, also of rare actions."""
    with working_precision(64) as balls:
        game = HardGame(lengths, Fraction(1, 2))
        learner = in_blocks(steady(share).make(balls, 2, game.slots), game.lengths)
        leaves = transcripts(learner, game)
        for table in game.tables():
            total = sum(leaf.weight for leaf in leaves if leaf.agrees(table))
            assert equal(total, 1) is Truth.YES


numbers = st.fractions(-3, 3, max_denominator=64)
radii = st.fractions(0, 2, max_denominator=64)


@given(
    st.lists(
        st.tuples(numbers, radii, st.fractions(-1, 1, max_denominator=8)), min_size=2, max_size=4
    )
)
def test_the_minimum_encloses_the_minimum_at_any_point(
    balls: list[tuple[Fraction, Fraction, Fraction]],
) -> None:
    """Overlapping balls whose middles are in another order than their points."""
    with working_precision(128) as arithmetic:
        enclosures = [arb(to_arb(m).mid(), to_arb(r).upper()) for m, r, _ in balls]
        point = min(m + r * share for m, r, share in balls)
        assert arithmetic.minimum(enclosures).contains(to_arb(point).mid())


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(numbers, st.fractions(0, Fraction(1, 4), max_denominator=64)),
        min_size=2,
        max_size=5,
    ),
    st.fractions(-1, 1, max_denominator=8),
)
def test_the_normaliser_encloses_the_root_at_any_point(
    box: list[tuple[Fraction, Fraction]], share: Fraction
) -> None:
    """At 64 bits for a box of duals; the root at one of its points, at 512 bits."""
    with working_precision(64):
        wide = enclose_root([arb(to_arb(m).mid(), to_arb(r).upper()) for m, r in box])
    with working_precision(512):
        sharp = enclose_root([to_arb(m + r * share) for m, r in box])
        assert wide.overlaps(sharp)
        assert leq(sharp.rad(), Fraction(1, 2**200)) is Truth.YES


PARTS: dict[str, Callable[[arb], arb]] = {
    "ln(x)": arb.log,
    "sqrt(x)": arb.sqrt,
    "1": lambda x: arb(1),
}


GRID = [
    *(Fraction(n, 8) for n in range(1, 65)),
    *(Fraction(1, 2**n) for n in (10, 20, 40)),
    *(Fraction(2**n) for n in (10, 20, 40)),
]
"""Points in (0, 8], near 0, and far out."""

COEFFICIENTS = st.integers(-4, 4)


@settings(max_examples=40)
@given(st.lists(COEFFICIENTS, min_size=4, max_size=4), st.sampled_from(sorted(PARTS)))
def test_what_is_proved_is_true_on_a_dense_grid(weights: list[int], part: str) -> None:
    """Random sums of powers, logarithms and roots for all x > 0: ends and tails included."""
    a, b, c, d = weights
    lhs, rhs = f"{a}*{part} + {b}*x", f"{c}*x**2 + {d}/x"
    if prove_text(f"{lhs} <= {rhs}", ["x > 0"]).outcome is Outcome.PROVED:
        with working_precision(128):
            for x in map(to_arb, GRID):
                left, right = a * PARTS[part](x) + b * x, c * x**2 + d / x
                assert leq(left, right) is not Truth.NO


x, y, n = sympy.symbols("x y n", real=True)
FROM_ZERO = Range(sympy.Integer(0), low_open=False)


def nothing_more(statement: Statement, box: Box) -> Cover:
    """A prover that succeeds at single values, and never for a real variable."""
    return Cover((), (Undecided(box, "not tried"),) if box.ranges else ())


@given(st.integers(0, 300))
def test_a_tail_of_integers_is_not_settled_by_its_first_values(low: int) -> None:
    """n >= 0 is true of each value looked at; the rest needs a proof for all real n."""
    statement = parse_inequality("n >= 0")
    [symbol] = statement.variables
    box = Box(((symbol, Range(sympy.Integer(low), low_open=False)),), frozenset({symbol}))
    assert settle_integers(statement, box, nothing_more).left


@settings(max_examples=200)
@given(st.lists(COEFFICIENTS, min_size=6, max_size=6))
def test_the_sign_of_a_form_is_its_sign_on_the_orthant(weights: list[int]) -> None:
    """Whatever the order of the variables: x << y, x >> y and everything between."""
    a, b, c, d, e, f = weights
    form = sympy.Poly(a * x**2 + b * x * y + c * y**2 + d * x + e * y + f, x, y)
    sign = orthant_sign(form, [FROM_ZERO, FROM_ZERO])
    if sign is not None:
        grid = [sympy.Rational(k, 3) for k in range(13)] + [sympy.Integer(1000)]
        for u, v in itertools.product(grid, grid):
            assert form.eval((u, v)) * sign.value >= 0


@settings(max_examples=40)
@given(st.fractions(0, 7, max_denominator=16), st.integers(2, 9))
def test_enclosures_on_parts_do_not_miss_a_dip(phase: Fraction, speed: int) -> None:
    """1 + cos - 1/100 falls below 0 where the cosine is -1, whatever it is in the middle."""
    shift = sympy.Rational(phase.numerator, phase.denominator)
    function = sympy.cos(speed * x + shift) + sympy.Rational(99, 100)
    span = Range(sympy.Integer(-4), sympy.Integer(4), low_open=False, high_open=False)
    goal = Goal(function, Box(((x, span),)), 0)
    found = cover(Search((), budget=0), goal, dict, boxes=40, attempts=0)
    assert found.left


@pytest.mark.parametrize("jump", ["1 - 2*abs(x)/x", "2*x - abs(x)/x", "1/x - 2"])
def test_a_function_that_jumps_at_an_end_is_not_concave_there(jump: str) -> None:
    """At least 0 at one end and with a second derivative <= 0 inside, and yet negative inside."""
    statement = parse_inequality(f"{jump} >= 0")
    [symbol] = statement.variables
    for low, high in ((-1, 0), (0, 1)):
        span = Range(sympy.Integer(low), sympy.Integer(high), low_open=False, high_open=False)
        goal = Goal(statement.slack, Box(((symbol, span),)), 4)
        middle = statement.slack.subs(symbol, sympy.Rational(low + high, 2))
        if middle < 0:
            assert Search((concave,), budget=40).prove(goal) is None


@given(numbers, numbers, st.sampled_from(["+", "-", "*", "/"]), st.integers(2, 12))
def test_the_second_programs_intervals_round_outwards(
    x: Fraction, y: Fraction, operation: str, digits: int
) -> None:
    """Every operation encloses the exact value, at any precision."""
    assume(operation != "/" or y != 0)
    exact = {"+": x + y, "-": x - y, "*": x * y, "/": x / y if y else Fraction(0)}[operation]
    precisions = intervals.DOWN.prec, intervals.UP.prec
    intervals.DOWN.prec = intervals.UP.prec = digits
    try:
        a, b = intervals.number(x), intervals.number(y)
        assume(operation != "/" or not b.low <= 0 <= b.high)
        found = {"+": a.__add__, "-": a.__sub__, "*": a.__mul__, "/": a.__truediv__}[operation](b)
        for value, enclosure in ((exact, found), (x, a), (y, b)):
            assert Fraction(enclosure.low) <= value <= Fraction(enclosure.high)
    finally:
        intervals.DOWN.prec, intervals.UP.prec = precisions


@given(st.fractions(Fraction(1, 64), 8, max_denominator=64), st.sampled_from(["sqrt", "exp", "ln"]))
def test_the_second_programs_functions_enclose_the_truth(x: Fraction, name: str) -> None:
    """Against enclosures at 200 bits."""
    found = getattr(intervals, name)(intervals.number(x))
    with working_precision(200):
        value = {"sqrt": arb.sqrt, "exp": arb.exp, "ln": arb.log}[name](to_arb(x))
        low, high = (to_arb(Fraction(end)) for end in (found.low, found.high))
        assert leq(low, value) is Truth.YES
        assert leq(value, high) is Truth.YES


def test_a_root_without_a_bracket_is_wide() -> None:
    """Duals that are not known well have no sharp root, and the answer says so."""
    with working_precision(64):
        wide = enclose_root([arb(0, 1), arb(0, 1)])
        assert leq(1, wide.rad() * 4) is Truth.YES
        assert BallArithmetic().to_float(wide) > 0
