r"""Claims about rates, each with the paths along which it is judged.

A limit along finitely many paths refutes for good, but supports only as far as the paths go; where
a rate holds, an inequality for all values of the parameters stands beside it in the register.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import visit
from pbverify.claims.sort import Sort
from pbverify.claims.verdict import Verdict

Conclusion = Callable[[Any], Iterator[Pair]]
Regimes = Mapping[str, Callable[[Any], bool]]


@dataclasses.dataclass(frozen=True)
class RateClaim:
    """A claim about limits with its paths."""

    claim: Claim[Any]
    along: Sequence[Any]

    def verdict(self) -> Verdict:
        return visit(self.claim, self.along, scope=f"{len(self.along)} paths of powers of n")

    def stronger(self, then: Conclusion, *along: Any) -> RateClaim:
        """A known-false form of the claim: another conclusion, on other paths if any are given."""
        claim = dataclasses.replace(self.claim, id=f"{self.claim.id}!stronger", then=(then,))
        return RateClaim(claim, along or self.along)


def rate(
    id: str,
    statement: str,
    then: Conclusion,
    along: Sequence[Any],
    *,
    must_meet: Regimes,
    label: str,
) -> RateClaim:
    """The claim that a conclusion about limits holds along all paths, of one kind."""
    claim: Claim[Any] = Claim(
        id,
        kind=Kind.RATE,
        statement=statement,
        then=(then,),
        must_meet=must_meet,
        label=label,
        about=Sort.of(type(along[0])),
    )
    return RateClaim(claim, along)
