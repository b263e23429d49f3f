"""Coverage-guided fuzzing (atheris, Linux) of the readers of JSON and TOML, and of the prover.

    pip install atheris
    python tests/quality/fuzz_readers.py files -max_total_time=60 -max_len=2000 CORPUS
    python tests/quality/fuzz_readers.py grammar -max_total_time=60 -max_len=60 CORPUS

CORPUS is a folder, with valid files or inequalities to start from. Anything but a result or one
printable line stops the fuzzer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import atheris

with atheris.instrument_imports(include=["pbverify"]):
    from pbverify.bandits.instance import Instance
    from pbverify.claims.register import parse_toml
    from pbverify.claims.verdict import Witness, verdicts_from
    from pbverify.errors import PbverifyError
    from pbverify.files.documents import parse_json
    from pbverify.prover.inequalities.grammar import parse_condition, parse_inequality


def files(data: bytes) -> None:
    said(lambda: Instance.from_json(parse_json(data, source="file")))
    said(lambda: Witness.from_json(parse_json(data, source="file")))
    said(lambda: verdicts_from(parse_json(data, source="file")))
    said(lambda: parse_toml(data, source="file"))


def grammar(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    said(lambda: parse_inequality(text))
    said(lambda: parse_condition(text))


def said(read: Callable[[], object]) -> None:
    try:
        read()
    except PbverifyError as error:
        if not str(error).isprintable():
            raise ValueError(str(error)) from error


if __name__ == "__main__":
    target = {"files": files, "grammar": grammar}[sys.argv.pop(1)]
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()
