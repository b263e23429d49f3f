"""Claims as data, and how they are judged: pairs, evidence, verdicts, witnesses, the register.

Nothing here knows what a claim is about: that is the business of a paper's sorts of case.
"""

from __future__ import annotations

import warnings
from typing import Any

_MOVED = ("Claim", "Kind", "Pair", "Relation")


def __getattr__(name: str) -> Any:
    """Names that stood here in version 0.1, for one more release."""
    if name not in _MOVED:
        raise AttributeError(f"module 'pbverify.claims' has no attribute {name!r}")
    from pbverify.claims import claim

    warnings.warn(
        f"pbverify.claims.{name} is now pbverify.claims.claim.{name}",
        DeprecationWarning,
        stacklevel=2,
    )
    return getattr(claim, name)
