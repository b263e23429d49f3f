"""Verdicts as pages: HTML, Markdown, JSON, and a checker that anyone can run.

A report reads; it computes no verdict and cannot change one.
"""

from __future__ import annotations

from pbverify.report.pages import files_of, write
from pbverify.report.view import Material

__all__ = ["Material", "files_of", "write"]
