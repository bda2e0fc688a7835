"""Blossoms: an odd number of nodes in a cycle that are dealt with as one node; a node is a vertex or a blossom.

Whichever node of the cycle is matched outside, the others can be matched among themselves along it. Who is matched to
whom inside is therefore left open until the blossom is opened.
"""

from __future__ import annotations

import numpy as np

Edge = tuple[int, int]
"""From a vertex to a vertex: of two nodes, the first lies in the node that is spoken of."""


class Blossoms:
    """Nodes 0 to n − 1 are the vertices; numbers of blossoms follow."""

    def __init__(self, vertices: int) -> None:
        self.vertices = vertices
        self.outermost = list(range(vertices))
        """Of each vertex, the node that lies in no other."""
        self.outermost_of = np.arange(vertices)
        """The same, for many at once."""
        self.inside: list[list[int]] = [[vertex] for vertex in range(vertices)]
        """The vertices of each node; none once a blossom has been opened."""
        self.match: list[Edge | None] = [None] * vertices
        """The matched edge of each outermost node."""
        self.price: list[int] = [0] * vertices
        """What every edge that leaves a blossom pays for that, beside what its two vertices pay."""
        self._cycle: list[list[int]] = [[] for _ in range(vertices)]
        self._links: list[list[Edge]] = [[] for _ in range(vertices)]
        """From each node of a cycle to the next."""

    def is_outermost(self, node: int) -> bool:
        inside = self.inside[node]
        return bool(inside) and self.outermost[inside[0]] == node

    def add(self, cycle: list[int], links: list[Edge]) -> int:
        """Outermost nodes become one, which is matched as the first of them."""
        number = len(self.inside)
        inside = [vertex for node in cycle for vertex in self.inside[node]]
        self.inside.append(inside)
        self.match.append(self.match[cycle[0]])
        self.price.append(0)
        self._cycle.append(cycle)
        self._links.append(links)
        outermost = self.outermost
        for vertex in inside:
            outermost[vertex] = number
        self.outermost_of[inside] = number
        return number

    def open(self, blossom: int) -> tuple[list[int], list[Edge], int]:
        """Its nodes are outermost again, and matched: the cycle, its links, and the place matched outside."""
        cycle, links, match = self._cycle[blossom], self._links[blossom], self.match
        outside = match[blossom]
        assert outside is not None
        for node in cycle:
            for vertex in self.inside[node]:
                self.outermost[vertex] = node
            self.outermost_of[self.inside[node]] = node
        self.inside[blossom] = []
        place, long = cycle.index(self.outermost[outside[0]]), len(cycle)
        match[cycle[place]] = outside
        for step in range(1, long, 2):
            here, there = (place + step) % long, (place + step + 1) % long
            one, other = links[here]
            match[cycle[here]], match[cycle[there]] = (one, other), (other, one)
        return cycle, links, place

    def paid(self, shares: list[int]) -> int:
        """The sum of prices: shares hold what vertices pay with the prices of all blossoms around them."""
        nodes, total = list(set(self.outermost)), sum(shares)
        while nodes:
            node = nodes.pop()
            total -= (len(self.inside[node]) - 1) * self.price[node]
            nodes += self._cycle[node]
        return total

    def partners(self) -> list[int]:
        """Of each vertex its partner, -1 for none: opens all blossoms."""
        nodes = sorted(set(self.outermost))
        while nodes:
            node = nodes.pop()
            if node >= self.vertices:
                nodes += self.open(node)[0]
        return [-1 if edge is None else edge[1] for edge in self.match[: self.vertices]]
