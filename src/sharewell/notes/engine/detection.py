"""Look at a file of notes: where detectors find something, and how certain they are. No word of a note is returned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from sharewell.errors import DataError
from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.spans import Span


@dataclass(frozen=True)
class NoteSpans:
    """A note by its identifier, and what was found in it."""

    id: str
    spans: list[Span]

    def to_json(self) -> dict[str, object]:
        return {"id": self.id, "spans": [asdict(span) for span in self.spans]}


def read_notes(path: Path, text: str = "text") -> Iterator[tuple[str, str]]:
    """Identifiers and texts: of JSON Lines, or of a plain file that is one note."""
    if path.suffix not in (".jsonl", ".gz"):
        from sharewell.io.delimited import decode
        from sharewell.io.writing import read_bytes

        yield path.name, decode(read_bytes(path))
        return
    from sharewell.io.jsonlines import read_jsonl

    for number, row in read_jsonl(path):
        if not isinstance(row.get(text), str):
            raise DataError(f"{path.name}, line {number} — has no '{text}' that is a string — name the key with --text")
        yield str(row.get("id", row.get("note_id", number))), row[text]


def detect_file(path: Path, text: str = "text", detectors: Detectors | None = None) -> Iterator[NoteSpans]:
    """What is found in each note of a file, one note at a time."""
    detectors = detectors or Detectors.usual()
    for name, body in read_notes(path, text):
        yield NoteSpans(name, detectors.find(body))
