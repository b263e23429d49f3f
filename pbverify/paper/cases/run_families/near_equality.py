r"""Runs that come near the bounds on missing feedback, on the last round and on the slack.

The bounds use x_t(a) >= (1 - alpha) x^c(a), and alpha <= 1/2. They are met in the limit if alpha is
1/2, as with R^ = 2 in a first phase, and x^_t(a) goes to 0: arm a loses 1 and is played again and
again (`faded`). In the limit an item is 2, or 2/delta - 2 at the arm with x^c(a) = delta.

Bounds on how many rounds are missing are met by a crowd of rounds, one later than the next, of
which none has arrived. Before it the delay estimate must have room, which earlier rounds make.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pbverify.bandits.instance import Instance
from pbverify.paper.algorithm.readings import Reading
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_families import first_round, lopsided, lopsided_instance
from pbverify.paper.cases.run_families.adversarial import raising_delays, until_exit

HALF_BOLD = Fraction(2)
"""The budget of a first phase with alpha = 1/2."""
CROWD = 160
"""Rounds missing together; beside them, what is lost at the edges is less than a hundredth."""
ROOM = 1 << 14
"""A delay estimate for crowds of up to 180 rounds, which is hardly more than they need."""


def faded_runs(reading: Reading) -> Iterator[Run]:
    """An arm has faded for 20 rounds; it is played last, or late by one round, or by two."""
    for tail in ([0], [1, 0], [2, 0, 0]):
        yield lopsided(_patient(reading), [0] * 20 + tail)


def faded_exits(reading: Reading) -> Iterator[Run]:
    """Phases that end softly after an arm has faded: the bad arm, and a late favourite.

    The favourite has x^c(1) = 1/150 and loses for 27 rounds, the last of which is late. By then it
    has faded. Then arm 0 loses, until arm 1 is best on what has arrived by more than the threshold.
    """
    quick = reading.with_options(budget=HALF_BOLD, slack=Fraction(40))
    yield until_exit(lopsided_instance([0] * 60), quick, after=0)
    room = raising_delays(quick, 1 << 10)
    losing, rest, delta = len(room) + 27, 1000, Fraction(1, 150)
    instance = Instance.build(
        losses=[[0, 1]] * losing + [[1, 0]] * rest,
        delays=[*room, *[0] * 26, rest, *[0] * rest],
        comparator=[1 - delta, delta],
        actions=[1] * losing + [0] * rest,
    )
    yield until_exit(instance, quick, after=losing)


def crowded_phase(reading: Reading) -> Run:
    """A crowd of items of nearly 2 each: for all but the first, the base iterate has faded.

    Rounds that are missing keep their credit. So one round, when sigma_t is large, is late by 1:
    its credit is free again when the first of the crowd is missing, for which reason the scales are
    small from then on, and it pays for the whole crowd.
    """
    patient = _patient(reading)
    room, credit = raising_delays(patient, ROOM), [*[0] * 3600, 1]
    return lopsided(patient, [*room, *credit, *range(CROWD + 1, 1, -1), 0, 0])


def crowded_exit(reading: Reading) -> Run:
    """A soft exit under the reading's own slack, with as many rounds missing as D^ allows.

    The round that causes the exit is late itself, and m rounds after it are missing at the exit. A
    clairvoyant delay sum counts m (m + 3)/2 then, an elapsed one m (m + 1)/2, and D^ = 16,384.
    """
    quick = reading.with_options(budget=HALF_BOLD)
    m = 179 if reading.delay_sum == "clairvoyant" else 180
    room = raising_delays(quick, ROOM)
    found = first_round(
        lopsided_instance([*room, *[0] * 1000]),
        quick,
        lambda t, row: t > len(room) and row.soft_restart,
    )
    assert found is not None
    return lopsided(quick, [*room, *[0] * (found[0] - 1 - len(room)), m, *range(m, 0, -1)])


def _patient(reading: Reading) -> Reading:
    """With alpha = 1/2 in a first phase that does not end softly."""
    return reading.with_options(budget=HALF_BOLD, slack=Fraction(10**5))
