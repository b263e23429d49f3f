"""Verdicts from the compiled walk over all admissible delay sequences.

The walk says which properties are broken and by which sequence first; a refutation counts only if
the plain checker, handed that sequence, sees it too.
"""

from __future__ import annotations

import functools
from collections.abc import Collection

from pbverify.buckets import Bucketing, number_of_admissible
from pbverify.check import Profile, Tally
from pbverify.claims import Claim
from pbverify.kernels.buckets import Census, census
from pbverify.verdict import Evidence, Outcome, Verdict

HORIZONS = {"quick": 13, "default": 16, "thorough": 18}
"""The largest T of each profile."""


def counted(claim: Claim[Bucketing], properties: Collection[str], *, horizon: int) -> Verdict:
    """The verdict on a claim that says that some properties of the kernel are never broken."""
    found = walked(horizon)
    broken = [name for name in properties if found.broken[name]]
    if broken:
        return confirmed(claim, found.first[broken[0]])
    return Verdict(
        claim=claim.id,
        reading="any",
        outcome=Outcome.HOLDS,
        evidence=Evidence.EXHAUSTED,
        cases=found.sequences,
        applicable=found.sequences,
        statement=claim.statement,
        label=claim.label,
        scope=f"all {found.sequences:,} admissible delay sequences with T <= {horizon} (compiled)",
    )


def confirmed(claim: Claim[Bucketing], delays: tuple[int, ...]) -> Verdict:
    """The plain checker's verdict on a sequence that the kernel reports."""
    tally = Tally(claim)
    if tally.see(Bucketing(delays)) is None:
        raise AssertionError(f"kernel and plain checker disagree on {claim.id} at {delays}")
    return tally.verdict(Evidence.EXHAUSTED)


@functools.lru_cache(maxsize=4)
def walked(horizon: int) -> Census:
    """The census up to a horizon, whose count must be the closed form's."""
    found = census(horizon=horizon)
    expected = number_of_admissible(horizon=horizon)
    if found.sequences != expected:
        raise AssertionError(f"walked {found.sequences} sequences where there are {expected}")
    return found


def horizon_of(profile: Profile) -> int:
    return HORIZONS[profile.name]
