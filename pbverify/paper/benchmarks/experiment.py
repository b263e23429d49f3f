"""How fast a full cell of the experiment is: ratios measured within one run."""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Callable

from pbverify.paper.algorithm.engine import run
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.benchmarks.engine import Measure, ratio, softmax_loop
from pbverify.paper.benchmarks.plain_python import played_losses
from pbverify.paper.experiment.environment import PRINTED_SIZES, instances, loss_table
from pbverify.paper.experiment.learners import OTHERS, PRUDENT, Contender

READING = "appendix"
SHORT = 20_000
"""Rounds for the plain pseudocode, whose time grows with the square of T: at 50,000 it is slower by
more than the factor shown."""


def experiment_measures(report: Callable[[str], None]) -> list[Measure]:
    """A cell at the printed sizes against a softmax loop, the table, the plain transcription."""
    [(_, some)] = instances(PRINTED_SIZES, 0, ["geometric"])
    own = Contender(PRUDENT, READING)
    T, A = PRINTED_SIZES.horizon, PRINTED_SIZES.arms
    measures = []
    for contender in (own, *OTHERS):
        report(f"{contender.name} against a bare softmax loop")
        value = ratio(lambda c=contender: c.course(some), lambda: softmax_loop(T, A))  # type: ignore[misc]
        measures.append(Measure(f"{contender.key} / softmax loop", value, "x"))
    report("loss table against a cell")
    table = ratio(lambda: loss_table(PRINTED_SIZES, 0), lambda: own.course(some))
    measures.append(Measure("loss table / Prudent-Banker cell", table, "x", 10))
    report(f"the same at T = {SHORT:,} against the pseudocode in plain Python (about a minute)")
    [(_, short)] = instances(dataclasses.replace(PRINTED_SIZES, horizon=SHORT), 0, ["geometric"])
    cell = statistics.median(_seconds(lambda: own.course(short)) for _ in range(9))
    share = cell / _seconds(lambda: played_losses(short))
    name = f"T = {SHORT:,}: cell / pseudocode in plain Python, thousandths"
    measures.append(Measure(name, 1000 * share, "", 2))
    measures.append(Measure(f"T = {SHORT:,}: pseudocode in plain Python / cell", 1 / share, "x"))
    report("the full cell against the reference engine")
    full = _seconds(lambda: run(some, preset(READING))) / _seconds(lambda: own.course(some))
    measures.append(Measure(f"T = {T:,}: reference engine / cell", full, "x"))
    return measures


def _seconds(action: Callable[[], object]) -> float:
    begin = time.process_time()
    action()
    return time.process_time() - begin
