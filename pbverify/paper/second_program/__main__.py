"""The command line: a line per witness, and an exit code."""

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


def main(paths: list[str]) -> int:
    """Print a line per witness, and return the exit code."""
    codes = {"CONFIRMED": 0, "REPLICATED": 0, "NOT CONFIRMED": 1, "UNKNOWN CLAIM": 3}
    gravity = [0, 3, 1, 2]  # exit codes from harmless to bad
    code = 0
    for path in paths or default_files():
        try:
            finding = examine(read(path))
            line, this = f"{finding.status:<13}  {finding.detail}", codes[finding.status]
        except BadFile as error:
            line, this = f"BAD FILE       {error}", 2
        print(f"{os.path.basename(path)}: {line}".encode("ascii", "replace").decode())  # noqa: T201
        code = max(code, this, key=gravity.index)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
