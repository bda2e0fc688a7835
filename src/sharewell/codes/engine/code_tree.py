"""The tree above the codes of the data: every code is a leaf, every other node covers two codes or more.

A node that would cover the same codes as one below it is left out, so that each label says as much as it can. A code
that is an inner node of its hierarchy (`401` beside `401.1`) is a leaf below that node, which is then called `401.-`.
A code that the hierarchy does not list hangs from its category, else from the root `*`; without a hierarchy all do.

>>> from sharewell.codes import CodeSets
>>> from sharewell.hierarchy import ICD9CM
>>> tree = CodesTree.of(CodeSets.of([["401.1", "401", "401.9"], ["250.00", "999.zz"]], hierarchy=ICD9CM()))
>>> tree.names
('*', '250.00', '401.-', '401', '401.1', '401.9', '999.zz')
>>> tree.members(2), tree.unknown
(('401', '401.1', '401.9'), 1)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.packed_sets import Ints, Sets, numbering
from sharewell.hierarchy.chains import ROOT, HierarchyGap

if TYPE_CHECKING:
    from sharewell.codes.data import CodeSets
    from sharewell.hierarchy.gaps import ListingHierarchy

Path = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CodesTree:
    """Nodes in depth-first order, siblings by text; node 0 is the root. Codes are numbered by their place as leaves."""

    names: tuple[str, ...]
    parent: Ints
    """Of each node; −1 above the root."""
    first: Ints
    last: Ints
    """Each node covers the codes at places first … last − 1."""
    codes: tuple[str, ...]
    """The code at each place."""
    place: Ints = field(repr=False)
    """Of each of the data's codes, as numbered there."""
    any_root: bool
    """Is the root `*`, which covers every code?"""
    unknown: int
    """Codes that the hierarchy does not list."""

    @classmethod
    def of(cls, data: CodeSets) -> CodesTree:
        chains, unknown = chains_of(data.names, data.hierarchy)
        paths = _paths(data.names, chains)
        order = sorted(range(len(paths)), key=lambda i: (*paths[i], data.names[i]))
        codes = tuple(data.names[i] for i in order)
        spans = _spans([paths[i] for i in order])
        nodes = sorted([*spans, *((i, i + 1) for i in range(len(codes)))], key=lambda span: (span[0], -span[1]))
        top = spans.get((0, len(codes)), "")
        first, last = (np.array([span[end] for span in nodes], dtype=np.int64) for end in (0, 1))
        names = _named(nodes, spans, codes)
        return cls(names, _parents(first, last), first, last, codes, numbering(order, len(codes)), top == ROOT, unknown)

    @property
    def sizes(self) -> Ints:
        """How many codes each node covers."""
        return self.last - self.first

    @cached_property
    def weights(self) -> Ints:
        """What a code loses when it is shown as the node: the codes it covers, none for the code itself."""
        return np.where(self.sizes == 1, 0, self.sizes)

    @cached_property
    def leaf(self) -> Ints:
        """The node of each code, by place."""
        return np.flatnonzero(self.sizes == 1)

    @cached_property
    def _children(self) -> Sets:
        starts = np.searchsorted(np.sort(self.parent), np.arange(len(self.names) + 1))
        return Sets(starts, np.argsort(self.parent, kind="stable").astype(np.int32))

    def children(self, node: int) -> NDArray[np.int32]:
        return self._children.row(node)

    @cached_property
    def depth(self) -> Ints:
        depth = np.zeros(len(self.names), dtype=np.int64)
        for node in range(1, len(self.names)):
            depth[node] = depth[self.parent[node]] + 1
        return depth

    @cached_property
    def down(self) -> Ints:
        """down[d, place] is the node at depth d above a code; below the code's own depth, the code."""
        nodes = np.tile(self.leaf, (int(self.depth.max(initial=0)) + 2, 1))
        for node in range(len(self.names)):
            nodes[self.depth[node], self.first[node] : self.last[node]] = node
        return nodes

    @cached_property
    def _leaf_of(self) -> dict[str, int]:
        return dict(zip(self.codes, self.leaf.tolist(), strict=True))

    def lists(self, code: str) -> bool:
        return code in self._leaf_of

    def chain(self, code: str) -> Path:
        """The code and the names above it: for data with some of its codes, a tree is a hierarchy too."""
        node, names = self._leaf_of[code], []
        while node >= 0:
            names.append(self.names[node])
            node = int(self.parent[node])
        return tuple(names)

    def members(self, node: int) -> tuple[str, ...]:
        """The codes of the data that a node covers."""
        return self.codes[self.first[node] : self.last[node]]

    def placed(self, data: CodeSets) -> Sets:
        """The records by places instead of the data's own numbers."""
        return data.sets.renumbered(self.place)

    def recoded(self, data: CodeSets, nodes: Ints) -> CodeSets:
        """The release in which the code at each place is shown as a node, or (−1) withheld."""
        labels = {code: self.names[node] if node >= 0 else None for code, node in zip(self.codes, nodes, strict=True)}
        members = {self.names[node]: self.members(node) for node in np.unique(nodes[nodes >= 0])}
        return data.recoded(labels, members)

    def shown(self, data: CodeSets, nodes: Sets, rows: NDArray[np.intp]) -> CodeSets:
        """The release in which the record of each row shows these nodes: any nodes, in any record."""
        sets, order = nodes.by_support(self.names)
        names = tuple(self.names[node] for node in order)
        members = tuple(tuple(sorted(self.members(node))) for node in order)
        persons = None if data.persons is None else tuple(data.persons[row] for row in rows)
        return type(data)(sets, names, members, persons=persons, hierarchy=data.hierarchy, published=True)


