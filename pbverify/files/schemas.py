"""JSON Schemas of the file formats."""

from __future__ import annotations

import importlib.resources
import json
from typing import Any

NAMES = ("instance", "trace", "witness", "picture", "verdicts", "claims", "cell")


def schema(name: str) -> dict[str, Any]:
    """The schema of the format `pbverify/NAME-1`."""
    text = importlib.resources.files(__package__).joinpath(f"{name}.schema.json").read_text()
    document: dict[str, Any] = json.loads(text)
    return document
