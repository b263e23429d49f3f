"""`pbverify prove`: an inequality of one's own, proved, refuted at a point, or left undecided."""

from __future__ import annotations

from typing import Annotated

import typer

CODES = {"PROVED": 0, "REFUTED": 1, "UNDECIDED": 3}
"""Exit code by outcome."""


def prove_inequality(
    inequality: Annotated[str, typer.Argument(metavar="INEQUALITY")],
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="CONDITION", help="bound on a variable (may be repeated)"),
    ] = None,
    integer: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="variable that takes integers only (may be repeated)"),
    ] = None,
) -> None:
    """Prove an inequality for all values of its variables, or find a point where it fails.

    Grammar: one <= or >=; + - * / **, numbers (decimals are exact), the functions ln, exp, sqrt,
    abs, sin, cos, atanh, and pi; every other name is a variable, which ranges over all reals
    unless --where bounds it. Exit code 0 PROVED, 1 REFUTED, 3 UNDECIDED, 2 for a bad expression.

    Example: pbverify prove "ln(2*D+1) <= 2*ln(D+1)" --where "D >= 1" --integer D
    """
    from pbverify.prover.inequalities import describe, prove_text

    proof = prove_text(inequality, where or [], integer or [])
    typer.echo(describe(proof))
    raise typer.Exit(CODES[proof.outcome.name])
