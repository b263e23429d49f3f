"""Merging two sorted lists of m and n items.

    merging                the merged list is sorted
    merging/comparisons    at most m + n - 1 comparisons, if both lists have items
    merging/few            at most max(m, n) comparisons
    merging/stable         of equal items, those of the left list come first

Errata: `few` is false; m + n - 1 is attained. `stable` depends on a choice that the text leaves
open: which list gives its item first if both are equal.
"""

import itertools

from pbverify import Lemma, every, generated, leq, says
from second_paper import MERGES, all_merges, merges


def items_do_not_decrease(merge):
    _, items = merge.comparisons_and_items
    for place, ((x, _), (y, _)) in enumerate(itertools.pairwise(items), start=1):
        yield leq(x, y, place=place)


def comparisons_le_items_less_one(merge):
    yield leq(merge.comparisons_and_items[0], len(merge.left) + len(merge.right) - 1)


def comparisons_le_longer_list(merge):
    yield leq(merge.comparisons_and_items[0], max(len(merge.left), len(merge.right)))


def left_items_come_first(merge):
    _, items = merge.comparisons_and_items
    for place, (first, second) in enumerate(itertools.pairwise(items), start=1):
        if first[0] == second[0]:
            yield leq(first[1] == "right", second[1] == "right", place=place)


def both_have_items(merge):
    return bool(merge.left and merge.right)


LEMMA = Lemma(
    "merging",
    says("x_1 <= x_2 <= ...", items_do_not_decrease),
    says(
        "comparisons <= m + n - 1",
        comparisons_le_items_less_one,
        step="comparisons",
        given=both_have_items,
    ),
    says("comparisons <= max(m, n)", comparisons_le_longer_list, step="few"),
    says("equal items of the left list come first", left_items_come_first, step="stable"),
    about=MERGES,
    by=(
        every(
            lambda reading: all_merges(3, reading),
            count=20**2,
            scope="lists of <= 3 items 0, 1, 2",
        ),
        generated(merges, share=10),
    ),
    must_meet={"both lists have items": both_have_items},
)
