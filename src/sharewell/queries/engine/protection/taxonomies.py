"""Taxonomies of public values, and cuts through them that become finer by private choices.

A list of values has a root, groups where the policy gives some, and the values. A range has intervals, each of which is
split in two at one of the public edges of bins.

>>> tree = taxonomy("ward", Values(("a", "b", "c")), {"surgical": ["a", "b"]})
>>> [(node.label, node.places) for node in tree.children]
[('surgical', (0, 1)), ('c', (2,)), ('other', (3,))]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import PolicyError
from sharewell.plain_data import Json
from sharewell.queries.data import Domain, Range, Values

Ints = NDArray[np.int64]
ROOT = "*"
UNIT = 2**20
"""Information gain is counted in this many parts of a bit: scores are whole numbers."""


@dataclass(frozen=True)
class Node:
    """Values that are published under one label."""

    label: str
    places: tuple[int, ...]
    """Of its values, among the labels of the column."""
    children: tuple[Node, ...] = ()


def taxonomy(column: str, domain: Domain, groups: Mapping[str, Json] | None = None) -> Node:
    """The tree over the values of a column; that of a range grows by `split`."""
    everything = tuple(range(len(domain.labels)))
    if isinstance(domain, Range):
        if groups:
            raise PolicyError(f"groups of {column} — it has a range, and is split at its bins — leave the groups out")
        return Node(ROOT, everything)
    named = _groups(column, domain, groups or {})
    inside = [place for node in named for place in node.places]
    labels = [*_names(named), *domain.labels, ROOT]
    if len(set(inside)) < len(inside):
        raise PolicyError(f"groups of {column} — a value is in two groups — list each value once")
    if len(set(labels)) < len(labels):
        raise PolicyError(f"groups of {column} — a group is named as another or as a value — name it differently")
    alone = tuple(Node(domain.labels[place], (place,)) for place in everything if place not in set(inside))
    return Node(ROOT, everything, (*named, *alone))


def split(node: Node, domain: Domain, at: int) -> tuple[Node, Node]:
    """An interval as two: its first `at` bins, and the others."""
    return _interval(node.places[:at], domain), _interval(node.places[at:], domain)


def _interval(places: tuple[int, ...], domain: Domain) -> Node:
    low, high = domain.labels[places[0]].partition(", ")[0], domain.labels[places[-1]].partition(", ")[2]
    return Node(f"{low}, {high}", places)


def _groups(column: str, domain: Values, groups: Mapping[str, Json]) -> tuple[Node, ...]:
    results = []
    for name, inner in groups.items():
        if isinstance(inner, Mapping):
            children = _groups(column, domain, inner)
        elif isinstance(inner, Sequence) and not isinstance(inner, str):
            if unknown := sum(value not in domain.labels for value in inner):
                raise PolicyError(f"groups of {column} — {unknown} value(s) are none of its public ones — correct them")
            children = tuple(Node(value, (domain.labels.index(value),)) for value in inner)
        else:
            raise PolicyError(f"groups of {column} — a group is a list of values, or a mapping of groups")
        if not children:
            raise PolicyError(f"groups of {column} — a group is empty — leave it out")
        results.append(Node(str(name), tuple(place for child in children for place in child.places), children))
    return tuple(results)


def _names(nodes: Sequence[Node]) -> list[str]:
    return [name for node in nodes if node.children for name in (node.label, *_names(node.children))]


def information_gain(parts: Sequence[Ints]) -> int:
    """Bits that knowing the part tells about the class, in units, between 0 and `most_gain`.

    >>> information_gain([np.array([4, 0]), np.array([0, 4])]) / UNIT
    1.0
    """
    together = np.sum(parts, axis=0)
    rows = int(together.sum())
    if not rows:
        return 0
    gain = _entropy(together) - sum(int(part.sum()) / rows * _entropy(part) for part in parts)
    return min(max(round(gain * UNIT), 0), most_gain(len(together)))


def most_gain(classes: int) -> int:
    """No table's gain is larger, so that no two tables are farther apart."""
    return math.ceil(math.log2(classes) * UNIT)


def majority(parts: Sequence[Ints]) -> int:
    """Rows of the most frequent class of each part: one more row adds 1 or nothing."""
    return sum(int(part.max()) for part in parts)


def _entropy(counts: Ints) -> float:
    shares = counts[counts > 0] / max(int(counts.sum()), 1)
    return float(-(shares * np.log2(shares)).sum())


@dataclass(frozen=True)
class Candidate:
    """A node of the cut that could be replaced by its children."""

    column: str
    node: Node
    children: tuple[Node, ...]


@dataclass
class Cuts:
    """One cut through the taxonomy of every column, refined one node at a time.

    `counts` has the rows of every value by class; `score` values a refinement. `choose_split` and `choose_candidate`
    get scores and give a position, by a private choice.
    """

    domains: Mapping[str, Domain]
    counts: Mapping[str, Ints]
    score: Callable[[Sequence[Ints]], int]
    choose_split: Callable[[Sequence[int]], int]
    choose_candidate: Callable[[Sequence[int]], int]
    nodes: dict[str, list[Node]] = field(default_factory=dict)
    candidates: list[Candidate] = field(default_factory=list)

    def plant(self, roots: Mapping[str, Node]) -> None:
        for column, root in roots.items():
            self.nodes[column] = [root]
            self._offer(column, root)

    @property
    def cells(self) -> int:
        return math.prod(len(nodes) for nodes in self.nodes.values())

    def refine(self, most_cells: int) -> bool:
        """Replace one node by its children. False: no candidate is left that keeps the number of cells."""
        fitting = [one for one in self.candidates if self._cells_after(one) <= most_cells]
        if not fitting:
            return False
        scores = [self.score([self._of(one.column, child) for child in one.children]) for one in fitting]
        picked = fitting[self.choose_candidate(scores)]
        self.candidates.remove(picked)
        nodes = self.nodes[picked.column]
        place = nodes.index(picked.node)
        nodes[place : place + 1] = picked.children
        for child in picked.children:
            self._offer(picked.column, child)
        return True

    def _offer(self, column: str, node: Node) -> None:
        domain = self.domains[column]
        if isinstance(domain, Range) and len(node.places) > 1:
            ways = [split(node, domain, at) for at in range(1, len(node.places))]
            scores = [self.score([self._of(column, half) for half in way]) for way in ways]
            self.candidates.append(Candidate(column, node, ways[self.choose_split(scores)]))
        elif node.children:
            self.candidates.append(Candidate(column, node, node.children))

    def _of(self, column: str, node: Node) -> Ints:
        result: Ints = self.counts[column][list(node.places)].sum(axis=0)
        return result

    def _cells_after(self, one: Candidate) -> int:
        own = len(self.nodes[one.column])
        return self.cells // own * (own - 1 + len(one.children))
