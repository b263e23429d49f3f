"""Profiles: how hard to look."""

from __future__ import annotations

from itertools import pairwise

from pbverify.claims.judging import PROFILES


def test_profiles_are_named_after_themselves() -> None:
    """The table is keyed by the names that the command line takes."""
    assert {name: profile.name for name, profile in PROFILES.items()} == {
        name: name for name in ("quick", "default", "thorough")
    }


def test_each_profile_looks_harder_than_the_one_before() -> None:
    """More examples and larger enumerations."""
    for less, more in pairwise(PROFILES.values()):
        assert less.examples < more.examples
        assert less.exhaustive_size < more.exhaustive_size


def test_only_default_looks_less_hard_after_a_proof() -> None:
    """It then looks as hard as `quick`; `thorough` looks at everything."""
    assert {name: profile.after_proof.name for name, profile in PROFILES.items()} == {
        "quick": "quick",
        "default": "quick",
        "thorough": "thorough",
    }
