"""Work in a child process that is killed when its time is up."""

from __future__ import annotations

import math
import os

import pytest

from pbverify.claims.time_limit import check_seconds, within
from pbverify.errors import InputError


def test_work_in_time_hands_back_its_bytes() -> None:
    """Also more of them than a pipe holds at once."""
    assert within(60, lambda: b"x" * 10**6) == b"x" * 10**6


def test_a_long_call_into_c_is_stopped() -> None:
    """One call that would take days, and never returns to the interpreter, ends at the limit."""
    assert within(0.2, lambda: str(math.factorial(10**9)).encode()) is None


def test_work_that_fails_hands_back_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """An error ends the child alone, and shows on its standard error."""

    def fail() -> bytes:
        raise RuntimeError("no luck")

    assert within(60, fail) == b""
    assert "RuntimeError: no luck" in capfd.readouterr().err


def test_a_child_that_dies_hands_back_nothing() -> None:
    """As a crash in compiled code would."""
    assert within(60, lambda: os._exit(9)) == b""


def test_the_callers_memory_is_left_alone() -> None:
    """What the work changes, it changes in the child."""
    changed: list[int] = []

    def change() -> bytes:
        changed.append(1)
        return b"%d" % len(changed)

    assert within(60, change) == b"1"
    assert changed == []


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf])
def test_a_limit_is_positive_and_finite(seconds: float) -> None:
    """Anything else is an input error."""
    with pytest.raises(InputError, match="a positive number of seconds"):
        check_seconds(seconds)
    assert check_seconds(0.5) == 0.5


def test_a_system_without_fork_has_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused, not ignored."""
    monkeypatch.delattr(os, "fork")
    with pytest.raises(InputError, match="without fork"):
        check_seconds(1)
