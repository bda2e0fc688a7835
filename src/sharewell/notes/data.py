"""Notes: texts, the person of each, and the identifiers that are known of these people.

>>> notes = Notes.of(["Seen today.", "Seen again."], persons=["p1", "p1"])
>>> notes
Notes(2 notes of 1 person)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.io.spilled_columns import LazyColumns
from sharewell.keys import Key
from sharewell.notes.engine.known_identifiers import Known
from sharewell.protocols import Frame
from sharewell.roles import Time
from sharewell.row_digest import RowDigest
from sharewell.spelling import fold, names_as_one
from sharewell.wing import ColumnFacts

_PIECE = 4096
"""Notes that are held at a time when all are read."""


class IdentifierSource(Protocol):
    """The known identifiers of each person: a table (`People`), or a dictionary (`ListedIdentifiers`)."""

    def known(self, person: str) -> Known | None: ...


@dataclass(frozen=True)
class ListedIdentifiers:
    """Known identifiers of each person, in memory; names that look alike are one person's."""

    people: Mapping[str, Known] = field(repr=False)

    def known(self, person: str) -> Known | None:
        return self._by_fold.get(fold(person))

    @cached_property
    def _by_fold(self) -> dict[str, Known]:
        results: dict[str, Known] = {}
        for name, known in self.people.items():
            before = results.get(fold(name))
            results[fold(name)] = known if before is None else Known((*before.values, *known.values))
        return results


class ColumnShift(NamedTuple):
    """How dates of a column move: the most days either way, their format if not recognised, and the time of day."""

    most_days: int
    form: str | None = None
    time: Time = "drop"


@dataclass(frozen=True)
class WorkSettings:
    """How a long run works: the number of processes, how it reports progress, where finished blocks are kept."""

    processes: int = 1
    report_progress: Callable[[int], None] = field(default=lambda more: None, compare=False)
    """Called with the number of notes that were finished since the last call."""
    directory: Path | None = None
    """For blocks of large files; None stands for a temporary directory."""


