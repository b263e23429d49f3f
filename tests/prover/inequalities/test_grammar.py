"""The language of statements: what it reads, how it binds, and what it refuses."""

import pytest
import sympy

from pbverify.errors import InputError
from pbverify.prover.inequalities import Need, Relation, parse_condition, parse_inequality
from pbverify.prover.inequalities.grammar import LONGEST_TEXT, tokens, variable, written


def test_words_come_with_their_positions() -> None:
    """A text is cut into numbers, names and symbols, each with its place counted from 1."""
    words = [(token.kind, token.text, token.position) for token in tokens("2.5e-3*x_1", field="f")]
    assert words == [
        ("number", "2.5e-3", 1),
        ("symbol", "*", 7),
        ("name", "x_1", 8),
        ("end", "end of text", 11),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *(
            (text, r"got f\[\d\]=")
            for text in ("x\x00", "\u0445", "\u0663", "x;y", "x.y", "'a'", "x\n")
        ),
        ("x^2", r"powers are written \*\*"),
        ("x" * (LONGEST_TEXT + 1), "at most 2000 characters"),
    ],
)
def test_foreign_characters_are_refused(text: str, message: str) -> None:
    """A character outside the language is an error that names its place; so is a long text."""
    with pytest.raises(InputError, match=message):
        list(tokens(text, field="f"))


x, e = variable("x"), variable("e")

HOSTILE = [
    "__import__('os')",
    "__import__('os').system('true') <= 1",
    "10**10**10 <= 1",
    "9**9**9 <= x",
    "((2**1000)**1000) <= x",
    "exp(2**1000*ln(2)) <= x",
    "x**(10**6) <= 1",
    "((x**1000)**1000) <= 1",
    "1e999999 <= 2",
    "1" * 500 + " <= x",
    "(" * 5000 + "x" + ")" * 5000 + " <= 1",
    "(" * 900 + "x" + ")" * 900 + " <= 1",
    "-" * 900 + "x <= 1",
    "sin(" * 400 + "x <= 1",
    "\u0445 <= 1",
    "x <= \u0661",
    "x\x00 <= 1",
    "",
    " ",
    "x",
    "<= x",
    "x <=",
    "x <= 1 <= 2",
    "x < 1",
    "x == 1",
    "x = 1",
    "lambda: 1 <= 2",
    "[x] <= 1",
    "x[0] <= 1",
    "x.real <= 1",
    "2x <= 1",
    "x y <= 1",
    "x^2 <= 1",
    "sin <= 1",
    "ln x <= 1",
    "ln() <= 1",
    "sqrt(1, 2) <= 1",
    "pi(3) <= 1",
    "(x <= 1)",
    "x + (y <= 1) <= 2",
    "eval(x) <= 1 # comment",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_refused(text: str) -> None:
    """A bad text is one line of error, whatever it tries; nothing of it is evaluated."""
    with pytest.raises(InputError, match=r"\AExpected [^\n]*\Z"):
        parse_inequality(text)


def test_unknown_functions_are_named() -> None:
    """A name before a bracket is no function, and the message lists those there are."""
    with pytest.raises(InputError, match=r"'\*' \(the functions are abs atanh cos exp ln"):
        parse_inequality("log(x) <= x")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-x**2", -(x**2)),
        ("2**-3", sympy.Rational(1, 8)),
        ("2**3**2", sympy.Integer(512)),
        ("1 - 2 - 3", sympy.Integer(-4)),
        ("8/4/2", sympy.Integer(1)),
        ("2*-x", -2 * x),
        ("-(1 + x)*2", -2 * (1 + x)),
        ("0.1", sympy.Rational(1, 10)),
        ("1.5e-3", sympy.Rational(3, 2000)),
        (".5", sympy.Rational(1, 2)),
        ("pi", sympy.pi),
        ("e", e),
        ("ln(exp(1))", sympy.Integer(1)),
        ("sqrt(abs(x))", sympy.sqrt(sympy.Abs(x))),
        ("atanh(sin(cos(x)))", sympy.atanh(sympy.sin(sympy.cos(x)))),
    ],
)
def test_expressions_bind_as_usual(text: str, value: sympy.Expr) -> None:
    """Precedence and associativity are those of school, and decimals are exact."""
    assert parse_inequality(f"{text} <= 0").lhs == value


def test_sides_and_relation() -> None:
    """A statement has two sides, a relation, and the variables of its text, cancelled or not."""
    statement = parse_inequality("ln(x) >= 1")
    assert statement.relation is Relation.GEQ
    assert statement.slack == sympy.log(x) - 1
    assert parse_condition("x < 2").relation is Relation.LESS
    assert parse_inequality("x - x <= 1").variables == {x}


@pytest.mark.parametrize(
    ("text", "expression", "need"),
    [
        ("1/x", x, Need.NONZERO),
        ("x/x", x, Need.NONZERO),
        ("0*ln(x)", x, Need.POSITIVE),
        ("sqrt(x)**2", x, Need.NONNEGATIVE),
        ("x**-2", x, Need.NONZERO),
        ("x**0.5", x, Need.NONNEGATIVE),
        ("x**-0.5", x, Need.POSITIVE),
        ("x**e", x, Need.POSITIVE),
        ("atanh(x)", 1 - x, Need.POSITIVE),
    ],
)
def test_conditions_survive_simplification(text: str, expression: sympy.Expr, need: Need) -> None:
    """What a text needs in order to be defined is kept even where the expression simplifies."""
    conditions = parse_inequality(f"{text} <= 0").conditions
    assert (expression, need) in [(c.expression, c.need) for c in conditions]


def test_statements_are_written_in_the_grammar() -> None:
    """What is shown can be read back, and a condition says which operation needs it."""
    statement = parse_inequality("ln(x) + abs(x) <= sqrt(x) + exp(1)")
    assert parse_inequality(str(statement)) == statement
    assert written(sympy.E) == "exp(1)"
    (condition,) = parse_inequality("ln(x - 1) <= 0").conditions
    assert str(condition) == "ln needs x - 1 > 0"


def test_replacement_reaches_every_part() -> None:
    """Sides, conditions and variables are replaced together."""
    assert parse_inequality("ln(x) <= x").replaced({x: e}) == parse_inequality("ln(e) <= e")
