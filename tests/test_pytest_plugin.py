"""`pytest lemmas`: recorded verdicts, comparison with the register, and the closing table."""

from __future__ import annotations

import json

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
from pbverify.check import exhaust
from pbverify.claims import Claim, Kind, Pair

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
    result.stdout.re_match_lines([r"small +any +REFUTED .*witness: \.pbverify.*small-.*json"])


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
