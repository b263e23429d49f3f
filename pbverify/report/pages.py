"""The files of a report, byte for byte the same for the same material.

`index.html` needs nothing but itself: style and script are inside it, and its security policy
allows exactly those two and no request. There is no date and no path of this machine in any file.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.resources
import pathlib
import re
import shlex
from collections.abc import Mapping

import jinja2
from markupsafe import Markup

from pbverify import __version__
from pbverify.claims.paper import Paper
from pbverify.claims.verdict import VERDICTS_FORMAT, Verdict
from pbverify.files.documents import dumps, made_folder, provenance, replacing
from pbverify.report.strength import place_of
from pbverify.report.view import Material, View, view_of

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+!|<>~&$-])")


def files_of(material: Material) -> dict[str, bytes]:
    """Every file of the report by its name inside the folder."""
    view = view_of(material)
    return {
        "index.html": _rendered("index.html.j2", view, material.paper, escaping=True),
        "report.md": _rendered("report.md.j2", view, material.paper, escaping=False),
        "verdicts.json": _document(_verdicts_document(material), material.paper),
        **(material.paper.second_program.files() if material.paper.second_program else {}),
        **_witness_files(material),
    }


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
    return {"format": VERDICTS_FORMAT, "profile": material.profile, "verdicts": rows}


def _row(verdict: Verdict, places: Mapping[str, str]) -> dict[str, object]:
    row = verdict.with_files(lambda name: places.get(name, "")).to_json()
    return {**row, "witness": row["witness"] or None}


def _document(document: dict[str, object], paper: Paper) -> bytes:
    head = {"format": document["format"], **provenance(paper.sha256)}
    return dumps({**head, **document}).encode() + b"\n"


def _rendered(template: str, view: View, paper: Paper, *, escaping: bool) -> bytes:
    style, script = _text("page.css"), _text("page.js")
    text = (
        _environment(escaping=escaping)
        .get_template(template)
        .render(
            view=view,
            version=__version__,
            title=f"Verdicts on {paper.title}" if paper.title else "Verdicts",
            paper=paper.sha256,
            has_second_program=paper.second_program is not None,
            kinds=sorted({str(line.row["kind"]) for line in view.lines} - {""}),
            readings=sorted({line.verdict.reading for line in view.lines}),
            style=Markup(style),
            script=Markup(script),
            style_hash=_digest(style),
            script_hash=_digest(script),
        )
    )
    return text.encode("utf-8", "replace")


def _environment(*, escaping: bool) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_text),
        autoescape=escaping,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters["shell"] = shlex.quote
    environment.filters["md"] = markdown
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
