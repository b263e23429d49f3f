"""A Dask scheduler, for campaigns and for judging.

Its workers run one thread each and find the lemma files under the same path.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import re
from collections.abc import Iterator
from typing import Any

from pbverify.errors import InputError, PbverifyError

REACH_WITHIN = 5
"""Seconds in which a scheduler must answer."""


class WorkersError(PbverifyError):
    """Workers or a scheduler that cannot be had; what is stored stays."""


def distributed() -> Any:
    """Dask's package, an extra."""
    try:
        import distributed
    except ImportError as error:
        raise WorkersError("--scheduler needs Dask: pip install 'pbverify[cluster]'.") from error
    return distributed


def connect(address: str) -> Any:
    """A client of the scheduler at an address."""
    if not re.fullmatch(r"(?:(?:tcp|tls|ws|wss|ucx)://)?[^/\s]+:\d+/?", address):
        raise InputError("an address like tcp://host:8786", "--scheduler", address)
    try:
        return distributed().Client(address, timeout=REACH_WITHIN)
    except (OSError, ValueError, TimeoutError) as error:
        raise WorkersError(f"Cannot reach the scheduler {address}: {_short(error)}.") from error


def _short(error: BaseException) -> str:
    return str(error).splitlines()[0][:120].rstrip(".") if str(error) else type(error).__name__


@contextlib.contextmanager
def cluster_pool(address: str) -> Iterator[concurrent.futures.Executor]:
    """The scheduler's workers as an executor; Dask repeats what a lost worker had."""
    client = connect(address)
    try:
        with client.get_executor(pure=False) as pool:
            yield pool
    except distributed().KilledWorker as error:
        raise WorkersError(f"Workers of {address} keep dying: {_short(error)}.") from error
    except concurrent.futures.CancelledError as error:
        raise WorkersError(f"The scheduler {address} is gone.") from error
    finally:
        client.close(timeout=REACH_WITHIN)
