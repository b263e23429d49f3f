"""Prudent-Banker and nothing else: its algorithm, formulas, cases, proofs and experiment.

The machinery (`claims`, `search`, `report`, `cli`, ...) knows this package only as the `PAPER` that
a register names.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbverify import PAPER_SHA256
from pbverify.claims.paper import Command, Paper, Pictures, SecondProgram, Told

if TYPE_CHECKING:
    from markupsafe import Markup

    from pbverify.claims.verdict import Witness
    from pbverify.report.sketch import Sketch


def _examine(witness: bytes) -> tuple[str, str]:
    from pbverify.paper import second_program

    try:
        finding = second_program.examine(second_program.parse(witness))
    except second_program.BadFile as error:
        return "NOT CONFIRMED", str(error)
    return finding.status, finding.detail


def _options(reading: str) -> Mapping[str, object]:
    from pbverify.paper.algorithm.readings import preset

    return preset(reading).to_json()


def _shipped_files() -> Mapping[str, bytes]:
    from pbverify.paper import second_program

    return second_program.shipped_files()


def _columns(witness: Witness) -> Mapping[str, Any] | None:
    from pbverify.paper.pictures import columns_of

    return columns_of(witness)


def _draw(witness: Witness, columns: Mapping[str, Any]) -> list[Markup]:
    from pbverify.paper.pictures import drawings

    return drawings(witness, columns)


def _tell(witness: Witness) -> Told | None:
    from pbverify.paper.pictures.telling import tell

    return tell(witness)


def _mechanism(name: str) -> Sketch | None:
    from pbverify.paper.pictures.mechanisms import mechanism

    return mechanism(name)


FAULTS = pathlib.Path(__file__).with_name("engine_faults.json")
"""Which claim notices which planted mistake in the engine; recorded by the tests."""


def _faults() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(FAULTS.read_text(encoding="utf-8"))
    return found


COMMANDS = (
    Command("instance", "pbverify.paper.commands.instance:app", "Write an instance to play."),
    Command("run", "pbverify.paper.commands.run:app", "Run Prudent-Banker on an instance."),
    Command(
        "experiment",
        "pbverify.paper.commands.experiment:run_experiment",
        "Run the paper's experiment.",
    ),
    Command("bench", "pbverify.paper.commands.bench:app", "Measure speed."),
)
"""What only makes sense for this paper."""

RUN_COLUMNS = ("stage", "phase", "delay_estimate", "alpha", "gap", "hard_restart", "soft_restart")
"""What the picture of a run shows, beside its delays and the threshold of the gap."""

PAPER = Paper(
    title="Prudent-Banker",
    sha256=PAPER_SHA256,
    readings=("appendix", "main", "repaired"),
    own_readings=("repaired",),
    options=_options,
    second_program=SecondProgram(_examine, _shipped_files),
    pictures=Pictures(
        _columns,
        (("delays", *RUN_COLUMNS, "threshold"), ("delays", "buckets")),
        _draw,
        tell=_tell,
        mechanism=_mechanism,
    ),
    faults=_faults,
    commands=COMMANDS,
)
