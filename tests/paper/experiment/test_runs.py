"""Runs of the experiment: environments, learners by name, measured cells, and what is kept."""

from __future__ import annotations

import json
import pathlib
from fractions import Fraction

import jsonschema
import numpy as np
import pytest

from pbverify.errors import FileError, InputError
from pbverify.files.schemas import schema
from pbverify.numerics.confidence import proportion_interval
from pbverify.paper.algorithm.schedule import Scales
from pbverify.paper.experiment import plan as runner
from pbverify.paper.experiment.cells import (
    Cell,
    Measured,
    Yardstick,
    cycles,
    grid,
    load,
    measure,
    measured,
    save,
)
from pbverify.paper.experiment.environment import REGIMES, Settings, instances, loss_table
from pbverify.paper.experiment.learners import (
    COMPARATOR,
    OTHERS,
    PRUDENT,
    TITLES,
    Contender,
    from_key,
)
from pbverify.paper.kernels.baselines import Course

TABLE = Settings(horizon=200, arms=5, blocks=10, delta=Fraction(1, 50))


def test_delay_settings_share_the_table_and_nothing_else() -> None:
    """One table and comparator for all delay settings of a seed; delays of their own."""
    found = dict(instances(TABLE, 3, list(REGIMES)))
    tables = {id(some.losses.floats) for some in found.values()}
    assert len(tables) == 1
    assert found["no-delay"].delays.total == 0
    assert len({found[name].delays.values.tobytes() for name in REGIMES}) == 4


def test_the_comparator_sits_on_the_best_arm_in_hindsight() -> None:
    """1 - (A-1) delta on the arm of least total loss, delta elsewhere."""
    [(_, some)] = instances(TABLE, 1, ["no-delay"])
    best = int(loss_table(TABLE, 1).sum(axis=0).argmin())
    assert some.comparator[best] == 1 - 4 * Fraction(1, 50)
    assert sorted(some.comparator)[:4] == [Fraction(1, 50)] * 4
    assert some.delta == Fraction(1, 50)


def test_seeds_are_reproducible_and_different() -> None:
    """The same seed gives the same instance, another one another."""
    first, again, other = (next(instances(TABLE, s, ["pareto"]))[1].to_json() for s in (4, 4, 5))
    assert first == again != other


@pytest.mark.parametrize(
    ("regime", "mean"), [("fixed", 0.03), ("geometric", 0.075), ("pareto", 0.03 * 1.341487)]
)
def test_delays_follow_their_model(regime: str, mean: float) -> None:
    """The chance of a delay is 0.03 (level 1e-6) and the mean total is the model's."""
    sizes = Settings(horizon=40_000, arms=2, blocks=1)
    delays = next(instances(sizes, 11, [regime]))[1].delays
    late = int(np.count_nonzero(delays.values))
    assert late / 40_000 == pytest.approx(0.03, abs=0.006)
    assert delays.total / 40_000 == pytest.approx(mean, rel=0.2)
    low, high = proportion_interval(late // 100, 400, alpha=Fraction(1, 10**6))
    assert low < Fraction(3, 100) < high


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"horizon": 1}, "a horizon of at least 2 rounds but got horizon=1"),
        ({"arms": 1}, "at least two arms"),
        ({"horizon": 10**9}, r"at most 100,000,000 losses"),
        ({"delta": Fraction(1, 2)}, "0 < delta <= 1/100"),
    ],
)
def test_wrong_sizes_are_named(changes: dict[str, object], message: str) -> None:
    """A size that makes no experiment is an input error."""
    with pytest.raises(InputError, match=message):
        Settings(**changes)  # type: ignore[arg-type]


SCALED = Contender(PRUDENT, "main", Scales(Fraction(1, 512), Fraction(2, 3)))


@pytest.mark.parametrize("contender", [*OTHERS, Contender(PRUDENT, "appendix"), SCALED])
def test_keys_name_their_learner(contender: Contender) -> None:
    """A key leads back to its learner; a scaled run can never pass for an unscaled one."""
    assert from_key(contender.key) == contender
    assert SCALED.key == "prudent-banker.main.threshold-1-512.budget-2-3"


@pytest.mark.parametrize(
    "key", ["exp3", "comparator.main", "prudent-banker", "prudent-banker.main.delta-1-2", "", "."]
)
def test_wrong_keys_are_refused(key: str) -> None:
    """A key that names no learner is an input error."""
    with pytest.raises(InputError):
        from_key(key)


def test_every_learner_runs() -> None:
    """Six learners, one loss per round each, and a title."""
    [(_, some)] = instances(SHORT, 0, ["geometric"])
    names = set()
    for contender in (*OTHERS, SCALED):
        losses = contender.course(some).pseudo_loss
        assert losses.shape == (40,)
        assert ((losses >= 0) & (losses <= 1)).all()
        names.add(contender.name)
    assert names == TITLES.keys()


SHORT = Settings(horizon=40, arms=3, blocks=2, delta=Fraction(1, 10))
SIZES = Settings(horizon=600, arms=3, blocks=4, delta=Fraction(1, 20))


