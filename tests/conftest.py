"""Derandomized property tests: the same examples in every run."""

from __future__ import annotations

import hypothesis

hypothesis.settings.register_profile(
    "pbverify",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=100,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
)
hypothesis.settings.load_profile("pbverify")

pytest_plugins = ["pytester"]
