"""Tests under a time limit: what they reported, or that they were stopped.

A test that is stopped leaves UNDECIDED verdicts with the reason: on its own claim if it is a check
of a lemma; otherwise on the claims among its parameters, else on every claim of its file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from pbverify.claims.claim import Claim
from pbverify.claims.judge import OWN, Answer, stopped
from pbverify.claims.library import REGISTER
from pbverify.claims.register import Register
from pbverify.claims.time_limit import within
from pbverify.claims.verdict import Verdict


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
    answers = list(undecided(item, reason=reason))
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords={},
        outcome="failed",
        longrepr=f"{item.name} was stopped: {reason}",
        when="call",
        user_properties=[(property, answer.to_json()) for answer in answers],
    )


def undecided(item: pytest.Item, *, reason: str) -> Iterator[Answer]:
    """An answer for each claim and reading that a test concerns."""
    check = getattr(item, "check", None)
    if check is not None:
        yield from stopped(check, reason)
        return
    rows = Register.load(item.path.parent / REGISTER).rows
    for claim in _concerned(item):
        known = list(rows[claim.id].expected) if claim.id in rows else ["any"]
        own = _parameters(item).get("reading")
        for reading in [str(own)] if own in known else known:
            words = claim.statement, claim.label
            why = f"{reason}: {item.name}"
            yield Answer(OWN, claim.id, Verdict.undecided(claim.id, reading, *words, why))


def _concerned(item: pytest.Item) -> list[Claim[Any]]:
    """The file's claims that are, or whose stronger forms are, parameters of the test; else all."""
    claims = list(getattr(getattr(item, "module", None), "CLAIMS", ()))
    chosen = {
        value.id.partition("!")[0]
        for value in _parameters(item).values()
        if isinstance(value, Claim)
    }
    return [claim for claim in claims if claim.id in chosen] or claims


def _parameters(item: pytest.Item) -> dict[str, Any]:
    return dict(item.callspec.params) if hasattr(item, "callspec") else {}
