"""Stretches: a stage without delay, of any length, in closed form, and what may come before it."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest
from flint import arb

from pbverify.bandits.delays import Delays
from pbverify.errors import InputError
from pbverify.numerics import to_arb
from pbverify.paper.algorithm.readings import PRESETS, preset
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.cases.undelayed_stage import (
    UndelayedStage,
    inverse_roots,
    relays,
    undelayed_stages,
)
from pbverify.paper.proofs.phase_costs import balance

EXACT = ("number", "start", "end", "is_full", "exits", "missing", "last_arrivals")


def undelayed(*lengths: int, last_delay: int = 0, reading: str = "repaired") -> UndelayedStage:
    return UndelayedStage(lengths, last_delay, 2, Fraction(1, 2), preset(reading))


@pytest.mark.parametrize("last_delay", [0, 1])
@pytest.mark.parametrize("name", PRESETS)
def test_accounts_are_those_of_a_outline(name: str, last_delay: int) -> None:
    """Played round by round, the same phases cost what the closed form says."""
    found = undelayed(3, 1, 20, last_delay=last_delay, reading=name)
    walked = RunOutline(
        Delays([0] * 23 + [last_delay]), (3, 4), found.arms, found.delta, found.reading
    )
    assert (found.rounds, found.total_delay, found.stages) == (24, last_delay, walked.stages)
    for closed, played in zip(found.accounts, walked.accounts, strict=True):
        assert to_arb(closed.cost).overlaps(to_arb(played.cost))
        assert to_arb(closed.alpha).overlaps(to_arb(played.alpha))
        assert all(getattr(closed, name) == getattr(played, name) for name in EXACT)


@pytest.mark.parametrize("name", PRESETS)
def test_heads_are_played(name: str) -> None:
    """The accounts of a relay are those of its delays, exits and rounds as a outline."""
    reading, exits = preset(name), (1,)
    head = [0, *[5] * 5, *[0] * 8]
    restarts = RunOutline(Delays(head), exits, 2, Fraction(1, 2), reading).restarts
    cut = tuple(head[: restarts[-1]])
    found = UndelayedStage((3, 9), 1, 2, Fraction(1, 2), reading, head=cut, exits=exits)
    n = len(cut)
    delays = Delays([*cut, *[0] * 11, 1])
    walked = RunOutline(delays, (*exits, n + 3), 2, Fraction(1, 2), reading)
    assert (found.rounds, found.total_delay) == (walked.rounds, walked.total_delay)
    assert found.restarts == walked.restarts != ()
    for closed, played in zip(found.accounts, walked.accounts, strict=True):
        assert to_arb(closed.cost).overlaps(to_arb(played.cost))
        assert closed.stage.estimate == played.stage.estimate
        assert all(getattr(closed, name) == getattr(played, name) for name in EXACT)


def test_a_head_ends_in_a_hard_restart() -> None:
    """Otherwise its delays would concern the undelayed."""
    found = UndelayedStage((3,), 0, 2, Fraction(1, 2), preset("appendix"), head=(1, 0))
    with pytest.raises(InputError, match="head"):
        _ = found.accounts


@pytest.mark.parametrize("name", PRESETS)
def test_relays_have_several_stages(name: str) -> None:
    """All but the last of them ended by delays, at several margins."""
    found = list(relays(preset(name)))
    assert {s.stages > 1 for s in found} == {True}
    assert len({(s.arms, s.delta) for s in found}) == 3
    assert {s.accounts[-1].is_full for s in found} == {False, True}


@pytest.mark.parametrize("n", [1, 2, 3, 10, 500])
def test_inverse_roots_are_enclosed(n: int) -> None:
    """The enclosure contains the sum, term by term."""
    assert inverse_roots(n).contains(sum((1 / arb(t).sqrt() for t in range(1, n + 1)), arb(0)))


@pytest.mark.parametrize("name", PRESETS)
def test_phases_are_long_enough_for_their_thresholds(name: str) -> None:
    """A phase of n rounds that ends can have reached a gap of n/(1 - alpha), but in the last."""
    *chosen, last = undelayed_stages(preset(name), last_delay=1)
    assert set(last.lengths[:-1]) == {1}
    for found in chosen:
        for account in found.accounts[:-1]:
            length = account.end - account.start + 1
            assert length / to_arb(1 - account.alpha) > to_arb(account.stage.threshold)


@pytest.mark.parametrize("name", ["appendix", "repaired"])
def test_a_long_phase_alone_nearly_adds_one(name: str) -> None:
    """The bound of the cancellation is approached."""
    first = next(undelayed_stages(preset(name), last_delay=0))
    assert arb("0.999") < to_arb(balance(first.accounts)) < 1


def test_no_phase_follows_a_full_one() -> None:
    """Once alpha = 1 nothing restarts softly."""
    with pytest.raises(InputError):
        _ = undelayed(*[1] * 40).accounts


def test_witness_fields_round_trip() -> None:
    """A undelayed is rebuilt from what a witness says of it."""
    found = dataclasses.replace(undelayed(3, 2**200, last_delay=1), head=(4, 0), exits=(1,))
    assert UndelayedStage.rebuild(found.witness_fields()) == found


@pytest.mark.parametrize(
    "change",
    [
        {"lengths": 3},
        {"head": 3},
        {"exits": ["x"]},
        {"exits": [1]},
        {"lengths": []},
        {"lengths": ["0"]},
        {"lengths": ["1/2"]},
        {"last_delay": 2},
        {"delta": "x"},
        {"T": 1},
    ],
)
def test_bad_fields_are_named(change: dict[str, object]) -> None:
    """A witness with another shape is an input error, never a traceback."""
    fields = undelayed(3, 2).witness_fields()
    fields["parameters"] = {**fields["parameters"], **change}
    with pytest.raises(InputError):
        UndelayedStage.rebuild(fields)
