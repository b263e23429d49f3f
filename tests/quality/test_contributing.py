"""Every template of CONTRIBUTING.md runs as it is printed, and is judged as its row expects."""

from __future__ import annotations

import pathlib
import re

import pytest

import pbverify
from pbverify.claims.claim import Kind
from pbverify.claims.library import PATTERNS, REGISTER
from pbverify.claims.register import Register

TEXT = (pathlib.Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()
PAPER = re.findall(r"```toml\n(\[paper\]\n.*?)```", TEXT, flags=re.DOTALL)
TEMPLATES = {
    file: (code, rows)
    for file, code, rows in re.findall(
        r"^### [^\n]*: `(\w+\.py)`\n[^#]*?```python\n(.*?)```\n\n```toml\n(.*?)```",
        TEXT,
        flags=re.DOTALL | re.MULTILINE,
    )
}


def written(folder: pathlib.Path, file: str) -> pathlib.Path:
    """A folder of lemma files that holds one template."""
    code, rows = TEMPLATES[file]
    (folder / file).write_text(code)
    (folder / REGISTER).write_text(f"{PAPER[0]}\n{rows}")
    return folder


@pytest.mark.parametrize("file", TEMPLATES)
def test_a_template_is_judged_as_expected(file: str, tmp_path: pathlib.Path) -> None:
    """In the quick profile, with no complaint and a stronger form for what holds."""
    judged = pbverify.judge(lemmas=written(tmp_path, file), profile="quick")
    rows = Register.load(tmp_path / REGISTER).rows
    assert judged.complaints == ()
    assert {verdict.claim for verdict in judged} == set(rows)
    for verdict in judged:
        row = rows[verdict.claim]
        assert verdict.outcome is row.expected[verdict.reading]
        if verdict.outcome is pbverify.Outcome.HOLDS and row.kind is not Kind.RATE:
            assert verdict.stronger, "a limit attains no bound; all else has a stronger form"


def test_no_code_is_left_out() -> None:
    """Every block of Python in the document is a template, of five kinds and with two provers."""
    assert len(TEMPLATES) == TEXT.count("```python\n") == 6
    assert all(any(map(pathlib.PurePath(file).match, PATTERNS)) for file in TEMPLATES)
    rows = "".join(rows for _, rows in TEMPLATES.values())
    kinds = re.findall(r'^kind = "(.*)"$', rows, flags=re.MULTILINE)
    assert kinds == ["closed-form", *["combinatorial"] * 2, "pathwise", "expectation", "rate"]
