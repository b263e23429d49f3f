"""`pytest lemmas`: every check of a lemma is an item, and a table closes the session.

An item passes when its verdict was recomputed and equals the one that the register expects.
Answers travel as user properties of test reports, so they survive pytest-xdist and appear in JUnit
files.
"""

from __future__ import annotations

import dataclasses
import gc
import pathlib
import warnings
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pbverify.claims.claim import Claim
    from pbverify.claims.judge import Answer, Desk
    from pbverify.claims.judging import Profile
    from pbverify.claims.lemma import Check
    from pbverify.claims.paper import Paper
    from pbverify.claims.register import Register
    from pbverify.claims.verdict import Verdict

ANSWER = "pbverify-answer"
"""The user property of a test report that holds an answer of the judge."""
_PROFILES = ("quick", "default", "thorough")
_SETTLED = ("closed-form", "rate")
_NO_REPLAY = "{}: its witness does not replay"
_CHANGED = pytest.StashKey["set[pathlib.Path] | None"]()
_COLLECTOR = pytest.StashKey["tuple[int, int, int]"]()
_SELDOM = (50_000, 20, 100)
"""How many new objects, and how many looks at them, Python's collector of cycles waits for."""
_REGISTER = "paper.toml"  # as in `library`, which is not imported for other projects' sessions


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pbverify", "verdicts on the paper's claims")
    group.addoption("--profile", choices=_PROFILES, default="default", help="how hard to look")
    group.addoption(
        "--reading",
        action="append",
        metavar="NAME",
        help="judge claims about the algorithm under this reading only (may be repeated)",
    )
    group.addoption(
        "--claim",
        action="append",
        metavar="NAME",
        help="judge this claim only, or those of a label (may be repeated)",
    )
    group.addoption(
        "--time-limit",
        metavar="SECONDS",
        type=float,
        help="stop a test that judges after so long; its claims are then UNDECIDED (default: none)",
    )
    group.addoption(
        "--changed",
        action="store_true",
        help="judge the lemma files that rest on sources changed since the last full run",
    )
    group.addoption("--verdicts", metavar="FILE", help="write the verdicts to this JSON file")
    group.addoption("--table", action="store_true", help="print one row per claim, as with -v")
    group.addoption("--report", metavar="DIR", help="write report pages to this folder")
    group.addoption(
        "--witnesses",
        metavar="DIR",
        default=".pbverify/witnesses",
        help="where witness files go (default: %(default)s under the root directory)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "readings(name, ...): the readings that a test concerns (default: all)"
    )
    config.addinivalue_line(
        "markers", "closed_form: settled for all parameter values, or by limits; no run is needed"
    )
    named = ("time_limit", "claim", "reading", "verdicts", "report")
    if not _is_worker(config) and any(config.getoption(name) is not None for name in named):
        from pbverify.pytest_plugin.session import check_options

        check_options(config)


def _is_worker(config: pytest.Config) -> bool:
    """Whether this is a process of pytest-xdist; a mistake is told once, not by each of them."""
    return hasattr(config, "workerinput")


def pytest_report_header(config: pytest.Config) -> list[str]:
    """With --changed, what is judged and why."""
    if not config.getoption("changed"):
        return []
    from pbverify.pytest_plugin.session import change_lines

    return list(change_lines(config))


def pytest_ignore_collect(collection_path: pathlib.Path, config: pytest.Config) -> bool | None:
    """With --changed, lemma files that rest on nothing that changed are left out."""
    is_lemma = (collection_path.parent / _REGISTER).is_file() and collection_path.suffix == ".py"
    if not (config.getoption("changed") and is_lemma):
        return None
    from pbverify.claims.library import PATTERNS

    files = _to_judge(config)
    is_left_out = files is not None and collection_path not in files
    return True if is_left_out and any(map(collection_path.match, PATTERNS)) else None


