r"""Lower bounds for every learner, which the rate of Prudent-EXP3 meets. Not in the paper.

x^c = (1 - (A-1) delta, delta, ..., delta), A >= 2, 0 < delta <= 1/A, Lambda >= 0.

    safety      T rounds, any delays, Lambda <= sqrt(T)/91. Every learner has a table g with
                R(x^c; g) > Lambda, or with
                max_x R(x; g) >= min(T/60, sqrt(T/delta)/120, T/(960 Lambda))
    delays      T = n q, d_t = min(q, T + 1 - t), so D <= q T. Every learner, safe or not, has a
                table with max_x R(x; g) >= sqrt(D)/17
    blocks      the suite's own bound on all delays that never increase, for any Lambda, so that
                the class R(x^c) <= Lambda may contain the paper's algorithm (Lambda = ceil(log2 D)
                + 1). Its part (3/256) sqrt(V_j), which grows with the delay, needs no safety
    constants   1/15, 1/17, 1/91 and 44/5, by the inequality prover.

Arm 2 loses a Bernoulli(1/2 +- eps) variable per round (`safety`) or per block of q rounds
(`delays`), all other arms 1/2; eps = min(1/4, 1/(8 sqrt(delta T)), 1/(64 Lambda)) or 1/(4 sqrt(n)).
For Lambda > sqrt(T)/56 the bound of `safety` is below sqrt(T)/17, which the proof of `delays` gives
with blocks of one round, whatever the delays; between sqrt(T)/91 and sqrt(T)/56 it is not proved.

Finite games are also settled for all learners at once: any multiplier of the safety constraint is
an exact certificate of the linear programme over all learners (`all_learners`).
"""

import itertools
from fractions import Fraction

import sympy

from pbverify import (
    Lemma,
    ProofsOf,
    certified,
    drop,
    exactly,
    expects,
    for_all_sizes,
    leq,
    proved,
    says,
    sharpened,
)
from pbverify.claims.closed_forms.best_constants import Constant, c
from pbverify.claims.closed_forms.bound import Bound
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.claims.sort import either
from pbverify.numerics import BallArithmetic, to_fmpq
from pbverify.paper.formulas import lower as f
from pbverify.paper.lower_bound import proof_steps as chain
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.even_studies import LateStudy, SafeStudy
from pbverify.paper.lower_bound.families import allowed_studies, allowing, some_delayed
from pbverify.paper.lower_bound.finite_games import AllLate, AllSafe
from pbverify.paper.lower_bound.learner_in_game import AllowedStudy
from pbverify.paper.lower_bound.learners import contender
from pbverify.paper.lower_bound.simulation import Convention
from pbverify.paper.lower_bound.without_assumptions import TINY, bound_le_slots
from pbverify.paper.sorts import ALL_LATE, ALL_SAFE, ALLOWED_STUDIES, LATE_STUDIES, SAFE_STUDIES

theory = ProofsOf("pbverify.paper.theories.minimax.proofs")
blocks = ProofsOf("pbverify.paper.theories.minimax.blocks")
NONE, LITTLE = Fraction(0), Fraction(1, 100)


def some_table_is_hard(study):
    yield from chain.some_table_reaches(study, study.bound)


def some_table_is_costly(study):
    yield leq(study.bound, study.found.worst(study.found.largest_regret), table="costly")


def least_of_all_learners(game):
    """The bound against a certificate: no learner of the game pays less."""
    yield leq(game.bound, game.least, learners="all")


def bound_le_exp3(game):
    """What EXP3 guarantees without delay, on every table of two arms."""
    balls = BallArithmetic()
    most = balls.sqrt(4 * game.rounds * balls.log(to_fmpq(2)))
    yield leq(game.bound, most, learner="EXP3", table="any")


NAMES = ("steady-0", "steady-1", "steady-1/4", "prober", "committer", "exp3")
DELAYS = ((0,), (3,), (0, 0), (2, 0), (0, 1, 0), (2, 0, 1))


MARGINS = (Fraction(1, 16), Fraction(1, 2))


def longest(profile):
    return 2 if profile.name == "quick" else 3


def safe_studies(profile):
    """Learners on short games with any delays, with three arms too."""
    for delays, name in itertools.product(DELAYS, NAMES):
        if len(delays) <= longest(profile):
            for delta, allowed in itertools.product(MARGINS, (NONE, LITTLE)):
                yield SafeStudy(delays, delta, contender(name), allowed)
                yield SafeStudy(delays, delta, contender(f"steady-{delta}"), allowed)
            yield SafeStudy(delays, Fraction(1, 3), contender(name), LITTLE, arms=3)


