r"""Rates proved on all paths of powers of n at once.

    on_all_paths(Growth, scope="T = n^a, D = n^b with b <= 2 a")

A path is a dataclass of exponents. Here its exponents are not fixed: the claim's own conditions and
conclusions run once in each cell of all their values (`pbverify.prover.powers`), and must hold in
every cell that has paths in it and satisfies the conditions. Exponents that the path's class
refuses, with an `InputError`, are no paths. Where a cell fails, one of its paths is judged by the
claim's limits: it refutes the claim, or the claim is UNDECIDED.

A rate so proved holds along each path, with a constant that may depend on the path. Nothing is said
about parameters that are no powers of n, such as delta = log(T)/T.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pbverify.claims.claim import Claim
from pbverify.claims.judging import Tally
from pbverify.claims.routes import Asked, Route
from pbverify.claims.routes.theorems import solvers
from pbverify.claims.verdict import VACUOUS, Evidence, Outcome, Verdict
from pbverify.errors import InputError
from pbverify.numerics import Truth
from pbverify.prover.powers import Exponent, OpenError, cells


@dataclasses.dataclass(frozen=True)
class _Found:
    """What a cell of paths says: which situations it meets, or why the claim may fail there."""

    holds: bool
    reached: tuple[str, ...] = ()
    complaint: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class _OnAllPaths(Route):
    proves: ClassVar[bool] = True

    kind: Any
    scope: str

    def verdicts(self, claim: Claim[Any], asked: Asked) -> Iterator[Verdict]:
        tally, inside, obligations = Tally(claim), list[_Found](), []
        names = [field.name for field in dataclasses.fields(self.kind)]
        for cell, found in cells(functools.partial(self._found, claim), names):
            obligations += cell.obligations
            inside += [found] if found else []
            if found and not found.holds and tally.see(self.kind(**cell.point())) is not None:
                yield tally.verdict(Evidence.PROVED, reading=asked.reading, scope=self.scope)
                return
        complaints = [found.complaint for found in inside if not found.holds]
        if complaints or not inside:
            reason = f"not proved: {complaints[0]}" if complaints else VACUOUS
            words = claim.statement, claim.label
            yield Verdict.undecided(claim.id, asked.reading, *words, reason)
            return
        by = solvers(obligations, second=asked.profile.name == "thorough")
        yield Verdict(
            claim=claim.id,
            reading=asked.reading,
            outcome=Outcome.HOLDS,
            evidence=Evidence.PROVED,
            cases=len(inside),
            applicable=len(inside),
            statement=claim.statement,
            label=claim.label,
            reached={
                name: sum(name in found.reached for found in inside) for name in claim.must_meet
            },
            scope=f"all power paths {self.scope}, {len(inside)} cells, {', '.join(by)}",
            obligations=len(obligations),
            solvers=by,
        )

    def _found(self, claim: Claim[Any], exponents: Mapping[str, Exponent]) -> _Found | None:
        """What the cell says; None if it holds no path of which the claim speaks."""
        try:
            path = self.kind(**exponents)
        except InputError:
            return None
        if not claim.applies(path):
            return None
        try:
            pairs = list(claim.pairs(path))
        except OpenError as error:
            return _Found(holds=False, complaint=str(error))
        failed = [pair for pair in pairs if pair.truth is not Truth.YES]
        if failed or not pairs:
            return _Found(holds=False, complaint=f"{dict(failed[0].where) if failed else 'empty'}")
        reached = (name for name, is_met in claim.must_meet.items() if is_met(path))
        return _Found(holds=True, reached=tuple(reached))


def on_all_paths(kind: Any, *, scope: str, **options: Any) -> Route:
    """All paths of a class that satisfy the claim's conditions; `scope` says which these are."""
    return _OnAllPaths(kind=kind, scope=scope, **options)
