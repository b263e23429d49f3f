r"""The constants of the batched lower bound (pblem:batched-safe-lb), for all parameters.

    kl-bound    kl(1/2 + eps, 1/2 - eps) <= 16 eps^2 for 0 <= eps <= 1/4
    gamma       gamma = 1/(32 sqrt(L_1 delta)) gives eps_m <= 1/4, 4 gamma sqrt(L_1 delta) = 1/8 and
                1 - delta - 4 gamma sqrt(L_1 delta) >= 3/8
    constants   step 4 splits as printed, and its constants are 3/256 and 1/(32 sqrt 2)

Erratum: none that matters. kl is close to 8 eps^2, so 16 gives away a factor of 2: 8 ln 3 = 8.79 is
the best constant on [0, 1/4]. With it, and with a signal that is larger where the margin is, the
same proof gives twice B_Lambda (`tests/lemmas/test_batched_constants.py`).
"""

import sympy

from pbverify import Lemma, proved, says
from pbverify.claims.closed_forms.best_constants import Constant, c
from pbverify.claims.closed_forms.bound import Bound, identity
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.paper.formulas import lower as f

_r, _s, _x, _y = sympy.symbols("r s x y", positive=True)
_quarter = ("epsilon >= 0", "epsilon <= 1/4")
_margin = ("delta > 0", "delta <= 1/2")
_shares = ("r > 0", "r <= 1", "s >= 1")
_chosen = {f.gamma: f.GAMMA.expression}

KL_BOUND = Bound("kl", f.KL.expression, f.KL_BOUND.expression, _quarter)

# The margin is s times its least value and the block r times the first one, s >= 1 >= r.
_signal = f.SIGNAL.expression.subs(f.l, _r * f.L).subs(_chosen)
SIGNAL = Bound(
    "eps_m <= 1/4",
    sympy.powdenest(_signal.subs(f.delta, _s * f.LEAST_MARGIN.expression)),
    sympy.Rational(1, 4),
    _shares,
)
_left = f.REGRET_FACTOR.expression.subs(_chosen)
ONE_EIGHTH = identity(
    "1/8", (4 * f.gamma * sympy.sqrt(f.L * f.delta)).subs(_chosen), sympy.Rational(1, 8)
)
THREE_EIGHTHS = Bound("3/8", sympy.Rational(3, 8), _left, _margin)

_root = sympy.sqrt(f.L * f.Lambda / (f.gamma * sympy.sqrt(f.V)))
_separate = (
    f.gamma
    * sympy.sqrt(f.V)
    * (1 - f.SAFE_SHARE.expression - 4 * f.gamma * (sympy.sqrt(f.L * f.delta) + _root))
)
ROOT_OF_A_SUM = Bound(
    "root of a sum", sympy.sqrt(_x + _y), sympy.sqrt(_x) + sympy.sqrt(_y), ("x > 0", "y > 0")
)
SPLIT = identity("split", _separate, f.REGRET_SPLIT.expression)
LEADING = identity(
    "3/256",
    (f.gamma * sympy.sqrt(f.V) * sympy.Rational(3, 8)).subs(_chosen),
    f.LEADING.expression,
)
SECOND = identity("1/(32 sqrt 2)", f.REGRET_CROSS.expression.subs(_chosen), f.SECOND.expression)

BEST_KL = Constant(
    Bound("kl <= c eps^2", f.KL.expression, c * f.epsilon**2, _quarter),
    printed=sympy.Integer(16),
    best=8 * sympy.log(3),
    attained="epsilon = 1/4",
)
BEST_SIGNAL = Constant(
    Bound("eps_m <= c", _r / (4 * sympy.sqrt(_s)), c, _shares),
    printed=sympy.Rational(1, 4),
    best=sympy.Rational(1, 4),
    attained="first block, least margin",
)
BEST_FACTOR = Constant(
    Bound("-factor <= c", -_left, c, _margin),
    printed=-sympy.Rational(3, 8),
    best=-sympy.Rational(3, 8),
    attained="A = 2, delta = 1/2",
)

LEMMA = Lemma(
    "batched-lower-bound",
    says(
        "kl(1/2 + eps, 1/2 - eps) <= 16 eps^2 for 0 <= eps <= 1/4",
        KL_BOUND,
        step="kl-bound",
        by=proved(BEST_KL),
    ),
    says(
        "gamma = 1/(32 sqrt(L_1 delta)) gives eps_m <= 1/4, 4 gamma sqrt(L_1 delta) = 1/8 and 3/8",
        SIGNAL,
        ONE_EIGHTH,
        THREE_EIGHTHS,
        step="gamma",
        by=proved(BEST_SIGNAL, BEST_FACTOR),
    ),
    says(
        "step 4 splits as printed; with the chosen gamma the constants are 3/256 and 1/(32 sqrt 2)",
        ROOT_OF_A_SUM,
        SPLIT,
        LEADING,
        SECOND,
        step="constants",
    ),
    about=POINTS,
    by=proved(),
)