def _to_judge(config: pytest.Config) -> set[pathlib.Path] | None:
    if _CHANGED not in config.stash:
        from pbverify.pytest_plugin.session import files_to_judge

        config.stash[_CHANGED] = files_to_judge(config)
    return config.stash[_CHANGED]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Without tests pytest fails; with --changed and nothing changed, all is as it was."""
    is_empty = exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED
    if is_empty and session.config.getoption("changed") and _to_judge(session.config) == set():
        session.exitstatus = pytest.ExitCode.OK


def pytest_collect_file(file_path: pathlib.Path, parent: pytest.Collector) -> pytest.Module | None:
    """Lemma files beside a register are collected whatever the session's `python_files` says."""
    if not (file_path.parent / _REGISTER).is_file():
        return None
    from pbverify.claims.library import PATTERNS
    from pbverify.claims.register import Register

    if any(map(file_path.match, PATTERNS)):
        Register.load(file_path.parent / _REGISTER)  # lemma files may import their paper
    known = parent.config.getini("python_files")
    is_known = parent.session.isinitpath(file_path) or any(map(file_path.match, known))
    if is_known or not any(map(file_path.match, PATTERNS)):
        return None
    return pytest.Module.from_parent(parent, path=file_path)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """With --time-limit, tests that judge run where they can be stopped."""
    seconds = item.config.getoption("time_limit")
    judges = isinstance(item, CheckItem) or "judge" in getattr(item, "fixturenames", ())
    if seconds is None or not judges:
        return None
    from pbverify.pytest_plugin.time_limit import timed_reports

    where = {"nodeid": item.nodeid, "location": item.location}
    item.ihook.pytest_runtest_logstart(**where)
    for report in timed_reports(item, seconds=seconds, property=ANSWER):
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(**where)
    return True


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "reading" in metafunc.fixturenames:
        from pbverify.claims.register import Register

        known = Register.load(metafunc.definition.path.parent / _REGISTER).paper.readings
        marker = metafunc.definition.get_closest_marker("readings")
        concerned = marker.args if marker else known
        chosen = metafunc.config.getoption("reading") or known
        metafunc.parametrize("reading", [name for name in concerned if name in chosen])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With --claim, keep the tests of the files that name one of the chosen claims.

    A process of pytest-xdist gets neighbouring items: those that share theories come together.
    """
    if _is_worker(config):
        items.sort(key=lambda item: getattr(item, "theories", ""))
    if not config.getoption("claim"):
        return
    from pbverify.pytest_plugin.session import chosen_claims

    chosen = chosen_claims(config)
    named = {item: _claims_beside(item) for item in items}
    unknown = chosen.difference(*named.values())
    if unknown and not _is_worker(config):
        raise pytest.UsageError(f"no lemma file names the claim {', '.join(sorted(unknown))}")
    config.hook.pytest_deselected(items=[item for item in items if not named[item] & chosen])
    items[:] = [item for item in items if named[item] & chosen]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Judging makes many small objects and few cycles: the collector looks for those less often."""
    if any(isinstance(item, CheckItem) for item in session.items):
        session.config.stash[_COLLECTOR] = gc.get_threshold()
        gc.freeze()
        gc.set_threshold(*_SELDOM)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """pytest has just collected garbage and will again: what is alive need not be looked at."""
    if _COLLECTOR in config.stash:
        gc.set_threshold(*config.stash[_COLLECTOR])
        gc.freeze()


def _claims_beside(item: pytest.Item) -> set[str]:
    """The claims that an item is about; a test function may be about all claims of its file."""
    if isinstance(item, CheckItem):
        return {item.check.is_of}
    module = getattr(item, "module", None)
    return {claim.id for claim in getattr(module, "CLAIMS", ())}


