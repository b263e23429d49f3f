"""The claims of a folder of lemma files, by id.

A folder is a library if it holds the register `paper.toml`. Its lemma files are ordinary Python
modules; the claims are what they name: the tuple `CLAIMS`, and the known-false stronger forms
beside it (`ID!stronger`, of which a file may have several).
"""

from __future__ import annotations

import dataclasses
import importlib.util
import pathlib
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from pbverify.claims import Claim
from pbverify.errors import FileError, InputError
from pbverify.register import Register

PATTERNS = ("lemma_*.py", "theorem_*.py", "corollary_*.py")
"""Names of lemma files."""

REGISTER = "paper.toml"


@dataclasses.dataclass(frozen=True)
class Library:
    """A register and the claims of the lemma files beside it."""

    folder: pathlib.Path
    register: Register
    claims: Mapping[str, tuple[Claim[Any], ...]]
    """By id; only a stronger form's id may stand for more than one claim."""
    files: Mapping[str, pathlib.Path]
    """The lemma file of each claim."""

    @staticmethod
    def load(folder: pathlib.Path) -> Library:
        register = Register.load(folder / REGISTER)
        claims: dict[str, tuple[Claim[Any], ...]] = {}
        files = {}
        for path in lemma_files(folder):
            for claim in claims_of(path):
                claims[claim.id] = (*claims.get(claim.id, ()), claim)
                files[claim.id] = path
        return Library(folder, register, claims, files)

    def named(self, id: str) -> tuple[Claim[Any], ...]:
        """The claims of that id."""
        if id not in self.claims:
            raise InputError("a claim of the lemma files", "claim", id)
        return self.claims[id]


def find_claims(folder: pathlib.Path, id: str) -> tuple[tuple[Claim[Any], ...], pathlib.Path]:
    """The claims of that id and their file; files that mention the id are loaded first."""
    parts = (id, id.partition("!")[0], id.partition("/")[0].partition("@")[0].partition("!")[0])

    def strangeness(path: pathlib.Path) -> int:
        text = path.read_text(encoding="utf-8", errors="replace")
        return sum(part not in text for part in parts)

    for path in sorted(lemma_files(folder), key=strangeness):
        found = tuple(claim for claim in claims_of(path) if claim.id == id)
        if found:
            return found, path
    raise InputError("a claim of the lemma files", "claim", id)


def find_folder(given: pathlib.Path | None = None) -> pathlib.Path:
    """The given folder, or the nearest `lemmas` here or above that holds a register."""
    if given is not None:
        return given
    here = pathlib.Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "lemmas" / REGISTER).is_file():
            return folder / "lemmas"
    raise FileError(f"No lemmas/{REGISTER} here or above: name the folder with --lemmas.")


def lemma_files(folder: pathlib.Path) -> list[pathlib.Path]:
    """The lemma files of a folder, in alphabetical order."""
    return sorted(path for pattern in PATTERNS for path in folder.glob(pattern))


def claims_of(path: pathlib.Path) -> list[Claim[Any]]:
    """The claims that a lemma file names, each once: `CLAIMS`, and stronger forms anywhere."""
    module = _module(path)
    found = {id(claim): claim for claim in getattr(module, "CLAIMS", ())}
    for value in vars(module).values():
        found |= {id(claim): claim for claim in _claims_in(value) if "!" in claim.id}
    return list(found.values())


def _claims_in(value: object) -> Iterator[Claim[Any]]:
    if isinstance(value, Mapping):
        value = tuple(value.values())
    for item in value if isinstance(value, tuple | list) else (value,):
        if isinstance(item, Claim):
            yield item


def _module(path: pathlib.Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"_lemmas_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # a lemma file may fail in any way
        raise FileError(f"Cannot load {path.name}: {type(error).__name__}: {error}.") from error
    return module
