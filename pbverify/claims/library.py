"""The claims of folders of lemma files, by id.

A folder is a library if it holds the register `paper.toml`. Its lemma files are ordinary Python
modules; the claims are what they name: the tuple `CLAIMS`, and the known-false stronger forms
beside it (`ID!stronger`, of which a file may have several; `ID!without ...` of an ablation). Other
packages offer folders of their own through entry points of the group `pbverify.claims`, whose
values name importable packages.
"""

from __future__ import annotations

import dataclasses
import importlib.metadata
import importlib.util
import pathlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pbverify.claims.register import Register
from pbverify.errors import FileError, InputError
from pbverify.files.documents import real_path

if TYPE_CHECKING:  # the commands that load no lemma file start without what lemmas need
    from pbverify.claims.claim import Claim
    from pbverify.claims.lemma import Lemma

PATTERNS = ("lemma_*.py", "theorem_*.py", "corollary_*.py", "experiment_*.py")
"""Names of lemma files."""

REGISTER = "paper.toml"

FOLDER = pathlib.Path(".pbverify")
"""Beside the folder of lemma files: where verdicts and witnesses go."""

GROUP = "pbverify.claims"
"""Entry points that name packages with lemma files and a register."""

SHIPPED = pathlib.Path(__file__).parents[1] / "_lemmas"
"""The paper's lemma files inside an installed wheel."""

SOURCE = pathlib.Path(__file__).parents[2] / "lemmas"
"""The paper's lemma files beside a source tree, which may be installed as editable."""


@dataclasses.dataclass(frozen=True)
class Library:
    """Registers and the claims of the lemma files beside them."""

    register: Register
    claims: Mapping[str, tuple[Claim[Any], ...]]
    """By id; only a stronger form's id may stand for more than one claim."""
    files: Mapping[str, pathlib.Path]
    """The lemma file of each claim."""

    @staticmethod
    def load(*folders: pathlib.Path) -> Library:
        register = load_register(folders)
        claims: dict[str, tuple[Claim[Any], ...]] = {}
        files = {}
        for path in lemma_files(*folders):
            for claim in claims_of(path):
                claims[claim.id] = (*claims.get(claim.id, ()), claim)
                files[claim.id] = path
        return Library(register, claims, files)

    def named(self, id: str) -> tuple[Claim[Any], ...]:
        """The claims of that id."""
        if id not in self.claims:
            raise InputError("a claim of the lemma files", "claim", id)
        return self.claims[id]


def load_register(folders: Iterable[pathlib.Path]) -> Register:
    """The rows of all registers; an id may stand in one of them only."""
    return Register.union([Register.load(folder / REGISTER) for folder in folders])


def find_claims(
    folders: Iterable[pathlib.Path], id: str
) -> tuple[tuple[Claim[Any], ...], pathlib.Path]:
    """The claims of that id and their file; files that mention the id are loaded first."""
    for path in likeliest_first(folders, id):
        found = tuple(claim for claim in claims_of(path) if claim.id == id)
        if found:
            return found, path
    raise InputError("a claim of the lemma files", "claim", id)


def likeliest_first(folders: Iterable[pathlib.Path], id: str) -> list[pathlib.Path]:
    """All lemma files, those first that quote the id, or a lemma's id and a step of it."""
    own = id.partition("!")[0]
    family = re.split("[/@]", own)[0]
    splits = [(own, ""), *((own[: m.start()], own[m.start() :]) for m in re.finditer("[/@]", own))]

    def strangeness(path: pathlib.Path) -> tuple[bool, bool]:
        text = path.read_text(encoding="utf-8", errors="replace")
        quoted = any(
            f'"{lemma}"' in text and f'"{step.lstrip("/")}"' in text for lemma, step in splits
        )
        return not quoted, family not in text

    return sorted(lemma_files(*folders), key=strangeness)


