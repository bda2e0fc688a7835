"""Confidential tables that answer questions, and the noisy tables that are published of them.

A confidential table knows what is public about it before anybody looks at a row: which columns may be asked about,
which values each can have, and how many rows one person may contribute. The policy states all of it; the data never
does.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.queries.loss import Loss
from sharewell.roles import Role
from sharewell.row_digest import content_of
from sharewell.spelling import as_one

if TYPE_CHECKING:
    from sharewell.plain_data import JsonObject

Neighbours = Literal["add-remove", "change-one"]
"""Which two tables must look alike: one person more or less, or one person's rows replaced by another's."""
OTHER = "other"
"""The public value that stands for every cell outside a list of values, missing ones included."""
EVERY = "*"
"""Stands in a published row for all labels of a column together."""
MOST_ROWS = 2**31
"""More rows than this are refused: sums of this many numbers stay within 64 bits."""
_LARGEST_UNIT = 2**31
_MOST_DECIMALS = 12


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
        result = pc.index_in(_texts(cells), value_set=pa.array(self.values))
        return np.asarray(pc.fill_null(result, len(self.values)).to_numpy()).astype(np.int64)


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
        if self.unit_bounds[0] == self.unit_bounds[1] or len(set(self.labels)) < self.bins:
            raise ValueError("low and high — lie too close together for their size and the bins between them")

    @property
    def decimals(self) -> int:
        """How many decimals of a number are added up: as many as sums of two thousand million rows leave room for."""
        largest = max(abs(self.low), abs(self.high))
        return min(_MOST_DECIMALS, math.floor(math.log10(_LARGEST_UNIT) - math.log10(largest)))

    @property
    def unit_bounds(self) -> tuple[int, int]:
        """The bounds in units of the last decimal."""
        low, high = (round(bound * 10.0**self.decimals) for bound in (self.low, self.high))
        return low, high

    @property
    def edges(self) -> tuple[float, ...]:
        return tuple(self.low + (self.high - self.low) * i / self.bins for i in range(self.bins + 1))

    @property
    def labels(self) -> tuple[str, ...]:
        """`[0, 10)`, and the last bin with its upper bound: `[90, 100]`."""
        edges = [f"{edge:.12g}" for edge in self.edges]
        last = self.bins - 1
        return tuple(f"[{edges[i]}, {edges[i + 1]}{']' if i == last else ')'}" for i in range(self.bins))

    def numbers(self, cells: pa.ChunkedArray) -> NDArray[np.float64]:
        """Each cell as a number within the bounds; none decides how another one is read."""
        cells = _texts(cells) if _is_bytes(cells.type) else cells
        try:
            parsed = np.asarray(pc.cast(cells, pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
        except pa.ArrowNotImplementedError:
            raise _no_domain(cells.type) from None
        except pa.ArrowInvalid:
            parsed = np.array([_number(cell) for cell in cells.to_pylist()], dtype=np.float64)
        return np.clip(np.where(np.isnan(parsed), self.low, parsed), self.low, self.high)

    def units(self, cells: pa.ChunkedArray) -> NDArray[np.int64]:
        """Each cell in whole units of the last decimal: sums of them are exact, in whatever order."""
        units = np.rint(self.numbers(cells) * 10.0**self.decimals).astype(np.int64)
        result: NDArray[np.int64] = np.clip(units, *self.unit_bounds)
        return result

    def shown(self, units: float) -> float:
        """Units of the last decimal as a number."""
        return round(units * 10.0**-self.decimals, max(0, self.decimals))

    def codes(self, cells: pa.ChunkedArray) -> NDArray[np.int64]:
        """The bin of each cell."""
        inner = np.array(self.edges[1:-1], dtype=np.float64)
        return np.searchsorted(inner, self.numbers(cells), side="right").astype(np.int64)


Domain = Values | Range


@dataclass(frozen=True)
class Paid:
    """A charge of the ledger, by its number, and the loss that it paid for."""

    charge: int
    loss: Loss


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
    roles: Mapping[str, str] = field(default_factory=dict)
    """What the policy calls its columns, for those who plan a release."""
    report_progress: Callable[[int], None] = field(default=lambda more: None, repr=False)
    """Told, by whoever works long, for about how many further rows the work is done."""
    paid: Paid | None = None
    """What the ledger was charged for a release before anything of it is computed."""

    def unread(self) -> ConfidentialTable:
        """The table without its rows in memory."""
        return replace(self)

    def without_rows(self) -> ConfidentialTable:
        """What is public about it, with nobody in it."""
        return replace(self, source=Source.of(pa.table({name: pa.array([], pa.string()) for name in self._wanted})))

    @property
    def _wanted(self) -> list[str]:
        return [*self.domains, *([] if self.subject is None else [self.subject])]

    @cached_property
    def _table(self) -> pa.Table:
        self.source.refuse_unknown(self._wanted)
        return self.source.read(self._wanted)

    @property
    def rows(self) -> int:
        """How many rows there are. Confidential: it is never published as it is."""
        return int(self._table.num_rows)

    @property
    def content(self) -> str:
        """A digest of the rows, whatever their order: what a release draws is tied to it."""
        return content_of({name: self._table[name] for name in self._table.column_names})

    @property
    def file(self) -> str:
        """Names what the rows are read from, however they are read: a file, or the rows where there is none."""
        return self.source.sha256 if self.source.path is not None else self.content

    @property
    def version(self) -> str:
        """Names the data as it is and as it is read: other data gives other answers."""
        return self.file + self.source.reading_digest

    @property
    def protects(self) -> JsonObject:
        """Whom the loss of an answer is about, and which tables must look alike."""
        unit = "record" if self.subject is None else "person"
        return {"unit": unit, "subject": self.subject, "neighbours": self.neighbours}

    def people(self) -> Iterator[str]:
        """Names of the persons, some more than once; where none are named, one for all rows. Confidential."""
        if self.subject is None:
            yield f"rows {self.content}"
            return
        for piece in self.source.batches([self.subject]):
            yield from (name for name in pc.unique(_texts(piece[self.subject])).to_pylist() if name)

    @property
    def declared(self) -> JsonObject:
        """What is public and gives a question its meaning: under other domains the same words ask something else."""
        return {"subject": self.subject, "domains": {name: asdict(one) for name, one in self.domains.items()}}

    @property
    def shape(self) -> tuple[int, ...]:
        """How many labels each column has."""
        return tuple(len(domain.labels) for domain in self.domains.values())

    @cached_property
    def kept(self) -> NDArray[np.intp]:
        """Rows that count: at most `rows_per_person` of each person, chosen by that person's own rows alone.

        Adding or removing a person therefore adds or removes at most this many of them. Sensitive cells decide only
        between rows that are alike in all others: which of the sets of exact answers a person is in is no secret.
        """
        if self.subject is None:
            return np.arange(self.rows, dtype=np.intp)
        person = self._persons(self._table[self.subject])
        counts = np.bincount(person)
        if not len(counts) or counts.max() <= self.rows_per_person:
            return np.arange(self.rows, dtype=np.intp)
        no_secret = [name for name in self.domains if self.roles.get(name) != str(Role.SENSITIVE)]
        order = np.lexsort((self._row_hashes(self.domains), self._row_hashes(no_secret), person))
        ordered = person[order]
        starts = np.flatnonzero(np.diff(ordered, prepend=-1))
        place = np.arange(self.rows) - np.repeat(starts, np.diff(starts, append=self.rows))
        return np.sort(order[place < self.rows_per_person], kind="stable").astype(np.intp)

    def _persons(self, names: pa.ChunkedArray) -> NDArray[np.int64]:
        """A number for the person of each row; names that differ in spelling alone are one person."""
        encoded = as_one(_texts(names)).dictionary_encode()
        if nobody := encoded.indices.null_count:
            raise DataError(f"{self.source.label} — {nobody} row(s) name no person — fill column {self.subject}")
        person: NDArray[np.int64] = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        return person

    def _row_hashes(self, columns: Iterable[str]) -> NDArray[np.uint64]:
        """A number for the content of each row; rows with the same number can be asked about in the same way."""
        total = np.zeros(self.rows, np.uint64)
        for name in columns:
            domain, column = self.domains[name], self._table[name]
            parts = domain.numbers(column).view(np.uint64) if isinstance(domain, Range) else domain.codes(column)
            total = _mixed(total ^ _mixed(parts.astype(np.uint64)))
        return total

    def column(self, name: str) -> pa.ChunkedArray:
        """The cells of a column in the rows that count."""
        cells = self._table[name]
        return cells if len(self.kept) == self.rows else cells.take(pa.array(self.kept))

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The rows that count, as positions among the labels of each column: one row a row, one column a domain."""
        columns = [domain.codes(self._table[name])[self.kept] for name, domain in self.domains.items()]
        return np.stack(columns, axis=1) if columns else np.zeros((len(self.kept), 0), np.int64)

    @property
    def person_of_rows(self) -> NDArray[np.int64]:
        """A number for the person of each row that counts. Confidential."""
        if self.subject is None:
            return np.arange(len(self.kept), dtype=np.int64)
        result: NDArray[np.int64] = self._persons(self._table[self.subject])[self.kept]
        return result

    def counts(self, columns: Sequence[str]) -> NDArray[np.int64]:
        """How many of the rows that count have each combination of labels; one axis a column. Confidential."""
        places = [list(self.domains).index(name) for name in columns]
        shape = [self.shape[place] for place in places]
        flat = np.zeros(len(self.codes), dtype=np.int64)
        for place, size in zip(places, shape, strict=True):
            flat = flat * size + self.codes[:, place]
        return np.bincount(flat, minlength=math.prod(shape)).astype(np.int64).reshape(shape)

    @property
    def changed_rows(self) -> int:
        """By how many rows two neighbouring tables differ at most, counting a replaced row twice."""
        return self.rows_per_person * (2 if self.neighbours == "change-one" else 1)

    @property
    def changed_length(self) -> float:
        """By how much the counts of disjoint cells differ at most, as the length of a vector (L2).

        One person adds or takes away at most this many rows, perhaps all in one cell; who replaces another does both.
        """
        return self.rows_per_person * (math.sqrt(2) if self.neighbours == "change-one" else 1.0)


