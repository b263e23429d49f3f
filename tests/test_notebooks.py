"""The notebooks run, stay in step with their plain text, and hold no mathematics of their own."""

from __future__ import annotations

import ast
import pathlib
from typing import Any

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = pathlib.Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
WIDGET, PNG = "application/vnd.jupyter.widget-view+json", "image/png"
STRICT = "import warnings\nwarnings.simplefilter('error')"
names = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: pathlib.Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def code_of(path: pathlib.Path) -> str:
    cells = read(path).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def test_all_six_are_there() -> None:
    """In reading order."""
    stems = ["01_tour", "02_bounds", "03_counterexamples", "04_lower_bound", "05_experiment"]
    stems.append("06_rate")
    assert [path.stem for path in NOTEBOOKS] == stems


@names
def test_pairs_are_in_step(path: pathlib.Path) -> None:
    """Cell by cell; `jupytext --sync notebooks/*.ipynb` repairs a difference."""
    notebook = read(path)
    text = jupytext.read(path.with_suffix(".py"))
    assert [(cell.cell_type, cell.source) for cell in notebook.cells] == [
        (cell.cell_type, cell.source) for cell in text.cells
    ]


@names
def test_outputs_are_stripped(path: pathlib.Path) -> None:
    """Nothing computed lies in the repository."""
    notebook = read(path)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") for cell in notebook.cells)
    assert all(cell.get("execution_count") is None for cell in notebook.cells)


@names
def test_notebooks_define_nothing(path: pathlib.Path) -> None:
    """They import pbverify alone, define no function and compute with no operator."""
    nodes = list(ast.walk(ast.parse(code_of(path))))
    imported = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    assert all(module.startswith("pbverify.figures.notebook") for module in imported)
    plain = [ast.unparse(node) for node in nodes if isinstance(node, ast.Import)]
    assert plain == ["import pbverify as pb"]
    forbidden = (ast.BinOp, ast.FunctionDef, ast.ClassDef, ast.Lambda)
    assert not [node for node in nodes if isinstance(node, forbidden)]


def test_notebooks_use_the_public_functions() -> None:
    """Together they judge, show, run, replay and prove, under the names that the README gives."""
    code = "\n".join(map(code_of, NOTEBOOKS))
    for name in ("judge", "show", "run", "replay", "prove"):
        assert f"pb.{name}(" in code, name


@names
def test_every_title_is_linked(path: pathlib.Path) -> None:
    """A notebook begins with its title, and links lead to notebooks that exist."""
    cells = read(path).cells
    assert cells[0].source.startswith("# ")
    text = "\n".join(cell.source for cell in cells)
    linked = [part.split(")")[0] for part in text.split("](")[1:]]
    assert all((FOLDER / name).is_file() for name in linked)


def executed(path: pathlib.Path) -> list[Any]:
    """The outputs of all cells, with warnings as errors."""
    notebook = read(path)
    strict = nbformat.v4.new_code_cell(STRICT)  # type: ignore[no-untyped-call]
    notebook.cells.insert(0, strict)
    resources = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources)
    client.execute()
    return [output for cell in notebook.cells for output in cell.get("outputs", ())]


def is_progress(output: Any) -> bool:
    """Whether it is a progress bar, which is gone when its work is done."""
    return bool(output.data.get("text/plain") == "Output()")


@names
def test_notebooks_run(path: pathlib.Path) -> None:
    """Top to bottom, nothing printed, every scene with sliders complete without them."""
    outputs = executed(path)
    assert {output.output_type for output in outputs} <= {"display_data", "execute_result"}
    pictures = [output for output in outputs if PNG in output.data]
    scenes = [output for output in outputs if WIDGET in output.data and not is_progress(output)]
    assert len(pictures) >= code_of(path).count("explore(") + 3
    assert len(scenes) == code_of(path).count("explore(")
    assert all(PNG in scene.data for scene in scenes)
