"""A file as `init` reads it: what was recognised is adopted, said, and written into the draft."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from sharewell.io.notes_folder import NOTE, SUBJECT, note_files
from sharewell.io.recognition import NOTES_FOLDER
from sharewell.io.sources import DNA, Source

Chosen = tuple[Source, tuple[str, ...]]
"""A source, and what was decided about it, in sentences."""


def detected(path: Path, options: Source | None = None) -> Chosen:
    """The file with its encoding and separator. options: what the steward said about reading it."""
    given = options or Source()
    source, result = Source.detected(path, given)
    separator = given.separator or (result.separator if result.separator not in (None, ",") else None)
    if options is not None:  # as far as they are about a file of this format
        text = source.format == "csv"
        source = replace(
            options,
            path=path,
            format=source.format,
            encoding=source.encoding if text or source.format == NOTES_FOLDER else None,
            newlines=options.newlines and text,
            sheet=options.sheet if source.format == "excel" else None,
            skip=source.skip,
        )
        separator = separator if text else None
    return replace(source, separator=separator), result.decided


def with_subjects(sources: Sequence[Chosen]) -> list[Chosen]:
    """A folder of notes, with the table beside it that says whose each note is; that table is no dataset then."""
    folders = [chosen for chosen in sources if chosen[0].format == NOTES_FOLDER]
    if len(folders) != 1:
        return list(sources)
    [(folder, decided)] = folders
    tables = [(chosen, table) for chosen in sources if (table := _mapping(chosen[0], folder)) is not None]
    if len(tables) != 1:
        return list(sources)
    [(given, table)] = tables
    tied = (replace(folder, subjects=table), (*decided, *given[1], f"{table.label} says who each note is about"))
    return [tied if chosen is folders[0] else chosen for chosen in sources if chosen is not given]


def _mapping(source: Source, folder: Source) -> Source | None:
    """The table with its columns called `note` and `subject`; None if it does not say whose the notes are.

    Columns may have any names where there are two, of which one lists files of the folder.
    """
    if source.format in (*DNA, NOTES_FOLDER):
        return None
    names = source.names()
    if set(names) == {NOTE, SUBJECT}:
        return source
    if len(names) != 2 or folder.path is None:
        return None
    files = {part for file in note_files(folder.path) for part in (file.name, file.stem)}
    table = source.read()
    for note, subject in (names, reversed(names)):
        listed = set(table[note].cast(pa.string()).to_pylist()) - {None}
        if listed and len(listed & files) > len(listed) / 2:
            return replace(source, columns={NOTE: note, SUBJECT: subject})
    return None
