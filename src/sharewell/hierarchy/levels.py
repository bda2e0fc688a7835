"""A hierarchy compiled for the distinct values of one column: arrays that every algorithm can use.

>>> chains = [("flu", "lung", "*"), ("ulcer", "gut", "*"), ("cough", "lung", "*")]
>>> levels = compile_chains(["flu", "ulcer", "cough"], chains)
>>> levels.values
('flu', 'cough', 'ulcer')
>>> node = levels.lowest_common(np.array([0, 0]), np.array([1, 2]))
>>> [levels.labels[n] for n in node], levels.loss(node).tolist()
(['lung', '*'], [0.5, 1.0])

Chains of uneven length are aligned at the top: the last level is the root, and below its own place a short chain
repeats its first label. A value that is itself an inner node (`E11`) keeps the leaf count of that node: the cell `E11`
leaves the same codes open whether the hospital or sharewell wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import PolicyError
from sharewell.hierarchy.chains import ROOT, Chain, OnGap, all_chains, cover, distinct


class Hierarchy(Protocol):
    """Gives every value a chain of ever more general labels, up to the root `*`."""

    @property
    def name(self) -> str: ...

    def chain(self, value: str) -> tuple[str, ...]:
        """The labels that cover a value: itself first, the root `*` last."""
        ...

    def compile(self, values: Sequence[str]) -> Levels:
        """The chains of many distinct values at once, as arrays."""
        ...


class ChainHierarchy:
    """What most kinds of hierarchies share: a rule gives the chain of one text, and everything else follows from it."""

    @property
    def name(self) -> str:
        raise NotImplementedError

    @property
    def on_gap(self) -> OnGap:
        return "root"

    @property
    def hint(self) -> str:
        """What to do about gaps."""
        return ""

    def __post_init__(self) -> None:
        if self.on_gap not in ("refuse", "root"):
            raise PolicyError("on_gap — must be `refuse` or `root`")

    def path(self, text: str) -> Chain | None:
        """The chain of a text that is neither blank nor the root; None if the hierarchy does not list it."""
        raise NotImplementedError

    def leaf_counts(self, chains: Sequence[Chain], missing: Sequence[str]) -> Callable[[str], int] | None:
        """How many leaves of the whole domain a label covers; None if the column's own values are the domain."""
        return None

    def lists(self, value: str) -> bool:
        """Whether the hierarchy has an entry for a value."""
        return cover(self.path, value) is not None

    def chain(self, value: str) -> Chain:
        return all_chains(self.name, self.path, [value], self.on_gap, self.hint)[0][0]

    def compile(self, values: Sequence[str]) -> Levels:
        ordered = distinct(values)
        chains, missing = all_chains(self.name, self.path, ordered, self.on_gap, self.hint)
        return compile_chains(ordered, chains, self.leaf_counts(chains, missing), len(missing))


@dataclass(frozen=True)
class Flat(ChainHierarchy):
    """Any value → the root. Its leaves are the column's own values in the order of their text.

    >>> Flat().chain("red")
    ('red', '*')
    """

    name: ClassVar[str] = "flat"

    def path(self, text: str) -> Chain:
        return (text, ROOT)


