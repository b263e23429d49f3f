r"""The chain of inequalities in the proof of the batched lower bound, as conclusions.

Each takes a subject with a hard game, the exact quantities of a learner in it, and Lambda, and
compares what the proof claims with what the transcripts say. `links` lists them for one subject, so
that a report can show where the chain is loose.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Protocol

from pbverify.claims.claim import Pair, Relation
from pbverify.numerics import BallArithmetic, Number, Truth, leq, less, to_fmpq
from pbverify.numerics.formula import Formula
from pbverify.paper.formulas import lower as formulas
from pbverify.paper.lower_bound.hard_environments import HardGame
from pbverify.paper.lower_bound.quantities import MINUS, PLUS, Quantities

_BALLS = BallArithmetic()


class Statistical(Protocol):
    """A learner in a hard game."""

    @property
    def game(self) -> HardGame: ...

    @property
    def found(self) -> Quantities: ...

    @property
    def limit(self) -> Number: ...

    def witness_fields(self) -> dict[str, Any]: ...


def value(formula: Formula, subject: Statistical, **more: Number) -> Number:
    """A formula of the proof at a subject's parameters."""
    game, local = subject.game, formulas.in_kappa(formula)
    known = {
        "L": to_fmpq(game.lengths[0]),
        "V": to_fmpq(game.V),
        "delta": to_fmpq(game.delta),
        "kappa": game.kappa,
        "Lambda": subject.limit,
        **more,
    }
    return local(_BALLS, **{name: known[name] for name in local.variables})


def case_is_decided(subject: Statistical) -> bool:
    """Whether enclosures can tell if R+(x^c) <= Lambda; on the edge they may not."""
    return _safe(subject) is not Truth.UNKNOWN


def has_chosen_signal(subject: Statistical) -> bool:
    """Whether gamma is the proof's choice, for which alone B_Lambda is claimed."""
    return subject.game.kappa_as_given is None


def margin_is_admissible(subject: Statistical) -> bool:
    """delta >= L_1/(64 V), the least margin for which B_Lambda is claimed."""
    game = subject.game
    return 64 * game.V * game.delta >= game.lengths[0]


def is_safe(subject: Statistical) -> bool:
    """Case 2: R+(x^c) <= Lambda."""
    return _safe(subject) is Truth.YES


def bound_is_positive(subject: Statistical) -> bool:
    """Whether the bound says anything."""
    return less(0, bound_of(subject)) is Truth.YES


def _safe(subject: Statistical) -> Truth:
    return leq(subject.found.regret_to_comparator, subject.limit)


def comparator_is_valid(subject: Statistical) -> Iterator[Pair]:
    game = subject.game
    for arm, entry in enumerate(game.comparator):
        yield Pair(game.delta, entry, where={"arm": arm})
    yield Pair(sum(game.comparator, Fraction(0)), 1, Relation.EQUAL, where={"sum": "1"})


def weights_sum_to_one(subject: Statistical) -> Iterator[Pair]:
    game = subject.game
    total = sum((Fraction(n * n, game.V) for n in game.lengths), Fraction(0))
    yield Pair(total, 1, Relation.EQUAL, where={"weights": "sum"})
    for number, leaf in enumerate(subject.found.leaves, start=1):
        share = subject.found.weighted_plays(leaf)
        yield Pair(0, share, where={"W": "low", "transcript": number})
        yield Pair(share, 1, where={"W": "high", "transcript": number})


def signal_is_small(subject: Statistical) -> Iterator[Pair]:
    for m in range(len(subject.game.lengths)):
        yield Pair(subject.game.signal(m), Fraction(1, 4), where={"m": m + 1})


def safety_regret_is_share(subject: Statistical) -> Iterator[Pair]:
    claimed = value(formulas.SAFETY_REGRET, subject, W=subject.found.share(PLUS))
    yield _equality(subject.found.regret_to_comparator, claimed, regret="R+(x^c)")


def safety_bounds_the_share(subject: Statistical) -> Iterator[Pair]:
    if is_safe(subject):
        yield Pair(subject.found.share(PLUS), value(formulas.SAFE_SHARE, subject), where={"E": "W"})


def divergence_adds_up(subject: Statistical) -> Iterator[Pair]:
    """KL = sum of E+[observations of block m] kl_m, compared by the coefficient of each log."""
    found = subject.found
    for m, seen in enumerate(found.observations):
        claimed = seen * 2 * subject.game.signal(m)
        yield _equality(found.log_ratio[m], claimed, m=m + 1)


def divergence_le_squares(subject: Statistical) -> Iterator[Pair]:
    found, game = subject.found, subject.game
    bounds = (
        seen * formulas.KL_BOUND(_BALLS, epsilon=game.signal(m))
        for m, seen in enumerate(found.observations)
    )
    summed = sum(bounds, start=to_fmpq(0))
    yield Pair(found.divergence, summed, where={"bound": "sum of 16 eps^2"})
    total = value(formulas.KL_TOTAL, subject, W=found.share(PLUS))
    yield Pair(summed, total, where={"bound": "16 gamma^2 L_1 E+[W]"})


def divergence_le_constant(subject: Statistical) -> Iterator[Pair]:
    """With one variable per block the divergence never exceeds 16 gamma^2."""
    bound = value(formulas.BLOCK_KL_TOTAL, subject)
    yield Pair(subject.found.divergence, bound, where={"bound": "16 gamma^2"})