@dataclass(frozen=True, eq=False)
class Notes:
    """One note a record. Published notes (`published`) are what a recipient reads."""

    texts: Collection[str] = field(repr=False)
    """In the order of the records, in memory or on disk: iterate, do not index; `take` picks."""
    persons: Sequence[str] | None = field(default=None, repr=False)
    """The person of each note, in one spelling; None where no person is named, and each note counts as a person."""
    people: IdentifierSource | None = field(default=None, repr=False)
    """Their known identifiers."""
    column: str = "text"
    beside: pa.Table | LazyColumns | None = field(default=None, repr=False)
    """Columns that are published beside the text (an Arrow table of as many rows), or None."""
    published: bool = False
    withheld: Mapping[str, int] = field(default_factory=dict)
    """Of published notes: how many were withheld, by reason."""
    origin: NDArray[np.intp] | None = field(default=None, repr=False)
    """Of published notes in a steward's hands: the row of each in the original."""
    name: str = "notes"
    """The dataset's name: a person's secret key is one for each dataset."""
    shifted: Mapping[str, ColumnShift] = field(default_factory=dict, repr=False)
    """Columns beside the text whose dates move by the person's own number of days; dates in the text move with them."""
    shift_key: Key | None = field(default=None, repr=False)
    """The key of these shifts, where columns that are published elsewhere move by them too; else the notes' own."""
    facts: Mapping[str, ColumnFacts] = field(default_factory=dict, repr=False)
    """Counts over each column of the source, made when it was read."""
    linked_names: Sequence[str] | None = field(default=None, repr=False)
    """Of published notes of people who have one pseudonym in several datasets: that of each note."""
    scopes: Sequence[str] = field(default=(), repr=False)
    """Of each note, within what its person has one set of surrogates; empty: in all notes of the person."""
    work: WorkSettings = field(default_factory=lambda: WorkSettings(), repr=False)

    @classmethod
    def of(
        cls,
        texts: Sequence[str | None],
        persons: Sequence[str] | None = None,
        known: Mapping[str, Known] | IdentifierSource | None = None,
        column: str = "text",
    ) -> Notes:
        """From lists. A missing text is an empty note; a missing person is a mistake."""
        if persons is not None and len(persons) != len(texts):
            raise DataError(f"notes — {len(texts)} texts and {len(persons)} persons — one person a text is wanted")
        if persons is not None and any(person is None or not fold(str(person)) for person in persons):
            raise DataError("notes — some belong to nobody — name the person, or leave all persons out")
        people = ListedIdentifiers(known) if isinstance(known, Mapping) else known
        subjects = None if persons is None else tuple(names_as_one([str(person) for person in persons]))
        return cls(tuple(text or "" for text in texts), subjects, people, column)

    @classmethod
    def from_frame(
        cls,
        frame: Source | Path | str | Frame,
        text: str = "text",
        subject: str | None = None,
        known: Mapping[str, Known] | IdentifierSource | None = None,
    ) -> Notes:
        """From any dataframe, a path (JSON Lines, CSV, Parquet) or a Source; all of it is read."""
        table = Source.of(frame).read([text, *([subject] if subject is not None else [])])
        texts, persons = (None if name is None else table[name].cast("string").to_pylist() for name in (text, subject))
        return cls.of(texts or [], persons, known, text)

    def __post_init__(self) -> None:
        if self.persons is not None and len(self.persons) != len(self.texts):
            raise DataError("notes — texts and persons are not of one number")

    def __repr__(self) -> str:
        people = len(set(self.persons)) if self.persons is not None else len(self.texts)
        return f"Notes({len(self.texts)} notes of {people} person{'s' * (people != 1)})"

    @property
    def rows(self) -> int:
        return len(self.texts)

    def columns_beside(self) -> dict[str, pa.ChunkedArray]:
        """The columns that are published beside the text, by name."""
        return {} if self.beside is None else {name: self.beside[name] for name in self.beside.column_names}

    @cached_property
    def content(self) -> str:
        """A digest of all notes, their persons and other columns, in any order of rows. Confidential."""
        digest, first = RowDigest(), 0
        other_columns = {f"+{name}": column for name, column in self.columns_beside().items()}
        for texts in _pieces(self.texts):
            columns: dict[str, pa.Array] = {"text": pa.array(texts, pa.string())}
            if self.persons is not None:
                columns["person"] = pa.array(list(self.persons[first : first + len(texts)]), pa.string())
            digest.add(columns | {name: column.slice(first, len(texts)) for name, column in other_columns.items()})
            first += len(texts)
        return digest.hexdigest()

    def take(self, rows: NDArray[np.intp] | Sequence[int]) -> Notes:
        """Some of the notes, in the order asked for; they are in memory then."""
        wanted = [int(row) for row in rows]
        all_texts = self.texts
        if not isinstance(all_texts, Sequence):
            picked, last = set(wanted), max(wanted, default=-1)
            by_row = {i: text for i, text in enumerate(islice(all_texts, last + 1)) if i in picked}
        else:
            by_row = {row: all_texts[row] for row in wanted}
        subjects = None if self.persons is None else tuple(self.persons[row] for row in wanted)
        other_columns = None if self.beside is None else self.beside.take(wanted)
        origin = None if self.origin is None else np.asarray(self.origin)[wanted]
        picked_texts = tuple(by_row[row] for row in wanted)
        scopes = tuple(self.scopes[row] for row in wanted) if self.scopes else ()
        return replace(self, texts=picked_texts, persons=subjects, beside=other_columns, origin=origin, scopes=scopes)


def _pieces(texts: Iterable[str]) -> Iterator[list[str]]:
    """Lists of texts of a bounded length, whether they come from memory or from disk."""
    remaining = iter(texts)
    while piece := list(islice(remaining, _PIECE)):
        yield piece
