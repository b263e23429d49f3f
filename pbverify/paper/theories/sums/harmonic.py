r"""The harmonic numbers H_n = 1 + 1/2 + ... + 1/n for all n >= 1.

    H_n <= ln n + 1    and    H_n <= ln n + gamma + 1/(2 n)

where gamma is a rational number just above Euler's constant. The paper says that the difference
decreases to 0. No limit is needed with one step of Euler's expansion more: of

    low(n)  = H_n - ln n - 1/(2 n),
    high(n) = low(n) + 1/(12 n^2) - 1/(120 n^4) + 1/(252 n^6),

low increases, high decreases from 10 on, low <= high, and high(10) is below gamma.
"""

from __future__ import annotations

from fractions import Fraction

import z3

from pbverify.paper.formulas.upper import GAMMA
from pbverify.prover.induction.facts import LN
from pbverify.prover.induction.terms import REAL, Term
from pbverify.prover.induction.theory import Theory

n, j = z3.Ints("n j")
BASE, H_BASE = 10, Fraction(7381, 2520)
gamma = z3.RealVal(str(GAMMA))

T = Theory("harmonic numbers")
H = T.sum("H", lambda r: 1 / z3.ToReal(r), sort=REAL)


def real(n: Term) -> Term:
    return z3.ToReal(n)


def half_of(x: Term) -> Term:
    """1/(2 x)."""
    return z3.RealVal("1/2") * (1 / x)


def low(n: Term) -> Term:
    return H(n) - LN(real(n)) - half_of(real(n))


def tail(n: Term) -> Term:
    """The next terms of Euler's expansion."""
    powers = {"1/12": 2, "-1/120": 4, "1/252": 6}
    return z3.Sum(
        *(z3.RealVal(c) * (1 / z3.Product(*[real(n)] * power)) for c, power in powers.items())
    )


LEAST_LOG = T.fact("1/(k + 1) <= ln(k + 1) - ln(k)", where=["k >= 1"])
TRAPEZOID = T.fact("2*(ln(k + 1) - ln(k)) <= 1/k + 1/(k + 1)", where=["k >= 1"])
EULER = T.fact(
    "1/k + 1/(k + 1) + (1/(k + 1)**2 - 1/k**2)/6 - (1/(k + 1)**4 - 1/k**4)/60"
    " + (1/(k + 1)**6 - 1/k**6)/126 <= 2*(ln(k + 1) - ln(k))",
    where=["k >= 1"],
)
TAIL = T.fact("0 <= 1/(12*k**2) - 1/(120*k**4) + 1/(252*k**6)", where=["k >= 1"])
AT_BASE = T.fact(f"{H_BASE} - ln(10) - 1/20 + 1/1200 - 1/1200000 + 1/252000000 <= {GAMMA}")
LOG = T.fact("0 <= ln(k)", where=["k >= 1"])

NONNEGATIVE = T.theorem("H is nonnegative", [n], H(n) >= 0, induct=n)
PLUS_ONE = T.theorem(
    "H_n <= ln n + 1",
    [n],
    H(n) <= LN(real(n)) + 1,
    given=n >= 1,
    induct=n,
    use=[LEAST_LOG(real(n - 1)), LOG(real(n))],
)
BASE_VALUE = T.theorem(
    f"H_{BASE}", [], H(z3.IntVal(BASE)) == z3.RealVal(str(H_BASE)), fuel=BASE + 1
)
LOW_STEP = T.theorem(
    "low increases, one step", [n], low(n) <= low(n + 1), given=n >= 1, use=[TRAPEZOID(real(n))]
)
LOW_GROWS = T.theorem(
    "low increases",
    [j, n],
    low(n) <= low(n + j),
    given=n >= 1,
    induct=j,
    use=[LOW_STEP(n + j - 1)],
)
HIGH_STEP = T.theorem(
    "high decreases, one step",
    [n],
    low(n + 1) + tail(n + 1) <= low(n) + tail(n),
    given=n >= 1,
    use=[EULER(real(n))],
)
HIGH_FALLS = T.theorem(
    f"high decreases from {BASE} on",
    [j],
    low(BASE + j) + tail(BASE + j) <= gamma,
    induct=j,
    use=[HIGH_STEP(BASE + j - 1), BASE_VALUE(), AT_BASE()],
    fuel=1,
)
WITH_GAMMA = T.theorem(
    "H_n <= ln n + gamma + 1/(2 n)",
    [n],
    H(n) <= LN(real(n)) + gamma + half_of(real(n)),
    given=n >= 1,
    use=[LOW_GROWS(BASE, n), HIGH_FALLS(n), TAIL(real(n + BASE))],
    fuel=0,
)
