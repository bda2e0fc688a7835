"""SnpCells: what each person's record shows of their DNA, place by place, as sets of the values that may be meant.

A place is a SNP with a call of 0, 1 or 2 effect alleles, or a base of a sequence. A cell is a set of values in bits:
{0} is 1, {1} is 2, {2} is 4; A is 1, C is 2, G is 4, T is 8 and a gap 16, as in the lattice of IUPAC codes. What covers
two cells is their union. A missing call, and N, may be anything.

Calls are published in one column each, in the language of published cells: `0`, `{0,1}`, `*`. Bases are published in
one column of IUPAC codes.

>>> data = SnpCells.of_calls([[0, 2], [1, -1]], names=["rs1", "rs2"])
>>> data.columns()
{'rs1': ['0', '1'], 'rs2': ['2', '*']}
>>> data.joined(np.array([0, 0])).columns()
{'rs1': ['{0,1}', '{0,1}'], 'rs2': ['*', '*']}
>>> SnpCells.of_bases([[1, 8], [4, 8]], name="dna").joined(np.array([0, 0])).columns()
{'dna': ['RT', 'RT']}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike, NDArray

from sharewell import cells
from sharewell.errors import DataError
from sharewell.row_digest import content_of

Cells = NDArray[np.uint8]
Ints = NDArray[np.int64]
Alphabet = Literal["calls", "bases"]
CALLS = ("0", "1", "2")
FULL: dict[Alphabet, int] = {"calls": 7, "bases": 31}
"""The set of all values."""
SIZE: Cells = np.array([bits.bit_count() for bits in range(32)], dtype=np.uint8)
_IUPAC = ".ACMGRSVTWYHKDBN-"
_N = 15
_GAP = 16
_CELLS = 32
"""More than there are different cells."""
SNP, SEQUENCE = "snp", "sequence"
"""What the dictionary calls a column of calls, and one of bases."""


def _call_text(bits: int) -> str:
    held = [value for i, value in enumerate(CALLS) if bits >> i & 1]
    if len(held) == len(CALLS):
        return cells.Any().text
    return cells.Exact(held[0]).text if len(held) == 1 else cells.Set(tuple(held)).text


_CALL_TEXTS = ["", *map(_call_text, range(1, 8))]


@dataclass(frozen=True, eq=False)
class SnpCells:
    """Persons × places."""

    sets: Cells = field(repr=False)
    names: tuple[str, ...]
    """The column of each place; for bases one column of all of them."""
    alphabet: Alphabet = "calls"
    published: bool = False

    def __post_init__(self) -> None:
        if self.sets.ndim != 2 or (self.alphabet == "calls" and self.sets.shape[1] != len(self.names)):
            raise DataError(f"DNA — {self.sets.shape} cells in {len(self.names)} column(s) — give persons × places")
        if not self.sets.shape[1]:
            raise DataError("DNA — no person has a call at any place — leave it out, or name columns of SNPs")
        if ((self.sets == 0) | (self.sets > self.full)).any():
            raise DataError("DNA — a cell allows no value at all — it is damaged or was edited")

    @classmethod
    def of_calls(cls, calls: ArrayLike, names: Sequence[str]) -> SnpCells:
        """From 0, 1, 2 and -1 for a missing call."""
        given = np.asarray(calls, dtype=np.int8)
        return cls(np.where(given < 0, np.uint8(7), np.uint8(1) << np.maximum(given, 0).astype(np.uint8)), tuple(names))

    @classmethod
    def of_bases(cls, codes: ArrayLike, name: str) -> SnpCells:
        """From sets of bases, as the lattice of IUPAC codes numbers them."""
        return cls(_whole(np.asarray(codes, dtype=np.uint8)), (name,), "bases")

    @classmethod
    def reopened(cls, texts: Mapping[str, pa.ChunkedArray], alphabet: Alphabet) -> SnpCells:
        """A release, as its columns show it."""
        if alphabet == "calls":
            read = [_read_calls(name, column) for name, column in texts.items()]
            return cls(np.stack(read, axis=1), tuple(texts), published=True)
        ((name, column),) = texts.items()
        return replace(cls.of_bases(_read_bases(name, column), name), published=True)

    @property
    def rows(self) -> int:
        return len(self.sets)

    @property
    def places(self) -> int:
        return int(self.sets.shape[1])

    @property
    def full(self) -> int:
        return FULL[self.alphabet]

    @property
    def values(self) -> int:
        """How many values a place may have: a gap counts with the bases, and is not told from N once it is covered."""
        return 3 if self.alphabet == "calls" else 4

    @property
    def different(self) -> int:
        """How many different cells a place may show."""
        return len(_CALL_TEXTS) - 1 if self.alphabet == "calls" else len(_IUPAC) - 1

    @cached_property
    def content(self) -> str:
        """A digest of all cells, whatever the order of persons. Confidential."""
        return content_of(self.arrow())

    @cached_property
    def groups(self) -> Ints:
        """A number for each person, by the order of cells; persons who show the same have one."""
        rows = np.ascontiguousarray(self.sets).view(np.dtype((np.void, self.places)))[:, 0]
        return np.asarray(np.unique(rows, return_inverse=True)[1], dtype=np.int64)

    @property
    def has_known_places(self) -> NDArray[np.bool_]:
        """Persons of whom the release shows some place."""
        return np.asarray((self.sets != self.full).any(axis=1))

    def take(self, rows: NDArray[np.integer]) -> SnpCells:
        return replace(self, sets=self.sets[rows])

    def of_published(self, original: SnpCells, rows: NDArray[np.integer]) -> SnpCells:
        """Without values that no published person has at a place; rows: the original row of each one.

        >>> original = SnpCells.of_calls([[0], [1], [2]], names=["rs1"])
        >>> shown = SnpCells.of_calls([[0], [0]], names=["rs1"]).joined(np.array([0, 0]))
        >>> wide = replace(shown, sets=np.array([[5], [5]], dtype=np.uint8), published=True)
        >>> wide.columns(), wide.of_published(original, np.array([0, 1])).columns()
        ({'rs1': ['{0,2}', '{0,2}']}, {'rs1': ['0', '0']})
        """
        if len(rows) == original.rows:
            return self
        true = original.sets[rows]
        left = self.sets & np.bitwise_or.reduce(np.where(true == self.full, np.uint8(0), true), axis=0)
        return replace(self, sets=np.where((self.sets == self.full) | (left == 0), self.sets, left))

    def shown_cells(self) -> dict[str, Ints]:
        """Place → the cell that each person's record shows there; equal numbers are equal cells.

        >>> sorted(SnpCells.of_bases([[1, 8], [4, 8]], name="dna").shown_cells())
        ['dna 1', 'dna 2']
        """
        names = self.names
        if self.alphabet == "bases":
            names = tuple(f"{self.names[0]} {place + 1}" for place in range(self.places))
        return {name: self.sets[:, place].astype(np.int64) for place, name in enumerate(names)}

    def without(self, removed: NDArray[np.bool_]) -> SnpCells:
        """With any value possible at the places marked: one mark for each person and place."""
        return replace(self, sets=np.where(removed, np.uint8(self.full), self.sets))

    def joined(self, group: NDArray[np.integer]) -> SnpCells:
        """The smallest cells that all persons of a group may show alike; one number a person."""
        order = np.argsort(group, kind="stable")
        begins = np.flatnonzero(np.append(True, group[order][1:] != group[order][:-1]))
        unions = self.whole(np.bitwise_or.reduceat(self.sets[order], begins, axis=0))
        shown = np.empty_like(self.sets)
        shown[order] = np.repeat(unions, np.diff(np.append(begins, len(order))), axis=0)
        return replace(self, sets=shown, published=True)

    def shown_as(self, sets: Cells) -> SnpCells:
        """The release that shows these sets, each of which covers the cell here."""
        return replace(self, sets=self.whole(sets), published=True)

    def whole(self, sets: Cells) -> Cells:
        """Sets as they can be published: what covers a gap and a base, or all bases, may be anything."""
        return _whole(sets) if self.alphabet == "bases" else sets

    def losses(self, shown: SnpCells) -> NDArray[np.float64]:
        """NCP, cell by cell: 0 where all is kept, 1 where nothing is; NaN where nothing was known."""
        return self._losses(self.sets, shown.sets)

    def lost(self, shown: SnpCells) -> float:
        """The mean over all cells of which something was known; 0 where there is none.

        There are few different pairs of cells before and after: they are counted, in one pass over the cells. Losses
        are added up in ascending order, so that the sum does not depend on the order of persons.
        """
        counts = np.bincount((self.sets.astype(np.uint16) * _CELLS + shown.sets).ravel(), minlength=_CELLS * _CELLS)
        pairs = np.flatnonzero(counts)
        losses = self._losses(pairs // _CELLS, pairs % _CELLS)
        order = np.argsort(losses, kind="stable")  # NaN comes last
        known = np.repeat(losses[order], np.where(np.isnan(losses[order]), 0, counts[pairs[order]]))
        return float(known.mean()) if len(known) else 0.0

    def spread(self, rows: Sequence[int], count: int) -> SnpCells:
        """The same records as rows of a longer list, of whose other records nothing is shown."""
        sets = np.full((count, self.places), self.full, dtype=np.uint8)
        sets[np.asarray(rows, dtype=np.intp)] = self.sets
        return replace(self, sets=sets)

    def columns(self) -> dict[str, list[str]]:
        """The texts of each published column."""
        return {name: texts.to_pylist() for name, texts in self.arrow().items()}

    def arrow(self) -> dict[str, pa.Array]:
        """The same, in Arrow."""
        if self.alphabet == "calls":
            texts = pa.array(_CALL_TEXTS, pa.string())
            return {name: texts.take(pa.array(self.sets[:, i])) for i, name in enumerate(self.names)}
        symbols = np.frombuffer(_IUPAC.encode(), dtype=np.uint8)[np.where(self.sets > _GAP, _N, self.sets)]
        return {self.names[0]: pa.array([row.tobytes().decode("ascii") for row in symbols], pa.string())}

    def facts(self) -> dict[str, dict[str, object]]:
        """What the dictionary says of each column."""
        if self.alphabet == "calls":
            return {name: {"role": "quasi", "kind": SNP, "style": "set"} for name in self.names}
        facts: dict[str, object] = {"role": "quasi", "kind": SEQUENCE, "style": "IUPAC codes", "places": self.places}
        return {self.names[0]: facts}

    def _losses(self, before: NDArray[np.integer], after: NDArray[np.integer]) -> NDArray[np.float64]:
        smaller, larger = self._sizes(before), self._sizes(after)
        most = self.values - smaller
        return np.where(most > 0, (larger - smaller) / np.maximum(most, 1), np.nan)

    def _sizes(self, sets: NDArray[np.integer]) -> NDArray[np.float64]:
        return np.asarray(np.minimum(SIZE[sets], self.values), dtype=np.float64)


def _whole(codes: Cells) -> Cells:
    """N may be anything; so may what covers a gap and a base."""
    return np.where((codes == _N) | (codes > _GAP), np.uint8(FULL["bases"]), codes)


def _read_calls(name: str, column: pa.ChunkedArray) -> Cells:
    known = pa.array(_CALL_TEXTS[1:], pa.string())
    result = pc.index_in(column.cast(pa.string()), known)
    if result.null_count:
        raise DataError(f"column {name} — {result.null_count} cell(s) are not calls of a SNP — damaged or edited")
    numbers: Ints = result.to_numpy()
    return (numbers + 1).astype(np.uint8)


def _read_bases(name: str, column: pa.ChunkedArray) -> Cells:
    texts = [str(text or "") for text in column.to_pylist()]
    lengths = {len(text) for text in texts}
    number = {symbol: code for code, symbol in enumerate(_IUPAC) if code}
    if len(lengths) > 1 or not set("".join(texts)) <= set(number):
        raise DataError(f"column {name} — its cells are not sequences of one length — damaged or edited")
    return np.array([[number[symbol] for symbol in text] for text in texts], dtype=np.uint8).reshape(len(texts), -1)
