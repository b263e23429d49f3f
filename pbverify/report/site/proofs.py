"""Proofs on one page: what an earlier proof of the page prints is not printed again.

A proof is a list of theories. A theory is a line without indentation and its items; an item is a
line indented once, with the deeper lines below it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

Item = tuple[str, ...]


def without_repetitions(proofs: Sequence[Sequence[str]]) -> list[list[str]]:
    """The proofs in their order; items of a theory of the same name above are only counted."""
    known: dict[str, set[Item]] = {}
    found = []
    for proof in proofs:
        lines: list[str] = []
        for head, items in _theories(proof):
            lines += [head, *_new(items, known.setdefault(head, set()))]
            known[head].update(items)
        found.append([line.replace("<=", "≤").replace(">=", "≥") for line in lines])
    return found


def _theories(proof: Sequence[str]) -> Iterator[tuple[str, list[Item]]]:
    for head, body in _parts(proof, indent=""):
        yield head, [(first, *rest) for first, rest in _parts(body, indent="  ")]


def _parts(lines: Sequence[str], *, indent: str) -> Iterator[tuple[str, list[str]]]:
    """Each line with this indentation, and the deeper lines after it."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if found and line.startswith(f"{indent}  "):
            found[-1][1].append(line)
        else:
            found.append((line, []))
    yield from found


def _new(items: Sequence[Item], known: set[Item]) -> Iterator[str]:
    for is_known, group in itertools.groupby(items, key=known.__contains__):
        lines = [line for item in group for line in item]
        if is_known and len(lines) > 1:
            yield f"  ({len(lines)} lines as above)"
        else:
            yield from lines
