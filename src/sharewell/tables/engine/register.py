"""The people of a population list: which of its rows are one person's, and how many persons are among some rows.

A list may have several rows a person: visits, spells, addresses before and after a move. Where it names its persons (a
`subject` column) a person counts once, in whichever spelling, and fits a class if any of the person's rows does. The
column is the one that is named, else the one by which the data calls its own persons, else one that is called like a
key of persons (`person_id`), else one that may be such a key (`voter`, `name`, `uuid`) and has fewer values than rows:
namesakes then count as one, so that there are too few people rather than too many. Rows that name nobody are left out,
since they may be anybody's: N is then too small rather than too large. A list that names nobody is taken to have one
row a person, and where rows repeat, that is said; if a column that is not published looks like a key and most rows
repeat, repeated rows count once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.spelling import alike, as_one, fold
from sharewell.tables.engine.array_types import Indices, Ints
from sharewell.tables.engine.cell_matching import people_like
from sharewell.tables.engine.classes import group
from sharewell.tables.engine.columns import Column

_ROW = "\x00row"
"""The number of a row, under a name that no column can have."""
_YES_OR_NO = frozenset(["", *"01ynjtfx", *["yes", "no", "true", "false", "ja", "nein", "oui", "non", "si", "nee"]])
_FLAGS = len(_YES_OR_NO)
UNNAMED = "the list names no persons, so that each of its rows counts as one"
ADVICE = "name the column that identifies persons with `subject:`"


@dataclass(frozen=True, eq=False)
class Register:
    """Rows of a list, without those that say the same of the same person again."""

    columns: Sequence[Column]
    weights: Ints
    """For how many people each row stands."""
    person: Ints | None = None
    """The number of each row's person; None where every row is another one's."""
    named: Ints | None = None
    """Where each row's person stands among `names`; None where the list names nobody."""
    calls: pa.Array | None = None
    """The persons' names, as Arrow strings."""
    nameless: int = 0
    """Rows left out that may be further people: they name nobody, or repeat another row of a list that names nobody."""
    notes: tuple[str, ...] = ()

    @property
    def people(self) -> int:
        return int(self.weights.sum()) if self.person is None else int(self.person.max(initial=-1)) + 1

    def among(self, rows: Indices) -> Indices:
        """The persons of some rows, each once; rows themselves where every row is another person's."""
        return rows if self.person is None else np.unique(self.person[rows]).astype(np.intp)

    def size(self, persons: Indices) -> int:
        """How many people these are, as `among` gives them."""
        return int(self.weights[persons].sum()) if self.person is None else len(persons)

    def tally(self) -> Ints:
        """For how many people each of the numbers stands that `among` gives."""
        return self.weights if self.person is None else np.ones(self.people, dtype=np.int64)

    @property
    def names(self) -> list[str]:
        """The identifiers of the persons on the list."""
        names: list[str] = [] if self.calls is None else self.calls.to_pylist()
        return names

    def names_of(self, persons: Indices) -> Ints:
        """Where the persons that `among` gives stand among `names`."""
        return persons if self.person is not None or self.named is None else self.named[persons]

    def one_row_each(self) -> Register:
        """One of the rows of each person, the first in the order of values: no class then has more people than fit."""
        if self.person is None:
            return self
        keys: list[NDArray[np.integer]] = [column.codes for column in reversed(self.columns)]
        order = np.lexsort([*keys, self.person])
        first = np.append(True, np.diff(self.person[order]) != 0)[: len(order)]
        return self._at(np.sort(order[first]), None)

    def _at(self, rows: Indices, person: Ints | None) -> Register:
        columns = [column.take(rows) for column in self.columns]
        named = None if self.named is None else self.named[rows]
        return replace(self, columns=columns, weights=self.weights[rows], person=person, named=named)


def read_register(
    source: Source,
    published: Sequence[Column],
    *,
    subject: str | None = None,
    count: str | None = None,
    each_row: bool = False,
) -> Register:
    """The people of a list by the columns that it shares with a release. O(rows log rows)

    each_row: rows are what is asked for, whosever they are.
    """
    names = [column.name for column in published]
    more = [name for name in (subject, count) if name is not None and name not in names]
    frame = source.read([*names, *more] or source.names()[:1])
    columns = [people_like(column, frame[column.name]) for column in published]
    plain = Register(columns, np.ones(frame.num_rows, dtype=np.int64))
    if count is not None:
        return replace(plain, weights=_counts(source, count, frame[count]))
    if subject is None:
        return plain if each_row else _unnamed(source, plain)
    return _by_person(plain, frame[subject])


