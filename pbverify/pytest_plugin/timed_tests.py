"""Tests of lemma files under a time limit: what they reported, or that time was up.

A test that is stopped leaves UNDECIDED verdicts with the reason: on the claims among its
parameters, else on every claim of its file, under its reading or all that the register names.
Time that says nothing must not leave other evidence standing as if all had been looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from pbverify.claims.claim import Claim
from pbverify.claims.library import REGISTER
from pbverify.claims.register import Register
from pbverify.claims.verdict import Outcome, Verdict
from pbverify.pytest_plugin.time_limit import within


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
        own = _parameters(item).get("reading")
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
    claims = list(getattr(getattr(item, "module", None), "CLAIMS", ()))
    chosen = {
        value.id.partition("!")[0]
        for value in _parameters(item).values()
        if isinstance(value, Claim)
    }
    return [claim for claim in claims if claim.id in chosen] or claims


def _parameters(item: pytest.Item) -> dict[str, Any]:
    return dict(item.callspec.params) if hasattr(item, "callspec") else {}
