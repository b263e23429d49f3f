"""`pytest lemmas`: recorded verdicts, comparison with the register, and the closing table."""

from __future__ import annotations

import json
import pathlib
import shutil
import types
import xml.etree.ElementTree
from typing import Any

import pytest

from pbverify.pytest_plugin import pytest_collection_modifyitems

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
from pbverify import Lemma, Sort, drop, every, leq, says, sharpened

@dataclasses.dataclass(frozen=True)
class Whole:
    value: int
    def witness_fields(self):
        return {"parameters": {"value": self.value}}

def is_small(case):
    yield leq(case.value, LIMIT, n=case.value)

def is_tiny(case):
    yield leq(case.value, 2, n=case.value)

def wholes():
    return map(Whole, range(4))

WHOLES = Sort("whole number", lambda fields: Whole(REBUILT), Whole)
LEMMA = Lemma(
    "small",
    says("n <= limit", is_small, stronger=sharpened(by=STRONGER), drops=DROPS),
    about=WHOLES,
    by=every(wholes, count=4, scope="n < 4"),
)
"""


@pytest.fixture
def session(pytester: pytest.Pytester) -> pytest.Pytester:
    write(pytester, expected="HOLDS", limit=3)
    return pytester


def write(
    pytester: pytest.Pytester,
    *,
    expected: str,
    limit: int,
    stronger: int = 1,
    rebuilt: str = "int(fields['parameters']['value'])",
    drops: str = "()",
) -> None:
    words = {"LIMIT": limit, "STRONGER": stronger, "REBUILT": rebuilt, "DROPS": drops}
    text = LEMMA
    for word, value in words.items():
        text = text.replace(word, str(value))
    pytester.makefile(".toml", paper=REGISTER % expected)
    pytester.makepyfile(test_small=text)


def test_the_table_shows_the_verdict(session: pytest.Pytester) -> None:
    """A claim that holds as known passes, with cases, stronger forms and evidence in the table."""
    result = session.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=2)
    result.stdout.re_match_lines([r"small +any +HOLDS +4 +4 +1 +5 +exhausted: n < 4, 4 cases"])


def test_an_unexpected_verdict_fails(session: pytest.Pytester) -> None:
    """A refutation that the register does not know fails, and the table says REFUTED."""
    write(session, expected="HOLDS", limit=2)
    result = session.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.re_match_lines([r"small +any +REFUTED .*one program: \.pbverify.*small-.*json"])


def test_an_unexpected_refutation_shows_the_case(session: pytest.Pytester) -> None:
    """Statement, place, numbers, case and the command that replays it; nothing of the plugin."""
    write(session, expected="HOLDS", limit=2)
    result = session.runpytest_inprocess()
    result.stdout.fnmatch_lines(
        [
            "small: expected HOLDS, got REFUTED after 4 cases",
            "  n <= limit fails at n = 3",
            "  lhs 3, rhs 2, margin 1",
            '  parameters {"value": 3}',
            "  again: pbverify replay .pbverify/witnesses/small-*.json",
        ]
    )
    result.stdout.no_fnmatch_line("*pytest_plugin*")


def test_a_tie_that_no_precision_decides_is_undecided(session: pytest.Pytester) -> None:
    """A learner's tie makes its claim UNDECIDED, in one line and without a traceback."""
    path = session.path / "test_small.py"
    text = path.read_text().replace(
        "    return map(Whole, range(4))",
        "    from pbverify.errors import UndecidedError\n"
        "    raise UndecidedError('which arm is best', round=2, precision=4096)",
    )
    path.write_text(text)
    result = session.runpytest_inprocess("-k", "not stronger")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.re_match_lines(
        [r"small +any +UNDECIDED .*Round 2: which arm is best is undecided"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*pytest_plugin*")


def test_a_fault_of_a_lemma_file_leaves_a_row(session: pytest.Pytester) -> None:
    """Its traceback is shown, and the claim is UNDECIDED with the reason."""
    path = session.path / "test_small.py"
    path.write_text(path.read_text().replace("yield leq(case.value, 3", "yield leq(case.worth, 3"))
    result = session.runpytest_inprocess("-k", "not stronger")
    result.stdout.re_match_lines([r"small +any +UNDECIDED .*AttributeError"])


def test_junit_files_carry_verdicts(session: pytest.Pytester) -> None:
    """Each test case has its claim, reading, verdict and evidence as properties."""
    session.runpytest_inprocess("--junit-xml", "out.xml", "-k", "not stronger")
    [case] = xml.etree.ElementTree.parse(session.path / "out.xml").iter("testcase")
    found = {each.get("name"): each.get("value") for each in case.iter("property")}
    assert found["claim"] == "small"
    assert found["reading"] == "any"
    assert found["verdict"] == "HOLDS"
    assert found["evidence"] == "exhausted n < 4, 4 cases"


def test_a_known_refutation_passes(session: pytest.Pytester) -> None:
    """A claim known to be false passes when it is refuted again, and fails when it is not."""
    write(session, expected="REFUTED", limit=2)
    session.runpytest_inprocess().assert_outcomes(passed=2)
    write(session, expected="REFUTED", limit=3)
    session.runpytest_inprocess().assert_outcomes(passed=1, failed=1)


def test_a_stronger_form_that_stands_fails(session: pytest.Pytester) -> None:
    """A known-false claim that is not refuted fails."""
    write(session, expected="HOLDS", limit=3, stronger=0)
    session.runpytest_inprocess().assert_outcomes(passed=1, failed=1)


@pytest.mark.parametrize(
    ("rebuilt", "passed"), [("int(fields['parameters']['value'])", 2), ("0", 0)]
)
def test_witnesses_replay_for_their_claim(
    session: pytest.Pytester, rebuilt: str, passed: int
) -> None:
    """A witness must violate its claim again; one that does not fails."""
    write(session, expected="REFUTED", limit=2, rebuilt=rebuilt)
    session.runpytest_inprocess().assert_outcomes(passed=passed, failed=2 - passed)


def test_items_have_names_that_a_person_types(session: pytest.Pytester) -> None:
    """A claim with its reading, its stronger form, the claim without an assumption."""
    drops = "(drop('n <= 2', then=(is_tiny,), cases=wholes, scope='n < 4'),)"
    write(session, expected="HOLDS", limit=3, drops=drops)
    result = session.runpytest_inprocess("--collect-only", "-q")
    names = [line.partition("::")[2] for line in result.outlines if "::" in line]
    assert names == ["small[any]", "small!stronger[any]", "small!without n <= 2"]
    session.runpytest_inprocess("-k", "small and stronger").assert_outcomes(passed=1, deselected=2)


def test_verdicts_and_witnesses_are_written(session: pytest.Pytester) -> None:
    """--verdicts writes the verdict file, --witnesses says where witness files go."""
    session.runpytest_inprocess("--verdicts", "v.json", "--witnesses", "w", "--profile", "quick")
    document = json.loads((session.path / "v.json").read_text())
    assert document["format"] == "pbverify/verdicts-1"
    assert document["profile"] == "quick"
    assert [(v["outcome"], v["teeth"]) for v in document["verdicts"]] == [("HOLDS", 5)]
    [witness] = (session.path / "w").iterdir()
    assert json.loads(witness.read_text())["parameters"] == {"value": 3}


def test_parallel_sessions_show_the_same_table(session: pytest.Pytester) -> None:
    """Under pytest-xdist the verdicts reach the table, and a JUnit file in readable form."""
    result = session.runpytest_inprocess("-n", "2", "--junit-xml", "out.xml")
    result.assert_outcomes(passed=2)
    result.stdout.re_match_lines([r"small +any +HOLDS +4 +4 +1 +5 +exhausted"])
    written = (session.path / "out.xml").read_text()
    assert '<property name="verdict" value="HOLDS" />' in written
    assert "pbverify-answer" not in written


@pytest.mark.parametrize(("marks", "expected"), [({"workerinput": {}}, "bdac"), ({}, "abcd")])
def test_a_process_gets_what_shares_theories_together(marks: dict[str, Any], expected: str) -> None:
    """pytest-xdist deals out neighbours; without it the order of the files is kept."""
    theories = {"a": "sums", "b": "", "c": "trees", "d": ""}
    items: list[Any] = [types.SimpleNamespace(name=n, theories=t) for n, t in theories.items()]
    config: Any = types.SimpleNamespace(getoption=lambda name: None, **marks)
    pytest_collection_modifyitems(config, items)
    assert "".join(item.name for item in items) == expected


def test_assumptions_are_recorded_with_their_witness(session: pytest.Pytester) -> None:
    """A dropped assumption joins its claim's verdict; one that is unlike the known fails."""
    drops = "(drop('n <= 2', then=(is_tiny,), cases=wholes, scope='n < 4', needed=NEEDED),)"
    write(session, expected="HOLDS", limit=3, drops=drops.replace("NEEDED", "True"))
    session.runpytest("--verdicts", "v.json").assert_outcomes(passed=3)
    [verdict] = json.loads((session.path / "v.json").read_text())["verdicts"]
    [row] = verdict["assumptions"]
    assert (row["assumption"], row["outcome"]) == ("n <= 2", "needed")
    assert (session.path / row["witness"]).is_file()
    write(session, expected="HOLDS", limit=3, drops=drops.replace("NEEDED", "False"))
    session.runpytest().assert_outcomes(passed=2, failed=1)


OLD_FORM = """
from pbverify.check import survive
from pbverify.claims import Claim, Kind, Pair
from pbverify.strategies import delay_sequences

def total_is_positive(delays):
    yield Pair(0, delays.total)

CLAIM = Claim("small", Kind.COMBINATORIAL, "0 <= D", (total_is_positive,))
CLAIMS = (CLAIM,)

def test_it(judge, profile):
    judge(survive(CLAIM, delay_sequences(), examples=profile.examples))
"""


def test_test_functions_still_judge_and_warn(pytester: pytest.Pytester) -> None:
    """Files of the old form, with the old import paths, work for one more release."""
    pytester.makefile(".toml", paper=REGISTER % "HOLDS")
    pytester.makepyfile(test_small=OLD_FORM)
    result = pytester.runpytest_inprocess("--profile", "quick")
    assert result.parseoutcomes()["passed"] == 1
    result.stdout.re_match_lines([r"small +any +HOLDS"])
    result.stdout.fnmatch_lines(["*DeprecationWarning: pbverify.check is now pbverify.claims*"])
    result.stdout.fnmatch_lines(["*DeprecationWarning: declare a Lemma instead*"])


def test_a_reading_can_be_chosen(pytester: pytest.Pytester) -> None:
    """A claim is judged once per reading that the register names, or under the chosen ones."""
    pytester.makefile(
        ".toml",
        paper="[paper]\nreadings = ['one', 'two']\n"
        + REGISTER.replace('{ any = "%s" }', '{ one = "HOLDS", two = "HOLDS" }'),
    )
    write_lemma = LEMMA.replace("LIMIT", "3").replace("STRONGER", "2").replace("DROPS", "()")
    pytester.makepyfile(test_small=write_lemma.replace("REBUILT", "0"))
    pytester.runpytest_inprocess("-k", "not stronger").assert_outcomes(passed=2, deselected=1)
    chosen = pytester.runpytest_inprocess("-k", "not stronger", "--reading", "two")
    chosen.assert_outcomes(passed=1)
    wrong = pytester.runpytest_inprocess("--reading", "three")
    assert wrong.ret == pytest.ExitCode.USAGE_ERROR
    wrong.stderr.fnmatch_lines(["*one of one, two but got reading=three*"])


def test_sessions_without_verdicts_are_left_alone(pytester: pytest.Pytester) -> None:
    """Other projects' sessions see no table."""
    pytester.makepyfile("def test_it():\n    pass")
    result = pytester.runpytest_inprocess()
    result.stdout.no_fnmatch_line("*= verdicts =*")


@pytest.fixture
def small(pytester: pytest.Pytester, small_lemmas: pathlib.Path) -> pytest.Pytester:
    """A session beside a folder of lemma files."""
    pytester.makepyprojecttoml("[tool.pytest.ini_options]\npython_files = ['lemma_*.py']")
    shutil.copytree(small_lemmas, pytester.path / "lemmas")
    return pytester


def test_one_claim_can_be_chosen(small: pytest.Pytester) -> None:
    """--claim judges that claim alone."""
    result = small.runpytest_inprocess("--claim", "theorem")
    result.assert_outcomes(passed=1, deselected=3)
    result.stdout.re_match_lines([r"theorem +any +HOLDS"])
    result.stdout.no_re_match_line(r"small +any")


def test_a_label_chooses_its_claims(small: pytest.Pytester) -> None:
    """--claim takes labels of the paper too."""
    small.runpytest_inprocess("lemmas", "--claim", "lem:small").assert_outcomes(passed=4)


MANY = """
from pbverify import Lemma, every, leq, says
from pbverify.paper.cases.phase import all_phases
from pbverify.paper.sorts import PHASES

def positive(phase):
    yield leq(0, phase.local_delays[0], t=phase.start)

SHORT = every(lambda: all_phases(length=1, delay=1), count=2, scope="short phases")
LEMMA = Lemma("many", *(says("0 <= d", positive, step=f"s{n}") for n in range(25)),
              about=PHASES, by=SHORT)
"""


@pytest.fixture
def many(pytester: pytest.Pytester) -> pytest.Pytester:
    """A session over a folder with 25 claims of one statement."""
    folder = pytester.mkdir("lemmas")
    (folder / "lemma_many.py").write_text(MANY)
    rows = (REGISTER % "HOLDS").replace('"small"', '"many/s{}"')
    text = "".join(rows.replace("{}", str(n)) for n in range(25))
    (folder / "paper.toml").write_text(text)
    return pytester


def test_many_verdicts_are_summed_up_by_statement(many: pytest.Pytester) -> None:
    """One line per statement, what changed, where the report is; all rows with -v or --table."""
    short = many.runpytest_inprocess("lemmas", "--profile", "quick")
    short.stdout.re_match_lines(
        [
            r"statement +printed +what survives is",
            r"many +holds$",
            r"stated: +25 HOLDS",
            "report: .*",
        ]
    )
    short.stdout.no_re_match_line(r"many/s7 +any")
    for option in ("-v", "--table"):
        long = many.runpytest_inprocess("lemmas", "--profile", "quick", option)
        long.stdout.re_match_lines([r"many/s7 +any +HOLDS"])
        long.stdout.re_match_lines([r"many +holds$", "no outcome or grade of evidence changed.*"])


def test_what_changed_is_told(many: pytest.Pytester) -> None:
    """Against the last full session: outcomes and grades, by claim."""
    many.runpytest_inprocess("lemmas", "--profile", "quick")
    path = many.path / "lemmas" / "lemma_many.py"
    path.write_text(path.read_text().replace('says("0 <= d", positive,', 'says("x", wrong,'))
    path.write_text(
        path.read_text().replace("SHORT =", "def wrong(p):\n    yield leq(2, 1)\nSHORT =")
    )
    result = many.runpytest_inprocess("lemmas", "--profile", "quick")
    result.stdout.fnmatch_lines(
        [
            "changed since the last full session (profile quick):",
            "  many/s0 (any): HOLDS (exhausted) -> REFUTED",
            "  and 13 more",
        ]
    )


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
    result = small.runpytest_inprocess(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])
    assert not (small.path / ".pbverify").exists()


def test_a_session_can_write_its_report(small: pytest.Pytester) -> None:
    """--report writes pages with the register of the folder, also under pytest-xdist."""
    small.runpytest_inprocess("lemmas", "--report", "pages", "-n", "1").assert_outcomes(passed=4)
    pages = [page.read_text() for page in (small.path / "pages").rglob("*.html")]
    assert any("A first delay may be long." in page for page in pages)
    assert len(list((small.path / "pages" / "witnesses").glob("small-*.json"))) == 1


def test_witnesses_are_the_same_bytes_every_time(small: pytest.Pytester) -> None:
    """Two sessions in two processes, so with other hashes, write the same files."""
    found = []
    for name, session in (("a", small.runpytest_subprocess), ("b", small.runpytest_inprocess)):
        session("lemmas", "--witnesses", name)
        files = sorted((small.path / name).glob("*.json"))
        found.append([(path.name, path.read_bytes()) for path in files])
    assert found[0] == found[1] != []


def test_a_dispute_with_the_checker_fails(small: pytest.Pytester) -> None:
    """A refutation that the independent checker does not confirm is UNDECIDED, with both values."""
    known = "banker-regret/inverse-scale-sum"  # computed by the checker, and not by `small`
    for path in (small.path / "lemmas").iterdir():
        if path.is_file():
            text = path.read_text().replace('"small"', f'"{known}"')
            path.write_text(text.replace('"small@repaired"', f'"{known}@repaired"'))
    result = small.runpytest_inprocess("lemmas", "--claim", known)
    result.assert_outcomes(failed=1, deselected=3)
    result.stdout.re_match_lines([rf"{known} +any +UNDECIDED .*engine: lhs = 2, rhs = 1"])
