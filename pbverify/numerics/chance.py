"""The one source of chance: a seed and the name of a stream fix a generator.

No other module makes a generator, so what is drawn depends on explicit seeds alone.
"""

from __future__ import annotations

import zlib

import numpy as np


def generator(seed: int, stream: str) -> np.random.Generator:
    """The generator of a named stream of a seed; streams are independent of each other."""
    return np.random.default_rng([seed % 2**64, zlib.crc32(stream.encode())])