CodeHierarchy: TypeAlias = "ListingHierarchy | CodesTree"
"""What codes are generalised by: a classification, or the tree that was made of it for some data."""


def chains_of(codes: Sequence[str], hierarchy: CodeHierarchy | None) -> tuple[list[Path], int]:
    """The labels above each code, the code's own first, each once; and how many codes the hierarchy does not list."""
    if hierarchy is None:
        return [(code, ROOT) for code in codes], 0
    known = _known_chains(hierarchy)
    for code in codes:
        if code not in known:
            listed = hierarchy.lists(code)
            chain = hierarchy.chain(code) if listed else _nearest(code, hierarchy)
            known[code] = tuple(dict.fromkeys(chain)), listed
    chains = [known[code] for code in codes]
    return [chain for chain, _ in chains], sum(not listed for _, listed in chains)


_Known = dict[str, tuple[Path, bool]]


def _known_chains(hierarchy: CodeHierarchy) -> _Known:
    """Chains that were asked for before, and whether the code is listed: protection makes many trees of the same codes.

    Of a hierarchy that has no hash, such as one of several systems, nothing is remembered.
    """
    try:
        return _remembered(cast(Hashable, hierarchy))
    except TypeError:
        return {}


@lru_cache(maxsize=4)
def _remembered(hierarchy: Hashable) -> _Known:
    return {}


def _nearest(code: str, hierarchy: CodeHierarchy) -> Path:
    """Where the hierarchy itself hangs an unlisted code, else below the category that the code names before its dot."""
    category = code.partition(".")[0]
    try:
        chain: Path = hierarchy.chain(code)
    except HierarchyGap:
        chain = (code, ROOT)
    if len(chain) == 2 and category != code and hierarchy.lists(category):
        return (code, *hierarchy.chain(category))
    return chain


def _paths(codes: Sequence[str], chains: Sequence[Path]) -> list[Path]:
    """From the root down to above the code. The code's own label is on the way if others share it."""
    inner = {label for chain in chains for label in chain[1:]}
    met: set[str] = set()
    inner |= {chain[0] for chain in chains if chain[0] in met or met.add(chain[0])}  # type: ignore[func-returns-value]
    return [chain[::-1] if chain[0] in inner else chain[:0:-1] for chain in chains]


def _spans(paths: Sequence[Path]) -> dict[tuple[int, int], str]:
    """The lowest label above each run of two codes or more; paths are in order, so that a label covers a run."""
    runs: dict[Path, list[int]] = {}
    for place, path in enumerate(paths):
        for end in range(1, len(path) + 1):
            runs.setdefault(path[:end], [place, place])[1] = place + 1
    labels: dict[tuple[int, int], str] = {}
    for path, (first, last) in sorted(runs.items(), key=lambda run: len(run[0])):
        if last - first > 1:
            labels[first, last] = path[-1]
    return labels


def _named(
    nodes: Sequence[tuple[int, int]], spans: dict[tuple[int, int], str], codes: Sequence[str]
) -> tuple[str, ...]:
    """A node that is called like a code of the data gets another name: `401.-`, as the classification writes it."""
    taken, names = set(codes), []
    for span in nodes:
        name = spans.get(span)
        if name is None:
            names.append(codes[span[0]])
            continue
        if name.startswith("("):  # so are groups of codes written, which say their own members
            name = f"[{name.strip('()')}]"
        while name in taken:
            name += ".-"
        taken.add(name)
        names.append(name)
    return tuple(names)


def _parents(first: Ints, last: Ints) -> Ints:
    parent = np.full(len(first), -1, dtype=np.int64)
    above: list[int] = []
    for node in range(len(first)):
        while above and last[above[-1]] <= first[node]:
            above.pop()
        parent[node] = above[-1] if above else -1
        above.append(node)
    return parent