def join_registers(sources: Sequence[Source], published: Sequence[Column], subject: str) -> Register:
    """The people of several lists that call a person alike: who is on two of them counts once. O(rows log rows)"""
    names = [column.name for column in published]
    frames = [source.read(list(dict.fromkeys([*names, subject]))) for source in sources]
    columns = []
    for column in published:
        texts = [people_like(column, frame[column.name]).arrow for frame in frames]  # dates in one form, list by list
        columns.append(people_like(column, pa.chunked_array([part for text in texts for part in _chunks(text)])))
    parts = [part for frame in frames for part in frame[subject].cast(pa.string()).chunks]
    named = pa.chunked_array(parts, pa.string())
    return _by_person(Register(columns, np.ones(len(named), dtype=np.int64)), named)


def _chunks(texts: pa.Array | pa.ChunkedArray) -> list[pa.Array]:
    return texts.chunks if isinstance(texts, pa.ChunkedArray) else [texts]


def subject_of(source: Source, named: str | None, own_subject: str | None, apart: Sequence[str] = ()) -> str | None:
    """The column by which a list names its persons; None if it does not. `apart` are columns that never do."""
    from sharewell.proposal.names import is_list_key, person_column

    names = source.names()
    if named is not None:
        if named not in names:
            raise DataError(f"{source.label} — subject: there is no column '{named}' — {ADVICE}")
        return named
    candidates = [name for name in names if name not in apart]
    known = person_column(candidates, own_subject)
    possible = (name for name in candidates if is_list_key(name) and _repeats(source, name))
    return known if known is not None else next(possible, None)


def _repeats(source: Source, name: str) -> bool:
    """Has the column fewer values than rows, and not just yes and no? `voter` may say whether somebody votes."""
    column = source.read([name])[name]
    try:
        texts = column.cast(pa.string()).drop_null()
    except pa.ArrowException:  # a column of lists names nobody
        return False
    distinct = pc.unique(texts)
    if len(distinct) == len(texts) and not alike(texts):
        return False
    return len(distinct) > _FLAGS or not all(fold(text) in _YES_OR_NO for text in distinct.to_pylist())


def _by_person(plain: Register, named: pa.ChunkedArray) -> Register:
    """Equal rows of a person are one row; a row without a person is left out."""
    trimmed = pc.utf8_trim_whitespace(named.cast(pa.string()))
    texts, respelt = as_one(trimmed), alike(trimmed)
    encoded = pc.dictionary_encode(texts)
    known = np.flatnonzero(pc.is_valid(texts).to_numpy(zero_copy_only=False))
    nameless = len(texts) - len(known)
    remarks = {
        f"{nameless} row(s) of the list name nobody and are left out": nameless,
        f"{respelt} name(s) of the list look like another one, and count as one person": respelt,
    }
    notes = tuple(words for words, count in remarks.items() if count)
    person = encoded.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    plain = replace(plain, named=person, calls=encoded.dictionary, nameless=nameless, notes=notes)
    if len(known) == len(encoded.dictionary):  # one row each
        return plain._at(known, None) if nameless else plain
    codes = [person[known], *(column.codes[known] for column in plain.columns)]
    order, starts = group(codes, len(known))
    rows = np.sort(known[order[starts[:-1]]])
    several = len(rows) > len(encoded.dictionary)
    return plain._at(rows, person[rows] if several else None)


def _unnamed(source: Source, plain: Register) -> Register:
    """A list that names nobody: one row a person, and where rows repeat, that is said.

    If another column looks like a key of the rows that are different, and most of its values repeat, then repeated rows
    are one person's, under a column name that nobody knows: each counts once.
    """
    rows = len(plain.weights)
    alike = rows - len(group([column.codes for column in plain.columns], rows)[1]) + 1
    if not rows or not alike:
        return plain
    frame = source.read()
    try:
        numbered = frame.append_column(_ROW, pa.array(np.arange(rows)))
        different = numbered.group_by(frame.column_names).aggregate([(_ROW, "min"), (_ROW, "count")])
    except pa.ArrowException:  # columns that Arrow cannot compare
        return replace(plain, notes=(f"{UNNAMED} — {ADVICE}",))
    again = rows - different.num_rows
    if not again:
        return plain
    often = int((different[f"{_ROW}_count"].to_numpy() > 1).sum())
    others = [name for name in frame.column_names if name not in {column.name for column in plain.columns}]
    is_key = any(len(pc.unique(frame[name])) == different.num_rows for name in others)
    if 2 * often < different.num_rows or not is_key:
        return replace(plain, notes=(f"{UNNAMED}, although {again} repeat another — {ADVICE}",))
    note = f"the list names no persons; {again} row(s) that repeat another one entirely are left out — {ADVICE}"
    first = np.sort(different[f"{_ROW}_min"].to_numpy())
    return replace(plain._at(first, None), nameless=again, notes=(note,))


def _counts(source: Source, name: str, column: pa.ChunkedArray) -> Ints:
    texts = column.cast("string").to_pylist()
    bad = sum(not (text or "").isdecimal() or len(text) > 15 for text in texts)
    if bad:
        raise DataError(
            f"{source.label} — column {name}: {bad} of {len(texts)} cell(s) are not whole numbers"
            " — correct them, or leave `count:` out"
        )
    return np.array([int(text) for text in texts], dtype=np.int64)
