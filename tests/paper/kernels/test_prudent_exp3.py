"""Three texts of Prudent-EXP3 agree: reference (doubles and balls), kernel, second program."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from pbverify.bandits.instance import Instance
from pbverify.files.documents import dumps
from pbverify.numerics import BallArithmetic
from pbverify.paper.algorithm.exp3_stages import Exp3Settings
from pbverify.paper.algorithm.exp3_trace import COLUMNS, run, run_rigorously
from pbverify.paper.kernels import run_exp3_compiled
from pbverify.paper.second_program import parse
from pbverify.paper.second_program import prudent_exp3 as second
from pbverify.paper.second_program.intervals import DOWN, UP

SETTINGS = (
    Exp3Settings(),
    Exp3Settings(safety=Fraction(1, 7), first_clock=Fraction(25)),
    Exp3Settings(budget=Fraction(1, 3), first_clock=Fraction(5, 2)),
    Exp3Settings(budget=Fraction(2), first_clock=Fraction(40), safety=Fraction(1, 2)),
    Exp3Settings(threshold=Fraction(1, 20), first_clock=Fraction(60)),
)


def instances(*, T: int, count: int) -> Iterator[tuple[Exp3Settings, Instance]]:
    """Losses and delays of several kinds, with actions drawn by the algorithm itself."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        A, told = 2 + seed % 3, SETTINGS[seed % len(SETTINGS)]
        weights = [int(w) for w in rng.integers(1, 6, A)]
        table = np.tile(np.arange(A)[::-1] / (A - 1), (T, 1))
        some = Instance.build(
            losses=table if seed % 2 else np.round(rng.random((T, A)), 2),
            delays=rng.integers(0, (1, 3, 8, 2 * T)[seed % 4], T),
            comparator=[Fraction(w, sum(weights)) for w in weights],
            seed=seed,
        )
        yield told, some.with_actions(run(some, told)["action"])


def doubles(values: Any) -> Any:
    to_float = BallArithmetic().to_float
    flat = np.asarray(values, dtype=object).ravel()
    return np.array([float(v) if hasattr(v, "__float__") else to_float(v) for v in flat])


def assert_close(left: Any, right: Any) -> None:
    a, b = doubles(left), doubles(right)
    assert a.shape == b.shape
    assert (np.abs(a - b) <= 1e-9 * np.maximum(1, np.abs(a))).all()


def test_reference_and_kernel_agree() -> None:
    """In every column and iterate; exits, new stages and missing items all occur."""
    exits = stages = missing = 0
    for told, some in instances(T=120, count=40):
        plain, exact = run(some, told), run_rigorously(some, told)
        compiled = run_exp3_compiled(some, told)
        for other in (compiled, exact):
            for name in COLUMNS:
                assert_close(plain[name], other[name])
            assert plain.phases == other.phases
        assert_close(plain.played, compiled.played)
        assert_close(plain.base, exact.base)
        exits += int(plain["soft_restart"].sum())
        stages += int(plain["stage"][-1]) - 1
        missing += int(plain["missing"].max() > 1)
    assert exits > 20
    assert stages > 50
    assert missing > 10


def test_the_second_program_agrees() -> None:
    """Its intervals contain the midpoints of the rigorous run, in every column."""
    DOWN.prec = UP.prec = 34
    exits = 0
    for told, some in instances(T=30, count=20):
        trace = run_rigorously(some, told, precision=128)
        parameters = {"instance": some.to_json(), "learner": told.to_json()}
        witness = parse(dumps({"parameters": parameters}).encode())
        rows = second.play(second.Exp3Game(witness))
        names = {"start": "first", "soft_restart": "ends_softly"}
        for name in ("stage", "phase", "start", "missing", "soft_restart", "alpha", "clock"):
            found = [getattr(row, names.get(name, name)) for row in rows]
            assert found == trace[name].tolist()
        assert_close([float(row.gap.low) for row in rows], trace["gap"])
        assert_close([float(x.high) for row in rows for x in row.law], trace.played)
        exits += int(trace["soft_restart"].sum())
    assert exits > 5


def test_the_clock_is_exact_where_doubles_are_not() -> None:
    """With delta = 1/10 the clock meets N_s exactly: 0.1 + 0.2 does not start a new stage."""
    some = Instance.build(
        losses=[[1, 0]] * 12,
        delays=[9] * 12,
        comparator=[Fraction(9, 10), Fraction(1, 10)],
        actions=[0] * 12,
    )
    told = Exp3Settings(first_clock=Fraction(12, 5))
    clock = [1, Fraction(11, 5), 1]
    assert run_rigorously(some, told)["clock"].tolist()[:3] == clock
    told = Exp3Settings(first_clock=Fraction(18, 5))
    for engine in (run, run_rigorously, run_exp3_compiled):
        assert engine(some, told)["stage"].tolist()[:4] == [1, 1, 1, 2]


def test_a_weaker_exit_test_ends_phases_earlier() -> None:
    """The factor on the threshold reaches the compiled test."""
    some = Instance.build(
        losses=[[1, 0]] * 4000, delays=[0] * 4000, comparator=[Fraction(1, 2)] * 2, seed=1
    )

    def first_exit(factor: Fraction) -> int:
        told = Exp3Settings(first_clock=Fraction(4000), threshold=factor)
        return int(np.argmax(run_exp3_compiled(some, told, iterates=False)["soft_restart"]))

    assert 0 < 7 * first_exit(Fraction(1, 10)) < first_exit(Fraction(1))
