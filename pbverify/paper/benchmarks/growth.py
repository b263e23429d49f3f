"""CPU seconds of `pytest` on toy papers, against the number of their claims."""

from __future__ import annotations

import math
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence

from pbverify.paper.benchmarks.engine import Measure

SIZES = (10, 100, 1000)
PER_FILE = 10
"""Claims of a toy lemma file, about as many as a real one has."""
REPEATS = 5
"""Runs of each size; the least counts, since other work on the machine only adds."""
MOST = 2.0
"""How many times more a claim may cost in the largest paper than in the middle one."""

_LEMMA = '''"""Small numbers are small."""

import dataclasses

from pbverify import Lemma, Sort, every, leq, says, sharpened


@dataclasses.dataclass(frozen=True)
class Whole:
    value: int

    def witness_fields(self):
        return {"parameters": {"value": self.value}}


def is_small(case):
    yield leq(case.value, 3, n=case.value)


WHOLES = Sort("whole number", lambda fields: Whole(int(fields["parameters"]["value"])), Whole)
LEMMA = Lemma(
    "NAME",
    *(
        says("n <= 3", is_small, step=f"step-{step}", stronger=sharpened(by=1))
        for step in range(STEPS)
    ),
    about=WHOLES,
    by=every(lambda: map(Whole, range(4)), count=4, scope="n < 4"),
)
'''
_ROW = '[[claim]]\nid = "{}"\nkind = "combinatorial"\nexpected = {{ any = "HOLDS" }}\n'


def growth_measures(
    report: Callable[[str], None], *, sizes: Sequence[int] = SIZES, repeats: int = REPEATS
) -> list[Measure]:
    """CPU seconds of each toy paper; how much more a claim costs in the last than before it."""
    found = dict.fromkeys(sizes, math.inf)
    for number in range(1, repeats + 1):
        for claims in sizes:
            report(f"{claims:,} claims, run {number} of {repeats}")
            found[claims] = min(found[claims], seconds_of(claims))
    rows = [Measure(f"{claims:,} claims", spent, "CPU s") for claims, spent in found.items()]
    return [*rows, Measure("cost of one more claim, last against before", ratio(found), "x", MOST)]


def ratio(seconds: dict[int, float]) -> float:
    """What one more claim costs in the last step of sizes, against the step before it.

    The start of the process is in all sizes alike and drops out. The ratio is infinite if the
    seconds do not grow in the step before: then their differences are noise.
    """
    (a, first), (b, second), (c, third) = list(seconds.items())[-3:]
    before = (second - first) / (b - a)
    return (third - second) / (c - b) / before if before > 0 else math.inf


def seconds_of(claims: int) -> float:
    """CPU seconds of a process that judges a toy paper of so many claims."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "lemmas"
        write_paper(folder, claims)
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
        before = os.times()
        done = subprocess.run(
            [*command, "--profile", "quick", "lemmas"],
            cwd=name,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
            capture_output=True,
            text=True,
            check=False,
        )
        after = os.times()
    if done.returncode or f"{2 * claims} passed" not in done.stdout:
        raise RuntimeError(f"Expected {2 * claims} checks to pass but got\n{done.stdout[-2000:]}")
    return (after.children_user + after.children_system) - (
        before.children_user + before.children_system
    )


def write_paper(folder: pathlib.Path, claims: int) -> None:
    """A register and lemma files with so many claims."""
    folder.mkdir(parents=True)
    rows = []
    for number, start in enumerate(range(0, claims, PER_FILE)):
        steps = min(PER_FILE, claims - start)
        text = _LEMMA.replace("NAME", f"small-{number}").replace("STEPS", str(steps))
        (folder / f"lemma_small_{number}.py").write_text(text, encoding="utf-8")
        rows += [_ROW.format(f"small-{number}/step-{step}") for step in range(steps)]
    (folder / "paper.toml").write_text("\n".join(rows), encoding="utf-8")
