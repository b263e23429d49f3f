"""Where statements are defined."""

import sympy

from pbverify.prover.inequalities import Box, Range, parse_inequality
from pbverify.prover.inequalities.definedness import Part, defined_parts
from pbverify.prover.inequalities.grammar import variable
from pbverify.prover.inequalities.prove import RULES
from pbverify.prover.inequalities.search import Search

x, y = variable("x"), variable("y")


def _parts(text: str, *symbols: sympy.Symbol) -> list[Part]:
    box = Box(tuple((symbol, Range()) for symbol in symbols))
    return defined_parts(Search(RULES, budget=40), parse_inequality(text).conditions, box)


def test_a_domain_is_cut_where_a_condition_fails() -> None:
    """The parts on which the statement is defined are told from those on which it is not."""
    parts = _parts("ln(x - 1) <= x", x)
    assert [(str(part.box), part.reason is None) for part in parts] == [
        ("x < 1", False),
        ("x = 1", False),
        ("x > 1", True),
    ]
    assert parts[1].reason == "undefined at x = 1: ln needs x - 1 > 0"


def test_cancelled_divisions_count() -> None:
    """x/x is undefined at 0 although the expression simplifies to 1."""
    assert [str(part.box) for part in _parts("x/x <= 1", x) if part.reason] == ["x = 0"]


def test_two_variables_are_not_cut() -> None:
    """A condition in two variables leaves the whole box, with a point where it fails."""
    (part,) = _parts("ln(x - y) <= x", x, y)
    assert part.reason is not None
    assert part.reason.startswith("undefined at x = ")


def test_conditions_that_always_hold() -> None:
    """A statement that is defined everywhere keeps its domain in one part."""
    assert [part.reason for part in _parts("ln(1 + exp(x)*y**2) <= 1", x, y)] == [None]
