"""Marked notes: read from a file, made by detectors, marked by people on a page, written again.

A file is JSON Lines, one note a line: `{id, text, spans: [{start, end, label}]}`. Offsets are half-open, in characters.
The page is one file that opens in any browser, offline: a content security policy lets it load and send nothing. Marks
of detectors or of an earlier round are on it already, so that annotation and correction are the same work. File and
page hold the notes themselves, and are written for their owner alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sharewell.errors import DataError
from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.learned import Learned
from sharewell.plain_data import Json


class Mark(NamedTuple):
    """A piece of a note and its label; how certain a detector was, or None where a person said so."""

    start: int
    end: int
    label: str
    certainty: float | None = None


@dataclass(frozen=True)
class MarkedNote:
    """A note with its marks; `marked` is False where the file says nothing of spans."""

    id: str
    text: str = field(repr=False)
    spans: tuple[Mark, ...] = ()
    marked: bool = True

    def to_json(self) -> dict[str, object]:
        spans = []
        for mark in self.spans:
            span: dict[str, object] = {"start": mark.start, "end": mark.end, "label": mark.label}
            if mark.certainty is not None:
                span["certainty"] = round(mark.certainty, 3)
            spans.append(span | {"text": self.text[mark.start : mark.end]})
        return {"id": self.id, "text": self.text, "spans": spans}


def read(path: Path, key: str = "text") -> Iterator[MarkedNote]:
    """Notes one at a time. What does not fit is told by its line, never quoted."""
    from sharewell.io.jsonlines import read_jsonl

    for number, row in read_jsonl(path):
        text, spans = row.get(key), row.get("spans")
        if not isinstance(text, str) or not isinstance(spans, list | None):
            raise DataError(f"{path.name}, line {number} — wants '{key}' as a string and 'spans' as a list")
        try:
            marks = tuple(sorted(_mark(span, text) for span in spans or ()))
        except (KeyError, TypeError, ValueError):
            raise DataError(
                f"{path.name}, line {number} — a span wants start, end (0 ≤ start < end ≤ length) and label;"
                " if it has a text, that of the note at this place"
            ) from None
        yield MarkedNote(str(row.get("id", row.get("note_id", number))), text, marks, spans is not None)


def write(path: Path, notes: Iterable[MarkedNote]) -> int:
    """Write notes for the owner alone, one at a time; never over another file. Returns how many."""
    from sharewell.io.atomic import whole_file
    from sharewell.io.rowfile import LineFile

    with whole_file(path) as partial:
        file = LineFile(partial / path.name, private=True)
        try:
            for note in notes:
                file.write([note.to_json()])
        finally:
            file.close()
    return file.rows


def _mark(span: Mapping[str, Json], text: str) -> Mark:
    start, end, label = int(span["start"]), int(span["end"]), str(span["label"])
    if not 0 <= start <= end <= len(text) or not label:
        raise ValueError("a span beyond the text")
    if "text" in span and span["text"] != text[start:end]:
        raise ValueError("a span of another text")
    certainty = span.get("certainty")
    return Mark(start, end, label, None if certainty is None else float(certainty))


def tag(
    path: Path, model: Path | None = None, *, key: str = "text", again: bool = True, detectors: Detectors | None = None
) -> Iterator[MarkedNote]:
    """Every note of a file with what was found in it. `again`: also where the file has marks, which are dropped then.

    Ages of any number of years are tagged, as a table made from notes needs them.
    """
    detectors = detectors or tagging_detectors(model)
    for note in read(path, key):
        if note.marked and not again:
            yield note
            continue
        spans = detectors.find(note.text)
        marks = tuple(Mark(span.start, span.end, span.kind, span.certainty) for span in spans)
        yield MarkedNote(note.id, note.text, marks)


def tagging_detectors(model: Path | None = None) -> Detectors:
    """The usual detectors, ages of any number of years, and a model."""
    also = [] if model is None else [Learned(model)]
    return Detectors.usual(also=[*Detectors.of("any-age").all, *also], without=["ages"])


MOST = 2000
"""More notes make a page slow."""
_PLACE = "__NOTES__"


def write_page(path: Path, notes: Iterable[MarkedNote], saved_as: str) -> int:
    """Write the page; `saved_as` is the name of the file that it saves. Returns how many notes it holds."""
    from sharewell.io.writing import refuse_existing, write_text

    refuse_existing(path)
    rows: list[dict[str, object]] = []
    for note in notes:
        rows.append(note.to_json())
        if len(rows) > MOST:
            raise DataError(f"more than {MOST} notes are too many for one page — take a part of them")
    if not rows:
        raise DataError("no note to mark — one JSON object a line, with 'text'")
    write_text(path, page(rows, saved_as), private=True)
    return len(rows)


def page(notes: list[dict[str, object]], saved_as: str) -> str:
    """The page as text. No note can end the element that holds them, whatever it says."""
    from sharewell.io.shipped import shipped_text

    content = json.dumps({"name": saved_as, "notes": notes}, ensure_ascii=True)
    for sign in "<>&":
        content = content.replace(sign, f"\\u{ord(sign):04x}")
    before, _, after = shipped_text("notes/tagger.html").partition(_PLACE)
    return before + content + after
