"""Protect a file of notes: JSON Lines, CSV or Parquet in, JSON Lines out, in constant memory and resumable.

The output holds the text and the columns that are to be kept, and its lines are sorted by content: the order of the
input, in which the notes of one person stand together, is not disclosed. There is no certificate: for a release that
others can verify, write a policy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.atomic import JOURNAL, journal_in, whole_file
from sharewell.io.rowfile import LineFile
from sharewell.io.sources import Source
from sharewell.io.work_blocks import sorted_by_content
from sharewell.keys import Key
from sharewell.notes.criteria.no_known_identifiers import NoKnownIdentifiers
from sharewell.notes.data import Notes, WorkSettings
from sharewell.notes.engine.note_files import NoteColumns, SubjectCodes, count_people, key_columns, read_notes
from sharewell.notes.engine.people_tables import IDENTIFIER_SORTS, People
from sharewell.notes.wing import published_rows
from sharewell.protocols import Criterion, Mechanism
from sharewell.roles import did_you_mean


@dataclass(frozen=True)
class FileRequest:
    """The columns of the file, and the table of its people."""

    text: str = "text"
    subject: str | None = None
    keep: tuple[str, ...] = ()
    people: Source | None = None
    known: Mapping[str, tuple[str, ...]] | None = None
    """Columns of the people's table by sort."""


@dataclass(frozen=True)
class FileCounts:
    """Counts over the file and what was written."""

    notes: int
    published: int
    persons: int | None
    changed: Mapping[str, int]
    withheld: Mapping[str, int]
    withheld_notes: Mapping[str, tuple[int, ...]]
    """Numbers of withheld notes by reason, the first ones of each."""
    reproducible: bool
    absent: int = 0
    """People whom the table of people does not list."""


def protect_file(
    source: Source,
    out: Path,
    mechanism: Mechanism[Notes],
    request: FileRequest,
    key: Key | None = None,
    *,
    resume: bool = False,
    processes: int = 1,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> FileCounts:
    """Write what is published of a file. With `resume`, go on from what an interrupted attempt has finished."""
    if resume and key is None:
        raise DataError("to go on takes the key of the first attempt — give it to both with --key")
    columns = _columns(source, request)
    people, criteria = _judge(request)
    with whole_file(out, take_over=resume) as partial:
        place = journal_in(partial, "notes")
        notes = read_notes(source, columns, people=people, place=place / "blocks")
        counted = 0

        def more(count: int) -> None:
            nonlocal counted
            counted += count
            tell(counted, notes.rows)

        absent = _absent(notes, people)
        notes = replace(notes, work=WorkSettings(processes, more, place / "blocks"))
        protected = mechanism.protect(notes, criteria, key)
        released = protected.data
        shown = {request.text: "text"} | {name: f"+{name}" for name in request.keep}
        rows = sorted_by_content(published_rows(released, protected.details), shown, {}, "text", partial / JOURNAL)
        lines = LineFile(partial / out.name)
        for table in rows.tables():
            lines.write(table.to_pylist())
        lines.close()
    persons = None if notes.persons is None else count_people(notes.persons)
    details = protected.details
    return FileCounts(
        notes.rows,
        released.rows,
        persons,
        details.changed,
        released.withheld,
        details.withheld_notes,
        protected.reproducible,
        absent,
    )


def _columns(source: Source, request: FileRequest) -> NoteColumns:
    known = source.names()
    wanted = [request.text, *request.keep, *([request.subject] if request.subject else [])]
    for name in wanted:
        if name not in known:
            hint = did_you_mean(name, known) or f"it has {len(known)} others: name the one you mean"
            raise DataError(f"{source.label} — no column '{name}' — {hint}")
    rest = tuple(name for name in known if name not in wanted)
    return NoteColumns(request.text, request.subject, request.keep, rest, key_columns(rest))


def _absent(notes: Notes, people: People | None) -> int:
    """How many people the table does not list. If it lists none, the two files do not name people alike."""
    if people is None or notes.persons is None:
        return 0
    named = notes.persons.names.to_pylist() if isinstance(notes.persons, SubjectCodes) else set(notes.persons)
    absent = sum(person not in people for person in named)
    if absent and absent == len(named):
        problem = f"none of the {len(named)} people of the notes is in it"
        raise DataError(f"{people.source.label} — {problem} — do both files write the subject alike?")
    return absent


def _judge(request: FileRequest) -> tuple[People | None, Sequence[Criterion[Notes]]]:
    """The known identifiers, for which the mechanism searches, and the criterion that searches again afterwards."""
    if request.people is None:
        return None, []
    if request.subject is None:
        raise DataError("a table of people says something of a note only where its person is named — give --subject")
    known = {sort: tuple((request.known or {}).get(sort, ())) for sort in IDENTIFIER_SORTS}
    if not any(known.values()):
        problem = "no column has a name that tells an identifier"
        raise DataError(
            f"{request.people.label} — {problem} — name columns as first_name, birth_date, mrn, zip, phone …"
        )
    judge = NoKnownIdentifiers(request.people, request.subject, **known, absent="allow")
    return People.of(request.people, request.subject, **known), [judge]
