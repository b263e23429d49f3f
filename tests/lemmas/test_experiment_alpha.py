"""The printed constants, and no others, keep alpha from rising."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pbverify.claims.claim import Claim
from pbverify.numerics import Truth
from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.algorithm.schedule import Scales
from pbverify.paper.experiment.printed_constants import Constants


@pytest.mark.parametrize("name", PRESETS)
def test_the_printed_constants_forbid_soft_restarts(name: str) -> None:
    """On every path."""
    assert Constants(preset(name)).forbids_soft_restarts is Truth.YES


def test_the_certificate_is_not_always_there(claim: Callable[[str], Claim[Any]]) -> None:
    """At a small enough threshold the same pair holds: the refutation is one of the constants."""
    scaled = Constants(preset("appendix"), scales=Scales(threshold=Fraction(1, 2)))
    assert scaled.forbids_soft_restarts is Truth.NO
    [pair] = claim("experiment/alpha-without-delay").pairs(scaled)
    assert pair.truth is Truth.YES
