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

Kind: expectation; formulas closed-form, the comparator a construction. Uses: nothing.

Erratum: none that matters. That feedback waits for the end of its block is nowhere used: the bound
holds for learners that see every loss at once. The weights w_m are defined and never used. The
chain is loose by constants only: kl is close to 8 eps^2, so 16 gives away a factor of 2 (8 ln 3 =
8.79 is the best constant on [0, 1/4]), and Pinsker's 2 sqrt 2 is rounded up to 4. Twice B_Lambda
holds as well (`lemma_batched_constants.py`).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from pbverify.bandits.simpler import case_sort
from pbverify.claims.assumptions import Ablation, without
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import survive, visit
from pbverify.claims.profile import Profile
from pbverify.claims.verdict import Verdict
from pbverify.numerics import Number
from pbverify.paper.lower_bound import proof_steps as chain
from pbverify.paper.lower_bound.families import in_games, studies
from pbverify.paper.lower_bound.hard_environments import AnyGame, HardGame
from pbverify.paper.lower_bound.learner_in_game import Study, unchecked_study
from pbverify.paper.lower_bound.learners import contender
from pbverify.paper.lower_bound.without_assumptions import careless, eager, thin
from pbverify.paper.sorts import STUDIES
from pbverify.pytest_plugin import Judge

LABEL = "pblem:batched-safe-lb"
REGIMES: dict[str, Callable[[Study], bool]] = {
    "case 1": lambda study: not chain.is_safe(study),
    "case 2": chain.is_safe,
    "several blocks": lambda study: len(study.game.lengths) > 1,
    "the least margin": lambda study: study.game.delta * 64 * study.game.V == study.game.lengths[0],
    "the largest margin": lambda study: study.game.delta * study.game.arms == 1,
}
SIGNAL = (chain.case_is_decided, chain.has_chosen_signal)
SAFE_REGIMES = {name: met for name, met in REGIMES.items() if name != "case 1"}


def about_learners(
    step: str,
    statement: str,
    *then: Callable[[Study], Iterator[Pair]],
    kind: Kind = Kind.EXPECTATION,
) -> Claim[Study]:
    needs_safety = then[0] in (chain.safety_bounds_the_share, chain.safe_learner_regrets)
    return Claim(
        f"batched-lower-bound{step}",
        kind=kind,
        statement=statement,
        then=then,
        given=(*SIGNAL, chain.margin_is_admissible),
        must_meet=SAFE_REGIMES if needs_safety else REGIMES,
        label=LABEL,
        about=STUDIES,
    )


STATEMENT = about_learners(
    "", "some g: R(x^c; g) > Lambda or max_x R(x; g) >= B_Lambda", chain.some_table_is_hard
)
COMPARATOR = about_learners(
    "/comparator",
    "x^c lies in the simplex, with entries >= delta",
    chain.comparator_is_valid,
    kind=Kind.CONSTRUCTION,
)
WEIGHTS = about_learners(
    "/weights",
    "sum of L_m^2/V = 1, 0 <= W <= 1, eps_m <= 1/4",
    chain.weights_sum_to_one,
    chain.signal_is_small,
    kind=Kind.CONSTRUCTION,
)
SAFETY = about_learners(
    "/safety-identity", "R+(x^c) = gamma sqrt(V) (E+[W] - delta)", chain.safety_regret_is_share
)
SAFE_SHARE = about_learners(
    "/safe-share",
    "if R+(x^c) <= Lambda then E+[W] <= delta + Lambda/(gamma sqrt V)",
    chain.safety_bounds_the_share,
)
CHAIN_RULE = about_learners(
    "/kl-chain-rule", "KL(P+ || P-) = sum of E+[N_m] kl_m", chain.divergence_adds_up
)
KL_TOTAL = about_learners(
    "/kl-total",
    "KL(P+ || P-) <= sum of E+[N_m] 16 eps_m^2 <= 16 gamma^2 L_1 E+[W]",
    chain.divergence_le_squares,
)
PINSKER = about_learners(
    "/pinsker",
    "TV <= sqrt(KL/2) <= 2 sqrt 2 gamma sqrt(L_1 E+[W]) <= 4 gamma sqrt(L_1 E+[W])",
    chain.variation_le_pinsker,
)
TRANSFER = about_learners("/transfer", "E-[W] - E+[W] <= TV", chain.share_moves_le_variation)
BEST_ARM = about_learners(
    "/best-arm-identity", "R-(e_2) = gamma sqrt(V) (1 - E-[W])", chain.best_arm_regret_is_share
)
CASE_SPLIT = about_learners(
    "/case-split",
    "if R+(x^c) <= Lambda then R-(e_2) >= B_Lambda, by way of both bounds of step 4",
    chain.safe_learner_regrets,
    chain.regret_ge_raw_bound,
)
EXTRACTION = about_learners(
    "/extraction", "the average over g is attained or exceeded by one g", chain.some_table_shows_it
)
STEPS = (
    COMPARATOR,
    WEIGHTS,
    SAFETY,
    SAFE_SHARE,
    CHAIN_RULE,
    KL_TOTAL,
    PINSKER,
    TRANSFER,
    BEST_ARM,
    CASE_SPLIT,
    EXTRACTION,
)

