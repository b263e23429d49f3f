"""Inequalities of closed form: proved for all values of their variables, refuted, or undecided."""

from pbverify.prover.describe import describe
from pbverify.prover.domain import Box
from pbverify.prover.grammar import parse_condition, parse_inequality
from pbverify.prover.proof import Counterexample, Outcome, Proof, Region, Undecided
from pbverify.prover.prove import prove, prove_text
from pbverify.prover.ranges import Range
from pbverify.prover.statement import Condition, Need, Relation, Statement

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
