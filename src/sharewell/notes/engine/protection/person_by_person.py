"""Rewriting notes person by person: all notes of one person at once, so that what is published of them agrees.

Notes are cut into blocks of whole people. A block is rewritten here or by another process, in any order: what comes out
depends on the person's notes, row and key alone. Of a large file, people are brought together by a sort on disk, and
every finished block is kept in a journal, so that the same work, begun again after an interruption, goes on from there.

Within a person notes are taken in the order of their text, and a note that belongs to nobody is a person known by its
text: the order of the file decides nothing. A note without text is not published.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.date_shift import shift_column
from sharewell.errors import DataError
from sharewell.io.columnar import parquet_tables
from sharewell.io.sources import Source, sha256
from sharewell.io.spilled_columns import LazyColumns
from sharewell.io.work_blocks import Journal
from sharewell.key_scope import drawing_key
from sharewell.keys import Key
from sharewell.notes.data import Notes
from sharewell.notes.engine.people_tables import People
from sharewell.notes.engine.protection.worker_blocks import UNCLEAR, Person, each_block
from sharewell.notes.engine.rewritten_text import Change, Rewriter, Rewritten, Whose
from sharewell.notes.engine.texts_on_disk import Pages, Whom, filled, texts_of
from sharewell.output_check import refuse_failing
from sharewell.protocols import Criterion, Protected

BLOCK_NOTES, BLOCK_SIGNS = 1000, 1 << 22
"""A block is as large as that, or one person, whichever is more."""
ROW, PERSON, TEXT, WITHHELD, CHANGES = "row", "person", "text", "withheld", "changes"
EMPTY = "empty"
"""Why a note without text is not published."""
_CHANGE = pa.struct([(name, pa.string() if name == "kind" else pa.int64()) for name in Change._fields])


@dataclass(frozen=True)
class Details:
    """Counts of what was done; the map of offsets is for internal/ only."""

    changed: Mapping[str, int]
    """Pieces by kind."""
    withheld: Mapping[str, int]
    """Notes that are not published, by reason."""
    changes: Sequence[tuple[Change, ...]] = field(default=(), repr=False, metadata={"apart": True})
    """Of every published note, where they are in memory."""


def person_by_person(
    mechanism: Rewriter, data: Notes, must: Sequence[Criterion[Notes]], key: Key | None = None
) -> Protected[Notes]:
    """Every person's notes rewritten; withheld ones dropped; then judged."""
    given = key is not None
    key = drawing_key(key or Key.fresh(), mechanism, data.content)
    on_disk = isinstance(data.texts, Pages)
    journal = _journal(mechanism, data, key) if on_disk else None
    made: dict[int, pa.Table] = {}
    blocks = _blocks(data, journal)
    todo = ((i, block) for i, block in enumerate(blocks) if not _is_done(i, block, journal, data))
    for number, block, results in each_block(mechanism, todo, lambda block: _people(block, data, key), data.work):
        table = _finished(block, results, data, key)
        if journal is None:
            made[number] = table
        else:
            journal.write(number, table)
    released, details, rows = _together(data, [made[i] for i in sorted(made)], journal)
    if UNCLEAR in details.withheld and not released.rows:
        raise DataError(f"notes — {details.withheld[UNCLEAR]} could not be rewritten, and none is left to publish")
    refuse_failing(mechanism.name, released, must)
    return Protected(released, details, rows, reproducible=given)


def _journal(mechanism: Rewriter, data: Notes, key: Key) -> Journal:
    """Where this work was begun before: the same mechanism, files, key and version of the software."""
    if data.work.place is None:
        return Journal.passing()
    assert isinstance(data.texts, Pages)
    assert data.texts.source is not None
    told = [repr(mechanism), data.name, data.column, repr(sorted(data.shifted.items()))]
    people = data.people if isinstance(data.people, People) else None
    told += ["", "None"] if people is None else [_hash(people.source), repr(people.columns)]
    told += [_hash(value) for value in vars(mechanism).values()]
    work = hashlib.sha256("\0".join([*told, _version()]).encode()).hexdigest()
    identity = {"work": work, "source": data.texts.source.sha256, "key": key.commitment(work)}
    return Journal.of(data.work.place, identity)


