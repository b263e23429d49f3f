r"""The formulas that Prudent-Banker itself computes with.

Symbols: T horizon, A arms, D a delay (sum or estimate), delta the comparator's margin, C1 and C2
the regularity constants, R a budget, t the round counted within its phase, d the feedback items
outstanding when round t is played, w the delay term of the action scale, r its constant factor.
"""

from __future__ import annotations

import sympy

from pbverify.bandits.mirror_maps import ENTROPY_C1 as ENTROPY_C1
from pbverify.bandits.mirror_maps import ENTROPY_C2 as ENTROPY_C2
from pbverify.bandits.mirror_maps import TSALLIS_C1 as TSALLIS_C1
from pbverify.bandits.mirror_maps import TSALLIS_C2 as TSALLIS_C2
from pbverify.numerics.formula import Formula

T, A, D, R, delta = sympy.symbols("T A D R delta", positive=True)
C1, C2, t, d, w, r = sympy.symbols("C1 C2 t d w r", positive=True)

DELAY_TERM = Formula("delay term of sigma_t", "thm:main", d * sympy.sqrt(sympy.log(D + 1) / D))
"""Used only while something is outstanding; otherwise the term is 0 (D may be 0 then)."""

SCALE_RATIO = Formula("sqrt(C2/C1)", "thm:main", sympy.sqrt(C2 / C1))
SCALE_OF_RATIO = Formula("sigma_t", "thm:main", r / (1 / sympy.sqrt(t) + w))
"""r stands for sqrt(C2/C1), which no round changes."""
SCALE = Formula("sigma_t", "thm:main", SCALE_OF_RATIO.expression.subs(r, SCALE_RATIO.expression))
SCALE_IN_FULL = Formula("sigma_t", "thm:main", SCALE.expression.subs(w, DELAY_TERM.expression))

BUDGET_APPENDIX = Formula(
    "R-hat(D)",
    "alg:Full-banker-omd-phased",
    sympy.sqrt(C1 * C2) * (3 * sympy.sqrt(T) + 7 * sympy.sqrt(2 * D * sympy.log(D + 1))),
)
# Erratum: the main text prints one constant, 10, for both terms.
BUDGET_MAIN = Formula(
    "R-hat(D)",
    "alg:prudent_banker",
    10 * sympy.sqrt(C1 * C2) * (sympy.sqrt(T) + sympy.sqrt(D * sympy.log(D + 1))),
)

SLACK_PAPER = Formula(
    "xi-hat(D)", "alg:Full-banker-omd-phased", (sympy.sqrt(8 * D + 1) - 1) / delta
)
THRESHOLD = Formula(
    "B(D), the restart threshold", "alg:prudent_banker", 2 * R + SLACK_PAPER.expression
)
"""R stands for R-hat(D), whichever printing."""
SLACK_CLAIRVOYANT = Formula(
    "most rounds missing, clairvoyant delay sum",
    "pblem:missing_feedback_contribution",
    (sympy.sqrt(8 * D + 1) - 1) / 2,
)
SLACK_ELAPSED = Formula(
    "most rounds missing, elapsed delay sum",
    "pblem:missing_feedback_contribution",
    (sympy.sqrt(8 * D + 1) + 1) / 2,
)
MISSING_TOTAL = Formula(
    "bound on the missing feedback",
    "pblem:missing_feedback_contribution",
    2 * sympy.sqrt(2 * D + sympy.Rational(1, 4)) - 1,
)
BANKER_REGRET = Formula(
    "Banker-OMD regret, tuned step size",
    "pblem:banker_regret_bound",
    BUDGET_APPENDIX.expression,
)
"""The lemma's bound is R-hat with the phase's length for T and the phase's delay for D."""

BANKER_REGRET_UNTUNED = Formula(
    "Banker-OMD regret, untuned step size",
    "pblem:banker_regret_bound",
    (C1 + 2 * C2) * sympy.sqrt(T) + (3 * C1 + 2 * C2) * sympy.sqrt(D * sympy.log(D + 1)),
)

NORMAL_PHASE_REGRET = Formula(
    "regret of a normal phase",
    "pblem:normal_phase_bound",
    4 * R + (sympy.sqrt(16 * D + 1) - 1) / delta + 2 * sympy.sqrt(2 * D + sympy.Rational(1, 4)) + 1,
)
"""R stands for R-hat(D), whichever printing."""
