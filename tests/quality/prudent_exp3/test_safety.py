"""Search for losses and delays on which Prudent-EXP3 is not safe: a short one, and more by hand.

    .venv/bin/python tests/quality/prudent_exp3/test_safety.py --rounds 4000 --candidates 40

An adversary is a few blocks, each with its length, the arm that loses, and a delay; two arms, the
comparator has delta = 1/10 on the second. Candidates are drawn and then changed in small steps; the
one with the largest mean regret to the comparator over some seeds is judged on fresh seeds. The
power of the search is the weakening of the exit threshold that it finds: with the factor f on
2 R + m the learner is not safe if f is small, and the search should say so.
"""

from __future__ import annotations

import argparse
import dataclasses
from fractions import Fraction

import numpy as np

from pbverify.bandits.instance import Instance
from pbverify.numerics.chance import generator
from pbverify.paper.algorithm.exp3_stages import Exp3Settings
from pbverify.paper.kernels.baselines import comparator, prudent_exp3

DELTA = Fraction(1, 10)
FACTORS = tuple(Fraction(text) for text in ("1", "3/10", "15/100", "1/10", "1/20", "1/50"))


@dataclasses.dataclass(frozen=True)
class Block:
    """A share of the rounds in which one arm loses and feedback is `delay` rounds late."""

    share: float
    arm: int
    delay: int


Adversary = tuple[Block, ...]


def instance(adversary: Adversary, rounds: int, seed: int) -> Instance:
    shares = np.cumsum([block.share for block in adversary])
    ends = (rounds * shares / shares[-1]).round().astype(int)
    which = np.searchsorted(ends, np.arange(rounds), side="right").clip(0, len(adversary) - 1)
    losses = np.zeros((rounds, 2))
    losses[np.arange(rounds), np.array([block.arm for block in adversary])[which]] = 1.0
    delays = np.array([block.delay for block in adversary])[which]
    return Instance.build(losses=losses, delays=delays, comparator=[1 - DELTA, DELTA], seed=seed)


def regrets(
    adversary: Adversary, told: Exp3Settings, rounds: int, seeds: range
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """sum_t <l_t, x_t - x^c> of each seed."""
    found = []
    for seed in seeds:
        some = instance(adversary, rounds, seed)
        found.append(
            float((prudent_exp3(some, told).pseudo_loss - comparator(some).pseudo_loss).sum())
        )
    return np.array(found)


def drawn(rng: np.random.Generator) -> Adversary:
    """Two to five blocks; arms alternate."""
    first = int(rng.integers(2))
    return tuple(
        Block(float(rng.random()) + 0.02, (first + i) % 2, int(rng.choice([0, 0, 1, 5, 30])))
        for i in range(int(rng.integers(2, 6)))
    )


def changed(rng: np.random.Generator, adversary: Adversary) -> Adversary:
    """One block longer or shorter, or later."""
    at = int(rng.integers(len(adversary)))
    block = adversary[at]
    if rng.random() < 0.75:
        block = dataclasses.replace(block, share=block.share * float(np.exp(rng.normal())))
    else:
        block = dataclasses.replace(block, delay=int(rng.choice([0, 1, 5, 30, 100])))
    return (*adversary[:at], block, *adversary[at + 1 :])


def search(told: Exp3Settings, *, rounds: int, candidates: int) -> tuple[Adversary, float, float]:
    """The worst adversary, and its mean regret on fresh seeds with the standard error."""
    rng = generator(0, f"safety {told.threshold}")
    turns = [(Block(x, 0, 0), Block(1 - x, 1, 0)) for x in (0.2, 0.35, 0.5, 0.65)]
    steady = [(Block(1.0, 1, delay),) for delay in (0, 30)]
    pool = [*turns, *steady, *(drawn(rng) for _ in range(candidates))]
    scored = sorted(pool, key=lambda each: -regrets(each, told, rounds, range(4)).mean())
    best, value = scored[0], regrets(scored[0], told, rounds, range(12)).mean()
    for _ in range(candidates):
        other = changed(rng, best)
        score = regrets(other, told, rounds, range(12)).mean()
        if score > value:
            best, value = other, score
    fresh = regrets(best, told, rounds, range(10_000, 10_200))
    return best, float(fresh.mean()), float(fresh.std(ddof=1) / np.sqrt(len(fresh)))


def test_the_search_finds_a_weak_threshold_and_no_more() -> None:
    """A twentieth of the threshold costs more than 1, and the threshold itself does not."""
    weak, own = (
        Exp3Settings(first_clock=Fraction(2000), threshold=factor)
        for factor in (Fraction(1, 20), Fraction(1))
    )
    _, mean, error = search(weak, rounds=2000, candidates=2)
    assert mean - 4 * error > 1
    _, mean, error = search(own, rounds=2000, candidates=2)
    assert mean + 4 * error < 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4000)
    parser.add_argument("--candidates", type=int, default=60)
    asked = parser.parse_args()
    for factor in FACTORS:
        told = Exp3Settings(first_clock=Fraction(asked.rounds), threshold=factor)
        best, mean, error = search(told, rounds=asked.rounds, candidates=asked.candidates)
        verdict = "NOT SAFE" if mean - 4 * error > 1 else "not found unsafe"
        words = ", ".join(f"{b.share:.2f}:{b.arm}:{b.delay}" for b in best)
        print(  # noqa: T201 - run by hand
            f"threshold x {factor}: {mean:.3f} +- {error:.3f} (allowed: 1) {verdict} [{words}]"
        )


if __name__ == "__main__":
    main()
