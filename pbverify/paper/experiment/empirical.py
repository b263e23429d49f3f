"""Claims about the experiment, in one form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbverify.claims.claim import Claim, Conclusion, Condition, Kind, S

APPENDIX, MAIN_TEXT, TABLE = "app:experiments", "sec:experiments", "tab:delay-settings"


def empirical(
    id: str,
    statement: str,
    then: Conclusion[S],
    *,
    rebuild: Callable[[Mapping[str, Any]], S],
    label: str = APPENDIX,
    regimes: Mapping[str, Condition[S]] | None = None,
) -> Claim[S]:
    """The claim `experiment/id`, which is decided by what the experiment's numbers show."""
    return Claim(
        f"experiment/{id}",
        kind=Kind.EMPIRICAL,
        statement=statement,
        then=(then,),
        label=label,
        regimes=regimes or {},
        rebuild=rebuild,
    )
