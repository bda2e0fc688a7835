"""A tree from a table: one row per leaf, from the leaf to the root, as ARX and its users write them.

>>> tree = Tree([["flu", "lung", "*"], ["ulcer", "gut", "*"], ["cough", "lung", "*"]])
>>> tree.chain("cough")
('cough', 'lung', '*')
>>> tree.compile(["ulcer", "cough", "flu"]).values
('flu', 'cough', 'ulcer')

Rows may have different lengths, the root may be missing (or be written `*****`), a table of leaves alone is a flat
tree, and identical rows count once. Order: depth first, siblings as they first appear in the table.

*One label, one node.* A label that repeats in a row (`Other, Other, *`) is one node. A label that stands for different
things in two columns (numbered groups over numbered values) is told apart by its column: `2 (level 1)`. Whatever is
still ambiguous is refused, with line numbers and without the labels, since leaves may be patient values.

Source: the layout is the one of ARX's hierarchy files (one row per value, `;`, no header).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise
from pathlib import Path
from typing import NoReturn

from sharewell.errors import DataError
from sharewell.hierarchy.chains import ROOT, Chain, OnGap, all_chains, distinct
from sharewell.hierarchy.levels import ChainHierarchy, Levels, compile_chains
from sharewell.io.delimited import read_text_rows
from sharewell.io.plain_files import sha256

_LINES_SHOWN = 10
Row = tuple[int, Chain]
"""A line number and the labels on it."""


@dataclass(frozen=True, eq=False)
class Tree(ChainHierarchy):
    """A hierarchy that lists its leaves. `on_gap` says what happens to values it does not list."""

    rows: Sequence[Sequence[str]] = field(repr=False)
    on_gap: OnGap = "refuse"
    name: str = "tree"
    sha256: str = field(default="", repr=False)
    """The hash of the file it was read from, if it was."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._built  # noqa: B018 - a broken table is refused here, not at first use

    @classmethod
    def from_csv(cls, path: Path | str, on_gap: OnGap = "refuse", separator: str | None = None) -> Tree:
        """Read a hierarchy file: any of the separators `;` `,` tab `|`, no header."""
        path = Path(path)
        return cls(read_text_rows(path, separator), on_gap, path.name, sha256(path))

    @property
    def leaves(self) -> tuple[str, ...]:
        """Every listed value in leaf order."""
        return self._built.leaves

    def summary(self) -> dict[str, int]:
        """What the table holds, in counts."""
        built = self._built
        lengths = [len(built.chains[leaf]) for leaf in built.leaves]
        return {
            "leaves": len(lengths),
            "levels above them": max(lengths) - 1,
            "rows that repeat an earlier one": built.duplicates,
            "rows without a root": built.rootless,
            "leaves with a shorter chain": len(lengths) - lengths.count(max(lengths)),
            "labels told apart by their column": built.renamed,
        }

    def path(self, text: str) -> Chain | None:
        return self._built.chains.get(text)

    def compile(self, values: Sequence[str]) -> Levels:
        rank, last = self._built.rank, len(self._built.rank)
        ordered = sorted(distinct(values), key=lambda value: rank.get(value.strip(), last))
        chains, missing = all_chains(self.name, self.path, ordered, self.on_gap)
        return compile_chains(ordered, chains, lambda label: self._built.counts.get(label, 0), len(missing))

    @cached_property
    def _built(self) -> _Built:
        return _build(self.rows, self.name)


@dataclass(frozen=True)
class _Built:
    chains: dict[str, Chain]
    """Of every label, leaf or not."""
    leaves: tuple[str, ...]
    rank: dict[str, int]
    counts: dict[str, int]
    duplicates: int
    rootless: int
    renamed: int


