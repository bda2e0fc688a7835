"""The cheapest way to break a sequence in one record: a smallest cut through all the places where it can be found.

Each part of the sequence has nodes: visits in which all its codes are, from a first to a last place in time. A node
leads to every node of the next part that begins after its end. To break the sequence is to delete nodes until no path
leads through all parts. Whatever is deleted, of each part one node is the earliest that can still be reached; all that
could be reached before it must be gone, and what comes after it need not be. So only these earliest nodes have to be
chosen, one a part, until in some part nothing is left: a shortest path, and no flow is needed.

>>> a, b = [Node(0, 0), Node(2, 2), Node(3, 3)], [Node(1, 1), Node(4, 4)]
>>> cheapest_cut([a, b])
(2, [Node(first=1, last=1, weight=1, event=-1), Node(first=4, last=4, weight=1, event=-1)])
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Node:
    """A part of the sequence in one visit, what deleting it costs, and what is deleted."""

    first: int
    last: int
    weight: int = 1
    event: int = -1


@dataclass(frozen=True)
class _Earliest:
    """The earliest node of a part that can be reached, and what it cost to have it so: deleted[...] of each part."""

    cost: int
    last: int
    deleted: tuple[tuple[int, int], ...]


def cheapest_cut(layers: Sequence[Sequence[Node]]) -> tuple[int, list[Node]]:
    """(cost, nodes to delete). Nodes of a part rise in time. Of equal cuts, the one in earlier parts. O(nodes log)"""
    states, best = [_Earliest(0, -1, ())], None
    for layer in layers:
        sums = [0, *itertools.accumulate(node.weight for node in layer)]
        begins = [node.first for node in layer]
        follows = [bisect_right(begins, state.last) for state in states]
        reached, place, low, origin = [], 0, 0, -1
        for node in range(len(layer) + 1):
            while place < len(states) and follows[place] <= node:
                cost = states[place].cost - sums[follows[place]]
                if origin < 0 or cost < low:
                    low, origin = cost, place
                place += 1
            if origin >= 0:
                deleted = (*states[origin].deleted, (follows[origin], node))
                last = layer[node].last if node < len(layer) else -1
                reached.append(_Earliest(low + sums[node], last, deleted))
        nothing = reached.pop()  # all that could be reached is gone
        if best is None or nothing.cost < best.cost:
            best = nothing
        states = reached
        if not states:
            break
    if best is None:
        raise ValueError("a sequence must have a part")
    chosen = [layer[low:high] for layer, (low, high) in zip(layers, best.deleted, strict=False)]
    return best.cost, [node for nodes in chosen for node in nodes]


def passable(layers: Sequence[Sequence[Node]]) -> bool:
    """Does a path lead through all parts?"""
    last = -1
    for layer in layers:
        node = next((node for node in layer if node.first > last), None)
        if node is None:
            return False
        last = node.last
    return True