CLAIMS = (STATEMENT, *STEPS)


def any_studies(*games: AnyGame) -> Iterator[Study]:
    """Learners that play arm 2 never, sometimes, always, in games that the lemma excludes."""
    for game, name in itertools.product(games, ("steady-0", "steady-1/4", "steady-1")):
        yield Study(game, contender(name), Fraction(1, 100))


def freed(
    claim: Claim[Study], assumption: str, *games: AnyGame, scope: str, needed: bool = True
) -> Ablation[Study]:
    return without(
        claim,
        assumption,
        cases=lambda: any_studies(*games),
        scope=f"learners that play arm 2 with a fixed probability, {scope}",
        given=SIGNAL,
        about=case_sort(Study, read=unchecked_study),
        needed=needed,
    )


RISING = tuple(AnyGame(lengths, Fraction(1, 2)) for lengths in ((1, 2), (1, 3), (1, 1, 2)))
ROSE = "blocks (1, 2), (1, 3), (1, 1, 2)"
SMALL = tuple(AnyGame((n,), Fraction(1, 10**4)) for n in (1, 2))
ABLATIONS = (
    freed(KL_TOTAL, "L_1 >= L_2 >= ...", *RISING, scope=ROSE),
    freed(SAFETY, "L_1 >= L_2 >= ...", *RISING, scope=ROSE, needed=False),
    freed(STATEMENT, "L_1 >= L_2 >= ...", *RISING, scope=ROSE, needed=False),
    freed(WEIGHTS, "delta >= L_1/(64 V)", *SMALL, scope="one block, delta = 10^-4"),
    freed(COMPARATOR, "delta <= 1/A", AnyGame((1,), Fraction(3, 4)), scope="delta = 3/4"),
    *(thin(STATEMENT), careless(STATEMENT)),
    *(eager(STATEMENT, slots=3), eager(KL_TOTAL, slots=3)),
)

