"""The source files that a lemma file rests on, and which of them changed since the last full run.

A lemma file rests on itself, on the judge, and on every module of the project that one of these
imports, at any depth and also inside functions. A module that is named as text in a call counts as
imported (`ProofsOf("paper.theories.mass")`); imports for types alone do not. Installed packages are
left out. The register counts row by row.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import hashlib
import importlib.util
import json
import pathlib
import re
import sys
import sysconfig
from collections.abc import Iterator, Mapping

from pbverify.claims.library import FOLDER, REGISTER, home_of, lemma_files
from pbverify.claims.register import Register
from pbverify.files.documents import made_folder

JUDGE = "pbverify.claims.judge"
NO_RECORD = "no full run is recorded, so all claims are judged"
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


@dataclasses.dataclass(frozen=True)
class Changed:
    """What is not as it was in the last full run."""

    sources: tuple[str, ...]
    """Modules, lemma files and rows of the register."""
    files: tuple[pathlib.Path, ...]
    """The lemma files that rest on them."""

    def lines(self, *, total: int) -> Iterator[str]:
        """What is judged, and why."""
        if not self.sources:
            yield "nothing changed since the last full run"
            return
        yield f"changed since the last full run: {', '.join(self.sources)}"
        yield f"judging {len(self.files)} of {total} lemma files; a full run renews the verdicts"


def record_file(folder: pathlib.Path) -> pathlib.Path:
    """Where the digests of the last full run over a folder of lemma files are."""
    return home_of(folder) / FOLDER / "sources.json"


def keep_sources(folder: pathlib.Path) -> None:
    """Record what a full run rested on."""
    digests, sources = dict(_rows(folder)), Sources()
    for file in lemma_files(folder):
        digests |= sources.of(file)
    path = record_file(folder)
    made_folder(path.parent)
    path.write_text(json.dumps(digests, indent=0, sort_keys=True), encoding="utf-8")


def changed_since(folder: pathlib.Path) -> Changed | None:
    """What changed since the last full run; None if no such run is recorded."""
    try:
        before = json.loads(record_file(folder).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    rows = {name for name, digest in _rows(folder).items() if before.get(name) != digest}
    found, files, sources = set(rows), [], Sources()
    for file in lemma_files(folder):
        now = sources.of(file)
        changed = {name for name, digest in now.items() if before.get(name) != digest}
        if changed or _declares(file, rows):
            files.append(file)
        found |= changed
    return Changed(tuple(sorted(found)), tuple(files))


def _rows(folder: pathlib.Path) -> Mapping[str, str]:
    rows = Register.load(folder / REGISTER).rows.values()
    return {f"row {row.id}": hashlib.sha256(repr(row).encode()).hexdigest() for row in rows}


def _declares(file: pathlib.Path, rows: set[str]) -> bool:
    """Whether a lemma file declares the claim of one of the rows."""
    if not rows:
        return False
    from pbverify.claims.judge import checks_of

    return any(f"row {check.is_of}" in rows for check in checks_of(file).values())


@dataclasses.dataclass(frozen=True)
class _Text:
    """One source file: its digest, and the modules that it imports or names in a call."""

    digest: str
    imports: tuple[str, ...]


class Sources:
    """One look at the sources of a project; each is read once."""

    def __init__(self) -> None:
        self._texts: dict[pathlib.Path, _Text] = {}
        self._paths: dict[str, pathlib.Path | None] = {}

    def of(self, file: pathlib.Path) -> dict[str, str]:
        """The digests of what a lemma file rests on, by name of module; its own by its name."""
        own = self._text(file, "")
        digests, waiting = {file.name: own.digest}, [JUDGE, *own.imports]
        while waiting:
            module = waiting.pop()
            path = self._path(module)
            if path is not None and module not in digests:
                text = self._text(path, module)
                digests[module] = text.digest
                waiting += [*text.imports, module.rpartition(".")[0]]
        return digests

    def _text(self, path: pathlib.Path, module: str) -> _Text:
        if path not in self._texts:
            content = path.read_bytes()
            imports = filter(self._path, _imports_of(content, module))
            self._texts[path] = _Text(hashlib.sha256(content).hexdigest(), tuple(imports))
        return self._texts[path]

    def _path(self, module: str) -> pathlib.Path | None:
        if module not in self._paths:
            self._paths[module] = _path_of(module)
        return self._paths[module]


def _path_of(module: str) -> pathlib.Path | None:
    """The source of a module of a package that is looked into; else None."""
    top, *rest = module.split(".")
    root = _root_of(top) if top else None
    place = None if root is None else root.joinpath(*rest)
    found = () if place is None else (place / "__init__.py", place.with_suffix(".py"))
    return next((path for path in found if path.is_file()), None)


@functools.lru_cache(maxsize=256)
def _root_of(top: str) -> pathlib.Path | None:
    """The folder of pbverify, or of a package that is not installed."""
    if top in sys.stdlib_module_names:
        return None
    spec = importlib.util.find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = pathlib.Path(spec.submodule_search_locations[0])
    installed = pathlib.Path(sysconfig.get_paths()["purelib"])
    return None if top != "pbverify" and folder.is_relative_to(installed) else folder


def _imports(node: ast.AST, module: str) -> Iterator[str]:
    """What a text imports, or names in a call; not what it imports for types alone."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _imported_from(node, module)
        elif isinstance(node, ast.Call):
            yield from filter(_MODULE.fullmatch, _texts(node))
        waiting += (child for child in ast.iter_child_nodes(node) if not _is_for_types(child))


@functools.lru_cache(maxsize=1024)
def _imports_of(content: bytes, module: str) -> tuple[str, ...]:
    """The same for the text of a module, each name once; two looks at one text share it."""
    return tuple(dict.fromkeys(_imports(ast.parse(content), module)))


def _is_for_types(node: ast.AST) -> bool:
    is_name = isinstance(node, ast.If) and isinstance(node.test, ast.Name)
    return is_name and node.test.id == "TYPE_CHECKING"  # type: ignore[attr-defined]


def _imported_from(node: ast.ImportFrom, module: str) -> Iterator[str]:
    """The module, and each name as a module of its own, or where the module has it from."""
    above = module.split(".")[: -node.level] if node.level else []
    base = ".".join([*above, *filter(None, [node.module])])
    yield base
    for alias in node.names:
        yield f"{base}.{alias.name}"
        yield from _homes(base).get(alias.name, ())


@functools.lru_cache(maxsize=1024)
def _homes(package: str) -> Mapping[str, tuple[str, ...]]:
    """Where the names are that a package imports, also on first use (and here for types alone)."""
    path = _path_of(package)
    tree = ast.parse("" if path is None else path.read_bytes())
    return {
        alias.asname or alias.name: (node.module,)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def _texts(call: ast.Call) -> Iterator[str]:
    for part in (*call.args, *(keyword.value for keyword in call.keywords)):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
