"""Ratios measured within one run: they mean the same on every machine, seconds do not."""

from __future__ import annotations

import dataclasses
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numba import njit

from pbverify.bandits.delay_models import geometric
from pbverify.bandits.instance import Instance
from pbverify.claims.library import find_claims, find_folders
from pbverify.claims.verdict import Evidence, Outcome, Verdict
from pbverify.numerics.chance import generator
from pbverify.paper.algorithm.engine import run
from pbverify.paper.algorithm.exp3_stages import UNTOLD
from pbverify.paper.algorithm.readings import PRESETS, Reading
from pbverify.paper.kernels import bucket_walk as buckets
from pbverify.paper.kernels import delay_walk as delays
from pbverify.paper.kernels import run_compiled, run_exp3_compiled
from pbverify.paper.kernels.mirror import softmax
from pbverify.report import Material, files_of
from pbverify.search.campaign.plan import Plan, Shard, Task, digest_of
from pbverify.search.campaign.workers import Workers, start_workers
from pbverify.search.engines import shard_cases
from pbverify.search.families import Kernel

RUNS = 9
"""Interleaved repetitions of every ratio; the median counts."""

SCALING_RUNS = 5
"""The same for whole campaigns."""

Action = Callable[[], object]


@dataclasses.dataclass(frozen=True)
class Measure:
    """A measured figure and the goal it is held against, if there is one."""

    name: str
    value: float
    unit: str
    goal: float | None = None

    @property
    def is_met(self) -> bool:
        return self.goal is None or self.value <= self.goal


def engine_measures(report: Callable[[str], None]) -> list[Measure]:
    """Every figure on the engine; `report` is told what comes next."""
    base, played = PRESETS["repaired"], PRESETS["appendix"]
    wide = sample(T=50_000, A=100)
    report("kernel against a bare softmax loop")
    measures = [
        Measure("kernel / softmax loop, update = base", _against_softmax(wide, base), "x", 1.7),
        Measure("kernel / softmax loop, update = played", _against_softmax(wide, played), "x", 2.4),
    ]
    exp3 = _exp3_against_softmax(wide)
    measures.append(Measure("Prudent-EXP3 kernel / softmax loop", exp3, "x", 1.7))
    report("growth from T = 100,000 to 200,000")
    short, long = sample(T=100_000, A=10), sample(T=200_000, A=10)
    growth = ratio(lambda: _compiled(long, base), lambda: _compiled(short, base))
    measures.append(Measure("time at T = 200,000 / T = 100,000, A = 10", growth, "x", 2.2))
    report("kernel against the reference engine")
    small = sample(T=2_000, A=10)
    slower = ratio(lambda: run(small, base), lambda: _compiled(small, base), runs=7)
    measures.append(Measure("reference / kernel, T = 2,000, A = 10", slower, "x"))
    report("peak memory at T = 1,000,000")
    measures.append(Measure("peak memory, T = 10^6, A = 2, scalars", peak_memory(), "MB", 150))
    report("rounds per second")
    seconds = _seconds(lambda: _compiled(wide, base))
    measures.append(Measure("kernel rounds per second, A = 100", wide.rounds / seconds, "/s"))
    return measures


def bucket_measures(report: Callable[[str], None]) -> list[Measure]:
    """How long the exhaustive walk over admissible delay sequences takes per sequence."""
    report("all admissible delay sequences of 16 rounds")
    return _walk_measures(buckets.walk, 16, buckets.number_of_sequences(16))


def delay_measures(report: Callable[[str], None]) -> list[Measure]:
    """The same for the walk over all phases, whatever their delays."""
    report("all phases of 10 rounds")
    return _walk_measures(delays.walk, 10, delays.number_of_sequences(10))


def _walk_measures(walk: Kernel, rounds: int, count: int) -> list[Measure]:
    walk(2, first=0, count=2)  # compile
    times = []
    for _ in range(5):
        begin = time.process_time()
        sequences = walk(rounds, first=0, count=count).sequences
        times.append((time.process_time() - begin) / sequences)
    nanoseconds = 1e9 * statistics.median(times)
    return [
        Measure("CPU time per delay sequence", nanoseconds, "ns", 1e3 / 15),
        Measure("delay sequences per CPU second", 1e9 / nanoseconds, "/s"),
    ]


