"""The files of a report, byte for byte the same for the same material.

`index.html` is the start page: what fails, what survives, what rests on what. Each statement has a
page, and so have all claims, the graph of all steps, stronger forms, dropped assumptions and engine
faults. A page needs nothing but itself: style and script are inside it, and its security policy
allows exactly those and no request. There is no date and no path of this machine in any file.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.resources
import pathlib
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import jinja2
from markupsafe import Markup

from pbverify import __version__
from pbverify.claims.paper import Paper
from pbverify.claims.verdict import Verdict, verdicts_document
from pbverify.files.documents import dumps, made_folder, provenance, replacing
from pbverify.files.runs import folded
from pbverify.report.site.material import Material
from pbverify.report.site.view import View, view_of
from pbverify.report.standing import MEANINGS
from pbverify.report.strength import place_of
from pbverify.report.tex import typeset_prose

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+!|<>~&$-])")

PAGES = {
    "index.html": "Findings",
    "claims.html": "All claims",
    "graph.html": "All steps",
    "stronger.html": "Stronger forms",
    "assumptions.html": "Dropped assumptions",
    "faults.html": "Engine faults",
}
"""The pages beside those of the statements, and what the links to them say."""


def files_of(material: Material) -> dict[str, bytes]:
    """Every file of the report by its name inside the folder."""
    view = view_of(material)
    return {
        **dict(_pages(view, material.paper)),
        "report.md": _rendered("report.md.j2", view, material.paper, escaping=False),
        "verdicts.json": _document(_verdicts_document(material), material.paper),
        **(material.paper.second_program.files() if material.paper.second_program else {}),
        **_witness_files(material),
    }


def _pages(view: View, paper: Paper) -> Iterator[tuple[str, bytes]]:
    filled = {
        "stronger.html": bool(view.strengths),
        "assumptions.html": bool(view.assumptions),
        "faults.html": bool(view.engine_faults.caught),
    }
    pages = [(file, name) for file, name in PAGES.items() if filled.get(file, True)]
    for file, _ in pages:
        yield file, _rendered(f"{file}.j2", view, paper, here=file, pages=pages)
    for statement in view.statements:
        options: dict[str, Any] = {"statement": statement, "root": "../", "pages": pages}
        yield statement.page, _rendered("statement.html.j2", view, paper, **options)


def write(folder: pathlib.Path, files: dict[str, bytes]) -> None:
    """Write the files of a report into a folder."""
    for name, content in files.items():
        target = folder / name
        made_folder(target.parent)
        with replacing(target) as file:
            file.write(content)


def _witness_files(material: Material) -> dict[str, bytes]:
    files = {}
    for name, witness in material.witnesses.items():
        files[place_of(witness)] = _document(witness.to_json(), material.paper)
        if name in material.pictures:
            folder = pathlib.PurePosixPath(place_of(witness)).parent / "pictures"
            files[str(folder / witness.file_name)] = _document(
                dict(material.pictures[name]), material.paper
            )
    return dict(sorted(files.items()))


def _verdicts_document(material: Material) -> dict[str, object]:
    places = {name: place_of(witness) for name, witness in material.witnesses.items()}
    rows = [_row(verdict, places) for verdict in material.verdicts]
    return verdicts_document(rows, profile=material.profile)


def _row(verdict: Verdict, places: Mapping[str, str]) -> dict[str, object]:
    row = verdict.with_files(lambda name: places.get(name, "")).to_json()
    return {**row, "witness": row["witness"] or None}


def _document(document: dict[str, object], paper: Paper) -> bytes:
    head = {"format": document["format"], **provenance(paper.sha256)}
    return dumps({**head, **folded(document)}, comma=",").encode() + b"\n"


def _rendered(
    template: str, view: View, paper: Paper, *, escaping: bool = True, **options: Any
) -> bytes:
    name = template.partition(".")[0]
    style, script = _text("style.css"), _text(f"{name}.js") if name in _SCRIPTED else ""
    text = (
        _environment(escaping=escaping)
        .get_template(template)
        .render(
            {
                "view": view,
                "version": __version__,
                "title": f"What became of {paper.title}" if paper.title else "Verdicts",
                "sha256": paper.sha256,
                "meanings": MEANINGS,
                "has_second_program": paper.second_program is not None,
                "style": Markup(style),
                "script": Markup(script),
                "style_hash": _digest(style),
                "script_hash": _digest(script),
                "root": "",
                "here": "",
                **options,
            }
        )
    )
    return text.encode("utf-8", "replace")


_SCRIPTED = ("claims", "graph")
"""The pages that have a script of their own."""


@functools.cache
def _environment(*, escaping: bool) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_text),
        autoescape=escaping,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters["shell"] = shlex.quote
    environment.filters["md"] = markdown
    environment.filters["prose"] = typeset_prose
    return environment


def markdown(text: str) -> str:
    """Text as Markdown that shows exactly that text, on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


@functools.cache
def _text(name: str) -> str:
    return importlib.resources.files(__package__).joinpath("templates", name).read_text("utf-8")


def _digest(text: str) -> str:
    """What a content security policy calls the source of an inline style or script."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
