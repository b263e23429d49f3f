"""Import paths that the README of version 0.1 promised: they warn, and work for one release."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
import types
import warnings
from collections.abc import Sequence

MOVED = {
    "pbverify.algorithms": "pbverify.bandits.learners",
    "pbverify.algorithms.exp3": "pbverify.bandits.learners.exp3",
    "pbverify.algorithms.protocol": "pbverify.bandits.protocol",
    "pbverify.algorithms.readings": "pbverify.paper.algorithm.readings",
    "pbverify.check": "pbverify.claims.judging",
    "pbverify.instance": "pbverify.bandits.instance",
    "pbverify.plays": "pbverify.bandits.trial",
    "pbverify.simulate": "pbverify.paper.algorithm.engine",
    "pbverify.strategies": "pbverify.bandits.strategies",
}
"""Old module to new."""


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a moved module and hands out the one that took its place."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in MOVED:
            return None
        is_package = any(name.startswith(f"{fullname}.") for name in MOVED)
        return importlib.machinery.ModuleSpec(fullname, self, is_package=is_package)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        old = types.ModuleType(spec.name, f"Moved to {MOVED[spec.name]}.")
        new = importlib.import_module(MOVED[spec.name])
        old.__dict__.update({k: v for k, v in vars(new).items() if not k.startswith("__")})
        return old

    def exec_module(self, module: types.ModuleType) -> None:
        new = MOVED[module.__name__]
        warnings.warn(
            f"{module.__name__} is now {new}; most names are in pbverify itself",
            DeprecationWarning,
            stacklevel=2,
        )


def install() -> None:
    """Let old import paths be found after all others."""
    sys.meta_path.append(_Finder())