def test_curves_by_hand() -> None:
    """R*(t) and L(t) - L_c(t) are running sums of differences; shares and ends follow."""
    yardstick = Yardstick(0, best=np.zeros(4), safe=np.full(4, 0.25), reward=1.0)
    course = Course(np.array([0.0, 0.5, 0.0, 0.0]))
    found = measured(course, yardstick, total_delay=7)
    assert found.curves["round"] == (1, 2, 3, 4)
    assert found.curves["regret"] == (0, 0.5, 0.5, 0.5)
    assert found.curves["over_comparator"] == (-0.25, 0.0, -0.25, -0.5)
    assert found.figures["share_below_comparator"] == 0.75
    assert found.figures["total_delay"] == 7
    # Rewards 1, 0.5, 1, 1 against 0.9 a round.
    assert found.figures["least_ahead"] == pytest.approx(-0.3)
    assert found.figures["share_short_of_budget"] == 0.75
    assert "alpha" not in found.curves


@pytest.mark.parametrize(
    ("alpha", "expected"),
    [([1, 1], 0), ([1, 2, 1], 1), ([2, 1, 1, 2, 3, 1, 0.5, 2, 1], 2), ([3, 2, 1], 0)],
)
def test_cycles_count_falls_after_rises(alpha: list[float], expected: int) -> None:
    """Several falls in a row count once, a fall without a rise not at all."""
    assert cycles(np.array(alpha)) == expected


@pytest.mark.parametrize("T", [2, 30, 500, 501, 50_000])
def test_the_grid_has_both_ends(T: int) -> None:
    """At most 500 rounds, the first and the last among them."""
    at = grid(T)
    assert (at[0], at[-1], len(at)) == (0, T - 1, min(T, 500))


def test_cells_of_a_seed_share_their_environment() -> None:
    """All learners of a setting see the same delays and best arm; x^c is never ahead of itself."""
    contenders = (*OTHERS, Contender(PRUDENT, "repaired"))
    cells = [Cell(SIZES, 5, regime, c) for regime in ("no-delay", "pareto") for c in contenders]
    found = dict(measure(cells))
    assert list(found) == cells
    for regime in ("no-delay", "pareto"):
        own = [found[cell].figures for cell in cells if cell.regime == regime]
        assert len({figures["total_delay"] for figures in own}) == 1
        assert len({figures["best_arm"] for figures in own}) == 1
    still = found[Cell(SIZES, 5, "pareto", Contender(COMPARATOR))]
    assert set(still.curves["over_comparator"]) == {0.0}
    assert list(measure([])) == []


CELL = Cell(Settings(horizon=9), 3, "fixed", Contender("comparator"))
FOUND = Measured(
    {"regret": 0.1 + 0.2}, {"round": (1.0,), "regret": (1e-300,), "over_comparator": (-0.0,)}
)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "pbverify/cell-1"}', "\x00"])
def test_damaged_cells_do_not_count(content: str, tmp_path: pathlib.Path) -> None:
    """Whatever else lies in a cell's place, it is computed again."""
    save(tmp_path, CELL, FOUND)
    (tmp_path / CELL.path).write_text(content)
    assert load(tmp_path, CELL) is None


def test_what_was_saved_is_loaded(tmp_path: pathlib.Path) -> None:
    """Bit for bit, from a file that fits its schema; another horizon or version does not count."""
    save(tmp_path, CELL, FOUND)
    assert load(tmp_path, CELL) == FOUND
    path = tmp_path / CELL.path
    jsonschema.validate(json.loads(path.read_text()), schema("cell"))
    assert load(tmp_path, Cell(Settings(horizon=8), 3, "fixed", CELL.contender)) is None
    path.write_text(path.read_text().replace('"version": "', '"version": "0.'))
    assert load(tmp_path, CELL) is None
    assert load(tmp_path / "nowhere", CELL) is None
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="Cannot write"):
        save(tmp_path / "file", CELL, FOUND)


CELLS = [
    Cell(SHORT, seed, regime, Contender(name))
    for seed in (0, 1)
    for regime in ("fixed", "no-delay")
    for name in ("comparator", "exp3-ix")
]


def contents(folder: pathlib.Path) -> dict[str, bytes]:
    return {cell.path: (folder / cell.path).read_bytes() for cell in CELLS}


def test_only_what_is_missing_is_computed(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupted run goes on: cells that are there are not run again, damaged ones are."""
    reports: list[int] = []
    first = runner.results(CELLS, tmp_path, jobs=1, report=reports.append)
    assert reports == list(range(9))
    before = contents(tmp_path)
    (tmp_path / CELLS[2].path).unlink()
    (tmp_path / CELLS[5].path).write_text("{")
    run: list[Cell] = []

    def noted(cells: list[Cell]) -> object:
        run.extend(cells)
        return measure(cells)

    monkeypatch.setattr(runner, "measure", noted)
    assert runner.results(CELLS, tmp_path, jobs=1, report=lambda done: None) == first
    assert run == [CELLS[2], CELLS[5]]
    assert contents(tmp_path) == before


def test_processes_change_nothing(tmp_path: pathlib.Path) -> None:
    """Two processes write the same bytes as one."""
    for jobs in (1, 2):
        runner.results(CELLS, tmp_path / str(jobs), jobs=jobs, report=lambda done: None)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
