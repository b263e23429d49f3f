"""JSON Schemas of the file formats.

Parts that several formats share stand once, in `common.schema.json` or in the schema of their own
format; a schema refers to them by `$ref`, relative to this folder.
"""

from __future__ import annotations

import importlib.resources
import json
from typing import Any

NAMES = ("instance", "trace", "learner-trace", "witness", "picture", "verdicts", "claims", "cell")


def schema(name: str) -> dict[str, Any]:
    """The schema of the format `pbverify/NAME-1`, in which every shared part is written out."""
    document: dict[str, Any] = _written_out(_read(f"{name}.schema.json"))
    return document


def _written_out(part: Any) -> Any:
    if isinstance(part, list):
        return [_written_out(entry) for entry in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _written_out(_shared(part["$ref"]))
    return {key: _written_out(value) for key, value in part.items()}


def _shared(reference: str) -> dict[str, Any]:
    """The part that a reference means (FILE or FILE#/$defs/NAME), without a document's heading."""
    file, _, path = reference.partition("#")
    part = _read(file)
    for key in path.split("/")[1:]:
        part = part[key]
    return {key: value for key, value in part.items() if key not in ("$schema", "title")}


def _read(file: str) -> dict[str, Any]:
    text = importlib.resources.files(__package__).joinpath(file).read_text()
    document: dict[str, Any] = json.loads(text)
    return document