def variation_le_pinsker(subject: Statistical) -> Iterator[Pair]:
    found = subject.found
    share = found.share(PLUS)
    root = formulas.PINSKER(_BALLS, K=found.divergence)
    sharp = value(formulas.PINSKER_SHARP, subject, W=share)
    loose = value(formulas.PINSKER_LOOSE, subject, W=share)
    yield Pair(found.variation, root, where={"bound": "sqrt(KL/2)"})
    yield Pair(root, sharp, where={"bound": "2 sqrt(2) gamma sqrt(L_1 E+[W])"})
    yield Pair(sharp, loose, where={"bound": "4 gamma sqrt(L_1 E+[W])"})


def share_moves_le_variation(subject: Statistical) -> Iterator[Pair]:
    found = subject.found
    moved = found.share(MINUS) - found.share(PLUS)
    yield Pair(moved, found.variation, where={"E": "W"})


def best_arm_regret_is_share(subject: Statistical) -> Iterator[Pair]:
    claimed = value(formulas.BEST_ARM_REGRET, subject, W=subject.found.share(MINUS))
    yield _equality(subject.found.regret_to_best, claimed, regret="R-(e_2)")


def regret_ge_raw_bound(subject: Statistical) -> Iterator[Pair]:
    if is_safe(subject):
        raw, split = (value(f, subject) for f in (formulas.REGRET_RAW, formulas.REGRET_SPLIT))
        yield Pair(raw, subject.found.regret_to_best, where={"bound": "before sqrt(x + y)"})
        yield Pair(split, raw, where={"bound": "after sqrt(x + y)"})


def bound_of(subject: Statistical) -> Number:
    """B_Lambda; with losses constant in a block and L_1 delta >= 1, its better form."""
    game = subject.game
    better = game.constant and game.lengths[0] * game.delta >= 1
    return value(formulas.BLOCK_BOUND if better else formulas.B_LAMBDA, subject)


def safe_learner_regrets(subject: Statistical) -> Iterator[Pair]:
    if is_safe(subject):
        yield Pair(bound_of(subject), subject.found.regret_to_best, where={"case": 2})


def some_table_shows_it(subject: Statistical) -> Iterator[Pair]:
    """The averages over tables are attained or exceeded by one table."""
    found = subject.found
    if is_safe(subject):
        averaged = found.average(found.largest_regret, MINUS)
        yield Pair(found.regret_to_best, averaged, where={"case": 2, "max": "inside"})
        yield Pair(averaged, found.worst(found.largest_regret), where={"case": 2, "max": "table"})
    else:
        worst = found.worst(found.safety_regret)
        yield Pair(subject.limit, worst, Relation.LESS, where={"case": 1})


def some_table_is_hard(subject: Statistical) -> Iterator[Pair]:
    """For some g: R(x^c; g) > Lambda, or max over x of R(x; g) >= B_Lambda.

    Only a safe learner can violate it, and only where B_Lambda > 0: no learner does better than arm
    2 in the environment -, on average over the tables.
    """
    yield from some_table_reaches(subject, bound_of(subject))


def some_table_reaches(subject: Statistical, bound: Number) -> Iterator[Pair]:
    """For some g: R(x^c; g) > Lambda, or max over x of R(x; g) >= the bound."""
    found = subject.found
    unsafe = found.worst(found.safety_regret)
    if leq(unsafe, subject.limit) is Truth.NO:
        # By how much is no part of the claim, so the pair says no more than that it is.
        excess = unsafe - subject.limit
        yield Pair(0, excess, Relation.LESS, where={"table": "unsafe"}, least=excess)
    else:
        worst = found.worst(found.largest_regret)
        yield Pair(bound, worst, where={"table": "costly"}, least=0)


def every_learner_regrets(subject: Statistical) -> Iterator[Pair]:
    """(3/256) sqrt(V) on some table, safe or not, if losses are constant in a block."""
    if subject.game.constant and 64 * subject.game.spread >= 1:
        worst = subject.found.worst(subject.found.largest_regret)
        bound = value(formulas.BLOCK_BOUND, subject, Lambda=to_fmpq(0))
        yield Pair(bound, worst, where={"table": "costly", "learner": "any"})


CHAIN = (
    divergence_le_squares,
    variation_le_pinsker,
    share_moves_le_variation,
    safety_bounds_the_share,
    regret_ge_raw_bound,
    safe_learner_regrets,
    some_table_shows_it,
)


@dataclasses.dataclass(frozen=True)
class Link:
    """One inequality of the chain at one learner: lhs <= rhs, and how tight it is."""

    step: str
    where: str
    lhs: float
    rhs: float
    ratio: float | None


def links(subject: Statistical) -> list[Link]:
    """The chain's inequalities in the order of the proof, for tables and pictures."""
    return [
        Link(step.__name__, _place(pair), _shown(pair.lhs), _shown(pair.rhs), pair.ratio)
        for step in CHAIN
        for pair in step(subject)
    ]


def looseness(subjects: Mapping[str, Statistical]) -> list[dict[str, str]]:
    """One row per inequality of the chain: lhs/rhs at each of the named learners."""
    chains = {name: links(subject) for name, subject in subjects.items()}
    rows = []
    for same in zip(*chains.values(), strict=True):
        ratios = ["" if link.ratio is None else f"{link.ratio:.3f}" for link in same]
        head = {"step": same[0].step.replace("_", " "), "at": same[0].where}
        rows.append({**head, **dict(zip(chains, ratios, strict=True))})
    return rows


def _equality(lhs: Number, rhs: Number, **where: int | str) -> Pair:
    return Pair(lhs - rhs, 0, Relation.EQUAL, where={**where, "side": "difference"})


def _place(pair: Pair) -> str:
    return ", ".join(f"{key} {text}" for key, text in pair.where.items())


def _shown(number: Any) -> float:
    return _BALLS.to_float(number if not isinstance(number, int | Fraction) else to_fmpq(number))
