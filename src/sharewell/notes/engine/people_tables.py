"""A table of people: the person of each row, and the columns whose values would identify the person in a note.

A person is found under every spelling of the name that looks like it.

>>> import pyarrow as pa
>>> rows = pa.table({"id": ["p1"], "first": ["Rosa"], "last": ["Delgado"], "born": ["1961-03-05"]})
>>> people = People.of(rows, "id", names=["first", "last"], dates=["born"])
>>> people.known("p1").values
(('NAME', 'Rosa'), ('NAME', 'Delgado'), ('DATE', '1961-03-05'))
>>> people.known("p2") is None
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.notes.engine.known_identifiers import Known
from sharewell.protocols import Frame
from sharewell.spelling import fold

if TYPE_CHECKING:
    import pyarrow as pa

IDENTIFIER_SORTS = ("names", "dates", "ids", "places", "phones", "emails", "others")
"""The sorts of identifiers, as the keys of a policy call them."""


_KEPT = 1024
"""Persons whose identifiers are kept."""


@dataclass(frozen=True)
class People:
    """A table of people, read on first use. A person may have several rows: all of them count."""

    source: Source
    subject: str
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Sort of identifier → columns."""

    @classmethod
    def of(cls, source: Source | Path | str | Frame, subject: str, **columns: Sequence[str]) -> People:
        """From a path, a Source or a frame; columns by sort (names=…, dates=…, ids=…, places=…, …)."""
        unknown = sorted(set(columns) - set(IDENTIFIER_SORTS))
        if unknown:
            raise DataError(f"people — no such sort of identifier: {unknown[0]} — known: {', '.join(IDENTIFIER_SORTS)}")
        return cls(Source.of(source), subject, {sort: tuple(names) for sort, names in columns.items() if names})

    def known(self, person: str) -> Known | None:
        """The identifiers in the person's rows, or None if the table does not list the person.

        Of the last persons they are kept: notes are read several times, and a search prepares what it looks for.
        """
        if person not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self._kept[person] = self._read(person)
        return self._kept[person]

    def _read(self, person: str) -> Known | None:
        rows = self._rows.get(fold(person))
        if rows is None:
            return None
        values: dict[str, list[str]] = {}
        for sort, names in self.columns.items():
            cells = (self._cells[name][row] for row in rows for name in names)
            values[sort] = [str(cell) for cell in cells if cell is not None and str(cell).strip()]
        try:
            return Known.of(**values)
        except DataError as error:
            columns = ", ".join(self.columns.get("dates", ()))
            raise DataError(f"{self.source.label}, column(s) {columns} — {error}") from None

    def __contains__(self, person: object) -> bool:
        return isinstance(person, str) and fold(person) in self._rows

    @cached_property
    def _kept(self) -> dict[str, Known | None]:
        return {}

    @cached_property
    def _table(self) -> pa.Table:
        wanted = dict.fromkeys((self.subject, *(name for names in self.columns.values() for name in names)))
        return self.source.read(list(wanted))

    @cached_property
    def _rows(self) -> dict[str, list[int]]:
        """By the fold of the name."""
        rows: dict[str, list[int]] = {}
        for row, person in enumerate(self._table[self.subject].to_pylist()):
            if person is not None:
                rows.setdefault(fold(str(person)), []).append(row)
        return rows

    @cached_property
    def _cells(self) -> dict[str, _Cells]:
        """Columns as Arrow holds them; a cell becomes a Python object when it is read."""
        return {name: _Cells(self._table[name].combine_chunks()) for name in self._table.column_names}


@dataclass(frozen=True)
class _Cells:
    array: pa.Array

    def __getitem__(self, row: int) -> object:
        return self.array[row].as_py()