@dataclass(frozen=True, eq=False)
class Levels:
    """What a hierarchy says about the distinct values of one column.

    Values are numbered by *leaf position*: depth first, so that every node covers a run of positions, and the lowest
    common ancestor of a set of positions is that of its smallest and largest.
    """

    values: tuple[str, ...]
    """The column's distinct values in leaf order."""
    nodes: NDArray[np.int32]
    """nodes[level, position] is a node number; level 0 is the value itself, the last level is the root alone."""
    labels: tuple[str, ...]
    """The label of each node."""
    leaves: NDArray[np.int64]
    """How many leaves of the whole domain each node covers."""
    unknown: int = 0
    """How many values the hierarchy does not list (they hang from the nearest node it knows, or from the root)."""

    @property
    def height(self) -> int:
        return len(self.nodes) - 1

    @property
    def domain(self) -> int:
        """How many leaves the root covers."""
        return int(self.leaves[self.nodes[-1, 0]]) if len(self.values) else 0

    @cached_property
    def node_of(self) -> dict[str, int]:
        """label → node number."""
        return {label: number for number, label in enumerate(self.labels)}

    def lowest_common(self, low: NDArray[np.integer], high: NDArray[np.integer]) -> NDArray[np.int32]:
        """For runs of positions [low, high]: the lowest node that covers each."""
        lowest: NDArray[np.int32] = self.nodes[-1, low].copy()
        for level in range(self.height - 1, -1, -1):
            first, last = self.nodes[level, low], self.nodes[level, high]
            same = first == last
            lowest[same] = first[same]
        return lowest

    def loss(self, nodes: NDArray[np.integer]) -> NDArray[np.float64]:
        """The normalised certainty penalty of nodes: (leaves covered − 1) / (leaves in all − 1)."""
        return np.asarray((self.leaves[nodes] - 1) / max(1, self.domain - 1))


def compile_chains(
    values: Sequence[str], chains: Sequence[Chain], leaves: Callable[[str], int] | None = None, unknown: int = 0
) -> Levels:
    """Arrays from chains: one per value, values in the order that siblings are to keep.

    A label stands for one node, and the labels above it are the same wherever it occurs. `leaves` tells how many leaves
    of the whole domain a label covers, 0 for a label that the domain lacks; such values add a leaf to every node above
    them, so that no loss exceeds 1. Without `leaves` the column's own values are the domain.
    """
    number: dict[str, int] = {}
    nodes = _numbered(chains, number)
    root = number.setdefault(ROOT, len(number))
    labels = tuple(number)
    # Node numbers rise with first appearance, so sorting by them from the top down is a depth-first walk.
    order = np.lexsort(nodes) if len(chains) else np.empty(0, dtype=np.int64)
    nodes = np.ascontiguousarray(nodes[:, order])
    counts = np.zeros(len(labels), dtype=np.int64)
    if leaves is not None:
        counts[:] = [leaves(label) for label in labels]
    counts += _added(nodes, counts, len(labels))
    if not len(chains):
        counts[root] = max(1, counts[root])
    return Levels(tuple(values[i] for i in order), nodes, labels, counts, unknown)


def _numbered(chains: Sequence[Chain], number: dict[str, int]) -> NDArray[np.int32]:
    """Node numbers by level and chain, in order of first appearance; `number` is filled with label → node number."""
    value_nodes: list[int] = []
    tail_numbers: list[int] = []
    tails: dict[Chain, int] = {}  # many values share what lies above them: it is numbered once
    flat: list[int] = []
    for chain in chains:
        value_nodes.append(number.setdefault(chain[0], len(number)))
        tail = chain[1:]
        if tail not in tails:
            tails[tail] = len(tails)
            flat.extend([number.setdefault(label, len(number)) for label in tail])
        tail_numbers.append(tails[tail])
    lengths = np.array([len(tail) for tail in tails], dtype=np.int64)
    tail_ends = np.cumsum(lengths)
    tail_starts = tail_ends - lengths
    height = 1 + int(lengths.max(initial=0))
    lowest, above, tail_of = (np.array(ints, dtype=np.int32) for ints in (value_nodes, [*flat, 0], tail_numbers))
    nodes = np.empty((height, len(chains)), dtype=np.int32)
    for level in range(height):
        place = tail_ends - (height - level)
        nodes[level] = np.where((place >= tail_starts)[tail_of], above[place][tail_of], lowest)
    return nodes


def _added(nodes: NDArray[np.int32], counts: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """One leaf for each value outside the domain, in every node above it; once where a chain repeats a label."""
    columns = np.unique(nodes[0], return_index=True)[1]
    columns = columns[counts[nodes[0, columns]] == 0]
    outside = nodes[:, columns]
    added = np.bincount(outside[0], minlength=size)
    for below, above in pairwise(outside):
        added += np.bincount(above[above != below], minlength=size)
    return added
