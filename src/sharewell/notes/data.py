"""Notes: texts, whose each one is, and what is known of these people.

>>> notes = Notes.of(["Seen today.", "Seen again."], persons=["p1", "p1"])
>>> notes
Notes(2 notes of 1 person)
>>> [rows.tolist() for person, rows in notes.by_person()]
[[0, 1]]
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
from sharewell.wing import ColumnFacts

_PIECE = 4096
"""Notes that are held at a time when all are read."""


class Knowing(Protocol):
    """Whoever can tell what is known of a person: `People`, or a dictionary in `Listed`."""

    def known(self, person: str) -> Known | None: ...


@dataclass(frozen=True)
class Listed:
    """What is known, person by person, in memory."""

    people: Mapping[str, Known] = field(repr=False)

    def known(self, person: str) -> Known | None:
        return self.people.get(person)


class Shift(NamedTuple):
    """How dates of a column move: so many days at most, either way; their form, where it is not found by itself; and
    what becomes of the time of day."""

    most_days: int
    form: str | None = None
    time: Time = "drop"


@dataclass(frozen=True)
class Work:
    """How long work is done: by how many processes, what is told on the way, and where finished pieces are kept."""

    processes: int = 1
    tell: Callable[[int], None] = field(default=lambda more: None, compare=False)
    """Called with how many more notes are done."""
    place: Path | None = None
    """A directory of its own; without one, work on large files is kept in a temporary directory."""


@dataclass(frozen=True, eq=False)
class Notes:
    """One note a record. Published notes (`published`) are what a recipient reads."""

    texts: Collection[str] = field(repr=False)
    """In the order of the records. In memory, or on disk: iterate, do not index; `take` picks."""
    persons: Sequence[str] | None = field(default=None, repr=False)
    """Whose each note is; None where nobody is named, and each note is a person of its own."""
    people: Knowing | None = field(default=None, repr=False)
    """What is known of them."""
    column: str = "text"
    beside: pa.Table | LazyColumns | None = field(default=None, repr=False)
    """Columns that are published beside the text (an Arrow table of as many rows), or None."""
    published: bool = False
    withheld: Mapping[str, int] = field(default_factory=dict)
    """Of published notes: how many were kept back, by reason."""
    origin: NDArray[np.intp] | None = field(default=None, repr=False)
    """Of published notes in a steward's hands: which note of the original each one was (row numbers)."""
    name: str = "notes"
    """The dataset's name: a person's secret key is one for each dataset."""
    shifted: Mapping[str, Shift] = field(default_factory=dict, repr=False)
    """Columns beside the text whose dates move by the person's own number of days; dates in the text move with them."""
    shift_key: Key | None = field(default=None, repr=False)
    """The key of these shifts, where columns that are published elsewhere move by them too; else the notes' own."""
    facts: Mapping[str, ColumnFacts] = field(default_factory=dict, repr=False)
    """What was seen of each column of the source when it was read; counts only."""
    work: Work = field(default_factory=lambda: Work(), repr=False)
    """How long work on these notes is done."""

    @classmethod
    def of(
        cls,
        texts: Sequence[str | None],
        persons: Sequence[str] | None = None,
        known: Mapping[str, Known] | Knowing | None = None,
        column: str = "text",
    ) -> Notes:
        """From lists. A missing text is an empty note; a note that belongs to nobody is a mistake."""
        if persons is not None and len(persons) != len(texts):
            raise DataError(f"notes — {len(texts)} texts and {len(persons)} persons — one person a text is wanted")
        if persons is not None and any(person is None or not str(person).strip() for person in persons):
            raise DataError("notes — some belong to nobody — name the person, or leave all persons out")
        people = Listed(known) if isinstance(known, Mapping) else known
        whose = None if persons is None else tuple(map(str, persons))
        return cls(tuple(text or "" for text in texts), whose, people, column)

    @classmethod
    def from_frame(
        cls,
        frame: Source | Path | str | Frame,
        text: str = "text",
        subject: str | None = None,
        known: Mapping[str, Known] | Knowing | None = None,
    ) -> Notes:
        """From any dataframe, a path (JSON Lines, CSV, Parquet) or a Source; all of it is read."""
        table = Source.of(frame).read([text, *([subject] if subject is not None else [])])
        texts, persons = (None if name is None else table[name].cast("string").to_pylist() for name in (text, subject))
        return cls.of(texts or [], persons, known, text)

    @classmethod
    def from_jsonl(
        cls,
        path: Path | str,
        text: str = "text",
        subject: str | None = None,
        known: Mapping[str, Known] | Knowing | None = None,
    ) -> Notes:
        """From a file of JSON Lines, one note a line."""
        return cls.from_frame(Source(Path(path), "jsonl"), text, subject, known)

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
        """What is published beside the text, by its name."""
        return {} if self.beside is None else {name: self.beside[name] for name in self.beside.column_names}

    @cached_property
    def content(self) -> str:
        """A digest of all notes, of whose they are and of what stands beside them, in any order. Confidential."""
        digest, first = RowDigest(), 0
        beside = {f"+{name}": column for name, column in self.columns_beside().items()}
        for texts in _pieces(self.texts):
            columns: dict[str, pa.Array] = {"text": pa.array(texts, pa.string())}
            if self.persons is not None:
                columns["person"] = pa.array(list(self.persons[first : first + len(texts)]), pa.string())
            digest.add(columns | {name: column.slice(first, len(texts)) for name, column in beside.items()})
            first += len(texts)
        return digest.hexdigest()

    def take(self, rows: NDArray[np.intp] | Sequence[int]) -> Notes:
        """Some of the notes, in the order asked for; they are in memory then."""
        wanted = [int(row) for row in rows]
        held = self.texts
        if not isinstance(held, Sequence):
            picked, last = set(wanted), max(wanted, default=-1)
            found = {i: text for i, text in enumerate(islice(held, last + 1)) if i in picked}
        else:
            found = {row: held[row] for row in wanted}
        whose = None if self.persons is None else tuple(self.persons[row] for row in wanted)
        beside = None if self.beside is None else self.beside.take(wanted)
        origin = None if self.origin is None else np.asarray(self.origin)[wanted]
        return replace(self, texts=tuple(found[row] for row in wanted), persons=whose, beside=beside, origin=origin)

    def by_person(self) -> Iterator[tuple[str, NDArray[np.intp]]]:
        """Each person and the places of their notes, persons by name; without persons each note by itself."""
        if self.persons is None:
            for row in range(self.rows):
                yield f"note {row}", np.array([row], np.intp)
            return
        if not self.rows:
            return
        names = np.array(list(self.persons), dtype=object)
        order = np.argsort(names, kind="stable")
        ends = np.flatnonzero(names[order][1:] != names[order][:-1]) + 1
        for part in np.split(order, ends):
            yield str(names[part[0]]), part


def _pieces(texts: Iterable[str]) -> Iterator[list[str]]:
    """So many at a time, whether they are in memory or on disk."""
    left = iter(texts)
    while piece := list(islice(left, _PIECE)):
        yield piece
