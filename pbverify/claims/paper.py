"""A paper as the machinery sees it: its readings, its second program, its pictures, its commands.

The register of a folder of lemma files names the paper in its table `[paper]`. The table may hold
everything that is plain data; a `package` adds what is code. `package = "."` is the folder itself.

    [paper]
    title = "Merging sorted lists"
    readings = ["stable", "any order"]
    package = "merging"            # whose `PAPER` is a `Paper`
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.metadata
import importlib.util
import pathlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pbverify.errors import FileError, InputError

if TYPE_CHECKING:
    from markupsafe import Markup

    from pbverify.claims.verdict import Witness

ANY = "any"
"""The reading of a claim that concerns none."""

PAPERS = "pbverify.papers"
"""Entry points that name the `PAPER` of a package, for its commands."""

TABLE = ("title", "sha256", "readings", "package")
"""What the table `[paper]` may hold."""


@dataclasses.dataclass(frozen=True)
class SecondProgram:
    """A program that computes witnesses again and shares no code with the first."""

    examine: Callable[[bytes], tuple[str, str]]
    """From the bytes of a witness file: CONFIRMED, REPLICATED, NOT CONFIRMED or UNKNOWN CLAIM, and
    why."""
    files: Callable[[], Mapping[str, bytes]]
    """The program itself, as a report ships it."""


@dataclasses.dataclass(frozen=True)
class Told:
    """A witness in words, for people."""

    sentences: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """Names and values."""
    columns: tuple[str, ...] = ()
    rounds: tuple[tuple[str, ...], ...] = ()
    """What happens, from the first round to the last, in rows of those columns."""
    is_limit: bool = False
    """Whether it compares orders of growth, so that its two sides are no numbers."""


class Drawing(Protocol):
    """A picture that pages and LaTeX files can show."""

    def svg(self, *, alone: bool = False) -> Markup:
        """For a page whose style sheet knows it, or as a file of its own."""

    def tikz(self) -> str:
        """For a LaTeX file."""


@dataclasses.dataclass(frozen=True)
class Pictures:
    """How witnesses are drawn: columns when they are filed, pictures when a report is written."""

    columns: Callable[[Witness], Mapping[str, Any] | None]
    known: Sequence[Sequence[str]]
    """The columns that a picture may have."""
    draw: Callable[[Witness, Mapping[str, Any]], list[Markup]]
    tell: Callable[[Witness], Told | None] = lambda witness: None
    mechanism: Callable[[str], Drawing | None] = lambda name: None
    """The drawing that a finding names: why its statement fails."""


@dataclasses.dataclass(frozen=True)
class Command:
    """A command of the command line, imported when it is called."""

    name: str
    target: str
    """`module:name` of a function or of a group of commands."""
    line: str
    """What the list of commands says of it."""


@dataclasses.dataclass(frozen=True)
class Paper:
    """What is known of a paper; everything is optional."""

    title: str = ""
    sha256: str = ""
    """Digest of the text that is judged."""
    readings: tuple[str, ...] = ()
    own_readings: tuple[str, ...] = ()
    """Those that the paper does not print."""
    options: Callable[[str], Mapping[str, object]] | None = None
    """The options of a reading, by its name, as a witness writes them."""
    second_program: SecondProgram | None = None
    pictures: Pictures | None = None
    faults: Callable[[], Mapping[str, Any]] | None = None
    """Which claim notices which planted mistake in the paper's algorithm, for the report."""
    commands: Sequence[Command] = ()
    """The paper's own commands, in the order of `pbverify --help`."""

    @property
    def all_readings(self) -> tuple[str, ...]:
        """The readings, and the word for claims that concern none."""
        return (ANY, *self.readings)

    def to_json(self) -> dict[str, object]:
        """What a file of claims says of the paper."""
        readings = {name: list(getattr(self, name)) for name in ("readings", "own_readings")}
        return {"title": self.title, "sha256": self.sha256, **readings}


NO_PAPER = Paper()


def installed_papers() -> list[Paper]:
    """The papers that installed packages offer, by name of entry point."""
    points = sorted(importlib.metadata.entry_points(group=PAPERS), key=lambda point: point.name)
    return [point.load() for point in points]


def paper_of(table: Any, *, folder: pathlib.Path) -> Paper:
    """The paper that the table `[paper]` of the register in a folder names."""
    if not isinstance(table, dict) or not table.keys() <= set(TABLE):
        raise InputError(f"a table with some of {', '.join(TABLE)}", "paper", table)
    for name in ("title", "sha256", "package"):
        if not isinstance(table.get(name, ""), str):
            raise InputError("text", f"paper.{name}", table[name])
    readings = table.get("readings", [])
    if not isinstance(readings, list) or not all(isinstance(name, str) for name in readings):
        raise InputError("a list of names", "paper.readings", readings)
    given = {key: value for key, value in table.items() if key in ("title", "sha256")}
    if readings:
        given["readings"] = tuple(readings)
    base = _imported(table["package"], folder) if "package" in table else NO_PAPER
    return dataclasses.replace(base, **given)


def _imported(package: str, folder: pathlib.Path) -> Paper:
    try:
        module = _folder_itself(folder) if package == "." else importlib.import_module(package)
        paper = module.PAPER
    except (ImportError, AttributeError, ValueError) as error:
        raise FileError(f"The paper's package {package} has no PAPER: {error}.") from error
    if not isinstance(paper, Paper):
        raise FileError(f"PAPER of the package {package} is not a Paper.")
    return paper


def _folder_itself(folder: pathlib.Path) -> Any:
    """The folder as a package of its own name, so that its lemma files can import it."""
    name, path = folder.name, folder / "__init__.py"
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == str(path):
        return known
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None or not path.is_file():
        raise FileError(f"The folder {folder} is no package: it has no __init__.py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
