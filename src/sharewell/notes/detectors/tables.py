"""Tables inside notes: rows of cells whose head says what is in a column, and segments of HL7 messages.

A head is a line of short cells (between bars, semicolons, tabs or commas) of which some are names of identifiers: name,
DOB, MRN, phone, address. Below it the cells of these columns are claimed, as far as the rows have as many cells. In a
segment of an HL7 message the number of the field says the same.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.io.shipped import shipped_text
from sharewell.notes.engine.pattern_pieces import TITLE
from sharewell.notes.engine.spans import Span
from sharewell.notes.engine.word_lists import listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_TABLES = tomllib.loads(shipped_text("notes/tables.toml"))
_COLUMNS: dict[str, frozenset[str]] = {kind: listed(words) for kind, words in _TABLES["columns"].items()}
_KNOWN = frozenset[str]().union(*_COLUMNS.values())
_NOT_COLUMNS, _TYPES = listed(_TABLES["words"]["other_columns"]), listed(_TABLES["words"]["types"])
_NOTHING = frozenset(_TABLES["words"]["no_value"].split(", "))
_SEGMENTS = {
    segment: {int(number): kind for kind, numbers in fields.items() for number in numbers.split()}
    for segment, fields in _TABLES["segments"].items()
}
"""Segments of HL7 version 2 → number of a field → what it holds."""
_LETTERS = re.compile("[a-z]+")
_SEGMENT = re.compile(rf"(?:^|[\n\r])(?P<kind>{'|'.join(_SEGMENTS)})\|(?P<rest>[^\n\r]*)")
_DATE = re.compile(r"(?P<value>\d{1,4}[/. -](?:\d{1,2}|[A-Za-z]{3,9})(?:[/. -]\d{2,4})?|\d{8})")
_UNTITLED = re.compile(rf"(?:(?i:{TITLE})\b\.? *)?(?P<value>[^\W_](?:.*[^\W_])?)")
_SEPARATORS = ("|", ";", "\t", ",")
_FEWEST = 3
_HEAD = 240
"""No head is longer."""
_NUMBER = re.compile(r"\d{3}")
_PIECE = re.compile(r"[^\W_](?:[^^~&|]*[^\W_])?")


class Tables:
    """Finds cells of identifying columns."""

    name: ClassVar[str] = "tables"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        result = list(_segments(text)) if "|" in text else []
        if "\n" in text:
            for separator in _SEPARATORS:
                if text.count(separator) >= 2 * (_FEWEST - 1):
                    result += _rows(text, separator)
        return result


def _segments(text: str) -> Iterator[Span]:
    for match in _SEGMENT.finditer(text):
        fields = _SEGMENTS[match["kind"]]
        start = match.start("rest")
        first = 2 if match["kind"] == "MSH" else 1  # the separator itself is the first field of a header
        for number, cell in enumerate(match["rest"].split("|"), first):
            if number in fields and cell:
                for piece in _PIECE.finditer(cell):
                    if piece[0] in _TYPES:
                        continue
                    yield Span(
                        start + piece.start(), start + piece.end(), fields[number], 0.9, "field of an HL7 segment"
                    )
            start += len(cell) + 1


def _rows(text: str, separator: str) -> Iterator[Span]:
    """Cells below a head."""
    columns: list[str] = []
    start = 0
    for line in text.splitlines(keepends=True):
        if line.count(separator) >= _FEWEST - 1:
            heads = [_kind(cell) for cell in line.split(separator)] if _may_be_head(line, separator) else []
            if sum(map(bool, heads)) >= 2 and not _NUMBER.search(line):
                columns = heads
            elif columns:
                cells = _cells(line, separator)
                if len(cells) == len(columns):
                    yield from _claimed(line, cells, columns, start)
        elif columns and line.strip() and not set(line.strip()) <= set("-=|+ "):
            columns = []
        start += len(line)


def _may_be_head(line: str, separator: str) -> bool:
    """Short cells; between commas, which sentences have as well, no cell is a phrase, a field or a number."""
    if len(line) >= _HEAD:
        return False
    if separator != ",":
        return True
    return not _PROSE.search(line) and all(len(cell.split()) < 4 for cell in line.split(","))


_PROSE = re.compile(r"[.:?!]\s|[.:?!]$|\d")


def _claimed(line: str, cells: list[tuple[int, int]], columns: list[str], start: int) -> Iterator[Span]:
    for kind, (a, b) in zip(columns, cells, strict=True):
        value = line[a:b]
        if not kind or not any(sign.isalnum() for sign in value) or value.lower().strip("().") in _NOTHING:
            continue
        if kind == "AGE" and not (value.isdigit() and 89 < int(value) < 130):
            continue
        if kind in ("DATE", "ID", "PHONE") and not any(sign.isdigit() for sign in value):
            continue
        part = (_DATE if kind == "DATE" else _UNTITLED).search(value)
        if part:
            yield Span(start + a + part.start("value"), start + a + part.end(), kind, 0.75, "cell of a column")


def _cells(line: str, separator: str) -> list[tuple[int, int]]:
    """Where the cells are, without blanks and quotes around them."""
    cells, at, quoted = [], 0, False
    body = line.rstrip("\r\n")
    marks = []
    for place, sign in enumerate(body):
        if sign == '"':
            quoted = not quoted
        elif sign == separator and not quoted:
            marks.append(place)
    if quoted:
        marks = [place for place, sign in enumerate(body) if sign == separator]
    for end in (*marks, len(body)):
        cell = body[at:end]
        left = len(cell) - len(cell.lstrip(' \t"'))
        right = len(cell.rstrip(' \t"'))
        cells.append((at + left, at + max(left, right)))
        at = end + 1
    return cells


def _kind(head: str) -> str:
    """What a column holds, by its head."""
    if len(head) > 40:
        return ""
    said = _LETTERS.findall(head.lower())
    if len(said) > 4 or _KNOWN.isdisjoint(said) or not _NOT_COLUMNS.isdisjoint(said):
        return ""
    return next(kind for kind, known in _COLUMNS.items() if not known.isdisjoint(said))
