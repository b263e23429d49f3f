"""How subjects are drawn."""

from __future__ import annotations

import hypothesis
from hypothesis import Phase
from hypothesis import strategies as st

from pbverify.drawing import drawing


def drawn(settings: hypothesis.settings) -> list[int]:
    found: list[int] = []

    @settings
    @hypothesis.given(st.integers(0, 10**6))
    def keep(value: int) -> None:
        found.append(value)

    keep()
    return found


def test_the_same_subjects_are_drawn_each_time() -> None:
    """Two sessions of so many examples are alike, and no stored example comes first."""
    first, second = (drawn(drawing(20, Phase.generate)) for _ in range(2))
    assert first == second
    assert len(first) == 20


def test_a_caller_with_a_seed_draws_its_own() -> None:
    """Without `derandomize` the seed decides."""

    def seeded(seed: int) -> list[int]:
        found: list[int] = []

        @hypothesis.seed(seed)
        @drawing(20, Phase.generate, derandomize=False)
        @hypothesis.given(st.integers(0, 10**6))
        def keep(value: int) -> None:
            found.append(value)

        keep()
        return found

    assert seeded(1) == seeded(1) != seeded(2)
