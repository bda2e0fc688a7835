"""A file as `init` reads it: what was recognised is adopted, said, and written into the draft."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sharewell.io.notes_folder import NOTE, SUBJECT
from sharewell.io.recognition import NOTES_FOLDER
from sharewell.io.sources import DNA, Source

Chosen = tuple[Source, tuple[str, ...]]
"""A source, and what was decided about it, in sentences."""


def detected(path: Path, options: Source | None = None) -> Chosen:
    """The file with its encoding and separator. options: what the steward said about reading it."""
    given = options or Source()
    source, result = Source.detected(path, given.encoding, given.separator)
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
        )
        separator = separator if text else None
    return replace(source, separator=separator), result.decided


def with_subjects(sources: Sequence[Chosen]) -> list[Chosen]:
    """A folder of notes, with the table beside it that says whose each note is; that table is no dataset then."""
    folders = [chosen for chosen in sources if chosen[0].format == NOTES_FOLDER]
    tables = [chosen for chosen in sources if folders and _says_whose(chosen[0])]
    if len(folders) != 1 or len(tables) != 1:
        return list(sources)
    [(folder, decided)], [(table, said)] = folders, tables
    tied = (replace(folder, subjects=table), (*decided, *said, f"{table.label} says whose each note is"))
    return [tied if chosen is folders[0] else chosen for chosen in sources if chosen is not tables[0]]


def _says_whose(source: Source) -> bool:
    return source.format not in (*DNA, NOTES_FOLDER) and set(source.names()) == {NOTE, SUBJECT}
