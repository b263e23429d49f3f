"""Errata: what one sends to the authors of a paper, as LaTeX and as Markdown.

One entry per finding that corrects something, the gravest first: where it is printed, the error, a
counterexample with the file and the program that check it, the correction, and what it changes.
Then the lines of proofs that are refuted, each in a sentence. All texts come from the register, all
grades from verdicts; there is no date and no path in any file.
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence

from pbverify.claims.findings import Cell, Finding
from pbverify.claims.paper import Drawing
from pbverify.claims.register import Register, Row
from pbverify.claims.verdict import OPINIONS, Outcome, Verdict
from pbverify.claims.witness import find_witness
from pbverify.report.plain_tex import escaped, tex_of
from pbverify.report.sketch import TIKZ_STYLES
from pbverify.report.standing import grade

PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[a4paper,margin=20mm]{geometry}
\usepackage{amsmath,amssymb,tikz}
\setlength{\parindent}{0pt}
\setlength{\parskip}{1pt plus 1pt}
\sloppy
"""
LAUNCHER = "check_witnesses.py"
PARTS = ("Printed", "Error", "Counterexample", "Correction", "Consequence")
"""Of an entry, in their order."""


@dataclasses.dataclass(frozen=True)
class Sources:
    """What errata are made of."""

    register: Register
    verdicts: Mapping[tuple[str, str], Verdict]
    folders: Sequence[pathlib.Path]
    """Where witness files may be."""

    @property
    def steps(self) -> list[Row]:
        """The steps of proofs that are refuted as printed and have an erratum."""
        own = self.register.paper.own_readings
        return [
            row
            for row in self.register.rows.values()
            if row.fidelity == "proof step"
            and row.erratum
            and any(o is Outcome.REFUTED for r, o in row.expected.items() if r not in own)
        ]

    @functools.cached_property
    def drawings(self) -> dict[str, Drawing]:
        """The drawings that findings name, each under the name of its picture."""
        pictures = self.register.paper.pictures
        names = dict.fromkeys(each.picture for each in self.register.findings.by_rank())
        found = {name: pictures.mechanism(name) for name in names} if pictures else {}
        return {name: drawing for name, drawing in found.items() if drawing}

    def shows(self, finding: Finding) -> bool:
        """Whether the finding is the first that names its drawing; others refer to the same."""
        first = next(f for f in self.register.findings.by_rank() if f.picture == finding.picture)
        return finding is first and finding.picture in self.drawings

    def witness_of(self, finding: Finding) -> Verdict | None:
        """The verdict whose witness is the counterexample of a finding."""
        cell = finding.witness
        found = self.verdicts.get((cell.claim, cell.reading)) if cell else None
        return found if found and found.witness_file else None


def errata_files(sources: Sources) -> dict[str, bytes]:
    """The two texts, the witnesses that they name, and the program that checks them."""
    program, drawn = sources.register.paper.second_program, sources.drawings.items()
    return {
        "errata.tex": _tex(sources).encode(),
        "errata.md": _markdown(sources).encode(),
        **dict(_witnesses(sources)),
        **{f"pictures/{name}.svg": drawing.svg(alone=True).encode() for name, drawing in drawn},
        **(program.files() if program else {}),
    }


def _witnesses(sources: Sources) -> Iterator[tuple[str, bytes]]:
    for finding in sources.register.findings.by_rank():
        verdict = sources.witness_of(finding)
        if verdict and verdict.witness_file:
            path = find_witness(verdict.witness_file, sources.folders)
            yield f"witnesses/{path.name}", path.read_bytes()


def _parts(finding: Finding, sources: Sources) -> Iterator[tuple[str, str, str]]:
    """Name, LaTeX and Markdown of each part of an entry."""
    if finding.quote:
        yield "Printed", f"``{finding.quote}''", f"“{finding.quote}”"
    else:
        yield "Printed", finding.tex, finding.tex
    error = f"{finding.as_printed} {finding.why}"
    yield "Error", tex_of(error), _plain(error)
    example = finding.counterexample
    verdict = sources.witness_of(finding)
    if verdict and verdict.witness_file:
        name = pathlib.PurePath(verdict.witness_file).name
        opinion = OPINIONS[verdict.checker]
        yield (
            "Counterexample",
            rf"{tex_of(example)} (\texttt{{{_breakable(name)}}}, {opinion}.)",
            f"{_plain(example)} (`witnesses/{name}`, {opinion}.)",
        )
    else:
        yield "Counterexample", tex_of(example), _plain(example)
    ground = _evidence(finding.survives, sources)
    remains = f"{finding.remains}{ground}"
    yield (
        "Correction",
        f"{finding.corrected} {tex_of(remains)}",
        f"{finding.corrected} {_plain(remains)}",
    )
    yield "Consequence", tex_of(finding.consequence), _plain(finding.consequence)


