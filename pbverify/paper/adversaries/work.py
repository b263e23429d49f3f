"""How much work an adversary may ask for: its parameters may come from a file."""

from __future__ import annotations

from pbverify.errors import InputError

MOST_WORK = 10**9
"""Rounds times runs."""


def check_work(*, rounds: int, runs: int = 1) -> None:
    """That there is something to do, which ends."""
    if min(rounds, runs) < 1 or rounds * runs > MOST_WORK:
        expected = f"rounds and runs >= 1, their product at most {MOST_WORK:,},"
        raise InputError(expected, "rounds x runs", f"{rounds} x {runs}")
