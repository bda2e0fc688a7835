"""Rewrite notes person by person: all notes of one person at once, so that their surrogates agree.

Notes are cut into blocks of whole people, which are rewritten in any order, here or by other processes. A large file is
sorted by person on disk, and a journal keeps every finished block, so that an interrupted run can go on. The order of
the file decides nothing: a person's notes are taken in the order of their text, and a note without a person is a person
known by its text. A note without text is not published.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import ClassVar, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.date_shift import shift_column
from sharewell.errors import DataError, Infeasible
from sharewell.io.cleaning import cleaning_digest
from sharewell.io.columnar import parquet_tables
from sharewell.io.plain_files import sha256
from sharewell.io.sources import Source
from sharewell.io.spilled_columns import LazyColumns
from sharewell.io.work_blocks import Journal
from sharewell.key_scope import drawing_key
from sharewell.keys import Key
from sharewell.notes.data import Notes
from sharewell.notes.engine.note_files import SubjectCodes, TextsOnDisk, cell_texts, non_null_rows
from sharewell.notes.engine.people_tables import People
from sharewell.notes.engine.protection.short_texts import instead_of_english
from sharewell.notes.engine.protection.worker_blocks import UNCLEAR, PersonNotes, each_block
from sharewell.notes.engine.rewritten_text import Change, NoteOwner, Rewriter, RewrittenNote
from sharewell.output_check import refuse_failing
from sharewell.person_names import shift_of
from sharewell.protocols import Criterion, Mechanism, Protected

BLOCK_NOTES, BLOCK_SIGNS = 1000, 1 << 22
"""A block is as large as that, or one person, whichever is more."""
ROW, PERSON, TEXT, WITHHELD, CHANGES = "row", "person", "text", "withheld", "changes"
LISTED = 20
"""So many withheld notes are named by their numbers, of each reason."""
LANGUAGE = "language"
"""Why a note is withheld that is not in a language the detectors read."""
EMPTY = "empty"
"""Why a note without text is not published."""
_CHANGE = pa.struct([(name, pa.string() if name == "kind" else pa.int64()) for name in Change._fields])


@dataclass(frozen=True)
class Details:
    """Counts of what was replaced and withheld; the map of offsets is for internal/ only."""

    changed: Mapping[str, int]
    """Pieces by kind."""
    withheld: Mapping[str, int]
    """Notes that are not published, by reason."""
    withheld_notes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Their numbers in the file, by reason, counted from 1: the first `LISTED` of each."""
    changes: Sequence[tuple[Change, ...]] = field(default=(), repr=False, metadata={"apart": True})
    """Of every published note, where they are in memory."""


class NoteMechanism(Mechanism[Notes], Protocol):
    """A mechanism for notes: `rewrite` sees all notes of one person, and `protect` rewrites those of everybody."""

    engine: ClassVar[str] = "check"

    def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]: ...

    def protect(self, data: Notes, must: Sequence[Criterion[Notes]], key: Key | None = None) -> Protected[Notes]:
        return person_by_person(self, data, must, key)


def person_by_person(
    mechanism: Rewriter,
    data: Notes,
    criteria: Sequence[Criterion[Notes]],
    key: Key | None = None,
    beside_table: bool = False,
) -> Protected[Notes]:
    """Rewrite every person's notes, drop those that are withheld, and check the criteria. beside_table: the texts are
    held against rows of a table as well."""
    has_key = key is not None
    key = drawing_key(key or Key.fresh(), mechanism, data.content)
    on_disk = isinstance(data.texts, TextsOnDisk)
    journal = _journal(mechanism, data, key) if on_disk else None
    tables: dict[int, pa.Table] = {}
    blocks = _blocks(data, journal)
    todo = ((i, block) for i, block in enumerate(blocks) if not _is_done(i, block, journal, data))
    for number, block, results in each_block(mechanism, todo, lambda block: _people(block, data, key), data.work):
        table = _published_block(block, results, data, key)
        if journal is None:
            tables[number] = table
        else:
            journal.write(number, table)
    released, details, rows = _collect(data, [tables[i] for i in sorted(tables)], journal)
    if not released.rows:
        _refuse_none_left(mechanism.name, data.column, details.withheld, beside_table)
    refuse_failing(mechanism.name, released, criteria)
    return Protected(released, details, rows, reproducible=has_key)


