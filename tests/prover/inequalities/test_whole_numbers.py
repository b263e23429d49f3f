"""Integer variables."""

from fractions import Fraction

import pytest
import sympy

from pbverify.errors import InputError
from pbverify.prover.inequalities import Outcome, Range, prove_text
from pbverify.prover.inequalities.whole_numbers import whole_range


@pytest.mark.parametrize(
    ("range_", "low", "high"),
    [
        (Range(sympy.Rational(1, 2), sympy.pi), 1, 3),
        (Range(sympy.Integer(1), sympy.Integer(4)), 2, 3),
        (Range(sympy.Integer(1), sympy.Integer(4), low_open=False, high_open=False), 1, 4),
        (Range(-sympy.sqrt(2), sympy.oo), -1, sympy.oo),
    ],
)
def test_ends_move_to_integers(range_: Range, low: int, high: int) -> None:
    """The range of an integer variable ends at integers that belong to it."""
    moved = whole_range(range_)
    assert (moved.low, moved.high) == (low, high)


def test_values_one_by_one_then_a_tail() -> None:
    """An inequality that fails between integers is proved on them."""
    proof = prove_text("2**n >= n**2 - 1", ["n >= 0"], ["n"])
    assert proof.outcome is Outcome.PROVED
    assert [str(region.box) for region in proof.regions] == ["integer 0 <= n <= 3", "n >= 4"]
    assert prove_text("2**n >= n**2 - 1", ["n >= 0"]).outcome is Outcome.REFUTED


def test_integers_on_the_whole_line() -> None:
    """Without bounds both directions are counted."""
    assert prove_text("n**2 >= 3*n - 2", [], ["n"]).outcome is Outcome.PROVED
    assert prove_text("n**2 >= 3*n - 2").outcome is Outcome.REFUTED


def test_counterexamples_are_integers() -> None:
    """A refutation names an integer value of an integer variable."""
    proof = prove_text("(n - 5)**2 >= 1/2", ["n >= 0"], ["n"])
    assert proof.point is not None
    assert proof.point.values == (("n", Fraction(5)),)


def test_an_integer_variable_next_to_a_real_one() -> None:
    """Slices at integers are inequalities in the other variables."""
    proof = prove_text("(n - 1/2)**2 + x**2 >= 1/4", ["n >= 0"], ["n"])
    assert proof.outcome is Outcome.PROVED


def test_an_empty_integer_domain_is_refused() -> None:
    """No integer between the bounds is an error."""
    with pytest.raises(InputError, match="points"):
        prove_text("n <= 1", ["n > 1/4", "n < 3/4"], ["n"])
