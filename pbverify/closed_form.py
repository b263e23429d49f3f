r"""Closed-form claims: a displayed inequality or identity for all values of its variables.

A `Bound` is a conclusion about points: at one point it yields a pair of exact numbers or
enclosures. `proved` settles it for the whole domain: an inequality by the prover, an identity by
reducing the difference of its sides to 0. A counterexample becomes a witness only if the pair at
that point is violated.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

from pbverify.check import Tally
from pbverify.claims import Claim, Kind, Pair, Relation
from pbverify.errors import InputError
from pbverify.formulas.formula import Formula
from pbverify.numerics import BallArithmetic, parse_exact, to_fmpq
from pbverify.prover import Outcome as ProofOutcome
from pbverify.prover import Proof, prove_text
from pbverify.prover.statement import written
from pbverify.verdict import Evidence, Outcome, Verdict


@dataclasses.dataclass(frozen=True)
class Point:
    """Values of the variables of a formula."""

    values: tuple[tuple[str, Fraction], ...]

    @staticmethod
    def of(**values: Fraction | int) -> Point:
        return Point(tuple(sorted((name, Fraction(value)) for name, value in values.items())))

    def witness_fields(self) -> dict[str, Any]:
        return {"parameters": {name: str(value) for name, value in self.values}}

    @staticmethod
    def rebuild(fields: Mapping[str, Any]) -> Point:
        """The point that a witness describes."""
        given = fields.get("parameters")
        if not isinstance(given, dict):
            raise InputError("an object of numbers", "parameters", given)
        values = {name: parse_exact(str(value)) for name, value in given.items()}
        if None in values.values():
            raise InputError("an object of numbers", "parameters", given)
        return Point.of(**values)  # type: ignore[arg-type]


_MOST_METHODS = 2
"""Methods of proof that a verdict names."""

_COMPARISONS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}


@dataclasses.dataclass(frozen=True)
class Bound:
    """lhs <= rhs, or lhs = rhs, wherever the conditions hold (`name >= number`, with spaces)."""

    name: str
    lhs: sympy.Expr
    rhs: sympy.Expr
    where: tuple[str, ...] = ()
    relation: Relation = Relation.LEQ
    integers: tuple[str, ...] = ()

    @property
    def __name__(self) -> str:
        return self.name

    @functools.cached_property
    def _sides(self) -> tuple[Formula, Formula]:
        return Formula(self.name, "", self.lhs), Formula(self.name, "", self.rhs)

    def __call__(self, point: Point) -> Iterator[Pair]:
        values = dict(point.values)
        if not all(side.variables <= values.keys() for side in self._sides):
            return  # the point belongs to another bound of the claim
        if not self._admits(values):
            return
        lhs, rhs = (self._at(side, values) for side in self._sides)
        yield Pair(lhs, rhs, self.relation, where={"bound": self.name})

    def _admits(self, values: Mapping[str, Fraction]) -> bool:
        """Whether a point lies in the domain on which the bound is claimed."""
        conditions = (text.split() for text in self.where)
        is_inside = all(
            _COMPARISONS[sign](values[name], Fraction(number))
            for name, sign, number in conditions
            if name in values
        )
        whole = (values[name].denominator == 1 for name in self.integers if name in values)
        return is_inside and all(whole)

    def _at(self, side: Formula, values: Mapping[str, Fraction]) -> Any:
        given = {name: to_fmpq(values[name]) for name in side.variables}
        return side(BallArithmetic(), **given)

    def proof(self) -> Proof:
        """The prover's answer on the whole domain."""
        left = {symbol.name for symbol in (self.lhs - self.rhs).free_symbols}
        where = [text for text in self.where if text.split()[0] in left]
        integers = [name for name in self.integers if name in left]
        return prove_text(f"{written(self.lhs)} <= {written(self.rhs)}", where, integers)

    @property
    def is_identity(self) -> bool:
        """Whether the difference of the sides reduces to 0."""
        return bool(sympy.simplify(sympy.powsimp(sympy.expand(self.lhs - self.rhs))) == 0)


def closed_form(id: str, statement: str, *bounds: Bound, label: str = "") -> Claim[Point]:
    """The claim that all bounds hold on their domains."""
    return Claim(
        id,
        kind=Kind.CLOSED_FORM,
        statement=statement,
        then=bounds,
        label=label,
        rebuild=Point.rebuild,
    )


def with_lhs(claim: Claim[Point], bound: str, lhs: sympy.Expr) -> Claim[Point]:
    """A known-false form of the claim: one of its bounds, with another left-hand side."""
    found = [each for each in claim.then if isinstance(each, Bound) and each.name == bound]
    changed = tuple(dataclasses.replace(each, lhs=lhs) for each in found)
    return dataclasses.replace(claim, id=f"{claim.id}!stronger", then=changed)


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
    )


def _listed(methods: Sequence[str]) -> str:
    shown = "; ".join(methods[:_MOST_METHODS])
    more = len(methods) - _MOST_METHODS
    return f"{shown}; and {more} more ways" if more > 0 else shown
