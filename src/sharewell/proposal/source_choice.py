"""A file as `init` reads it: what was recognised is adopted, said, and written into the draft."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sharewell.io.sources import Source


def detected(path: Path, options: Source | None = None) -> tuple[Source, tuple[str, ...]]:
    """The file with its encoding and separator, and what was decided, in sentences.

    options: what the steward said about reading it.
    """
    told = options or Source()
    source, found = Source.detected(path, told.encoding, told.separator)
    separator = told.separator or (found.separator if found.separator not in (None, ",") else None)
    if options is not None:
        source = replace(options, path=path, format=source.format, encoding=source.encoding)
    return replace(source, separator=separator), found.decided
