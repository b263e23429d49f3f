r"""Safe lower bound for the batched bandit game (pblem:batched-safe-lb).

Block lengths L_1 >= ... >= L_n, V = sum of L_m^2, margin delta in [L_1/(64 V), 1/A], Lambda >= 0.
For x^c = (1 - (A-1) delta, delta, ..., delta) and every batched learner there are losses g with

    R(x^c; g) <= Lambda   implies   max_x R(x; g) >= B_Lambda,
    B_Lambda = 3/256 delta^(-1/2) (V/L_1)^(1/2)
               - Lambda^(1/2) / (32 sqrt 2) delta^(-3/4) (V/L_1)^(1/4) - Lambda.

Every inequality of the proof is a claim of its own: exact enumeration of all transcripts of
deterministic, randomised and adaptive learners in small games, and for formulas a proof for all
parameters (`lemma_batched_constants.py`). The learners include Prudent-Banker, Banker-OMD, EXP3 and
the paper's two baselines.

Erratum: none that matters. That feedback waits for the end of its block is nowhere used: the bound
holds for learners that see every loss at once. The weights w_m are defined and never used. The
chain is loose by constants only: kl is close to 8 eps^2, so 16 gives away a factor of 2 (8 ln 3 =
8.79 is the best constant on [0, 1/4]), and Pinsker's 2 sqrt 2 is rounded up to 4. Twice B_Lambda
holds as well (`tests/lemmas/test_batched_constants.py`).
"""

import functools
from fractions import Fraction

from pbverify import Lemma, ProofsOf, for_all_sizes, generated, says, sharpened
from pbverify.paper.lower_bound import proof_steps as chain
from pbverify.paper.lower_bound.families import compared_learners, in_games, some_studies, studies
from pbverify.paper.lower_bound.hard_environments import AnyGame
from pbverify.paper.lower_bound.without_assumptions import careless, eager, freed, thin
from pbverify.paper.sorts import STUDIES

theory = ProofsOf("pbverify.paper.theories.lower_bound.batched_proofs")

IN_GAMES = in_games(slots={"quick": 3, "default": 4, "thorough": 5})

SITUATIONS = {
    "case 1": lambda study: not chain.is_safe(study),
    "case 2": chain.is_safe,
    "several blocks": lambda study: len(study.game.lengths) > 1,
    "the least margin": lambda study: study.game.delta * 64 * study.game.V == study.game.lengths[0],
    "the largest margin": lambda study: study.game.delta * study.game.arms == 1,
}
SAFE_SITUATIONS = {name: met for name, met in SITUATIONS.items() if name != "case 1"}

# At delta = 1/4 the learner that plays arm 2 as often as x^c is safe for Lambda = 0, where B > 0.
RISING = tuple(
    AnyGame(lengths, delta)
    for delta in (Fraction(1, 2), Fraction(1, 4))
    for lengths in ((1, 2), (1, 3), (1, 1, 2))
)
SMALL = tuple(AnyGame((n,), Fraction(1, 10**4)) for n in (1, 2))

in_any_order = functools.partial(
    freed, "L_1 >= L_2 >= ...", *RISING, scope="blocks (1, 2), (1, 3), (1, 1, 2)"
)
at_a_small_margin = freed("delta >= L_1/(64 V)", *SMALL, scope="one block, delta = 10^-4")
at_a_large_margin = freed("delta <= 1/A", AnyGame((1,), Fraction(3, 4)), scope="delta = 3/4")
without_waiting = functools.partial(eager, slots=3)


def routes(proof):
    """For every learner in every game; and chosen learners in small games, independently of it."""
    return for_all_sizes(proof, some_studies), IN_GAMES


LEMMA = Lemma(
    "batched-lower-bound",
    says(
        "some g: R(x^c; g) > Lambda or max_x R(x; g) >= B_Lambda",
        chain.some_table_is_hard,
        by=(*routes(theory.STATEMENT), generated(studies, share=5)),
        table=lambda _: chain.looseness(compared_learners()),
        # Some learner pays less than 16 times the bound.
        stronger=sharpened(factor=16, on=IN_GAMES),
        drops=(in_any_order(needed=False), thin, careless, without_waiting),
    ),
    says(
        "x^c lies in the simplex, with entries >= delta",
        chain.comparator_is_valid,
        step="comparator",
        by=routes(theory.COMPARATOR),
        drops=at_a_large_margin,
    ),
    says(
        "sum of L_m^2/V = 1, 0 <= W <= 1, eps_m <= 1/4",
        chain.weights_sum_to_one,
        chain.signal_is_small,
        step="weights",
        by=routes(theory.WEIGHTS),
        drops=at_a_small_margin,
    ),
    says(
        "R+(x^c) = gamma sqrt(V) (E+[W] - delta)",
        chain.safety_regret_is_share,
        step="safety-identity",
        by=routes(theory.SAFETY),
        drops=in_any_order(needed=False),
    ),
    says(
        "if R+(x^c) <= Lambda then E+[W] <= delta + Lambda/(gamma sqrt V)",
        chain.safety_bounds_the_share,
        step="safe-share",
        by=routes(theory.SAFE_SHARE),
        must_meet=SAFE_SITUATIONS,
    ),
    says(
        "KL(P+ || P-) = sum of E+[N_m] kl_m",
        chain.divergence_adds_up,
        step="kl-chain-rule",
        by=routes(theory.CHAIN),
    ),
    says(
        "KL(P+ || P-) <= sum of E+[N_m] 16 eps_m^2 <= 16 gamma^2 L_1 E+[W]",
        chain.divergence_le_squares,
        step="kl-total",
        by=routes(theory.TOTAL),
        drops=(in_any_order(), without_waiting),
    ),
    says(
        "TV <= sqrt(KL/2) <= 2 sqrt 2 gamma sqrt(L_1 E+[W]) <= 4 gamma sqrt(L_1 E+[W])",
        chain.variation_le_pinsker,
        step="pinsker",
        by=routes(theory.PINSKER),
    ),
    says(
        "E-[W] - E+[W] <= TV",
        chain.share_moves_le_variation,
        step="transfer",
        by=routes(theory.TRANSFER),
    ),
    says(
        "R-(e_2) = gamma sqrt(V) (1 - E-[W])",
        chain.best_arm_regret_is_share,
        step="best-arm-identity",
        by=routes(theory.BEST_ARM),
    ),
    says(
        "if R+(x^c) <= Lambda then R-(e_2) >= B_Lambda, by way of both bounds of step 4",
        chain.safe_learner_regrets,
        chain.regret_ge_raw_bound,
        step="case-split",
        by=routes(theory.CASE_SPLIT),
        must_meet=SAFE_SITUATIONS,
    ),
    says(
        "the average over g is attained or exceeded by one g",
        chain.some_table_shows_it,
        step="extraction",
        by=routes(theory.EXTRACTION),
    ),
    about=STUDIES,
    given=(chain.case_is_decided, chain.has_chosen_signal, chain.margin_is_admissible),
    must_meet=SITUATIONS,
)
