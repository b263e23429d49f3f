r"""Which assumptions of a statement are needed: each is dropped in turn.

An ablation is a claim without one of its assumptions, and cases that no longer keep it. If one of
them violates the claim, the assumption is NEEDED, and the witness replays like any other. If none
does, it is not needed as far as those cases go, which proves nothing beyond them; where the reason
is known why it cannot be needed, the row says so in words.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any, Generic

from pbverify.claims.claim import Claim, Conclusion, Condition, S
from pbverify.claims.judging import visit
from pbverify.claims.sort import Sort
from pbverify.claims.verdict import ASSUMPTION_COLUMNS, Outcome, Verdict

NEEDED = "needed"
NOT_SEEN = "not needed as far as looked"
NOT_NEEDED = "not needed"


@dataclasses.dataclass(frozen=True)
class Ablation(Generic[S]):
    """A claim without an assumption (`ID!without ASSUMPTION`), and where to look."""

    claim: Claim[S]
    assumption: str
    cases: Callable[[], Iterable[S]]
    scope: str
    """The cases, in words."""
    needed: bool
    """What is known of it."""
    why: str = ""
    """Why no case can need it, if that is known."""

    @property
    def of(self) -> str:
        """The claim that has the assumption."""
        return self.claim.id.partition("!")[0]

    def verdict(self) -> Verdict:
        return visit(self.claim, self.cases(), scope=self.scope)


def without(
    claim: Claim[S],
    assumption: str,
    *,
    cases: Callable[[], Iterable[S]],
    scope: str,
    needed: bool = True,
    why: str = "",
    given: tuple[Condition[S], ...] = (),
    then: tuple[Conclusion[S], ...] | None = None,
    about: Sort[Any] | None = None,
) -> Ablation[S]:
    """The claim without an assumption; `given` keeps what else it assumes, also of a witness.

    A conclusion that cannot be stated without the assumption is replaced by `then`.
    """
    weaker = dataclasses.replace(
        claim,
        id=f"{claim.id}!without {assumption}",
        statement=f"{claim.statement} (without: {assumption})",
        given=given,
        must_meet={},
        keeps={},
        then=claim.then if then is None else then,
        about=about or claim.about,
    )
    return Ablation(weaker, assumption, cases, scope, needed, why)


def row_of(ablation: Ablation[S], verdict: Verdict) -> dict[str, str]:
    """What a report shows of an ablation."""
    cases = "one case" if verdict.cases == 1 else f"{verdict.cases:,} cases"
    touching = f"{verdict.touching:,} pairs agree within 2^-64" if verdict.touching else ""
    looked_at = "; ".join(filter(None, (f"{ablation.scope}, {cases}", touching, ablation.why)))
    texts = (
        ablation.assumption,
        _outcome(ablation, verdict),
        looked_at,
        verdict.witness_file or "",
    )
    return dict(zip(ASSUMPTION_COLUMNS, texts, strict=True))


def _outcome(ablation: Ablation[S], verdict: Verdict) -> str:
    if verdict.outcome is Outcome.REFUTED:
        return NEEDED
    return NOT_NEEDED if ablation.why else NOT_SEEN


def as_known(ablation: Ablation[S], verdict: Verdict) -> bool:
    """Whether the verdict is what is known of the assumption."""
    known = Outcome.REFUTED if ablation.needed else Outcome.HOLDS
    return verdict.outcome is known
