r"""Regularity constants of the two regularizers (def:regularity, app:regularizer).

    diameter   D(y, x_0) <= C1 for all y in the simplex
    stability  E[sigma_t D(x_t, z~_t)] <= C2/sigma_t

with (C1, C2) = (ln A, 1/delta) for negative entropy and (2 (sqrt A - 1), 2/delta) for 1/2-Tsallis.
The proofs go through a second-order step and a bound on every path:

    second-order  sigma D(x, z~) <= l^2/(2 sigma x_a)           (negative entropy)
                  sigma D(x, z~) <= l^2/(sigma sqrt(x_a))       (1/2-Tsallis)
    per-path      sigma D(x, z~) <= C2/sigma whichever arm is drawn

The diameter is proved, arm by arm; expectations are over one action, exactly. The step starts at
the played law in the appendix, at the base iterate in the other readings.

Erratum: per-path uses x_t(a) >= delta/2, which fails for alpha > 1/2. It is false (HARDEST in
`tests/lemmas/test_regularity.py`)

    negative entropy   from x_t for alpha > 1/2, from x^_t for alpha < 0.146 or alpha > 0.854
    1/2-Tsallis        from x_t for alpha > 7/8, from x^_t for alpha < 0.146 or alpha > 0.987

and else true: by second-order, sigma^2 D <= p/(2 x^2) or p^(3/2)/x^2 <= p/x^2 for the start p of
the step, and if that is x^_t, x^2 >= (alpha p + (1 - alpha) delta)^2 >= 4 alpha (1 - alpha) delta p
(for Tsallis and alpha > 0.854, maximise p^(3/2)/(alpha p + (1 - alpha) delta)^2 over p). The
expectation holds all the same. From x_t, the sum over arms of x_a l_a^2/(2 sigma x_a) is at most
A/(2 sigma), and A <= 1/delta. From x^_t it is at most (1/(2 sigma)) sum x^_a/x_a, or twice that for
Tsallis, and sum x^_a/x_a <= min(A/alpha, 1/((1 - alpha) delta)) <= 2/delta.
"""

import functools
import itertools
from fractions import Fraction

import sympy

from pbverify import (
    Lemma,
    ProofsOf,
    chosen,
    drop,
    for_all_sizes,
    generated,
    leq,
    proved,
    says,
    sharpened,
)
from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.numerics import BallArithmetic, to_fmpq
from pbverify.paper.cases.mirror_step import MirrorStep, mirror_steps
from pbverify.paper.sorts import MIRROR_STEPS
from pbverify.paper.without.bounded_losses_and_margin import HIGH, LOW, uneven_start

theory = ProofsOf("pbverify.paper.theories.banker.regularity")

ONE, HALF = Fraction(1), Fraction(1, 2)


def expected_cost_le_c2(step):
    _, C2 = step.constants()
    yield leq(step.expected_cost(), C2 / to_fmpq(step.sigma))


def cost_le_c2_on_every_path(step):
    _, C2 = step.constants()
    for arm in range(len(step.law)):
        yield leq(step.cost(arm), C2 / to_fmpq(step.sigma), arm=arm)


def cost_le_second_order(step):
    """Half the squared local norm of the estimate at the start p of the step."""
    balls = BallArithmetic()
    for arm, (p, x) in enumerate(zip(step.start, step.law, strict=True)):
        estimate, start, sigma = to_fmpq(step.losses[arm] / x), to_fmpq(p), to_fmpq(step.sigma)
        curvature = start / 2 if step.psi == "negative-entropy" else start * balls.sqrt(start)
        yield leq(step.cost(arm), estimate * estimate * curvature / sigma, arm=arm)


def expected_cost_le_c2_of_the_largest_margin(step):
    """With delta = 1/A, whatever the entries of x^c are."""
    _, C2 = step.constants(delta=Fraction(1, len(step.law)))
    yield leq(step.expected_cost(), C2 / to_fmpq(step.sigma))


def starts_at_base(reading):
    return reading != "appendix"


def bold_steps(psi, reading):
    """alpha = 1 and a uniform comparator, with ever rarer first arms and ever larger scales."""
    for n in itertools.count(1):
        rare = Fraction(1, 2**n)
        yield MirrorStep(
            psi=psi,
            base=(rare, 1 - rare),
            comparator=(HALF, HALF),
            losses=(ONE, Fraction(0)),
            alpha=ONE,
            sigma=Fraction(4**n),
            from_base=starts_at_base(reading),
        )


def uniform_steps(psi, *losses):
    """Steps from the uniform law, with the same loss for both arms and ever larger scales.

    The second-order step is exact for loss 0, and tight for small steps, which large scales make.
    """
    for loss, sigma in itertools.product(losses, (1, 4, 100, 10**4)):
        yield MirrorStep(
            psi=psi,
            base=(HALF, HALF),
            comparator=(HALF, HALF),
            losses=(Fraction(loss),) * 2,
            alpha=ONE,
            sigma=Fraction(sigma),
            from_base=False,
        )


