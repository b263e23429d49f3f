"""The batched game of the lower bound is a package of its own."""

from __future__ import annotations

from pbverify import batched


def test_it_says_what_it_is() -> None:
    """The package names the game in its docstring."""
    assert batched.__doc__
    assert "batched bandit game" in batched.__doc__
