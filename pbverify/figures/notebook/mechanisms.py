"""What became of each statement, told and drawn as on the site, for notebooks."""

from __future__ import annotations

import dataclasses

from markupsafe import Markup

from pbverify.claims.findings import Finding
from pbverify.claims.register import Register
from pbverify.paper.pictures.mechanisms import mechanism
from pbverify.report.markup import element
from pbverify.report.tex import typeset_prose as prose
from pbverify.report.tex import typeset_tex


@dataclasses.dataclass(frozen=True)
class Explained:
    """A finding with its drawing; a notebook shows it as HTML, a terminal as text."""

    finding: Finding

    def _repr_html_(self) -> Markup:
        sketch = mechanism(self.finding.picture)
        parts = [
            element("h3", self.finding.title),
            element("blockquote", typeset_tex(self.finding.tex)),
            element(
                "p", element("b", prose(self.finding.as_printed)), " ", prose(self.finding.why)
            ),
            *([] if sketch is None else [sketch.svg(alone=True)]),
            element("p", element("b", "Counterexample: "), prose(self.finding.counterexample)),
            element("p", element("b", "What survives: "), prose(self.finding.remains)),
        ]
        return element("div", *parts)

    def __repr__(self) -> str:
        return f"{self.finding.title}: {self.finding.as_printed}"


def explained(register: Register) -> list[Explained]:
    """The statements that fail, the gravest first."""
    return [Explained(finding) for finding in register.findings.by_rank()]
