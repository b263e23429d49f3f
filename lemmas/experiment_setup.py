r"""The experiment's setup: its blocks and its realised total delays (app:experiments).

    blocks        "Time is divided into B = 500 blocks", with the printed index
                  b(t) = 1 + min(floor((t-1)/(floor(T/B) + 1)), B - 1) at T = 50,000.
    delay totals  D = 1545, 3927 and 2065 are plausible draws of the three delay models: the
                  two-sided tail of each under the exact law of D is at least 1%.

Kind: empirical. Uses: nothing. Readings: none (no algorithm is involved).

Erratum: a block of the printed index has floor(T/B) + 1 = 101 rounds, so T rounds fill only 496
blocks, the last one with 5 rounds; the cap B - 1 never acts. With ceil(T/B) rounds they are 500.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from pbverify.bandits.loss_patterns import block_rows
from pbverify.bandits.simpler import case_sort
from pbverify.claims.claim import Pair, Relation
from pbverify.claims.judging import exhaust, visit
from pbverify.files.codec import Record
from pbverify.paper.experiment.environment import DELAYED, PRINTED_SIZES
from pbverify.paper.experiment.sample import TABLE, empirical
from pbverify.paper.experiment.total_delays import LEVEL, Total, printed_totals
from pbverify.paper.sorts import TOTAL_DELAYS
from pbverify.pytest_plugin import Judge


@dataclasses.dataclass(frozen=True)
class Blocks(Record):
    """A horizon and the number of blocks that it is to be divided into."""

    T: int = PRINTED_SIZES.horizon
    B: int = PRINTED_SIZES.blocks


def printed_index_makes_all_blocks(blocks: Blocks) -> Iterator[Pair]:
    yield Pair(len(block_rows(blocks.T, blocks.B)), blocks.B, Relation.EQUAL)


def rounded_up_lengths_make_all_blocks(blocks: Blocks) -> Iterator[Pair]:
    length = -(-blocks.T // blocks.B)
    yield Pair(len({t // length for t in range(blocks.T)}), blocks.B, Relation.EQUAL)


def total_is_plausible(total: Total) -> Iterator[Pair]:
    yield Pair(LEVEL, total.plausibility, where={"regime": total.regime})


BLOCKS = empirical(
    "blocks",
    "the printed b(t) divides T = 50,000 rounds into B = 500 blocks",
    printed_index_makes_all_blocks,
    about=case_sort(Blocks),
)
BLOCKS_REPAIRED = empirical(
    "blocks@repaired",
    "blocks of ceil(T/B) rounds divide T = 50,000 rounds into B = 500 blocks",
    rounded_up_lengths_make_all_blocks,
    about=case_sort(Blocks),
)
TOTALS = empirical(
    "delay-totals",
    "1/100 <= 2 min(P(D <= D_printed), P(D >= D_printed)) in each regime",
    total_is_plausible,
    label=TABLE,
    about=TOTAL_DELAYS,
)
CLAIMS = (BLOCKS, BLOCKS_REPAIRED, TOTALS)

# Known false: one block more, and each printed total as a draw of the next regime.
ONE_MORE = BLOCKS_REPAIRED.sharpened(rounded_up_lengths_make_all_blocks, by=1)
SHIFTED = dataclasses.replace(TOTALS, id="experiment/delay-totals!stronger")


def shifted_totals() -> list[Total]:
    names = (*DELAYED[1:], DELAYED[0])
    return [dataclasses.replace(t, regime=n) for t, n in zip(printed_totals(), names, strict=True)]


def test_blocks(judge: Judge) -> None:
    """The printed index makes 496 blocks of 500."""
    judge(exhaust(BLOCKS, [Blocks()], count=1, scope="T = 50,000, B = 500"))


def test_repaired_blocks(judge: Judge) -> None:
    """Rounding the length up makes 500."""
    judge(exhaust(BLOCKS_REPAIRED, [Blocks()], count=1, scope="T = 50,000, B = 500"))


def test_printed_totals(judge: Judge) -> None:
    """All three totals, at a level of 1% each, under exact laws."""
    judge(exhaust(TOTALS, printed_totals(), count=3, scope="the printed totals, level 1% each"))


def test_stronger_versions_are_refuted(judge: Judge) -> None:
    """501 blocks, or totals under the wrong regime, are refuted, and the witnesses replay."""
    judge.teeth(visit(ONE_MORE, [Blocks()], scope=""), of=ONE_MORE)
    judge.teeth(visit(SHIFTED, shifted_totals(), scope=""), of=SHIFTED)
