"""The layers of the design, as data, and that the imports respect them."""

from __future__ import annotations

import ast
import pathlib

import pytest

PACKAGE = pathlib.Path(__file__).parents[1] / "pbverify"

LAYERS: dict[str, int] = {
    "errors": 0,
    "schemas": 0,
    "numerics": 1,
    "files": 1,
    "drawing": 0,
    "inference": 1,
    "markup": 1,
    "formulas": 1,
    "prover": 1,
    "fields": 1,
    "reals": 2,
    "menus": 2,
    "delays": 2,
    "delay_models": 2,
    "estimates": 2,
    "loss_patterns": 2,
    "comparators": 2,
    "instance": 2,
    "regularizers": 2,
    "algorithms": 2,
    "windows": 2,
    "buckets": 2,
    "trace": 3,
    "simulate": 3,
    "kernels": 3,
    "batched": 3,
    "chain": 4,
    "rates": 4,
    "runs": 4,
    "accounts": 4,
    "skeletons": 4,
    "stretches": 4,
    "long_games": 4,
    "ensemble_certificates": 4,
    "adversaries": 4,
    "global_families": 5,
    "mirror_steps": 4,
    "samples": 4,
    "ensembles": 4,
    "mirror_descent": 4,
    "run_families": 5,
    "adversarial_runs": 5,
    "certain_runs": 5,
    "normal_samples": 5,
    "tight_runs": 5,
    "exit_games": 5,
    "exit_bounds": 4,
    "phase_terms": 4,
    "certificates": 4,
    "banker_games": 4,
    "claims": 4,
    "verdict": 4,
    "register": 4,
    "audit": 4,
    "profiles": 4,
    "check": 5,
    "library": 5,
    "mutant_notes": 5,
    "claim_mutants": 5,
    "bound_mutants": 5,
    "bounds": 5,
    "ablation": 5,
    "ablation_families": 5,
    "hidden_arms": 5,
    "adaptive_families": 5,
    "adaptive_games": 4,
    "free_subjects": 4,
    "free_studies": 5,
    "minimise": 5,
    "replay": 5,
    "verdict_files": 5,
    "strategies": 5,
    "strategies_lower": 5,
    "study_families": 5,
    "census": 5,
    "search": 5,
    "closed_form": 5,
    "best_constants": 5,
    "rate_claims": 5,
    "table": 6,
    "differences": 6,
    "plots": 6,
    "plots_buckets": 6,
    "plots_style": 6,
    "plots_runs": 6,
    "plots_bounds": 6,
    "plots_witnesses": 6,
    "plots_lower": 6,
    "plots_experiment": 6,
    "report": 6,
    "plays": 5,
    "register_update": 5,
    "scaffold": 5,
    "summary": 5,
    "time_limit": 1,
    "timed_tests": 7,
    "session": 7,
    "pytest_plugin": 7,
    "evidence": 7,
    "publish": 7,
    "bench": 7,
    "experiment": 7,
    "gallery": 7,
    "campaign": 7,
    "cli": 7,
}
"""A module may import from its own layer and from lower ones."""

NARROW: dict[str, set[str]] = {
    "errors": set(),
    "time_limit": {"errors"},
    "numerics": {"errors"},
    "files": {"errors"},
    "regularizers": {"errors", "numerics", "formulas"},
    "algorithms": {"errors", "numerics", "formulas", "regularizers"},
    "table": {"errors", "verdict", "formulas"},
    "markup": set(),
    "plots": {"markup"},
    "plots_style": set(),
    "plots_buckets": {"plots_style"},
    "plots_runs": {"plots_style"},
    "plots_bounds": {"plots_style"},
    "plots_lower": {"plots_style"},
    "plots_experiment": {"plots_style"},
    "plots_witnesses": {"plots_style", "plots_runs"},
    "differences": {"errors", "fields", "files", "verdict"},
    "report": {"errors", "verdict", "formulas", "files", "markup", "plots"},
}
"""Modules that may import less than their layer would allow: a learner never sees an instance."""


def modules() -> list[str]:
    files = [path for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()]
    names = {path.stem for path in files if not path.name.startswith(("_", "py.typed"))}
    return sorted(names)


def imports_of(module: str) -> set[str]:
    path = PACKAGE / module
    files = sorted(path.rglob("*.py")) if path.is_dir() else [PACKAGE / f"{module}.py"]
    found = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= _package_parts(node)
    return found - {module}


def _package_parts(node: ast.ImportFrom) -> set[str]:
    parts = (node.module or "").split(".")
    if parts[0] != "pbverify":
        return set()
    if len(parts) > 1:
        return {parts[1]}
    return {alias.name for alias in node.names if alias.name.islower() and alias.name[0] != "_"}


def test_every_module_has_a_layer() -> None:
    """The table of layers names exactly the modules that exist."""
    assert set(modules()) == set(LAYERS)


@pytest.mark.parametrize("module", modules())
def test_imports_respect_the_layers(module: str) -> None:
    """No module imports from a higher layer, or more than its narrow list allows."""
    imported = imports_of(module)
    assert {name for name in imported if LAYERS[name] > LAYERS[module]} == set()
    if module in NARROW:
        assert imported <= NARROW[module]


def test_only_simulate_makes_generators() -> None:
    """There is one source of chance, and another in the checker, which shares no code."""
    signs = ("default_rng(", "import random", "from random import")
    makers = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if any(sign in path.read_text() for sign in signs)
    }
    assert makers == {"bandits/simulate.py", "paper/second_program/checker.py"}


def test_tests_mirror_modules() -> None:
    """Each module has its file of tests, each file of tests its module, or a part of its tests."""
    tests = pathlib.Path(__file__).parent
    code = {
        path.relative_to(PACKAGE).with_name(f"test_{path.name}")
        for path in PACKAGE.rglob("*.py")
        if not path.name.startswith("_")
    }
    packages = {path.parent for path in PACKAGE.rglob("__init__.py")} - {PACKAGE}
    own = {pathlib.Path(f"test_{name}.py") for name in ("architecture", "lemmas", "notebooks")}
    own |= {p.relative_to(PACKAGE) / "test_package.py" for p in packages}
    found = {p.relative_to(tests) for p in tests.rglob("test_*.py") if "quality" not in p.parts}
    assert code - found == set()
    parts = {p for p in found for c in code if p.match(str(c.with_name(f"{c.stem}_*.py")))}
    assert found - code - own - parts == set()
