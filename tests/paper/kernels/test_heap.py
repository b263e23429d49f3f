"""The compiled heap against the standard library."""

from __future__ import annotations

import heapq

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pbverify.paper.kernels.prudent_banker import pop, push

items = st.integers(0, 2**31 - 1) | st.integers(0, 5)


@given(st.lists(items, min_size=1, max_size=60))
def test_the_heap_sorts(values: list[int]) -> None:
    """Pushing all and popping all gives the values in ascending order."""
    heap, size = np.empty(len(values), np.int32), 0
    for value in values:
        size = push(heap, size, value)
    assert size == len(values)
    popped = []
    while size:
        popped.append(int(heap[0]))
        size = pop(heap, size)
    assert popped == sorted(values)


@given(st.lists(items | st.none(), max_size=80))
def test_mixed_operations_follow_the_model(operations: list[int | None]) -> None:
    """With pushes and pops in any order the least item and the size are always the model's."""
    heap, size = np.empty(len(operations) + 1, np.int32), 0
    model: list[int] = []
    for operation in operations:
        if operation is not None:
            size = push(heap, size, operation)
            heapq.heappush(model, operation)
        elif model:
            size = pop(heap, size)
            heapq.heappop(model)
        assert size == len(model)
        if model:
            assert heap[0] == model[0]
    assert sorted(heap[:size].tolist()) == sorted(model)


def test_ascending_and_descending_input() -> None:
    """Sorted input in either direction comes out ascending."""
    for values in (range(1000), range(1000, 0, -1)):
        heap, size = np.empty(1000, np.int32), 0
        for value in values:
            size = push(heap, size, value)
        popped = []
        while size:
            popped.append(int(heap[0]))
            size = pop(heap, size)
        assert popped == sorted(values)
