"""Every case of a family by its rank, in a fixed order that never ends: shortest first.

Where a compiled kernel judges the properties that make up a claim, the kernel walks, and the plain
checker confirms whatever it reports.
"""

from __future__ import annotations

from typing import Any

from pbverify.errors import PbverifyError
from pbverify.search.families import CompiledWalk, Family
from pbverify.search.tally import SearchTally


def enumerate_plainly(tally: SearchTally[Any], family: Family, *, first: int, count: int) -> None:
    """Let the tally see every case of a range of ranks."""
    for n, begin, taken in family.pieces(first, count):
        for rank in range(begin, begin + taken):
            try:
                case = family.member(n, rank)
            except PbverifyError:  # a run that plays an arm of vanishing probability
                tally.skip()
            else:
                tally.see(case)


def enumerate_compiled(
    tally: SearchTally[Any], family: Family, compiled: CompiledWalk, *, first: int, count: int
) -> None:
    """Let a kernel judge a range of ranks; the tally sees the first sequence that breaks each."""
    for n, begin, taken in family.pieces(first, count):
        found = compiled.walk(n, first=begin, count=taken)
        if found.sequences != taken:
            raise AssertionError(f"walked {found.sequences} of {taken} sequences of {n} rounds")
        tally.cases += taken
        tally.applicable += taken
        for name in compiled.properties:
            if found.broken[name]:
                _confirm(tally, compiled.case(found.first[name]), found.broken[name])


def _confirm(tally: SearchTally[Any], case: Any, broken: int) -> None:
    if tally.see(case).violated is None:
        raise AssertionError(f"kernel and plain checker disagree on {tally.claim.id}: {case}")
    tally.cases -= 1
    tally.applicable -= 1
    tally.violations += broken - 1