def _hash(named: object) -> str:
    """What a file says, where something names one: its name alone is not the same work."""
    path = named.path if isinstance(named, Source) else Path(named) if isinstance(named, str) else None
    return sha256(path) if path is not None and path.is_file() else ""


def _version() -> str:
    try:
        return version("sharewell")
    except PackageNotFoundError:
        return "unknown"


def _is_done(number: int, block: pa.Table, journal: Journal | None, data: Notes) -> bool:
    done = journal is not None and journal.has(number)
    if done:
        data.work.tell(block.num_rows)
    return done


def _tables(data: Notes) -> Iterator[pa.Table]:
    """The notes with their places in the file, piece by piece."""
    beside = [] if data.beside is None else list(data.beside.column_names)
    if not isinstance(data.texts, Pages):
        whole: dict[str, pa.Array] = {ROW: pa.array(np.arange(data.rows))}
        whole[PERSON] = (
            pa.array(data.persons, pa.string()) if data.persons is not None else pa.nulls(data.rows, pa.string())
        )
        whole[TEXT] = pa.array(list(data.texts), pa.string())
        yield pa.table(whole | {f"+{name}": column for name, column in data.columns_beside().items()})
        return
    first = 0
    for table in data.texts.tables([data.column, *beside]):
        rows = np.arange(first, first + table.num_rows)
        first += table.num_rows
        whom = data.persons[int(rows[0]) : first] if isinstance(data.persons, Whom) and len(rows) else None
        whose = whom.names.take(pa.array(whom.codes)) if isinstance(whom, Whom) else pa.nulls(len(rows), pa.string())
        text = table[data.column].cast(pa.string())
        yield pa.table({ROW: rows, PERSON: whose, TEXT: text} | {f"+{name}": table[name] for name in beside})


def _blocks(data: Notes, journal: Journal | None) -> Iterator[pa.Table]:
    """Tables of whole people."""
    if data.persons is None:
        tables = _tables(data)
    elif journal is not None:
        tables = parquet_tables(journal.together(_tables(data), PERSON))
    else:
        tables = (table.sort_by([(PERSON, "ascending"), (ROW, "ascending")]) for table in _tables(data))
    held: list[pa.Table] = []
    for table in tables:
        for piece in _pieces(table):
            held.append(piece)
            notes, signs = sum(one.num_rows for one in held), sum(map(_signs, held))
            if notes < BLOCK_NOTES and signs < BLOCK_SIGNS:
                continue
            whole = pa.concat_tables(held)
            end = whole.num_rows if data.persons is None else _last_person(whole)
            if end:
                yield whole.slice(0, end)
                held = [whole.slice(end)] if end < whole.num_rows else []
    if held:
        yield pa.concat_tables(held)


def _pieces(table: pa.Table) -> Iterator[pa.Table]:
    for first in range(0, table.num_rows, BLOCK_NOTES):
        yield table.slice(first, BLOCK_NOTES)


def _signs(table: pa.Table) -> int:
    return int(pc.sum(pc.binary_length(table[TEXT])).as_py() or 0)


def _last_person(table: pa.Table) -> int:
    """Where the last person of a table begins: more of their notes may follow."""
    last = table[PERSON][table.num_rows - 1]
    return int(pc.index(table[PERSON], last).as_py())


def _people(block: pa.Table, data: Notes, key: Key) -> list[Person]:
    """Who is in a block, with their own keys, and the places of their notes in the order of the text."""
    texts, people = texts_of(block[TEXT]), []
    for who, places in groupby(range(block.num_rows), key=_whose(block, texts)):
        notes = sorted((i for i in places if (texts[i] or "").strip()), key=lambda i: texts[i] or "")
        known = None if data.people is None else data.people.known(who)
        shift = min((one.most_days for one in data.shifted.values()), default=None)
        days = None
        if shift is not None and data.persons is not None:
            days = _shift_key(data, key).shift_days(data.name, who, shift)
        whose = Whose(who, key.scoped(data.name, who), known, days)
        people.append(Person(whose, tuple(notes), [texts[i] or "" for i in notes]))
    return people


def _shift_key(data: Notes, key: Key) -> Key:
    """Dates in a text move with columns of the same dataset: by the key of whoever moves these."""
    return key if data.shift_key is None else data.shift_key


