"""Files that hold patient data and that no reader here understands: each is refused by its name, with what to do.

A file is known by its first bytes or, where a format has no mark of its own, by how its name ends. Read as delimited
text, the cells of such a file would become names of columns. `data/refused_files.toml` lists the formats.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sharewell.errors import DataError
from sharewell.io.shipped import shipped_text

_NO_TEXT = re.compile(rb"[\0-\x08\x0e-\x19]")


@dataclass(frozen=True)
class Refused:
    """A format that is not read."""

    what: str
    advice: str
    begins: tuple[bytes, ...] = ()
    """Any of these at the very beginning."""
    at: tuple[tuple[int, bytes], ...] = ()
    """Or any of these at such a place."""
    endings: tuple[str, ...] = ()
    why: str = "which is not read"

    def fits(self, start: bytes) -> bool:
        marks = [(0, mark) for mark in self.begins] + list(self.at)
        return any(start[i : i + len(mark)] == mark and (_is_sure(mark) or _is_binary(start)) for i, mark in marks)

    def error(self, label: str) -> DataError:
        return DataError(f"{label} — is {self.what}, {self.why} — {self.advice}")


def _is_sure(mark: bytes) -> bool:
    """A few letters may be the name of a column."""
    return len(mark) > 4 or not mark.isalnum()


def _is_binary(start: bytes) -> bool:
    return _NO_TEXT.search(start, 0, 1024) is not None


def _marks(texts: Iterable[str]) -> tuple[bytes, ...]:
    return tuple(text.encode("latin-1") for text in texts)


def _refused(entry: dict[str, Any], why: str = Refused.why) -> Refused:
    return Refused(
        entry["what"],
        entry["advice"].format_map(_SHIPPED["advice"]),
        _marks(entry.get("begins", ())),
        tuple((place, *_marks([mark])) for place, mark in entry.get("at", ())),
        tuple(entry.get("endings", ())),
        entry.get("why", why),
    )


_SHIPPED = tomllib.loads(shipped_text("refused_files.toml"))
_NOT_DELIMITED = "not delimited text"
REFUSED = tuple(_refused(entry) for entry in _SHIPPED["files"])
_TEXTS = [(re.compile(entry["pattern"]), _refused(entry)) for entry in _SHIPPED["texts"]]
_TABLES = [_refused(entry, _NOT_DELIMITED) for entry in _SHIPPED["delimited"]]
_JSON = [(re.compile(entry["pattern"]), _refused(entry, _NOT_DELIMITED)) for entry in _SHIPPED["json"]]
_ENDINGS = {ending: one for one in REFUSED for ending in one.endings}
OFFICE = _ENDINGS[".doc"]
FHIR = next(one for _, one in _TEXTS if one.what == "FHIR")
JSON_OBJECT = Refused(
    "one JSON object",
    "export an array of objects, or one object a line, each a row of the table",
    why="which is not a table",
)
_WORKBOOK = Refused("an Excel workbook", "write `excel:` in place of `csv:`", why=_NOT_DELIMITED)


def refused_by_bytes(start: bytes) -> Refused | None:
    """By the first bytes."""
    return next((one for one in REFUSED if one.fits(start)), None)


def refused_by_text(text: str) -> Refused | None:
    """By the first words of a text."""
    text = text.lstrip("\ufeff \t\r\n")
    return next((one for pattern, one in _TEXTS if pattern.match(text)), None)


def refused_by_ending(ending: str) -> Refused | None:
    """By how the file's name ends, in small letters."""
    return _ENDINGS.get(ending)


def refused_by_members(names: Iterable[str]) -> Refused | None:
    """Documents that are zip archives inside."""
    held = set(names)
    if "word/document.xml" in held:
        return _ENDINGS[".docx"]
    if "ppt/presentation.xml" in held:
        return _ENDINGS[".pptx"]
    return _ENDINGS[".npz"] if held and all(name.endswith(".npy") for name in held) else None


def is_workbook(names: Iterable[str]) -> bool:
    """Is a zip archive with these members a workbook?"""
    held = set(names)
    return "xl/workbook.xml" in held or "xl/workbook.bin" in held


def refuse_office_archive(label: str, names: Iterable[str]) -> None:
    """A DataError if an archive that is to be read as delimited text is a workbook or a document."""
    held = set(names)
    result = _WORKBOOK if is_workbook(held) else refused_by_members(held)
    if result is not None:
        raise result.error(label)


def refuse_as_delimited(label: str, start: bytes, text: str) -> None:
    """A DataError if a file that is to be read as delimited text is something else, by its first bytes and as text."""
    result = next((one for one in _TABLES if one.fits(start)), None) or refused_by_bytes(start) or refused_by_text(text)
    stripped = text.lstrip("\ufeff \t\r\n")
    result = result or next((one for pattern, one in _JSON if pattern.match(stripped)), None)
    if result is not None:
        raise result.error(label)
