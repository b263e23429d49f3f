"""Any command line ends with exit code 0, 1, 2 or 3, and a mistake costs one line."""

from __future__ import annotations

import contextlib
import io
import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbverify.cli import COMMANDS as OWN
from pbverify.cli import execute
from pbverify.cli.groups import imported
from pbverify.paper import PAPER

COMMANDS: dict[str, Any] = {each.name: imported(each) for each in (*OWN, *PAPER.commands)}
LONG = {"verify", "bench", "campaign", "experiment"}
"""Commands whose work takes long: here they are only given mistakes."""

EXAMPLES = 150

WORDS = [
    *("", "-", "--", "1", "-1", "0", "1e400", "nan", "10000000000000000000000", "ü", "\x1b[31m"),
    *("appendix", "main", "repaired", "auto", "rigorous", "kernel", "budget=8", "slack=x", "gap="),
    *("geometric", "geometric:p=0", "pareto:shape=nan", "blocks:blocks=0", "uniform", "anchored"),
    *("small", "small@repaired", "theorem", "x <= x", "1/x <= 1", "x >= 1", "ln(x", "x**x**x <= 1"),
]


@pytest.fixture
def files(
    small_session: pathlib.Path, documents: dict[str, Any], odd_files: list[pathlib.Path]
) -> list[str]:
    """Names that arguments may take: good files of each format, odd ones, and new ones."""
    folder = small_session.parent
    for name, document in documents.items():
        (folder / f"{name}.json").write_text(json.dumps(document))
    good = [folder / f"{name}.json" for name in documents]
    return [str(path) for path in [*good, *odd_files, small_session, folder / "new"]]


@st.composite
def command_lines(draw: st.DrawFn, files: list[str]) -> list[str]:
    """A command, some of its own options with values, and arguments."""
    name = draw(st.sampled_from(sorted(COMMANDS.keys() - LONG)))
    values = st.one_of(st.sampled_from(files), st.sampled_from(WORDS))
    line = [name]
    for option in draw(st.lists(st.sampled_from(COMMANDS[name].params), max_size=4)):
        if option.param_type_name == "option":
            line.append(draw(st.sampled_from(option.opts)))
        if not getattr(option, "is_flag", False):
            line.append(draw(values))
    return line + draw(st.lists(values, max_size=1))


@contextlib.contextmanager
def captured() -> Iterator[tuple[io.StringIO, io.StringIO]]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield out, err


def check(line: list[str]) -> int:
    """Run a command line; what it says on standard error is one printable line, or nothing."""
    with captured() as (_, err):
        code = execute(line)
    said = err.getvalue()
    assert code in (0, 1, 2, 3), line
    assert said.removesuffix("\n").isprintable(), said
    assert len(said) < 1000, said
    assert (code != 2) or said.startswith("pbverify: "), said
    return code


def test_random_command_lines(
    files: list[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands with options of their own and values good and bad; each code does occur."""
    monkeypatch.chdir(tmp_path)
    seen: set[int] = set()

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(command_lines(files))
    def any_line(line: list[str]) -> None:
        seen.add(check(line))

    any_line()
    assert seen >= {0, 2}


@pytest.mark.parametrize("name", sorted(COMMANDS))
@pytest.mark.parametrize(
    "mistake", [["--no-such-option"], ["--lemmas"], ["\x00"], ["a", "b", "c", "--set"]]
)
def test_mistakes(
    name: str, mistake: list[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An option that does not exist, a value that is missing, words too many: one line, code 2."""
    monkeypatch.chdir(tmp_path)
    assert check([name, *mistake]) == 2


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_odd_files_as_lemmas(name: str, odd_files: list[pathlib.Path]) -> None:
    """A folder of lemma files that is none is refused before any work begins."""
    if any("--lemmas" in option.opts for option in COMMANDS[name].params):
        for path in odd_files:
            assert check([name, *["small"][: _words(name)], "--lemmas", str(path)]) == 2


def _words(name: str) -> int:
    return sum(param.param_type_name == "argument" for param in COMMANDS[name].params)
