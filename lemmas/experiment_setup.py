r"""The experiment's setup: its blocks and its realised total delays (app:experiments).

    blocks        "Time is divided into B = 500 blocks", with the printed index
                  b(t) = 1 + min(floor((t-1)/(floor(T/B) + 1)), B - 1) at T = 50,000.
    delay totals  D = 1545, 3927 and 2065 are plausible draws of the three delay models: the
                  two-sided tail of each under the exact law of D is at least 1%.

    columns       "no delay, geometric delays, and heavy-tailed Pareto delays" (main text) are
                  "fixed one-step, geometric, and Pareto" (appendix): D = 0 is a plausible draw
                  of the first.

Erratum: the two texts describe different experiments. Without delay D = 0, and the appendix's first
column has D = 1545; D = 0 has the chance 0.97^50,000 there. The sentences about a column without
delay, in which alpha_t "rises monotonically to 1 and stays there", have no figure in the appendix,
whose fixed one-step column "shows repeated cycles". Also, the main text shares loss tables "across
conditions", the appendix inside a column only; and it calls the number of blocks S, which is the
number of stages elsewhere.

Erratum: a block of the printed index has floor(T/B) + 1 = 101 rounds, so T rounds fill only 496
blocks, the last one with 5 rounds; the cap B - 1 never acts. With ceil(T/B) rounds they are 500.
"""

import dataclasses

from pbverify import Lemma, changed, chosen, equal, every, leq, says
from pbverify.bandits.loss_patterns import block_rows
from pbverify.paper.experiment.environment import Blocks
from pbverify.paper.experiment.total_delays import LEVEL, printed_totals
from pbverify.paper.sorts import BLOCKS, TOTAL_DELAYS


def printed_index_makes_all_blocks(blocks):
    yield equal(len(block_rows(blocks.T, blocks.B)), blocks.B)


def rounded_up_lengths_make_all_blocks(blocks):
    length = -(-blocks.T // blocks.B)
    yield equal(len({t // length for t in range(blocks.T)}), blocks.B)


def total_is_plausible(total):
    yield leq(LEVEL, total.plausibility, regime=total.regime)


def first_column_without_delay():
    """The main text's first column, as a draw of the appendix's."""
    first, *_ = printed_totals()
    return [dataclasses.replace(first, total=0)]


def shifted_totals():
    """Each printed total as a draw of the next regime."""
    first, *others = printed_totals()
    for total, other in zip((first, *others), (*others, first), strict=True):
        yield dataclasses.replace(total, regime=other.regime)


PRINTED_SIZES = every([Blocks()], count=1, scope="T = 50,000, B = 500")
TOTALS = every(printed_totals, count=3, scope="the printed totals, level 1% each")

LEMMA = Lemma(
    "experiment",
    says(
        "the printed b(t) divides T = 50,000 rounds into B = 500 blocks",
        printed_index_makes_all_blocks,
        step="blocks",
        about=BLOCKS,
        by=PRINTED_SIZES,
    ),
    says(
        "blocks of ceil(T/B) rounds divide T = 50,000 rounds into B = 500 blocks",
        rounded_up_lengths_make_all_blocks,
        step="blocks@repaired",
        about=BLOCKS,
        by=PRINTED_SIZES,
    ),
    says(
        "1/100 <= 2 min(P(D <= D_printed), P(D >= D_printed)) in each regime",
        total_is_plausible,
        step="delay-totals",
        about=TOTAL_DELAYS,
        by=TOTALS,
        stronger=changed(total_is_plausible, on=chosen(shifted_totals)),
    ),
    says(
        "the main text's first column, D = 0, is the appendix's: 1/100 <= 2 min(P(D <= 0), 1)",
        total_is_plausible,
        step="columns",
        about=TOTAL_DELAYS,
        by=every(first_column_without_delay, count=1, scope="D = 0 in the first column, level 1%"),
    ),
)
