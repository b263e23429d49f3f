"""Tables for notebooks."""

from __future__ import annotations

import pytest

from pbverify.figures.notebook.tables import shown, table


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234567, "1,234,567"), (0.123456, "0.1235"), (None, ""), ("<b>", "<b>"), (True, "True")],
)
def test_values_read_well(value: object, text: str) -> None:
    """Four digits, separators, nothing for None."""
    assert shown(value) == text


def test_html_is_escaped() -> None:
    """What comes from a file cannot become markup."""
    html = table([{"claim": "<b>", "n": 2}])._repr_html_()
    assert "&lt;b&gt;" in html
    assert "text-align:right" in html


def test_an_empty_table_shows_nothing() -> None:
    """No rows, no columns."""
    assert "<td" not in table([])._repr_html_()
