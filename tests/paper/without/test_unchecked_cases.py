"""Subjects that break an assumption: where they keep it they are the usual ones."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pbverify.bandits.delays import Delays
from pbverify.bandits.instance import Instance
from pbverify.errors import InputError
from pbverify.files.documents import dumps, parse_json
from pbverify.numerics import to_arb
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.banker_game import BankerGame
from pbverify.paper.cases.doubling_update import Update
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.proofs.phase_costs import balance
from pbverify.paper.without.bounded_losses_and_margin import quick
from pbverify.paper.without.unchecked_cases import (
    AnyUpdate,
    MisledOutline,
    SignedPhase,
    chance_of,
    free_banker_game,
    free_game,
    free_instance,
    free_run,
)

EVEN = [Fraction(1, 2)] * 2
HALF = Fraction(1, 2)


def free(losses: Any = ((3, -1), (0, 1)), **more: Any) -> Instance:
    given = {"delays": [1, 0], "comparator": EVEN, "delta": HALF, **more}
    return free_instance(losses=[list(row) for row in losses], **given)


def again(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields as a reader of the file sees them."""
    found: dict[str, Any] = parse_json(dumps(fields).encode(), source="")
    return found


def test_losses_and_margins_are_taken_as_they_are() -> None:
    """Losses of 3 and -1, and delta = 1/2 for x^c = (1, 0), pass; their sizes must still fit."""
    assert free().losses.exact(0, 1) == -1
    assert free(comparator=[1, 0]).delta == HALF
    with pytest.raises(InputError, match="comparator"):
        free(comparator=[1])


@pytest.mark.parametrize(
    ("subject", "rebuild"),
    [
        (Run.of(free(actions=[0, 1]), quick()), free_run),
        (AllPaths(free(), quick()), free_game),
        (BankerGame(free(), HALF, tuned=True), free_banker_game),
        (SignedPhase((-1, 2)), SignedPhase.rebuild),
        (AnyUpdate(3, 7), AnyUpdate.rebuild),
        (
            MisledOutline(Delays([0, 1]), (1,), 2, HALF, preset("repaired"), told=9),
            MisledOutline.rebuild,
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_witnesses_are_rebuilt(subject: Any, rebuild: Callable[..., Any]) -> None:
    """What a file says of a subject makes the same subject again."""
    fields = again(subject.witness_fields())
    assert again(rebuild(fields).witness_fields()) == fields


def test_signed_phases_count_like_windows() -> None:
    """With delays >= 0 the mass is that of a phase; below, it stays behind the total."""
    for delays in ([0, 2, 1], [3, 0, 0], [1, 1, 1]):
        phase, window = SignedPhase(tuple(delays)), DelayedPhase(Delays(delays), 1, 3)
        assert (phase.mass, phase.total_delay) == (window.mass, window.total_delay)
    assert (SignedPhase((-1, 0)).mass[-1], SignedPhase((-1, 0)).total_delay) == (0, -1)
    for bad in ((), (-2,)):
        with pytest.raises(InputError):
            SignedPhase(bad)


def test_updates_from_powers_are_the_usual_ones() -> None:
    """Doublings and new estimate agree for 2^power, and the estimate 3 is let in."""
    for power, D in ((0, 5), (2, 9)):
        plain, free_one = Update(power, D), AnyUpdate(1 << power, D)
        assert (plain.doublings, plain.printed) == (free_one.doublings, free_one.printed)
    assert (AnyUpdate(3, 4).before << AnyUpdate(3, 4).doublings, AnyUpdate(3, 4).printed) == (6, 4)


def test_a_outline_that_is_told_the_truth_is_the_usual_one() -> None:
    """Its accounts agree; told less, it is bolder."""
    delays, reading = Delays([0, 2, 0, 0]), preset("repaired")
    plain = RunOutline(delays, (), 2, HALF, reading)
    told = MisledOutline(delays, (), 2, HALF, reading, told=4)
    assert to_arb(balance(told.accounts)).overlaps(to_arb(balance(plain.accounts)))
    short = MisledOutline(delays, (), 2, HALF, reading, told=1)
    assert (short.stage_at(1).budget, plain.stage_at(1).budget) == (16, 32)


def test_the_chance_of_a_run_is_that_of_its_path() -> None:
    """The product of the played probabilities is what the enumeration says."""
    run = Run.of(free(actions=[0, 1]), quick())
    paths = AllPaths(free(), quick()).paths.paths
    [path] = [path for path in paths if path.actions == (0, 1)]
    assert to_arb(chance_of(run)).overlaps(to_arb(path.probability))
