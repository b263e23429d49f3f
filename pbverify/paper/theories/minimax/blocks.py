r"""The bound of block-constant losses for any Lambda, and its part that needs no safety.

On greedy buckets of delays that never increase, with L_1, V and B_Lambda of the suffix from bucket
j on (`batched_bound`), for every delayed learner:

    R(x^c; g) > Lambda for some g, or max_x R(x; g) >= B_Lambda for some g        (any Lambda >= 0),
    max_x R(x; g) >= (3/256) sqrt(V) for some g, safe or not,  if 64 spread >= 1.

The second is the mean of R+(e_1) = gamma sqrt(V) E+[W] and R-(e_2) = gamma sqrt(V) (1 - E-[W]),
where E-[W] - E+[W] <= sqrt(KL/2) <= sqrt(8) gamma and gamma = 1/(32 sqrt(spread)). Not in the
paper.
"""

from __future__ import annotations

from collections.abc import Iterator

import z3

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper.lower_bound.learner_in_game import AllowedStudy
from pbverify.paper.theories.lower_bound import batched_bound, loss_tables, table_regrets
from pbverify.paper.theories.lower_bound.batched_bound import (
    ATTAINED,
    CONSTANT,
    GAMMA,
    INFORMED,
    KAPPA,
    KL,
    MINUS,
    PINSKER,
    PLUS,
    TRANSFER,
    Lambda,
    minus,
    plus,
    scale,
    tables,
)
from pbverify.paper.theories.lower_bound.batched_proofs import has_long_blocks
from pbverify.paper.theories.lower_bound.delayed_bound import SUFFIX
from pbverify.paper.theories.lower_bound.delayed_proofs import MADE_OF, SCOPE, played
from pbverify.paper.theories.lower_bound.hard_game import (
    GAME,
    POSITIVE_V,
    WHOLE,
    A,
    T,
    V,
    constant,
    kappa,
    n,
    spread,
    there,
)
from pbverify.prover.induction.anchors import Anchor, at
from pbverify.prover.induction.facts import SQRT
from pbverify.prover.induction.theory import Interpretation, Theory

# t = sqrt(V), b = kappa, a = kappa V, s = spread, r >= TV.
a, b, r, s, t = z3.Reals("a b r s t")
R = Theory("algebra without safety")
HALF_EACH = R.theorem(
    "half of both regrets",
    [a, b, r, s, t],
    a * (1 - r) >= 2 * z3.RealVal("3/256") * t,
    given=z3.And(
        *(t >= 1, b > 0, a == b * (t * t), 1024 * (b * b) * s * (t * t) == 1, s <= 1, 64 * s >= 1),
        *(r >= 0, r * r <= 8 * (b * b) * (t * t)),
    ),
)
ALGEBRA = Interpretation(T, R, "algebra without safety", {})
worst = there(table_regrets.largest)(tables, 1, A, 0)
LONG = T.theorem("spread is at most 1", [], spread <= 1, given=constant, fuel=1)
MEAN = T.theorem(
    "the mean of two regrets",
    [],
    2 * worst >= scale * (1 + plus - minus),
    use=[
        *(GAME(table_regrets.AVERAGE)(0, A, 0, PLUS), GAME(table_regrets.AVERAGE)(2, A, 0, MINUS)),
        *(GAME(table_regrets.FIRST_BEST)(tables, A, PLUS), ATTAINED(1, A, 0, PLUS)),
        *(GAME(table_regrets.BEST)(tables, A, 0, MINUS), ATTAINED(1, A, 0, MINUS), WHOLE()),
        GAME(loss_tables.POSITIVE_POWER)(n),
    ],
    fuel=0,
)
UNSAFE = T.theorem(
    "some table is hard for every learner",
    [],
    z3.RealVal("3/256") * SQRT(V) <= worst,
    given=z3.And(constant, 64 * spread >= 1),
    use=[
        *(MEAN(), TRANSFER(), PINSKER(), INFORMED(), CONSTANT(), GAMMA(), KAPPA(), LONG()),
        *(POSITIVE_V(), ALGEBRA(HALF_EACH)(scale, kappa, SQRT(KL / 2), spread, SQRT(V))),
    ],
    fuel=0,
)
SAFE, LONG_SAFE = SUFFIX(batched_bound.STATEMENT), SUFFIX(batched_bound.BLOCK_STATEMENT)
EVERY = SUFFIX(UNSAFE)


def statement(study: AllowedStudy) -> Iterator[Anchor]:
    """For any Lambda, and without safety."""
    model = played(study).model
    yield at(LONG_SAFE if has_long_blocks(study) else SAFE, model, {Lambda: study.limit})
    if 64 * study.game.spread >= 1:
        yield at(EVERY, model)


BLOCKS = InductionProof([SAFE, LONG_SAFE, EVERY], statement, SCOPE, made_of=MADE_OF)
