"""Work that is stopped when its time is up, whatever it is doing.

The work runs in a forked child process, which is killed at the deadline: compiled kernels and long
calls into C stop too, where an exception raised by a signal would have to wait for them. The price
is that the child's memory is lost, so it hands its result back as bytes; and that there must be
`fork` (Linux, macOS). Processes that the work has started itself are not followed.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from pbverify.claims.claim import Claim
from pbverify.claims.library import REGISTER
from pbverify.claims.register import Register
from pbverify.claims.verdict import Outcome, Verdict
from pbverify.errors import InputError

_CHUNK = 1 << 16


def check_seconds(seconds: float) -> float:
    """A limit as it may be given: positive, finite, and on a system that can fork."""
    if not (seconds > 0 and math.isfinite(seconds)):
        raise InputError("a positive number of seconds", "time limit", seconds)
    if not hasattr(os, "fork"):
        raise InputError("no limit on a system without fork", "time limit", seconds)
    return seconds


def within(seconds: float, work: Callable[[], bytes]) -> bytes | None:
    """What the work returns, or None if that took longer; empty if the child died."""
    reader, writer = os.pipe()
    child = _fork()
    if not child:
        os.close(reader)
        _work_and_exit(work, writer)
    os.close(writer)
    try:
        return _collected(reader, deadline=time.monotonic() + seconds)
    finally:
        os.close(reader)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _fork() -> int:
    with warnings.catch_warnings():  # threads of numerical libraries are idle between tests
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _work_and_exit(work: Callable[[], bytes], writer: int) -> None:
    """In the child: nothing may escape, or two processes would go on with the caller's work."""
    try:
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(_result_or_complaint(work))
    finally:
        os._exit(0)


def _result_or_complaint(work: Callable[[], bytes]) -> bytes:
    try:
        return work()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        return b""


def _collected(reader: int, *, deadline: float) -> bytes | None:
    found = b""
    while True:
        left = max(0.0, deadline - time.monotonic())
        if not select.select([reader], [], [], left)[0]:
            return None
        chunk = os.read(reader, _CHUNK)
        if not chunk:
            return found
        found += chunk


def timed_reports(item: pytest.Item, *, seconds: float, property: str) -> list[pytest.TestReport]:
    """The reports of one test; verdicts on a stopped one are user properties of that name."""
    hook = item.config.hook

    def reports() -> bytes:
        made = runtestprotocol(item, log=False, nextitem=None)
        plain = [hook.pytest_report_to_serializable(config=item.config, report=r) for r in made]
        return json.dumps(plain, default=str).encode()

    found = within(seconds, reports)
    if not found:
        reason = f"time limit of {seconds:g} s" if found is None else "its process died"
        return [_stopped(item, reason, property)]
    return [
        hook.pytest_report_from_serializable(config=item.config, data=data)
        for data in json.loads(found)
    ]


def _stopped(item: pytest.Item, reason: str, property: str) -> pytest.TestReport:
    verdicts = list(undecided(item, reason=f"{reason}: {item.name}"))
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords={},
        outcome="failed",
        longrepr=f"{item.name} was stopped: {reason}",
        when="call",
        user_properties=[(property, json.dumps(verdict.to_json())) for verdict in verdicts],
    )


def undecided(item: pytest.Item, *, reason: str) -> Iterator[Verdict]:
    """A verdict on each claim and reading that a test concerns."""
    rows = Register.load(item.path.parent / REGISTER).rows
    for claim in _concerned(item):
        known = list(rows[claim.id].expected) if claim.id in rows else ["any"]
        check = getattr(item, "check", None)
        own = check.reading if check else _parameters(item).get("reading")
        for reading in [str(own)] if own in known else known:
            yield Verdict(
                claim.id,
                reading,
                Outcome.UNDECIDED,
                evidence=None,
                cases=0,
                applicable=0,
                statement=claim.statement,
                label=claim.label,
                reason=reason,
            )


def _concerned(item: pytest.Item) -> list[Claim[Any]]:
    """The file's claims that are, or whose stronger forms are, parameters of the test; else all."""
    check = getattr(item, "check", None)
    if check is not None:
        return [dataclasses.replace(check.claim, id=check.is_of)]
    claims = list(getattr(getattr(item, "module", None), "CLAIMS", ()))
    chosen = {
        value.id.partition("!")[0]
        for value in _parameters(item).values()
        if isinstance(value, Claim)
    }
    return [claim for claim in claims if claim.id in chosen] or claims


def _parameters(item: pytest.Item) -> dict[str, Any]:
    return dict(item.callspec.params) if hasattr(item, "callspec") else {}
