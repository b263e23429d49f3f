"""Verdicts as pages: HTML, Markdown, JSON, and a checker that anyone can run.

A report reads; it computes no verdict and cannot change one.
"""

from __future__ import annotations

from pbverify.report.site.material import Material
from pbverify.report.site.pages import files_of, write

__all__ = ["Material", "files_of", "write"]
