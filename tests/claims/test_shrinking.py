"""The order of witnesses, and the descent to a minimal one."""

from __future__ import annotations

import dataclasses
import itertools
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from pbverify.bandits.delays import Delays
from pbverify.bandits.simpler import steps as candidates
from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.judging import exhaust, witness_of
from pbverify.claims.library import claims_of
from pbverify.claims.shrinking import minimised
from pbverify.claims.shrinking import weight as weight_in
from pbverify.numerics import Truth
from pbverify.paper.cases.phase import DelayedPhase, all_phases, number_of_phases
from pbverify.paper.sorts import PHASES

LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"


def raised(claim: Claim[Any]) -> Claim[Any]:
    """A stronger claim: in the last conclusion, lhs + 1 takes the place of lhs."""

    def more(subject: Any) -> Iterator[Pair]:
        for pair in claim.then[-1](subject):
            yield dataclasses.replace(pair, lhs=pair.lhs + 1)

    return dataclasses.replace(claim, id=f"{claim.id}!stronger", then=(*claim.then[:-1], more))


STRONGER = [
    raised(claim) for claim in claims_of(LEMMAS / "lemma_delayed_mass.py") if "!" not in claim.id
]


def window(*delays: int) -> DelayedPhase:
    return DelayedPhase(Delays(list(delays)), start=1, end=len(delays))


def mass_le_one(phase: DelayedPhase) -> Iterator[Pair]:
    yield Pair(phase.mass[-1], 1, where={"t": phase.end})


def weight(fields: Any) -> tuple[Any, ...]:
    return weight_in(fields, PHASES)


LIGHT = Claim("light", Kind.COMBINATORIAL, "M <= 1", then=(mass_le_one,), about=PHASES)


def violated(claim: Claim[Any]) -> Any:
    return lambda subject: next((p for p in claim.pairs(subject) if p.truth is Truth.NO), None)


def descend(claim: Claim[Any], start: DelayedPhase) -> DelayedPhase:
    violation = start, violated(claim)(start)
    found: DelayedPhase = minimised(violation, about=PHASES, violated=violated(claim))[0]
    return found


def test_the_order_is_rounds_arms_delays_numbers() -> None:
    """Fewest rounds first, then fewest arms, then least delay, then the shortest numbers."""

    def run(losses: list[list[object]], delays: list[int]) -> dict[str, Any]:
        return {"instance": {"losses": losses, "delays": delays}}

    ordered = [
        run([[1, 0]], [9]),
        run([[1, 0], [1, 0]], [0, 1]),
        run([[1, 0], [1, "1/3"]], [0, 1]),
        run([[1, 0], [1, 0]], [0, 2]),
        run([[1, 0, 0], [1, 0, 0]], [0, 0]),
    ]
    assert sorted([ordered[i] for i in (3, 1, 4, 0, 2)], key=weight) == ordered


@pytest.mark.parametrize("start", [(5, 5, 5, 5), (0, 0, 9, 0, 3), (2, 2, 2), (0, 7, 7, 0, 0, 0)])
def test_every_start_leads_to_a_least_witness(start: tuple[int, ...]) -> None:
    """A mass of 2 needs three rounds and two units of delay, wherever the descent begins."""
    found = descend(LIGHT, window(*start))
    smaller = [
        window(*delays)
        for rounds in (1, 2, 3)
        for delays in itertools.product(range(4), repeat=rounds)
        if weight(window(*delays).witness_fields())[:3] < weight(found.witness_fields())[:3]
    ]
    assert [w for w in smaller if violated(LIGHT)(w)] == []


def test_no_candidate_is_tried_twice() -> None:
    """What has failed in one step of the descent is not computed again in a later one."""
    tried: list[tuple[int, ...]] = []

    def see(phase: DelayedPhase) -> Pair | None:
        tried.append(tuple(phase.delays.to_json()))
        pair: Pair | None = violated(LIGHT)(phase)
        return pair

    start = window(0, 2, 2, 0)
    minimised((start, violated(LIGHT)(start)), about=PHASES, violated=see)
    assert len(tried) == len(set(tried)) > 1


