"""`pytest lemmas`: recorded verdicts, comparison with the register, and the closing table."""

from __future__ import annotations

import json
import pathlib
import shutil

import pytest

REGISTER = """
[[claim]]
id = "small"
label = "lem:small"
place = "nowhere"
kind = "combinatorial"
fidelity = "stated"
uses = []
expected = { any = "%s" }
erratum = ""
"""

LEMMA = """
import dataclasses
from pbverify.claims.judging import exhaust
from pbverify.claims.claim import Claim, Kind, Pair

@dataclasses.dataclass(frozen=True)
class Whole:
    value: int
    def witness_fields(self):
        return {"parameters": {"value": self.value}}

def small(limit):
    def conclusion(subject):
        yield Pair(subject.value, limit, where={"n": subject.value})
    return Claim("small", Kind.COMBINATORIAL, "n <= limit", then=(conclusion,))

def judged(limit):
    return exhaust(small(limit), map(Whole, range(4)), count=4, scope="n < 4")

def test_holds(judge, profile):
    judge(judged(LIMIT))

def test_teeth(judge):
    judge.teeth(judged(1))
"""


@pytest.fixture
def session(pytester: pytest.Pytester) -> pytest.Pytester:
    write(pytester, expected="HOLDS", limit=3)
    return pytester


def write(pytester: pytest.Pytester, *, expected: str, limit: int) -> None:
    pytester.makefile(".toml", paper=REGISTER % expected)
    pytester.makepyfile(test_small=LEMMA.replace("LIMIT", str(limit)))


def test_the_table_shows_the_verdict(session: pytest.Pytester) -> None:
    """A claim that holds as known passes, with cases, teeth and evidence in the table."""
    result = session.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=2)
    result.stdout.re_match_lines([r"small +any +HOLDS +4 +4 +1 +1 +exhausted: n < 4, 4 cases"])


def test_an_unexpected_verdict_fails(session: pytest.Pytester) -> None:
    """A refutation that the register does not know fails, and the table says REFUTED."""
    write(session, expected="HOLDS", limit=2)
    result = session.runpytest_subprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.re_match_lines([r"small +any +REFUTED .*one program: \.pbverify.*small-.*json"])


def test_a_known_refutation_passes(session: pytest.Pytester) -> None:
    """A claim known to be false passes when it is refuted again, and fails when it is not."""
    write(session, expected="REFUTED", limit=2)
    session.runpytest_subprocess().assert_outcomes(passed=2)
    write(session, expected="REFUTED", limit=3)
    session.runpytest_subprocess().assert_outcomes(passed=1, failed=1)


def test_toothless_claims_fail(session: pytest.Pytester) -> None:
    """A known-false claim that is not refuted fails."""
    write(session, expected="HOLDS", limit=3)
    text = LEMMA.replace("LIMIT", "3").replace("judged(1)", "judged(9)")
    session.makepyfile(test_small=text)
    session.runpytest_subprocess().assert_outcomes(passed=1, failed=1)


@pytest.mark.parametrize(("rebuilt", "passed"), [("fields['parameters']['value']", 2), ("0", 0)])
def test_witnesses_replay_for_their_claim(
    session: pytest.Pytester, rebuilt: str, passed: int
) -> None:
    """`of` asks that a witness violate the claim again; one that does not fails."""
    write(session, expected="REFUTED", limit=2)
    rebuild = f"then=(conclusion,), about=Sort('case', lambda fields: Whole({rebuilt}))"
    text = LEMMA.replace("judged(LIMIT)", "judged(2), of=small(2)")
    text = text.replace("judged(1)", "judged(1), of=small(1)")
    session.makepyfile(test_small=text.replace("then=(conclusion,)", rebuild))
    session.runpytest_subprocess().assert_outcomes(passed=passed, failed=2 - passed)


def test_verdicts_and_witnesses_are_written(session: pytest.Pytester) -> None:
    """--verdicts writes the verdict file, --witnesses says where witness files go."""
    session.runpytest_subprocess("--verdicts", "v.json", "--witnesses", "w", "--profile", "quick")
    document = json.loads((session.path / "v.json").read_text())
    assert document["format"] == "pbverify/verdicts-1"
    assert document["profile"] == "quick"
    assert [(v["outcome"], v["teeth"]) for v in document["verdicts"]] == [("HOLDS", 1)]
    [witness] = (session.path / "w").iterdir()
    assert json.loads(witness.read_text())["parameters"] == {"value": 2}


def test_parallel_sessions_show_the_same_table(session: pytest.Pytester) -> None:
    """Under pytest-xdist the verdicts reach the table, and JUnit files stay valid."""
    result = session.runpytest_subprocess("-n", "2", "--junit-xml", "out.xml")
    result.assert_outcomes(passed=2)
    result.stdout.re_match_lines([r"small +any +HOLDS +4 +4 +1 +1 +exhausted"])
    assert "pbverify-verdict" in (session.path / "out.xml").read_text()


