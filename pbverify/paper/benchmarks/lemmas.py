"""CPU seconds of a run of all lemma files, by claim, reading and route of evidence."""

from __future__ import annotations

import dataclasses
import pathlib
import time
from collections.abc import Callable, Iterator, Sequence

from pbverify.claims.judge import checks_of, planned
from pbverify.claims.judging import PROFILES, Profile
from pbverify.claims.lemma import Check, Judging


@dataclasses.dataclass(frozen=True)
class Spent:
    """What one route of one check cost."""

    check: str
    route: str
    seconds: float


def spent(
    folders: Sequence[pathlib.Path],
    *,
    profile: str,
    claims: Sequence[str] = (),
    report: Callable[[str], None] = lambda name: None,
) -> list[Spent]:
    """The costs of all checks in one process, highest first.

    The first check that needs a family of cases, a proof or a compiled kernel pays for it.
    """
    found: list[Spent] = []
    for task in planned(folders, names=claims):
        start = time.process_time()
        checks = checks_of(task.file)
        found.append(Spent(task.file.name, "import", time.process_time() - start))
        for name in task.names:
            report(name)
            found += _of_check(checks[name], PROFILES[profile])
    return sorted(found, key=lambda each: -each.seconds)


def _of_check(check: Check, profile: Profile) -> Iterator[Spent]:
    start = time.process_time()
    if not isinstance(check.judged, Judging):
        check.judged(profile)
        yield Spent(check.name, "without", time.process_time() - start)
        return
    for route, _ in check.judged.by_route(profile):
        yield Spent(check.name, route.name, time.process_time() - start)
        start = time.process_time()
