"""The rooms of the house, and which of them may import which."""

from __future__ import annotations

import ast
import pathlib
import re
from collections.abc import Iterator

import pytest

PACKAGE = pathlib.Path(__file__).parents[1] / "pbverify"

FORMAT = {"PAPER_SHA256", "__version__"}
"""What every file names, kept in the package's root."""

ROOMS: dict[str, set[str]] = {
    "numerics": {"errors"},
    "files": {"errors", "numerics", *FORMAT},
    "prover": {"errors", "numerics"},
    "claims": {"errors", "numerics", "files", "prover"},
    "search": {"errors", "numerics", "files", "claims"},
    "report": {"errors", "numerics", "files", "claims", *FORMAT},
    "pytest_plugin": {"errors", "numerics", "files", "claims", "report"},
    "cli": {"errors", "files", "prover", "claims", "search", "report", "pytest_plugin", *FORMAT},
    "bandits": {"errors", "numerics", "files", "claims"},
}
"""The machinery and the game, and what each of these rooms may import when it runs."""

SUBJECT_MATTER = ("bandits", "paper", "figures")
MACHINERY = [room for room in ROOMS if room not in SUBJECT_MATTER]


def imports(node: ast.AST, *, types: bool) -> Iterator[str]:
    """What is imported from which room, also inside functions; on request for types alone too."""
    if isinstance(node, ast.ImportFrom):
        assert not node.level, "imports are absolute"
        names = [alias.name for alias in node.names] if node.module == "pbverify" else [""]
        yield from (f"{node.module}.{name}" for name in names)
    elif isinstance(node, ast.Import):
        yield from (f"{alias.name}." for alias in node.names)
    for child in ast.iter_child_nodes(node):
        is_for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        if types or not is_for_types:
            yield from imports(child, types=types)


def rooms_imported(path: pathlib.Path, *, types: bool) -> set[str]:
    """The rooms of the package, or names of its root, that a file imports."""
    found = imports(ast.parse(path.read_text()), types=types)
    return {name.split(".")[1] for name in found if name.startswith("pbverify.")}


@pytest.mark.parametrize(("room", "allowed"), ROOMS.items(), ids=list(ROOMS))
def test_a_room_imports_only_rooms_below_it(room: str, allowed: set[str]) -> None:
    """Without exception, and so without a cycle of rooms."""
    for path in (PACKAGE / room).rglob("*.py"):
        assert rooms_imported(path, types=False) <= {room, *allowed}, path


def test_no_machinery_knows_the_paper() -> None:
    """Neither for a type nor by the name of a module: any paper can be judged."""
    named = re.compile(rf"""["']pbverify\.({"|".join(SUBJECT_MATTER)})\b[\w.]*["']""")
    for path in (path for room in MACHINERY for path in (PACKAGE / room).rglob("*.py")):
        assert not rooms_imported(path, types=True) & set(SUBJECT_MATTER), path
        assert not named.search(path.read_text()), path


def test_the_game_knows_any_learner() -> None:
    """Not the paper, and of the claims no more than a claim about a learner consists of."""
    for path in (PACKAGE / "bandits").rglob("*.py"):
        found = list(imports(ast.parse(path.read_text()), types=True))
        assert not any(re.match(r"pbverify\.(paper|figures)\b", name) for name in found), path
        of_claims = {name for name in found if name.startswith("pbverify.claims")}
        assert of_claims <= {"pbverify.claims.claim.", "pbverify.claims.sort."}, path


def test_the_rows_are_complete() -> None:
    """Every folder of the package is a room of the machinery or subject matter."""
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders == {*MACHINERY, *SUBJECT_MATTER}


def test_only_one_module_makes_generators() -> None:
    """There is one source of chance, and another in the second program, which shares no code."""
    signs = ("default_rng(", "import random", "from random import")
    makers = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if any(sign in path.read_text() for sign in signs)
    }
    names = ("algorithm", "expectations", "judging", "reversal")
    second = {f"paper/second_program/{name}.py" for name in names}
    assert makers == {"numerics/chance.py", *second}


def test_every_module_says_what_it_is() -> None:
    """Each file and each package opens with a docstring."""
    silent = [
        p for p in PACKAGE.rglob("*.py") if ast.get_docstring(ast.parse(p.read_text())) is None
    ]
    assert silent == []
