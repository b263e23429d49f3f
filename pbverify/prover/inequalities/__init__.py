"""Inequalities of closed form: proved for all values of their variables, refuted, or undecided."""

from pbverify.prover.inequalities.domain import Box, Range
from pbverify.prover.inequalities.grammar import (
    Condition,
    Need,
    Relation,
    Statement,
    parse_condition,
    parse_inequality,
)
from pbverify.prover.inequalities.proof import (
    Counterexample,
    Outcome,
    Proof,
    Region,
    Undecided,
    describe,
)
from pbverify.prover.inequalities.prove import prove, prove_text

__all__ = [
    "Box",
    "Condition",
    "Counterexample",
    "Need",
    "Outcome",
    "Proof",
    "Range",
    "Region",
    "Relation",
    "Statement",
    "Undecided",
    "describe",
    "parse_condition",
    "parse_inequality",
    "prove",
    "prove_text",
]
