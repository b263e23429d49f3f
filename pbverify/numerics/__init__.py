"""Exact numbers, enclosures, and the only place that compares."""

from pbverify.numerics.arithmetic import (
    FIRST_PRECISION,
    PRECISION_LIMIT,
    Arithmetic,
    BallArithmetic,
    FloatArithmetic,
    Number,
    power_of_two_above,
    precisions,
    working_precision,
)
from pbverify.numerics.exact import (
    MOST_DIGITS,
    Exact,
    Numeral,
    is_rational_text,
    parse_exact,
    rational,
    to_arb,
    to_fmpq,
    to_fraction,
)
from pbverify.numerics.truth import Comparable, Truth, equal, leq, less

__all__ = [
    "FIRST_PRECISION",
    "MOST_DIGITS",
    "PRECISION_LIMIT",
    "Arithmetic",
    "BallArithmetic",
    "Comparable",
    "Exact",
    "FloatArithmetic",
    "Number",
    "Numeral",
    "Truth",
    "equal",
    "is_rational_text",
    "leq",
    "less",
    "parse_exact",
    "power_of_two_above",
    "precisions",
    "rational",
    "to_arb",
    "to_fmpq",
    "to_fraction",
    "working_precision",
]
