"""Cases about Prudent-EXP3 are the algorithm's own: outlines of runs, weights, and small games."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.files.documents import dumps
from pbverify.numerics import Truth, equal, to_fmpq, working_precision
from pbverify.paper.algorithm.exp3_stages import Exp3Settings
from pbverify.paper.algorithm.exp3_trace import run_rigorously
from pbverify.paper.cases.prudent_exp3 import games
from pbverify.paper.cases.prudent_exp3.game import every_table
from pbverify.paper.cases.prudent_exp3.outline import Exp3Outline
from pbverify.paper.cases.prudent_exp3.weighted_path import WeightedPath
from pbverify.paper.kernels import run_exp3_compiled
from pbverify.paper.proofs.exp3_expectations import Sums


@pytest.mark.parametrize("seed", range(12))
def test_an_outline_with_the_exits_of_a_run_has_its_phases(seed: int) -> None:
    """Stages, phases, clocks and counts of missing items are those of the reference run."""
    rng, T = np.random.default_rng(seed), 40
    told = Exp3Settings(
        budget=Fraction(1, 3) if seed % 2 else None,
        first_clock=Fraction(1 + seed % 5),
        safety=Fraction(1, 1 + seed % 3),
    )
    some = Instance.build(
        losses=[[1, 0]] * T,
        delays=rng.integers(0, 1 + seed // 3, T),
        comparator=[Fraction(3, 5), Fraction(2, 5)],
        seed=seed,
    )
    trace = run_rigorously(some, told)
    exits = tuple((np.flatnonzero(trace["soft_restart"]) + 1).tolist())
    outline = Exp3Outline(some.delays, exits, 2, some.delta, told)
    assert [(a.stage.number, a.number, a.start, a.end) for a in outline.accounts] == [
        (phase.stage, phase.number, phase.first, phase.last) for phase in trace.phases
    ]
    assert [c for a in outline.accounts for c in a.clocks] == trace["clock"].tolist()
    assert [m for a in outline.accounts for m in a.missing] == trace["missing"].tolist()
    assert [a.alpha for a in outline.accounts for _ in a.clocks] == trace["alpha"].tolist()
    assert bool(exits) or seed % 2 == 0


def test_a_weighted_path_is_the_base_of_a_run() -> None:
    """With the estimates and the rate of a phase it plays the learner's base laws."""
    told = Exp3Settings(first_clock=Fraction(100))
    some = Instance.build(
        losses=[[1, 0], [1, 1], [0, 1], [1, 0]],
        delays=[1, 0, 2, 0],
        comparator=[Fraction(3, 4), Fraction(1, 4)],
        actions=[0, 1, 1, 0],
    )
    with working_precision(128):
        trace = run_rigorously(some, told, precision=128)
        assert trace.played is not None
        assert trace.base is not None
        path = WeightedPath(Fraction(1), ((Fraction(1), Fraction(0)),) * 4, (1, 0, 2, 0))
        assert [path.missing(t, 0) for t in range(1, 5)] == [0, 1, 0, 1]
        assert equal(path.law(1)[0], to_fmpq(Fraction(1, 2))) is not Truth.NO
        assert float(path.law(4)[1] / path.law(4)[0]) == pytest.approx(np.exp(2))
        assert equal(trace.base[1][0], trace.base[0][0]) is Truth.YES


def test_bad_cases_are_input_errors() -> None:
    """Negative vectors, rates and margins out of range are refused."""
    row = (Fraction(1), Fraction(0))
    for rate, vectors, delays in (
        (Fraction(0), (row,), (0,)),
        (Fraction(1), (row, row), (0,)),
        (Fraction(1), ((Fraction(-1), Fraction(0)),), (0,)),
        (Fraction(1), (row,), (-1,)),
    ):
        with pytest.raises(InputError):
            WeightedPath(rate, vectors, delays)
    with pytest.raises(InputError, match="delta"):
        Exp3Outline(Delays([0]), (), 2, Fraction(3, 4), Exp3Settings())


def test_probabilities_of_a_game_add_up_and_its_outlines_are_its_paths() -> None:
    """All action sequences, with the exits and the accounts of their outlines."""
    for some in games.few():
        with working_precision(128):
            assert equal(some.paths.expectation(lambda path: to_fmpq(1)), 1) is not Truth.NO
            assert len(some.paths.paths) == some.instance.arms**some.rounds
            for path in some.paths.paths:
                outline = some.outline(path)
                rows: list[Any] = list(path.rows)
                assert [a.start for a in outline.accounts for _ in a.clocks] == [
                    row.start for row in rows
                ]
                costs = sum(
                    to_fmpq(a.alpha) * (outline.cost(a) - (2 * a.stage.budget if a.exits else 0))
                    for a in outline.accounts
                )
                assert equal(costs, Sums(some).account(path)) is not Truth.NO


def test_all_small_tables_are_counted() -> None:
    """4^T (T + 1)! games of T rounds."""
    found = list(every_table(2, games.REAL, games.SAFE))
    assert len(found) == 16 * 6
    assert len({dumps(game.witness_fields()) for game in found}) == len(found)


def test_the_rate_needs_a_short_first_stage() -> None:
    """With N_0 far above T even the path that always plays the bad arm pays more than the rate.

    Only that arm loses, so no other path lowers its weight faster.
    """
    T, told = 7000, Exp3Settings(safety=Fraction(10**7), first_clock=Fraction(10**12))
    some = Instance.build(
        losses=[[1, 0]] * T, delays=[0] * T, comparator=["1/2", "1/2"], actions=[0] * T
    )
    outline = Exp3Outline(some.delays, (), 2, some.delta, told)
    assert not outline.has_rate
    played = run_exp3_compiled(some, told).played
    assert played is not None
    paid = sum(float(law[0]) for law in played)
    assert paid - 1 > float(outline.regret_bound(outline.most_stages).mid())
    short = Exp3Settings(safety=told.safety, first_clock=Fraction(2 * T))
    assert Exp3Outline(some.delays, (), 2, some.delta, short).has_rate
