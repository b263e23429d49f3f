"""How Hypothesis draws subjects here: without deadlines, health checks or a database."""

from __future__ import annotations

import hypothesis
from hypothesis import Phase


def drawing(examples: int, *phases: Phase, derandomize: bool = True) -> hypothesis.settings:
    """Settings under which the same subjects are drawn each time; else the caller sets a seed."""
    return hypothesis.settings(
        max_examples=examples,
        derandomize=derandomize,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=phases,
    )
