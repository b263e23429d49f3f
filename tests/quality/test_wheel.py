"""A built wheel works without the source tree, the paper's lemma files included."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the content of the wheel, and nothing else of ours."""
    for needed in ("hatchling", "pip"):
        pytest.importorskip(needed)
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-build-isolation", "--no-deps", "--quiet", "-w", str(folder), str(ROOT)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options], check=True)
    [wheel] = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def pbverify(site: pathlib.Path, cwd: pathlib.Path, *arguments: str) -> str:
    """Standard output of a command that sees the wheel's content first."""
    done = subprocess.run(
        [sys.executable, "-m", "pbverify", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_help_and_claims_run_from_the_wheel(
    installed: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """In an empty folder the commands teach, and know the paper's claims."""
    assert pbverify(installed, tmp_path, "--help").startswith("Usage")
    assert "delayed-mass" in pbverify(installed, tmp_path, "claims")
    assert list(tmp_path.iterdir()) == []


def test_new_claim_runs_from_the_wheel(installed: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The templates of lemma file and row are shipped."""
    assert "wrote lemmas/lemma_mine.py" in pbverify(installed, tmp_path, "new-claim", "mine")
    assert "mine" in pbverify(installed, tmp_path, "claims", "--lemmas", "lemmas")


def test_only_the_package_ships(installed: pathlib.Path) -> None:
    """One top-level package, typed, with its schemas and its lemma files; no tests."""
    names = {path.name for path in installed.iterdir()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"pbverify"}
    lemmas = {path.name for path in (ROOT / "lemmas").iterdir() if path.is_file()}
    assert {path.name for path in (installed / "pbverify" / "_lemmas").iterdir()} >= lemmas
    assert (installed / "pbverify" / "py.typed").is_file()
    assert not list(installed.rglob("test_*.py"))