def _entry(finding: Finding, sources: Sources) -> list[str]:
    """The parts of an entry in LaTeX; a drawing stands beside error and counterexample."""
    lines = [rf"\textbf{{{name}.}} {tex}\par" for name, tex, _ in _parts(finding, sources)]
    if not sources.shows(finding):
        return lines
    printed, *beside = lines[: PARTS.index("Correction")]
    picture = sources.drawings[finding.picture].tikz()
    return [
        printed,
        r"\begin{minipage}[c]{0.59\textwidth}",
        *beside,
        r"\end{minipage}\hfill\begin{minipage}[c]{0.39\textwidth}",
        rf"\resizebox{{\textwidth}}{{!}}{{{picture}}}",
        r"\end{minipage}\par",
        *lines[PARTS.index("Correction") :],
    ]


def _evidence(cells: Sequence[Cell], sources: Sources) -> str:
    graded = grade(cells, sources.verdicts)
    if graded is None:
        return ""
    words = ", ".join(f"{count} {name}" for name, count in graded.rows.items())
    return f" (Evidence for what survives, by claim and reading: {words}.)"


def _places(finding: Finding, sources: Sources) -> str:
    rows = [sources.register.rows[cell.claim] for cell in finding.fails]
    return "; ".join(dict.fromkeys(row.place for row in rows if row.place))


def _introduction(sources: Sources) -> str:
    paper = sources.register.paper
    digest = f" (text with sha256 {paper.sha256[:12]}...)" if paper.sha256 else ""
    return (
        f"Errors in the statements of the paper{digest}, ordered by consequence. The paper prints "
        "its algorithm twice, in the main text and in the appendix, and the two differ; each entry "
        "says which is meant. Every counterexample is a small file, confirmed with exact rational "
        "or interval arithmetic; where the claim is about an expectation over long games, by "
        "simulation at an error level fixed beforehand. To check them all without the program that "
        "found them: "
    )


def _tex(sources: Sources) -> str:
    lines = [
        f"{PREAMBLE}{TIKZ_STYLES}",
        r"\begin{document}",
        rf"{{\Large\bfseries Errata to {escaped(sources.register.paper.title)}}}\par\medskip",
        rf"{escaped(_introduction(sources))}\texttt{{python3 {escaped(LAUNCHER)}}}.",
    ]
    for number, finding in enumerate(sources.register.findings.by_rank(), start=1):
        labels = ", ".join(rf"\texttt{{{escaped(label)}}}" for label in finding.labels)
        place = tex_of(_places(finding, sources))
        lines += [
            rf"\subsection*{{{number}. {tex_of(finding.title)}}}",
            rf"{{\small {labels}{' --- ' if labels and place else ''}{place}}}\par",
            *_entry(finding, sources),
        ]
    if sources.steps:
        lines += [r"\subsection*{Lines of proofs that do not hold as printed}", r"{\footnotesize"]
        lines += [rf"\textbullet\ {tex_of(_step(row))}\par" for row in sources.steps]
        lines += ["}"]
    return "\n".join([*lines, r"\end{document}", ""])


def _markdown(sources: Sources) -> str:
    paper = sources.register.paper
    lines = [f"# Errata to {_plain(paper.title)}", f"{_introduction(sources)}`python3 {LAUNCHER}`."]
    for number, finding in enumerate(sources.register.findings.by_rank(), start=1):
        labels = ", ".join(f"`{label}`" for label in finding.labels)
        lines.append(f"## {number}. {_plain(finding.title)}")
        lines.append(" - ".join(filter(None, [labels, _plain(_places(finding, sources))])))
        lines += [f"**{name}.** {text}" for name, _, text in _parts(finding, sources)]
        if sources.shows(finding):
            lines.append(f"![{_plain(finding.title)}](pictures/{finding.picture}.svg)")
    if sources.steps:
        lines.append("## Lines of proofs that do not hold as printed")
        lines.append("\n".join(f"- {_plain(_step(row))}" for row in sources.steps))
    return "\n\n".join(lines) + "\n"


def _step(row: Row) -> str:
    """Where a step stands, and the first sentence of its erratum."""
    first = re.match(r"(?:[^.]|\.(?!\s|$))*\.?", row.erratum)
    return f"{row.place}: {first[0] if first else row.erratum}"


def _plain(text: str) -> str:
    """Plain text without what Markdown would take for markup."""
    return re.sub(r"([\\`*_|<~])", r"\\\1", text)


def _breakable(name: str) -> str:
    """The name of a file that may be broken after a hyphen or an underscore."""
    return escaped(name).replace("-", r"-\allowbreak{}").replace(r"\_", r"\_\allowbreak{}")