def _refuse_none_left(mechanism: str, column: str, withheld: Mapping[str, int], beside_table: bool) -> None:
    """Say why nothing is left: criteria can only say that there are no notes to judge."""
    if UNCLEAR in withheld:
        raise DataError(f"notes — {withheld[UNCLEAR]} could not be rewritten, and none is left to publish")
    if foreign := withheld.get(LANGUAGE, 0):
        raise Infeasible(
            f"{mechanism} — column {column} — {foreign} of {sum(withheld.values())} texts are not in English, and no"
            " text is left to publish",
            relaxations=instead_of_english(column, beside_table),
        )


def _journal(mechanism: Rewriter, data: Notes, key: Key) -> Journal:
    """The journal of this run: the same mechanism, files, key and version of the software find it again."""
    if data.work.directory is None:
        return Journal.passing()
    assert isinstance(data.texts, TextsOnDisk)
    assert data.texts.source is not None
    identity_parts = [repr(mechanism), data.name, data.column, repr(sorted(data.shifted.items()))]
    people = data.people if isinstance(data.people, People) else None
    identity_parts += ["", "None"] if people is None else [_hash(people.source), repr(people.columns)]
    identity_parts += [_hash(value) for value in vars(mechanism).values()]
    work = hashlib.sha256("\0".join([*identity_parts, _version()]).encode()).hexdigest()
    source = data.texts.source.sha256 + cleaning_digest(data.texts.source.clean)
    identity = {"work": work, "source": source, "key": key.commitment(work)}
    return Journal.of(data.work.directory, identity)


def _hash(named: object) -> str:
    """The hash of a file that something names: another content under the same name is another run."""
    path = named.path if isinstance(named, Source) else Path(named) if isinstance(named, str) else None
    clean = cleaning_digest(named.clean) if isinstance(named, Source) else ""
    return sha256(path) + clean if path is not None and path.is_file() else ""


def _version() -> str:
    try:
        return version("sharewell")
    except PackageNotFoundError:
        return "unknown"


def _is_done(number: int, block: pa.Table, journal: Journal | None, data: Notes) -> bool:
    done = journal is not None and journal.has(number)
    if done:
        data.work.report_progress(block.num_rows)
    return done


def _tables(data: Notes) -> Iterator[pa.Table]:
    """The notes with their row numbers, batch by batch."""
    other_columns = [] if data.beside is None else list(data.beside.column_names)
    if not isinstance(data.texts, TextsOnDisk):
        columns: dict[str, pa.Array] = {ROW: pa.array(np.arange(data.rows))}
        columns[PERSON] = (
            pa.array(data.persons, pa.string()) if data.persons is not None else pa.nulls(data.rows, pa.string())
        )
        columns[TEXT] = pa.array(list(data.texts), pa.string())
        yield pa.table(columns | {f"+{name}": column for name, column in data.columns_beside().items()})
        return
    first = 0
    for table in data.texts.tables([data.column, *other_columns]):
        rows = np.arange(first, first + table.num_rows)
        first += table.num_rows
        codes = data.persons[int(rows[0]) : first] if isinstance(data.persons, SubjectCodes) and len(rows) else None
        persons = (
            codes.names.take(pa.array(codes.codes))
            if isinstance(codes, SubjectCodes)
            else pa.nulls(len(rows), pa.string())
        )
        text = table[data.column].cast(pa.string())
        yield pa.table({ROW: rows, PERSON: persons, TEXT: text} | {f"+{name}": table[name] for name in other_columns})


