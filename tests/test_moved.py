"""Import paths of version 0.1."""

from __future__ import annotations

import importlib
import sys

import pytest

from pbverify import moved

PROMISED = {
    "pbverify.algorithms.exp3": ("exp3",),
    "pbverify.algorithms.protocol": ("Learner",),
    "pbverify.algorithms.readings": ("preset",),
    "pbverify.check": ("survive",),
    "pbverify.instance": ("Instance",),
    "pbverify.plays": ("Trial",),
    "pbverify.simulate": ("run", "run_rigorously", "enumerate_paths"),
    "pbverify.strategies": ("instances",),
}


@pytest.mark.parametrize("old", PROMISED)
def test_promised_paths_still_work(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They warn, and give the very objects that now live elsewhere."""
    for name in moved.MOVED:
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.warns(DeprecationWarning, match="is now") as warnings:
        found = importlib.import_module(old)
    assert f"{old} is now {moved.MOVED[old]};" in str(warnings[-1].message)
    new = importlib.import_module(moved.MOVED[old])
    assert all(getattr(found, name) is getattr(new, name) for name in PROMISED[old])