def _build(table: Sequence[Sequence[str]], name: str) -> _Built:
    rows, rootless = _clean(table, name)
    if not rows:
        raise DataError(f"{name} — holds no leaf — {len(table)} rows — give one row per leaf, from leaf to root")
    renamed: set[str] = set()
    while ambiguous := _ambiguous(rows):
        apart, names = _told_apart(rows, ambiguous)
        if not names:
            _refuse(name, rows, ambiguous)
        rows, renamed = apart, renamed | names
    unique = list(dict.fromkeys(row for _, row in rows))
    if not _aligned(unique):
        unique = list(dict.fromkeys(tuple(label for label, _ in groupby(row)) for row in unique))
    chains: dict[str, Chain] = {}
    for row in unique:
        for i, label in enumerate(row):
            if i and label == row[i - 1]:
                continue
            if label in chains:  # and so is everything above it
                break
            chains[label] = row[i:]
    first = {label: i for i, label in enumerate(chains)}
    leaves = tuple(sorted({row[0] for row in unique}, key=lambda leaf: [first[label] for label in chains[leaf][::-1]]))
    counts = Counter(label for leaf in leaves for label in dict.fromkeys(chains[leaf]))
    rank = {leaf: i for i, leaf in enumerate(leaves)}
    for leaf in leaves:  # an inner node that occurs as a value goes before the first of its leaves
        for label in chains[leaf]:
            rank.setdefault(label, rank[leaf])
    return _Built(chains, leaves, rank, counts, len(rows) - len({row for _, row in rows}), rootless, len(renamed))


def _clean(table: Sequence[Sequence[str]], name: str) -> tuple[list[Row], int]:
    """Rows without blanks, each ending in one root; and how many came without a root."""
    rows: list[Row] = []
    rootless, broken = 0, []
    for line, cells in enumerate(table, start=1):
        labels = [text for cell in cells if (text := cell.strip())]
        count = len(labels)
        while labels and not labels[-1].strip("*"):  # a cell of stars alone is the root
            labels.pop()
        if any(label[0] == "*" and not label.strip("*") for label in labels):
            broken.append(line)
        elif labels:
            rootless += count == len(labels)
            rows.append((line, (*labels, *[ROOT] * max(1, count - len(labels)))))
    if broken:
        raise DataError(f"{name} — a label follows the root — {_lines(broken)} — write rows from leaf to root")
    return rows, rootless


def _ambiguous(rows: Sequence[Row]) -> set[str]:
    """Labels with more than one parent, a label that repeats on the spot taken as one."""
    parent: dict[str, str] = {}
    return {
        label
        for _, row in rows
        for label, above in pairwise(row)
        if label != above and parent.setdefault(label, above) != above
    }


def _told_apart(rows: Sequence[Row], ambiguous: set[str]) -> tuple[list[Row], set[str]]:
    """Labels that mean different things in different columns, named by their column (all of such a column alike)."""
    lowest: dict[str, int] = {}
    columns: dict[str, set[int]] = {}
    for _, row in rows:
        for column, label in enumerate(row):
            lowest[label] = min(column, lowest.get(label, column))
            columns.setdefault(label, set()).add(column)
    mixed = {column for label in ambiguous for column in columns[label] if column > lowest[label]}
    taken: set[str] = set()

    def name(label: str, column: int) -> str:
        if label == ROOT or column not in mixed or column == lowest[label]:
            return label
        taken.add(f"{label} (level {column})")
        return f"{label} (level {column})"

    apart = [(line, tuple(name(label, column) for column, label in enumerate(row))) for line, row in rows]
    return (apart, taken) if not taken & lowest.keys() else ([], set())


def _aligned(rows: Sequence[Chain]) -> bool:
    """Whether columns can serve as levels as they stand: even rows, and each label decides the one to its right."""
    if len({len(row) for row in rows}) > 1:
        return False
    right: dict[tuple[int, str], str] = {}
    return all(
        right.setdefault((column, label), above) == above
        for row in rows
        for column, (label, above) in enumerate(pairwise(row))
    )


def _refuse(name: str, rows: Sequence[Row], ambiguous: set[str]) -> NoReturn:
    leaves = {row[0] for _, row in rows} & ambiguous
    if leaves:
        lines = [line for line, row in rows if row[0] in leaves]
        problem = f"the same leaf under different parents — {len(leaves)} leaves"
    else:
        lines = [line for line, row in rows if ambiguous & set(row)]
        problem = f"the same label for different sets of leaves — {len(ambiguous)} labels"
    raise DataError(f"{name} — {problem}, {_lines(lines)} — give every node one parent and a label of its own")


def _lines(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:_LINES_SHOWN]))
    more = " …" if len(numbers) > _LINES_SHOWN else ""
    return f"line {shown}" if len(numbers) == 1 else f"{len(numbers)} lines: {shown}{more}"
