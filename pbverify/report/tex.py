r"""Statements in LaTeX as HTML: words as text, formulas between dollar signs as MathML.

The register has one LaTeX source per statement; pages and errata typeset the same text. A formula
that cannot be read is shown as it stands: typesetting never fails.
"""

from __future__ import annotations

import functools
import re

from latex2mathml.converter import convert
from latex2mathml.exceptions import (
    DenominatorNotFoundError,
    DoubleSubscriptsError,
    DoubleSuperscriptsError,
    ExtraLeftOrMissingRightError,
    InvalidStyleForGenfracError,
    MissingEndError,
    MissingSuperScriptOrSubscriptError,
    NoAvailableTokensError,
    NumeratorNotFoundError,
)
from markupsafe import Markup

from pbverify.report.markup import element, joined
from pbverify.report.plain_tex import pieces_of

_FORMULA = re.compile(r"\$([^$]+)\$")
_LATEX_ERRORS = (
    *(DenominatorNotFoundError, DoubleSubscriptsError, DoubleSuperscriptsError),
    *(ExtraLeftOrMissingRightError, InvalidStyleForGenfracError, MissingEndError),
    *(MissingSuperScriptOrSubscriptError, NoAvailableTokensError, NumeratorNotFoundError),
)


@functools.cache
def typeset_tex(text: str) -> Markup:
    """A text with formulas between dollar signs."""
    pieces = _FORMULA.split(text)  # words, formula, words, formula, ..., words
    return joined(*(_formula(piece) if n % 2 else piece for n, piece in enumerate(pieces)))


@functools.cache
def typeset_prose(text: str) -> Markup:
    """Plain text of the register, in which `x^c`, `sqrt(D)` and `<=` become formulas."""
    found = pieces_of(text)
    return joined(*(_formula(each) if is_formula else each for is_formula, each in found))


def _formula(tex: str) -> Markup:
    try:
        return Markup(convert(tex))  # an XML tree: every sign of the source is escaped
    except (*_LATEX_ERRORS, ValueError, KeyError, IndexError, AttributeError):
        return element("code", tex)
