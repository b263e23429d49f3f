"""The dependency graph as inline SVG: what a claim uses stands to its left.

Connected parts stand below one another; nodes that use nothing and are not used stand in rows below
them, if they are drawn at all.
Colour is the claim's own outcome; a dashed red frame marks a claim that rests, through any number
of steps, on a refuted one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from pbverify.report.markup import element, picture

ROW, GAP, HEIGHT, PAD = 34.0, 56.0, 24.0, 12.0
LETTER = 6.4


@dataclasses.dataclass(frozen=True)
class Node:
    """A claim in the graph."""

    id: str
    text: str
    """What stands in its box."""
    href: str
    outcome: str
    """Of all its readings together: the worst."""
    uses: tuple[str, ...]
    is_shaken: bool
    """Whether it rests on a refuted claim."""


@dataclasses.dataclass(frozen=True)
class _Box:
    node: Node
    x: float
    y: float
    width: float


def drawing(
    nodes: Sequence[Node], *, title: str = "What each claim uses", with_loners: bool = False
) -> Markup:
    """The graph of all nodes that use one another, one connected part below the other."""
    boxes: dict[str, _Box] = {}
    top = PAD
    for part in parts(nodes):
        boxes |= _placed(part, top)
        top = max(box.y for box in boxes.values()) + ROW + PAD
    loners = [node for node in nodes if node.id not in boxes]
    if with_loners and loners:
        boxes |= _in_a_row(loners, top)
        top += ROW + PAD
    edges = [edge for box in boxes.values() for edge in _edges(box, boxes)]
    shapes = [_shape(box) for box in boxes.values()]
    width = max((box.x + box.width for box in boxes.values()), default=0.0) + PAD
    return picture(width, top, title, [*edges, *shapes])


def parts(nodes: Sequence[Node]) -> list[list[Node]]:
    """The connected parts of the graph, largest first; claims that stand alone are left out."""
    known = {node.id: node for node in nodes}
    near: dict[str, set[str]] = {id: set() for id in known}
    for node in nodes:
        for used in set(node.uses) & known.keys() - {node.id}:
            near[node.id].add(used)
            near[used].add(node.id)
    found, seen = [], set()
    for id in known:
        if near[id] and id not in seen:
            reached = _reached(near, id)
            seen |= reached
            found.append([known[each] for each in known if each in reached])
    return sorted(found, key=len, reverse=True)


def _reached(near: Mapping[str, set[str]], start: str) -> set[str]:
    reached, waiting = {start}, [start]
    while waiting:
        new = near[waiting.pop()] - reached
        reached |= new
        waiting += new
    return reached


def columns(nodes: Sequence[Node]) -> dict[str, int]:
    """Each claim as far to the right as its users allow, and right of all that it uses."""
    uses = {node.id: set(node.uses) - {node.id} for node in nodes}
    depth: dict[str, int] = dict.fromkeys(uses, 0)
    for _ in nodes:  # a chain is no longer than the number of claims
        longer = {
            id: min(len(nodes), 1 + max((depth.get(used, 0) for used in below), default=-1))
            for id, below in uses.items()
        }
        if longer == depth:
            break
        depth = longer
    for id in sorted(depth, key=lambda id: -depth[id]):
        users = [depth[other] for other, below in uses.items() if id in below]
        depth[id] = max(depth[id], min(users, default=depth[id] + 1) - 1)
    return depth


def _placed(nodes: Sequence[Node], top: float) -> dict[str, _Box]:
    """Boxes of one part, from the last column to the first: each near the claims that use it."""
    depth = columns(nodes)
    left = _lefts(nodes, depth)
    boxes: dict[str, _Box] = {}
    for column in sorted(set(depth.values()), reverse=True):
        here = [node for node in nodes if depth[node.id] == column]
        wanted = {node.id: _height_of_users(node, boxes) for node in here}
        y = top
        for node in sorted(here, key=lambda node: (wanted[node.id], node.id)):
            x, width = left[column]
            y = max(y, min(wanted[node.id], y + 4 * ROW))
            boxes[node.id] = _Box(node, x, y, width)
            y += ROW
    return boxes


def _in_a_row(nodes: Sequence[Node], y: float) -> dict[str, _Box]:
    found, x = {}, PAD
    for node in nodes:
        width = len(node.text) * LETTER + 20
        found[node.id] = _Box(node, x, y, width)
        x += width + PAD
    return found


def _lefts(nodes: Sequence[Node], depth: Mapping[str, int]) -> dict[int, tuple[float, float]]:
    """Left edge and width of each column."""
    found, x = {}, PAD
    for column in sorted(set(depth.values())):
        width = max(len(node.text) for node in nodes if depth[node.id] == column) * LETTER + 20
        found[column] = x, width
        x += width + GAP
    return found


def _height_of_users(node: Node, boxes: Mapping[str, _Box]) -> float:
    """Where the claim's users are on average, so that edges stay short; without any, on top."""
    heights = [box.y for box in boxes.values() if node.id in box.node.uses]
    return sum(heights) / len(heights) if heights else 0.0


def _edges(box: _Box, boxes: Mapping[str, _Box]) -> Iterator[Markup]:
    for used in box.node.uses:
        if used in boxes and used != box.node.id:
            source = boxes[used]
            x1, y1 = source.x + source.width, source.y + HEIGHT / 2
            x2, y2 = box.x, box.y + HEIGHT / 2
            bend = max(30.0, (x2 - x1) / 2)
            path = f"M{x1:.1f} {y1:.1f}C{x1 + bend:.1f} {y1:.1f} {x2 - bend:.1f} {y2:.1f} "
            bad = source.node.outcome == "REFUTED" or source.node.is_shaken
            bad = bad and (box.node.is_shaken or box.node.outcome == "REFUTED")
            yield element("path", d=f"{path}{x2:.1f} {y2:.1f}", class_=f"edge{' bad' * bad}")


def _shape(box: _Box) -> Markup:
    node = box.node
    frame = f"node {node.outcome.lower().replace(' ', '-')}{' shaken' * node.is_shaken}"
    spoken = f"{node.text}: {node.outcome}{', rests on a refuted claim' * node.is_shaken}"
    return element(
        "a",
        element("title", spoken),
        element("rect", x=box.x, y=box.y, width=box.width, height=HEIGHT, rx=5, class_=frame),
        element("text", node.text, x=box.x + 10, y=box.y + 16, class_="name"),
        href=node.href,
    )
