"""The pictures of the fourth notebook."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pbverify.figures.notebook import lower_bound
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.hard_environments import HardGame


def panels(figure: Any) -> Any:
    """Its axes, whose content matplotlib types too broadly to look at."""
    return figure.axes


def test_the_falling_delays_are_admissible() -> None:
    """They never increase, and all feedback arrives by T + 1."""
    assert Bucketing(lower_bound.FALLING).is_admissible


def test_signals_are_strongest_at_the_least_margin() -> None:
    """There the first block has eps_1 = 1/4, as large as the lemma lets it be."""
    cut = Bucketing(lower_bound.FALLING)
    least = lower_bound.signals(HardGame(cut.lengths, lower_bound.least_margin(cut)))
    usual = lower_bound.signals(HardGame(cut.lengths, Fraction(1, 4)))
    assert least[0] == 0.25
    assert all(a > b for a, b in zip(least, usual, strict=True))


def test_buckets_name_their_lengths() -> None:
    """The title says T, D and V_1/L_1."""
    title = lower_bound.buckets(q=2, N=3).axes[0].get_title(loc="left")
    assert "T = 8, D = 15, bucket lengths 2, 2, 2, 2" in title


def test_no_sequence_exceeds_its_horizon() -> None:
    """All dots of the left panel lie on or below the diagonal."""
    dots = panels(lower_bound.ratios())[0].collections[0].get_offsets()
    assert len(dots) > 500
    assert (dots[:, 1] <= dots[:, 0] + 1e-9).all()


def test_simulations_play_alike() -> None:
    """Every slot below shows the arm above it."""
    texts = panels(lower_bound.simulation(j=2))[0].texts
    cells = {t.get_position(): t.get_text() for t in texts if t.get_text()}
    slots = [position[0] for position in cells if position[1] == 0.0]
    assert slots
    assert all(cells[slot, 0.0] == cells[slot, 1.0] for slot in slots)


def test_claimed_and_supported_rates_part() -> None:
    """With one long block the claimed rate outgrows the construction's leading term."""
    last = panels(lower_bound.rates())[-1]
    claimed, _, leading, _ = (line.get_ydata() for line in last.lines)
    assert claimed[-1] / leading[-1] > 100 * claimed[0] / leading[0]
