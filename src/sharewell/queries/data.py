"""Confidential tables that answer questions, and the noisy tables that are published of them.

A confidential table knows what is public about it before anybody looks at a row: which columns may be asked about,
which values each can have, and how many rows one person may contribute. The policy states all of it; the data never
does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.row_digest import content_of
from sharewell.spelling import fold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sharewell.plain_data import JsonObject

Neighbours = Literal["add-remove", "change-one"]
"""Which two tables must look alike: one person more or less, or one person's rows replaced by another's."""
OTHER = "other"
"""The public value that stands for every cell outside a list of values, missing ones included."""


@dataclass(frozen=True)
class Values:
    """A column with a public list of values; what is not listed counts as `other`."""

    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.values or len(set(self.values)) < len(self.values) or OTHER in self.values:
            raise ValueError(f"values — give different values, none of them called {OTHER}")

    @property
    def labels(self) -> tuple[str, ...]:
        return (*self.values, OTHER)

    def codes(self, cells: pa.ChunkedArray) -> NDArray[np.int64]:
        """The position of each cell among the labels."""
        found = pc.index_in(cells.cast(pa.string()), value_set=pa.array(self.values))
        return np.asarray(pc.fill_null(found, len(self.values)).to_numpy()).astype(np.int64)


@dataclass(frozen=True)
class Range:
    """A column of numbers with public bounds, cut into bins of one width; numbers outside count as the nearest bound.

    A cell that is missing or no number counts as `low`: some public value has to stand for it.
    """

    low: float
    high: float
    bins: int = 10

    def __post_init__(self) -> None:
        if not (np.isfinite(self.low) and np.isfinite(self.high) and self.low < self.high):
            raise ValueError("low and high — must be finite numbers, low below high")
        if self.bins < 1:
            raise ValueError("bins — must be at least 1")

    @property
    def edges(self) -> tuple[float, ...]:
        return tuple(self.low + (self.high - self.low) * i / self.bins for i in range(self.bins + 1))

    @property
    def labels(self) -> tuple[str, ...]:
        """`[0, 10)`, and the last bin with its upper bound: `[90, 100]`."""
        edges = [f"{edge:g}" for edge in self.edges]
        last = self.bins - 1
        return tuple(f"[{edges[i]}, {edges[i + 1]}{']' if i == last else ')'}" for i in range(self.bins))

    def numbers(self, cells: pa.ChunkedArray) -> NDArray[np.float64]:
        """Each cell as a number within the bounds."""
        try:
            parsed = np.asarray(pc.cast(cells, pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
        except pa.ArrowInvalid:
            parsed = np.array([_number(cell) for cell in cells.to_pylist()], dtype=np.float64)
        return np.clip(np.where(np.isnan(parsed), self.low, parsed), self.low, self.high)

    def codes(self, cells: pa.ChunkedArray) -> NDArray[np.int64]:
        """The bin of each cell."""
        inner = np.array(self.edges[1:-1], dtype=np.float64)
        return np.searchsorted(inner, self.numbers(cells), side="right").astype(np.int64)


Domain = Values | Range


@dataclass(frozen=True, eq=False)
class ConfidentialTable:
    """Rows about people, and what is public about them.

    >>> rows = pa.table({"who": ["a", "a", "b"], "sex": ["F", "F", "x"], "age": [31, 32, 140]})
    >>> domains = {"sex": Values(("F", "M")), "age": Range(0, 110, bins=11)}
    >>> table = ConfidentialTable(Source.of(rows), domains, subject="who", rows_per_person=1)
    >>> table.codes.shape, table.shape, sorted(table.codes[:, 0].tolist())
    ((2, 2), (3, 11), [0, 2])
    """

    source: Source
    domains: Mapping[str, Domain]
    subject: str | None = None
    """The column that names the person of a row; None: every row is another person, and the policy says so."""
    rows_per_person: int = 1
    """Rows of one person that count; of more, the first by a hash of their content do."""
    neighbours: Neighbours = "add-remove"

    @cached_property
    def _table(self) -> pa.Table:
        wanted = [*self.domains, *([] if self.subject is None else [self.subject])]
        self.source.refuse_unknown(wanted)
        return self.source.read(wanted)

    @property
    def rows(self) -> int:
        """How many rows there are. Confidential: it is never published as it is."""
        return int(self._table.num_rows)

    @property
    def content(self) -> str:
        """A digest of the rows, whatever their order: what a release draws is tied to it."""
        return content_of({name: self._table[name] for name in self._table.column_names})

    @property
    def shape(self) -> tuple[int, ...]:
        """How many labels each column has."""
        return tuple(len(domain.labels) for domain in self.domains.values())

    @cached_property
    def kept(self) -> NDArray[np.intp]:
        """Rows that count: at most `rows_per_person` of each person, chosen by that person's own rows alone.

        Adding or removing a person therefore adds or removes at most so many of them.
        """
        if self.subject is None:
            return np.arange(self.rows, dtype=np.intp)
        names = [fold(name) if name is not None else None for name in self._table[self.subject].to_pylist()]
        if nobody := sum(name is None or name == "" for name in names):
            raise DataError(f"{self.source.label} — {nobody} row(s) name no person — fill column {self.subject}")
        rows = self._table.drop_columns([self.subject]).to_pylist()
        rank = [hashlib.blake2b(repr(sorted(row.items())).encode(), digest_size=16).digest() for row in rows]
        order = sorted(range(len(names)), key=lambda i: (str(names[i]), rank[i]))
        seen: dict[str, int] = {}
        kept = []
        for i in order:
            count = seen.get(str(names[i]), 0)
            seen[str(names[i])] = count + 1
            if count < self.rows_per_person:
                kept.append(i)
        return np.sort(np.array(kept, dtype=np.intp))

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The rows that count, as positions among the labels of each column: one row a row, one column a domain."""
        columns = [domain.codes(self._table[name])[self.kept] for name, domain in self.domains.items()]
        return np.stack(columns, axis=1) if columns else np.zeros((len(self.kept), 0), np.int64)

    @property
    def changed_rows(self) -> int:
        """By how many rows two neighbouring tables differ at most, counting a replaced row twice."""
        return self.rows_per_person * (2 if self.neighbours == "change-one" else 1)


@dataclass(frozen=True, eq=False)
class NoisyTable:
    """A published table: its cells by public labels, a noisy count for each, and what was spent on them."""

    keys: Mapping[str, Sequence[str]]
    """Column → its label in every published row."""
    counts: NDArray[np.float64] = field(repr=False)
    spent: JsonObject
    """What the dictionary says: mechanism, epsilon, delta, rho, neighbours, rows_per_person, noise, scale, …"""

    @property
    def rows(self) -> int:
        return len(self.counts)

    @property
    def arrow(self) -> pa.Table:
        return pa.table({**{name: pa.array(list(labels)) for name, labels in self.keys.items()}, "count": self.counts})


def _number(cell: object) -> float:
    try:
        return float(str(cell))
    except ValueError:
        return float("nan")
