"""How Hypothesis draws subjects here: from a seed, and from nothing else.

No deadline, health check or database decides what is drawn. Hypothesis also mixes in constants that
it finds in the source files of the modules loaded so far; that is switched off, because an edit
anywhere, or another order of imports, would change every generated case.
"""

from __future__ import annotations

import contextlib
import hashlib
import unittest.mock
from collections.abc import Callable, Iterator
from typing import TypeVar

import hypothesis
from hypothesis import Phase
from hypothesis.internal.conjecture import providers
from hypothesis.strategies import SearchStrategy

V = TypeVar("V")


def draw(
    strategy: SearchStrategy[V],
    see: Callable[[V], object],
    *,
    examples: int,
    seed: int | str,
    phases: tuple[Phase, ...] = (Phase.generate,),
) -> None:
    """Show `see` a number of generated values; a text is hashed to a seed."""

    @hypothesis.seed(seed if isinstance(seed, int) else seed_of(seed))
    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=phases,
    )
    @hypothesis.given(strategy)
    def shown(value: V) -> None:
        see(value)

    with _no_constants_of_the_source():
        shown()


def seed_of(text: str) -> int:
    """A seed that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


@contextlib.contextmanager
def _no_constants_of_the_source() -> Iterator[None]:
    """Older versions of Hypothesis draw no such constants."""
    if not hasattr(providers, "_get_local_constants"):
        yield
        return
    none = type(providers.GLOBAL_CONSTANTS)()
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        with unittest.mock.patch.object(providers, "_get_local_constants", return_value=none):
            yield
    finally:
        providers.CONSTANTS_CACHE.cache.clear()
