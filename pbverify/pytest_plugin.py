"""`pytest lemmas`: every test hands its verdict to `judge`, and a table closes the session.

A test passes when its verdict is the one that the register beside the lemma file knows, reproduced
now. Verdicts travel as user properties of test reports, so they survive pytest-xdist and appear in
JUnit files.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import os
import pathlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pbverify.check import Profile
    from pbverify.verdict import Verdict

VERDICT, TEETH = "pbverify-verdict", "pbverify-teeth"
_PROFILES = ("quick", "default", "thorough")
_READINGS = ("appendix", "main", "repaired")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pbverify", "verdicts on the paper's claims")
    group.addoption("--profile", choices=_PROFILES, default="default", help="how hard to look")
    group.addoption(
        "--reading",
        action="append",
        choices=_READINGS,
        help="judge claims about the algorithm under this reading only (may be repeated)",
    )
    group.addoption("--verdicts", metavar="FILE", help="write the verdicts to this JSON file")
    group.addoption(
        "--witnesses",
        metavar="DIR",
        default=".pbverify/witnesses",
        help="where witness files go (default: %(default)s under the root directory)",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "reading" in metafunc.fixturenames:
        metafunc.parametrize("reading", metafunc.config.getoption("reading") or _READINGS)


@pytest.fixture(scope="session")
def profile(pytestconfig: pytest.Config) -> Profile:
    """How hard this session looks."""
    from pbverify.check import PROFILES

    return PROFILES[pytestconfig.getoption("profile")]


@dataclasses.dataclass(frozen=True)
class Judge:
    """Takes verdicts, records them, and compares them with the register."""

    node: pytest.Item
    register_file: pathlib.Path
    witnesses: pathlib.Path

    def __call__(self, verdict: Verdict) -> None:
        """Record a verdict on a claim of the paper; it must be the known one."""
        from pbverify.register import Register

        verdict = self._with_witness_file(verdict)
        self.node.user_properties.append((VERDICT, json.dumps(verdict.to_json())))
        known = Register.load(self.register_file).expected(verdict.claim, verdict.reading)
        assert verdict.outcome is known, f"{verdict.claim}: {_summary(verdict)}"

    def teeth(self, verdict: Verdict) -> None:
        """Record the verdict on a known-false claim; it must be refuted, with a witness."""
        verdict = self._with_witness_file(verdict)
        assert verdict.witness is not None, f"{verdict.claim} was not refuted: {_summary(verdict)}"
        self.node.user_properties.append((TEETH, json.dumps(verdict.to_json())))

    def _with_witness_file(self, verdict: Verdict) -> Verdict:
        if verdict.witness is None:
            return verdict
        self.witnesses.mkdir(parents=True, exist_ok=True)
        path = self.witnesses / verdict.witness.file_name
        verdict.witness.save(path)
        shown = os.path.relpath(path, self.node.config.rootpath)
        return dataclasses.replace(verdict, witness_file=shown)


@pytest.fixture
def judge(request: pytest.FixtureRequest) -> Judge:
    """The session's judge of verdicts."""
    config = request.config
    return Judge(
        node=request.node,
        register_file=request.path.parent / "paper.toml",
        witnesses=config.rootpath / config.getoption("witnesses"),
    )


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    from pbverify.verdict import save_verdicts

    verdicts = _verdicts(terminalreporter)
    if verdicts:
        terminalreporter.section("verdicts")
        _print_table(terminalreporter, verdicts)
    if config.getoption("verdicts"):
        save_verdicts(config.getoption("verdicts"), verdicts, profile=config.getoption("profile"))


def _verdicts(terminalreporter: Any) -> list[Verdict]:
    """One verdict per claim and reading, with the teeth that its claim showed."""
    from pbverify.verdict import merged

    teeth = collections.Counter(
        tooth.claim.partition("!")[0] for tooth in _recorded(terminalreporter, TEETH)
    )
    grouped: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in _recorded(terminalreporter, VERDICT):
        grouped.setdefault((verdict.claim, verdict.reading), []).append(verdict)
    return [
        dataclasses.replace(merged(grouped[key]), teeth=teeth[key[0]]) for key in sorted(grouped)
    ]


def _recorded(terminalreporter: Any, kind: str) -> Iterator[Verdict]:
    from pbverify.verdict import Verdict

    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                for name, value in report.user_properties:
                    if name == kind:
                        yield Verdict.from_json(json.loads(value))


def _print_table(terminalreporter: Any, verdicts: list[Verdict]) -> None:
    from rich.console import Console

    from pbverify.table import verdict_table

    writer = terminalreporter._tw
    console = Console(
        file=writer._file,
        force_terminal=writer.hasmarkup,
        no_color=not writer.hasmarkup,
        width=writer.fullwidth if writer.hasmarkup else max(writer.fullwidth, 140),
    )
    console.print(verdict_table(verdicts))


def _summary(verdict: Verdict) -> str:
    return f"{verdict.outcome.value} after {verdict.cases} cases {verdict.reason}".rstrip()