# Known false: nothing is left between the sides where arm 2 is never or always played.
COMPARATOR_MORE = COMPARATOR.sharpened(chain.comparator_is_valid, by=1)
WEIGHTS_MORE = WEIGHTS.sharpened(chain.weights_sum_to_one, by=1)
SIGNAL_MORE = WEIGHTS.sharpened(chain.signal_is_small, by=1)
SAFETY_MORE = SAFETY.sharpened(chain.safety_regret_is_share, by=1)
SAFE_SHARE_MORE = SAFE_SHARE.sharpened(chain.safety_bounds_the_share, by=1)
CHAIN_RULE_MORE = CHAIN_RULE.sharpened(chain.divergence_adds_up, by=1)
KL_TOTAL_MORE = KL_TOTAL.sharpened(chain.divergence_le_squares, by=1)
PINSKER_MORE = PINSKER.sharpened(chain.variation_le_pinsker, by=1)
TRANSFER_MORE = TRANSFER.sharpened(chain.share_moves_le_variation, by=1)
BEST_ARM_MORE = BEST_ARM.sharpened(chain.best_arm_regret_is_share, by=1)
# Known false: no regret exceeds the number of slots.
CASE_SPLIT_MORE = CASE_SPLIT.sharpened(chain.safe_learner_regrets, by=10)
EXTRACTION_MORE = EXTRACTION.sharpened(chain.some_table_shows_it, by=10)
STATEMENT_MORE = STATEMENT.sharpened(chain.some_table_is_hard, by=10)
STRONGER = (
    COMPARATOR_MORE,
    WEIGHTS_MORE,
    SIGNAL_MORE,
    SAFETY_MORE,
    SAFE_SHARE_MORE,
    CHAIN_RULE_MORE,
    KL_TOTAL_MORE,
    PINSKER_MORE,
    TRANSFER_MORE,
    BEST_ARM_MORE,
    CASE_SPLIT_MORE,
    EXTRACTION_MORE,
    STATEMENT_MORE,
)


def visited(claim: Claim[Study], profile: Profile) -> Verdict:
    return in_games(claim, slots={"quick": 3, "default": 4, "thorough": 5}[profile.name])


@pytest.mark.parametrize("claim", STEPS, ids=lambda claim: claim.id)
def test_chosen_learners(claim: Claim[Study], judge: Judge, profile: Profile) -> None:
    """No learner of the list breaks the step in a small game, by exact enumeration."""
    judge(visited(claim, profile))


def test_statement(judge: Judge, profile: Profile) -> None:
    """Neither a learner of the list nor one of rational laws in a generated game breaks it."""
    generated = survive(STATEMENT, studies(), examples=profile.examples // 5)
    closer = dataclasses.replace(visited(STATEMENT, profile), table=chain.looseness(learners()))
    judge(closer, generated)


def learners() -> dict[str, Study]:
    """Four learners in one game of two blocks of two, to see where the chain is loose."""
    names = ("steady-1/4", "exp3", "banker-omd", "prudent-repaired")
    game = HardGame((2, 2), Fraction(1, 2))
    return {name: Study(game, contender(name), Fraction(1, 100)) for name in names}


@pytest.mark.parametrize("claim", STRONGER, ids=lambda claim: claim.id)
def test_stronger_steps_are_refuted(claim: Claim[Study], judge: Judge, profile: Profile) -> None:
    """Each step sharpened beyond what a small game allows falls, and the witness replays."""
    judge.teeth(visited(claim, profile), of=claim)


@pytest.mark.parametrize("ablation", ABLATIONS, ids=lambda ablation: ablation.claim.id)
def test_assumptions(ablation: Ablation[Study], judge: Judge) -> None:
    """Blocks grow, the margin leaves its range, the learner is unsafe, or need not wait."""
    judge.ablation(ablation)


def test_a_wrong_environment_is_caught() -> None:
    """A signal that ignores the block length breaks both identities."""

    class Flat(HardGame):
        def signal(self, m: int) -> Number:
            return self.kappa

    wrong = Study(Flat((2, 1), Fraction(1, 4)), contender("steady-0"))
    for claim in (SAFETY, BEST_ARM):
        assert visit(claim, [wrong], scope="").witness is not None


@pytest.mark.parametrize(("delta", "name"), [((1, 160), "least"), ((1, 2), "largest")])
def test_margins_are_met_at_their_ends(delta: tuple[int, int], name: str) -> None:
    """With blocks of 2 and 1 and two arms, 2/(64 * 5) <= delta <= 1/2."""
    study = Study(HardGame((2, 1), Fraction(*delta)), contender("steady-0"))
    ends = {end for end in ("least", "largest") if REGIMES[f"the {end} margin"](study)}
    assert ends == {name}
