"""How many small faults in engine and checkers do their own tests notice?

    python tests/quality/mutate.py [--sample 30] [--seed 1] [--module pbverify/claims/judging.py]

Faults are cosmic-ray's (another operator, number, comparison, exception; a decorator or a branch
less), one per place in the code, drawn with a fixed seed. Each is planted in a copy of the tree,
where the module's tests run in a forked process until the first one fails. Faults in annotations
are left out, since nothing evaluates them. Prints a table and each fault that nobody noticed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import importlib
import itertools
import os
import pathlib
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator

import cosmic_ray.mutating
import cosmic_ray.plugins
import parso  # noqa: F401  (cosmic-ray's operators load only after it)
from cosmic_ray.ast import ast_nodes, get_ast_from_path

from pbverify.claims.time_limit import within

ROOT = pathlib.Path(__file__).parents[2]
PACKAGE: dict[str, list[str]] = {
    **{
        f"{folder}/{name}": [f"{folder}/test_{name}"]
        for folder, names in {
            "numerics": ("confidence", "exact"),
            "claims": (
                *("bounds", "claim", "judging", "register", "replay", "strengthenings", "verdict"),
            ),
            "bandits": ("delays", "mirror_maps"),
            "paper/algorithm": ("schedule",),
            "paper/cases": ("all_paths", "phase", "run", "run_outline"),
            "paper/proofs": ("bounds_in_expectation", "bounds_on_every_path"),
            "paper/lower_bound": ("buckets", "growth", "proof_steps", "simulation"),
        }.items()
        for name in names
    },
    "numerics/arithmetic": ["numerics/test_arithmetic", "numerics/test_exact"],
    "numerics/truth": ["numerics/test_exact"],
    "prover/inequalities/algebra": ["prover/inequalities/test_rules"],
    "prover/inequalities/interval": ["prover/inequalities/test_enclosures"],
    "bandits/simulate": ["bandits/test_simulate", "paper/algorithm/test_engine"],
    "paper/algorithm/engine": ["paper/algorithm/test_engine", "paper/cases/test_all_paths"],
    "paper/algorithm/banker": [
        "paper/algorithm/test_banker",
        "paper/algorithm/test_prudent_banker",
    ],
    "paper/algorithm/delay_sum": ["paper/algorithm/test_schedule"],
    "paper/algorithm/ledger": ["paper/algorithm/test_banker"],
    "paper/algorithm/prudent_banker": [
        *("paper/algorithm/test_prudent_banker", "quality/test_oracle"),
    ],
    "paper/algorithm/trace": ["paper/algorithm/test_prudent_banker"],
    "paper/cases/banker_game": ["paper/cases/test_all_paths"],
    "paper/cases/mirror_step": ["paper/cases/test_phase"],
    "paper/cases/undelayed_stage": ["paper/cases/test_run_outline"],
    "paper/proofs/phase_costs": ["paper/proofs/test_phase_sums"],
    "paper/lower_bound/quantities": ["paper/lower_bound/test_games"],
}
"""Engine and checkers of the package, and the tests of their theme."""

CHECKERS = (
    *("lemma_delayed_mass", "lemma_doubling_estimate", "lemma_greedy_buckets"),
    *("lemma_banker_ledger", "lemma_banker_pathwise", "lemma_missing_feedback"),
    *("lemma_normal_steps", "lemma_extinction_steps", "lemma_regularity", "lemma_delay_to_batch"),
    *("lemma_batched_lower_bound", "theorem_global_safety", "theorem_upper_rate"),
)
"""Lemma files: a fault must change a verdict, or leave a stronger claim standing."""


def tests_of(name: str) -> list[str]:
    """The lemma file itself, and the unit tests of its claims if there are any."""
    tests = pathlib.Path("tests", "lemmas", f"test_{name.partition('_')[2]}.py")
    found = [str(tests)] if (ROOT / tests).is_file() else []
    return [f"lemmas/{name}.py", "--profile=quick", *found]


TESTS: dict[str, list[str]] = {
    **{f"pbverify/{name}.py": [f"tests/{test}.py" for test in PACKAGE[name]] for name in PACKAGE},
    **{f"lemmas/{name}.py": tests_of(name) for name in CHECKERS},
}
"""What to run for a fault in a file."""

EQUIVALENT = (
    "core/RemoveDecorator",  # a static method is called through its class here, with or without
    "core/ReplaceComparisonOperator_Is_Eq",  # enumerations and None: the same
    "core/ReplaceComparisonOperator_IsNot_NotEq",
)
"""Faults that are none in this code, left out."""

Place = tuple[tuple[int, int], tuple[int, int]]
Fault = tuple[str, int]


def faults(path: pathlib.Path) -> dict[Place, list[Fault]]:
    """Operator and occurrence of every possible fault, by place in the code."""
    tree, hidden = get_ast_from_path(path), list(_annotations(path))
    found: dict[Place, list[Fault]] = {}
    for name in sorted(cosmic_ray.plugins.operator_names()):
        operator = cosmic_ray.plugins.get_operator(name)
        if operator.arguments() or name in EQUIVALENT:
            continue
        places = (at for node in ast_nodes(tree) for at in operator().mutation_positions(node))
        for occurrence, (start, end) in enumerate(places):
            if not any(a <= start and end <= b for a, b in hidden):
                found.setdefault((start, end), []).append((name, occurrence))
    return found


def _annotations(path: pathlib.Path) -> Iterator[Place]:
    for node in ast.walk(ast.parse(path.read_text())):
        for name in ("annotation", "returns"):
            part = getattr(node, name, None)
            if isinstance(part, ast.expr):
                assert part.end_lineno is not None
                assert part.end_col_offset is not None
                yield (part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)


def planted(sound: str, fault: Fault) -> str:
    """The code with the fault."""
    name, occurrence = fault
    operator = cosmic_ray.plugins.get_operator(name)()
    return str(cosmic_ray.mutating.mutate_code(sound, operator, occurrence))


def sampled(path: pathlib.Path, *, sample: int, seed: int) -> list[Fault]:
    """One fault in each of so many places; what is no Python any more is no fault to notice."""
    chance, places, sound = random.Random(seed), faults(path), path.read_text()
    order = chance.sample(sorted(places), len(places))
    drawn = (chance.choice(places[place]) for place in order)
    return list(itertools.islice((f for f in drawn if _compiles(planted(sound, f))), sample))


def _compiles(code: str) -> bool:
    with contextlib.suppress(SyntaxError):
        ast.parse(code)
        return True
    return False


def is_noticed(copy: pathlib.Path, tests: list[str], *, seconds: float) -> bool:
    """Whether the tests fail, or no longer end, over the copy as it is."""

    def run() -> bytes:
        for name in [name for name in sys.modules if name.split(".")[0] == "pbverify"]:
            del sys.modules[name]
        os.chdir(copy)
        sys.path.insert(0, str(copy))
        import pytest

        options = ["-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib"]
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            return str(int(pytest.main([*options, *tests]))).encode()

    return within(seconds, run) != b"0"


def survivors(
    copy: pathlib.Path, module: str, chosen: list[Fault], *, seconds: float
) -> Iterator[str]:
    """A diff for each fault that the module's tests do not notice."""
    path, tests = copy / module, TESTS[module]
    sound = path.read_text()
    if is_noticed(copy, tests, seconds=seconds):
        raise SystemExit(f"The tests of {module} fail without a fault, or need more time.")
    for fault in chosen:
        faulty = planted(sound, fault)
        path.write_text(faulty)
        if not is_noticed(copy, tests, seconds=seconds):
            lines = difflib.unified_diff(sound.splitlines(), faulty.splitlines(), n=0, lineterm="")
            yield f"{module} {fault[0]}\n" + "\n".join(list(lines)[2:])
    path.write_text(sound)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", action="append", help="a file (default: all of them)")
    parser.add_argument("--sample", type=int, default=30, help="faults per module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120, help="limit of one run of tests")
    given = parser.parse_args()
    sys.dont_write_bytecode = True
    for name in ("flint", "numba", "scipy.special", "sympy"):
        importlib.import_module(name)  # once, not for every fault
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "tree"
        ignored = shutil.ignore_patterns("__pycache__", ".*")
        shutil.copytree(ROOT, copy, ignore=ignored)
        for module in given.module or TESTS:
            chosen = sampled(copy / module, sample=given.sample, seed=given.seed)
            left = list(survivors(copy, module, chosen, seconds=given.seconds))
            lines = [f"{module}: {len(chosen) - len(left)} of {len(chosen)} noticed", *left]
            sys.stdout.write("\n".join(lines) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
