"""The doubling update on integers."""

from __future__ import annotations

import math

import pytest

from pbverify.errors import InputError
from pbverify.paper.cases.doubling_update import Update


@pytest.mark.parametrize(
    ("power", "D", "doublings", "after"),
    [(0, 2, 1, 2), (0, 3, 2, 4), (2, 5, 1, 8), (2, 8, 1, 8), (2, 9, 2, 16), (3, 1000, 7, 1024)],
)
def test_updates_by_hand(power: int, D: int, doublings: int, after: int) -> None:
    """The least number of doublings that covers D, and the same estimate from the logarithm."""
    update = Update(power, D)
    assert (update.doublings, update.printed) == (doublings, after)
    assert update.before << update.doublings == after
    assert update.printed == 2 ** math.ceil(math.log2(D))


def test_witnesses_rebuild() -> None:
    """An update survives the trip through a witness; anything else is an input error."""
    update = Update(3, 20)
    assert Update.rebuild(update.witness_fields()) == update
    for bad in (None, {"power": 1}, {"power": 1, "D": "x"}):
        with pytest.raises(InputError):
            Update.rebuild({"parameters": bad})
