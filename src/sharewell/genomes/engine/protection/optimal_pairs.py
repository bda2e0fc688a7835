"""Pairs of the least cost among all pairs, without looking at all pairs: Edmonds' minimum-weight perfect matching.

Every sequence pays a share, and no two pay more together than their distance: then no pairing costs less than the sum
of shares. Trees of alternating edges grow from all sequences that are still free, all at once, and shares with them, as
far as distances allow; odd cycles become blossoms, which pay too. Where two trees meet their two roots are paired. In
the end all pairs pay just their distance, so that the sum of shares is their cost: the pairs are proven to be optimal.

A sequence knows its near partners only. When its share reaches its limit more partners are looked up: so the proof
holds for all pairs. Shares and distances are doubled, so that all are whole numbers, and those of roots are all even or
all odd.

Trees are small while there are many, and few are left when they are large: that alone would take about n log n steps.
Partners that are looked up late, for shares that have grown far, cost a number of distances that grows with n, though
with a small part of it. In the worst case the time is O(n³).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np

from sharewell.genomes.engine.iupac_lattice import Codes, Gap
from sharewell.genomes.engine.protection.bit_distances import Ints
from sharewell.genomes.engine.protection.blossoms import Blossoms, Edge
from sharewell.genomes.engine.protection.near_partners import NearPartners

_NEVER = 1 << 60
_OUTER, _INNER = 1, -1
"""Nodes at an even distance from the root of their tree, whose shares grow, and at an odd one, whose shares shrink."""
_LOOK, _GROW, _SHRINK, _LIMIT = range(4)
"""Kinds of steps, in the order in which those of one time are done."""


def optimal_pairs(codes: Codes, gap: Gap) -> tuple[Ints, int]:
    """Pairs of different sequences with the least cost, and that cost as shares prove it.

    Of an odd number one is left over, so that the pairs of the others cost as little as possible.
    """
    if len(codes) < 2:
        return np.zeros((0, 2), dtype=np.int64), 0
    trees = Trees(NearPartners(codes, gap))
    trees.grow_all()
    least = trees.least()
    partners = trees.nodes.partners()
    pairs = [(one, other) for one, other in enumerate(partners) if one < other]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), least


class Trees:
    """Shares and labels of nodes, and when what happens next; `now` is by how much roots' shares have grown."""

    def __init__(self, partners: NearPartners) -> None:
        count = partners.count
        self.partners = partners
        self.near: list[dict[int, int]] = [{} for _ in range(count)]
        for one, other, apart in partners.first().tolist():
            self.near[one][other] = self.near[other][one] = apart
        self.limit: list[int] = partners.limit.tolist()
        self.sure = self.limit.copy()
        """Limits that hold for all others; what was looked up for a vertex of a blossom was not looked up inside it."""
        self.nodes = Blossoms(count)
        self.share = self._first_shares()
        self.label, self.since = [0] * count, [0] * count
        self.tree = [-1] * count
        self.parent: list[Edge] = [(-1, -1)] * count
        """Of an inner node, the edge from its parent, which ends in it."""
        self.members: dict[int, list[int]] = {}
        """By root, the nodes that joined its tree."""
        self.now = 0
        self.next_look = [_NEVER] * count
        self.due: dict[int, deque[Edge]] = {}
        """What is to be done: by four times the time, and the kind of step. The end of a look and of a limit is -1."""
        self.ceiling: int | None = None
        """Once one root alone is free: the share of whoever is to be left over."""

    def _first_shares(self) -> list[int]:
        """Half of the nearest distance, then as much as the others leave; who can pay a distance is paired at once."""
        share = [min(min(near.values()) // 2, limit) for near, limit in zip(self.near, self.limit, strict=True)]
        match = self.nodes.match
        for one, near in enumerate(self.near):
            if match[one] is None:
                most = share[one] = min(self.limit[one], min(apart - share[other] for other, apart in near.items()))
                for other, apart in near.items():
                    if match[other] is None and apart == most + share[other]:
                        match[one], match[other] = (one, other), (other, one)
                        break
        return [one - one % 2 if edge is None else one for one, edge in zip(share, match, strict=True)]

    def least(self) -> int:
        """No pairing of all, or of all but one, costs less."""
        return -(-(self.nodes.paid(self.share) - (self.ceiling or 0)) // 2)

    def grow_all(self) -> None:
        """Until all are paired, or all but one."""
        roots = [vertex for vertex, edge in enumerate(self.nodes.match) if edge is None]
        for root in roots:
            self.members[root] = []
            self._join(root, _OUTER, root)
        self._last_root()
        steps = (self._look_or_use_up, self._grow, self._shrink, self._reach_limit)
        while self.members:
            time = min(self.due)
            self.now, kind = divmod(time, 4)
            step, todo, sooner = steps[kind], self.due[time], range(time - kind, time)
            while todo and self.members:
                step(*todo.popleft())
                if any(other in self.due for other in sooner):
                    break
            else:
                del self.due[time]

    def _plan(self, time: int, kind: int, edge: Edge) -> None:
        """Looks come first, for roots that meet need no larger trees; then growth, blossoms, and limits last."""
        due = self.due.get(4 * time + kind)
        if due is None:
            self.due[4 * time + kind] = deque([edge])
        else:
            due.append(edge)

    def _plan_look(self, vertex: int, time: int) -> None:
        self.next_look[vertex] = time
        self._plan(time, _LOOK, (vertex, -1))

    def _look_or_use_up(self, node: int, _: int) -> None:
        if node >= self.nodes.vertices:
            self._use_up(node)
        elif self.next_look[node] == self.now:
            self.next_look[node] = _NEVER
            self._look(node)

    def _reach_limit(self, vertex: int, _: int) -> None:
        """Look up more partners for a share that can grow no further without."""
        node = self.nodes.outermost[vertex]
        share = self.share[vertex] + self.now - self.since[node]
        if self.label[node] != _OUTER or share < self.limit[vertex]:
            return
        mine = self.near[vertex]
        others, apart = self.partners.further(vertex, mine, self.nodes.outermost_of)
        for other, far in zip(others, apart, strict=True):
            mine[other] = self.near[other][vertex] = far
        self.limit[vertex] = int(self.partners.limit[vertex])
        if node == vertex:
            self.sure[vertex] = self.limit[vertex]
        if others and self.next_look[vertex] > self.now:
            self._plan_look(vertex, self.now)
        self._plan(self.now + self.limit[vertex] - share, _LIMIT, (vertex, -1))

    def _look(self, vertex: int) -> None:
        """Do what can be done with the edges of a vertex that is outer, and plan the next look."""
        label, since, share, outermost = self.label, self.since, self.share, self.nodes.outermost
        now, node = self.now, outermost[vertex]
        if label[node] != _OUTER:
            return
        mine, soon = share[vertex] + now - since[node], _NEVER
        if self.ceiling is not None:
            if mine == self.ceiling:
                self._augment((vertex, -1))
                self._release([self.tree[node]])
                return
            soon = now + self.ceiling - mine
        for other, apart in self.near[vertex].items():
            there = outermost[other]
            if not label[there]:
                time = now + apart - mine - share[other]
                if time == now:
                    self._plan(now, _GROW, (vertex, other))
                    continue
            elif label[there] == _OUTER and there != node:
                time = now + (apart - mine - share[other] - now + since[there]) // 2
                if time == now:
                    if self.tree[there] != self.tree[node]:
                        self._augment((vertex, other))
                        self._augment((other, vertex))
                        self._release([self.tree[node], self.tree[there]])
                        return
                    self._plan(now, _SHRINK, (vertex, other))
                    continue
            else:
                continue
            if time < soon:
                soon = time
        if soon < self.next_look[vertex]:
            self._plan_look(vertex, soon)

    def _join(self, node: int, label: int, tree: int) -> None:
        """A node without a label becomes part of a tree."""
        self.label[node], self.since[node], self.tree[node] = label, self.now, tree
        self.members[tree].append(node)
        if label == _OUTER:
            self._attend(node)
        elif node >= self.nodes.vertices:
            self._plan(self.now + self.nodes.price[node], _LOOK, (node, -1))

    def _attend(self, node: int) -> None:
        """The vertices of a node that has become outer are to be looked at."""
        for vertex in self.nodes.inside[node]:
            self._plan_look(vertex, self.now)
            self._plan(self.now + max(0, self.limit[vertex] - self.share[vertex]), _LIMIT, (vertex, -1))

    def _paid(self, one: int, other: int) -> bool:
        """Do the shares of two vertices add up to their distance?"""
        total = 0
        for vertex in (one, other):
            node = self.nodes.outermost[vertex]
            total += self.share[vertex] + self.label[node] * (self.now - self.since[node])
        return total == self.near[one][other]

    def _grow(self, one: int, other: int) -> None:
        """The node at the end of an edge joins the tree, and so does the one that it is matched to."""
        here, node = self.nodes.outermost[one], self.nodes.outermost[other]
        if self.label[here] != _OUTER or self.label[node] or not self._paid(one, other):
            return
        tree = self.tree[here]
        self.parent[node] = one, other
        self._join(node, _INNER, tree)
        self._join(self.nodes.outermost[self._matched(node)[1]], _OUTER, tree)

    def _matched(self, node: int) -> Edge:
        edge = self.nodes.match[node]
        assert edge is not None
        return edge

    def _settle(self, node: int) -> None:
        """Write down what a node's shares have become."""
        moved = self.now - self.since[node] if self.label[node] == _OUTER else self.since[node] - self.now
        if moved:
            for vertex in self.nodes.inside[node]:
                self.share[vertex] += moved
            self.nodes.price[node] += moved  # of a vertex alone it means nothing
        self.since[node] = self.now

    def _augment(self, edge: Edge) -> None:
        """From an outer node to its root, matched edges become others and others matched."""
        match, outermost = self.nodes.match, self.nodes.outermost
        while True:
            node = outermost[edge[0]]
            before, match[node] = match[node], edge
            if before is None:
                return
            inner = outermost[before[1]]
            parent, child = self.parent[inner]
            match[inner] = (child, parent)
            edge = (parent, child)

    def _release(self, trees: Iterable[int]) -> None:
        """All nodes of trees whose roots are paired lose their labels."""
        released = []
        for tree in trees:
            for node in self.members.pop(tree):
                if self.label[node] and self.nodes.is_outermost(node):
                    self._settle(node)
                    self.label[node] = 0
                    released.append(node)
        for node in released:
            self._be_seen(node)
        self._last_root()

    def _be_seen(self, node: int) -> None:
        """Outer vertices plan to look at a node that has lost its label."""
        label, since, share, outermost = self.label, self.since, self.share, self.nodes.outermost
        for vertex in self.nodes.inside[node]:
            for other, apart in self.near[vertex].items():
                there = outermost[other]
                if label[there] == _OUTER:
                    time = apart - share[vertex] - share[other] + since[there]
                    if time < self.next_look[other]:
                        self._plan_look(other, time)

    def _last_root(self) -> None:
        """If one root alone is free, whoever reaches the highest share of all is left over in its place.

        It is as if there were one sequence more, at no distance from any, that pays the negative of that share.
        """
        if len(self.members) != 1 or self.ceiling is not None:
            return
        [nodes] = self.members.values()
        nodes = [node for node in nodes if self.label[node] and self.nodes.is_outermost(node)]
        for node in nodes:
            self._settle(node)
            if self.label[node] == _OUTER:
                self._attend(node)
        self.ceiling = max(self.share)

    def _shrink(self, one: int, other: int) -> None:
        """Two outer nodes of one tree and their paths to where these meet become a blossom."""
        ends = [self.nodes.outermost[one], self.nodes.outermost[other]]
        if ends[0] == ends[1] or any(self.label[end] != _OUTER for end in ends):
            return
        if self.tree[ends[0]] != self.tree[ends[1]] or not self._paid(one, other):
            return
        ways = self._ways(ends)
        links = [self._edge_to(node) for node in ways[0][-2::-1]]
        links += [(one, other), *[self._edge_to(node)[::-1] for node in ways[1][:-1]]]
        cycle = ways[0][::-1] + ways[1][:-1]
        tree = self.tree[cycle[0]]
        were_inner = [node for node in cycle if self.label[node] == _INNER]
        for node in cycle:
            self._settle(node)
        blossom = self.nodes.add(cycle, links)
        self.label.append(_OUTER)
        self.since.append(self.now)
        self.tree.append(tree)
        self.parent.append((-1, -1))
        self.members[tree].append(blossom)
        for node in were_inner:
            self._attend(node)

    def _ways(self, ends: list[int]) -> list[list[int]]:
        """From two outer nodes of a tree up to the first node that is on both ways, in step: no further than needed."""
        ways, place = [[end] for end in ends], [{end: 0} for end in ends]
        while True:
            for i in (0, 1):
                edge = self.nodes.match[ways[i][-1]]
                if edge is None:
                    continue
                inner = self.nodes.outermost[edge[1]]
                outer = self.nodes.outermost[self.parent[inner][0]]
                ways[i] += [inner, outer]
                place[i][outer] = len(ways[i]) - 1
                if outer in place[1 - i]:
                    ways[1 - i] = ways[1 - i][: place[1 - i][outer] + 1]
                    return ways

    def _edge_to(self, node: int) -> Edge:
        """The edge of the tree that ends in a node."""
        return self.parent[node] if self.label[node] == _INNER else self._matched(node)[::-1]

    def _use_up(self, blossom: int) -> None:
        """Open an inner blossom that has nothing left to pay."""
        if self.label[blossom] != _INNER or not self.nodes.is_outermost(blossom):
            return
        if self.nodes.price[blossom] != self.now - self.since[blossom]:
            return
        self._settle(blossom)
        tree, entry = self.tree[blossom], self.parent[blossom]
        for vertex in self.nodes.inside[blossom]:
            self.limit[vertex] = max(self.sure[vertex], self.share[vertex])
            self.partners.limit[vertex] = self.limit[vertex]
        cycle, links, last = self.nodes.open(blossom)
        for node in cycle:
            self.label[node] = 0
        self.label[blossom] = 0
        place = cycle.index(self.nodes.outermost[entry[1]])
        step = 1 if (last - place) % len(cycle) % 2 == 0 else -1
        outer = []
        while True:
            self.parent[cycle[place]] = entry
            self._join(cycle[place], _INNER, tree)
            if place == last:
                break
            middle = (place + step) % len(cycle)
            outer.append(cycle[middle])
            place = (middle + step) % len(cycle)
            entry = links[middle] if step == 1 else links[place][::-1]
        for node in outer:
            self._join(node, _OUTER, tree)
        for node in cycle:
            if not self.label[node]:
                self._be_seen(node)
