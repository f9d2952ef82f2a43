"""What keeps a hostile file from costing minutes or gigabytes: measured before it is searched.

Three things are dear in tree-sitter. The cost of a search grows with the square of a tree's depth, and
with the square of the number of children of one error. And a grammar that cannot tell `a < b` from
`a<b>` keeps every reading of a long chain of them.
"""

from __future__ import annotations

import re

from tree_sitter import Node

MAX_DEPTH = 3_000
"""Levels of nesting that are searched; a search at 5,000 takes 0.1 s, at 100,000 a minute."""

MAX_ERROR_CHILDREN = 10_000
"""Children of one error that are searched: 0.1 s; at 100,000 it is eight seconds."""

DEEP_FROM_NODES = 20_000
"""Parts of a tree smaller than this are searched in 0.3 s whatever their form, and are not measured."""

MAX_NODES = 600_000
"""Nodes that are searched: about 1.5 MB of dense code; what follows is data."""

MAX_OPEN_ANGLES = 2_000
"""Open `<` without an end of statement between: 13 MB in a Java grammar; 20,000 take 1.3 GB."""

_ANGLES = re.compile(rb"[<>;{}]")


def too_ambiguous(data: bytes) -> bool:
    """Whether `<` are opened so deep that a grammar with generics would keep gigabytes of readings."""
    if data.count(b"<") <= MAX_OPEN_ANGLES:
        return False
    depth = 0
    for mark in _ANGLES.finditer(data):
        match mark[0]:
            case b"<":
                depth += 1
                if depth > MAX_OPEN_ANGLES:
                    return True
            case b">":
                depth = max(0, depth - 1)
            case _:
                depth = 0
    return False


def searchable(root: Node, size_bytes: int) -> list[tuple[int, int]]:
    """Byte ranges of the top-level parts that are neither too deep, too broken, nor beyond the node limit.

    A small tree is taken whole without looking. The walk costs about 0.3 µs a node, so only large
    parts pay it.
    """
    if root.descendant_count < DEEP_FROM_NODES:
        return [(root.start_byte, max(root.end_byte, size_bytes))]
    ranges: list[tuple[int, int]] = []
    if root.is_error and root.child_count > MAX_ERROR_CHILDREN:
        return ranges
    nodes = 0
    joined = False
    for part in root.children:
        nodes += part.descendant_count
        if nodes > MAX_NODES:
            break
        if part.descendant_count > DEEP_FROM_NODES and _too_dear(part):
            joined = False
            continue
        start = ranges.pop()[0] if joined else part.start_byte
        ranges.append((start, part.end_byte))
        joined = True
    return ranges


def _too_dear(part: Node) -> bool:
    """Whether a part would be too dear to search: nested too deep, or too broken."""
    cursor = part.walk()
    siblings = [0]
    while True:
        if cursor.goto_first_child():
            siblings.append(1)
            if len(siblings) > MAX_DEPTH:
                return True
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False
            siblings.pop()
        siblings[-1] += 1
        if siblings[-1] == MAX_ERROR_CHILDREN:
            here = cursor.descendant_index
            cursor.goto_parent()
            if cursor.node is not None and cursor.node.is_error:
                return True
            cursor.goto_descendant(here)