def _blocks(data: Notes, journal: Journal | None) -> Iterator[pa.Table]:
    """Tables of whole people."""
    if data.persons is None:
        tables = _tables(data)
    elif journal is not None:
        tables = parquet_tables(journal.together(_tables(data), PERSON))
    else:
        tables = (table.sort_by([(PERSON, "ascending"), (ROW, "ascending")]) for table in _tables(data))
    waiting: list[pa.Table] = []
    for table in tables:
        for piece in _pieces(table):
            waiting.append(piece)
            notes, signs = sum(part.num_rows for part in waiting), sum(map(_signs, waiting))
            if notes < BLOCK_NOTES and signs < BLOCK_SIGNS:
                continue
            joined = pa.concat_tables(waiting)
            end = joined.num_rows if data.persons is None else _last_person(joined)
            if end:
                yield joined.slice(0, end)
                waiting = [joined.slice(end)] if end < joined.num_rows else []
    if waiting:
        yield pa.concat_tables(waiting)


def _pieces(table: pa.Table) -> Iterator[pa.Table]:
    for first in range(0, table.num_rows, BLOCK_NOTES):
        yield table.slice(first, BLOCK_NOTES)


def _signs(table: pa.Table) -> int:
    return int(pc.sum(pc.binary_length(table[TEXT])).as_py() or 0)


def _last_person(table: pa.Table) -> int:
    """Where the last person of a table begins: more of their notes may follow."""
    last = table[PERSON][table.num_rows - 1]
    return int(pc.index(table[PERSON], last).as_py())


def _people(block: pa.Table, data: Notes, key: Key) -> list[PersonNotes]:
    """The people of a block, with their keys and their notes in the order of the text."""
    texts, people, rows = cell_texts(block[TEXT]), [], block[ROW].to_pylist() if data.scopes else []
    for person, places in groupby(range(block.num_rows), key=_person_of_row(block, texts)):
        notes = sorted((i for i in places if (texts[i] or "").strip()), key=lambda i: texts[i] or "")
        known = None if data.people is None else data.people.known(person)
        shift = min((column.most_days for column in data.shifted.values()), default=None)
        days = None
        if shift is not None and data.persons is not None:
            days = shift_of(_shift_key(data, key), data.name, person, shift)
        scopes = tuple(data.scopes[rows[i]] for i in notes) if data.scopes else ()
        owner = NoteOwner(person, key.scoped(data.name, person), known, days, scopes)
        people.append(PersonNotes(owner, tuple(notes), [texts[i] or "" for i in notes]))
    return people


def _shift_key(data: Notes, key: Key) -> Key:
    """Dates in a text move with those in columns of the same dataset: by the key of these columns."""
    return key if data.shift_key is None else data.shift_key


def _person_of_row(block: pa.Table, texts: Sequence[str | None]) -> Callable[[int], str]:
    persons = block[PERSON].to_pylist()

    def who(row: int) -> str:
        name = persons[row]
        return name if name is not None else "note " + hashlib.sha256((texts[row] or "").encode()).hexdigest()

    return who


def _published_block(block: pa.Table, results: Mapping[int, RewrittenNote], data: Notes, key: Key) -> pa.Table:
    """A block with the published texts in place of the original ones."""
    empty = RewrittenNote.withhold(EMPTY)
    notes = [results.get(i, empty) for i in range(block.num_rows)]
    table = block.set_column(block.column_names.index(TEXT), TEXT, pa.array([note.text for note in notes], pa.string()))
    for name, shift in data.shifted.items():
        place, persons = f"+{name}", block[PERSON].to_pylist()
        if place not in table.column_names:  # it is published elsewhere, and its dates move by the same days
            continue
        moved = shift_column(name, block[place], persons, _shift_key(data, key), data.name, *shift)
        table = table.set_column(table.column_names.index(place), place, moved)
    table = table.append_column(WITHHELD, pa.array([note.withheld for note in notes], pa.string()))
    changes = [[change._asdict() for change in note.changes] for note in notes]
    return table.append_column(CHANGES, pa.array(changes, pa.list_(_CHANGE)))


