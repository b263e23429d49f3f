"""How hard to look: the profiles of a session."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Profile:
    """How hard to look."""

    name: str
    examples: int
    """Hypothesis examples per claim."""
    exhaustive_size: int
    """Largest length and largest delay of exhaustive enumerations."""


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("quick", examples=100, exhaustive_size=4),
        Profile("default", examples=1000, exhaustive_size=6),
        Profile("thorough", examples=20000, exhaustive_size=7),
    )
}
