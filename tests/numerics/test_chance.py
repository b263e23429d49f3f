"""Generators: a seed and the name of a stream fix what is drawn."""

from __future__ import annotations

import numpy as np

from pbverify.numerics.chance import generator


def test_streams_are_independent_and_reproducible() -> None:
    """A seed, modulo 2^64, and a name fix a stream; another name or seed gives another."""
    for seed in (1, -1):
        first = generator(seed, "actions").random(5)
        for same in (seed, seed + 2**64):
            np.testing.assert_array_equal(first, generator(same, "actions").random(5))
        assert not np.allclose(first, generator(seed, "losses").random(5))
        assert not np.allclose(first, generator(-seed, "actions").random(5))
