"""Hypothesis as an engine: it invents cases, and aims at the largest score.

Its own shrinking is bounded by a clock, which would make findings depend on the machine. So the
tally keeps the simplest violations that come up, and those are made smaller when they become
witnesses, by the same descent as every other finding (`pbverify.claims.shrinking`).
"""

from __future__ import annotations

import contextlib
import math
import warnings
from typing import Any

import hypothesis
from hypothesis.strategies import SearchStrategy

from pbverify.claims.judging import draw
from pbverify.search.tally import SearchTally


def generate(
    tally: SearchTally[Any], strategy: SearchStrategy[Any], *, examples: int, seed: int
) -> None:
    """Let the tally see a number of generated cases."""

    def aim(case: Any) -> None:
        score = tally.see(case).score
        if score is not None and math.isfinite(score):
            hypothesis.target(score, label="score")

    phases = (hypothesis.Phase.generate, hypothesis.Phase.target)
    with warnings.catch_warnings():
        # Other threads of a cluster's worker may use the global generator; cases do not.
        warnings.simplefilter("ignore", hypothesis.errors.HypothesisDeprecationWarning)
        with contextlib.suppress(hypothesis.errors.Unsatisfiable):
            draw(strategy, aim, examples=examples, seed=seed, phases=phases)
