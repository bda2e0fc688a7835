"""A page on which people mark notes: one file that opens in any browser, offline, and saves marked notes.

The page holds the notes themselves, and is written for its owner alone. Its own rules (a content security policy) let
it load and send nothing. Marks that detectors or an earlier round made are there already: to annotate and to correct is
the same work.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from sharewell.errors import DataError
from sharewell.notes.annotation.marked import MarkedNote

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
