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
from collections.abc import Callable, Iterator, Mapping
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


def proved(claim: Claim[Point]) -> Verdict:
    """Settle every bound of a closed-form claim on its whole domain."""
    tally = Tally(claim)
    open_bounds: list[str] = []
    bounds = [bound for bound in claim.then if isinstance(bound, Bound)]
    for bound in bounds:
        point = _settle(bound, open_bounds)
        if point is not None and tally.see(point) is not None:
            return tally.verdict(Evidence.PROVED)
    return _verdict(claim, len(bounds), open_bounds)


def _settle(bound: Bound, open_bounds: list[str]) -> Point | None:
    """A point that may refute the bound; a bound neither proved nor refuted is noted as open."""
    if bound.relation is Relation.EQUAL:
        if bound.is_identity:
            return None
        open_bounds.append(bound.name)
        return _sample(bound)
    proof = bound.proof()
    if proof.outcome is not ProofOutcome.PROVED:
        open_bounds.append(bound.name)
    return None if proof.point is None else Point(proof.point.values)


def _sample(bound: Bound) -> Point:
    """A point at which an identity that is none shows it."""
    names = sorted(symbol.name for symbol in (bound.lhs - bound.rhs).free_symbols)
    return Point.of(**{name: n for n, name in enumerate(names, start=2)})


def _verdict(claim: Claim[Point], bounds: int, open_bounds: list[str]) -> Verdict:
    holds = not open_bounds
    return Verdict(
        claim=claim.id,
        reading="any",
        outcome=Outcome.HOLDS if holds else Outcome.UNDECIDED,
        evidence=Evidence.PROVED if holds else None,
        cases=bounds,
        applicable=bounds,
        statement=claim.statement,
        label=claim.label,
        scope="all parameter values" if holds else "",
        reason="" if holds else f"not proved: {', '.join(open_bounds)}",
    )
