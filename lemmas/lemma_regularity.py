r"""Regularity constants of the two regularizers (def:regularity, app:regularizer).

    diameter   D(y, x_0) <= C1 for all y in the simplex
    stability  E[sigma_t D(x_t, z~_t)] <= C2/sigma_t

with (C1, C2) = (ln A, 1/delta) for negative entropy and (2 (sqrt A - 1), 2/delta) for 1/2-Tsallis.
The proofs go through a second-order step and a bound on every path:

    second-order  sigma D(x, z~) <= l^2/(2 sigma x_a)           (negative entropy)
                  sigma D(x, z~) <= l^2/(sigma sqrt(x_a))       (1/2-Tsallis)
    per-path      sigma D(x, z~) <= C2/sigma whichever arm is drawn

Kind: closed-form for the diameter, expectation for the rest (over one action, exactly). Readings:
appendix (the step starts at the played law), main and repaired (at the base iterate).

Erratum: per-path uses x_t(a) >= delta/2, which fails for alpha > 1/2. It is false (`HARDEST`)

    negative entropy   from x_t for alpha > 1/2, from x^_t for alpha < 0.146 or alpha > 0.854
    1/2-Tsallis        from x_t for alpha > 7/8, from x^_t for alpha < 0.146 or alpha > 0.987

and else true: by second-order, sigma^2 D <= p/(2 x^2) or p^(3/2)/x^2 <= p/x^2 for the start p of
the step, and if that is x^_t, x^2 >= (alpha p + (1 - alpha) delta)^2 >= 4 alpha (1 - alpha) delta p
(for Tsallis and alpha > 0.854, maximise p^(3/2)/(alpha p + (1 - alpha) delta)^2 over p). The
expectation holds all the same. From x_t, the sum over arms of x_a l_a^2/(2 sigma x_a) is at most
A/(2 sigma), and A <= 1/delta. From x^_t it is at most (1/(2 sigma)) sum x^_a/x_a, or twice that for
Tsallis, and sum x^_a/x_a <= min(A/alpha, 1/((1 - alpha) delta)) <= 2/delta.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction

import pytest
import sympy
from flint import fmpq

from pbverify.bandits.mirror_maps import REGULARIZERS, regularizer
from pbverify.claims.assumptions import Ablation, without
from pbverify.claims.bounds import Bound
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.closed_form import closed_form, proved, with_lhs
from pbverify.claims.judging import survive, visit
from pbverify.claims.profile import Profile
from pbverify.claims.verdict import Outcome
from pbverify.numerics import BallArithmetic, to_fmpq
from pbverify.paper.cases.mirror_step import MirrorStep, mirror_steps
from pbverify.paper.sorts import MIRROR_STEPS
from pbverify.paper.without.bounded_losses_and_margin import HIGH, LOW, uneven_start
from pbverify.pytest_plugin import Judge

LABEL = "def:regularity"
FROM_BASE = {"appendix": False, "main": True, "repaired": True}
_y, _A, _b = sympy.symbols("y A b", positive=True)

# One coordinate of D(y, x_0) against its share of C1; the shares of y add up to 1. With b = sqrt A.
DIAMETERS = {
    "negative-entropy": closed_form(
        "regularity/negative-entropy/diameter",
        "y ln(A y) <= y ln A for 0 < y <= 1, summed over the arms",
        Bound("share", _y * sympy.log(_A * _y), _y * sympy.log(_A), ("y > 0", "y <= 1", "A >= 2")),
        label=LABEL,
    ),
    "tsallis": closed_form(
        "regularity/tsallis/diameter",
        "y <= sqrt y for 0 <= y <= 1, so 2 (sqrt A - sum sqrt y_i) <= 2 (sqrt A - 1)",
        Bound("share", _b**2, _b, ("b >= 0", "b <= 1")),
        label=LABEL,
    ),
}


def expected_cost_le_c2(step: MirrorStep) -> Iterator[Pair]:
    _, C2 = step.constants()
    yield Pair(step.expected_cost(), C2 / to_fmpq(step.sigma))


def cost_le_c2_on_every_path(step: MirrorStep) -> Iterator[Pair]:
    _, C2 = step.constants()
    for arm in range(len(step.law)):
        yield Pair(step.cost(arm), C2 / to_fmpq(step.sigma), where={"arm": arm})


def cost_le_second_order(step: MirrorStep) -> Iterator[Pair]:
    """Half the squared local norm of the estimate at the start p of the step."""
    balls = BallArithmetic()
    for arm, (p, x) in enumerate(zip(step.start, step.law, strict=True)):
        estimate, start, sigma = to_fmpq(step.losses[arm] / x), to_fmpq(p), to_fmpq(step.sigma)
        curvature = start / 2 if step.psi == "negative-entropy" else start * balls.sqrt(start)
        yield Pair(step.cost(arm), estimate * estimate * curvature / sigma, where={"arm": arm})


def about(psi: str, name: str, statement: str, then: object) -> Claim[MirrorStep]:
    return Claim(
        f"regularity/{psi}{name}",
        kind=Kind.EXPECTATION,
        statement=statement,
        then=(then,),  # type: ignore[arg-type]
        must_meet={
            "alpha above 1/2": lambda step: step.alpha > Fraction(1, 2),
            "alpha at most 1/2": lambda step: step.alpha <= Fraction(1, 2),
        },
        label=LABEL,
        about=MIRROR_STEPS,
    )


STABILITY = {
    psi: about(psi, "", "E[sigma D(x_t, z~_t)] <= C2/sigma", expected_cost_le_c2)
    for psi in REGULARIZERS
}
SECOND_ORDER = {
    psi: about(
        psi, "/second-order", "sigma D(p, z~) <= |l^|^2/(2 sigma) locally", cost_le_second_order
    )
    for psi in REGULARIZERS
}
PER_PATH = {
    psi: about(psi, "/per-path", "sigma D(x_t, z~_t) <= C2/sigma", cost_le_c2_on_every_path)
    for psi in REGULARIZERS
}
CLAIMS = (
    *DIAMETERS.values(),
    *STABILITY.values(),
    *SECOND_ORDER.values(),
    *PER_PATH.values(),
)


def bold_steps(psi: str, *, from_base: bool) -> Iterator[MirrorStep]:
    """alpha = 1 and a uniform comparator, with ever rarer first arms and ever larger scales."""
    for n in itertools.count(1):
        rare = Fraction(1, 2**n)
        yield MirrorStep(
            psi=psi,
            base=(rare, 1 - rare),
            comparator=(Fraction(1, 2), Fraction(1, 2)),
            losses=(Fraction(1), Fraction(0)),
            alpha=Fraction(1),
            sigma=Fraction(4**n),
            from_base=from_base,
        )


# The first arm where a step costs most, and the alphas on either side of where the bound on every
# path begins to fail: regularizer, start of the step, alpha within, alpha beyond, x^, x^c.
HARDEST = (
    ("negative-entropy", "x_t", "1/2", "51/100", "1/1000000", "1/2"),
    ("negative-entropy", "x^_t", "3/20", "7/50", "61/100", "1/10"),
    ("negative-entropy", "x^_t", "17/20", "43/50", "2/25", "1/2"),
    ("tsallis", "x_t", "87/100", "22/25", "1/1000000", "1/2"),
    ("tsallis", "x^_t", "3/20", "7/50", "99/100", "4/25"),
    ("tsallis", "x^_t", "493/500", "987/1000", "1/50", "1/2"),
)


def hard_step(psi: str, start: str, alpha: str, base: str, comparator: str) -> MirrorStep:
    first, safe = Fraction(base), Fraction(comparator)
    return MirrorStep(
        psi=psi,
        base=(first, 1 - first),
        comparator=(safe, 1 - safe),
        losses=(Fraction(1), Fraction(0)),
        alpha=Fraction(alpha),
        sigma=Fraction(10**6),
        from_base=start == "x^_t",
    )


def uniform_steps(psi: str, *losses: Fraction | int, arms: int = 2) -> Iterator[MirrorStep]:
    """Steps from the uniform law, with the same loss for all arms and ever larger scales.

    The second-order step is exact for loss 0, and tight for small steps, which large scales make.
    """
    for loss, sigma in itertools.product(losses, (1, 4, 100, 10**4)):
        even = (Fraction(1, arms),) * arms
        yield MirrorStep(
            psi=psi,
            base=even,
            comparator=even,
            losses=(Fraction(loss),) * arms,
            alpha=Fraction(1),
            sigma=Fraction(sigma),
            from_base=False,
        )


def expected_cost_le_c2_of_the_largest_margin(step: MirrorStep) -> Iterator[Pair]:
    """With delta = 1/A, whatever the entries of x^c are."""
    A = len(step.law)
    _, C2 = regularizer(step.psi).constants(BallArithmetic(), A=to_fmpq(A), delta=fmpq(1, A))
    yield Pair(step.expected_cost(), C2 / to_fmpq(step.sigma))


def uneven_steps(psi: str, *, from_base: bool) -> Iterator[MirrorStep]:
    """alpha = 1/100, and ever smaller shares of the second arm in x^c."""
    for n in range(1, 9):
        small = Fraction(1, 4**n)
        yield MirrorStep(
            psi=psi,
            base=(Fraction(1, 2), Fraction(1, 2)),
            comparator=(1 - small, small),
            losses=(Fraction(1), Fraction(1)),
            alpha=Fraction(1, 100),
            sigma=Fraction(10**6),
            from_base=from_base,
        )


def ablations(psi: str) -> Iterator[Ablation[MirrorStep]]:
    large, negative = (Fraction(3, 2), 2, 3), (-1, Fraction(-1, 2), -2)
    scope = "uniform laws, two arms, losses {}, sigma in 1, 4, 100, 10^4"
    for claim, needed in ((STABILITY[psi], True), (SECOND_ORDER[psi], False)):
        yield without(
            claim,
            HIGH,
            cases=lambda: uniform_steps(psi, *large),
            scope=scope.format("3/2, 2, 3"),
            needed=needed,
            why="" if needed else "the second derivative of the conjugate only falls as u grows",
        )
    for claim in (STABILITY[psi], SECOND_ORDER[psi]):
        yield without(
            claim,
            LOW,
            cases=lambda: uniform_steps(psi, *negative),
            scope=scope.format("-1/2, -1, -2"),
        )
    for from_base in (True, False):
        start = "base iterate" if from_base else "played law"
        yield without(
            STABILITY[psi],
            f"entries of x^c >= delta (step from the {start})",
            cases=functools.partial(uneven_steps, psi, from_base=from_base),
            scope="entries down to 4^-8 with delta = 1/2, alpha = 1/100",
            then=(expected_cost_le_c2_of_the_largest_margin,),
            needed=from_base,
            why="" if from_base else "x_t cancels: the mean is at most A/(2 sigma), sqrt A/sigma",
        )
    yield uneven_start(DIAMETERS[psi], psi)


ABLATIONS = tuple(ablation for psi in REGULARIZERS for ablation in ablations(psi))

EACH = pytest.mark.parametrize("psi", list(REGULARIZERS))


@pytest.mark.closed_form
@EACH
def test_diameter(psi: str, judge: Judge) -> None:
    """The diameter's share per arm is proved for all arms and all y."""
    judge(proved(DIAMETERS[psi]))


