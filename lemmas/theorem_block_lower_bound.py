r"""A lower bound that does grow with the delay: losses that are constant inside a block.

Not in the paper. As in pblem:batched-safe-lb, but one Bernoulli variable per block serves all its
slots. However often arm 2 is played in a block, the block reveals one observation, so

    KL(P+ || P-) = sum of P+(N_m >= 1) kl_m <= 16 gamma^2 min(1, L_1 E+[W]).

If L_1 delta < 1, gamma and B_Lambda are the paper's. If L_1 delta >= 1, gamma = 1/32 gives eps_m <=
1/32, and the implication holds with 3/256 sqrt(V) - Lambda in place of B_Lambda. On the delays
d_t = min(q, T + 1 - t) one has V_1/L_1 = T and V_1 >= D, so that with Lambda = log D

    max_x R_T(x) >= Omega(sqrt(D) + sqrt(T/delta))   if delta T/(log D)^2 grows beyond bounds,

lower-order terms included: the ratio of the second term of B_{log D} to the first is a constant
times ((log D)^2/(delta T))^(1/4). This repairs lower-bound/rate: the delay enters as sqrt(D),
without the factor delta^(-1/2) that the main text claims for it.
"""

import sympy

from pbverify import (
    Lemma,
    ProofsOf,
    changed,
    chosen,
    for_all_sizes,
    generated,
    proved,
    says,
    sharpened,
)
from pbverify.claims.closed_forms.bound import Bound, identity
from pbverify.claims.closed_forms.settle import POINTS
from pbverify.paper.formulas import lower as f
from pbverify.paper.lower_bound import proof_steps as chain
from pbverify.paper.lower_bound.families import (
    in_games,
    on_delays,
    some_delayed,
    some_studies,
    studies,
    weak_study,
)
from pbverify.paper.lower_bound.growth import ALONG_ALL_DELAYS, ALONG_DELAYS, margin_is_wide
from pbverify.paper.sorts import DELAYED_STUDIES, PATHS, STUDIES

batched_proofs = ProofsOf("pbverify.paper.theories.lower_bound.batched_proofs")
delayed_proofs = ProofsOf("pbverify.paper.theories.lower_bound.delayed_proofs")


def bound_reaches_both(path):
    both = sympy.sqrt(f.D) + f.TIME_RATE.expression
    name = "bound against sqrt(D) + sqrt(T/delta)"
    yield from path.at_least_of_order(path.block_bound, both, name=name)


def bound_reaches_delay_rate(path):
    rate = f.DELAY_RATE.expression
    yield from path.at_least_of_order(path.block_bound, rate, name="bound against sqrt(D/delta)")


def losses_are_constant_in_blocks(study):
    return study.game.constant


GAMES = {
    "L_1 delta >= 1": lambda study: study.game.lengths[0] * study.game.delta >= 1,
    "L_1 delta < 1": lambda study: study.game.lengths[0] * study.game.delta < 1,
    "case 2": chain.is_safe,
}

_gamma = {f.gamma: f.BLOCK_GAMMA.expression}
_r = sympy.Symbol("r", positive=True)
_signal = f.SIGNAL.expression.subs(f.l, _r * sympy.sqrt(f.V)).subs(_gamma)  # L_m <= sqrt(V)
_leading = (f.gamma * sympy.sqrt(f.V) * sympy.Rational(3, 8)).subs(_gamma)

LEMMA = Lemma(
    "lower-bound/rate",
    says(
        "block-constant losses: if delta T/(log D)^2 grows beyond bounds, the bound is of "
        "order sqrt(D) + sqrt(T/delta)",
        bound_reaches_both,
        step="@repaired",
        about=PATHS,
        must_meet={
            "D of order T": lambda path: path.q == 0,
            "D/T unbounded": lambda path: path.q > 0,
            "L_1 delta unbounded": lambda path: path.has_long_blocks,
            "L_1 delta bounded": lambda path: not path.has_long_blocks,
        },
        given=margin_is_wide,
        by=(ALONG_ALL_DELAYS, ALONG_DELAYS),
        # Known false: this construction does not reach the main text's order either.
        stronger=changed(bound_reaches_delay_rate),
    ),
    says(
        "block-constant losses: KL <= 16 gamma^2 min(1, L_1 E+[W]), and the bound holds",
        chain.safety_regret_is_share,
        chain.best_arm_regret_is_share,
        chain.divergence_adds_up,
        chain.divergence_le_squares,
        chain.divergence_le_constant,
        chain.variation_le_pinsker,
        chain.share_moves_le_variation,
        chain.safe_learner_regrets,
        chain.some_table_shows_it,
        chain.some_table_is_hard,
        step="block-game@repaired",
        about=STUDIES,
        given=(
            chain.case_is_decided,
            chain.has_chosen_signal,
            chain.margin_is_admissible,
            losses_are_constant_in_blocks,
        ),
        must_meet={**GAMES, "case 1": lambda study: not chain.is_safe(study)},
        by=(
            for_all_sizes(batched_proofs.BLOCK_GAME, lambda: some_studies(constant=True)),
            in_games(slots={"quick": 2, "default": 3, "thorough": 4}, constant=True),
            generated(studies(constant=True), share=5),
            chosen([weak_study()]),
        ),
    ),
    says(
        "the same bound for delayed learners, with Lambda = log D",
        chain.some_table_is_hard,
        step="delayed-block-game@repaired",
        about=DELAYED_STUDIES,
        given=(chain.case_is_decided, chain.margin_is_admissible, losses_are_constant_in_blocks),
        must_meet={**GAMES, "a zero prefix": lambda study: study.j > 1},
        by=(
            for_all_sizes(delayed_proofs.BLOCK_STATEMENT, lambda: some_delayed(constant=True)),
            on_delays(constant=True),
        ),
        # Some learner pays less than 24 times the bound.
        stronger=sharpened(factor=24),
    ),
    says(
        "gamma = 1/32: eps_m <= 1/4, 3/8 is left, 3/256 sqrt(V) - Lambda; D <= V_1, V_1/L_1 = T",
        Bound("eps_m <= 1/4", _signal, sympy.Rational(1, 4), ("r > 0", "r <= 1")),
        Bound(
            "3/8",
            sympy.Rational(3, 8),
            1 - f.delta - 4 * f.BLOCK_GAMMA.expression,
            ("delta > 0", "delta <= 1/2"),
        ),
        identity("3/256", _leading - f.Lambda, f.BLOCK_BOUND.expression),
        Bound("D <= V_1", f.TOTAL_DELAY.expression, f.SQUARES.expression, ("q >= 1", "N >= 1")),
        identity("V_1/L_1 = T", f.SQUARES.expression / f.q, f.HORIZON.expression),
        step="block-constants@repaired",
        about=POINTS,
        by=proved(),
    ),
)
