"""The independent checker: a second program, which computes witnesses again.

A report ships this folder, and above it the launcher `check_witnesses.py`, whose header says how
to use the program and how to read it for one witness. Every file imports Python's standard library
and files of this folder alone, never the program whose work is checked. No formula is read from a
witness, since a wrong witness could then bring a wrong formula: each is written out here, as the
paper has it.

Rounds count from 1 and arms from 0; feedback of round r arrives at the end of round r + d_r, so it
is missing in the rounds r+1, ..., r+d_r. Each file uses only files that are named before it:

    intervals      numbers: intervals of decimals, rounded outwards
    witness_file   reading a file; every value is checked before it is used
    claims         what a claim is: a function that yields its cases
    budgets        the algorithm's budgets and thresholds, under the reading that a witness names
    algorithm      Prudent-Banker, round by round
    prudent_exp3   Prudent-EXP3, round by round, and claims about it
    proof_steps    claims: steps of proofs, which are inequalities in a few numbers
    delays         claims about delays and their greedy buckets
    rates          claims about rates, by the exponents of n
    run_claims     claims about budgets, and about whole runs with given actions
    phase_claims   claims about each phase of such a run
    every_path     claims about expectations, against what is paid on every path
    expectations   claims about expectations that fail in drawn runs
    reversal       runs in which the losses turn around, for one more such claim
    judging        what the cases, or drawn runs, say about a witness
    __main__       the command line

To add a claim, write a function under `@claim(id)` that yields its cases; for an inequality in a
few numbers, a `step` in `proof_steps`; for a rate, a line of RATES; for an expectation, a function
under `@expectation(id)`.
"""

from __future__ import annotations

import pathlib

from .judging import Finding, examine
from .witness_file import BadFile, parse

__all__ = ["LAUNCHER", "BadFile", "Finding", "examine", "parse", "shipped_files"]

LAUNCHER = "check_witnesses.py"


def shipped_files() -> dict[str, bytes]:
    """Every file of this program by its name in a report: launcher, and folder beside it."""
    paths = sorted(pathlib.Path(__file__).parent.glob("*.py"))
    return {_shipped_name(path.name): path.read_bytes() for path in paths}


def _shipped_name(name: str) -> str:
    return name if name == LAUNCHER else f"second_program/{name}"
