#!/usr/bin/env python3
"""Check witnesses of refutation again, without trusting the program that found them.

    python3 check_witnesses.py                 every file in witnesses/ beside this script
    python3 check_witnesses.py FILE...         these files
    python3 check_witnesses.py --help          this text

A witness names a claim `lhs <= rhs` (or `<`, `=`) of the paper and a case in which it fails, or a
claim without one of its assumptions (`ID!without ASSUMPTION`). This script computes both sides of
that case and says

    CONFIRMED      the claim fails there, and by the numbers that the file states;
    REPLICATED     the claim is about an expectation: this script's own runs, with its own random
                   numbers, reject it at level 1e-9, and their mean is within the stated range;
    NOT CONFIRMED  neither, or the numbers are others, or they cannot be told apart;
    UNKNOWN CLAIM  the claim, or this reading of the algorithm, is not computed by this script.

The last line counts them. Exit code: 0 all that this script computes are confirmed or replicated,
1 some not confirmed, 2 a file cannot be read, 3 there was nothing that it computes.

The folder `second_program` beside this file does the work, with Python's standard library alone
and no line of the program whose work it checks; its `__init__.py` lists its files.

How to read it. For one witness, read `intervals.py`, `claims.py` and `judging.py` there (a few
minutes) and the function with its claim's name, which is 10 to 30 lines: search the folder for the
name, or for its part after the last slash. If the witness is about a run, read `rounds` in
`algorithm.py` too. The other claims do not concern you.
"""

from __future__ import annotations

import importlib
import os
import sys


def main(arguments: list[str]) -> int:
    """Run the program in the folder beside this file."""
    if {"-h", "--help"} & set(arguments):
        sys.stdout.write(__doc__ or "")
        return 0
    here = os.path.dirname(os.path.realpath(__file__))
    if not os.path.isdir(os.path.join(here, "second_program")):
        sys.stderr.write("The folder second_program is expected beside check_witnesses.py.\n")
        return 2
    sys.path.insert(0, here)
    sys.dont_write_bytecode = True  # a check leaves the folder of the report as it is
    return int(importlib.import_module("second_program.__main__").main(arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
