r"""Closed-form claims: displayed inequalities and identities for all values of their variables.

`proved` settles each bound of a claim on its whole domain: an inequality by the prover, an identity
by reducing the difference of its sides to 0. A counterexample becomes a witness only if the pair at
that point is violated. The strengthenings of the bounds are tried on a grid of points.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from pbverify.claims.claim import Claim, Relation
from pbverify.claims.closed_forms.bound import Bound, Point, identity
from pbverify.claims.closed_forms.strengthenings import tried
from pbverify.claims.judging import Tally
from pbverify.claims.sort import Sort
from pbverify.claims.verdict import Evidence, Outcome, Verdict
from pbverify.prover.inequalities import Outcome as ProofOutcome

__all__ = ["POINTS", "Bound", "Point", "identity", "proved"]

POINTS = Sort.of(Point)
"""Values of the variables of closed forms."""

_MOST_METHODS = 2
"""Methods of proof that a verdict names."""


@dataclasses.dataclass(frozen=True)
class _Settled:
    """What became of one bound: how it was proved, or a point that may refute it, or why not."""

    methods: tuple[str, ...] = ()
    point: Point | None = None
    left: str = ""


def proved(claim: Claim[Point]) -> Verdict:
    """Settle every bound of a closed-form claim on its whole domain."""
    tally = Tally(claim)
    results = []
    for bound in (bound for bound in claim.then if isinstance(bound, Bound)):
        result = _settled(bound)
        if result.point is not None and tally.see(result.point) is not None:
            return tally.verdict(Evidence.PROVED)
        results.append(result)
    return _verdict(claim, results)


def _settled(bound: Bound) -> _Settled:
    if bound.relation is Relation.EQUAL:
        if bound.is_identity:
            return _Settled(("identity",))
        return _Settled(point=_sample(bound), left=bound.name)
    proof = bound.proof()
    methods = tuple(region.method for region in proof.regions)
    if proof.outcome is ProofOutcome.PROVED:
        return _Settled(methods)
    point = None if proof.point is None else Point(proof.point.values)
    regions = ", ".join(str(part.box) for part in proof.left)
    return _Settled((), point, f"{bound.name} ({regions})" if regions else bound.name)


def _sample(bound: Bound) -> Point:
    """A point at which an identity that is none shows it."""
    names = sorted(symbol.name for symbol in (bound.lhs - bound.rhs).free_symbols)
    return Point.of(**{name: n for n, name in enumerate(names, start=2)})


def _verdict(claim: Claim[Point], results: Sequence[_Settled]) -> Verdict:
    left = [result.left for result in results if result.left]
    methods = dict.fromkeys(method for result in results for method in result.methods)
    strengthenings = None if left else tried(claim)
    return Verdict(
        claim=claim.id,
        reading="any",
        outcome=Outcome.UNDECIDED if left else Outcome.HOLDS,
        evidence=None if left else Evidence.PROVED,
        cases=len(results),
        applicable=len(results),
        statement=claim.statement,
        label=claim.label,
        scope="" if left else f"all parameter values, by {_listed(list(methods))}",
        reason=f"not proved: {', '.join(left)}" if left else "",
        strengthenings=strengthenings.fates if strengthenings else {},
        tightness=strengthenings.tightness if strengthenings else {},
    )


def _listed(methods: Sequence[str]) -> str:
    shown = "; ".join(methods[:_MOST_METHODS])
    more = len(methods) - _MOST_METHODS
    return f"{shown}; and {more} more ways" if more > 0 else shown
