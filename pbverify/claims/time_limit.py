"""Work that is stopped when its time is up, whatever it is doing.

The work runs in a forked child process, which is killed at the deadline: compiled kernels and long
calls into C stop too, where an exception raised by a signal would have to wait for them. The price
is that the child's memory is lost, so it hands its result back as bytes; and that there must be
`fork` (Linux, macOS). Processes that the work has started itself are not followed.
"""

from __future__ import annotations

import math
import os
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable

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
