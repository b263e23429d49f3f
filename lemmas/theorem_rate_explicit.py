r"""The rate of the upper bound as inequalities for all values (thm:main), for negative entropy.

Let l = 1 + ln T + ln D + ln A, T >= 1, D >= 1, A >= 2, delta <= 1/A, and delta T >= 1 (otherwise
sqrt(T/delta) > T, and no regret exceeds T). Then

    explicit           the theorem's displayed sum is at most
                       1220 l^(5/2) sqrt(C1 C2) (sqrt T + sqrt D) / sqrt(delta)
    explicit@repaired  with the tight slack it is at most
                       2235 l^(5/2) sqrt(C1 C2) (sqrt T + sqrt D).

Both chains, of which the second takes the first four lines from the first, write
R = R^(D) = sqrt(ln A/delta) B with B = 3 sqrt T + 7 sqrt(2 D ln(D+1)):
    budget    B <= 10 (sqrt T + sqrt D) sqrt(1 + g^2) with g^2 = ln(D+1), and 1 + g^2 <= 2 l
    phases    R <= 20 sqrt 2 T D sqrt A, so 2 + log2 R <= 7 l   (sqrt T + sqrt D <= 2 sqrt(T D),
              1 + ln(D+1) <= 2 D, ln A <= A and 1/delta <= T)
    stages    2 + log2 D <= 2 l
    slack     (sqrt(16D+1) - 1)/delta <= R/sqrt(delta), as 4/5 <= sqrt(ln A); other terms <= R
    tight     3 (sqrt(16D+1) + 1)/2 + 2 <= 2 R, as T >= 1 and C1 C2 >= 1
    sum       2 l (7 l 6 r + r) <= 86 l^2 r with r = R/sqrt(delta) >= 1; 2 l (7 l 10 R + 8 R + 1) <=
              158 l^2 R

So the printed bound loses exactly the factor delta^(-1/2) of the slack, and for a fixed delta the
stated rate is right. No attempt is made at good constants.
"""

import sympy

from pbverify import Lemma, proved, says
from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.paper.formulas import theorem as f
from pbverify.paper.formulas.algorithm import A, D, R

DELAYED = ("D >= 1",)
# Logarithms of T, D and A; square roots of T, D and ln(D+1); l, and 1/sqrt(delta).
_x, _y, _z, _t, _d, _g, _l, _s = sympy.symbols("x y z t d g l s", positive=True)
LOGS = ("x >= 0", "y >= 0", "z >= 0")
_ln2, _root, _log = sympy.log(2), sympy.sqrt, sympy.log
_late = 7 * _root(2 * D * _log(D + 1))
_ell = 1 + _x + _y + _z

_phases = f.PHASES_MOST.expression * f.PHASE_REPAIRED.expression
_rest = sympy.expand(f.STAGE_REPAIRED.expression - _phases)  # 8 R + 1
_tight = f.PHASE_REPAIRED.expression.subs(R, 0)

LEMMA = Lemma(
    "global/rate/explicit",
    says(
        "sum <= 1220 (1 + ln T + ln D + ln A)^(5/2) sqrt(C1 C2) (sqrt T + sqrt D)/sqrt(delta) "
        "for D >= 1 and delta T >= 1",
        Bound("budget, time", sympy.Integer(3), 10 * _root(1 + _g**2), ("g >= 0",)),
        Bound("budget, delay", 7 * _root(2) * _g, 10 * _root(1 + _g**2), ("g >= 0",)),
        Bound("hidden root", 1 + _log(D + 1), 2 * (1 + _x + _log(D) + _z), (*LOGS, "D >= 1")),
        Bound("roots", _t + _d, 2 * _t * _d, ("t >= 1", "d >= 1")),
        Bound("inner logarithm", 1 + _log(D + 1), 2 * D, DELAYED),
        Bound("arms", _log(A), A, ("A >= 2",)),
        Bound("phases", 2 + (_log(20) + _ln2 / 2 + _x + _y + _z / 2) / _ln2, 7 * _ell, LOGS),
        Bound("stages", 2 + _y / _ln2, 2 * _ell, LOGS),
        Bound("entropy", sympy.Rational(4, 5), _root(_log(A)), ("A >= 2",)),
        Bound("slack", _root(16 * D + 1) - 1, sympy.Rational(4, 5) * _late, DELAYED),
        Bound(
            "missing",
            2 * _root(2 * D + sympy.Rational(1, 4)) + 1,
            sympy.Rational(4, 5) * (3 + _late),
            DELAYED,
        ),
        Bound("phase", 4 * R + R * _s + R, 6 * R * _s, ("R >= 0", "s >= 1")),
        Bound("sum", 2 * _l * (7 * _l * 6 * R + R), 86 * _l**2 * R, ("l >= 1", "R >= 0")),
        Bound("constant", 86 * 10 * _root(2), sympy.Integer(1220)),
    ),
    says(
        "sum <= 2235 (1 + ln T + ln D + ln A)^(5/2) sqrt(C1 C2) (sqrt T + sqrt D) "
        "for D >= 1 and delta T >= 1",
        Bound("tight", _tight, 2 * (3 + _late), DELAYED),
        Bound("sum", 2 * _l * (7 * _l * 10 * R + _rest), 158 * _l**2 * R, ("l >= 1", "R >= 1")),
        Bound("constant", 158 * 10 * _root(2), sympy.Integer(2235)),
        step="@repaired",
    ),
    about=POINTS,
    by=proved(),
)
