"""Statements proved for all sizes by induction, over an SMT solver."""

from pbverify.prover.induction.anchors import Anchor, along, at
from pbverify.prover.induction.evaluation import Model, rounds
from pbverify.prover.induction.machine import Machine
from pbverify.prover.induction.terms import BOOL, INT, REAL
from pbverify.prover.induction.theory import Interpretation, Theory
from pbverify.prover.induction.tree import Tree

__all__ = [
    "BOOL",
    "INT",
    "REAL",
    "Anchor",
    "Interpretation",
    "Machine",
    "Model",
    "Theory",
    "Tree",
    "along",
    "at",
    "rounds",
]
