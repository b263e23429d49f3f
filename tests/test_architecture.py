"""The rooms of the house, and which of them may import which."""

from __future__ import annotations

import ast
import pathlib

PACKAGE = pathlib.Path(__file__).parents[1] / "pbverify"


def test_only_simulate_makes_generators() -> None:
    """There is one source of chance, and another in the second program, which shares no code."""
    signs = ("default_rng(", "import random", "from random import")
    makers = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if any(sign in path.read_text() for sign in signs)
    }
    second = {
        f"paper/second_program/{name}.py" for name in ("algorithm", "expectations", "judging")
    }
    assert makers == {"numerics/chance.py", *second}


def test_every_module_says_what_it_is() -> None:
    """Each file and each package opens with a docstring."""
    silent = [
        p for p in PACKAGE.rglob("*.py") if ast.get_docstring(ast.parse(p.read_text())) is None
    ]
    assert silent == []
