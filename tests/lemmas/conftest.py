"""What the tests of lemma files share."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from pbverify.claims.claim import Claim
from pbverify.claims.library import find_claims

LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"


@pytest.fixture(scope="session")
def claim() -> Callable[[str], Claim[Any]]:
    """The claim of an id; each lemma file is read once per claim."""
    return functools.cache(lambda id: find_claims((LEMMAS,), id)[0][0])
