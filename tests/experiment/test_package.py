"""The package says what its modules are for."""

from __future__ import annotations

import pathlib

import pbverify.experiment


def test_the_docstring_names_every_module() -> None:
    """A reader finds each module in the overview."""
    folder = pathlib.Path(pbverify.experiment.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    overview = pbverify.experiment.__doc__ or ""
    assert {name for name in modules if f"`{name}`" not in overview} == set()
