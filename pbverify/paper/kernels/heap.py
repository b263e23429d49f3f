"""A binary min-heap of integers in an array, for compiled code: the earliest arrived round."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

Heap = npt.NDArray[np.int32]


@njit(cache=True)
def push(heap: Heap, size: int, item: int) -> int:
    """Add an item; returns the new size."""
    child = size
    while child > 0:
        parent = (child - 1) // 2
        if heap[parent] <= item:
            break
        heap[child] = heap[parent]
        child = parent
    heap[child] = item
    return size + 1


@njit(cache=True)
def pop(heap: Heap, size: int) -> int:
    """Drop the least item, heap[0]; returns the new size."""
    size -= 1
    item, parent = heap[size], 0
    while True:
        child = 2 * parent + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if item <= heap[child]:
            break
        heap[parent] = heap[child]
        parent = child
    heap[parent] = item
    return size