def find_folders(given: pathlib.Path | None = None) -> tuple[pathlib.Path, ...]:
    """The given folder alone, or the one that is found and those of installed packages."""
    return (find_folder(given),) if given is not None else (find_folder(), *installed_folders())


def installed_folders() -> list[pathlib.Path]:
    """The folders that other packages offer, by name of entry point; nothing is imported."""
    points = sorted(importlib.metadata.entry_points(group=GROUP), key=lambda point: point.name)
    return [_folder_of(point) for point in points]


def _folder_of(point: importlib.metadata.EntryPoint) -> pathlib.Path:
    try:
        spec = importlib.util.find_spec(point.module)
    except (ImportError, ValueError):
        spec = None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if (pathlib.Path(place) / REGISTER).is_file():
            return pathlib.Path(place)
    raise FileError(
        f"The entry point {point.name} of {GROUP} names {point.value}, no package with {REGISTER}."
    )


def home_of(folder: pathlib.Path) -> pathlib.Path:
    """Where a session over a folder leaves its files: beside it, or here if it was shipped."""
    return pathlib.Path.cwd() if folder == SHIPPED else real_path(folder).parent


def session_file(folder: pathlib.Path) -> pathlib.Path:
    """Where the verdicts of the last full session over a folder of lemma files are."""
    return home_of(folder) / FOLDER / "verdicts.json"


def find_folder(given: pathlib.Path | None = None) -> pathlib.Path:
    """The given folder, or the nearest `lemmas` here or above with a register, or the paper's."""
    if given is not None:
        return given
    here = pathlib.Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "lemmas" / REGISTER).is_file():
            return folder / "lemmas"
    for folder in (SHIPPED, SOURCE):
        if (folder / REGISTER).is_file():
            return folder
    raise FileError(f"No lemmas/{REGISTER} here or above: name the folder with --lemmas.")


def lemma_files(*folders: pathlib.Path) -> list[pathlib.Path]:
    """The lemma files of the folders, those of each in alphabetical order."""
    return [
        path
        for folder in folders
        for path in sorted(path for pattern in PATTERNS for path in folder.glob(pattern))
    ]


def lemmas_of(path: pathlib.Path) -> list[Lemma]:
    """The lemmas that a lemma file declares."""
    from pbverify.claims.lemma import Lemma

    return [value for value in vars(_module(path)).values() if isinstance(value, Lemma)]


def claims_of(path: pathlib.Path) -> list[Claim[Any]]:
    """The claims that a lemma file declares, each once, and their stronger forms.

    A file of the old form names them in `CLAIMS`, and stronger forms anywhere.
    """
    from pbverify.claims.lemma import Lemma

    module = _module(path)
    lemmas = [value for value in vars(module).values() if isinstance(value, Lemma)]
    if lemmas:
        register = Register.load(path.parent / REGISTER)
        checks = [check for lemma in lemmas for check in lemma.checks(register)]
        return list({id(check.claim): check.claim for check in checks}.values())
    found = {id(claim): claim for claim in getattr(module, "CLAIMS", ())}
    for value in vars(module).values():
        found |= {id(claim): claim for claim in _claims_in(value) if "!" in claim.id}
    return list(found.values())


def _claims_in(value: object) -> Iterator[Claim[Any]]:
    from pbverify.claims.claim import Claim
    from pbverify.claims.strengthenings.assumptions import Ablation

    if isinstance(value, Mapping):
        value = tuple(value.values())
    for item in value if isinstance(value, tuple | list) else (value,):
        if isinstance(item, Ablation):
            yield item.claim
        if isinstance(item, Claim):
            yield item


def _module(path: pathlib.Path) -> ModuleType:
    if (path.parent / REGISTER).is_file():
        Register.load(path.parent / REGISTER)  # a lemma file may import its paper
    spec = importlib.util.spec_from_file_location(f"_lemmas_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there for the names of annotations
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # a lemma file may fail in any way
        raise FileError(f"Cannot load {path.name}: {type(error).__name__}: {error}.") from error
    return module
