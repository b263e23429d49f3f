"""The command line: a line per witness, a line that counts them, and an exit code."""

from __future__ import annotations

import os
import sys

from .judging import examine
from .witness_file import BadFile, read


def default_files() -> list[str]:
    """The files of the folder `witnesses` beside the launcher."""
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "witnesses")
    found = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [os.path.join(folder, name) for name in found if name.endswith(".json")]


BAD = "BAD FILE"
WORDS = {
    "CONFIRMED": "confirmed",
    "REPLICATED": "replicated",
    "NOT CONFIRMED": "NOT confirmed",
    "UNKNOWN CLAIM": "of claims that this program does not compute",
    BAD: "cannot be read",
}
"""What may be said of a witness, and how the last line says it."""


def main(paths: list[str]) -> int:
    """Print a line per witness and their numbers, and return the exit code."""
    counts = dict.fromkeys(WORDS, 0)
    for path in paths or default_files():
        try:
            finding = examine(read(path))
            status, detail = finding.status, finding.detail
        except BadFile as error:
            status, detail = BAD, str(error)
        counts[status] += 1
        _say(f"{os.path.basename(path)}: {status:<13}  {detail}")
    told = [f"{count} {WORDS[status]}" for status, count in counts.items() if count]
    _say(f"{sum(counts.values())} witnesses: {', '.join(told) or 'nothing to check'}")
    return exit_code(counts)


def exit_code(counts: dict[str, int]) -> int:
    """2 if a file is bad, else 1 if a witness is not confirmed, else 3 if none could be checked."""
    if counts[BAD]:
        return 2
    if counts["NOT CONFIRMED"]:
        return 1
    return 0 if counts["CONFIRMED"] or counts["REPLICATED"] else 3


def _say(line: str) -> None:
    print(line.encode("ascii", "replace").decode(), flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
