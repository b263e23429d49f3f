"""What a notebook calls: judge, show, run, replay and prove. Results show themselves.

    import pbverify as pb

    pb.judge("delayed-mass", profile="quick")
    pb.show("global/safety")
    pb.run(instance, "repaired")
    pb.replay(".pbverify/witnesses/FILE.json")
    pb.prove("ln(2*D+1) <= 2*ln(D+1)", ["D >= 1"])

A mistake is one line in a notebook, as on the command line; progress is shown while claims are
judged.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbverify.bandits.instance import Instance
    from pbverify.claims.judge import Judged
    from pbverify.claims.replay import Replay
    from pbverify.claims.verdict import Witness
    from pbverify.paper.algorithm.readings import Reading
    from pbverify.paper.algorithm.trace import Trace
    from pbverify.prover.inequalities import Proof
    from pbverify.report.sheets import Sheets

Place = str | os.PathLike[str]


def judge(
    *names: str,
    lemmas: Place | None = None,
    readings: Sequence[str] = (),
    profile: str = "default",
    jobs: int = 1,
    time_limit: float | None = None,
) -> Judged:
    """Judge claims, all or those named by id, prefix (`global`) or label (`thm:main`).

    Witnesses go to `.pbverify/witnesses` beside the folder of lemma files.
    """
    from pbverify.claims import judge as room
    from pbverify.cli.progress import judging

    with judging() as progress:
        return room.judge(
            *names,
            lemmas=lemmas,
            readings=readings,
            profile=profile,
            jobs=jobs,
            time_limit=time_limit,
            progress=progress,
        )


def show(name: str, *, proof: bool = False, lemmas: Place | None = None) -> Sheets:
    """All that is known of a claim (`global/safety`) or of a statement (`thm:main`, `safety`)."""
    from pbverify.cli.show import records
    from pbverify.report.sheets import sheets

    return sheets(name, records(_path(lemmas)), proof=proof)


def run(instance: Instance, reading: Reading | str = "repaired", **options: object) -> Trace:
    """Run Prudent-Banker under a reading, by name or as data; options change the reading."""
    from pbverify.paper.algorithm.engine import run
    from pbverify.paper.algorithm.readings import preset

    chosen = preset(reading) if isinstance(reading, str) else reading
    return run(instance, chosen.with_options(**options) if options else chosen)


def replay(witness: Witness | Place, *, lemmas: Place | None = None) -> Replay:
    """Compute a witness, or the one in a file, again: does it refute its claim?"""
    from pbverify.claims.replay import replay_file, replay_found
    from pbverify.claims.verdict import Witness

    if isinstance(witness, Witness):
        return replay_found(witness, lemmas=lemmas)
    return replay_file(witness, lemmas=lemmas)


def prove(inequality: str, where: Sequence[str] = (), integers: Sequence[str] = ()) -> Proof:
    """Prove an inequality for all values of its variables, or find a point where it fails."""
    from pbverify.prover.inequalities import prove_text

    return prove_text(inequality, where, integers)


def _path(place: Place | None) -> pathlib.Path | None:
    return None if place is None else pathlib.Path(place)
