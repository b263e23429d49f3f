"""What a session leaves on disk for a refutation, and the word of the independent checker.

A report reads files and computes nothing. So a witness is filed with the columns that its picture
needs, in the folder `pictures` beside it, if it is a run of the algorithm or delays that are cut
into buckets. The standalone checker that ships with every report then computes the witness again:
if it disagrees with the engine, the verdict is UNDECIDED and shows both.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from pbverify.bandits.instance import Instance
from pbverify.bandits.simulate import run_rigorously
from pbverify.claims.verdict import Outcome, Verdict, Witness
from pbverify.errors import PbverifyError
from pbverify.files.documents import dumps, made_folder, write_json
from pbverify.numerics import BallArithmetic
from pbverify.paper import second_program
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.algorithm.schedule import Schedule
from pbverify.paper.lower_bound.buckets import Bucketing

PICTURE_FORMAT = "pbverify/picture-1"
MOST_ROUNDS = 10_000
"""Longer runs have no picture: its columns would take longer to compute than the verdict."""
COLUMNS = ("stage", "phase", "delay_estimate", "alpha", "gap", "hard_restart", "soft_restart")


def filed(verdict: Verdict, *, folder: pathlib.Path, root: pathlib.Path) -> Verdict:
    """Write the verdict's witness, if it has one, and let the checker speak."""
    witness = verdict.witness
    if witness is None:
        return verdict
    path = folder / witness.file_name
    made_folder(folder)
    witness.save(path)
    file_picture(witness, path)
    return rechecked(dataclasses.replace(verdict, witness_file=os.path.relpath(path, root)))


def rechecked(verdict: Verdict) -> Verdict:
    """The verdict with what the independent checker says of its witness."""
    assert verdict.witness is not None
    witness = verdict.witness
    finding = examined(witness)
    if finding.status != "NOT CONFIRMED":
        return dataclasses.replace(verdict, checker=finding.status)
    engine = f"lhs = {witness.lhs}, rhs = {witness.rhs}, margin = {witness.margin}"
    return dataclasses.replace(
        verdict,
        outcome=Outcome.UNDECIDED,
        evidence=None,
        reason=f"engine: {engine}; independent checker: {finding.detail}",
        checker=finding.status,
    )


def examined(witness: Witness) -> second_program.Finding:
    """What the checker says of a witness as it would read it from its file."""
    try:
        return second_program.examine(second_program.parse(dumps(witness.to_json()).encode()))
    except second_program.BadFile as error:
        return second_program.Finding("NOT CONFIRMED", str(error))


def file_picture(witness: Witness, path: pathlib.Path) -> None:
    """Write the columns of the witness's picture, if it has one."""
    document = None
    with contextlib.suppress(PbverifyError):  # a witness that cannot be drawn is still one
        if "instance" in witness.subject and witness.reading is not None:
            instance = Instance.from_json(witness.subject["instance"])
            if instance.rounds <= MOST_ROUNDS:
                document = picture_of(instance, Reading.from_json(witness.reading))
        elif "parameters" in witness.subject:
            document = picture_of_buckets(witness.subject["parameters"])
    if document is not None:
        target = picture_path(path)
        target.parent.mkdir(exist_ok=True)
        write_json(target, document)


def picture_of_buckets(parameters: Mapping[str, Any]) -> dict[str, object] | None:
    """Delays and the bucket of every round, of delays that are cut into buckets."""
    if "delays" not in parameters or "start" in parameters:
        return None
    cut = Bucketing.rebuild({"parameters": {"delays": list(parameters["delays"])}})
    column = [m for m, bucket in enumerate(cut.buckets, start=1) for _ in bucket.rounds]
    return {"format": PICTURE_FORMAT, "delays": list(cut.delays), "buckets": column}


def picture_path(witness_file: pathlib.Path) -> pathlib.Path:
    """Where the picture's columns of a witness file are."""
    return witness_file.parent / "pictures" / witness_file.name


def picture_of(instance: Instance, reading: Reading) -> dict[str, object]:
    """Delays, stages, phases, aggression, and the gap against its threshold, round by round."""
    rounds = run_rigorously(instance, reading).to_json()["rounds"]
    assert isinstance(rounds, dict)
    return {
        "format": PICTURE_FORMAT,
        "delays": instance.delays.to_json(),
        **{name: rounds[name] for name in COLUMNS},
        "threshold": thresholds(instance, reading, rounds["delay_estimate"]),
    }


def thresholds(instance: Instance, reading: Reading, estimates: Sequence[int]) -> list[float]:
    """2 R^ + xi^ for each of the delay estimates, in doubles."""
    arithmetic = BallArithmetic()
    schedule = Schedule(
        arithmetic, reading, horizon=instance.rounds, arms=instance.arms, delta=instance.delta
    )
    found = {
        estimate: arithmetic.to_float(schedule.stage(estimate, round=1).threshold)
        for estimate in set(estimates)
    }
    return [found[estimate] for estimate in estimates]