def campaign_measures(report: Callable[[str], None]) -> list[Measure]:
    """What a second worker adds: interleaved campaigns of the same shards, with 1 and 2."""
    shards = _walking_shards()
    with start_workers(jobs=1, scheduler=None) as one, start_workers(jobs=2, scheduler=None) as two:
        for workers, count in ((one, 1), (two, 2)):
            _worked(workers, shards[:count])  # start and compile
        ratios, walls = [], []
        for number in range(SCALING_RUNS):
            report(f"{len(shards)} shards of a second, 1 and 2 workers, run {number + 1}")
            single = _seconds(lambda: _worked(one, shards))
            double = _seconds(lambda: _worked(two, shards))
            ratios.append(2 * double / single)
            walls.append(single / len(shards))
    return [
        Measure("2 x time with 2 workers / time with 1", statistics.median(ratios), "x", 1 / 0.95),
        Measure("time per shard with 1 worker", statistics.median(walls), "s"),
    ]


def report_measures(report: Callable[[str], None]) -> list[Measure]:
    """Whether the pages of a report grow no faster than its verdicts."""
    report("reports of 1,000 and 2,000 verdicts")
    small, large = large_report(1_000), large_report(2_000)
    growth = ratio(lambda: files_of(large), lambda: files_of(small), runs=5)
    return [
        Measure("time for 2,000 verdicts / 1,000 verdicts", growth, "x", 2.4),
        Measure("verdicts per second", 1_000 / _seconds(lambda: files_of(small)), "/s"),
    ]


def large_report(count: int) -> Material:
    """As many verdicts of the same kind."""
    names = (f"claim-{number}" for number in range(count))
    verdicts = [
        Verdict(
            name,
            "any",
            Outcome.HOLDS,
            Evidence.EXHAUSTED,
            cases=9,
            applicable=9,
            statement="x <= y",
        )
        for name in names
    ]
    return Material("default", verdicts, rows=[], witnesses={}, pictures={})


def _walking_shards() -> list[Shard]:
    """Equal pieces of the enumeration behind delayed-mass, each of a second or more."""
    (claim, *_), path = find_claims(find_folders(), "delayed-mass")
    size, file = shard_cases(claim, "exhaustive"), path.resolve()
    task = Task(claim.id, 0, "any", "exhaustive", str(file), digest_of(file), size)
    plan = Plan(0, (task,))
    return [plan.shard(number) for number in range(1, 9)]


def _worked(workers: Workers, shards: Sequence[Shard]) -> None:
    for shard in shards:
        workers.submit(shard)
    while workers.waiting:
        workers.collect(timeout=1.0)


def sample(*, T: int, A: int) -> Instance:
    """Uniform losses and the paper's geometric delays."""
    return Instance.build(
        losses=generator(0, "losses").random((T, A)),
        delays=geometric(T, generator(0, "delays")),
        comparator=[Fraction(1, A)] * A,
        seed=0,
    )


def ratio(numerator: Action, denominator: Action, *, runs: int = RUNS) -> float:
    """The median over interleaved runs of one time over the other."""
    numerator(), denominator()
    return statistics.median(_seconds(numerator) / _seconds(denominator) for _ in range(runs))


def peak_memory() -> float:
    """Megabytes that a long run needs above the level before it, in a process of its own."""
    child = [sys.executable, "-c", f"from {__name__} import measure_memory; measure_memory()"]
    done = subprocess.run(child, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout))


def measure_memory() -> None:
    """Print the peak resident size during a run less the size before it, in MB (Linux)."""
    reading = PRESETS["repaired"]
    _compiled(sample(T=100, A=2), reading)
    instance = sample(T=1_000_000, A=2)
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")  # forget the peak so far
    before = _memory_kilobytes("VmRSS")
    _compiled(instance, reading)
    print(json.dumps((_memory_kilobytes("VmHWM") - before) / 1000))  # noqa: T201 - the child's answer


def _memory_kilobytes(field: str) -> int:
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return int(lines[field].split()[0])


def _against_softmax(instance: Instance, reading: Reading) -> float:
    T, A = instance.rounds, instance.arms
    return ratio(lambda: _compiled(instance, reading), lambda: softmax_loop(T, A))


def _exp3_against_softmax(instance: Instance) -> float:
    T, A = instance.rounds, instance.arms
    return ratio(
        lambda: run_exp3_compiled(instance, UNTOLD, iterates=False), lambda: softmax_loop(T, A)
    )


def _compiled(instance: Instance, reading: Reading) -> object:
    return run_compiled(instance, reading, iterates=False)


def _seconds(action: Action) -> float:
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


@njit(cache=True)
def softmax_loop(T: int, A: int) -> float:
    """One softmax of size A per round, with a dual that changes, and nothing else."""
    dual, point, total = np.zeros(A), np.empty(A), 0.0
    for t in range(T):
        dual[t % A] -= 1e-3
        softmax(dual, point)
        total += point[0]
    return total
