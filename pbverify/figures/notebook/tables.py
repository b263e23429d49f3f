"""Tables for notebooks: rows of values as HTML, with numbers that read well."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from pbverify.report.markup import element, joined

Row = Mapping[str, object]


@dataclasses.dataclass(frozen=True)
class Table:
    """Rows with the same columns; a notebook shows it as HTML, a terminal as text."""

    rows: Sequence[Row]

    def _repr_html_(self) -> Markup:
        names = list(self.rows[0]) if self.rows else []
        head = element("tr", *[element("th", name, style="text-align:left") for name in names])
        body = [element("tr", *[_cell(row[name]) for name in names]) for row in self.rows]
        return element("table", element("thead", head), element("tbody", joined(*body)))

    def __repr__(self) -> str:
        return "\n".join("  ".join(map(shown, row.values())) for row in self.rows)


def table(rows: Sequence[Row]) -> Table:
    """The rows as a table."""
    return Table(rows)


def shown(value: object) -> str:
    """Numbers with four digits, thousands with separators, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if math.isfinite(value) else str(value)


def _cell(value: object) -> Markup:
    side = "right" if isinstance(value, int | float) and not isinstance(value, bool) else "left"
    return element("td", shown(value), style=f"text-align:{side}")
