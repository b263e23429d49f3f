"""Parametrised adversaries: what each choice means."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pbverify.numerics.chance import generator
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.kernels import run_compiled
from pbverify.paper.search_spaces.adversaries import (
    ACTIONS,
    AIMS,
    BUDGETS,
    LAYOUT,
    SAMPLE_AIMS,
    SHORT,
    instance_of,
    reading_of,
)
from pbverify.paper.search_spaces.float_run import float_run
from pbverify.paper.search_spaces.settings import RUN_SETTINGS, settings_of
from pbverify.search.genomes import Axes, Whole

APPENDIX = preset("appendix")
PLAIN: dict[str, Any] = {
    **{"T": 40, "budget": "own", "arms": 2, "losses": "constant", "period": 5, "good": "0"},
    **{"comparator": "on the bad arm", "margin": 1, "delays": "none", "delay": 3, "every": 4},
    **{"seed": 1, "actions": "bad", "turn": 50, "strike": "none", "offset": 0, "late": 2},
    "kick": 1,
}


def made(**changes: Any) -> Any:
    genome = {**PLAIN, **changes}
    return instance_of(reading_of(APPENDIX, genome), genome)


def test_the_plain_adversary_is_lopsided() -> None:
    """Arm 0 is bad and played throughout; the comparator is uniform."""
    instance = made()
    assert instance.losses.floats.tolist() == [[1.0, 0.0]] * 40
    assert instance.actions == (0,) * 40
    assert instance.delays.total == 0
    assert instance.comparator_floats.tolist() == [0.5, 0.5]


def test_losses_alternate_and_switch() -> None:
    """The good arm moves on; after each restart if it answers the learner."""
    assert made(losses="alternating").losses.floats[:, 0].tolist() == ([1.0] * 5 + [0.0] * 5) * 4
    switching = made(losses="switching", period=50).losses.floats
    assert (np.flatnonzero(np.diff(switching[:, 0])) + 1).tolist() == [10, 20, 30]
    instance = made(losses="at restarts", budget="5/4")
    trace = run_compiled(instance, reading_of(APPENDIX, {"budget": "5/4"}))
    first = int(np.flatnonzero(trace["soft_restart"] | trace["hard_restart"])[0])
    assert int(np.flatnonzero(np.diff(instance.losses.floats[:, 0]))[0]) == first


@pytest.mark.parametrize(
    ("model", "delays"),
    [
        ("constant", [3] * 8),
        ("bursts", [2, 1, 0, 0, 2, 1, 0, 0]),
        ("periodic", [0, 0, 0, 3, 0, 0, 0, 3]),
        ("early block", [3, 3, 3, 3, 0, 0, 0, 0]),
        ("huge first", [10**9] + [0] * 7),
        ("stairs", [2, 1, 1, 1, 1, 0, 0, 0]),
    ],
)
def test_delay_patterns(model: str, delays: list[int]) -> None:
    """By name, with the genome's delay and spacing."""
    assert made(T=8, delays=model, actions="drawn").delays.to_json() == delays


def test_a_strike_hits_its_event() -> None:
    """A late round after the first soft restart, a kick two rounds later, and the turn to good."""
    genome = {"T": 400, "strike": "first soft restart", "offset": 3, "late": 1, "kick": 5}
    before = run_compiled(made(T=400), APPENDIX)
    event = int(np.flatnonzero(before["soft_restart"])[0]) + 2
    struck = made(**genome, actions="bad until the strike")
    expected = {event + 3: 1, event + 5: 5}
    late = {t: d for t, d in enumerate(struck.delays.to_json(), start=1) if d}
    assert late == expected
    assert struck.actions is not None
    assert struck.actions[: event + 4] == (0,) * (event + 4)
    assert set(struck.actions[event + 4 :]) == {1}


def test_constant_budgets_have_short_runs() -> None:
    """Their settings come at once."""
    assert made(T=5000, budget="4", actions="drawn").rounds == SHORT


@pytest.mark.parametrize("aim", [aim for aim in AIMS if aim not in ("", "alpha = 1")])
def test_aims_lead_to_their_setting(aim: str) -> None:
    """Among ten random genomes with an aim's axes, some reach it under the paper's own budget."""
    axes = {"T": Whole(8, 2000), **BUDGETS, **LAYOUT, **ACTIONS, **AIMS[aim]}
    space, rng = Axes(axes, dict), generator(1, "aims")
    found = 0
    for _ in range(10):
        genome = space.random(rng)
        case = float_run(instance_of(APPENDIX, genome), APPENDIX)
        found += RUN_SETTINGS.with_condition(aim) in settings_of(case)
    assert found >= 2


def test_the_longest_aim_reaches_alpha_one() -> None:
    """alpha = 1 under the paper's own budget, in one run of about ten thousand rounds."""
    axes = {"T": Whole(8, 2000), **BUDGETS, **LAYOUT, **ACTIONS, **AIMS["alpha = 1"]}
    genome = Axes(axes, dict).random(generator(1, "aims"))
    trace = run_compiled(instance_of(APPENDIX, genome), APPENDIX, iterates=False)
    assert trace["alpha"].max() == 1
    assert SAMPLE_AIMS.keys() <= AIMS.keys()
