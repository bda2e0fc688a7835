"""Ladders: every column as a few levels, from the exact value up to `*`; and tables published at one level a column.

A column with a hierarchy has the hierarchy's levels, any other has two: the value, and `*`. A missing value is a value
of its own and joins the others only at the top. Each level is coarser than the one below: values that share a label at
one level share it at every higher one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.cells import Any, Cell, Exact, labelled
from sharewell.errors import DataError, PolicyError
from sharewell.tables.data import Indices, Ints, Table
from sharewell.tables.engine.columns import Column, as_shown


@dataclass(frozen=True, eq=False)
class Ladder:
    """groups[level][code] numbers the label of a value at a level; leaves[level][code] is how much that leaves open."""

    column: Column
    groups: tuple[NDArray[np.int32], ...]
    sizes: tuple[int, ...]
    """How many labels each level has among the values of the column."""
    leaves: tuple[Ints, ...]
    """How many leaves of the domain the label covers."""
    domain: int

    @classmethod
    def of(cls, column: Column) -> Ladder:
        """O(height · distinct values)."""
        if column.asked is not None and (column.levels is None or column.asked.name not in ("node", "common")):
            problem = "cannot be had where columns are published at the levels of a hierarchy"
            raise PolicyError(
                f"columns.{column.name} — style {column.asked.name} {problem} — take the style out, or use mondrian"
            )
        levels, known, missing = column.levels, column.known, int(column.has_missing)
        if levels is None:
            nodes = np.arange(known, dtype=np.int32)[None, :]
            covered, domain = np.ones((1, known), dtype=np.int64), max(1, column.size)
        else:
            nodes, domain = levels.nodes[:-1], levels.domain + missing
            covered = levels.leaves[nodes]
        groups, leaves = [], []
        for row, count in zip(nodes, covered, strict=True):
            distinct, number = np.unique(row, return_inverse=True)
            groups.append(np.append(number, [len(distinct)] * missing).astype(np.int32))
            leaves.append(np.append(count, [1] * missing))
        groups.append(np.zeros(column.size, dtype=np.int32))
        leaves.append(np.full(column.size, domain))
        sizes = tuple(int(group.max(initial=0)) + 1 for group in groups)
        return cls(column, tuple(groups), sizes, tuple(leaves), domain)

    @property
    def height(self) -> int:
        return len(self.groups) - 1

    @cached_property
    def counts(self) -> tuple[Ints, ...]:
        """Records by label, level by level."""
        by_code = np.bincount(self.column.codes, minlength=self.column.size)
        return tuple(
            np.bincount(group, weights=by_code, minlength=size).astype(np.int64)
            for group, size in zip(self.groups, self.sizes, strict=True)
        )

    def placed(self, texts: Sequence[str]) -> tuple[list[Ints], list[int]]:
        """The labels that other values get, level by level, and how many labels there are with those of the column.

        A label that no value of the column has gets a number of its own, above theirs.
        """
        chains = [self._chain(text) for text in texts]
        numbers, sizes = [], []
        for level in range(self.height):
            number = {self.column.spelt(code, level): i for i, code in enumerate(self._firsts(level))}
            labels = [chain[max(0, len(chain) - 1 - self.height + level)] for chain in chains]
            numbers.append(np.array([number.setdefault(label, len(number)) for label in labels], dtype=np.int64))
            sizes.append(max(1, len(number)))
        return [*numbers, np.zeros(len(texts), dtype=np.int64)], [*sizes, 1]

    def _chain(self, text: str) -> tuple[str, ...]:
        """A missing value, and one that the hierarchy does not list, has nothing above it but the top."""
        if text and self.column.hierarchy is not None:
            try:
                return self.column.hierarchy.chain(text)
            except DataError:
                pass
        return (*[text] * self.height, "*")

    def published(self, levels: int | NDArray[np.integer], rows: Indices) -> Column:
        """The column's cells at one level, or each row's at its own."""
        one = np.ndim(levels) == 0
        used = [int(levels)] if one else np.unique(levels).tolist()
        texts: list[str] = []
        codes = np.empty(len(rows), dtype=np.int64)
        for level in used:
            at_level = slice(None) if one else levels == level
            codes[at_level] = len(texts) + self.groups[level][self.column.codes[rows[at_level]]]
            texts += [self._cell(level, code).text for code in self._firsts(level)]
        return as_shown(self.column, texts, codes)

    def _firsts(self, level: int) -> list[int]:
        """One value of every label, in the order of the labels' numbers."""
        return [int(code) for code in np.unique(self.groups[level], return_index=True)[1]]

    def _cell(self, level: int, code: int) -> Cell:
        column = self.column
        if level == self.height:
            return Any()
        if column.levels is None or code >= column.known:
            return Exact(column.texts[code])
        node = column.levels.nodes[level, code]
        label, members = column.levels.labels[node], column.levels.nodes[level] == node
        alone = bool((column.levels.nodes[0, members] == node).all())  # a value whose chain begins higher up
        return Exact(label) if level == 0 or alone else labelled(label)


def publish_levels(
    table: Table, ladders: Sequence[Ladder], levels: Sequence[int | NDArray[np.integer]], kept: Indices
) -> Table:
    """The kept rows, in their order, with every quasi column at its level, or at those of its rows. O(columns · n)"""
    shown = zip(ladders, levels, strict=True)
    return table.released({ladder.column.name: ladder.published(level, kept) for ladder, level in shown}, kept)