@dataclass(frozen=True)
class LedgerEntry:
    """A charge of the ledger for a published table, as internal/ keeps it."""

    charge: int
    epsilon: str | None
    rho: str | None
    published: str
    """The digest of the table that it paid for."""


@dataclass(frozen=True, eq=False)
class NoisyTable:
    """A published table: its cells by public labels, a noisy count for each, and what was spent on them."""

    keys: Mapping[str, Sequence[str]]
    """Column → its label in every published row."""
    counts: NDArray[np.float64] = field(repr=False)
    spent: JsonObject
    """What the dictionary says: mechanism, epsilon, delta, rho, neighbours, rows_per_person, noise, scale, and `terms`:
    every draw of noise with its `noise`, `scale`, `sensitivity`, `epsilon` or `rho`, and `times`."""
    entry: LedgerEntry | None = None
    """The steward's evidence: what the ledger was charged for it."""

    @property
    def rows(self) -> int:
        return len(self.counts)

    @property
    def digest(self) -> str:
        """A digest of all labels and numbers, and of what is said about the noise."""
        content = [{name: list(labels) for name, labels in self.keys.items()}, self.counts.tolist(), self.spent]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    @property
    def arrow(self) -> pa.Table:
        return pa.table({**{name: pa.array(list(labels)) for name, labels in self.keys.items()}, "count": self.counts})


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A bijection of 64 bits by which the order of rows has nothing to do with that of their values (SplitMix64)."""
    mixed = words + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def _texts(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """Each cell as text, whatever the others are: bytes that are none show as they are written in Python."""
    try:
        return cells.cast(pa.string())
    except pa.ArrowNotImplementedError:
        raise _no_domain(cells.type) from None
    except pa.ArrowInvalid:
        if not _is_bytes(cells.type):
            raise
        texts = [None if cell is None else cell.decode(errors="backslashreplace") for cell in cells.to_pylist()]
        return pa.chunked_array([pa.array(texts, pa.string())])


def _is_bytes(kind: pa.DataType) -> bool:
    """Text that a file does not call text, as some writers of Parquet leave it."""
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind))


def _no_domain(kind: pa.DataType) -> DataError:
    return DataError(f"a column of type {kind} — has no such domain — store it as text or as a number, or drop it")


def _number(cell: object) -> float:
    try:
        return float(str(cell))
    except ValueError:
        return float("nan")
