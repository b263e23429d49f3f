"""A report on made-up verdicts, hostile strings included, and a browser to look at it."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

from pbverify.claims.findings import Cell, Finding, Findings
from pbverify.claims.register import Register
from pbverify.claims.verdict import ASSUMPTION_COLUMNS, Evidence, Fate, Outcome, Verdict, Witness
from pbverify.paper import PAPER
from pbverify.report import Material
from pbverify.report.gather import gathered

HOSTILE = "<script>document.title='owned'</script>"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

WITNESS = Witness(
    claim="lemma",
    reading=None,
    subject={"parameters": {"delays": [2, 0, 1], "start": 1, "end": 3, "note": HOSTILE}},
    where={"t": 1, "side": HOSTILE},
    lhs="2",
    rhs="1",
    margin="1",
)
RUN = Witness(
    claim="lemma/run",
    reading={"budget": "main"},
    subject={"instance": {"losses": [[1, 0]] * 3, "delays": [2, 0, 0]}},
    where={"t": 2},
    lhs="[1.5 +/- 1e-9]",
    rhs="1",
    margin="[0.5 +/- 1e-9]",
)
PICTURE = {
    "format": "pbverify/picture-1",
    "delays": [2, 0, 0],
    "stage": [1, 2, 2],
    "phase": [1, 1, 2],
    "delay_estimate": [1, 2, 2],
    "alpha": [0.25, 0.5, 1.0],
    "gap": [0.0, 3.0, 0.0],
    "threshold": [2.0, 2.0, 2.0],
    "hard_restart": [True, False, False],
    "soft_restart": [False, True, False],
}


def row(id: str, *uses: str, fidelity: str = "stated", erratum: str = "") -> dict[str, Any]:
    return {
        "id": id,
        "label": "lem:x",
        "place": f"appendix {HOSTILE}",
        "kind": "pathwise" if "/" in id else "combinatorial",
        "fidelity": fidelity,
        "uses": list(uses),
        "expected": {"any": "HOLDS"},
        "erratum": erratum,
    }


FINDING = Finding(
    id="lemma",
    title=f"The lemma {HOSTILE}",
    name="The lemma",
    labels=("lem:x", HOSTILE),
    tex=f"For all $t \\le T$: $M_t \\le \\sqrt{{D}}$ {HOSTILE}",
    covers=("lemma",),
    as_printed=f"Fails. {HOSTILE}",
    fails=(Cell("lemma", "any"), Cell("lemma/run", "main")),
    why=f"Because. {HOSTILE}",
    counterexample=f"Two rounds. {HOSTILE}",
    witness=Cell("lemma", "any"),
    survives=(Cell("lemma@repaired", "any"),),
    remains=f"Half of it. {HOSTILE}",
    corrected="$M_t \\le D$",
    consequence=f"The theorem. {HOSTILE}",
    rank=1,
    picture="silence",
)
"""What became of the lemma of the material; the theorem has no finding."""


def verdict(claim: str, outcome: Outcome, **changes: Any) -> Verdict:
    fields: dict[str, Any] = {
        "reading": "any",
        "evidence": Evidence.SURVIVED if outcome is Outcome.HOLDS else None,
        "cases": 10,
        "applicable": 8,
        "statement": "M_t(s) <= d_s + ... + d_end",
        "scope": "8 generated",
        **changes,
    }
    return Verdict(claim=claim, outcome=outcome, **fields)


@pytest.fixture
def material() -> Material:
    """A refuted lemma, its repair, a theorem that uses it, and something undecided."""
    refuted = {"evidence": Evidence.WITNESS, "checker": "CONFIRMED", "worst_ratio": 2.0}
    return Material(
        profile="quick",
        paper=PAPER,
        findings=Findings.of([FINDING], ["lemma", "lemma@repaired", "lemma/run"]),
        verdicts=[
            verdict(
                "theorem",
                Outcome.HOLDS,
                worst_ratio=0.5,
                stronger=2,
                strengthenings={f"a {HOSTILE}": Fate.SURVIVED, "b": Fate.REFUTED},
                assumptions=(dict.fromkeys(ASSUMPTION_COLUMNS, HOSTILE) | {"witness": "w.json"},),
            ),
            verdict("lemma", Outcome.REFUTED, witness_file="w.json", **refuted),
            verdict(
                "lemma@repaired",
                Outcome.HOLDS,
                statement=HOSTILE,
                evidence=Evidence.PROVED,
                scope="all sizes",
                trivial=3,
                obligations=7,
                solvers=("z3 7",),
                assuming=(f"drawn late {HOSTILE}",),
                made_of=("lemma/run",),
                proof=("Definition.", f"Theorem. {HOSTILE}"),
            ),
            verdict("lemma/run", Outcome.REFUTED, reading="main", witness_file="r.json", **refuted),
            verdict("open", Outcome.UNDECIDED, reason=f"3 pairs {HOSTILE}"),
        ],
        rows=[
            row("lemma", erratum=f"The last line is wrong. {HOSTILE}"),
            row("lemma@repaired", fidelity="repaired"),
            row("lemma/run", "lemma", fidelity="proof step"),
            row("theorem", "lemma/run"),
            row("open"),
            row("later", "theorem"),
        ],
        witnesses={"w.json": WITNESS, "r.json": RUN},
        pictures={"r.json": PICTURE},
        explained={("theorem", "any", f"a {HOSTILE}"): ("loose", HOSTILE)},
    )


@pytest.fixture
def expected() -> Material:
    """The paper's register with verdicts as it expects them, without witnesses."""
    register = Register.load(pathlib.Path(__file__).parents[2] / "lemmas" / "paper.toml")
    verdicts = [
        verdict(row.id, outcome, reading=reading, label=row.label)
        for row in register.rows.values()
        for reading, outcome in row.expected.items()
    ]
    return gathered(verdicts, profile="quick", register=register, folders=[])