ABLATION = """
from pbverify.claims.assumptions import without

def test_assumption(judge):
    cases = lambda: map(Whole, range(4))
    judge.ablation(without(small(2), "n <= 2", cases=cases, scope="n < 4", needed=NEEDED))
"""


def test_assumptions_are_recorded_with_their_witness(session: pytest.Pytester) -> None:
    """A dropped assumption joins its claim's verdict; one that is unlike the known fails."""
    lemma = (LEMMA + ABLATION).replace("LIMIT", "3")
    session.makepyfile(test_small=lemma.replace("NEEDED", "True"))
    session.runpytest("--verdicts", "v.json").assert_outcomes(passed=3)
    [verdict] = json.loads((session.path / "v.json").read_text())["verdicts"]
    [row] = verdict["assumptions"]
    assert (row["assumption"], row["outcome"]) == ("n <= 2", "needed")
    assert (session.path / row["witness"]).is_file()
    session.makepyfile(test_small=lemma.replace("NEEDED", "False"))
    session.runpytest().assert_outcomes(passed=2, failed=1)


def test_readings_parametrize(pytester: pytest.Pytester) -> None:
    """A test that asks for a reading runs once per reading, or for the chosen ones."""
    pytester.makepyfile("def test_it(reading):\n    assert reading")
    pytester.runpytest_subprocess().assert_outcomes(passed=3)
    pytester.runpytest_subprocess("--reading", "main").assert_outcomes(passed=1)


def test_sessions_without_verdicts_are_left_alone(pytester: pytest.Pytester) -> None:
    """Other projects' sessions see no table."""
    pytester.makepyfile("def test_it():\n    pass")
    result = pytester.runpytest_subprocess()
    result.stdout.no_fnmatch_line("*= verdicts =*")


@pytest.fixture
def small(pytester: pytest.Pytester, small_lemmas: pathlib.Path) -> pytest.Pytester:
    """A session beside a folder of lemma files."""
    pytester.makepyprojecttoml("[tool.pytest.ini_options]\npython_files = ['lemma_*.py']")
    shutil.copytree(small_lemmas, pytester.path / "lemmas")
    return pytester


def test_one_claim_can_be_chosen(small: pytest.Pytester) -> None:
    """--claim runs the file that names the claim and shows that verdict alone."""
    small.makepyfile(lemma_other="CLAIMS = ()\ndef test_it(): pass")
    result = small.runpytest_subprocess("--claim", "theorem")
    result.assert_outcomes(passed=3, deselected=1)
    result.stdout.re_match_lines([r"theorem +any +HOLDS"])
    result.stdout.no_re_match_line(r"small +any")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lemmas", "--claim", "smal"], "*a claim of the register (perhaps small)*"),
        (["lemmas", "--claim", "smal", "-n", "2"], "*a claim of the register (perhaps small)*"),
        (["--claim", "large"], "*no lemma file names the claim large*"),
        (["lemmas", "--verdicts", "lemmas/paper.toml/v.json"], "*Cannot write*"),
        (["lemmas", "--report", "lemmas/paper.toml"], "*Cannot write*"),
    ],
)
def test_mistakes_are_told_before_anything_is_judged(
    small: pytest.Pytester, arguments: list[str], message: str
) -> None:
    """A claim that is not there, or a place where nothing can be written: one line."""
    result = small.runpytest_subprocess(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])
    assert not (small.path / ".pbverify").exists()


def test_a_session_can_write_its_report(small: pytest.Pytester) -> None:
    """--report writes pages with the register of the folder, also under pytest-xdist."""
    small.runpytest_subprocess("lemmas", "--report", "pages", "-n", "2").assert_outcomes(passed=3)
    page = (small.path / "pages" / "index.html").read_text()
    assert "A first delay may be long." in page
    assert len(list((small.path / "pages" / "witnesses").glob("small-*.json"))) == 1


def test_witnesses_are_the_same_bytes_every_time(small: pytest.Pytester) -> None:
    """Two sessions write the same files."""
    found = []
    for name in ("a", "b"):
        small.runpytest_subprocess("lemmas", "--witnesses", name)
        files = sorted((small.path / name).glob("*.json"))
        found.append([(path.name, path.read_bytes()) for path in files])
    assert found[0] == found[1] != []


def test_a_dispute_with_the_checker_fails(small: pytest.Pytester) -> None:
    """A refutation that the independent checker does not confirm is UNDECIDED, with both values."""
    known = "banker-regret/inverse-scale-sum"  # computed by the checker, and not by `small`
    for path in (small.path / "lemmas").iterdir():
        if path.is_file():
            path.write_text(path.read_text().replace('"small"', f'"{known}"'))
    result = small.runpytest_subprocess("lemmas", "--claim", known)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.re_match_lines([rf"{known} +any +UNDECIDED .*engine: lhs = 2, rhs = 1"])