def test_a_round_can_go_while_arrivals_stay() -> None:
    """What needs the first feedback with the very last round shrinks by both together."""

    def not_with_the_last(phase: DelayedPhase) -> Iterator[Pair]:
        T, first = phase.end, phase.delays.values[0]
        yield Pair(int(T > 1 and first == T - 1), 0)

    claim = Claim("c", Kind.COMBINATORIAL, "", then=(not_with_the_last,), about=PHASES)
    assert list(descend(claim, window(4, 0, 0, 0, 0)).delays.values) == [1, 0]


@pytest.mark.parametrize("claim", STRONGER, ids=lambda claim: claim.id)
def test_the_witnesses_of_delayed_mass_are_minimal(claim: Claim[DelayedPhase]) -> None:
    """No phase is simpler than the one that each verdict reports."""
    count = number_of_phases(length=3, delay=3)
    verdict = exhaust(claim, all_phases(length=3, delay=3), count=count, scope="")
    assert verdict.witness is not None
    own = weight(verdict.witness.subject)
    others = (phase.witness_fields() for phase in all_phases(length=3, delay=3))
    assert min(weight(fields) for fields in others) == own


def test_the_same_start_gives_the_same_bytes() -> None:
    """Nothing in the descent depends on chance or on the order of a set."""
    names = set()
    for _ in range(3):
        found = descend(LIGHT, window(4, 1, 4, 1))
        names.add(witness_of(LIGHT, found, violated(LIGHT)(found)).file_name)
    assert len(names) == 1


def test_subjects_that_cannot_be_rebuilt_stay() -> None:
    """Without a way back from fields to subject the violation is left as it is."""
    start = window(5, 5, 5)
    pair = violated(LIGHT)(start)
    kept = minimised((start, pair), about=None, violated=violated(LIGHT))
    assert kept == (start, pair)


def test_steps_out_of_the_domain_are_passed_over() -> None:
    """A candidate that the claim cannot speak about is no candidate."""

    def picky(fields: Any) -> DelayedPhase:
        if len(fields["parameters"]["delays"]) < 4:
            raise ValueError
        return DelayedPhase.rebuild(fields)

    start = window(0, 0, 5, 5)
    pair = violated(LIGHT)(start)
    found = minimised(
        (start, pair), about=dataclasses.replace(PHASES, read=picky), violated=violated(LIGHT)
    )[0]
    assert len(found.delays) == 4


def test_phases_keep_their_rounds_when_others_go() -> None:
    """Dropping a round before, inside or after a phase moves its ends accordingly."""
    fields = {"parameters": {"delays": [1, 2, 3], "start": 2, "end": 2}}
    shorter = [c["parameters"] for c in candidates(fields) if len(c["parameters"]["delays"]) == 2]
    assert {"delays": [1, 2], "start": 2, "end": 2} in shorter
    assert {"delays": [2, 3], "start": 1, "end": 1} in shorter


def test_arms_go_only_if_nobody_plays_them() -> None:
    """An arm that is never played can be dropped; then the comparator is uniform."""
    body = {
        "losses": [[0, 1, 1]],
        "delays": [0],
        "actions": [2],
        "comparator": ["1/2", "1/4", "1/4"],
        "delta": None,
    }
    fewer = [c["instance"] for c in candidates({"instance": body})]
    arms = [c for c in fewer if len(c["comparator"]) == 2]
    assert [c["actions"] for c in arms] == [[1], [1]]
    assert all(c["comparator"] == ["1/2", "1/2"] for c in arms)


def test_long_witnesses_lose_many_rounds_at_once() -> None:
    """A violation that needs only its first rounds is found within the budget of rounds."""
    found = descend(LIGHT, window(*[5] * 600))
    assert len(found.delays) == 3


def test_blocks_of_rounds_move_the_phase() -> None:
    """Half of the rounds less, before or after a phase, keeps the phase where it was."""
    fields = {"parameters": {"delays": [1, 2, 3, 4], "start": 3, "end": 3}}
    halves = [c["parameters"] for c in candidates(fields) if len(c["parameters"]["delays"]) == 2]
    assert {"delays": [3, 4], "start": 1, "end": 1} in halves
