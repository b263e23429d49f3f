"""The situations that claims about the delay estimate must meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbverify.claims.claim import Claim
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run_families import lopsided


def test_stages_are_counted(claim: Callable[[str], Claim[Any]]) -> None:
    """A delay of 3, known at once, ends stage 1; a delay of 5 after it ends stage 2, too."""
    three_stages = claim("doubling-estimate").must_meet["at least three stages"]
    assert not three_stages(lopsided(preset("appendix"), [0, 3, 0]))
    assert three_stages(lopsided(preset("appendix"), [0, 3, 0, 0, 5, 0]))
