"""What README, ARCHITECTURE and CONTRIBUTING show is so: tables, examples, commands, paths."""

from __future__ import annotations

import json
import pathlib
import re
import runpy
import shutil
from typing import Any

import pytest

from pbverify.claims.library import GROUP, REGISTER
from pbverify.claims.register import Register
from pbverify.cli import execute
from pbverify.errors import InputError
from pbverify.figures.notebook.keep_picture import browser, keep_picture
from pbverify.report.summary import findings_table, renewed

ROOT = pathlib.Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(language: str, part: str, text: str = README) -> list[str]:
    """The code blocks of a language in the section of that title."""
    section = text.partition(f"\n## {part}\n")[2].partition("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", section, flags=re.DOTALL)


def test_the_readme_shows_the_report() -> None:
    """In at most 200 lines, with a picture of at most 150 kB that exists."""
    [name] = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert (ROOT / name).read_bytes().startswith(b"\x89PNG")
    assert (ROOT / name).stat().st_size <= 150_000
    assert README.count("\n") <= 200


@pytest.mark.skipif(browser() is None, reason="no Chromium on this machine")
def test_the_picture_can_be_taken_again(tmp_path: pathlib.Path) -> None:
    """The command of notebooks/README.md makes a picture of a page; without a page it says so."""
    (tmp_path / "page.html").write_text("<h1>What became of it</h1>")
    keep_picture(tmp_path / "page.html", tmp_path / "page.png")
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="a page, and Chromium"):
        keep_picture(tmp_path / "none.html", tmp_path / "page.png")


def test_the_table_is_the_registers() -> None:
    """If not: pbverify claims --into README.md."""
    assert renewed(README, findings_table(Register.load(ROOT / "lemmas" / REGISTER))) == README


def test_the_worked_example(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """From new-claim to a settled register, exactly as printed; the guess falls in three rounds."""
    monkeypatch.chdir(tmp_path)
    [code], rows = (blocks(kind, "A claim or a learner of your own") for kind in ("python", "toml"))
    assert execute(["new-claim", "exp3-played-arm"]) == 0
    pathlib.Path("lemmas/lemma_exp3_played_arm.py").write_text(code)
    with open("lemmas/paper.toml", "a") as register:
        register.write("\n" + rows[0])
    assert execute(["verify", "--profile", "quick"]) == 1
    shown = capfd.readouterr().out
    assert re.search(r"exp3-played-arm +any +REFUTED", shown)
    assert re.search(r"exp3-played-arm@repaired +any +HOLDS", shown)
    [witness] = pathlib.Path(".pbverify/witnesses").glob("exp3-played-arm-*")
    assert json.loads(witness.read_text())["instance"]["delays"] == [1, 0, 0]
    assert execute(["replay", str(witness)]) == 0
    assert execute(["register", "--write"]) == 0
    assert Register.load("lemmas/paper.toml").rows["exp3-played-arm"].expected["any"].value == (
        "REFUTED"
    )


def test_a_notebook_judges(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block in the first section gives verdicts that show themselves as a table."""
    shutil.copytree(ROOT / "lemmas", tmp_path / "lemmas")
    monkeypatch.chdir(tmp_path)
    [code] = blocks("python", "What you see")
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)
    assert [verdict.claim for verdict in names["verdicts"]] == ["delayed-mass"]
    assert names["verdicts"].complaints == ()
    assert ">delayed-mass</td>" in names["verdicts"]._repr_html_()
    assert "global/safety" in str(names["finding"])
    assert "PROVED" in names["proof"]._repr_html_()
    assert names["trace"].rounds == 6


def test_the_python_of_the_tour_runs() -> None:
    """The block in the section on running the algorithm: all 64 paths, in a fresh namespace."""
    guide = (ROOT / "pbverify" / "paper" / "commands" / "GUIDE.md").read_text()
    [code] = blocks("python", "Running the algorithm", guide)
    names: dict[str, object] = {}
    exec(compile(code, "README.md", "exec"), names)
    assert len(names["paths"].paths) == 64  # type: ignore[attr-defined]


def test_the_inequality_is_proved(capfd: pytest.CaptureFixture[str]) -> None:
    """The command of the section on inequalities."""
    [command] = blocks("sh", "An inequality of your own")
    words = re.findall(r'"[^"]*"|\S+', command)
    assert execute([word.strip('"') for word in words[1:]]) == 0
    assert "PROVED" in capfd.readouterr().out


GUIDES = ("lemmas/GUIDE.md", "pbverify/paper/commands/GUIDE.md", "pbverify/search/GUIDE.md")
TEXTS = "\n".join([README, *((ROOT / name).read_text() for name in GUIDES)])
COMMANDS = sorted(set(re.findall(r"^(?:\.venv/bin/)?pbverify ([a-z-]+) ", TEXTS, re.MULTILINE)))


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "judges"])
def test_commands_exist(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Every command that the README names explains itself."""
    assert execute([name, "--help"]) == 0
    assert "Usage" in capfd.readouterr().out


def test_the_entry_point_group_is_the_librarys() -> None:
    """The group that CONTRIBUTING names is the one that is looked up."""
    assert f'[project.entry-points."{GROUP}"]' in (ROOT / "CONTRIBUTING.md").read_text()


def test_the_readme_is_short() -> None:
    """At most 200 lines, with the two commands that CI takes from it."""
    lines = README.splitlines()
    assert len(lines) <= 200
    for end in (" -q -n 2 tests", "pytest lemmas"):
        assert sum(line.startswith("python3 -m venv") and line.endswith(end) for line in lines) == 1


DOCUMENTS = (
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "lemmas/GUIDE.md"),
    *("pbverify/paper/commands/GUIDE.md", "pbverify/search/GUIDE.md"),
    *("notebooks/README.md", "tests/quality/README.md"),
)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_named_files_exist(document: str) -> None:
    """Paths in backticks that begin in the root, and links, lead to a file or a folder."""
    text = (ROOT / document).read_text()
    rooted = re.findall(r"`((?:pbverify|lemmas|tests|notebooks)/[\w./-]*)`", text)
    linked = re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    assert [name for name in (*rooted, *linked) if not (ROOT / name).exists()] == []


def test_the_rooms_are_those_of_the_architecture_test() -> None:
    """The table of ARCHITECTURE.md names every room, and what each may import."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", text, flags=re.MULTILINE)
    names = runpy.run_path(str(ROOT / "tests" / "test_architecture.py"))
    rooms, left_out = names["ROOMS"], {"errors", *names["FORMAT"]}
    allowed = {room: set(re.findall(r"\w+", words)) for room, words in rows if room in rooms}
    assert allowed == {room: allowed - left_out for room, allowed in rooms.items()}
    assert {room for room, _ in rows} == {*rooms, *names["SUBJECT_MATTER"]}