class Page:
    """A page in a headless browser, driven over a pipe (Chrome's DevTools protocol)."""

    def __init__(self, process: subprocess.Popen[bytes], write: int, read: int) -> None:
        self.process, self._write, self._read = process, write, read
        self._numbers = itertools.count(1)
        self._buffer = b""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    session: str | None = None

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer; events in between are kept."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return dict(answer["result"])
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            self._buffer += os.read(self._read, 65536)
        text, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(text))

    def open(self, path: pathlib.Path, hash: str = "") -> None:
        self.visit(f"{path.as_uri()}{hash}")

    def visit(self, url: str) -> None:
        self.events = []
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def evaluate(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, expression: str, *, seconds: float) -> Any:
        """What the expression becomes once it is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.evaluate(expression)
            if found:
                return found
            time.sleep(0.2)
        raise AssertionError(f"never true: {expression}")

    def press(self, key: str, code: int) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code
            )

    def size(self, width: int, *, height: int = 844, scheme: str = "light") -> None:
        """The size of the window, and light or dark."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", **metrics)

    def of(self, *methods: str) -> list[dict[str, Any]]:
        return [event["params"] for event in self.events if event.get("method") in methods]


@pytest.fixture
def page(tmp_path: pathlib.Path) -> Iterator[Page]:
    """A new page; without a browser on this machine the test is skipped and says so."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip("no Chromium on this machine")
    from_us, to_us = os.pipe(), os.pipe()

    def as_three_and_four() -> None:
        os.dup2(from_us[0], 13)
        os.dup2(to_us[1], 14)
        os.dup2(13, 3)
        os.dup2(14, 4)

    command = [browser, *FLAGS, "--remote-debugging-pipe", f"--user-data-dir={tmp_path / 'b'}"]
    process = subprocess.Popen(
        command,
        preexec_fn=as_three_and_four,
        close_fds=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(from_us[0])
    os.close(to_us[1])
    try:
        yield Page(process, from_us[1], to_us[0])
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=10)
        os.close(from_us[1])
        os.close(to_us[0])