class CheckItem(pytest.Item):
    """One check of a lemma that a file declares."""

    def __init__(self, *, check: Check, theories: str, paper: Paper, **options: Any) -> None:
        super().__init__(**options)
        self.check, self.theories, self._paper = check, theories, paper
        if check.claim.kind.value in _SETTLED:
            self.add_marker("closed_form")

    def runtest(self) -> None:
        from pbverify.claims.judge import answer_to, stopped
        from pbverify.errors import PbverifyError

        try:
            answers = [answer_to(self.check, _desk(self.config), self._paper)]
        except PbverifyError as error:  # such as a tie of a learner that no precision decides
            answers = stopped(self.check, str(error))
        except Exception as error:  # the traceback is shown; the claim is undecided all the same
            self._record(stopped(self.check, f"{type(error).__name__}: {error}"))
            raise
        self._record(answers)
        complaints = [answer.complaint for answer in answers if answer.complaint]
        if complaints:
            raise ComplaintError("\n".join(complaints))

    def _record(self, answers: list[Answer]) -> None:
        for answer in answers:
            self.user_properties += [(ANSWER, answer.to_json()), *readable(answer)]

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, ComplaintError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[pathlib.Path, int, str]:
        return self.path, 0, self.name


def readable(answer: Answer) -> list[tuple[str, str]]:
    """An answer as properties that a person, or another program, reads in a JUnit file."""
    verdict = answer.verdict
    ground = verdict.evidence.value if verdict.evidence else verdict.reason
    return [
        ("claim", verdict.claim),
        ("reading", verdict.reading),
        ("verdict", verdict.outcome.value),
        ("evidence", " ".join(filter(None, [ground, verdict.witness_file or verdict.scope]))),
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A JUnit file, which is written from the last report of a test, has only what is readable."""
    if report.when == "teardown":
        report.user_properties = [each for each in report.user_properties if each[0] != ANSWER]


class ComplaintError(AssertionError):
    """A verdict that is not the expected one."""


def _desk(config: pytest.Config) -> Desk:
    from pbverify.claims.judge import Desk

    witnesses = config.rootpath / config.getoption("witnesses")
    return Desk(config.getoption("profile"), witnesses, config.rootpath)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> list[CheckItem] | None:
    """A lemma becomes one item per check; names are what a person would type after -k."""
    if not (collector.path.parent / _REGISTER).is_file():
        return None
    from pbverify.claims.lemma import Lemma
    from pbverify.claims.register import Register

    if not isinstance(obj, Lemma):
        return None
    register = Register.load(collector.path.parent / _REGISTER)
    chosen = collector.config.getoption("reading") or register.paper.readings
    shared = {"theories": obj.theories, "paper": register.paper}
    return [
        CheckItem.from_parent(collector, name=check.name, check=check, **shared)
        for check in obj.checks(register)
        if check.reading in (*chosen, "any")
    ]


@pytest.fixture(scope="session")
def profile(pytestconfig: pytest.Config) -> Profile:
    """How hard this session looks."""
    from pbverify.claims.judging import PROFILES

    return PROFILES[pytestconfig.getoption("profile")]


@dataclasses.dataclass(frozen=True)
class Judge:
    """For test functions that judge by themselves: records verdicts, compares with the register."""

    node: pytest.Item
    register: Register

    def __call__(self, *verdicts: Verdict, of: Claim[Any] | None = None) -> None:
        """Record one or several verdicts on a claim; together they must be the expected one.

        A witness must replay for the claim `of`, where that is given.
        """
        from pbverify.claims.judge import OWN
        from pbverify.claims.verdict import merged, settled

        verdict = self._recorded(OWN, settled(merged(verdicts)))
        expected = self.register.expected(verdict.claim, verdict.reading)
        if verdict.outcome is not expected:
            _fail(f"{verdict.claim}: expected {expected.value}, got {_summary(verdict)}")
        if of is not None and verdict.witness is not None and not _replays(of, verdict):
            _fail(_NO_REPLAY.format(verdict.claim))

    def teeth(self, verdict: Verdict, *, of: Claim[Any] | None = None) -> None:
        """Record the verdict on a known-false claim; it must be refuted, with a witness.

        The witness must replay for the claim `of`, where that is given.
        """
        from pbverify.claims.judge import STRONGER
        from pbverify.claims.verdict import Outcome

        if verdict.outcome is not Outcome.REFUTED:
            _fail(f"{verdict.claim} was not refuted: {_summary(verdict)}")
        if of is not None and not _replays(of, verdict):
            _fail(_NO_REPLAY.format(verdict.claim))
        self._recorded(STRONGER, verdict)

    def ablation(self, ablation: Any) -> None:
        """Drop an assumption; whether it is needed must be what is known of it."""
        from pbverify.claims.judge import WITHOUT, Answer
        from pbverify.claims.strengthenings.assumptions import as_known, row_of
        from pbverify.claims.witness import filed

        desk = _desk(self.node.config)
        verdict = filed(
            ablation.verdict(), folder=desk.witnesses, root=desk.root, paper=self.register.paper
        )
        if not as_known(ablation, verdict):
            _fail(f"{ablation.claim.id}: {_summary(verdict)}")
        answer = Answer(WITHOUT, ablation.of, verdict, row_of(ablation, verdict))
        self.node.user_properties += [(ANSWER, answer.to_json()), *readable(answer)]

    def _recorded(self, kind: str, verdict: Verdict) -> Verdict:
        from pbverify.claims.judge import Answer
        from pbverify.claims.witness import filed

        desk = _desk(self.node.config)
        verdict = filed(verdict, folder=desk.witnesses, root=desk.root, paper=self.register.paper)
        answer = Answer(kind, verdict.claim.partition("!")[0], verdict)
        self.node.user_properties += [(ANSWER, answer.to_json()), *readable(answer)]
        return verdict


@pytest.fixture
def judge(request: pytest.FixtureRequest) -> Judge:
    """A judge for test functions; a lemma file declares a Lemma instead."""
    from pbverify.claims.register import Register

    warnings.warn("declare a Lemma instead of a test function", DeprecationWarning, stacklevel=2)

    return Judge(request.node, Register.load(request.path.parent / _REGISTER))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    verdicts = _verdicts(terminalreporter)
    if config.getoption("claim"):
        from pbverify.pytest_plugin.session import chosen_claims

        chosen = chosen_claims(config)
        verdicts = [verdict for verdict in verdicts if verdict.claim in chosen]
    if not verdicts and not config.getoption("verdicts") and not config.getoption("report"):
        return
    from pbverify.pytest_plugin.session import closing_lines, keep_session
    from pbverify.report.summary import SHORT

    if verdicts:
        terminalreporter.section("verdicts")
    if config.getoption("table") or config.getoption("verbose") > 0 or len(verdicts) <= SHORT:
        _print_table(terminalreporter, verdicts)
    for line in closing_lines(config, verdicts, has_summary=len(verdicts) > SHORT):
        terminalreporter.line(line)
    for line in keep_session(config, verdicts, profile=config.getoption("profile")):
        terminalreporter.line(line)


def _verdicts(terminalreporter: Any) -> list[Verdict]:
    """One verdict per claim and reading."""
    from pbverify.claims.judge import Answer, gathered

    return gathered(
        Answer.from_json(value)
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "call"
        for name, value in report.user_properties
        if name == ANSWER
    )


def _print_table(terminalreporter: Any, verdicts: list[Verdict]) -> None:
    from rich.console import Console

    from pbverify.report.table import UNSEEN, verdict_table

    writer = terminalreporter._tw
    console = Console(
        file=writer._file,
        force_terminal=writer.hasmarkup,
        no_color=not writer.hasmarkup,
        width=writer.fullwidth if writer.hasmarkup else max(writer.fullwidth, UNSEEN),
    )
    console.print(verdict_table(verdicts))


def _replays(claim: Claim[Any], verdict: Verdict) -> bool:
    from pbverify.claims.judging import replay
    from pbverify.numerics import Truth

    return verdict.witness is not None and replay(claim, verdict.witness) is Truth.YES


def _summary(verdict: Verdict) -> str:
    from pbverify.claims.lemma import violated

    found = f"{verdict.outcome.value} after {verdict.cases} cases {verdict.reason}".rstrip()
    return "\n  ".join([found, *violated(verdict)])


def _fail(message: str) -> None:
    pytest.fail(message, pytrace=False)
