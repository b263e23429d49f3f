"""Verdicts as pages: HTML, Markdown, JSON, and a checker that anyone can run.

A report reads; it computes no verdict and cannot change one. Its public names are loaded when they
are first used, so that a command which prints a table starts without what pages need.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbverify.report.site.material import Material as Material
    from pbverify.report.site.pages import files_of as files_of
    from pbverify.report.site.pages import write as write

_HOMES = {"Material": "material", "files_of": "pages", "write": "pages"}

__all__ = ["Material", "files_of", "write"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pbverify.report' has no attribute {name!r}")
    return getattr(importlib.import_module(f"pbverify.report.site.{_HOMES[name]}"), name)