@EACH
def test_stability(psi: str, reading: str, judge: Judge, profile: Profile) -> None:
    """Expected cost and second-order step survive; the bound on every path does not."""
    steps = mirror_steps(psi, from_base=FROM_BASE[reading])
    for claims in (STABILITY, SECOND_ORDER):
        generated = survive(claims[psi], steps, examples=profile.examples // 4, reading=reading)
        even = visit(claims[psi], uniform_steps(psi, 0, 1), scope="uniform laws", reading=reading)
        judge(generated, even)
    bold = bold_steps(psi, from_base=FROM_BASE[reading])
    judge(visit(PER_PATH[psi], bold, scope="", reading=reading))


@pytest.mark.parametrize(("psi", "start", "within", "beyond", "base", "comparator"), HARDEST)
def test_where_the_bound_on_every_path_begins_to_fail(
    psi: str, start: str, within: str, beyond: str, base: str, comparator: str
) -> None:
    """The same step keeps the bound at one alpha, and breaks it at the next."""
    claim = dataclasses.replace(PER_PATH[psi], must_meet={})
    cases = (hard_step(psi, start, alpha, base, comparator) for alpha in (within, beyond))
    found = [visit(claim, [case], scope="").outcome for case in cases]
    assert found == [Outcome.HOLDS, Outcome.REFUTED]


@pytest.mark.parametrize("ablation", ABLATIONS, ids=lambda ablation: ablation.claim.id)
def test_assumptions(ablation: Ablation[MirrorStep], judge: Judge) -> None:
    """Losses outside [0, 1], comparators without the margin, an x_0 that is not uniform."""
    judge.ablation(ablation)


@EACH
def test_stronger_versions_are_refuted(psi: str, judge: Judge, profile: Profile) -> None:
    """Diameter, expected cost and second-order step sharpened all fall; witnesses replay."""
    bound = DIAMETERS[psi].then[0]
    assert isinstance(bound, Bound)
    judge.teeth(proved(with_lhs(DIAMETERS[psi], "share", bound.lhs + sympy.Rational(1, 10**9))))
    steps = mirror_steps(psi, from_base=False)
    for claim in (
        STABILITY[psi].sharpened(expected_cost_le_c2, by=10**4),
        SECOND_ORDER[psi].sharpened(cost_le_second_order, by=Fraction(1, 10**6)),
    ):
        judge.teeth(survive(claim, steps, examples=profile.examples), of=claim)