def uneven_steps(psi, *, from_base):
    """alpha = 1/100, and ever smaller shares of the second arm in x^c."""
    for n in range(1, 9):
        small = Fraction(1, 4**n)
        yield MirrorStep(
            psi=psi,
            base=(HALF, HALF),
            comparator=(1 - small, small),
            losses=(ONE, ONE),
            alpha=Fraction(1, 100),
            sigma=Fraction(10**6),
            from_base=from_base,
        )


def without_bound(psi, bound, *losses, needed=True, why=""):
    return drop(
        bound,
        cases=lambda: uniform_steps(psi, *losses),
        scope="uniform laws, two arms, losses {}, sigma in 1, 4, 100, 10^4".format(
            ", ".join(map(str, sorted(losses, key=abs)))
        ),
        needed=needed,
        why=why,
    )


def without_margin(psi, *, from_base):
    start = "base iterate" if from_base else "played law"
    return drop(
        f"entries of x^c >= delta (step from the {start})",
        cases=functools.partial(uneven_steps, psi, from_base=from_base),
        scope="entries down to 4^-8 with delta = 1/2, alpha = 1/100",
        then=(expected_cost_le_c2_of_the_largest_margin,),
        needed=from_base,
        why="" if from_base else "x_t cancels: the mean is at most A/(2 sigma), sqrt A/sigma",
    )


def routes(psi, proof_of):
    """For all steps from where the reading starts them; and generated and chosen ones."""
    return (
        *(
            for_all_sizes(
                proof_of(psi, from_base=from_base),
                mirror_steps(psi, from_base=from_base),
                readings=readings,
            )
            for from_base, readings in ((False, ("appendix",)), (True, ("main", "repaired")))
        ),
        generated(lambda reading: mirror_steps(psi, from_base=starts_at_base(reading)), share=4),
        chosen(lambda: uniform_steps(psi, 0, 1), scope="uniform laws"),
    )


def regularity(psi, words, share):
    """The claims about a regularizer; the diameter is proved from one arm's share."""
    large, negative = (HALF + 1, 2, 3), (-1, -HALF, -2)
    return Lemma(
        f"regularity/{psi}",
        says(
            words,
            share,
            step="diameter",
            about=POINTS,
            by=proved(),
            must_meet={},
            drops=lambda claim: uneven_start(claim, psi),
        ),
        says(
            "E[sigma D(x_t, z~_t)] <= C2/sigma",
            expected_cost_le_c2,
            by=routes(psi, theory.proof_of_stability),
            # At uniform laws more than a quarter is attained.
            stronger=sharpened(
                factor=Fraction(1, 4), on=chosen(lambda: uniform_steps(psi, 0, 1)), reading="any"
            ),
            drops=(
                without_bound(psi, HIGH, *large),
                without_bound(psi, LOW, *negative),
                without_margin(psi, from_base=True),
                without_margin(psi, from_base=False),
            ),
        ),
        says(
            "sigma D(p, z~) <= |l^|^2/(2 sigma) locally",
            cost_le_second_order,
            step="second-order",
            by=routes(psi, theory.proof_of_second_order),
            drops=(
                without_bound(
                    psi,
                    HIGH,
                    *large,
                    needed=False,
                    why="the second derivative of the conjugate only falls as u grows",
                ),
                without_bound(psi, LOW, *negative),
            ),
        ),
        says(
            "sigma D(x_t, z~_t) <= C2/sigma",
            cost_le_c2_on_every_path,
            step="per-path",
            by=chosen(functools.partial(bold_steps, psi)),
        ),
        about=MIRROR_STEPS,
        must_meet={
            "alpha above 1/2": lambda step: step.alpha > HALF,
            "alpha at most 1/2": lambda step: step.alpha <= HALF,
        },
    )


y, A, b = sympy.symbols("y A b", positive=True)

# One coordinate of D(y, x_0) against its share of C1; the shares of y add up to 1. With b = sqrt A.
ENTROPY = regularity(
    "negative-entropy",
    "y ln(A y) <= y ln A for 0 < y <= 1, summed over the arms",
    Bound("share", y * sympy.log(A * y), y * sympy.log(A), ("y > 0", "y <= 1", "A >= 2")),
)
TSALLIS = regularity(
    "tsallis",
    "y <= sqrt y for 0 <= y <= 1, so 2 (sqrt A - sum sqrt y_i) <= 2 (sqrt A - 1)",
    Bound("share", b**2, b, ("b >= 0", "b <= 1")),
)
