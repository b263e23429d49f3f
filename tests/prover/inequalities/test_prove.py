"""The prover: textbook inequalities are proved, wrong ones refuted, and nothing in between."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from pbverify.errors import InputError
from pbverify.numerics import Truth, less
from pbverify.prover.inequalities import (
    Box,
    Outcome,
    Range,
    Region,
    describe,
    parse_inequality,
    prove,
    prove_text,
)
from pbverify.prover.inequalities.domain import thin_values
from pbverify.prover.inequalities.evaluation import enclose
from pbverify.prover.inequalities.grammar import variable
from pbverify.prover.inequalities.proof import merged
from pbverify.prover.inequalities.whole_numbers import whole_range

POSITIVE = ["x > 0"]
FROM_ZERO = ["x >= 0"]
BERNOULLI = ["p > 0", "p < 1", "q > 0", "q < 1"]
KL = "p*ln(p/q) + (1-p)*ln((1-p)/(1-q))"
ENTROPY = "-p*ln(p) - (1-p)*ln(1-p)"
HARMONIC = "ln(m-1) + 0.5772156649015329 + 1/(2*(m-1)) + 1/m <= ln(m) + 2"
UNIT = ["p > 0", "p < 1"]

TRUE = [
    # logarithms, touching at a point
    ("ln(1+x) <= x", ["x > -1"]),
    ("ln(x) <= x - 1", POSITIVE),
    ("x*ln(x) >= x - 1", POSITIVE),
    ("x*ln(x) >= -exp(-1)", POSITIVE),
    ("x - x**2/2 <= ln(1+x)", FROM_ZERO),
    ("2*x/(2+x) <= ln(1+x)", FROM_ZERO),
    ("x/(1+x) <= ln(1+x)", ["x > -1"]),
    ("ln(x) <= (x-1)/sqrt(x)", ["x >= 1"]),
    ("ln(x) <= 2*(sqrt(x) - 1)", POSITIVE),
    ("-ln(1-x) <= x + x**2", ["x >= 0", "x <= 1/2"]),
    ("ln((1+x)/(1-x)) <= 3*x", ["x >= 0", "x <= 1/2"]),
    ("ln(ln(x)) <= ln(x) - 1", ["x > 1"]),
    ("ln(x) <= sqrt(x)", POSITIVE),
    ("ln(x) <= 10*x**0.1", POSITIVE),
    # exponentials
    ("exp(x) >= 1 + x", []),
    ("exp(x) >= exp(1)*x", []),
    ("exp(x) <= 1/(1-x)", ["x < 1"]),
    ("exp(x) <= 1 + x + x**2", ["x <= 1"]),
    ("exp(x) <= 1 + x + x**2*(exp(1)-2)", ["x <= 1"]),
    ("exp(-2*x) <= 1 - x", ["x >= 0", "x <= 1/2"]),
    ("(exp(x) + exp(-x))/2 <= exp(x**2/2)", []),
    ("(1+1/x)**x <= exp(1)", POSITIVE),
    ("(1-1/x)**x >= 1/4", ["x >= 2"]),
    ("x**5*exp(-x) <= 22", FROM_ZERO),
    # entropy
    (f"{ENTROPY} <= ln(2)", ["p >= 1/100", "p <= 99/100"]),
    (f"{ENTROPY} <= ln(2)", UNIT),
    (f"{ENTROPY} >= 4*ln(2)*p*(1-p)", UNIT),
    (f"{KL} >= 2*(p-q)**2", BERNOULLI),
    (f"{KL} <= (p-q)**2/(q*(1-q))", ["p >= 0.01", "p <= 0.99", "q >= 0.01", "q <= 0.99"]),
    ("p*ln(p/q) >= p - q", ["p > 0", "q > 0"]),
    ("x*y <= exp(x) + y*ln(y) - y", ["y > 0"]),
    ("x*ln(x) + y*ln(y) >= (x+y)*ln((x+y)/2)", ["x > 0", "y > 0"]),
    # harmonic numbers, and steps between neighbours
    ("1/(x+1) <= ln(1+1/x)", POSITIVE),
    ("ln(1+x) - ln(x) <= 1/x", POSITIVE),
    (HARMONIC, ["m >= 2"]),
    ("D*ln(1+1/D) <= (D+1)*ln(1+1/(D+1))", ["D >= 1"]),
    ("sqrt(D/ln(D+1)) <= sqrt((D+1)/ln(D+2))", ["D >= 1"]),
    ("sqrt(D)/ln(D+1) <= sqrt(D+1)/ln(D+2)", ["D >= 4"]),
    ("ln(2*D+1) <= 2*ln(D+1)", ["D >= 1"]),
    ("ln(D+2)/ln(2) <= D + 1", ["D >= 0"]),
    # roots and means
    ("sqrt(x+1) - sqrt(x) <= 1/(2*sqrt(x))", POSITIVE),
    ("sqrt(8*D+1) - 1 <= 2*sqrt(2*D)", ["D >= 0"]),
    ("sqrt(x+y) <= sqrt(x) + sqrt(y)", ["x >= 0", "y >= 0"]),
    ("sqrt(x*y) <= (x+y)/2", ["x >= 0", "y >= 0"]),
    ("3*(x*y*z)**(1/3) <= x + y + z", ["x >= 0", "y >= 0", "z >= 0"]),
    ("(a*c+b*d)**2 <= (a**2+b**2)*(c**2+d**2)", []),
    ("a/(b+c) + b/(c+a) + c/(a+b) >= 3/2", ["a > 0", "b > 0", "c > 0"]),
    ("(1+x)**n >= 1 + n*x", ["x > -1", "n >= 1"]),
    ("2*sqrt(T*A*ln(A)) <= T + A*ln(A)", ["T >= 1", "A >= 2"]),
    # circular and hyperbolic functions, absolute values
    ("sin(x) <= x", FROM_ZERO),
    ("sin(x) >= x - x**3/6", FROM_ZERO),
    ("sin(x) >= 2*x/pi", ["x >= 0", "x <= pi/2"]),
    ("cos(x) >= 1 - x**2/2", []),
    ("sin(x) + cos(x) <= sqrt(2)", ["x >= 0", "x <= 7"]),
    ("atanh(x) >= x", ["x >= 0", "x < 1"]),
    ("abs(x+y) <= abs(x) + abs(y)", []),
    ("abs(sin(x)) <= abs(x)", []),
]

WRONG = [
    # a constant off by 1e-9 on a tight inequality
    ("ln(1+x) <= x - 1e-9", ["x > -1"]),
    ("ln(1+x) <= x*(1 - 1e-9)", FROM_ZERO),
    ("ln(x) <= (1 - 1e-9)*(x-1)", POSITIVE),
    ("x*ln(x) >= (x-1)*(1 + 1e-9)", POSITIVE),
    ("x*ln(x) >= -exp(-1) + 1e-9", POSITIVE),
    ("exp(x) >= 1 + x + 1e-9", []),
    ("exp(x) >= 1 + x*(1 + 1e-9)", []),
    ("x - (1/2 - 1e-9)*x**2 <= ln(1+x)", FROM_ZERO),
    ("sqrt(x+1) - sqrt(x) <= 1/(2*sqrt(x)) - 1e-9", POSITIVE),
    ("sqrt(x+1) - sqrt(x) <= (1/2 - 1e-9)/sqrt(x)", POSITIVE),
    (f"{ENTROPY} <= ln(2) - 1e-9", UNIT),
    (f"{KL} >= (2 + 1e-9)*(p-q)**2", BERNOULLI),
    ("ln(1+1/x) <= (1 - 1e-9)/x", ["x >= 1"]),
    ("sin(x) <= (1 - 1e-9)*x", FROM_ZERO),
    ("cos(x) >= 1 - (1/2 - 1e-9)*x**2", []),
    ("atanh(x) >= (1 + 1e-9)*x", ["x >= 0", "x < 1"]),
    ("sqrt(x*y) <= (1/2 - 1e-9)*(x+y)", ["x > 0", "y > 0"]),
    ("(1+1/x)**x <= exp(1) - 1e-9", POSITIVE),
    ("x**(1/x) <= exp(exp(-1)) - 1e-9", POSITIVE),
    ("sin(x) + cos(x) <= sqrt(2) - 1e-9", []),
    # an exponent changed
    ("2*sqrt(2*D) <= (8*D+1)**0.49", ["D >= 0"]),
    ("ln(x) <= x**0.3", ["x >= 1"]),
    ("x**6*exp(-x) <= 22", FROM_ZERO),
    (f"{KL} >= 2*abs(p-q)**1.99", BERNOULLI),
    ("(x+y)**1.01 <= x**1.01 + y**1.01", ["x >= 0", "y >= 0"]),
    # a sign flipped
    ("ln(1+x) >= x", ["x > -1"]),
    ("x + x**2/2 <= ln(1+x)", FROM_ZERO),
    ("exp(x) <= 1 + x", []),
    ("exp(-x) <= 1 - x", []),
    ("abs(x-y) <= abs(x) - abs(y)", []),
    # true only on a smaller domain
    ("ln(3*D+1) <= 2*ln(D+1)", ["D >= 0"]),
    ("exp(x) <= 1/(1-x)", ["x <= 2"]),
    ("sqrt(D)/ln(D+1) <= sqrt(D+1)/ln(D+2)", ["D >= 1"]),
    ("ln(ln(x)) <= 7", ["x >= 3"]),
    # undefined elsewhere
    ("1/x >= 1", ["x >= -1"]),
]


@pytest.mark.parametrize(
    ("statement", "where", "integers"),
    [
        *((statement, where, []) for statement, where in TRUE),
        ("ln(2*D+1) <= 2*ln(D+1)", ["D >= 1"], ["D"]),
        (HARMONIC, ["m >= 2"], ["m"]),
    ],
)
def test_true_inequalities_are_proved(
    statement: str, where: list[str], integers: list[str]
) -> None:
    """Textbook inequalities, most of them touching at a point, are proved with named methods."""
    proof = prove_text(statement, where, integers)
    assert proof.outcome is Outcome.PROVED
    assert proof.regions
    assert all(region.method for region in proof.regions)


@pytest.mark.parametrize(("statement", "where"), WRONG)
def test_wrong_inequalities_are_refuted(statement: str, where: list[str]) -> None:
    """Deliberately wrong variants are refuted at a point where the margin is certainly > 0."""
    proof = prove_text(statement, where)
    assert proof.outcome is Outcome.REFUTED
    assert proof.point is not None
    assert less(0, proof.point.margin) is Truth.YES


@pytest.mark.parametrize(
    ("statement", "where", "left"),
    [
        ("ln(1+x) <= x", ["x >= -1"], ["x = -1"]),
        ("x*ln(x) >= -1", ["x >= 0", "x <= 1"], ["x = 0"]),
        ("x/x <= 1", [], ["x = 0"]),
        ("1/x**2 >= 0", [], ["x = 0"]),
        ("0*ln(x) <= 1", ["x >= -1"], ["-1 <= x < 0", "x = 0"]),
        ("sqrt(x)**2 >= x", ["x >= -1"], ["-1 <= x < 0"]),
        ("sqrt(-1) <= 1", [], ["no variables"]),
        ("1/(x-x) <= 1", [], ["x real"]),
        ("atanh(x) >= x", ["x >= 0", "x <= 1"], ["x = 1"]),
        ("ln(x-y) <= x - y - 1", ["x >= 0", "y >= 0"], ["x >= 0, y >= 0"]),
    ],
)
def test_undefined_points_are_never_proved(
    statement: str, where: list[str], left: list[str]
) -> None:
    """Where a side is undefined the inequality is undecided, and the region is named."""
    proof = prove_text(statement, where)
    assert proof.outcome is Outcome.UNDECIDED
    assert [str(part.box) for part in proof.left] == left
    assert all("undefined" in part.reason for part in proof.left)


@pytest.mark.parametrize(
    ("inequality", "where", "integers"),
    [
        ("x <= 1", ["y >= 1"], []),
        ("x <= 1", [], ["y"]),
        ("x <= 1", ["x >= 2", "x <= 1"], []),
        ("n <= 1", ["n > 1/4", "n < 3/4"], ["n"]),
        ("x <= 1", ["x > y"], []),
        ("1 <= 2", [], ["x"]),
        ("2 <", [], []),
    ],
)
def test_bad_input_is_refused(inequality: str, where: list[str], integers: list[str]) -> None:
    """Unknown variables, empty domains and texts outside the grammar are errors."""
    with pytest.raises(InputError):
        prove_text(inequality, where, integers)


@pytest.mark.parametrize(
    "statement", ["sin(x) + cos(x) <= sqrt(2)", "x**2*y**2*(x**2+y**2-3) + 1 >= 0"]
)
def test_what_is_not_settled_comes_to_an_end(statement: str) -> None:
    """An inequality beyond the methods is not called proved when the budget of steps is spent."""
    assert prove_text(statement).outcome is not Outcome.PROVED


def test_the_result_is_deterministic() -> None:
    """Two runs give equal data."""
    text, where = "exp(x) <= 1 + x + x**2*(exp(1)-2)", ["x <= 1"]
    assert prove_text(text, where) == prove_text(text, where)


def test_statements_and_ranges_can_be_built() -> None:
    """The prover takes parsed statements with ranges as data."""
    domain = {"x": Range(sympy.Integer(0), sympy.E, low_open=True, high_open=False)}
    statement = parse_inequality("ln(x) <= 1")
    assert prove(statement, domain).outcome is Outcome.PROVED
    assert prove(statement, {}).outcome is Outcome.REFUTED


SMALL = st.sampled_from(["1", "2", "1/2", "3", "x", "x", "x", "y"])


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner)
    unary = st.builds(
        "{}({})".format, st.sampled_from(["ln", "exp", "sqrt", "abs", "sin", "cos"]), inner
    )
    return binary | unary | st.builds("({})**{}".format, inner, st.sampled_from("23"))


EXPRESSIONS = st.recursive(SMALL, _grown, max_leaves=4)
POINTS = st.lists(
    st.tuples(*[st.fractions(min_value=0, max_value=4, max_denominator=64)] * 2),
    min_size=25,
    max_size=25,
)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(EXPRESSIONS, EXPRESSIONS, POINTS)
def test_verdicts_agree_with_points(
    lhs: str, rhs: str, points: list[tuple[Fraction, Fraction]]
) -> None:
    """No rational point contradicts a proof, and a refuting point checks out by itself."""
    text = f"{lhs} + x <= {rhs} + y"
    statement = parse_inequality(text)
    proof = prove_text(text, ["x >= 0", "x <= 4", "y >= 0", "y <= 4"])
    if proof.point is not None:
        points = [(dict(proof.point.values)["x"], dict(proof.point.values)["y"])]
    for a, b in points:
        slack = enclose(statement.slack, thin_values({variable("x"): a, variable("y"): b}))
        if proof.outcome is Outcome.PROVED:
            assert not slack.high < 0
        if proof.outcome is Outcome.REFUTED:
            assert slack.high < 0


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


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("2**n >= n**2 - 1", ["n >= 0"]),
        ("n**2 >= 3*n - 2", []),
        ("(n - 1/2)**2 + x**2 >= 1/4", ["n >= 0"]),
    ],
)
def test_true_only_for_integers(statement: str, where: list[str]) -> None:
    """An inequality that fails between integers is proved on them, beside real variables too."""
    assert prove_text(statement, where, ["n"]).outcome is Outcome.PROVED
    assert prove_text(statement, where).outcome is Outcome.REFUTED


def test_integers_one_by_one_then_a_tail() -> None:
    """Small integers are proved as slices and the rest as reals; a counterexample is an integer."""
    proof = prove_text("2**n >= n**2 - 1", ["n >= 0"], ["n"])
    assert [str(region.box) for region in proof.regions] == ["integer 0 <= n <= 3", "n >= 4"]
    refuted = prove_text("(n - 5)**2 >= 1/2", ["n >= 0"], ["n"])
    assert refuted.point is not None
    assert refuted.point.values == (("n", Fraction(5)),)


def test_neighbours_with_one_method_merge() -> None:
    """Regions that continue each other and share a method become one region."""
    unit = Range(sympy.Integer(0), sympy.Integer(1), low_open=False, high_open=False)
    first, rest = unit.cut(Fraction(1, 4))
    boxes = [Box(((variable("x"), part),)) for part in (first, *rest.cut(Fraction(1, 2)))]
    same = [Region(box, "enclosure") for box in boxes]
    assert merged(same) == (Region(Box(((variable("x"), unit),)), "enclosure"),)
    mixed = [same[0], Region(boxes[1], "exact"), same[2]]
    assert merged(mixed) == tuple(mixed)


def test_a_refutation_shows_point_sides_and_margin() -> None:
    """The point is exact, and both sides and the margin are shown."""
    assert describe(prove_text("x**2 >= x + 1/4", FROM_ZERO)).splitlines() == [
        "REFUTED",
        "  at x = 0",
        "  left-hand side 0",
        "  right-hand side 1/4",
        "  violated by 1/4",
    ]


def test_a_proof_names_its_methods_and_what_is_left() -> None:
    """After the outcome come the regions, each with its method or why it is left, cut short."""
    proved = describe(prove_text("ln(2*D+1) <= 2*ln(D+1)", ["D >= 1"], ["D"])).splitlines()
    assert proved[0] == "PROVED"
    assert proved[1].startswith("  D >= 1: ")
    open_ = describe(prove_text("ln(x) <= x", FROM_ZERO)).splitlines()
    assert open_[0] == "UNDECIDED"
    assert open_[-1] == "  left: x = 0: undefined at x = 0: ln needs x > 0"
    long = describe(prove_text("sin(x)*cos(40*x) <= 0.999", ["x >= 0", "x <= 40"])).splitlines()
    assert len(long) < 40
