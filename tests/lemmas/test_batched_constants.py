"""The proof of the batched lower bound gives more than is printed."""

from __future__ import annotations

import pytest
import sympy

from pbverify.claims.closed_forms.bound import Bound
from pbverify.paper.formulas import lower as f
from pbverify.prover.inequalities import Outcome

_p = 2 * sympy.sqrt(sympy.log(3))


def doubled(x: sympy.Rational, *, most: str) -> tuple[Bound, Bound]:
    r"""The terms of R-(e_2) against those of 2 B_Lambda, if gamma = x/sqrt(L_1 delta).

    With kl <= 8 ln 3 eps^2, TV <= p gamma sqrt(L_1 E+[W]) for p = 2 sqrt(ln 3), and step 4 reads

        R-(e_2) >= x (1 - delta - p x) sqrt(V/(L_1 delta)) - Lambda
                   - p x^(3/2) Lambda^(1/2) delta^(-3/4) (V/L_1)^(1/4).
    """
    margin = ("delta > 0", f"delta <= {most}")
    leading, second = x * (1 - f.delta - _p * x), _p * x ** sympy.Rational(3, 2)
    return (
        Bound(f"leading term, x = {x}", 2 * sympy.Rational(3, 256), leading, margin),
        Bound(f"second term, x = {x}", second, 2 / (32 * sympy.sqrt(2))),
    )


# eps_m <= x sqrt(L_1/(V delta)) is at most 1/4 for x = 1/32 at every margin, and, since V >= L_1,
# for x = 3/40 at margins from 9/100 on. If losses are constant in a block and L_1 delta >= 1, then
# gamma = x = 3/40 gives 3/128 sqrt(V) - Lambda by the same numbers.
_u, _w = sympy.symbols("u w", nonnegative=True)
SHARPER = (
    *doubled(sympy.Rational(1, 32), most="9/100"),
    *doubled(sympy.Rational(3, 40), most="1/2"),
    # In units of gamma sqrt(V), with u of Lambda and w of the cross term: Pinsker's 2 sqrt 2 in
    # place of 4 leaves a tenth between B_Lambda and R-(e_2).
    Bound(
        "B_Lambda <= 99/100 R-(e_2)",
        sympy.Rational(3, 8) - _u - _w,
        sympy.Rational(99, 100) * (1 - f.delta - _u - sympy.sqrt(2) / 16 - _w / sympy.sqrt(2)),
        ("delta > 0", "delta <= 1/2", "u >= 0", "w >= 0"),
    ),
)


@pytest.mark.parametrize("bound", SHARPER, ids=lambda bound: bound.name)
def test_the_same_proof_gives_more(bound: Bound) -> None:
    """Twice the bound for some table, and a hundredth more of the regret with the chosen signal."""
    assert bound.proof().outcome is Outcome.PROVED
