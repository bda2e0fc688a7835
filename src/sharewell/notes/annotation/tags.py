"""Tag notes with the rules, and a model if there is one: what people then correct."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sharewell.notes.annotation.marked import Mark, MarkedNote, read
from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.ages import Ages
from sharewell.notes.detectors.learned import Learned


def tag(
    path: Path, model: Path | None = None, *, key: str = "text", again: bool = True, detectors: Detectors | None = None
) -> Iterator[MarkedNote]:
    """Every note of a file with what was found in it. `again`: also where the file has marks, which are dropped then.

    Ages of any number of years are tagged, as a table made from notes needs them.
    """
    detectors = detectors or tagging(model)
    for note in read(path, key):
        if note.marked and not again:
            yield note
            continue
        found = detectors.find(note.text)
        marks = tuple(Mark(span.start, span.end, span.kind, span.certainty) for span in found)
        yield MarkedNote(note.id, note.text, marks)


def tagging(model: Path | None = None) -> Detectors:
    """The usual detectors, ages of any number of years, and a model."""
    also = [] if model is None else [Learned(model)]
    return Detectors.usual(also=[Ages(least=0), *also], without=["ages"])