def _collect(
    data: Notes, tables: Sequence[pa.Table], journal: Journal | None
) -> tuple[Notes, Details, NDArray[np.intp]]:
    """The published notes, in the order of people, with the counts and the row of each in the original."""
    changed: Counter[str] = Counter()
    withheld: Counter[str] = Counter()
    numbers: dict[str, list[int]] = {}
    rows, person_columns = [], []
    tally = journal.tables([ROW, PERSON, TEXT, WITHHELD, CHANGES]) if journal is not None else iter(tables)
    for table in tally:
        kept = non_null_rows(table, TEXT)
        dropped = table.filter(pc.is_null(table[TEXT]))
        for reason, row in zip(dropped[WITHHELD].to_pylist(), dropped[ROW].to_pylist(), strict=True):
            withheld[reason or "withheld"] += 1
            numbers.setdefault(reason or "withheld", []).append(row + 1)
        numbers = {reason: sorted(numbers[reason])[:LISTED] for reason in sorted(numbers)}
        kinds = kept[CHANGES].combine_chunks().flatten().field("kind").value_counts()
        changed.update({entry["values"]: entry["counts"] for entry in kinds.to_pylist()})
        rows.append(kept[ROW].to_numpy())
        if data.persons is not None:
            person_columns.append(kept[PERSON])
            person_columns = [SubjectCodes.of(person_columns).coded] if len(person_columns) >= 64 else person_columns
    places = np.concatenate([*rows, np.zeros(0, np.int64)]).astype(np.intp)
    texts: Collection[str]
    if journal is not None:
        texts = TextsOnDisk(lambda columns: _published_tables(journal, columns), TEXT, len(places), journal=journal)
        persons: Sequence[str] | None = None if data.persons is None else SubjectCodes.of(person_columns)
        changes: Sequence[tuple[Change, ...]] = ()
        other_columns = None
    else:
        table_of_all = non_null_rows(pa.concat_tables(tables), TEXT) if tables else None
        order = np.argsort(places, kind="stable")  # in memory, notes keep the order in which they came
        table_of_all = None if table_of_all is None else table_of_all.take(pa.array(order))
        places = places[order]
        texts = () if table_of_all is None else tuple(table_of_all[TEXT].to_pylist())
        persons = (
            None if data.persons is None else () if table_of_all is None else tuple(table_of_all[PERSON].to_pylist())
        )
        listed = [] if table_of_all is None else table_of_all[CHANGES].to_pylist()
        changes = [tuple(Change(**change) for change in entry) for entry in listed]
        other_columns = _published_columns(data, table_of_all)
    withheld_counts = dict(sorted(withheld.items()))
    listed_numbers = {reason: tuple(some) for reason, some in numbers.items()}
    released = replace(
        data,
        texts=texts,
        persons=persons,
        beside=other_columns,
        published=True,
        withheld=withheld_counts,
        origin=places,
    )
    return released, Details(dict(sorted(changed.items())), withheld_counts, listed_numbers, changes), places


def _published_tables(journal: Journal, columns: Sequence[str]) -> Iterator[pa.Table]:
    wanted = list(dict.fromkeys([*columns, TEXT]))
    for table in journal.tables(wanted):
        yield non_null_rows(table, TEXT).select(list(columns))


def _published_columns(data: Notes, table: pa.Table | None) -> pa.Table | None:
    assert not isinstance(data.beside, LazyColumns)  # of notes in memory so is what stands beside them
    if data.beside is None or table is None:
        return None if data.beside is None else data.beside.slice(0, 0)
    names = list(data.beside.column_names)
    return pa.table({name: table[f"+{name}"] for name in names})
