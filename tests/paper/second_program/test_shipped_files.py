"""The second program as a report ships it: a folder and its launcher, without pbverify."""

from __future__ import annotations

import ast
import json
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from pbverify.paper.second_program import LAUNCHER, shipped_files
from pbverify.paper.second_program.claims import CLAIMS
from pbverify.paper.second_program.expectations import EXPECTATIONS
from pbverify.report import write

FOLDER = "second_program"
KNOWN = {
    "format": "pbverify/witness-1",
    "claim": "corollary/linear-total-delay/delayed",
    "reading": None,
    "parameters": {"delays": [1, 1]},
    "where": {"outstanding": "most"},
    **{"lhs": "1", "rhs": "0", "margin": "1"},
}


@pytest.fixture
def shipped(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder like that of a report, with one witness in it."""
    folder = tmp_path / "pages"
    write(folder, shipped_files())
    (folder / "witnesses").mkdir()
    (folder / "witnesses" / "known.json").write_text(json.dumps(KNOWN))
    return folder


def run(
    script: pathlib.Path | str, *arguments: str, cwd: pathlib.Path, options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *options, str(script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


@pytest.mark.parametrize("options", [(), ("-I",), ("-I", "-S")])
def test_it_runs_from_another_directory(
    shipped: pathlib.Path, tmp_path: pathlib.Path, options: tuple[str, ...]
) -> None:
    """Without arguments it checks the witnesses beside the launcher, wherever it is started."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for script in (shipped / LAUNCHER, f"../pages/{LAUNCHER}"):
        done = run(script, cwd=elsewhere, options=options)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == (
            "known.json: CONFIRMED      lhs <= rhs fails: lhs = 1, rhs = 0, margin = 1\n"
            "1 witnesses: 1 confirmed\n"
        )


def test_named_files_are_those_of_the_current_directory(
    shipped: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """With arguments it checks these files alone, and the exit code is that of the worst."""
    (tmp_path / "new.json").write_text(json.dumps({**KNOWN, "claim": "new"}))
    for names, code in ((["new.json"], 3), (["new.json", "none.json"], 2)):
        done = run(shipped / LAUNCHER, *names, cwd=tmp_path, options=("-I",))
        assert (done.returncode, done.stderr) == (code, "")
        lines = done.stdout.splitlines()
        assert [line.split(":")[0] for line in lines] == [*names, f"{len(names)} witnesses"]


def test_it_explains_itself(shipped: pathlib.Path) -> None:
    """--help prints how to use the program, its words and its exit codes."""
    done = run(shipped / LAUNCHER, "--help", cwd=shipped, options=("-I",))
    assert done.returncode == 0
    for word in ("CONFIRMED", "REPLICATED", "Exit code: 0", "check_witnesses.py FILE..."):
        assert word in done.stdout


def test_a_report_with_unknown_claims_is_healthy(shipped: pathlib.Path) -> None:
    """A witness that the program does not compute is counted, and the exit code stays 0."""
    (shipped / "witnesses" / "new.json").write_text(json.dumps({**KNOWN, "claim": "new"}))
    done = run(shipped / LAUNCHER, cwd=shipped, options=("-I",))
    assert done.returncode == 0
    words = "2 witnesses: 1 confirmed, 1 of claims that this program does not compute"
    assert done.stdout.splitlines()[-1] == words


def test_a_check_leaves_the_report_as_it_is(shipped: pathlib.Path) -> None:
    """No file appears in the folder of the report, and none changes."""
    before = {path: path.read_bytes() for path in shipped.rglob("*") if path.is_file()}
    run(shipped / LAUNCHER, cwd=shipped)
    assert {path: path.read_bytes() for path in shipped.rglob("*") if path.is_file()} == before


def test_a_launcher_alone_says_what_it_needs(shipped: pathlib.Path) -> None:
    """Without the folder beside it there is one line and the exit code of an unreadable file."""
    shutil.rmtree(shipped / FOLDER)
    done = run(shipped / LAUNCHER, cwd=shipped, options=("-I",))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "The folder second_program is expected beside check_witnesses.py.\n"


def imported(text: str) -> Iterator[tuple[int, str]]:
    """(level, name) of each import of a file, wherever it stands; level 1 is its own folder."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.level, node.module
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.level, alias.name) for alias in node.names)


def test_it_shares_no_code() -> None:
    """Every file imports a few modules of the standard library, and files of its folder."""
    files = {name: content.decode() for name, content in shipped_files().items()}
    own = {pathlib.PurePosixPath(name).stem for name in files if name != LAUNCHER}
    standard = {
        *("__future__", "collections.abc", "dataclasses", "decimal", "fractions", "functools"),
        *("itertools", "json", "math", "os", "pathlib", "random", "re", "sys", "typing"),
    }
    for name, text in files.items():
        assert "pbverify." not in text, name
        allowed = standard | {"importlib"} if name == LAUNCHER else standard
        for level, module in imported(text):
            assert level <= 1, name
            assert module in (own if level else allowed), name
    assert re.findall(r'import_module\("([\w.]+)"', files[LAUNCHER]) == [f"{FOLDER}.__main__"]
    assert {module.split(".")[0] for module in standard} <= sys.stdlib_module_names


def test_every_claim_is_found_by_its_name() -> None:
    """The launcher's advice works: a claim's id, or its last part, stands in some file."""
    text = b"".join(shipped_files().values()).decode()
    for id in CLAIMS.keys() | EXPECTATIONS.keys():
        assert f'"{id}"' in text or f'/{id.rpartition("/")[2]}"' in text, id
