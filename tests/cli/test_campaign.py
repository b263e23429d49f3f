"""`pbverify campaign`: start, look, go on, confirm."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable

import pytest

from pbverify.cli import campaign, execute
from pbverify.errors import InputError

Command = Callable[..., int]


@pytest.fixture
def command(small_lemmas: pathlib.Path, tmp_path: pathlib.Path, closed_stores: None) -> Command:
    """A campaign command on the small lemma files and a store of its own, which it closes."""

    def run(*arguments: str) -> int:
        store = ["--store", str(tmp_path / "store")]
        is_lookup = arguments[0] in ("status", "witness")
        lemmas = [] if is_lookup else ["--lemmas", str(small_lemmas), "--engine", "climbing"]
        if arguments[0] == "resume":
            lemmas = []
        return execute(["campaign", *arguments, *store, *lemmas])

    return run


def test_a_campaign_from_start_to_witness(
    command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it finds is as the register knows, stays in the store, and becomes a witness."""
    assert command("small", "theorem", "--cases", "150") == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("2 of 2 shards, 200 cases")
    assert command("start", "small", "--cases", "150") == 2
    assert "campaign resume" in capsys.readouterr().err
    assert command("resume", "--cases", "250") == 0
    assert capsys.readouterr().out.startswith("3 of 3 shards, 2,200 cases")
    assert command("witness") == 0
    assert capsys.readouterr().out.startswith("CONFIRMED    small (any): small-")
    assert command("status", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["shards"] == 3
    assert {line["claim"]: line["confirmed"] for line in document["lines"]} == {
        "small": 1,
        "theorem": 0,
    }


def test_resume_remembers_the_lemma_files(
    command: Command,
    small_lemmas: pathlib.Path,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From elsewhere and without --lemmas, the register of the start says what is a surprise."""
    assert command("small", "--cases", "100", "--quiet") == 0
    register = small_lemmas / "paper.toml"
    register.write_text(register.read_text().replace("REFUTED", "HOLDS"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert command("resume", "--cases", "200", "--quiet") == 1


def test_a_surprise_has_its_own_exit_code(
    command: Command, small_lemmas: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rigorous counterexample to a claim that is known to hold exits with 1."""
    register = small_lemmas / "paper.toml"
    register.write_text(register.read_text().replace("REFUTED", "HOLDS"))
    assert command("small", "--cases", "100", "--quiet") == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["small"], "either --for or --cases"),
        (["small", "--for", "1m", "--cases", "9"], "either --for or --cases"),
        (["small", "--for", "soon"], "90s, 10m, 8h or 2d"),
        (["small", "--cases", "-3"], "whole number"),
        (["small", "--cases", "0"], "whole number"),
        (["large", "--cases", "1"], "claim=large"),
        (["small", "--cases", "1", "--engine", "luck"], "engine=luck"),
        (["small", "--cases", "1", "--scheduler", "x"], "tcp://host:8786"),
        (["small", "--cases", "1", "--jobs", "0"], "--jobs"),
        (["status"], "No campaign in"),
        (["resume"], "No campaign in"),
        (["witness"], "No campaign in"),
    ],
)
def test_mistakes_cost_one_line(
    arguments: list[str], named: str, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, one line on standard error, and no store that was not there."""
    assert command(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert named in captured.err


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    """The group explains engines, examples and exit codes; bare `campaign` does too."""
    for arguments in (["campaign"], ["campaign", "--help"]):
        assert execute(arguments) == 0
        shown = capsys.readouterr().out
        for text in ("climbing", "campaign resume", "Exit codes", "--scheduler tcp://host:8786"):
            assert text in shown


@pytest.mark.parametrize(
    ("time", "seconds"), [("90s", 90), ("10m", 600), ("1.5h", 5400), ("2d", 172_800)]
)
def test_times_are_read(time: str, seconds: float) -> None:
    """Seconds, minutes, hours, days."""
    assert campaign.budget_from(time, None) == {"seconds": seconds}


@pytest.mark.parametrize(
    ("cases", "number"), [("7", 7), ("1e9", 10**9), ("1_000", 1000), ("20,000", 20_000)]
)
def test_numbers_of_cases_are_read(cases: str, number: int) -> None:
    """Plain, grouped, or with an exponent."""
    assert campaign.budget_from(None, cases) == {"cases": number}


def test_a_budget_is_one_or_the_other() -> None:
    """Both and neither are refused."""
    with pytest.raises(InputError, match="both"):
        campaign.budget_from("1m", "1")
    with pytest.raises(InputError, match="neither"):
        campaign.budget_from(None, None)
