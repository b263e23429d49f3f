"""Statements and conditions as text."""

import sympy

from pbverify.prover.inequalities import parse_inequality
from pbverify.prover.inequalities.grammar import variable, written


def test_expressions_are_written_in_the_grammar() -> None:
    """What is shown can be read back."""
    text = "ln(x) + abs(x) <= sqrt(x) + exp(1)"
    shown = str(parse_inequality(text))
    assert parse_inequality(shown) == parse_inequality(text)
    assert written(sympy.E) == "exp(1)"


def test_conditions_name_their_operation() -> None:
    """A condition says what needs it."""
    (condition,) = parse_inequality("ln(x - 1) <= 0").conditions
    assert str(condition) == "ln needs x - 1 > 0"


def test_replacement_reaches_every_part() -> None:
    """Sides, conditions and variables are replaced together."""
    x, y = variable("x"), variable("y")
    replaced = parse_inequality("ln(x) <= x").replaced({x: y})
    assert replaced == parse_inequality("ln(y) <= y")