def _whose(block: pa.Table, texts: Sequence[str | None]) -> Callable[[int], str]:
    named = block[PERSON].to_pylist()

    def who(row: int) -> str:
        name = named[row]
        return name if name is not None else "note " + hashlib.sha256((texts[row] or "").encode()).hexdigest()

    return who


def _finished(block: pa.Table, results: Mapping[int, Rewritten], data: Notes, key: Key) -> pa.Table:
    """A block with what is published of it in place of its texts."""
    empty = Rewritten.kept_back(EMPTY)
    made = [results.get(i, empty) for i in range(block.num_rows)]
    table = block.set_column(block.column_names.index(TEXT), TEXT, pa.array([one.text for one in made], pa.string()))
    for name, shift in data.shifted.items():
        place, who = f"+{name}", block[PERSON].to_pylist()
        if place not in table.column_names:  # it is published elsewhere, and its dates move by the same days
            continue
        moved = shift_column(name, block[place], who, _shift_key(data, key), data.name, *shift)
        table = table.set_column(table.column_names.index(place), place, moved)
    table = table.append_column(WITHHELD, pa.array([one.withheld for one in made], pa.string()))
    changes = [[change._asdict() for change in one.changes] for one in made]
    return table.append_column(CHANGES, pa.array(changes, pa.list_(_CHANGE)))


def _together(
    data: Notes, made: Sequence[pa.Table], journal: Journal | None
) -> tuple[Notes, Details, NDArray[np.intp]]:
    """The notes that are published, in the order of people, and what was done to them."""
    changed: Counter[str] = Counter()
    withheld: Counter[str] = Counter()
    rows, whose = [], []
    tally = journal.tables([ROW, PERSON, TEXT, WITHHELD, CHANGES]) if journal is not None else iter(made)
    for table in tally:
        kept = filled(table, TEXT)
        withheld.update(reason or "withheld" for reason in table.filter(pc.is_null(table[TEXT]))[WITHHELD].to_pylist())
        kinds = kept[CHANGES].combine_chunks().flatten().field("kind").value_counts()
        changed.update({one["values"]: one["counts"] for one in kinds.to_pylist()})
        rows.append(kept[ROW].to_numpy())
        if data.persons is not None:
            whose.append(kept[PERSON])
            whose = [Whom.of(whose).coded] if len(whose) >= 64 else whose
    places = np.concatenate([*rows, np.zeros(0, np.int64)]).astype(np.intp)
    texts: Collection[str]
    if journal is not None:
        texts = Pages(lambda columns: _kept(journal, columns), TEXT, len(places), journal=journal)
        persons: Sequence[str] | None = None if data.persons is None else Whom.of(whose)
        changes: Sequence[tuple[Change, ...]] = ()
        beside = None
    else:
        whole = filled(pa.concat_tables(made), TEXT) if made else None
        order = np.argsort(places)  # in memory, notes keep the order in which they came
        whole = None if whole is None else whole.take(pa.array(order))
        places = places[order]
        texts = () if whole is None else tuple(whole[TEXT].to_pylist())
        persons = None if data.persons is None else () if whole is None else tuple(whole[PERSON].to_pylist())
        listed = [] if whole is None else whole[CHANGES].to_pylist()
        changes = [tuple(Change(**change) for change in one) for one in listed]
        beside = _beside(data, whole)
    told = dict(sorted(withheld.items()))
    released = replace(data, texts=texts, persons=persons, beside=beside, published=True, withheld=told, origin=places)
    return released, Details(dict(sorted(changed.items())), told, changes), places


def _kept(journal: Journal, columns: Sequence[str]) -> Iterator[pa.Table]:
    wanted = list(dict.fromkeys([*columns, TEXT]))
    for table in journal.tables(wanted):
        yield filled(table, TEXT).select(list(columns))


def _beside(data: Notes, whole: pa.Table | None) -> pa.Table | None:
    assert not isinstance(data.beside, LazyColumns)  # of notes in memory so is what stands beside them
    if data.beside is None or whole is None:
        return None if data.beside is None else data.beside.slice(0, 0)
    names = list(data.beside.column_names)
    return pa.table({name: whole[f"+{name}"] for name in names})
