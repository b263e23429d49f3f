"""Rows of text as an HTML table for a notebook, which would align cells to the right."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

LEFT = "text-align: left"


def html_table(rows: Iterable[Sequence[str]], *, head: Sequence[str] = ()) -> str:
    """The rows, escaped and aligned to the left; the first cell is a name if there is no head."""
    first = "td" if head else "th"
    body = [_row(row, [first, *["td"] * (len(row) - 1)]) for row in rows]
    return f"<table>{_row(head, ['th'] * len(head)) if head else ''}{''.join(body)}</table>"


def _row(texts: Sequence[str], kinds: Sequence[str]) -> str:
    cells = (
        f'<{kind} style="{LEFT}">{html.escape(text)}</{kind}>'
        for kind, text in zip(kinds, texts, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"
