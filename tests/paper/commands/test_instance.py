"""`pbverify instance`: what it writes, and what it refuses without writing."""

from __future__ import annotations

import pathlib

import pytest

from pbverify.bandits.comparators import COMPARATORS
from pbverify.bandits.delay_models import DELAY_MODELS
from pbverify.bandits.instance import Instance
from pbverify.bandits.loss_patterns import LOSS_PATTERNS
from pbverify.cli import execute


def written(path: pathlib.Path, *arguments: str) -> Instance:
    assert execute(["instance", "-o", str(path), "-T", "8", "-A", "2", *arguments]) == 0
    return Instance.load(path)


def test_every_entry_of_every_menu_can_be_written(tmp_path: pathlib.Path) -> None:
    """All loss patterns, delay models and comparators give an instance that loads."""
    for losses in LOSS_PATTERNS.names:
        assert written(tmp_path / "i.json", "--losses", losses).rounds == 8
    for delays in DELAY_MODELS.names:
        chosen = "explicit:values=3 0 0 1 0 0 0 9" if delays == "explicit" else delays
        assert len(written(tmp_path / "i.json", "--delays", chosen).delays) == 8
    for comparator in COMPARATORS.names:
        chosen = "explicit:values=1/4 3/4" if comparator == "explicit" else comparator
        assert sum(written(tmp_path / "i.json", "--comparator", chosen).comparator) == 1


def test_the_seed_fixes_the_file(tmp_path: pathlib.Path) -> None:
    """The same command writes the same bytes; another seed does not."""
    arguments = ("--losses", "uniform", "--delays", "geometric:delayed=0.5")
    texts = []
    for seed in ("1", "1", "2"):
        written(tmp_path / "i.json", *arguments, "--seed", seed)
        texts.append((tmp_path / "i.json").read_bytes())
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-T", "0"], "at least one round but got rounds=0"),
        (["-A", "1"], "at least two arms but got arms=1"),
        (["-T", "100000000"], "at most 10,000,000 losses"),
        (["--losses", "magic"], "one of constant, switching"),
        (["--losses", "constant:values=0 1 1"], "2 values but got values=0 1 1"),
        (["--losses", "constant:values=0 7"], "losses[1][1]=7.0"),
        (["--delays", "constant:delay=-1"], "delays[1]=-1"),
        (["--delays", "constant:delay=x"], "a number but got delays constant.delay=x"),
        (["--delays", "constant:speed=1"], "a parameter of constant among (delay)"),
        (["--delays", "geometric:p=0"], "0 < p <= 1 but got p=0.0"),
        (["--comparator", "explicit:values=1/2 1/3"], "sum(comparator)"),
        (["--delta", "0.9"], "0 < delta <= 1/2 but got delta=0.9"),
        (["--delta", "lots"], "a number but got delta=lots"),
        (["--delta", "1e-400"], "delta >= 1e-100"),
        (["--losses", "uniform", "--decimals", "400"], "0 <= decimals <= 15 but got decimals=400"),
        (["--delays", "constant:delay=3,delay=4"], "each parameter of constant once"),
    ],
)
def test_bad_arguments_write_nothing(
    arguments: list[str],
    message: str,
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A wrong argument exits with 2, one line, and no file."""
    assert execute(["instance", "-o", str(tmp_path / "i.json"), "-T", "3", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_unwritable_target_is_one_line(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing folder exits with 2 and says so."""
    assert execute(["instance", "-o", str(tmp_path / "no" / "i.json")]) == 2
    assert "Cannot write" in capsys.readouterr().err