def few_safe():
    """The learners in which the proof is read; the last ones play x^c."""
    for number, name in enumerate(NAMES):
        yield SafeStudy(DELAYS[number % 4], Fraction(1, 2 + number), contender(name), LITTLE)
    yield SafeStudy((1, 0), Fraction(1, 3), contender("prober"), LITTLE, arms=3)
    yield SafeStudy((1, 0), Fraction(1, 4), contender("steady-1/4"), NONE)


def late_studies(profile):
    sizes = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2))
    for (n, q), name in itertools.product(sizes, NAMES):
        if n * q <= longest(profile) + 1:
            for convention in Convention:
                yield LateStudy(n, q, convention, contender(name))


def few_late():
    for number, name in enumerate(NAMES):
        yield LateStudy(1 + number % 2, 1 + number // 3, Convention.AFTER, contender(name))
    yield LateStudy(2, 1, Convention.BEFORE, contender("prober"), arms=3)


def few_allowed():
    """Every 61st of them with some Lambda."""
    limits = itertools.cycle((NONE, LITTLE, Fraction(2)))
    return list(map(allowing, some_delayed(constant=True), limits))


def all_safe(profile):
    """Games with a rational signal, up to Lambda = sqrt(T)/91, each with a multiplier."""
    yield AllSafe(1, Fraction(1, 4), Fraction(1, 91), Fraction(1))
    yield AllSafe(2, Fraction(1, 2), NONE, Fraction(1))
    yield AllSafe(4, Fraction(1, 4), LITTLE, Fraction(3, 2))
    yield AllSafe(8, Fraction(1, 32), Fraction(1, 91), Fraction(4))
    yield AllSafe(36, Fraction(1, 144), Fraction(6, 91), Fraction(8))
    if profile.name != "quick":
        yield AllSafe(16, Fraction(1, 4), Fraction(4, 91), Fraction(3, 2))
        yield AllSafe(16, Fraction(1, 64), Fraction(4, 91), Fraction(8))


def all_late(profile):
    sizes = ((1, 1), (1, 4), (4, 1), (4, 3), (9, 1), (9, 3), (16, 1), (16, 2))
    return [AllLate(n, q) for n, q in sizes if n < (9 if profile.name == "quick" else 17)]


SITUATIONS = {
    "eps = 1/4": lambda study: study.game.square == Fraction(1, 16),
    "eps < 1/4": lambda study: study.game.square < Fraction(1, 16),
    "late feedback": lambda study: any(study.delays),
    "three arms": lambda study: study.arms == 3,
    "a safe learner": chain.is_safe,
}
BLOCKS = {
    "a long block": lambda study: study.length > 1,
    "several blocks": lambda study: study.blocks > 1,
}

# kl <= (44/5) eps^2 and what it leaves, with sqrt(KL/2) of both sides; delta <= 1/2.
_quarter = ("epsilon >= 0", "epsilon <= 1/4")
KL = Bound("kl", f.KL.expression, sympy.Rational(44, 5) * f.epsilon**2, _quarter)
BEST_KL = Constant(
    Bound("kl <= c eps^2", f.KL.expression, c * f.epsilon**2, _quarter),
    printed=sympy.Rational(44, 5),
    best=8 * sympy.log(3),
    attained="epsilon = 1/4",
)
_x = sympy.Symbol("x", positive=True)
_kept = sympy.Rational(7, 16) - sympy.sqrt(sympy.Rational(22, 5) * _x)
FIFTEENTH = Bound("1/15", sympy.Rational(1, 15), _kept, ("x > 0", "x <= 1/32"))
_half = (1 - sympy.sqrt(sympy.Rational(22, 5) * _x)) / 8
SEVENTEENTH = Bound("1/17", sympy.Rational(1, 17), _half, ("x > 0", "x <= 1/16"))
# T/16 times 1/(8 sqrt(delta T)), over sqrt(T).
ROOM = Bound(
    "1/91", sympy.Rational(1, 91), 1 / (128 * sympy.sqrt(f.delta)), ("delta > 0", "delta <= 1/2")
)
TOTAL = Bound(
    "D <= q T",
    f.TOTAL_DELAY.expression,
    f.q * f.HORIZON.expression,
    ("q >= 1", "N >= 0"),
)

careless = drop(
    "R(x^c; g) <= Lambda",
    cases=lambda: [AllSafe(40_000, Fraction(1, 160_000), NONE, NONE)],
    scope="EXP3 and its regret bound, T = 40,000, delta = 1/160,000",
    then=(bound_le_exp3,),
    about=ALL_SAFE,
)
generous = drop(
    "Lambda <= sqrt(T)/91",
    cases=lambda: [
        SafeStudy(delays, Fraction(1, 4), contender(name), allowed)
        for delays in DELAYS[:4]
        for name in NAMES
        for allowed in (Fraction(1, 10), Fraction(1), Fraction(3))
    ],
    scope="six learners, T <= 2, Lambda <= 3",
    needed=False,
    why="for Lambda > sqrt(T)/56 `delays` gives more; in between no proof is known",
    then=(some_table_is_hard,),
    given=(chain.case_is_decided,),
    about=SAFE_STUDIES,
)
prompt = drop(
    "a block is seen when it has ended",
    cases=lambda: [AllLate(4, 1000)],
    scope="EXP3 without delay and its regret bound, four blocks of 1,000 rounds",
    then=(bound_le_exp3,),
    about=ALL_LATE,
)

thin = drop(
    "delta >= L_j/(64 V_j)",
    cases=lambda: [
        AllowedStudy(
            Bucketing((1,)), 1, Convention.AFTER, TINY, contender("steady-0"), constant=True
        )
    ],
    scope="one round, delta = 10^-5",
    then=(bound_le_slots,),
)

LEMMA = Lemma(
    "minimax",
    expects(
        "every learner, 0 < delta <= 1/A, Lambda <= sqrt(T)/91, any delays: some g has "
        "R(x^c; g) > Lambda or max_x R(x; g) >= min(T/60, sqrt(T/delta)/120, T/(960 Lambda)), "
        "without the last term if Lambda = 0",
        for_all_sizes(
            theory.SAFETY, few_safe, about=SAFE_STUDIES, then=some_table_is_hard, must_meet={}
        ),
        exactly(
            safe_studies,
            scope=lambda profile: f"all transcripts of six learners, T <= {longest(profile)}",
            about=SAFE_STUDIES,
            then=some_table_is_hard,
            must_meet=SITUATIONS,
        ),
        certified(
            all_safe,
            scope="all learners of some games, by exact certificates",
            about=ALL_SAFE,
            then=least_of_all_learners,
            must_meet={
                "more than one round": lambda game: game.rounds > 1,
                "eps = 1/(64 Lambda)": lambda game: 64 * game.signal * game.allowed == 1,
            },
        ),
        step="safety",
        about=either(SAFE_STUDIES, ALL_SAFE),
        # The learner that plays x^c pays 22.5 times the bound in one round.
        stronger=sharpened(
            some_table_is_hard,
            factor=24,
            on=exactly(
                lambda: [SafeStudy((0,), Fraction(1, 4), contender("steady-1/4"))],
                about=SAFE_STUDIES,
                then=some_table_is_hard,
            ),
        ),
        drops=(careless, generous),
    ),
    expects(
        "T = n q, d_t = min(q, T + 1 - t): every learner has a g with max_x R(x; g) >= sqrt(D)/17",
        for_all_sizes(
            theory.DELAYS, few_late, about=LATE_STUDIES, then=some_table_is_costly, must_meet={}
        ),
        exactly(
            late_studies,
            scope=lambda profile: f"all transcripts of six learners, T <= {longest(profile) + 1}",
            about=LATE_STUDIES,
            then=some_table_is_costly,
            must_meet=BLOCKS,
        ),
        certified(
            all_late,
            scope="all learners of some games, by exact certificates",
            about=ALL_LATE,
            then=least_of_all_learners,
            must_meet=BLOCKS,
        ),
        step="delays",
        about=either(LATE_STUDIES, ALL_LATE),
        # Both arms with the same probability cost 1/4 in one round.
        stronger=sharpened(
            some_table_is_costly,
            factor=5,
            on=exactly(
                lambda: [LateStudy(1, 1, Convention.AFTER, contender("steady-1/2"))],
                about=LATE_STUDIES,
                then=some_table_is_costly,
            ),
        ),
        drops=prompt,
    ),
    says(
        "block-constant losses, any Lambda >= 0: some g has R(x^c; g) > Lambda or max_x R(x; g) >= "
        "the bound; and if 64 min(1, L_j delta) >= 1, some g has max_x R(x; g) >= "
        "(3/256) sqrt(V_j) for learners of any safety",
        chain.some_table_is_hard,
        chain.every_learner_regrets,
        step="blocks",
        about=ALLOWED_STUDIES,
        given=(chain.case_is_decided, chain.margin_is_admissible),
        must_meet={
            "a zero prefix": lambda study: study.j > 1,
            "a positive bound": chain.bound_is_positive,
            "a safe learner": chain.is_safe,
            "Lambda > log D": lambda study: study.allowed >= 1,
        },
        by=(
            for_all_sizes(blocks.BLOCKS, few_allowed),
            exactly(allowed_studies, scope="chosen learners on admissible delays, three Lambda"),
        ),
        # Some learner pays less than 24 times the second bound.
        stronger=sharpened(factor=24),
        drops=thin,
    ),
    says(
        "kl <= (44/5) eps^2 leaves 1/15 and 1/17; delta <= 1/2 leaves 1/91; D <= q T",
        KL,
        FIFTEENTH,
        SEVENTEENTH,
        ROOM,
        TOTAL,
        step="constants",
        about=POINTS,
        by=proved(BEST_KL),
    ),
)
